"""Library: evidence values put on the task's grid, and values spelled as a proposal would (docs/adr/0003).

Only the established value is ever rounded; verify never rounds a proposal.
"""

from __future__ import annotations

from assay.kernel import numbers
from assay.kernel.denotation import SEPARATOR, denote
from assay.kernel.kinds import (
    BooleanKind,
    DecimalKind,
    IntegerKind,
    IntervalKind,
    Kind,
    QuantityKind,
    SetKind,
    Unit,
)
from assay.kernel.numbers import Ratio
from assay.kernel.values import Value
from assay.kernel.verdict import Reject

# Plain notation reads better than an exponent within these powers of ten.
_PLAIN_FROM, _PLAIN_TO = -7, 21


def settle(kind: Kind, raw: object) -> Value | Reject:
    """The established value of a raw spelling, put on the kind's grid (ties to even on the exact ratio).

    Source: spec/verification.md §3, Grid, and §6.
    """
    text = denote(_off_grid(kind), raw)
    if not isinstance(text, str):
        return text
    match kind:
        case DecimalKind() if kind.grid is not None:
            return decimal_value(kind, _ratio(text)) or Value(kind, text)
        case QuantityKind() if kind.grid is not None:
            base, _, spread = text.partition(";")
            return quantity_value(kind, numbers.parse_ratio(base), numbers.parse_ratio(spread) if spread else None)
        case SetKind(of) if isinstance(of, DecimalKind) and of.grid is not None:
            members = {_settled(of, member) for member in text.split(SEPARATOR)[:-1]}
            return Value(kind, SEPARATOR.join([*sorted(members), ""]))
        case IntervalKind(of) if isinstance(of, DecimalKind) and of.grid is not None:
            low, _, high = text[1:-1].partition(",")
            ends = [_settled(of, end) if end else None for end in (low, high)]
            found = denote(kind, interval_raw(ends, closed=(text[0] == "[", text[-1] == "]")))
            return Value(kind, found) if isinstance(found, str) else found
        case _:
            return Value(kind, text)


def interval_raw(ends: list[str | None], *, closed: tuple[bool, bool]) -> dict[str, object]:
    """The raw form of an interval; an unbounded side is open."""
    return {
        "lo": ends[0],
        "hi": ends[1],
        "lo_closed": closed[0] and ends[0] is not None,
        "hi_closed": closed[1] and ends[1] is not None,
    }


def decimal_value(kind: DecimalKind, number: Ratio) -> Value | None:
    """The number on the grid; None where it is not on a grid and has no finite expansion."""
    text = numbers.decimal_text(numbers.round_to(kind.grid, number))
    return None if text is None else Value(kind, text)


def quantity_value(kind: QuantityKind, base: Ratio, spread: Ratio | None) -> Value:
    """The number (in the base unit) on the grid of the kind's grid unit, with its standard uncertainty."""
    unit = kind.unit(kind.grid_unit) if kind.grid is not None else None
    if unit is not None:
        base = numbers.to_base(numbers.round_to(kind.grid, numbers.from_base(base, unit)), unit)
    base = numbers.reduce(*base)
    text = f"{base[0]}/{base[1]}"
    if spread is not None:
        spread = numbers.reduce(*spread)
        text += f";{spread[0]}/{spread[1]}"
    return Value(kind, text)


def spell(value: Value, unit: str = "") -> object | None:
    """A raw JSON value that a proposer could send for this value, plainly written; None where the bounds admit none.

    A quantity is spelled in `unit` if that gives a finite expansion, else in the first unit that does.
    """
    kind, text = value.kind, value.text
    raw: object | None = text
    match kind:
        case BooleanKind():
            raw = text == "true"
        case DecimalKind():
            raw = plain(text)
        case SetKind(of):
            members = text.split(SEPARATOR)[:-1]
            raw = [spell(Value(of, member)) for member in members]
        case IntervalKind(of):
            low, _, high = text[1:-1].partition(",")
            ends = [_end(of, end) if end else None for end in (low, high)]
            raw = interval_raw(ends, closed=(text[0] == "[", text[-1] == "]"))
        case QuantityKind():
            raw = _spell_quantity(kind, text, unit)
        case _:
            pass
    return raw if raw is not None and denote(kind, raw) == text else None


def plain(text: str) -> str:
    """A canonical decimal in plain or scientific notation, whichever reads better; the same number."""
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits, _, power = digits.partition("e")
    exponent = int(power or "0")
    magnitude = len(digits) + exponent  # digits before the point
    if exponent == 0:
        return sign + digits
    if exponent > 0 and magnitude <= _PLAIN_TO:
        return sign + digits + "0" * exponent
    if exponent < 0 and magnitude > 0:
        return f"{sign}{digits[:magnitude]}.{digits[magnitude:]}"
    if _PLAIN_FROM < magnitude <= 0 and exponent < 0:
        return f"{sign}0.{'0' * -magnitude}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{magnitude - 1}"


def _off_grid(kind: Kind) -> Kind:
    """The same kind without its grid: any number denotes."""
    match kind:
        case DecimalKind():
            return DecimalKind()
        case QuantityKind():
            return QuantityKind(kind.units, uncertainty=kind.uncertainty)
        case SetKind(of) if isinstance(of, DecimalKind):
            return SetKind(DecimalKind())
        case IntervalKind(of) if isinstance(of, DecimalKind):
            return IntervalKind(DecimalKind())
        case _:
            return kind


def _settled(of: DecimalKind, text: str) -> str:
    value = decimal_value(of, _ratio(text))
    return text if value is None else value.text


def _ratio(text: str) -> Ratio:
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    digits, _, power = digits.partition("e")
    return numbers.ratio((sign, digits, int(power or "0")))


def _end(of: IntegerKind | DecimalKind, text: str) -> str:
    return plain(text) if isinstance(of, DecimalKind) else text


def _spell_quantity(kind: QuantityKind, text: str, unit: str) -> object | None:
    base, _, spread = text.partition(";")
    for name, known in sorted(kind.units, key=lambda pair: pair[0] != unit):
        n = numbers.decimal_text(numbers.from_base(numbers.parse_ratio(base), known))
        u = numbers.decimal_text(_by_factor(numbers.parse_ratio(spread), known)) if spread else ""
        if n is None or u is None:
            continue
        raw: dict[str, object] = {"n": plain(n), "unit": name}
        if spread:
            raw["u"] = plain(u)
        if denote(kind, raw) == text:
            return raw
    return None


def _by_factor(number: Ratio, unit: Unit) -> Ratio:
    return numbers.reduce(number[0] * unit.factor[1], number[1] * unit.factor[0])
