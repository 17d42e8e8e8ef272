"""A whole trial with a sandbox that is a fake: workers, what is kept, what is taken up again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest
from tests.support import trial_world as world

from assay.experiments.trials.pools import read_pool
from assay.experiments.trials.report import report
from assay.experiments.trials.run import NOT_ASKED, Files, Means, plan, run_score, run_trial
from assay.experiments.trials.store import RESULTS, SCORE, Folder, unique
from assay.experiments.trials.summary import NOT_JUDGED, TWO_RUNS, scores
from assay.experiments.trials.task import Result
from assay.experiments.trials.workers import serve
from assay.kernel.errors import Fault, InputError
from assay.sandbox import base
from assay.sandbox.base import SandboxUnavailable


def files(folder: Path, *pool: dict[str, object], tasks: int = 6) -> Files:
    bank = world.write(folder / "bank.jsonl.gz", *(world.task(f"T/{at}") for at in range(tasks)))
    return Files(bank, world.write(folder / "pool.jsonl.gz", *pool))


def usual(folder: Path, *words: str) -> Files:
    return files(folder, *(world.entry(f"T/{at}", *words) for at in range(5)))


def means(killer: Path | None = None, workers: int = 1) -> Means:
    return Means(world.opened(killer), base.Level.A, base.Limits(), workers)


def ids(out: Path) -> list[str]:
    return [json.loads(line)["id"] for line in (out / RESULTS).read_bytes().splitlines()]


def test_a_trial_runs_each_task_once_and_a_second_call_none(tmp_path: Path) -> None:
    shown: list[tuple[int, int]] = []
    given = usual(tmp_path, "wrong", "right")
    found = run_trial(given, tmp_path / "out", means(workers=2), lambda done, of: shown.append((done, of)))
    assert (found["tasks"], found["not_in_pool"], found["gate"]["count"]) == (5, 1, 5)  # type: ignore[index]
    assert sorted(ids(tmp_path / "out")) == [f"T/{at}" for at in range(5)]
    assert shown == [(at, 5) for at in range(6)]
    written = (tmp_path / "out" / "summary.json").read_text()
    assert json.loads(written) == found
    # No sandbox is opened where nothing is left to do.
    again = Means(world.none_at_all, base.Level.A, base.Limits())
    assert run_trial(given, tmp_path / "out", again) == found


def test_what_was_void_is_tried_again_when_the_trial_is_taken_up(tmp_path: Path) -> None:
    given = files(tmp_path, *(world.entry(f"T/{at}", "void" if at == 2 else "right") for at in range(5)))
    first: Any = run_trial(given, tmp_path / "out", means())
    assert (first["void"]["count"], first["gate"]["count"]) == (1, 4)
    mended = json.loads((tmp_path / "out" / RESULTS).read_bytes().splitlines()[0])
    shown: list[tuple[int, int]] = []
    again: Any = run_trial(given, tmp_path / "out", means(), lambda done, of: shown.append((done, of)))
    assert (again, shown) == (first, [(4, 5), (5, 5)])
    # What it gives then takes the place of the void.
    with (tmp_path / "out" / RESULTS).open("ab") as more:
        more.write(json.dumps({**mended, "id": "T/2"}).encode() + b"\n")
    whole: Any = run_trial(given, tmp_path / "out", Means(world.none_at_all, base.Level.A, base.Limits()))
    assert (whole["tasks"], whole["void"]["count"], whole["gate"]["count"]) == (5, 0, 5)


def test_scores_alone_ask_no_gate(tmp_path: Path) -> None:
    given = usual(tmp_path, "wrong", "right")
    found: Any = run_score(given, tmp_path / "out", means(workers=2))
    assert (found["tasks"], found["right"]["count"], found["right"]["of"]) == (5, 5, 10)
    assert (found["ceiling_all"]["count"], found["pass_at_k"]["1"]["exact"], "gate" in found) == (5, "1/2", False)
    results = [json.loads(line) for line in (tmp_path / "out" / RESULTS).read_bytes().splitlines()]
    assert {(one["no_suite"], one["generated"], one["position"]) for one in results} == {(NOT_ASKED.reason, 0, None)}
    assert json.loads((tmp_path / "out" / "trial.json").read_bytes())["trial"] == SCORE
    # Neither goes on where the other was.
    with pytest.raises(InputError, match="another `trial`"):
        run_trial(given, tmp_path / "out", means())
    with pytest.raises(InputError, match="scores"):
        report(tmp_path / "out", None)


def test_scores_by_two_runs_find_what_is_right_once(tmp_path: Path) -> None:
    given = usual(tmp_path, "once", "right")
    once: Any = run_score(given, tmp_path / "once", means())
    twice: Any = run_score(given, tmp_path / "twice", replace(means(), twice=True))
    assert (once["right"]["count"], twice["right"]["count"], twice["scores"]) == (10, 5, TWO_RUNS)
    with pytest.raises(InputError, match="another `scored_twice`"):
        run_score(given, tmp_path / "twice", means())
    whole: Any = run_trial(given, tmp_path / "whole", replace(means(), twice=True))
    assert (whole["single_first"]["count"], whole["scores"]) == (0, TWO_RUNS)


def test_scores_of_void_tasks_are_not_judged(tmp_path: Path) -> None:
    void = Result("T/0", "no process", "", "", typed_output=False, visible_cases=1, truth_cases=1, v_subset=True,
                  position=None, generated=0, candidates=())  # fmt: skip
    found: Any = scores([void], not_in_pool=0)
    assert (found["verdict"], found["void"]["count"], found["right"]["of"]) == (NOT_JUDGED, 1, 0)


def test_a_killed_worker_loses_no_finished_task_and_its_own_is_begun_anew(tmp_path: Path) -> None:
    pool = [world.entry(f"T/{at}", "killer" if at == 2 else "right") for at in range(5)]
    found = run_trial(files(tmp_path, *pool), tmp_path / "out", means(tmp_path / "killed"))
    assert (tmp_path / "killed").exists()
    assert (found["tasks"], found["void"]["count"]) == (5, 0)  # type: ignore[index]
    assert sorted(ids(tmp_path / "out")) == [f"T/{at}" for at in range(5)]


def test_a_task_at_which_workers_die_twice_is_void(tmp_path: Path) -> None:
    pool = [world.entry(f"T/{at}", "murder" if at == 1 else "right") for at in range(5)]
    found = run_trial(files(tmp_path, *pool), tmp_path / "out", means())
    assert found["void_tasks"] == [{"id": "T/1", "reason": "the worker ended 2 times"}]
    assert len(ids(tmp_path / "out")) == 5


def test_without_a_sandbox_nothing_is_counted(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="level A is not reached in slot 0"):
        run_trial(usual(tmp_path, "right"), tmp_path / "out", Means(world.none_at_all, base.Level.A, base.Limits()))
    assert ids(tmp_path / "out") == []


def test_workers_that_never_begin_are_no_sandbox(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="end before they begin"):
        run_trial(usual(tmp_path, "right"), tmp_path / "out", Means(world.dies, base.Level.A, base.Limits()))


def test_workers_killed_on_their_way_now_and_then_end_no_trial(tmp_path: Path) -> None:
    pool = [world.entry(f"T/{at}", "murder" if at in {1, 3} else "right") for at in range(5)]
    ways = Means(partial(world.stumbles, tmp_path), base.Level.A, base.Limits())
    found = run_trial(files(tmp_path, *pool), tmp_path / "out", ways)
    assert found["void"]["count"] == 2  # type: ignore[index]
    assert [word.read_text() for word in sorted(tmp_path.glob("*.begun"))] == ["died", "opened"] * 5


def test_a_sandbox_that_is_killed_on_its_way_is_opened_again(tmp_path: Path) -> None:
    ways = Means(partial(world.second_time, tmp_path / "tried"), base.Level.A, base.Limits())
    assert run_trial(usual(tmp_path, "right"), tmp_path / "out", ways)["gate"]["count"] == 5  # type: ignore[index]


def test_a_line_cut_short_is_taken_away_and_its_task_run_again(tmp_path: Path) -> None:
    given, out = usual(tmp_path, "right"), tmp_path / "out"
    whole = run_trial(given, out, means())
    data = (out / RESULTS).read_bytes()
    (out / RESULTS).write_bytes(data[:-20])
    assert len(run_trial(given, out, means())) == len(whole)
    assert sorted(ids(out)) == [f"T/{at}" for at in range(5)]
    assert json.loads((out / "summary.json").read_text()) == whole


def test_a_line_that_stands_twice_counts_once(tmp_path: Path) -> None:
    given, out = usual(tmp_path, "right"), tmp_path / "out"
    whole = run_trial(given, out, means())
    data = (out / RESULTS).read_bytes()
    (out / RESULTS).write_bytes(data + data)
    assert run_trial(given, out, means()) == whole
    assert list(unique([])) == []


def test_a_folder_is_of_one_trial(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_trial(usual(tmp_path, "right"), out, means())
    with pytest.raises(InputError, match="another `pool_sha256`"):
        run_trial(usual(tmp_path, "wrong"), out, means())
    (out / "trial.json").write_text("?")
    with pytest.raises(InputError, match="cannot be read"):
        Folder(out, {})
    (out / "trial.json").unlink()
    with pytest.raises(InputError, match="results and no plan"):
        Folder(out, {})


def test_a_folder_is_written_by_one(tmp_path: Path) -> None:
    with Folder(tmp_path / "out", {}), pytest.raises(InputError, match="another trial writes to it"):
        Folder(tmp_path / "out", {})


@pytest.mark.parametrize("line", ["?", "[]", "{}", '{"id":"T","candidates":[{}]}'])
def test_a_line_that_is_no_result_is_refused_by_number(tmp_path: Path, line: str) -> None:
    Folder(tmp_path, {}).close()
    (tmp_path / RESULTS).write_text(f"{line}\n")
    with pytest.raises(InputError, match=r"line 1 of `results\.jsonl` is no result"):
        Folder(tmp_path, {})


def test_a_folder_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Fault, match="name another folder"):
        Folder(tmp_path / "file", {})
    with Folder(tmp_path / "out", {}) as folder:
        (tmp_path / "out" / "taken").mkdir()
        with pytest.raises(Fault, match="name another folder"):
            folder.write("taken", {})
        folder.close()
        folder._file = Path("/dev/full").open("a+b", buffering=0)  # noqa: SIM115 (closed with the folder)
        with pytest.raises(Fault, match="no space left"):
            folder.append(Result("T", "", "", "", typed_output=False, visible_cases=0, truth_cases=0, v_subset=False,
                                 position=None, generated=0, candidates=()))  # fmt: skip


def test_a_worker_answers_until_the_other_end_is_closed(tmp_path: Path) -> None:
    (work, *_), _ = plan(usual(tmp_path, "right"))
    near, far = Pipe()
    near.send(work)
    near.send(work)
    served = threading.Thread(target=serve, args=(far, world.opened(), base.Limits(), 0))
    served.start()
    assert near.recv() == "ready"
    assert [near.recv().id, near.recv().id] == ["T/0", "T/0"]
    near.close()
    served.join(10)
    assert not served.is_alive()


def test_a_worker_without_a_sandbox_says_so() -> None:
    near, far = Pipe()
    serve(far, world.none_at_all, base.Limits(), 3)
    assert near.recv() == ("sandbox.level", "level A is not reached in slot 3")


def test_the_judge_killed_leaves_no_worker_and_the_trial_goes_on(tmp_path: Path) -> None:
    given, out = files(tmp_path, *(world.entry(f"T/{at}", "right", "slow") for at in range(6))), tmp_path / "out"
    command = [sys.executable, "-m", "tests.support.trial_world", str(given.bank), str(given.pool), str(out)]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as judge:
        assert judge.stdout is not None
        worker = int(judge.stdout.readline())
        until = time.monotonic() + 60
        while time.monotonic() < until and not ((out / RESULTS).exists() and ids(out)):
            time.sleep(0.02)
        judge.send_signal(signal.SIGKILL)
    kept = ids(out)
    assert 0 < len(kept) < 6
    while time.monotonic() < until and Path(f"/proc/{worker}").exists():
        time.sleep(0.02)
    assert not Path(f"/proc/{worker}").exists()
    found: Any = run_trial(given, out, means())
    assert (found["tasks"], found["gate"]["count"], ids(out)[: len(kept)]) == (6, 6, kept)
    assert sorted(ids(out)) == [f"T/{at}" for at in range(6)]


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        pytest.param((1,), "line 1 of the pool has no `id`", id="no object"),
        pytest.param(({"id": "T/0", "candidates": [{"sample": 0}]},), "without `sample` and `code`", id="no code"),
        pytest.param(({"id": "T/0", "candidates": [{"sample": "0", "code": ""}]},), "without `sample`", id="no number"),
        pytest.param((world.entry("T/0", "a"), world.entry("T/0", "a")), "line 2 .* names the task", id="twice"),
        pytest.param(
            ({"id": "T/0", "candidates": [{"sample": 0, "code": ""}] * 2},), "two candidates", id="one sample twice"
        ),
    ],
)
def test_what_is_no_pool_is_refused_by_line(tmp_path: Path, rows: tuple[object, ...], line: str) -> None:
    with pytest.raises(InputError, match=line):
        read_pool(world.write(tmp_path / "pool.jsonl", *rows))


def test_bytes_that_are_no_pool_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pool.jsonl.gz").write_bytes(b"\x1f\x8bnot packed")
    with pytest.raises(InputError, match="cannot be unpacked"):
        read_pool(tmp_path / "pool.jsonl.gz")
    (tmp_path / "pool.jsonl").write_bytes(b"?\n")
    with pytest.raises(InputError, match="is no JSON object"):
        read_pool(tmp_path / "pool.jsonl")


def test_candidates_come_in_the_order_of_sample(tmp_path: Path) -> None:
    pool = read_pool(world.write(tmp_path / "pool.jsonl", world.entry("T/0", "a", "b", "c")))
    assert [one.code for one in pool["T/0"]] == ["a", "b", "c"]


def test_another_bank_scores(tmp_path: Path) -> None:
    given = usual(tmp_path, "visible")
    more = [{"a": "(2,)", "e": "2"}]
    gt = world.write(tmp_path / "gt.jsonl", *(world.task(f"T/{at}", hidden=more) for at in range(6)))
    assert run_trial(given, tmp_path / "a", means())["gate"]["count"] == 0  # type: ignore[index]
    scored = Files(given.bank, given.pool, gt)
    assert run_trial(scored, tmp_path / "b", means())["gate"]["count"] == 5  # type: ignore[index]


def test_banks_and_pools_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    given = usual(tmp_path, "right")
    with pytest.raises(InputError, match="no task of the bank has candidates"):
        plan(Files(given.bank, world.write(tmp_path / "other.jsonl", world.entry("X", "right"))))
    with pytest.raises(InputError, match="is not in the bank that scores"):
        plan(Files(given.bank, given.pool, world.write(tmp_path / "gt.jsonl", world.task("T/0"))))
    twice = world.write(tmp_path / "twice.jsonl", world.task("T/0"), world.task("T/0"))
    with pytest.raises(InputError, match="names the task `T/0` twice"):
        plan(Files(twice, given.pool))
