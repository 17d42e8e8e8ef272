"""Library: the operations, as plain functions in one literal table (spec/card.md §3; docs/adr/0017).

Every operation but one is a question of a kind, and asks the oracle: so none can differ from the state it stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from assay.floor.offers import SourcesOf
from assay.floor.oracle import establish
from assay.floor.settle import spell
from assay.floor.shape import shape_of
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.floor.trail import EvidenceSlice, RecordingSnapshot, Step
from assay.kernel.errors import Fault, InvalidTask
from assay.kernel.kinds import Kind
from assay.kernel.states import Conflict, Determined, EpistemicState, Insufficient, NoEntity

NOT_SHOWN: Final = "NOT_SHOWN"


@dataclass(frozen=True, slots=True, repr=False)
class Finding:
    """What came of a question: a state in the words of a proposal, and its proof. `repr` hides it."""

    state: str
    kind: Kind | None = None
    raw: object | None = None
    reason: str = ""
    steps: tuple[Step, ...] = ()
    evidence: EvidenceSlice | None = None

    def __repr__(self) -> str:
        return "Finding(<hidden>)"


Question = Task | SourcesOf
Operation = Callable[[Snapshot, Task, Question], Finding]


def ask(snapshot: Snapshot, task: Task, question: Question) -> Finding:
    """The state of the question that the call stands for, spelled as a proposal could spell it."""
    if not isinstance(question, Task):
        raise Fault("fault.operation", "an operation that asks the oracle was given no task; this is a bug here")
    try:
        found = establish(snapshot, question)
    except InvalidTask as refusal:
        if question == task:
            raise
        # A side may have no spelling within the bounds of a proposal, though the comparison has one.
        return Finding(NOT_SHOWN, reason=refusal.code)
    raw = spell(found.state.value, question.unit) if isinstance(found.state, Determined) else None
    return Finding(word_of(found.state), found.kind, raw, found.reason, found.steps, found.evidence)


def list_sources(snapshot: Snapshot, task: Task, question: Question) -> Finding:
    """The names of the sources that have rows of a side's property; what they say is not looked at."""
    if not isinstance(question, SourcesOf):
        raise Fault("fault.operation", "`list_sources` was given another question; this is a bug here")
    recorder = RecordingSnapshot(snapshot)
    names = shape_of(recorder, task).sides[question.side].sources
    return Finding("VALUE", None, list(names), steps=(Step("list", "names only"),), evidence=recorder.slice)


def word_of(state: EpistemicState) -> str:
    """The state in the word that a proposal asserts it with."""
    match state:
        case Determined():
            return "VALUE"
        case Insufficient():
            return "INSUFFICIENT_EVIDENCE"
        case Conflict():
            return "CONFLICT_NOT_RESOLVED"
        case NoEntity():
            return "NO_ENTITY"
        case _:
            assert_never(state)


# The one catalogue: what a call's name runs. Signatures: floor/signatures.py.
OPERATIONS: Final[dict[str, Operation]] = {
    "read_value": ask,
    "look_up_category": ask,
    "read_interval": ask,
    "count_residues": ask,
    "compute_mature_length": ask,
    "count_members": ask,
    "compare_values": ask,
    "check_interval": ask,
    "resolve_identifier": ask,
    "convert_unit": ask,
    "compute_mass": ask,
    "compute_composition": ask,
    "residue_at": ask,
    "difference": ask,
    "sum_members": ask,
    "largest_member": ask,
    "compare_sources": ask,
    "look_up_entity": ask,
    "list_sources": list_sources,
}
