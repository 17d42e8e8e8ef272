"""Bedrock: exact ratios and the grid (spec/verification.md §3, Grid; docs/adr/0003). No float, no context, no rounding but ties to even."""

from __future__ import annotations

from math import gcd

from assay.kernel.kinds import Decimals, Grid, Unit
from assay.kernel.tokens import Scanned

Ratio = tuple[int, int]  # numerator, denominator > 0; lowest terms where `reduce` made it


def reduce(num: int, den: int) -> Ratio:
    """The ratio in lowest terms with a positive denominator."""
    common = gcd(num, den) if den > 0 else -gcd(num, den)
    return num // common, den // common


def ratio(scanned: Scanned) -> Ratio:
    """The exact ratio of a scanned decimal."""
    sign, digits, exponent = scanned
    number = -int(digits) if sign else int(digits)
    return (number * 10**exponent, 1) if exponent >= 0 else reduce(number, 10**-exponent)


def to_base(number: Ratio, unit: Unit) -> Ratio:
    """n · factor + offset."""
    (num, den), (fn, fd), (on, od) = number, unit.factor, unit.offset
    return reduce(num * fn * od + on * den * fd, den * fd * od)


def from_base(number: Ratio, unit: Unit) -> Ratio:
    """The number in `unit` of a number in the base unit."""
    (num, den), (fn, fd), (on, od) = number, unit.factor, unit.offset
    return reduce((num * od - on * den) * fd, den * od * fn)


def _half_even(num: int, den: int) -> int:
    quotient, rest = divmod(num, den)
    twice = 2 * rest
    return quotient + (twice > den or (twice == den and quotient % 2 == 1))


def round_to(grid: Grid, number: Ratio) -> Ratio:
    """The nearest point of the grid to the exact ratio, ties to even."""
    num, den = number
    if grid is None or num == 0:
        return number
    if type(grid) is Decimals:
        return reduce(_half_even(num * 10**grid.places, den), 10**grid.places)
    # Digits of the integer part, or minus the zeros after the point: an estimate, mended below.
    magnitude = len(str(abs(num))) - len(str(den))
    if abs(num) * 10 ** max(-magnitude, 0) >= den * 10 ** max(magnitude, 0):
        magnitude += 1
    shift = grid.figures - magnitude
    up, down = 10 ** max(shift, 0), 10 ** max(-shift, 0)
    return reduce(_half_even(num * up, den * down) * down, up)


def is_on(grid: Grid, number: Ratio) -> bool:
    """Whether the ratio is a point of the grid."""
    return round_to(grid, number) == number


def decimal_text(number: Ratio) -> str | None:
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
    exponent = len(digits) - len(stripped) - places if stripped != "0" else 0
    sign = "-" if num < 0 else ""
    return f"{sign}{stripped}e{exponent}" if exponent else sign + stripped


def parse_ratio(text: str) -> Ratio:
    """A ratio from canonical `p/q` text."""
    num, _, den = text.partition("/")
    return int(num), int(den)
