"""Library: a fact as something that can be compared: a text, or an exact number with its spreads (docs/adr/0004 e).

Numbers are ratios of integers in the base unit of their dimension. Half a unit of the last digit comes from the
source's spelling, before conversion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from assay.floor.evidence import Fact, PropertySpec, UnitRow
from assay.floor.store import Snapshot
from assay.kernel import numbers, tokens
from assay.kernel.errors import InvalidPack
from assay.kernel.kinds import IntegerKind, Unit
from assay.kernel.numbers import Ratio

ZERO: Final[Ratio] = (0, 1)
_TRUNCATED: Final = re.compile(r"(-?(?:0|[1-9][0-9]*)\.[0-9]+)\.\.\.([eE][+-]?[0-9]+)?").fullmatch
_HALVED: Final = frozenset({"k=2", "95%"})


@dataclass(frozen=True, slots=True)
class Spread:
    """What is known of a number's uncertainty, in the base unit: standard uncertainty up and down, or none stated.

    `half` is half a unit of the last printed digit. An exact number has `up` = `down` = 0.
    """

    up: Ratio | None
    down: Ratio | None
    half: Ratio


EXACT: Final = Spread(ZERO, ZERO, ZERO)


@dataclass(frozen=True, slots=True)
class Reading:
    """One comparable statement.

    `text` for words and sets, `number` for numbers, `ends` for intervals and truncated decimals.
    """

    facts: tuple[Fact, ...]
    witness: str
    text: str = ""
    number: Ratio | None = None
    spread: Spread = EXACT
    ends: tuple[Ratio | None, Ratio | None] | None = None
    bounds: str = ""
    dimension: str = ""
    unit: str = ""
    truncated: bool = False


def exact_ratio(text: str) -> Ratio:
    """The ratio of `N` or `N/N`, N a decimal in the grammar of the kernel.

    Raises:
        InvalidPack: the text is neither.
    """
    above, slash, below = text.partition("/")
    num, den = tokens.scan(above), tokens.scan(below if slash else "1")
    if type(num) is not tuple or type(den) is not tuple or den[1] == "0":
        raise InvalidPack("pack.number", "an evidence number is not a decimal or a ratio of decimals; check the pack")
    (a, b), (c, d) = numbers.ratio(num), numbers.ratio(den)
    return numbers.reduce(a * d, b * c)


def kernel_unit(row: UnitRow) -> Unit:
    """The unit with its exact rationals."""
    return Unit(exact_ratio(row.factor), exact_ratio(row.offset or "0"))


def last_digit_half(text: str) -> Ratio:
    """Half a unit of the last printed digit: 0.05 for `12.3`, 0.5 for `12`, 0.5e-3 for `8.414e0`."""
    mantissa, _, power = text.lower().partition("e")
    _, _, fraction = mantissa.partition(".")
    exponent = (int(power) if power else 0) - len(fraction)
    return (10**exponent, 2) if exponent >= 0 else (1, 2 * 10**-exponent)


def read(snapshot: Snapshot, spec: PropertySpec, fact: Fact) -> Reading:
    """The fact as a reading of its property's kind."""
    if spec.kind == "interval":
        return _interval(snapshot, spec, fact)
    if spec.kind in ("decimal", "quantity"):
        return _number(snapshot, spec, fact)
    if spec.kind == "integer" and spec.cardinality == "one":
        text = tokens.integer(IntegerKind(), fact.value)
        if not isinstance(text, str):
            # Never `int(...)` on evidence: its error repeats what it read (docs/adr/0006).
            raise InvalidPack("pack.number", f"fact `{fact.fact_id}` is not a whole number; check the pack")
        return integer_reading(fact, int(text))
    return Reading((fact,), fact.witness, text=fact.value)


def integer_reading(fact: Fact, number: int) -> Reading:
    """An exact whole number stated by, or counted in, the fact."""
    return Reading((fact,), fact.witness, text=str(number), number=(number, 1))


