"""The figures of a trial, each on a handful of tasks whose figures are plain."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assay.experiments.trials import summary
from assay.experiments.trials.summary import PRECONDITION, is_judged, summarise
from assay.experiments.trials.task import Result, Scored

NAMES = {"p": "passed", "f": "failed", "k": "flaky", "-": None}


def candidate(text: str, at: int) -> Scored:
    """`p+1a`: the visible grade, whether it is right, the groups of the two votes (`.`: none)."""
    grade, right, *groups = tuple(text)
    votes = [None if one == "." else int(one) for one in (groups or [".", "."])]
    is_right = {"+": True, "-": False, "?": None}[right]
    return Scored(at, "m", NAMES[grade], None, is_right, None, is_right, "", votes[0], votes[1])


def result(*texts: str, position: int | None = None, **more: Any) -> Result:
    first = [text[0] for text in texts[:5]]
    place = position or (first.index("p") + 1 if "p" in first else None)
    found: dict[str, Any] = {
        "id": "T", "void": "", "no_suite": "", "no_truth": "", "typed_output": False, "visible_cases": 1,
        "truth_cases": 2, "v_subset": True, "position": place, "generated": place or len(first),
        "candidates": tuple(candidate(text, at) for at, text in enumerate(texts)),
    } | more  # fmt: skip
    return Result(**found)


RIGHT = result("p+00", "p+00", "f-22")  # all that select are right
SECOND = result("f-00", "p+11", "f-00")  # the gate alone: the vote goes with the larger group
FALSE = result("p-00", "p+11", "p+11")  # the gate delivers a wrong one
REFUSED = result("f-..", "k+..", "f-22", "f-..", "f-..", "-+..")
VOID = result(void="no process")
NO_SUITE = result("-+..", "--..", no_suite="no visible case", v_subset=False, generated=0)


@pytest.mark.parametrize(
    ("one", "right"),
    [
        pytest.param(RIGHT, {"single_first", "vote_visible", "vote_all", "gate", "ceiling", "ceiling_all"}, id="all"),
        pytest.param(SECOND, {"gate", "ceiling", "ceiling_all"}, id="the gate alone"),
        pytest.param(FALSE, {"vote_visible", "vote_all", "ceiling", "ceiling_all"}, id="a false delivery"),
        pytest.param(REFUSED, {"ceiling", "ceiling_all"}, id="a refusal is a failure"),
        pytest.param(
            result("f-..", "f-..", "f-..", "f-..", "f-..", "-+.."), {"ceiling_all"}, id="the sixth is no candidate"
        ),
        pytest.param(NO_SUITE, {"single_first", "vote_visible", "vote_all", "ceiling", "ceiling_all"}, id="no votes"),
        pytest.param(result("p?..", no_truth="none"), set(), id="what is not scored is not right"),
        pytest.param(result(), set(), id="no candidate"),
    ],
)
def test_who_is_right(one: Result, right: set[str]) -> None:
    assert {name for name, arm in summary.ARMS.items() if arm(one)} == right


@pytest.mark.parametrize(
    ("texts", "chosen"),
    [
        pytest.param(("f-00", "f+11", "f+11"), True, id="the largest group"),
        pytest.param(("f-00", "f+11", "f-00", "f+11"), False, id="a tie goes to the earliest"),
        pytest.param(("f-..", "f+11", "f-.."), True, id="what is no value has no vote"),
        pytest.param(("f-..", "f+.."), False, id="no votes: the first"),
        pytest.param(("f-00", "f-11", "f-22", "f-33", "f-44", "-+55", "-+55"), False, id="five vote"),
    ],
)
def test_the_vote(texts: tuple[str, ...], chosen: bool) -> None:
    assert summary.ARMS["vote_all"](result(*texts)) is summary.ARMS["vote_visible"](result(*texts)) is chosen


@pytest.mark.parametrize(
    ("one", "mean", "order"),
    [
        (RIGHT, Fraction(2, 3), Fraction(1)),
        (FALSE, Fraction(2, 3), Fraction(2, 3)),
        (REFUSED, Fraction(1, 5), Fraction(0)),
        (VOID, Fraction(0), Fraction(0)),
    ],
)
def test_means_are_exact(one: Result, mean: Fraction, order: Fraction) -> None:
    assert (summary.single_mean(one), summary.random_order(one)) == (mean, order)


def pairs_of(found: Any) -> tuple[object, ...]:
    return found["gate_only"], found["other_only"], found["pairs"], found["mcnemar_p"]


def test_the_figures() -> None:
    found: Any = summarise([RIGHT, SECOND, FALSE, REFUSED, NO_SUITE, VOID], not_in_pool=3)
    assert (found["tasks"], found["not_in_pool"]) == (6, 3)
    counts = {
        "single_first": 2, "vote_visible": 3, "vote_all": 3, "gate": 2, "ceiling": 5, "ceiling_all": 5,
        "delivered": 3, "refused": 2, "void": 1, "false_delivery_of_tasks": 1,
    }  # fmt: skip
    assert {name: found[name]["count"] for name in counts} == counts
    assert {found[name]["of"] for name in counts} == {6}
    assert found["gate"]["rate"] == 0.333333
    assert (found["false_delivery_of_deliveries"]["count"], found["false_delivery_of_deliveries"]["of"]) == (1, 3)
    low, high = found["gate"]["wilson_95"]
    assert found["gate"]["clopper_pearson_95"][0] < low < 2 / 6 < high < found["gate"]["clopper_pearson_95"][1]
    assert found["gate_random_order"]["exact"] == "4/9"  # (1 + 1 + 2/3 + 0 + 0 + 0) / 6
    assert found["mean_generated"] == 1.8
    assert pairs_of(found["discordant"]["single_first"]) == (1, 1, 5, 1.0)
    assert pairs_of(found["discordant"]["vote_all"]) == (1, 2, 5, 1.0)
    assert found["fail_v_pass_hidden"] == {"count": 1, "of": 8}
    assert (found["flaky"], found["no_suite"]) == (1, [{"id": "T", "reason": "no visible case"}])
    assert found["void_tasks"] == [{"id": "T", "reason": "no process"}]
    assert sum(band["tasks"] for band in found["by_difficulty"]) == 5
    assert (found["v_subset_of_gt"], found["precondition"]) == (True, PRECONDITION)
    assert "true by construction" in found["by_construction"]
    assert is_judged(found)


def test_what_is_no_subset_is_not_said_to_be_one() -> None:
    found = summarise([RIGHT, result("p+..", v_subset=False)], not_in_pool=0)
    assert (found["v_subset_of_gt"], "by_construction" in found) == (False, False)
    assert found["v_subset_of_gt_tasks"] == {"count": 1, "of": 2}


def test_above_a_fifth_of_void_nothing_is_judged() -> None:
    assert is_judged(summarise([RIGHT] * 4 + [VOID], not_in_pool=0))
    assert not is_judged(summarise([RIGHT] * 3 + [VOID], not_in_pool=0))


def test_no_task_is_no_rate() -> None:
    found: Any = summarise([], not_in_pool=0)
    assert found["gate"]["rate"] is found["single_mean"]["rate"] is None


def test_bands_are_by_the_whole_pool() -> None:
    def band(right: int, of: int) -> str:
        texts = ["p+.."] * right + ["f-.."] * (of - right)
        found: Any = summarise([result(*texts)], not_in_pool=0)
        return str(found["by_difficulty"][0]["pool_pass_rate"])

    assert [band(right, 8) for right in (0, 1, 2, 3, 4, 5, 6, 7, 8)] == [
        "0", "(0, 0.25]", "(0, 0.25]", "(0.25, 0.5]", "(0.25, 0.5]", "(0.5, 0.75]", "(0.5, 0.75]", "(0.75, 1)", "1",
    ]  # fmt: skip


def test_the_summary_has_every_figure_by_its_agreed_name() -> None:
    found = summarise([RIGHT, SECOND, FALSE, REFUSED], not_in_pool=1, not_in_bank=2)
    assert {
        "tasks", "not_in_pool", "single_first", "single_mean", "vote_visible", "vote_all", "gate", "gate_random_order",
        "ceiling", "ceiling_all", "false_delivery_of_tasks", "false_delivery_of_deliveries", "refused", "void",
        "mean_generated", "discordant", "by_difficulty", "fail_v_pass_hidden", "v_subset_of_gt", "precondition",
        "pass_at_k", "not_in_bank", "gain_over_one_draw",
    } <= found.keys()  # fmt: skip
    for name, share in found.items():
        if isinstance(share, dict) and "rate" in share:
            assert share["of"] == (3 if name == "false_delivery_of_deliveries" else 4)
            assert ("count" in share and "wilson_95" in share) or ("exact" in share and "normal_95" in share)
    pairs: Any = found["discordant"]
    assert pairs["single_first"]["difference"] == 0.25
    assert pairs["single_first"]["difference_95"] == [-0.2375, 0.25]
    assert pairs["vote_visible"] == {
        "gate_only": 1, "other_only": 1, "pairs": 4, "mcnemar_p": 1.0, "difference": 0.0,
        "difference_95": [-0.487421, 0.487421],
    }  # fmt: skip
    passes: Any = found["pass_at_k"]
    assert (list(passes), passes["1"]["exact"]) == (["1"], "1/2")
    gain: Any = found["gain_over_one_draw"]
    assert gain["exact"] == "1/5"


def test_where_no_pair_is_discordant_there_is_no_interval() -> None:
    found: Any = summarise([RIGHT], not_in_pool=0)["discordant"]
    assert found["single_first"]["difference_95"] is None
    assert summarise([VOID], not_in_pool=0)["pass_at_k"] == {}
