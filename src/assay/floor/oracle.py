"""Library: what pinned evidence establishes for a task: deterministic and total (docs/adr/0004).

The only place that knows the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from assay.floor.agreement import any_incompatible, witnesses
from assay.floor.answers import answer_kind
from assay.floor.computations import count_letter, count_residues
from assay.floor.decide import Agreed, Gathered, are_comparable, decide, gather
from assay.floor.derivations import Derived, derive
from assay.floor.measures import Measured, Span, around, first_undecided, inside, measure, order, span, task_k
from assay.floor.points import does_not_fit, exact_point, point_of, state_of
from assay.floor.readings import EXACT, Reading, kernel_unit
from assay.floor.selection import Missing, locate
from assay.floor.settle import spell
from assay.floor.sides import check_sides
from assay.floor.store import Snapshot
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.floor.trail import EvidenceSlice, RecordingSnapshot, SliceSnapshot, Step, Trail
from assay.kernel.canonical import canonical
from assay.kernel.denotation import SEPARATOR
from assay.kernel.kinds import MAX_DIGITS, IntegerKind, IntervalKind, Kind, QuantityKind, Unit
from assay.kernel.states import Determined, EpistemicState, Insufficient, NoEntity
from assay.kernel.values import Value

MAX_ANSWER_BYTES: Final = 4096
_TOO_LONG: Final = 10**MAX_DIGITS  # no proposal holds it


@dataclass(frozen=True, slots=True, repr=False)
class Established:
    """The state of a task, and its proof: every row that was looked up and every rule that was applied.

    INVARIANT: never shown to a proposer; `repr` tells the task's class only.
    """

    task: Task
    kind: Kind
    state: EpistemicState
    steps: tuple[Step, ...]
    evidence: EvidenceSlice

    def __repr__(self) -> str:
        return f"Established({self.task.task_class}, <hidden>)"

    @property
    def reason(self) -> str:
        """Why there is no value; empty for VALUE."""
        return "" if isinstance(self.state, Determined) else self.state.reason


def establish(snapshot: Snapshot, task: Task) -> Established:
    """The state that the snapshot's evidence gives to the task.

    Equal snapshot digests and tasks give equal results; nothing else is read.

    Raises:
        InvalidTask: the task cannot be asked of this pack, or its answer would not fit in a proposal.
    """
    recorder, trail = RecordingSnapshot(snapshot), Trail()
    check_sides(recorder, task)
    kind = answer_kind(recorder, task)
    state = _CLASSES[task.task_class](recorder, task, kind, trail)
    if isinstance(state, Determined):
        _check_fits(task, state.value)
    elif not trail.steps:
        trail.note(task.task_class, state.reason)
    return Established(task, kind, state, tuple(trail.steps), recorder.slice)


def re_establish(established: Established) -> EpistemicState:
    """The state recomputed from the derivation alone, without the pack."""
    return establish(SliceSnapshot(established.evidence), established.task).state


def _check_fits(task: Task, value: Value) -> None:
    raw = spell(value, task.unit)
    if raw is None or len(canonical({"state": "VALUE", "value": raw})) > MAX_ANSWER_BYTES:
        raise does_not_fit()


def _unit(snapshot: Snapshot, task: Task) -> Unit:
    """The unit in which an interval is answered."""
    row = snapshot.unit(task.unit) if task.unit else None
    return kernel_unit(row) if row is not None else Unit()


def _dimension(snapshot: Snapshot, name: str) -> str:
    row = snapshot.unit(name) if name else None
    return row.dimension if row is not None else ""


def _fits(snapshot: Snapshot, task: Task, kind: Kind, dimension: str) -> bool:
    """Whether a number of that dimension can be answered in the kind."""
    if isinstance(kind, QuantityKind):
        return _dimension(snapshot, kind.units[0][0]) == dimension
    return not isinstance(kind, IntervalKind) or _dimension(snapshot, task.unit) == dimension


def _value(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    assert isinstance(task.subject, Selector)
    unit = _unit(snapshot, task)
    named = _dimension(snapshot, task.unit)
    decision = decide(snapshot, task.subject, point_of(kind, unit), trail, unit_kind=named)
    if isinstance(decision, Agreed) and not _fits(snapshot, task, kind, decision.readings[0].dimension):
        return Insufficient("different_dimensions")
    return state_of(kind, decision, unit)


def _identify(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    assert isinstance(task.subject, Selector)
    spec = snapshot.property_spec(task.property) if task.property else None
    if spec is not None and spec.cardinality == "many":
        return _only_member(snapshot, task.subject, kind, trail)
    if task.property:
        return _value(snapshot, task, kind, trail)
    found = locate(snapshot, task.subject)
    if isinstance(found, Missing):
        trail.note("resolve", found.reason)
        return NoEntity(found.reason) if found.no_entity else Insufficient(found.reason)
    trail.note("resolve", f"`{found}`")
    return Determined(Value(kind, found))


def _only_member(snapshot: Snapshot, subject: Selector, kind: Kind, trail: Trail) -> EpistemicState:
    """An identification asks for one identifier: a set of several does not give it."""
    decision = decide(snapshot, subject, exact_point, trail)
    if not isinstance(decision, Agreed):
        return decision
    members = _members(decision)
    if len(members) != 1:
        trail.note("identify", f"{len(members)} members, one is needed")
        return Insufficient("not_unique")
    return Determined(Value(kind, members[0]))


def _members(decision: Agreed) -> list[str]:
    return [member for member in decision.readings[0].text.split(SEPARATOR) if member]


def _compare(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    assert isinstance(task.subject, (Selector, Given)) and isinstance(task.other, (Selector, Given))
    one, two = measure(snapshot, task.subject, trail), measure(snapshot, task.other, trail)
    missing = first_undecided(one, two)
    if missing is not None:
        return missing
    assert isinstance(one, Measured) and isinstance(two, Measured)
    found = order(task, one, two)
    if isinstance(found, Insufficient):
        trail.note(f"separate at k={task.k}", found.reason)
        return found
    trail.note("central" if task.central else f"separate at k={task.k}", "decided")
    text = found if not task.relation else ("true" if found == task.relation else "false")
    return Determined(Value(kind, text))


def _within(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    assert isinstance(task.subject, (Selector, Given)) and isinstance(task.other, (Selector, GivenInterval, Around))
    item, bounds = measure(snapshot, task.subject, trail), span(snapshot, task.other, trail)
    missing = first_undecided(item, bounds)
    if missing is not None:
        return missing
    assert isinstance(item, Measured) and not isinstance(bounds, (Insufficient, NoEntity))
    found = inside(task, item, bounds)  # type: ignore[arg-type]
    if isinstance(found, Insufficient):
        trail.note(f"separate at k={task.k}", found.reason)
        return found
    trail.note("central" if task.central else f"separate at k={task.k}", "decided")
    return Determined(Value(kind, "true" if found else "false"))


def _interval(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    if isinstance(task.subject, Selector):
        return _value(snapshot, task, kind, trail)
    assert isinstance(task.subject, Around)
    found = around(snapshot, task.subject, trail, task.unit)
    missing = first_undecided(found)
    if missing is not None:
        return missing
    assert isinstance(found, Span)
    if not _fits(snapshot, task, kind, found.dimension):
        return Insufficient("different_dimensions")
    reading = Reading((), "", ends=(found.low, found.high), bounds="[]")
    return state_of(kind, Agreed((reading,)), _unit(snapshot, task))


def _convert(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    if not isinstance(task.subject, Given):
        return _value(snapshot, task, kind, trail)
    side = measure(snapshot, task.subject, trail)
    assert isinstance(side, Measured)
    trail.note("convert", f"to `{task.unit}`, exactly")
    return state_of(kind, Agreed((Reading((), "", number=side.number, spread=EXACT),)), _unit(snapshot, task))


def _count(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    assert isinstance(task.subject, Selector)
    subject, spec = task.subject, snapshot.property_spec(task.property)
    if spec is not None and spec.kind == "polymer":
        compute = count_letter(subject.argument) if subject.argument else count_residues
        whole = replace(subject, argument="")
        return state_of(kind, decide(snapshot, whole, exact_point, trail, (spec.property, compute)), Unit())
    decision = decide(snapshot, subject, exact_point, trail)
    if not isinstance(decision, Agreed):
        return decision
    members = _members(decision)
    trail.note("count", f"{len(members)} members")
    return Determined(Value(kind, str(len(members))))


def _derive(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    found = derive(snapshot, task, trail)
    unit = _unit(snapshot, task)
    if not isinstance(found, Derived):
        return state_of(kind, found, unit)
    if found.text:
        return Determined(Value(kind, found.text))
    assert found.number is not None
    if not _fits(snapshot, task, kind, found.dimension):
        return Insufficient("different_dimensions")
    if isinstance(kind, IntegerKind) and found.number[1] != 1:
        return Insufficient("not_whole")
    whole = found.number[0]
    text = str(whole) if isinstance(kind, IntegerKind) and abs(whole) < _TOO_LONG else ""
    return state_of(kind, Agreed((Reading((), "", text=text, number=found.number),)), unit)


def _agree(snapshot: Snapshot, task: Task, kind: Kind, trail: Trail) -> EpistemicState:
    assert isinstance(task.subject, Selector)
    gathered = gather(snapshot, task.subject, trail)
    if not isinstance(gathered, Gathered):
        return gathered
    if not are_comparable(snapshot, gathered):
        return Insufficient("incomplete_sets")
    found = witnesses(snapshot, gathered.readings)
    # Disagreement first: a copy lowers the count of witnesses, it never removes a disagreement (docs/adr/0004).
    if any_incompatible(gathered.readings, task_k(task.k)):
        word = "disagree"
    else:
        word = "agree" if len(found) > 1 else "one_source"
    trail.note(f"agreement at k={task.k}", f"{len(found)} independent witnesses")
    return Determined(Value(kind, word))


_CLASSES: Final[dict[str, Callable[[Snapshot, Task, Kind, Trail], EpistemicState]]] = {
    "value": _value,
    "category": _value,
    "compare": _compare,
    "within": _within,
    "interval": _interval,
    "identify": _identify,
    "convert": _convert,
    "count": _count,
    "derive": _derive,
    "agree": _agree,
}
