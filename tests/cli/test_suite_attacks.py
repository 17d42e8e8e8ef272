"""`assay suite attacks` from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.support import trial_world as world
from tests.support.attack_world import Wrong, bank

from assay.api import attacking
from assay.api.examining import examine
from assay.interfaces.cli.suite_attacks import _say
from assay.sandbox import base


def test_the_command_without_a_sandbox(call: Any, tmp_path: Path) -> None:
    found = call("suite", "attacks", "--bank", str(bank(tmp_path)), "--gauged", "0", "--json")
    (document,) = found.documents
    assert (found.code, document["tasks"], document["candidates"]) == (0, 1, [])
    assert document["paper"]["weak"][0]["committed"] == 367
    by_name = {one["attempt"]: one for one in document["attempts"]}
    assert by_name["no cases"]["refused_on_reading"] == {"suite.empty": 1}
    text = call("suite", "attacks", "--bank", str(bank(tmp_path, world.task("T/1", visible=[]))), "--gauged", "0").out
    assert "1 further tasks ask for a program or have no case" in text
    assert "the paper, smuggled entry point, R452, first mend: 368 of 371 let through; 31.5 %" in text
    assert attacking.PRECONDITION in text


def test_the_command_with_the_sandbox_of_this_machine(call: Any, tmp_path: Path) -> None:
    if examine().best is not base.Level.A:
        pytest.skip("level A is not reached here; `assay sandbox doctor` says why")
    found = call("suite", "attacks", "--bank", str(bank(tmp_path)), "--json")
    (document,) = found.documents
    assert found.code == 0
    by_name = {one["attempt"]: one for one in document["attempts"]}
    honest, first = by_name["the honest suite, all cases"], by_name["the first case alone"]
    assert (honest["accepted_by_gauge"], honest["mutants"] > 0) == (1, True)
    assert (first["accepted_by_gauge"], first["refused_by_gauge"]) == (0, {"stub `constant` passes": 1})
    assert all(one["contained"] for one in document["candidates"])
    text = call("suite", "attacks", "--bank", str(bank(tmp_path))).out
    assert "a candidate that leaves a file in /tmp: finds nothing in a later run" in text


def test_what_should_not_be_is_said_aloud(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = attacking.attack(bank(tmp_path), gauged=1, opened=Wrong)
    row = next(row for row in found.rows if row.attempt.name == "no cases")
    row.read = 1
    _say(found)
    out = capsys.readouterr().out
    assert "a candidate that leaves a module: FINDS IT in a later run" in out
    assert "read: no cases: this should have been refused" in out


def test_a_file_that_is_missing_is_one_line(call: Any, tmp_path: Path) -> None:
    found = call("suite", "attacks", "--bank", str(tmp_path / "gone"))
    assert (found.code, found.err.count("\n")) == (2, 1)
