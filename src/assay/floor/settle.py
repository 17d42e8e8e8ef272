"""Library: evidence values put on the task's grid, and values spelled as a proposal would (docs/adr/0003).

Only the established value is ever rounded; verify never rounds a proposal.
"""

from __future__ import annotations

import json
from typing import Final

from assay.kernel import numbers
from assay.kernel.denotation import SEPARATOR, denote
from assay.kernel.kinds import (
    MAX_DIGITS,
    MAX_EXPONENT,
    BooleanKind,
    DecimalKind,
    Grid,
    IntegerKind,
    IntervalKind,
    Kind,
    PolymerKind,
    QuantityKind,
    ScalarKind,
    SetKind,
)
from assay.kernel.numbers import Ratio
from assay.kernel.values import Value
from assay.kernel.verdict import Reject

_MAX_BYTES: Final = 4096  # of a proposal, spec/verification.md §2
# Plain notation reads better than an exponent within these powers of ten.
_PLAIN_FROM, _PLAIN_TO = -7, 21


def settle(kind: Kind, raw: object) -> Value | Reject:
    """The established value of a raw spelling, put on the kind's grid (ties to even on the exact ratio).

    Source: spec/verification.md §3, Grid, and §6.
    """
    text = denote(_off_grid(kind), raw)
    if isinstance(text, Reject):
        return text
    match kind:
        case DecimalKind():
            return Value(kind, _settled(kind, text))
        case QuantityKind():
            base, _, spread = text.partition(";")
            return quantity_value(kind, _base(base), _base(spread) if spread else None)
        case SetKind(of) if isinstance(of, DecimalKind):
            members = {_settled(of, member) for member in text.split(SEPARATOR)[:-1]}
            return Value(kind, SEPARATOR.join([*sorted(members), ""]))
        case IntervalKind(of) if isinstance(of, DecimalKind):
            low, high = ((_settled(of, end) if end else None) for end in text[1:-1].split(","))
            found = denote(kind, _interval(low, high, text))
            return found if isinstance(found, Reject) else Value(kind, found)
        case _:
            return Value(kind, text)


def decimal_value(kind: DecimalKind, number: Ratio) -> Value | None:
    """The number on the grid; None where it is not on a grid and has no finite expansion."""
    text = _decimal_text(_rounded(kind.grid, number))
    return None if text is None else Value(kind, text)


def quantity_value(kind: QuantityKind, base: Ratio, spread: Ratio | None) -> Value:
    """The number (in the base unit) on the grid of the kind's grid unit, with its standard uncertainty."""
    unit = kind.unit(kind.grid_unit)
    if unit is not None:
        base = numbers.to_base(_rounded(kind.grid, numbers.from_base(base, unit)), unit)
    text = "{}/{}".format(*numbers.reduce(*base))
    return Value(kind, text if spread is None else "{};{}/{}".format(text, *numbers.reduce(*spread)))


def spell(value: Value, unit: str = "") -> object | None:
    """A raw JSON value that a proposer could send for this value, plainly written; None where the bounds admit none.

    A quantity is spelled in `unit` if that gives a finite expansion in the bounds, else in the first unit that does.
    """
    kind, text = value.kind, value.text
    candidates: list[object]
    match kind:
        case SetKind(of):
            members = text.split(SEPARATOR)[:-1]
            candidates = [[_scalar(of, member) for member in members], [_shortest(of, member) for member in members]]
        case IntervalKind(of):
            low, high = text[1:-1].split(",")
            candidates = [_interval(_scalar(of, low), _scalar(of, high), text), _opened(low, high, text)]
        case QuantityKind():
            units = sorted(kind.units, key=lambda named: named[0] != unit)
            candidates = [_in_unit(kind, text, name) for name, _ in units]
        case PolymerKind():
            return None
        case _:
            candidates = [_scalar(kind, text)]
    return next((raw for raw in candidates if denote(kind, raw) == text and _fits(raw)), None)


def _rounded(grid: Grid, number: Ratio) -> Ratio:
    """The nearest point of the grid to the exact ratio, ties to even."""
    num, den = number
    if grid is None or num == 0:
        return numbers.reduce(num, den)
    places = numbers.places(grid, number)
    up, down = 10 ** max(places, 0), 10 ** max(-places, 0)
    quotient, rest = divmod(num * up, den * down)
    twice = 2 * rest
    quotient += twice > den * down or (twice == den * down and quotient % 2 == 1)
    return numbers.reduce(quotient * down, up)


def _decimal_text(number: Ratio) -> str | None:
    """The canonical text of the ratio as a decimal; None where it has no finite expansion."""
    num, den = number
    rest, places = den, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        places = max(places, power)
    if rest != 1:
        return None
    digits = str(abs(num * 10**places // den))
    stripped = digits.rstrip("0") or "0"
    exponent = len(digits) - len(stripped) - places if num else 0
    sign = "-" if num < 0 else ""
    return f"{sign}{stripped}e{exponent}" if exponent else sign + stripped


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
    sign, digits, exponent = _parts(text)
    return _decimal_text(_rounded(of.grid, numbers.ratio((sign, digits, exponent)))) or text


def _parts(text: str) -> tuple[str, str, int]:
    """Sign, digits and exponent of a canonical decimal."""
    digits, _, power = text.removeprefix("-").partition("e")
    return ("-" if text.startswith("-") else ""), digits, int(power or "0")


def _base(text: str) -> Ratio:
    num, _, den = text.partition("/")
    return int(num), int(den)


def _interval(low: object | None, high: object | None, text: str) -> dict[str, object]:
    return {
        "lo": low,
        "hi": high,
        "lo_closed": text[0] == "[" and low is not None,
        "hi_closed": text[-1] == "]" and high is not None,
    }


def _opened(low: str, high: str, text: str) -> dict[str, object]:
    """A whole bound of 101 digits can only be written as the open bound beside it."""
    raw = _interval(low or None, high or None, text)
    if len(low) > MAX_DIGITS:
        raw |= {"lo": str(int(low) - 1), "lo_closed": False}
    if len(high) > MAX_DIGITS:
        raw |= {"hi": str(int(high) + 1), "hi_closed": False}
    return raw


def _scalar(kind: ScalarKind, text: str) -> object | None:
    """The plain spelling of a scalar's canonical text; None for no text."""
    match kind:
        case BooleanKind():
            return text == "true"
        case DecimalKind() if text:
            return _plain(text)
        case _:
            return text or None


def _shortest(kind: ScalarKind, text: str) -> object:
    """The spelling of fewest bytes: large sets fit into a proposal only so."""
    match kind:
        case IntegerKind():
            return int(text)
        case DecimalKind():
            sign, digits, exponent = _parts(text)
            spellings: list[object] = [_plain(text), text]
            if 0 <= exponent <= MAX_DIGITS - len(digits):
                spellings.append(int(sign + digits + "0" * exponent))
            return min(spellings, key=lambda raw: len(json.dumps(raw)))
        case _:
            return _scalar(kind, text)


def _plain(text: str) -> str:
    """A canonical decimal in plain or scientific notation, whichever reads better and is within the bounds."""
    sign, digits, exponent = _parts(text)
    before = len(digits) + exponent  # digits before the point; negative: zeros after it
    if exponent != 0 and not _PLAIN_FROM < before <= _PLAIN_TO:
        # One digit before the point, or as near to one as the bounds on digits and exponent allow.
        least = max(len(digits) - MAX_DIGITS, before - MAX_EXPONENT)
        most = min(MAX_DIGITS, before + MAX_EXPONENT)
        point = min(max(1, least), most)
    else:
        point = before
    if point > 0:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
    else:
        whole, fraction = "0", "0" * -point + digits
    power = f"e{before - point}" if before != point else ""
    return f"{sign}{whole}{'.' if fraction else ''}{fraction}{power}"


def _in_unit(kind: QuantityKind, text: str, name: str) -> dict[str, object] | None:
    base, _, spread = text.partition(";")
    unit = dict(kind.units)[name]
    n = _decimal_text(numbers.from_base(_base(base), unit))
    if n is None:
        return None
    raw: dict[str, object] = {"n": _plain(n), "unit": name}
    if spread:
        num, den = _base(spread)
        u = _decimal_text(numbers.reduce(num * unit.factor[1], den * unit.factor[0]))
        raw["u"] = None if u is None else _plain(u)
    return raw


def _fits(raw: object) -> bool:
    proposal = json.dumps({"state": "VALUE", "value": raw}, ensure_ascii=False, separators=(",", ":"))
    return len(proposal.encode()) <= _MAX_BYTES
