"""Library: order and arithmetic of exact ratios (numerator, denominator > 0). No floats, no rounding."""

from __future__ import annotations

from assay.kernel.numbers import Ratio


def less(a: Ratio, b: Ratio) -> bool:
    """a < b."""
    return a[0] * b[1] < b[0] * a[1]


def plus(a: Ratio, b: Ratio) -> Ratio:
    """a + b."""
    return a[0] * b[1] + b[0] * a[1], a[1] * b[1]


def minus(a: Ratio, b: Ratio) -> Ratio:
    """a − b."""
    return a[0] * b[1] - b[0] * a[1], a[1] * b[1]


def times(a: Ratio, b: Ratio) -> Ratio:
    """a · b."""
    return a[0] * b[0], a[1] * b[1]
