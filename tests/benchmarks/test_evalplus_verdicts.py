"""What is asked of evalplus and how its verdicts are set beside ours; evalplus itself is played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.peers import evalplus_verdicts as peers
from tests.support import trial_world as world

from assay.experiments.trials.run import Files, Means, run_trial
from assay.sandbox import base


def played(dataset: str, code: str, arguments: list[Any], *rest: Any, **limits: Any) -> tuple[str, list[bool]]:
    """Right is `right`, for `slow` the time is short, and with `fast_check` it ends at the first case that is not."""
    assert (dataset, rest[0], rest[1], rest[2], limits["fast_check"]) == ("humaneval", "f", [1, 17], 0, True)
    if code == "right" or (code == "slow" and limits["min_time_limit"] > 1):
        return "pass", [True] * len(arguments)
    return "fail", [code == "visible", False][: 1 + (code == "visible")]


def timed(code: str, arguments: list[Any], *_: Any, **__: Any) -> tuple[None, list[float]]:
    return None, [0.0 for _ in arguments]


@pytest.fixture
def asked(tmp_path: Path) -> peers.Asked:
    tasks = [world.task(f"T/{at}", canonical="") for at in range(2)]
    unasked = world.task("T/2", hidden=[{"a": "(1,)", "e": "1", "k": "poly_root"}])
    pool = [world.entry("T/0", "right", "wrong"), world.entry("T/1", "visible", "slow"), world.entry("T/2", "right")]
    return peers.Asked(
        world.write(tmp_path / "bank.jsonl.gz", *tasks, unasked),
        world.write(tmp_path / "pool.jsonl", *pool),
        "humaneval",
    )


def test_every_candidate_is_asked_once_and_what_differs_again_with_more_time(
    tmp_path: Path, asked: peers.Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    trial = tmp_path / "trial"
    run_trial(Files(asked.bank, asked.pool), trial, Means(world.opened(), base.Level.A, base.Limits()))
    theirs = tmp_path / "theirs.jsonl"
    for _ in range(2):
        peers.run(asked, theirs, played, timed)
    assert [(row["id"], row["sample"], row["status"]) for row in peers.rows(theirs)] == [
        ("T/0", 1, "fail"), ("T/0", 0, "pass"), ("T/1", 1, "fail"), ("T/1", 0, "fail"),
    ]  # fmt: skip
    peers.main(["compare", "--trial", str(trial), "--theirs", str(theirs)])
    found = json.loads(capsys.readouterr().out)
    assert found["compared"] == 4
    assert found["counts"] == {
        "not_compared": 1, "ours_fail_theirs_fail": 2, "ours_pass_theirs_fail": 1, "ours_pass_theirs_pass": 1,
    }  # fmt: skip
    (one,) = found["differing"]
    assert (one["id"], one["sample"], one["ours"], one["theirs"], one["their_case"]) == ("T/1", 1, "pass", "fail", 0)
    again = peers.Asked(asked.bank, asked.pool, "humaneval", 20.0, frozenset({("T/1", 1)}))
    peers.run(again, tmp_path / "again.jsonl", played, timed)
    assert [row["status"] for row in peers.rows(tmp_path / "again.jsonl")] == ["pass"]


def test_the_tolerance_of_a_task_is_the_largest_of_its_cases() -> None:
    shown = [{"a": "([1.0],)", "e": "1e999"}]
    assert peers.cases({"visible": shown, "hidden": [{"a": "(2,)", "e": "{2}", "k": "approx", "tol": 1e-6}]}) == (
        [[[1.0]], [2]], [float("inf"), {2}], 1e-6,
    )  # fmt: skip
    assert not peers.is_asked({"visible": [], "hidden": []})
