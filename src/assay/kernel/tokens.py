"""Bedrock: scalar tokens to canonical text (spec/verification.md §3). Total: any object gives a text or a refusal.

INVARIANT: only objects of exact built-in types are looked into, and no method of a subclass is ever called (P10).
"""

from __future__ import annotations

import re

from assay.kernel import kinds as k
from assay.kernel.verdict import GRAMMAR, OFF_GRID, PREFIX, TOO_LONG, TYPE, VOCABULARY, Reject

Denoted = str | Reject
Scanned = tuple[str, str, int]  # sign, digits without outer zeros ("0" for zero), exponent

_INTEGER = re.compile(r"-?[1-9][0-9]{0,99}|0").fullmatch
_LONG_INTEGER = re.compile(r"-?[1-9][0-9]*").fullmatch
_DECIMAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?)0*([0-9]+))?").fullmatch
_CURIE = re.compile(r"[A-Za-z][A-Za-z0-9._-]*+:[!-~]++").fullmatch
_DATE = re.compile(
    r"(?!0000)[0-9]{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    # 29 February: a year divides by 4; of the centuries only those whose number of hundreds does.
    r"|(?!0000)(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29"
).fullmatch
_MOST = 10**k.MAX_DIGITS - 1
_LEAST = -_MOST


def integer(kind: k.IntegerKind, raw: object) -> Denoted:
    """The digits of a whole number."""
    if type(raw) is int:
        return str(raw) if _LEAST <= raw <= _MOST else TOO_LONG
    if type(raw) is not str:
        return TYPE
    token = raw.strip(" \t")
    if _INTEGER(token) is not None:
        return token
    return TOO_LONG if _LONG_INTEGER(token) is not None else GRAMMAR


def boolean(kind: k.BooleanKind, raw: object) -> Denoted:
    """`true` or `false`; no other object, so neither 1 nor "true"."""
    if raw is True:
        return "true"
    return "false" if raw is False else TYPE


def category(kind: k.CategoryKind, raw: object) -> Denoted:
    """The word, if the vocabulary has it."""
    if type(raw) is not str:
        return TYPE
    if raw in kind.vocabulary:
        return raw
    token = raw.strip(" \t")
    if token in kind.vocabulary:
        return token
    return TOO_LONG if len(token) > k.MAX_TOKEN else VOCABULARY


def identifier(kind: k.IdentifierKind, raw: object) -> Denoted:
    """The CURIE as it stands: case and every character count."""
    if type(raw) is not str:
        return TYPE
    token = raw.strip(" \t")
    if len(token) > k.MAX_TOKEN:
        return TOO_LONG
    if kind.prefix and token.startswith(kind.start) and token.isascii() and token.isprintable() and " " not in token:
        return token if token != kind.start else GRAMMAR  # the same as the expression, in half its time
    if _CURIE(token) is None:
        return GRAMMAR
    return PREFIX if kind.prefix else token


def date(kind: k.DateKind, raw: object) -> Denoted:
    """The day, if the calendar has it."""
    if type(raw) is not str:
        return TYPE
    token = raw.strip(" \t")
    if _DATE(token) is not None:
        return token
    return TOO_LONG if len(token) > k.MAX_TOKEN else GRAMMAR


def decimal(kind: k.DecimalKind, raw: object) -> Denoted:
    """Sign, digits without outer zeros, exponent."""
    parts = scan(raw)
    return parts if isinstance(parts, Reject) else written(kind.grid, parts)


def written(grid: k.Grid, parts: Scanned) -> Denoted:
    """The canonical text of a scanned decimal that is on the grid."""
    sign, digits, exponent = parts
    if grid is not None and not on_grid(grid, digits, exponent):
        return OFF_GRID
    return f"{sign}{digits}e{exponent}" if exponent else sign + digits


def scan(raw: object) -> Scanned | Reject:
    """A decimal token or JSON integer as sign, digits, exponent; one pass, no big number is made."""
    if type(raw) is int:
        if not _LEAST <= raw <= _MOST:
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
        if len(power) > 3 or (exponent := int(power)) > k.MAX_EXPONENT:
            return TOO_LONG
        if direction == "-":
            exponent = -exponent
    digits = whole
    if fraction is not None:
        if len(fraction) > k.MAX_DIGITS:
            return TOO_LONG
        exponent -= len(fraction)
        digits = (whole + fraction).lstrip("0")
    if len(whole) > k.MAX_DIGITS:
        return TOO_LONG
    stripped = digits.rstrip("0")
    if not stripped:
        return GRAMMAR if sign else ("", "0", 0)
    return sign, stripped, exponent + len(digits) - len(stripped)


def on_grid(grid: k.Grid, digits: str, exponent: int) -> bool:
    """Whether the number of these digits lies on the grid as it is."""
    if isinstance(grid, k.Decimals):
        return exponent >= -grid.places
    return grid is None or len(digits) <= grid.figures
