"""Library: from an agreed reading to a value of the task's kind, on the task's grid (docs/adr/0003)."""

from __future__ import annotations

from assay.floor.decide import Agreed, Decision, Point
from assay.floor.ratios import minus, plus
from assay.floor.readings import Reading
from assay.floor.settle import decimal_value, quantity_value, settle
from assay.kernel.denotation import SEPARATOR, denote
from assay.kernel.errors import InvalidTask
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    IdentifierKind,
    IntegerKind,
    IntervalKind,
    Kind,
    QuantityKind,
    SetKind,
    Unit,
)
from assay.kernel.numbers import Ratio, from_base
from assay.kernel.states import Determined, EpistemicState, Insufficient
from assay.kernel.values import Value

# Below a half-open end by less than any grid can tell: grids have at most 100 places, evidence at most 500.
_HAIR = 10**1000
_MAX_BITS = 4096  # a longer number has no spelling that a proposal could hold


def exact_point(reading: Reading) -> str | None:
    """The reading itself as its point, where the task names no grid."""
    if reading.number is not None and not reading.truncated:
        # Hexadecimal: a sum may have more digits than the interpreter writes in decimal.
        return f"{reading.number[0]:x}/{reading.number[1]:x}"
    return None if reading.truncated else f"{reading.text}{reading.ends}{reading.bounds}"


def point_of(kind: Kind, unit: Unit) -> Point:
    """The function from a reading to its canonical text in `kind`."""

    def point(reading: Reading) -> str | None:
        value = value_of(kind, reading, unit)
        if value is None:
            # A value that cannot be spelled is a value all the same; only a cut-off one has no point.
            return exact_point(reading)
        return value.text

    return point


def value_of(kind: Kind, reading: Reading, unit: Unit) -> Value | None:
    """The reading as a value on the grid; None where a truncated decimal meets several grid points.

    `unit` is the unit in which an interval's bounds are answered.
    """
    if isinstance(kind, (DecimalKind, QuantityKind)):
        if not reading.truncated:
            return _number(kind, reading.number)
        assert reading.ends is not None
        low, high = reading.ends
        if kind.grid is None or low is None or high is None:
            return None
        # An open end belongs to no number that was cut off so.
        least = low if reading.bounds[0] == "[" else minus(high, _less_than_all(low, high))
        most = high if reading.bounds[1] == "]" else plus(low, _less_than_all(low, high))
        first, last = _number(kind, least), _number(kind, most)
        return first if first == last else None
    if isinstance(kind, IntervalKind):
        return _interval(kind, reading, unit)
    raw: object = reading.text
    if isinstance(kind, BooleanKind):
        raw = {"true": True, "false": False}.get(reading.text)
    elif isinstance(kind, SetKind):
        value = settle(kind, _members(kind, reading.text))
        return value if isinstance(value, Value) else None
    elif not isinstance(kind, (IntegerKind, CategoryKind, IdentifierKind, DateKind)):
        return None
    text = denote(kind, raw)
    return Value(kind, text) if isinstance(text, str) else None


def state_of(kind: Kind, decision: Decision, unit: Unit) -> EpistemicState:
    """The established state of an agreed decision, with its uncertainty where the kind asks for it."""
    if not isinstance(decision, Agreed):
        return decision
    value = value_of(kind, decision.readings[0], unit)
    if value is None and decision.readings[0].truncated:
        return Insufficient("truncated")
    if value is None:
        raise does_not_fit()
    if isinstance(kind, QuantityKind) and kind.uncertainty:
        return _with_uncertainty(kind, decision.readings)
    return Determined(value)


def _with_uncertainty(kind: QuantityKind, readings: tuple[Reading, ...]) -> EpistemicState:
    spreads = {(reading.spread.up, reading.spread.down) for reading in readings}
    if len(spreads) != 1:
        return Insufficient("uncertainty_differs")
    up, down = next(iter(spreads))
    if up is None:
        return Insufficient("no_uncertainty")
    if up != down:
        return Insufficient("asymmetric_uncertainty")
    number = readings[0].number
    assert number is not None
    return Determined(quantity_value(kind, number, up))


def _number(kind: DecimalKind | QuantityKind, number: Ratio | None) -> Value | None:
    if number is None or (kind.grid is None and max(map(int.bit_length, number)) > _MAX_BITS):
        return None
    if isinstance(kind, DecimalKind):
        return decimal_value(kind, number)
    # The point of a value is its number; whether the uncertainties agree is asked afterwards.
    return quantity_value(QuantityKind(kind.units, kind.grid, kind.grid_unit), number, None)


def does_not_fit() -> InvalidTask:
    """The refusal of a task whose answer no proposal could hold."""
    return InvalidTask(
        "task.answer_does_not_fit",
        "the answer has no spelling within the bounds of a proposal; name a grid or another unit",
    )


def _less_than_all(low: Ratio, high: Ratio) -> Ratio:
    """The width of the interval less a hair."""
    width = minus(high, low)
    return width[0] * (_HAIR - 1), width[1] * _HAIR


def _interval(kind: IntervalKind, reading: Reading, unit: Unit) -> Value | None:
    if reading.ends is None:
        return None
    ends: list[str | None] = []
    for end in reading.ends:
        if end is None:
            ends.append(None)
            continue
        inner = kind.of if isinstance(kind.of, DecimalKind) else DecimalKind()
        value = decimal_value(inner, from_base(end, unit))
        if value is None:
            return None
        ends.append(value.text)
    if isinstance(kind.of, IntegerKind) and any(end is not None and not end.lstrip("-").isdigit() for end in ends):
        ends = [None if end is None else _plain_integer(end) for end in ends]
    closed = reading.bounds or "[]"
    raw = {
        "lo": ends[0],
        "hi": ends[1],
        "lo_closed": closed[0] == "[" and ends[0] is not None,
        "hi_closed": closed[1] == "]" and ends[1] is not None,
    }
    text = denote(kind, raw)
    return Value(kind, text) if isinstance(text, str) else None


def _plain_integer(text: str) -> str:
    # Canonical decimals write 1200 as 12e2; the integer grammar has no exponent.
    mantissa, _, power = text.partition("e")
    return mantissa + "0" * int(power or "0")


def _members(kind: SetKind, text: str) -> list[object]:
    members: list[object] = [member for member in text.split(SEPARATOR) if member]
    if isinstance(kind.of, BooleanKind):
        return [member == "true" for member in members]
    return members
