"""Desk: a claim walked to its end by a model, and the receipt of it; and a navigator without any judgement."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from assay.api.recording import record_session
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.kernel.states import CONFLICT_NOT_RESOLVED, INSUFFICIENT_EVIDENCE, NO_ENTITY, AssertValue, Proposal
from assay.models.base import Completion, Constraint, Message, Model
from assay.receipts.predicates import Proposer
from assay.receipts.statement import digest_of
from assay.receipts.withheld import PrivateFiles
from assay.runtime import repair
from assay.runtime.memory import Memory
from assay.runtime.repair import UNLIMITED, Clock, Cost, Limits
from assay.runtime.session import DEFAULT, ClaimSession, Policy
from assay.runtime.trace import Event, Outcome, Performed

SCRIPTED: Final = "a scripted navigator"
_WORDS: Final[dict[str, Proposal]] = {
    "INSUFFICIENT_EVIDENCE": INSUFFICIENT_EVIDENCE,
    "CONFLICT_NOT_RESOLVED": CONFLICT_NOT_RESOLVED,
    "NO_ENTITY": NO_ENTITY,
}

OnEvent = Callable[[Event], None]


def unheard(event: Event) -> None:
    """The listener that tells nobody."""


@dataclass(frozen=True, slots=True)
class Walked:
    """An ended walk: its session, its receipt, what was learnt (how, never what), and what it cost."""

    session: ClaimSession
    receipt: bytes
    memory: Memory
    cost: Cost
    private: PrivateFiles = field(default_factory=PrivateFiles, repr=False, compare=False)  # for the evidence's owner

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        outcome = self.session.outcome
        assert outcome is not None  # noqa: S101 -- a walk is made of ended sessions alone
        return outcome


@dataclass(slots=True)
class _Heard:
    """A model, with everything that was said to it and by it; the digests of both are in the receipt."""

    model: Model
    prompts: list[object] = field(default_factory=list)
    texts: list[object] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.model.name

    def complete(
        self, messages: tuple[Message, ...], *, constraint: Constraint | None, max_tokens: int, seed: int
    ) -> Completion:
        self.prompts.append([[message.role, message.content] for message in messages])
        said = self.model.complete(messages, constraint=constraint, max_tokens=max_tokens, seed=seed)
        self.texts.append(said.text.encode("utf-8", "backslashreplace").decode())
        return said

    @property
    def proposer(self) -> Proposer:
        return Proposer(self.name, digest_of(self.prompts), digest_of(self.texts))


def ask(  # noqa: PLR0913 -- the parts of a walk, each chosen by whoever calls
    snapshot: Snapshot,
    task: Task,
    model: Model,
    *,
    policy: Policy = DEFAULT,
    memory: Memory = repair.EMPTY,
    limits: Limits = UNLIMITED,
    on_event: OnEvent = unheard,
    clock: Clock = time.monotonic,
) -> Walked:
    """Let the model walk one claim to its end; each event is handed over as it happens.

    Raises:
        InvalidTask: the task cannot be asked of this pack.
        ModelFault: the model gave no reply; there is no receipt, and nothing was accepted.
    """
    heard = _Heard(model)
    session = ClaimSession.open(snapshot, task, policy)
    walk = repair.walk(session, heard, memory, on_event, clock=clock, limits=limits)
    made = record_session(walk.session, heard.proposer)
    return Walked(walk.session, made.receipt, walk.memory, walk.cost, made.private)


def obey(snapshot: Snapshot, task: Task, *, policy: Policy = DEFAULT, on_event: OnEvent = unheard) -> Walked:
    """Perform the operation that stands for the task and propose what it returned: no model, and no judgement.

    Raises:
        InvalidTask: the task cannot be asked of this pack.
    """
    session = ClaimSession.open(snapshot, task, policy)
    session, event = session.perform(next(offer.call for offer in session.offered if offer.answers))
    on_event(event)
    if isinstance(event, Performed):
        session, event = session.submit(_WORDS.get(event.result.state, AssertValue(event.result.raw)))
        on_event(event)
    made = record_session(session, Proposer(SCRIPTED))
    return Walked(session, made.receipt, repair.EMPTY, Cost(), made.private)
