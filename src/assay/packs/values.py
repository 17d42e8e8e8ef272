"""Pipes: cells of facts in the grammars of kinds; refusals say what is wrong with a cell (spec/pack.md §4)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from assay.floor.evidence import Fact, PropertySpec, UnitRow
from assay.kernel import numbers, tokens
from assay.kernel.denotation import denote
from assay.kernel.kinds import (
    DateKind,
    DecimalKind,
    IdentifierKind,
    IntegerKind,
    ScalarKind,
)
from assay.kernel.verdict import Reject
from assay.packs.limits import MAX_POLYMER
from assay.packs.refusal import shown

SCALARS: Final = ("integer", "boolean", "category", "identifier", "decimal", "date")
KINDS: Final = (*SCALARS, "quantity", "interval", "set", "polymer")
BOUNDS: Final = ("[]", "[)", "(]", "()")
_POLYMER: Final = re.compile(r"[A-Z]+").fullmatch


def decimal_of(text: str) -> Fraction | None:
    """The exact number of a decimal in the kernel's grammar, without padding; None where it is none."""
    scanned = tokens.scan(text) if text == text.strip() else None
    if type(scanned) is not tuple:
        return None
    num, den = numbers.ratio(scanned)
    return Fraction(num, den)


@lru_cache(maxsize=1024)
def ratio_of(text: str) -> Fraction | None:
    """The exact number of `N` or `N/N`, N a decimal; None where it is none."""
    above, slash, below = text.partition("/")
    num, den = decimal_of(above), decimal_of(below) if slash else Fraction(1)
    return None if num is None or not den else num / den


def scalar_fault(spec: PropertySpec, kind: str, text: str) -> str:
    """What is wrong with the text as a value of the scalar kind; empty where nothing is."""
    if text != text.strip():
        return "outer white space"
    match kind:
        case "boolean":
            return "" if text in ("true", "false") else "not `true` or `false`"
        case "category":
            return "" if text in spec.vocabulary else "not in the property's vocabulary"
        case "identifier":
            return _fault(
                IdentifierKind(spec.prefix), text, f"not a CURIE{f' of {spec.prefix}:' if spec.prefix else ''}"
            )
        case "integer":
            return _fault(IntegerKind(), text, "not an integer in the grammar")
        case "date":
            return _fault(DateKind(), text, "not a day as YYYY-MM-DD")
        case _:
            return _fault(DecimalKind(), text, "not a decimal in the grammar")


def value_fault(spec: PropertySpec, fact: Fact) -> str:
    """What is wrong with the value, bounds and unit of a fact under its property; empty where nothing is."""
    if any(text and text in spec.missing for text in (fact.value, fact.raw)):
        return f"{shown(fact.raw or fact.value)} means a missing value here, which is no fact"
    kind = spec.element if spec.kind == "set" else spec.kind
    if spec.kind == "interval":
        return _interval_fault(spec, fact) or _unit_fault(spec, fact)
    if not fact.value and kind in ("decimal", "quantity"):
        return _cut_fault(fact) or _unit_fault(spec, fact)
    if not fact.value:
        return "no value; a blank is no fact"
    if fact.lower or fact.upper or fact.bounds:
        return "both a value and bounds"
    if kind == "polymer":
        if _POLYMER(fact.value) is None:
            return "letters other than A to Z in a sequence"
        return f"more than {MAX_POLYMER} letters" if len(fact.value) > MAX_POLYMER else _unit_fault(spec, fact)
    fault = scalar_fault(spec, "decimal" if kind == "quantity" else kind, fact.value)
    return f"value {shown(fact.value)}: {fault}" if fault else _unit_fault(spec, fact)


def uncertainty_fault(spec: PropertySpec, fact: Fact) -> str:
    """What is wrong with the uncertainty of a fact; empty where nothing is."""
    kind, text = fact.uncertainty_kind, fact.uncertainty
    if kind and spec.kind not in ("decimal", "quantity"):
        return f"an uncertainty on a property of kind {spec.kind}"
    if kind in ("", "exact"):
        return f"uncertainty {shown(text)} with kind {shown(kind)}" if text else ""
    parts = text.split(" ")
    if len(parts) != (2 if kind == "asymmetric" else 1):
        return f"uncertainty {shown(text)}: {'two decimals' if kind == 'asymmetric' else 'one decimal'} needed"
    spreads = [decimal_of(part) for part in parts]
    if any(spread is None for spread in spreads):
        return f"uncertainty {shown(text)} is not a decimal in the grammar"
    return (
        f"uncertainty {shown(text)} is negative" if any(spread is not None and spread < 0 for spread in spreads) else ""
    )


