"""Workshops: intervals of a share and the exact test of paired outcomes, by the standard library alone.

Counts in, floats out. Nothing here is used for a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, exp, lgamma, log, sqrt
from statistics import NormalDist, mean, stdev
from typing import Final

CONFIDENCE: Final = 0.95
_STEPS: Final = 60  # of halving: finer than a double

Interval = tuple[float, float]


def wilson(count: int, of: int, confidence: float = CONFIDENCE) -> Interval:
    """The score interval of Wilson (1927) for `count` successes in `of` trials; (0, 1) where there is no trial."""
    _check(count, of)
    if of == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = count / of, z * z / of
    middle = share + spread / 2
    half = z * sqrt(share * (1 - share) / of + spread / (4 * of))
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    # At the ends the bound is the end itself, which rounding misses.
    return (0.0 if count == 0 else low), (1.0 if count == of else high)


def clopper_pearson(count: int, of: int, confidence: float = CONFIDENCE) -> Interval:
    """The exact interval of Clopper and Pearson (1934): never less than the confidence, so wider than Wilson's."""
    _check(count, of)
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else _root(lambda share: 1 - _at_most(count - 1, of, share) < tail)
    high = 1.0 if count == of else _root(lambda share: _at_most(count, of, share) > tail)
    return low, high


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact two-sided p of McNemar's test: how the discordant pairs would split if each side were as likely."""
    _check(only_first, only_first + only_second)
    pairs, fewer = only_first + only_second, min(only_first, only_second)
    tail = Fraction(sum(comb(pairs, at) for at in range(fewer + 1)), 2**pairs)
    return float(min(Fraction(1), 2 * tail))


def over_pairs(only_first: int, only_second: int, of: int, confidence: float = CONFIDENCE) -> Interval | None:
    """The interval of the difference of two paired shares, given how many pairs are discordant; None where none is.

    That of Clopper and Pearson for the share of discordant pairs that the first wins, scaled to all pairs. It excludes
    zero exactly where `mcnemar` is below 1 - confidence.
    """
    pairs = only_first + only_second
    _check(pairs, of)
    if pairs == 0:
        return None
    low, high = clopper_pearson(only_first, pairs, confidence)
    return (2 * low - 1) * pairs / of, (2 * high - 1) * pairs / of


def over_means(values: Sequence[float], confidence: float = CONFIDENCE, *, least: float = 0.0) -> Interval:
    """The normal interval of a mean over tasks, between `least` and 1, which are the interval of fewer than two.

    For shares that are no counts of independent trials, such as the mean of the pass rates of tasks.
    """
    if len(values) < 2:
        return least, 1.0
    half = NormalDist().inv_cdf((1 + confidence) / 2) * stdev(values) / sqrt(len(values))
    middle = mean(values)
    return max(least, middle - half), min(1.0, middle + half)


def _at_most(count: int, of: int, share: float) -> float:
    """The probability of at most `count` successes. In logarithms: the binomials of large trials are no doubles."""
    if share <= 0 or share >= 1:
        return 1.0 if share <= 0 or count >= of else 0.0
    yes, no = log(share), log(1 - share)
    whole = lgamma(of + 1)
    terms = (exp(whole - lgamma(at + 1) - lgamma(of - at + 1) + at * yes + (of - at) * no) for at in range(count + 1))
    return min(1.0, sum(terms))


def _root(is_below: Callable[[float], bool]) -> float:
    """Where the condition, which holds at 0, stops to hold before 1."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


def _check(count: int, of: int) -> None:
    if not 0 <= count <= of:
        raise ValueError(f"{count} of {of} is no count")
