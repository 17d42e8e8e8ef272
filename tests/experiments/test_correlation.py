"""Rank correlation against known values, and the bootstrap's interval."""

from __future__ import annotations

from random import Random

import pytest

from assay.experiments.correlation import bootstrap, partial_spearman, spearman


@pytest.mark.parametrize(
    ("left", "right", "rho"),
    [
        pytest.param([1, 2, 3, 4], [10, 20, 30, 400], 1.0, id="the same order"),
        pytest.param([1, 2, 3, 4], [4, 3, 2, 1], -1.0, id="the reverse"),
        # The worked table of Spearman's method in most textbooks: intelligence and hours before a screen.
        pytest.param(
            [106, 100, 86, 101, 99, 103, 97, 113, 112, 110], [7, 27, 2, 50, 28, 29, 20, 12, 6, 17], -29 / 165,
            id="textbook"),
        pytest.param([1, 2, 2, 3], [1, 3, 3, 2], 1 / 3, id="ties share a rank"),
        pytest.param([1, 1, 1], [1, 2, 3], None, id="one side is constant"),
        pytest.param([], [], None, id="nothing"),
    ],
)  # fmt: skip
def test_spearman(left: list[float], right: list[float], rho: float | None) -> None:
    found = spearman(list(zip(left, right, strict=True)))
    assert found == (None if rho is None else pytest.approx(rho))


def test_the_interval_holds_the_figure_and_depends_on_the_seed_alone() -> None:
    draw = Random(1)
    pairs = [(x := draw.random(), x + draw.random()) for _ in range(60)]
    rho = spearman(pairs)
    found = bootstrap(pairs, spearman, seed=7, rounds=400)
    assert found is not None
    assert rho is not None
    assert found[0] < rho < found[1]
    assert found == bootstrap(pairs, spearman, seed=7, rounds=400)
    assert found != bootstrap(pairs, spearman, seed=8, rounds=400)
    wider = bootstrap(pairs, spearman, seed=7, rounds=400, confidence=0.99)
    assert wider is not None
    assert wider[0] < found[0] < found[1] < wider[1]


def test_the_interval_of_a_mean_is_near_the_normal_one() -> None:
    pairs = [(float(number % 2), 0.0) for number in range(400)]
    found = bootstrap(pairs, lambda drawn: sum(one for one, _ in drawn) / len(drawn), seed=3)
    assert found == pytest.approx((0.451, 0.549), abs=0.006)


def test_where_nothing_can_be_drawn_there_is_no_interval() -> None:
    assert bootstrap([], spearman, seed=1) is None
    assert bootstrap([(1.0, 1.0)], spearman, seed=1) is None


def test_what_a_third_explains_is_taken_away() -> None:
    draw = Random(5)
    third = [draw.random() for _ in range(400)]
    both = [(x + 0.2 * draw.random(), x + 0.2 * draw.random(), x) for x in third]
    apart = partial_spearman(both)
    together = spearman([(one, other) for one, other, _ in both])
    assert apart is not None
    assert together is not None
    assert abs(apart) < 0.15
    assert together > 0.9
    # By the formula, from the three correlations of these ranks: 0.8, 0.4, 0.2.
    assert partial_spearman([(1, 2, 2), (2, 1, 3), (3, 3, 1), (4, 4, 4)]) == pytest.approx(
        (0.8 - 0.4 * 0.2) / ((1 - 0.16) * (1 - 0.04)) ** 0.5
    )


def test_where_the_third_is_all_or_nothing_there_is_no_partial_correlation() -> None:
    assert partial_spearman([(1, 1, 1), (2, 3, 2), (3, 2, 3)]) is None
    assert partial_spearman([(1, 1, 1), (2, 3, 1), (3, 2, 1)]) is None
