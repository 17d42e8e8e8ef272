"""Halls: one claim as a pure state machine: submit, perform, end (spec/card.md §4; docs/adr/0005, 0018).

No model, no clock, no world. Each move gives the next session and an event; a session itself never changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

from assay.floor.cards import NOT_DERIVED, OPEN, AffordanceCard, Left, deal
from assay.floor.offers import Offer, offers, summary
from assay.floor.operations.perform import OperationResult, find, run
from assay.floor.oracle import Established, establish
from assay.floor.shape import EvidenceShape, shape_of
from assay.floor.signatures import NavigationFailure, OperationCall, is_call
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.kernel.denotation import denote
from assay.kernel.errors import Fault, InputError
from assay.kernel.kinds import Kind
from assay.kernel.states import (
    AssertValue,
    Conflict,
    Determined,
    EpistemicState,
    Insufficient,
    Malformed,
    NoEntity,
    Proposal,
)
from assay.kernel.values import Value
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.runtime.plain import Plain, plain, said_text
from assay.runtime.trace import (
    Accepted,
    Closed,
    Event,
    Outcome,
    Performed,
    Reason,
    Stopped,
    Strayed,
    Submitted,
    Trajectory,
    Unresolved,
)


@dataclass(frozen=True, slots=True)
class Policy:
    """The limits of a session, as data."""

    attempts: int = 4
    operations: int = 6
    require_derivation: bool = False

    def __post_init__(self) -> None:
        # Exact types: `True` is no number of attempts.
        for name, count, least in (("attempts", self.attempts, 1), ("operations", self.operations, 0)):
            if type(count) is not int or count < least:
                raise InputError("policy.count", f"`{name}` is not a whole number of at least {least}")
        if type(self.require_derivation) is not bool:
            raise InputError("policy.flag", "`require_derivation` is neither true nor false")


DEFAULT: Final = Policy()


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ClaimSession:
    """One task, one snapshot, one policy, and what has happened so far.

    INVARIANT: the established state is in no event, card or `repr`; only `reveal` gives it.
    """

    snapshot: Snapshot
    task: Task
    policy: Policy
    shape: EvidenceShape
    offered: tuple[Offer, ...]
    _established: Established
    events: Trajectory = ()
    outcome: Outcome | None = None
    # The denotations and abstentions that were refused. One that was refused as underived can still be earned: once an
    # operation has returned it, it is accepted before anyone looks here.
    _refused: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"ClaimSession({self.task.task_class}, {len(self.events)} events, {self.outcome!r})"

    @classmethod
    def open(cls, snapshot: Snapshot, task: Task, policy: Policy = DEFAULT) -> Self:
        """A session in which nothing has been proposed; the state is established here, once.

        Raises:
            InvalidTask: the task cannot be asked of this pack, or its answer would not fit in a proposal.
        """
        established = establish(snapshot, task)
        shape = shape_of(snapshot, task)
        return cls(snapshot, task, policy, shape, offers(task, shape), established)

    @property
    def kind(self) -> Kind:
        """The kind of the answer."""
        return self._established.kind

    @property
    def left(self) -> Left:
        """How many refusals and operations are still allowed."""
        refused = sum(isinstance(event, Submitted) and event.code != "" for event in self.events)
        performed = sum(isinstance(event, Performed) for event in self.events)
        return Left(self.policy.attempts - refused, self.policy.operations - performed)

    @property
    def card(self) -> AffordanceCard:
        """What may be done now, with the code of the last refusal."""
        codes = [event.code for event in self.events if isinstance(event, Submitted) and event.code]
        return self._card(codes[-1] if codes else OPEN, self.left)

    def reveal(self) -> Established:
        """The established state with its proof: for receipts and the owner of the evidence, never for a proposer."""
        return self._established

    def submit(self, proposal: Proposal, said: str = "") -> tuple[Self, Event]:
        """The session after a proposal, and its verdict. `said` is what the proposer wrote before it was read."""
        if self.outcome is not None:
            return self, Closed(self.outcome)
        given = plain(proposal)
        mark = self._mark(given.proposal)
        call = self._derived_by(given.proposal)
        if self.policy.require_derivation and mark and call is None:
            # Asked before verify and instead of it, so that the policy is no oracle.
            return self._refuse(given, said, NOT_DERIVED, mark)
        verdict = verify(self.kind, self._established.state, given.proposal)
        if isinstance(verdict, Accept):
            outcome = Accepted("unaided") if call is None else Accepted("derived", call)
            return self._next(Submitted(given.text, given.wire, said_text(said), "", None, outcome))
        return self._refuse(given, said, verdict.code, mark)

    def perform(self, call: OperationCall) -> tuple[Self, Event]:
        """The session after an operation, and its result.

        Raises:
            Fault: the evidence is not the one that the session was opened on, or an operation differs from the oracle.
        """
        if self.outcome is not None:
            return self, Closed(self.outcome)
        offer = find(self.offered, call)
        if offer is None:
            return self.navigation_failure("not_offered", call.text if is_call(call) else "")
        if self.left.operations <= 0:
            return self.stop("operations")
        if self.snapshot.digest != self._established.evidence.digest:
            raise Fault("fault.snapshot", "the evidence changed while the session was open; open another session")
        result = run(self.snapshot, self.task, offer)
        if offer.answers and not _is_same(_returned(self.kind, result), self._established.state):
            raise Fault("fault.operation", "an operation and the oracle differ on one task; this is a bug here")
        return self._next(Performed(result))

    def navigation_failure(self, reason: str, said: str = "") -> tuple[Self, Event]:
        """The session ended because a choice was not on the card."""
        if self.outcome is not None:
            return self, Closed(self.outcome)
        return self._next(Strayed(said_text(said), NavigationFailure(reason)))

    def stop(self, reason: Reason) -> tuple[Self, Event]:
        """The session ended by a limit of whoever drives it."""
        if self.outcome is not None:
            return self, Closed(self.outcome)
        return self._next(Stopped(Unresolved(reason)))

    def _next(self, event: Event, refused: frozenset[str] | None = None) -> tuple[Self, Event]:
        known = self._refused if refused is None else refused
        return replace(self, events=(*self.events, event), outcome=event.outcome, _refused=known), event

    def _refuse(self, given: Plain, said: str, code: str, mark: str) -> tuple[Self, Event]:
        left = Left(self.left.attempts - 1, self.left.operations)
        outcome: Outcome | None = None
        if mark and mark in self._refused:
            outcome = Unresolved("repeated")
        elif left.attempts <= 0:
            outcome = Unresolved("require_derivation" if code == NOT_DERIVED else "attempts")
        card = self._card(code, left) if outcome is None else None
        event = Submitted(given.text, given.wire, said_text(said), code, card, outcome)
        return self._next(event, self._refused | {mark})

    def _card(self, code: str, left: Left) -> AffordanceCard:
        return deal(summary(self.task), code, (offer.call for offer in self.offered), self.shape, left)

    def _mark(self, proposal: Proposal) -> str:
        """What makes two proposals the same one: state and denotation; empty for a malformed one."""
        if isinstance(proposal, AssertValue):
            text = denote(self.kind, proposal.raw)
            return f"VALUE {text}" if isinstance(text, str) else ""
        return "" if isinstance(proposal, Malformed) else type(proposal).__name__

    def _derived_by(self, proposal: Proposal) -> OperationCall | None:
        """The first operation whose result, read as a state, accepts the proposal."""
        for event in self.events:
            if isinstance(event, Performed) and event.result.answers:
                state = _returned(self.kind, event.result)
                if isinstance(verify(self.kind, state, proposal), Accept):
                    return event.result.call
        return None


def _returned(kind: Kind, result: OperationResult) -> EpistemicState:
    """The state that a result says, read from what was shown and from nothing else."""
    match result.state:
        case "INSUFFICIENT_EVIDENCE":
            return Insufficient()
        case "CONFLICT_NOT_RESOLVED":
            return Conflict()
        case "NO_ENTITY":
            return NoEntity()
        case _:
            text = denote(kind, result.raw)
            if not isinstance(text, str):
                raise Fault(
                    "fault.operation", "an operation returned a value outside the task's kind; this is a bug here"
                )
            return Determined(Value(kind, text))


def _is_same(one: EpistemicState, two: EpistemicState) -> bool:
    if isinstance(one, Determined) and isinstance(two, Determined):
        return one.value == two.value
    return type(one) is type(two)