def implausible(spec: PropertySpec, fact: Fact, units: Mapping[str, UnitRow]) -> str:
    """Why the fact's number lies outside the property's plausible range; empty where it does not."""
    if not spec.plausible_min and not spec.plausible_max:
        return ""
    low, high = ratio_of(spec.plausible_min), ratio_of(spec.plausible_max)
    for text in (fact.value, fact.lower, fact.upper):
        number = decimal_of(text) if text else None
        if number is None:
            continue
        if spec.unit:
            own, base = units.get(fact.unit), units.get(spec.unit)
            if own is None or base is None or own.dimension != base.dimension:
                continue
            number = _in_unit(number, own, base)
        if (low is not None and number < low) or (high is not None and number > high):
            allowed = f"{spec.plausible_min} to {spec.plausible_max} {spec.unit}".rstrip()
            return f"{text} {fact.unit}".rstrip() + f" is outside the plausible range {allowed}"
    return ""


def _in_unit(number: Fraction, own: UnitRow, base: UnitRow) -> Fraction:
    parts = [ratio_of(text or "0") for text in (own.factor, own.offset, base.factor, base.offset)]
    factor, offset, base_factor, base_offset = (part or Fraction(0) for part in parts)
    return (number * factor + offset - base_offset) / base_factor


def _fault(kind: ScalarKind, text: str, words: str) -> str:
    found = denote(kind, text)
    return f"{words} ({found.code})" if isinstance(found, Reject) else ""


def _interval_fault(spec: PropertySpec, fact: Fact) -> str:
    if fact.value:
        return "a value beside an interval's bounds"
    if fact.bounds not in BOUNDS:
        return f"bounds {shown(fact.bounds)}; one of {', '.join(BOUNDS)} is needed"
    if not fact.lower and not fact.upper:
        return "an interval without any bound says nothing"
    for text, mark in ((fact.lower, fact.bounds[0]), (fact.upper, fact.bounds[1])):
        if not text and mark in "[]":
            return "an unbounded side is open: `(` or `)`"
        fault = scalar_fault(spec, spec.element, text) if text else ""
        if fault:
            return f"bound {shown(text)}: {fault}"
    return _order_fault(fact, whole=spec.element == "integer")


def _cut_fault(fact: Fact) -> str:
    """A number without a value: a decimal that its source cut off, as the half-open interval that it leaves."""
    if not fact.lower and not fact.upper and not fact.bounds:
        return "no value; a blank is no fact"
    low, high = decimal_of(fact.lower), decimal_of(fact.upper)
    if low is None or high is None:
        return "a decimal cut off by its source needs `lower` and `upper` as decimals"
    if fact.bounds not in ("[)", "(]"):
        return f"bounds {shown(fact.bounds)}; `[)` or, below zero, `(]` is needed for a decimal cut off by its source"
    fault = _order_fault(fact)
    if fault:
        return fault
    # A cut takes digits away, so the end that the source wrote is the one nearer to zero, and it alone is closed.
    if fact.bounds == "[)" and low < 0:
        return "bounds `[)` below zero; a decimal cut off there leaves `(]`"
    if fact.bounds == "(]" and high > 0:
        return "bounds `(]` above zero; a decimal cut off there leaves `[)`"
    return ""


def _order_fault(fact: Fact, *, whole: bool = False) -> str:
    """What is wrong with the bounds together; `whole`: only whole numbers are members."""
    low, high = decimal_of(fact.lower), decimal_of(fact.upper)
    if low is None or high is None:
        return ""
    if whole:
        first, last = low + (fact.bounds[0] == "("), high - (fact.bounds[1] == ")")
        return "an interval without members" if first > last else ""
    return "an interval without members" if low > high or (low == high and fact.bounds != "[]") else ""


def _unit_fault(spec: PropertySpec, fact: Fact) -> str:
    if not spec.units:
        return f"unit {shown(fact.unit)} on a property without units" if fact.unit else ""
    if fact.unit in spec.units:
        return ""
    return f"unit {shown(fact.unit)}; one of {', '.join(spec.units[:12])} is needed"
