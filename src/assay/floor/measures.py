"""Library: comparing two numbers, or a number with an interval (docs/adr/0004, docs/reference/tasks.md).

Measured numbers decide beyond k sigma, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.floor.agreement import exceeds
from assay.floor.decide import Agreed, Undecided, are_complete, decide
from assay.floor.points import exact_point
from assay.floor.ratios import less, minus, plus, times
from assay.floor.readings import EXACT, ZERO, Reading, Spread, exact_ratio, kernel_unit
from assay.floor.store import Snapshot
from assay.floor.task import Around, Given, GivenInterval, Range, Side, Task
from assay.floor.trail import Trail
from assay.kernel.errors import InvalidPack, InvalidTask
from assay.kernel.numbers import Ratio, to_base
from assay.kernel.states import Conflict, Insufficient, NoEntity


@dataclass(frozen=True, slots=True)
class Measured:
    """One side of a comparison: a number with its spread in the base unit, or a text (a sequence, a word)."""

    number: Ratio | None
    spread: Spread
    dimension: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """An interval in the base unit; None is unbounded."""

    low: Ratio | None
    high: Ratio | None
    low_closed: bool
    high_closed: bool
    dimension: str


def first_undecided(*states: object) -> Undecided | None:
    """Over several inputs: NO_ENTITY before INSUFFICIENT before CONFLICT; None where all are decided."""
    for kind in (NoEntity, Insufficient, Conflict):
        for state in states:
            if isinstance(state, kind):
                return state
    return None


def measure(snapshot: Snapshot, side: Side, trail: Trail, unit_kind: str = "") -> Measured | Undecided:
    """The one number (or text) of a side, in the dimension of the unit that the task names, if it names one."""
    if isinstance(side, Given):
        number, dimension = _given(snapshot, side.n, side.unit)
        return Measured(number, EXACT, dimension)
    decision = decide(snapshot, side, exact_point, trail, unit_kind=unit_kind)
    if not isinstance(decision, Agreed):
        return decision
    spec = snapshot.property_spec(side.property)
    if spec is not None and spec.cardinality == "many" and not are_complete(snapshot, decision.readings):
        return Insufficient("incomplete_sets")
    first = decision.readings[0]
    if first.ends is not None and first.number is None:
        raise InvalidTask("task.sides", "a side of a comparison is a number or a text, not an interval")
    return Measured(first.number, merged_spread(decision.readings), first.dimension, first.text)


def merged_spread(readings: Iterable[Reading]) -> Spread:
    """The widest stated spread of readings with one number; whole numbers are exact."""
    ups: list[Ratio] = []
    downs: list[Ratio] = []
    half = ZERO
    for reading in readings:
        spread = reading.spread
        if spread.up is not None and spread.down is not None:
            ups.append(spread.up)
            downs.append(spread.down)
        half = spread.half if less(half, spread.half) else half
    if not ups:
        return Spread(None, None, half)
    return Spread(_greatest(ups), _greatest(downs), half)


def order(task: Task, one: Measured, two: Measured) -> str | Insufficient:
    """`less`, `equal` or `greater`; INSUFFICIENT where measured values are not separated beyond k sigma."""
    if one.number is None or two.number is None:
        if task.relation != "equal" or one.number is not two.number:
            raise InvalidTask("task.relation", "texts have no order; ask them with the relation `equal`")
        return "equal" if one.text == two.text else "less"
    if one.dimension != two.dimension:
        return Insufficient("different_dimensions")
    relation = "less" if less(one.number, two.number) else "greater" if less(two.number, one.number) else "equal"
    if task.central:
        return relation
    (low, high) = (two, one) if relation == "greater" else (one, two)
    assert low.number is not None and high.number is not None
    gap = minus(high.number, low.number)
    k = task_k(task.k)
    if exceeds(gap, (low.spread.up, low.spread.half), (high.spread.down, high.spread.half), k):
        return relation
    if relation == "equal" and low.spread == EXACT and high.spread == EXACT:
        return relation
    return Insufficient("not_separated")


def span(snapshot: Snapshot, asked: Range, trail: Trail) -> Span | Undecided:
    """The interval that a task names: given, stated by an interval property, or k·u around a value."""
    if isinstance(asked, GivenInterval):
        low, dimension = _given(snapshot, asked.lo, asked.unit) if asked.lo is not None else (None, "")
        high, other = _given(snapshot, asked.hi, asked.unit) if asked.hi is not None else (None, "")
        _unit_dimension(snapshot, asked.unit)
        if low is not None and high is not None and less(high, low):
            raise InvalidTask("task.given", "the given interval has no member; its lower bound is above the upper one")
        return Span(low, high, asked.lo_closed, asked.hi_closed, dimension or other)
    if isinstance(asked, Around):
        return around(snapshot, asked, trail)
    decision = decide(snapshot, asked, exact_point, trail)
    if not isinstance(decision, Agreed):
        return decision
    first = decision.readings[0]
    if first.ends is None:
        raise InvalidTask(
            "task.sides", "the second side of `within` is an interval property, a given interval or `around`"
        )
    bounds = first.bounds or "[]"
    return Span(first.ends[0], first.ends[1], bounds[0] == "[", bounds[1] == "]", first.dimension)


def around(snapshot: Snapshot, asked: Around, trail: Trail, unit: str = "") -> Span | Undecided:
    """[v − k·u, v + k·u], closed; `unit` is the one that the task names."""
    side = measure(snapshot, asked.of, trail, _unit_dimension(snapshot, unit))
    if not isinstance(side, Measured):
        return side
    if side.number is None or side.spread.up is None or side.spread.down is None:
        return Insufficient("no_uncertainty")
    k = task_k(asked.k)
    trail.note(f"around at k={asked.k}", "value ± k·u, closed")
    low, high = minus(side.number, times(k, side.spread.down)), plus(side.number, times(k, side.spread.up))
    return Span(low, high, True, True, side.dimension)


def inside(task: Task, item: Measured, bounds: Span) -> bool | Insufficient:
    """Whether the item lies in the interval; INSUFFICIENT where its spread reaches over a bound."""
    if item.number is None:
        raise InvalidTask("task.sides", "`within` asks about a number")
    if (bounds.low is not None or bounds.high is not None) and item.dimension != bounds.dimension:
        return Insufficient("different_dimensions")
    if task.central:
        return _holds(item.number, item.number, bounds)
    k, spread = task_k(task.k), item.spread
    down = times(k, spread.down) if spread.down is not None else spread.half
    up = times(k, spread.up) if spread.up is not None else spread.half
    least, most = minus(item.number, down), plus(item.number, up)
    if _holds(least, most, bounds):
        return True
    if _beyond(least, most, bounds):
        return False
    return Insufficient("not_separated")


def task_k(text: str) -> Ratio:
    """The factor k of a task, a decimal ≥ 0."""
    try:
        k = exact_ratio(text)
    except InvalidPack:
        raise InvalidTask("task.k", 'k is not a decimal; write it as text, for example "2"') from None
    if k[0] < 0:
        raise InvalidTask("task.k", "k is below zero")
    return k


def _holds(least: Ratio, most: Ratio, bounds: Span) -> bool:
    above = bounds.low is None or less(bounds.low, least) or (bounds.low_closed and not less(least, bounds.low))
    below = bounds.high is None or less(most, bounds.high) or (bounds.high_closed and not less(bounds.high, most))
    return above and below


def _beyond(least: Ratio, most: Ratio, bounds: Span) -> bool:
    if bounds.low is not None and (less(most, bounds.low) or (not bounds.low_closed and not less(bounds.low, most))):
        return True
    return bounds.high is not None and (
        less(bounds.high, least) or (not bounds.high_closed and not less(least, bounds.high))
    )


def _given(snapshot: Snapshot, text: str, unit: str) -> tuple[Ratio, str]:
    try:
        number = exact_ratio(text)
    except InvalidPack:
        raise InvalidTask("task.given", "a given number is not a decimal") from None
    if not unit:
        return number, ""
    dimension, row = _unit_dimension(snapshot, unit), snapshot.unit(unit)
    assert row is not None
    return to_base(number, kernel_unit(row)), dimension


def _unit_dimension(snapshot: Snapshot, unit: str) -> str:
    if not unit:
        return ""
    row = snapshot.unit(unit)
    if row is None:
        raise InvalidTask("task.unit", "a given unit is not one that the pack declares; see `assay pack show`")
    return row.dimension


def _greatest(numbers: list[Ratio]) -> Ratio:
    best = numbers[0]
    for number in numbers[1:]:
        best = number if less(best, number) else best
    return best
