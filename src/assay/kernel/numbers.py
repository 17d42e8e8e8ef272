"""Bedrock: exact ratios, and where a grid's points lie (spec/verification.md §3; docs/adr/0003). Nothing is rounded."""

from __future__ import annotations

from math import gcd

from assay.kernel.kinds import Decimals, Grid, Unit
from assay.kernel.tokens import Scanned

Ratio = tuple[int, int]  # numerator, denominator > 0; in lowest terms where a function says so


def reduce(num: int, den: int) -> Ratio:
    """The ratio in lowest terms with a positive denominator."""
    common = gcd(num, den) if den > 0 else -gcd(num, den)
    return num // common, den // common


def ratio(scanned: Scanned) -> Ratio:
    """The exact ratio of a scanned decimal; not in lowest terms."""
    sign, digits, exponent = scanned
    number = -int(digits) if sign else int(digits)
    return (number * 10**exponent, 1) if exponent >= 0 else (number, 10**-exponent)


def power(exponent: int) -> int:
    """10^exponent; 1 for a negative exponent, whose power stands on the other side of the fraction."""
    return int(10**exponent) if exponent > 0 else 1


def to_base(number: Ratio, unit: Unit) -> Ratio:
    """n · factor + offset, in lowest terms."""
    (num, den), (fn, fd), (on, od) = number, unit.factor, unit.offset
    if not on:
        return reduce(num * fn, den * fd)
    return reduce(num * fn * od + on * den * fd, den * fd * od)


def from_base(number: Ratio, unit: Unit) -> Ratio:
    """The number in `unit` of a number in the base unit, in lowest terms."""
    (num, den), (fn, fd), (on, od) = number, unit.factor, unit.offset
    return reduce((num * od - on * den) * fd, den * od * fn)


def places(grid: Grid, number: Ratio) -> int:
    """How many decimal places the grid's points have around the number, which is not zero; negative: whole tens."""
    if isinstance(grid, Decimals):
        return grid.places
    num, den = abs(number[0]), number[1]
    # 2^(bits-1) < num/den < 2^(bits+1): the digits before the point, or minus the zeros after it, up to one too few.
    digits = (num.bit_length() - den.bit_length() - 1) * 30103 // 100000 + 1
    up, down = power(-digits), power(digits)
    return (0 if grid is None else grid.figures) - digits - (num * up >= den * down)


def is_on(grid: Grid, number: Ratio) -> bool:
    """Whether the ratio is a point of the grid."""
    num, den = number
    if grid is None or num == 0:
        return True
    steps = places(grid, number)
    return num * power(steps) % (den * power(-steps)) == 0
