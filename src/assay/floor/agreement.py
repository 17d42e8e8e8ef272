"""Library: do readings agree, contradict each other, or neither (docs/adr/0004 steps d, f, g).

An average is never formed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from assay.floor.ratios import less, minus, plus, times
from assay.floor.readings import Reading
from assay.floor.store import Snapshot
from assay.kernel.numbers import Ratio


def is_incompatible(one: Reading, two: Reading, k: Ratio) -> bool:
    """Whether two readings of one class contradict each other.

    Numbers: |a−b| > k·sqrt(ua² + ub²) where both state u, > k·u + h where one does, > ha + hb where none does; h is
    half a unit of the last digit, u the side that faces the other. Everything else: not identical.
    """
    if one.number is None or two.number is None or _is_whole(one, two):
        return identity(one) != identity(two)
    low, high = (one, two) if less(one.number, two.number) else (two, one)
    assert low.number is not None and high.number is not None
    gap = minus(high.number, low.number)
    return exceeds(gap, (low.spread.up, low.spread.half), (high.spread.down, high.spread.half), k)


def exceeds(gap: Ratio, one: tuple[Ratio | None, Ratio], two: tuple[Ratio | None, Ratio], k: Ratio) -> bool:
    """Whether a gap ≥ 0 is beyond what two spreads (u or None, h) allow at k."""
    (ua, ha), (ub, hb) = one, two
    if ua is not None and ub is not None:
        # As squares of rationals: no root, no rounding.
        return less(times(times(k, k), plus(times(ua, ua), times(ub, ub))), times(gap, gap))
    if ua is not None:
        return less(plus(times(k, ua), hb), gap)
    if ub is not None:
        return less(plus(times(k, ub), ha), gap)
    return less(plus(ha, hb), gap)


def any_incompatible(readings: Sequence[Reading], k: Ratio) -> bool:
    """Whether any pair contradicts."""
    return any(is_incompatible(one, two, k) for one, two in combinations(readings, 2))


def all_equal(readings: Sequence[Reading], on_grid: Callable[[Reading], object]) -> bool:
    """Whether all readings fall on one point of the task's grid; `on_grid` gives a reading's point, or None."""
    points = {on_grid(reading) for reading in readings}
    return len(points) == 1 and None not in points


def witnesses(snapshot: Snapshot, readings: Sequence[Reading]) -> tuple[str, ...]:
    """The independent witnesses: a source that copies another one counts as that one. Sorted."""
    found = set()
    for reading in readings:
        name, seen = reading.witness, set[str]()
        while name not in seen and (source := snapshot.source(name)) is not None and source.copied_from:
            seen.add(name)
            name = source.copied_from
        found.add(name)
    return tuple(sorted(found))


def identity(reading: Reading) -> object:
    """What two readings of a kind without numbers must share to be the same."""
    return (reading.text, reading.ends, reading.bounds) if reading.ends is not None else reading.text


def _is_whole(one: Reading, two: Reading) -> bool:
    return bool(one.text) and bool(two.text)
