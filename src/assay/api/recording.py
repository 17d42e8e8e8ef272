"""Desk: what was established and decided, in the terms of a receipt (spec/receipt.md §2)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import Final

from assay.api.wiring import verifier
from assay.audit.terms import answer_of, looked_up, pins_of, private_names, rules_of, state_word
from assay.floor.oracle import Established
from assay.floor.signatures import NavigationFailure
from assay.kernel.errors import Fault
from assay.kernel.states import Determined
from assay.receipts.predicates import ClaimResult, Performed, Proposer, Refused, Step, Submitted
from assay.receipts.private import MAX_KEPT_BYTES, SALT_BYTES
from assay.receipts.statement import receipt
from assay.receipts.withheld import Bound, PrivateFiles, Said, Withheld, withheld_bytes
from assay.runtime import trace
from assay.runtime.session import ClaimSession
from assay.wire.evidence import evidence_bytes
from assay.wire.tasks import task_document

Salts = Callable[[], bytes]
_SALTS: Final[Salts] = partial(secrets.token_bytes, SALT_BYTES)


class Evidence:
    """The file of the rows that were looked up for one task: made when the first receipt names it, then the same."""

    __slots__ = ("_established", "_made")

    def __init__(self, established: Established) -> None:
        self._established = established
        self._made: dict[bool, bytes] = {}

    def __repr__(self) -> str:
        return "Evidence(<hidden>)"

    def data(self, salts: Salts, *, is_salted: bool) -> bytes:
        """The bytes of the file: salted, or as an acceptance has it, which shows what it rests on anyhow."""
        if is_salted not in self._made:
            salt = salts() if is_salted else b""
            self._made[is_salted] = evidence_bytes(self._established.task, self._established.evidence, salt)
        return self._made[is_salted]


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """One established task, and the parts of its receipts that are the same whatever is proposed.

    INVARIANT: never shown to a proposer; `repr` tells nothing.
    """

    established: Established
    document: dict[str, object]
    private: tuple[str, ...]
    evidence: Evidence

    def __repr__(self) -> str:
        return "Proof(<hidden>)"


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended, in the words of spec/receipt.md §2."""

    outcome: str
    code: str = ""
    how: str = ""
    derived_by: str = ""


def proof_of(established: Established) -> Proof:
    """The proof, in the terms of a receipt."""
    return Proof(established, task_document(established.task), private_names(established), Evidence(established))


@dataclass(frozen=True, slots=True)
class Recorded:
    """A receipt, and the private files that it binds; those are for the owner of the evidence alone."""

    receipt: bytes
    private: PrivateFiles


def record(  # noqa: PLR0913, PLR0917 (each is one part of the receipt)
    proof: Proof,
    ending: Ending,
    trajectory: tuple[Step, ...],
    proposer: Proposer,
    accepted: tuple[str, object] | None = None,
    salts: Salts = _SALTS,
) -> Recorded:
    """The receipt; `accepted` is the assertion that was accepted, as its word and raw value. Salts: 32 random bytes."""
    established = proof.established
    held = established.evidence
    bound, files = _bound(proof, trajectory, salts, is_withheld=accepted is None or bool(proof.private))
    result = ClaimResult(
        task=proof.document,
        entity=established.task.entity,
        property=established.task.property,
        outcome=ending.outcome,
        code=ending.code,
        snapshot=held.digest,
        opened=held.opened.value,
        how=ending.how,
        derived_by=ending.derived_by,
        trajectory=trajectory,
        verifier=verifier(),
        proposer=proposer,
        private=proof.private,
        bound=bound,
    )
    if accepted is None:
        return Recorded(receipt(result), files)
    read = looked_up(established)
    result = replace(
        result,
        facts=pins_of(established),
        rules=rules_of(established),
        looked_up=read.rows,
        looked_up_sha256=read.sha256,
        answer=answer_of(established, *accepted),
    )
    return Recorded(receipt(result), files)


def _bound(
    proof: Proof, trajectory: tuple[Step, ...], salts: Salts, *, is_withheld: bool
) -> tuple[Bound, PrivateFiles]:
    """What the receipt holds of its private files, and those of them that are small enough to be kept."""
    evidence = proof.evidence.data(salts, is_salted=is_withheld)
    bound = Bound(sha256(evidence).hexdigest(), len(evidence) <= MAX_KEPT_BYTES)
    kept = [evidence] if bound.evidence_kept else []
    if not is_withheld:
        return bound, PrivateFiles(*kept)
    established = proof.established
    state = established.state
    said = tuple(
        Said(number, salts(), step.data)
        for number, step in enumerate(trajectory)
        if not isinstance(step, Performed) and step.data
    )
    text = state.value.text if isinstance(state, Determined) else established.reason
    withheld = Withheld(said, salts(), state_word(state), text)
    data = withheld_bytes(withheld)
    if len(data) <= MAX_KEPT_BYTES:
        kept.append(data)
    bound = replace(
        bound,
        withheld_sha256=sha256(data).hexdigest(),
        withheld_kept=len(data) <= MAX_KEPT_BYTES,
        said=tuple((one.step, one.commitment) for one in said),
        established=withheld.commitment,
    )
    return bound, PrivateFiles(*kept)


def record_session(session: ClaimSession, proposer: Proposer, salts: Salts = _SALTS) -> Recorded:
    """The receipt of a session that has ended.

    Raises:
        Fault: it has not.
    """
    steps = tuple(step for event in session.events for step in _steps(event))
    proof = proof_of(session.reveal())
    match session.outcome:
        case trace.Accepted(how, call):
            last = steps[-1]
            accepted = (last.asserted, last.raw) if isinstance(last, Submitted) else None
            ending = Ending("accepted", "", how, call.text if call is not None else "")
            return record(proof, ending, steps, proposer, accepted, salts)
        case trace.Unresolved(reason):
            return record(proof, Ending("unresolved", reason), steps, proposer, salts=salts)
        case NavigationFailure(reason):
            return record(proof, Ending("navigation_failure", reason), steps, proposer, salts=salts)
        case None:
            raise Fault("fault.receipt", "a receipt was asked of a session that has not ended; this is a bug here")


def _steps(event: trace.Event) -> Iterator[Step]:
    match event:
        case trace.Submitted(wire=wire, said=said, code=code):
            yield _submitted(wire, said, code)
        case trace.Performed(result):
            yield Performed(result.call.text, result.state, result.raw)
        case trace.Strayed(said, failure):
            yield Refused(failure.reason, len(said), said.encode())
        case trace.Stopped() | trace.Closed():
            pass


def _submitted(wire: str, said: str, code: str) -> Submitted:
    if wire:
        document = json.loads(wire)
        return Submitted(document["state"], code, document.get("value"), wire.encode())
    # No JSON text: bytes that are no proposal, or a value that no JSON reader makes.
    if code.startswith("value."):
        return Submitted("VALUE", code, object())
    return Submitted("MALFORMED", code, None, said.encode())
