"""Desk: one proposal, one decision; and many of them (spec/verification.md §4, spec/receipt.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from assay.api.recording import Ending, Proof, proof_of, record
from assay.floor.cards import AffordanceCard, Left, deal
from assay.floor.offers import offers, summary
from assay.floor.oracle import Established, establish
from assay.floor.shape import EvidenceShape, shape_of
from assay.floor.signatures import OperationCall
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.kernel.states import AssertConflict, AssertInsufficient, AssertNoEntity, AssertValue, Malformed, Proposal
from assay.kernel.verdict import Accept, Verdict
from assay.kernel.verify import verify as decide
from assay.receipts.predicates import Proposer, Submitted
from assay.wire.proposals import parse_proposal

ACCEPT: Final = "ACCEPT"
REJECT: Final = "REJECT"
_TASKS_KEPT: Final = 256
# A lone decision has no session: its card says what a fresh session would still allow after one refusal.
_LEFT: Final = Left(attempts=3, operations=6)
NOBODY: Final = Proposer("not named")

# Takes the private files that a receipt binds. A decision has no way to them: they hold what is established.
Private = Callable[[bytes], object]


def dropped(_: bytes) -> None:
    """Nobody keeps the private files: a refusal is then never decided again."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one proposal. It holds nothing that the evidence says, but for an accepted claim's receipt."""

    verdict: str  # ACCEPT, REJECT
    asserted: str  # VALUE, INSUFFICIENT_EVIDENCE, CONFLICT_NOT_RESOLVED, NO_ENTITY, MALFORMED
    code: str  # stable; empty for ACCEPT
    card: AffordanceCard | None  # what can be done now; none for ACCEPT
    receipt: bytes  # canonical bytes of the Statement

    @property
    def is_accepted(self) -> bool:
        """Whether the claim counts."""
        return self.verdict == ACCEPT


@dataclass(frozen=True, slots=True, repr=False)
class OpenTask:
    """A task opened on a snapshot: its state is established, once, and stays in here."""

    proof: Proof
    shape: EvidenceShape
    calls: tuple[OperationCall, ...]

    def __repr__(self) -> str:
        return "OpenTask(<hidden>)"


def open_task(snapshot: Snapshot, task: Task) -> OpenTask:
    """The task with its state.

    Raises:
        InvalidTask: the task cannot be asked of this pack.
    """
    proof = proof_of(establish(snapshot, task))
    shape = shape_of(snapshot, task)
    return OpenTask(proof, shape, tuple(offer.call for offer in offers(task, shape)))


def verify(
    snapshot: Snapshot, task: Task, proposal: bytes | str, proposer: Proposer = NOBODY, private: Private = dropped
) -> Decision:
    """Decide one proposal. Any bytes give a decision; `proposer` is written into the receipt and changes nothing.

    `private` is handed each private file that the receipt binds (spec/receipt.md §2): for the owner of the evidence.

    Raises:
        InvalidTask: the task cannot be asked of this pack.
    """
    return decision(open_task(snapshot, task), proposal, proposer, private)


def verify_many(
    snapshot: Snapshot, items: Iterable[tuple[Task, bytes | str]], proposer: Proposer = NOBODY
) -> Iterator[Decision]:
    """Decide proposals one by one; a task is opened once while it is among the recent ones.

    Raises:
        InvalidTask: at the first task that cannot be asked; what came before has been yielded.
    """
    opened = lru_cache(maxsize=_TASKS_KEPT)(lambda task: open_task(snapshot, task))
    for task, proposal in items:
        yield decision(opened(task), proposal, proposer)


def decision(task: OpenTask, data: bytes | str, proposer: Proposer = NOBODY, private: Private = dropped) -> Decision:
    """The decision on the proposal's bytes; `private` takes the private files of its receipt."""
    given = proposal_bytes(data)
    proposal, verdict = judge(task.proof.established, given)
    word, raw = asserted(proposal), proposal.raw if isinstance(proposal, AssertValue) else None
    if isinstance(verdict, Accept):
        ending, steps = Ending("accepted", how="unaided"), (Submitted(word, "", raw, given),)
        made = record(task.proof, ending, steps, proposer, (word, raw))
        found = Decision(ACCEPT, word, "", None, made.receipt)
    else:
        ending, steps = Ending("rejected", verdict.code), (Submitted(word, verdict.code, raw, given),)
        card = deal(summary(task.proof.established.task), verdict.code, task.calls, task.shape, _LEFT)
        made = record(task.proof, ending, steps, proposer)
        found = Decision(REJECT, word, verdict.code, card, made.receipt)
    for file in made.private:
        private(file)
    return found


def proposal_bytes(data: bytes | str) -> bytes:
    """The bytes of a proposal. Half a surrogate pair becomes its three bytes, which are no UTF-8 and are refused."""
    return data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data


def judge(established: Established, data: bytes | str) -> tuple[Proposal, Verdict]:
    """The proposal that the bytes are, and the verdict on it; nothing else is made."""
    proposal = parse_proposal(proposal_bytes(data))
    return proposal, decide(established.kind, established.state, proposal)


def asserted(proposal: Proposal) -> str:
    """The word that the proposal asserts; MALFORMED where it asserts none."""
    match proposal:
        case AssertValue():
            return "VALUE"
        case AssertInsufficient():
            return "INSUFFICIENT_EVIDENCE"
        case AssertConflict():
            return "CONFLICT_NOT_RESOLVED"
        case AssertNoEntity():
            return "NO_ENTITY"
        case Malformed():
            return "MALFORMED"
