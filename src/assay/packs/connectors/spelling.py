"""Pipes: numbers as published tables spell them, into the kernel's grammar (spec/pack.md §9)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

_SPELT: Final = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(\.\.\.)?(?:[eE]([+-]?[0-9]+))?").fullmatch
_MINUS: Final = str.maketrans(
    {"\N{MINUS SIGN}": "-", "\N{THIN SPACE}": None, "\N{NARROW NO-BREAK SPACE}": None, " ": None}
)


@dataclass(frozen=True, slots=True)
class Spelt:
    """A number in the kernel's grammar, or the half-open interval that a cut-off decimal leaves."""

    value: str
    lower: str = ""
    upper: str = ""
    bounds: str = ""


def read_number(raw: str, significant: int = 0) -> Spelt | None:
    """The number of a raw spelling, or None: digit groups, a spaced exponent, U+2212, `.5`, `5.`, a trailing `...`.

    With `significant`, a spelling of more digits than that is rounded to it, ties to even: `56.99999999999999` is an
    artefact of binary floats, not a claim of sixteen digits.
    """
    match = _SPELT(raw.strip().translate(_MINUS))
    if match is None or not (match[2] or match[3]):
        return None
    sign = "-" if match[1] == "-" else ""
    whole, fraction = match[2].lstrip("0") or "0", match[3] or ""
    power = f"e{int(match[5])}" if match[5] and int(match[5]) else ""
    body = whole + (f".{fraction}" if fraction else "")
    if match[4]:
        return _cut(sign, whole, fraction, power)
    if significant and len((whole + fraction).strip("0")) > significant:
        body = _rounded(whole, fraction, significant)
    zero = not (body.strip("0.") or "")
    return Spelt(("" if zero else sign) + body + power)


def _cut(sign: str, whole: str, fraction: str, power: str) -> Spelt:
    """`8.314...` lies in [8.314, 8.315); mirrored below zero."""
    step = Fraction(1, 10 ** len(fraction))
    near = Fraction(f"{whole}.{fraction or '0'}")
    inner, outer = (_fixed(number, len(fraction)) + power for number in (near, near + step))
    if sign:
        return Spelt("", f"-{outer}", f"-{inner}", "(]")
    return Spelt("", inner, outer, "[)")


def _rounded(whole: str, fraction: str, significant: int) -> str:
    number = Fraction(f"{whole}.{fraction or '0'}")
    leading = len(whole) if whole != "0" else len(fraction.lstrip("0")) - len(fraction)
    places = significant - leading
    scaled = round(number * Fraction(10) ** places)
    text = _fixed(Fraction(scaled) / Fraction(10) ** places, max(places, 0))
    return text.rstrip("0").rstrip(".") if "." in text else text


def _fixed(number: Fraction, places: int) -> str:
    digits = str(int(number * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits
