"""What is counted when strength is set against wrong deliveries."""

from __future__ import annotations

from typing import Any

from benchmarks.strength import delivered_wrong, figures, overview, wrong_of_passing


def result(name: str, *candidates: tuple[str, bool], position: int | None = None) -> dict[str, Any]:
    found = [{"cases": cases, "truth": truth} for cases, truth in candidates]
    return {"id": name, "visible_cases": 1, "position": position, "candidates": found}


def row(name: str, killed: int, *, reason: str = "", holds: bool = True) -> dict[str, Any]:
    return {
        "id": name, "killed": killed, "generated": 4, "survived": 4 - killed, "distinct_inputs": 1, "possible": 4,
        "reason": reason,
        "gauge_holds": holds, "reference_passes": True, "passing_stubs": [] if holds else ["constant"],
    }  # fmt: skip


ROWS = [row("a", 4), row("b", 2, holds=False), row("c", 1), {"id": "d", "reason": "no suite"}]
RESULTS = {
    one["id"]: one
    for one in (
        result("a", ("++", True), ("--", False), position=1),
        result("b", ("+-", False), ("++", True), position=1),
        result("c", ("+-", False), ("--", False), position=1),
        result("d", ("++", True), position=1),
    )
}


def test_of_the_passing_candidates_some_are_wrong() -> None:
    assert [wrong_of_passing(RESULTS[name]) for name in "abc"] == [(0, 1), (1, 2), (1, 1)]
    assert wrong_of_passing(result("e", ("-+", False))) == (0, 0)
    assert [delivered_wrong(RESULTS[name]) for name in "abc"] == [False, True, True]
    assert delivered_wrong(result("e", ("-+", False))) is None


def test_the_figures_of_a_trial() -> None:
    found: dict[str, Any] = figures(ROWS, RESULTS)
    assert (found["tasks"], found["with_a_passing_candidate"], found["delivered"]) == (3, 3, 3)
    assert (found["passing_candidates"], found["wrong_among_them"], found["delivered_wrong"]) == (4, 2, 2)
    # The stronger the suite, the smaller the share that is wrong: all three in order.
    assert found["with_share_wrong"]["strength"]["rho"] == -1
    assert found["with_share_wrong"]["distinct_inputs"]["rho"] is None
    assert [band["tasks"] for band in found["by_strength"]] == [2, 0, 0, 1]
    assert (found["by_gauge"]["holds"]["tasks"], found["by_gauge"]["does not"]["wrong"]) == (2, 1)


def test_what_the_suites_are_like() -> None:
    found: dict[str, Any] = overview(ROWS)
    assert (found["tasks"], found["measured"], found["gauge_holds"], found["all_killed"]) == (4, 3, 2, 1)
    assert (found["generated"], found["killed"], found["refused_by"]["constant"]) == (12, 7, 1)
    assert found["not_measured"] == [{"id": "d", "reason": "no suite"}]
