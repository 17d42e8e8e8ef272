"""The gate with the real sandbox of this machine, and the command that opens it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.api import gating
from assay.interfaces.cli import app
from assay.sandbox.base import SandboxUnavailable
from assay.sandbox.opening import open_slot
from assay.suite.refusals import InvalidSuite

SUITE = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "python-call/1",
        "entry_point": "add",
        "cases": [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}],
    }
)
RIGHT = b"def add(a, b):\n    return a + b\n"
WRONG = b"def add(a, b):\n    return 3\n"


def _is_available() -> str:
    try:
        open_slot(gating.guest_codec()).close()
    except SandboxUnavailable as reason:
        return str(reason)
    return ""


MISSING = _is_available()
needs_sandbox = pytest.mark.skipif(bool(MISSING), reason=f"no sandbox of level A here: {MISSING}")


@needs_sandbox
def test_a_candidate_is_delivered_and_its_receipt_names_its_bytes() -> None:
    outcome = gating.check(SUITE, "add", [WRONG, RIGHT])
    assert (outcome.outcome, outcome.position, outcome.source) == (gating.DELIVERED, 2, RIGHT)
    assert outcome.document["tried"] == [
        {"grade": "failed", "first_failing_case": 1, "how": "wrong_value"},
        {"grade": "passed", "first_failing_case": None, "how": None},
    ]
    receipt = json.loads(outcome.receipt)
    assert receipt["subject"][0]["name"] == "delivered"
    assert receipt["predicate"]["isolation"]["again"]["level"] == "A"
    # What was expected and what was seen stay out of the receipt.
    assert b"i4;" not in outcome.receipt


@needs_sandbox
def test_the_command_delivers_refuses_and_keeps_receipts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.json").write_text(SUITE)
    (tmp_path / "a.py").write_bytes(WRONG)
    (tmp_path / "b.py").write_bytes(RIGHT)
    call = ["gate", "check", "--suite", str(tmp_path / "s.json"), "--entry-point", "add"]
    wrong, right = ["--candidate", str(tmp_path / "a.py")], ["--candidate", str(tmp_path / "b.py")]
    assert app.run([*call, *wrong, *right, "--receipts", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"DELIVERED {tmp_path / 'b.py'}"
    assert len((tmp_path / "receipts.jsonl").read_text().splitlines()) == 1
    assert app.run([*call, *wrong]) == 3
    assert capsys.readouterr().out.endswith("REFUSED\n")
    assert app.run([*call, *wrong, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["outcome"] == "REFUSED"


def test_a_suite_without_the_task_s_function_is_refused_before_anything_runs() -> None:
    with pytest.raises(InvalidSuite) as caught:
        gating.check(SUITE, None, [RIGHT])
    assert caught.value.code == "suite.entry_point_unbound"
    with pytest.raises(InvalidSuite) as caught:
        gating.check(SUITE, "exec", [RIGHT])
    assert caught.value.code == "suite.entry_point_mismatch"


def test_a_sandbox_that_does_not_start_is_void(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise SandboxUnavailable("sandbox.level", "this machine has none")

    monkeypatch.setattr(gating, "open_slot", refuse)
    outcome = gating.check(SUITE, "add", [RIGHT])
    assert (outcome.outcome, outcome.reason) == (gating.VOID, "this machine has none")
    assert json.loads(outcome.receipt)["subject"][0]["name"] == "suite"
    (tmp_path / "s.json").write_text(SUITE)
    (tmp_path / "b.py").write_bytes(RIGHT)
    call = ["gate", "check", "--suite", str(tmp_path / "s.json"), "--entry-point", "add"]
    assert app.run([*call, "--candidate", str(tmp_path / "b.py")]) == 1
    assert capsys.readouterr().out == "VOID: this machine has none\n"
    assert app.run([*call, "--candidate", str(tmp_path / "none.py")]) == 2
