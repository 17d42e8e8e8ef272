"""Workshops: rank correlation and its bootstrap interval, by the standard library alone. Floats in, floats out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Final, TypeVar

from assay.experiments.statistics import CONFIDENCE, Interval

ROUNDS: Final = 2_000

Pair = tuple[float, float]
Row = TypeVar("Row")


def spearman(pairs: Sequence[Pair]) -> float | None:
    """Spearman's rank correlation, equal values sharing the mean of their ranks; None where a side is constant."""
    if not pairs:
        return None
    left, right = (_ranks(side) for side in zip(*pairs, strict=True))
    middle = (len(pairs) + 1) / 2
    together = sum((one - middle) * (other - middle) for one, other in zip(left, right, strict=True))
    spread = sqrt(sum((one - middle) ** 2 for one in left) * sum((other - middle) ** 2 for other in right))
    return together / spread if spread else None


def partial_spearman(rows: Sequence[tuple[float, float, float]]) -> float | None:
    """The rank correlation of the first two with the third held fixed; None where a side is constant or bound to it."""
    pairs = [spearman([(row[one], row[other]) for row in rows]) for one, other in ((0, 1), (0, 2), (1, 2))]
    together, left, right = pairs
    if together is None or left is None or right is None:
        return None
    rest = (1 - left**2) * (1 - right**2)
    return (together - left * right) / sqrt(rest) if rest > 0 else None


def bootstrap(
    rows: Sequence[Row],
    statistic: Callable[[Sequence[Row]], float | None],
    *,
    seed: int,
    rounds: int = ROUNDS,
    confidence: float = CONFIDENCE,
) -> Interval | None:
    """The percentile interval of a statistic over rows drawn with replacement; draws that have none are left out.

    Equal seeds give equal intervals on every machine. None where no draw has the statistic.
    """
    draw = Random(seed)  # noqa: S311 -- seeded on purpose
    drawn = (statistic([rows[draw.randrange(len(rows))] for _ in rows]) for _ in range(rounds if rows else 0))
    found = sorted(one for one in drawn if one is not None)
    if not found:
        return None
    outside = (1 - confidence) / 2
    return _quantile(found, outside), _quantile(found, 1 - outside)


def _ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for place, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(place)
    shared = {value: sum(found) / len(found) for value, found in places.items()}
    return [shared[value] for value in values]


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value at this share of the way, between two of them in proportion."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])
