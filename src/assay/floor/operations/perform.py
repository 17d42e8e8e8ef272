"""Library: performing a call: found among the offers, or not performed at all (spec/card.md §3)."""

from __future__ import annotations

from dataclasses import dataclass

from assay.floor.offers import Offer, offers
from assay.floor.operations.catalogue import OPERATIONS, Finding
from assay.floor.shape import shape_of
from assay.floor.signatures import NavigationFailure, OperationCall, is_call
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.floor.trail import EvidenceSlice, Step
from assay.floor.wording import raw_text, shown
from assay.kernel.kinds import Kind

NOT_OFFERED = NavigationFailure("not_offered")


@dataclass(frozen=True, slots=True, repr=False)
class OperationResult:
    """What an operation returned: VALUE with a raw value, an abstention with its reason, or NOT_SHOWN.

    `answers` says that the call stands for the task itself. `repr` tells the call only: the value was earned by one
    proposer and is not for logs.
    """

    call: OperationCall
    state: str
    kind: Kind | None
    raw: object | None
    reason: str
    unit: str
    steps: tuple[Step, ...]
    evidence: EvidenceSlice | None
    answers: bool

    def __repr__(self) -> str:
        return f"OperationResult({self.call.text}, <hidden>)"

    @property
    def text(self) -> str:
        """The result in one plain line."""
        if self.state == "VALUE":
            return raw_text(self.raw)
        return f"{self.state} ({shown(self.reason)})" if self.reason else self.state


def perform(snapshot: Snapshot, task: Task, call: OperationCall) -> OperationResult | NavigationFailure:
    """The result of a call that the task's card offers; any other call is a navigation failure and nothing is done.

    Raises:
        InvalidTask: the task itself cannot be asked of this snapshot.
    """
    found = find(offers(task, shape_of(snapshot, task)), call)
    return run(snapshot, task, found) if found is not None else NOT_OFFERED


def find(offered: tuple[Offer, ...], call: OperationCall) -> Offer | None:
    """The offer of exactly this call; None where there is none, or where it is not made of plain texts."""
    if not is_call(call):
        return None
    return next((offer for offer in offered if offer.call == call), None)


def run(snapshot: Snapshot, task: Task, offer: Offer) -> OperationResult:
    """The result of an offer that was made for this task."""
    found: Finding = OPERATIONS[offer.call.name](snapshot, task, offer.asks)
    unit = offer.asks.unit if isinstance(offer.asks, Task) else ""
    return OperationResult(
        offer.call, found.state, found.kind, found.raw, found.reason, unit, found.steps, found.evidence, offer.answers
    )
