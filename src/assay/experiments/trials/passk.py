"""Workshops: the unbiased pass@k of a pool, exactly (docs/reference/trial.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Final

from assay.experiments.trials.task import Result

KS: Final = (1, 5, 10, 100)


def pass_at_k(candidates: int, right: int, k: int) -> Fraction:
    """The chance that one of `k` drawn from the candidates without putting back is right: 1 - C(n-c, k) / C(n, k).

    Raises:
        ValueError: fewer candidates than are drawn, or than are right.
    """
    if not 0 <= right <= candidates or not 1 <= k <= candidates:
        raise ValueError(f"{k} drawn from {candidates} with {right} right")
    return 1 - Fraction(comb(candidates - right, k), comb(candidates, k))


def by_k(results: Sequence[Result]) -> Mapping[int, list[Fraction]]:
    """The pass@k of each task, for every k that all tasks have candidates for. Leave out void tasks: they have none."""
    most = min((len(one.candidates) for one in results), default=0)
    return {
        k: [pass_at_k(len(one.candidates), sum(bool(it.truth) for it in one.candidates), k) for one in results]
        for k in KS
        if k <= most
    }