def _unit(snapshot: Snapshot, fact: Fact) -> tuple[Unit, str]:
    if not fact.unit:
        return Unit(), ""
    row = snapshot.unit(fact.unit)
    if row is None:
        raise InvalidPack(
            "pack.unit", f"fact `{fact.fact_id}` names a unit that the pack does not declare; check the pack"
        )
    return kernel_unit(row), row.dimension


def _number(snapshot: Snapshot, spec: PropertySpec, fact: Fact) -> Reading:
    unit, dimension = _unit(snapshot, fact)
    match = _TRUNCATED(fact.value)
    if match is not None:
        ends = _truncated(match[1], match[2] or "")
    elif not fact.value and fact.lower and fact.upper:
        ends = exact_ratio(fact.lower), exact_ratio(fact.upper)
    else:
        number = numbers.to_base(exact_ratio(fact.value), unit)
        return Reading(
            (fact,), fact.witness, number=number, spread=_spread(fact, unit), dimension=dimension, unit=fact.unit
        )
    low, high = (numbers.to_base(end, unit) for end in ends)
    middle = numbers.reduce(low[0] * high[1] + high[0] * low[1], 2 * low[1] * high[1])
    half = numbers.reduce(high[0] * low[1] - low[0] * high[1], 2 * low[1] * high[1])
    return Reading(
        (fact,),
        fact.witness,
        number=middle,
        spread=Spread(None, None, half),
        ends=(low, high),
        bounds=fact.bounds or "[)",
        dimension=dimension,
        unit=fact.unit,
        truncated=True,
    )


def _truncated(mantissa: str, power: str) -> tuple[Ratio, Ratio]:
    """The half-open interval of a decimal that was cut off: of `8.314…`, [8.314, 8.315); mirrored below zero."""
    near = exact_ratio(mantissa + power)
    half = last_digit_half(mantissa + power)
    step = numbers.reduce(2 * half[0], half[1])
    sign = -1 if mantissa.startswith("-") else 1
    far = numbers.reduce(near[0] * step[1] + sign * step[0] * near[1], near[1] * step[1])
    return (near, far) if sign > 0 else (far, near)


def _spread(fact: Fact, unit: Unit) -> Spread:
    half = _scaled(last_digit_half(fact.raw if _is_plain(fact.raw, fact.value) else fact.value), unit)
    kind, text = fact.uncertainty_kind, fact.uncertainty
    if kind == "exact":
        return EXACT
    if not text:
        return Spread(None, None, half)
    if kind == "asymmetric":
        above, _, below = text.partition(" ")
        return Spread(_scaled(exact_ratio(above), unit), _scaled(exact_ratio(below), unit), half)
    spread = _scaled(exact_ratio(text), unit)
    if kind in _HALVED:
        # 95 % and k=2 are read as two standard uncertainties.
        spread = numbers.reduce(spread[0], 2 * spread[1])
    return Spread(spread, spread, half)


def _is_plain(raw: str, value: str) -> bool:
    # The raw spelling may group digits or hold more than the number; only a decimal equal to the value is used.
    scanned = tokens.scan(raw)
    return type(scanned) is tuple and scanned == tokens.scan(value)


def _scaled(number: Ratio, unit: Unit) -> Ratio:
    return numbers.reduce(number[0] * unit.factor[0], number[1] * unit.factor[1])


def _interval(snapshot: Snapshot, spec: PropertySpec, fact: Fact) -> Reading:
    unit, dimension = _unit(snapshot, fact)
    low = numbers.to_base(exact_ratio(fact.lower), unit) if fact.lower else None
    high = numbers.to_base(exact_ratio(fact.upper), unit) if fact.upper else None
    bounds = fact.bounds or "[]"
    if spec.element == "integer":
        # Whole numbers: (0, 6) and [1, 5] are one interval.
        low = (low[0] + low[1], low[1]) if low is not None and bounds[0] == "(" else low
        high = (high[0] - high[1], high[1]) if high is not None and bounds[1] == ")" else high
        bounds = ("(" if low is None else "[") + (")" if high is None else "]")
    return Reading((fact,), fact.witness, ends=(low, high), bounds=bounds, dimension=dimension, unit=fact.unit)
