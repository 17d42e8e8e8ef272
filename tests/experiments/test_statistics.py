"""Intervals and the paired test against published values."""

from __future__ import annotations

from itertools import product

import pytest

from assay.experiments.statistics import clopper_pearson, mcnemar, over_means, wilson


@pytest.mark.parametrize(
    ("count", "of", "score", "exact"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, methods 3 and 5.
        pytest.param(81, 263, (0.2553, 0.3662), (0.2527, 0.3676), id="81 of 263"),
        pytest.param(15, 148, (0.0624, 0.1605), (0.0578, 0.1617), id="15 of 148"),
        pytest.param(0, 20, (0.0, 0.1611), (0.0, 0.1684), id="0 of 20"),
        pytest.param(1, 29, (0.0061, 0.1718), (0.0009, 0.1776), id="1 of 29"),
    ],
)
def test_intervals_are_the_published_ones(
    count: int, of: int, score: tuple[float, float], exact: tuple[float, float]
) -> None:
    assert wilson(count, of) == pytest.approx(score, abs=5e-5)
    assert clopper_pearson(count, of) == pytest.approx(exact, abs=5e-5)


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
def test_intervals_hold_the_share_and_mirror(interval: object) -> None:
    assert callable(interval)
    for of, count in product((1, 7, 164), (0, 1, 3, 164)):
        if count <= of:
            low, high = interval(count, of)
            assert 0 <= low <= count / of <= high <= 1
            assert interval(of - count, of) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_no_trial_says_nothing_and_many_are_no_overflow() -> None:
    assert wilson(0, 0) == clopper_pearson(0, 0) == (0.0, 1.0)
    assert clopper_pearson(5_000, 10_000) == pytest.approx((0.49015, 0.50985), abs=1e-4)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        # 2 * P(X <= fewer), X binomial with a half; all five appear in published tables of paired runs.
        pytest.param(13, 5, 0.0963, id="13 against 5"),
        pytest.param(14, 0, 0.0001, id="14 against none"),
        pytest.param(9, 4, 0.2668, id="9 against 4"),
        pytest.param(22, 6, 0.0037, id="22 against 6"),
        pytest.param(31, 8, 0.0003, id="31 against 8"),
        pytest.param(4, 4, 1.0, id="a tie is no more than one"),
        pytest.param(0, 0, 1.0, id="no discordant pair"),
    ],
)
def test_the_exact_paired_test(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == mcnemar(second, first) == pytest.approx(p, abs=5e-5)


def test_a_mean_over_tasks() -> None:
    assert over_means([0.0, 1.0] * 50) == pytest.approx((0.4015, 0.5985), abs=1e-4)
    assert over_means([1.0, 1.0, 1.0]) == (1.0, 1.0)
    assert over_means([0.5]) == (0.0, 1.0)


@pytest.mark.parametrize(("count", "of"), [(-1, 3), (4, 3)])
def test_what_is_no_count_is_an_error(count: int, of: int) -> None:
    for interval in (wilson, clopper_pearson):
        with pytest.raises(ValueError, match="is no count"):
            interval(count, of)
