"""Bedrock: scalar tokens to canonical text (spec/verification.md §3). Total: any object gives a text or a refusal.

INVARIANT: only objects of exact built-in types are looked into, and no method of a subclass is ever called (P10).
"""

from __future__ import annotations

import re
from typing import Final

from assay.kernel.kinds import (
    MAX_DIGITS,
    MAX_EXPONENT,
    MAX_TOKEN,
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    Decimals,
    Grid,
    IdentifierKind,
    IntegerKind,
)
from assay.kernel.verdict import GRAMMAR, OFF_GRID, PREFIX, TOO_LONG, TYPE, VOCABULARY, Reject

Denoted = str | Reject

_INTEGER: Final = re.compile(r"-?[1-9][0-9]{0,99}|0").fullmatch
_LONG_INTEGER: Final = re.compile(r"-?[1-9][0-9]*").fullmatch
_DECIMAL: Final = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?)0*([0-9]+))?").fullmatch
_CURIE: Final = re.compile(r"([A-Za-z][A-Za-z0-9._-]*):[!-~]+").fullmatch
_DATE: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])").fullmatch
_BOUND: Final = 10**MAX_DIGITS
_SHORT_MONTHS: Final = frozenset({"04", "06", "09", "11"})


def integer(kind: IntegerKind, raw: object) -> Denoted:
    """The digits of a whole number."""
    if type(raw) is int:
        return str(raw) if -_BOUND < raw < _BOUND else TOO_LONG
    if type(raw) is not str:
        return TYPE
    token = raw.strip(" \t")
    if _INTEGER(token) is not None:
        return token
    return TOO_LONG if _LONG_INTEGER(token) is not None else GRAMMAR


def boolean(kind: BooleanKind, raw: object) -> Denoted:
    """`true` or `false`; no other object, so neither 1 nor "true"."""
    if raw is True:
        return "true"
    return "false" if raw is False else TYPE


def category(kind: CategoryKind, raw: object) -> Denoted:
    """The word, if the vocabulary has it."""
    if type(raw) is not str:
        return TYPE
    token = raw.strip(" \t")
    if token in kind.vocabulary:
        return token
    return TOO_LONG if len(token) > MAX_TOKEN else VOCABULARY


def identifier(kind: IdentifierKind, raw: object) -> Denoted:
    """The CURIE as it stands: case and every character count."""
    if type(raw) is not str:
        return TYPE
    token = raw.strip(" \t")
    if len(token) > MAX_TOKEN:
        return TOO_LONG
    match = _CURIE(token)
    if match is None:
        return GRAMMAR
    return token if not kind.prefix or match[1] == kind.prefix else PREFIX


def date(kind: DateKind, raw: object) -> Denoted:
    """The day, if the calendar has it."""
    if type(raw) is not str:
        return TYPE
    token = raw.strip(" \t")
    match = _DATE(token)
    if match is None or match[1] == "0000":
        return TOO_LONG if len(token) > MAX_TOKEN else GRAMMAR
    year, month, day = match.groups()
    if day > "28" and month == "02":
        # A leap year divides by 4; of the centuries only those whose number of hundreds does.
        leap = int(year) % 4 == 0 if year[2:] != "00" else int(year[:2]) % 4 == 0
        return token if day == "29" and leap else GRAMMAR
    return token if day != "31" or month not in _SHORT_MONTHS else GRAMMAR


def decimal(kind: DecimalKind, raw: object) -> Denoted:
    """Sign, digits without outer zeros, exponent."""
    parts = scan(raw)
    if type(parts) is not tuple:
        return parts
    sign, digits, exponent = parts
    if kind.grid is not None and not on_grid(kind.grid, digits, exponent):
        return OFF_GRID
    return f"{sign}{digits}e{exponent}" if exponent else sign + digits


Scanned = tuple[str, str, int]  # sign, digits without outer zeros ("0" for zero), exponent


def scan(raw: object) -> Scanned | Reject:
    """A decimal token or JSON integer as sign, digits, exponent; one pass, no big number is made."""
    if type(raw) is int:
        if not -_BOUND < raw < _BOUND:
            return TOO_LONG
        token = str(raw)
    elif type(raw) is str:
        token = raw.strip(" \t")
    else:
        return TYPE
    match = _DECIMAL(token)
    if match is None:
        return GRAMMAR
    sign, whole, fraction, direction, power = match.groups()
    exponent = 0
    if power is not None:
        if len(power) > 3 or (exponent := int(power)) > MAX_EXPONENT:
            return TOO_LONG
        if direction == "-":
            exponent = -exponent
    digits = whole
    if fraction is not None:
        if len(fraction) > MAX_DIGITS:
            return TOO_LONG
        exponent -= len(fraction)
        digits = (whole + fraction).lstrip("0")
    if len(whole) > MAX_DIGITS:
        return TOO_LONG
    stripped = digits.rstrip("0")
    if not stripped:
        return GRAMMAR if sign else ("", "0", 0)
    return sign, stripped, exponent + len(digits) - len(stripped)


def on_grid(grid: Grid, digits: str, exponent: int) -> bool:
    """Whether the number of these digits lies on the grid as it is."""
    if type(grid) is Decimals:
        return exponent >= -grid.places
    return grid is None or len(digits) <= grid.figures
