"""`assay trial run` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support import trial_world as world

from assay.api.examining import examine
from assay.experiments.trials.summary import PRECONDITION, summarise
from assay.experiments.trials.task import Result
from assay.interfaces.cli.trial import _say
from assay.sandbox.base import Level

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
    again = call(*given)
    assert again.code == 0
    assert PRECONDITION in again.out.splitlines()
    assert "no suite, refused: T/1: no visible case" in again.out.splitlines()
    assert "gate against single_first: 1 to 0 of 2, exact McNemar p 1.0" in again.out.splitlines()


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
