"""The gate with the real sandbox of this machine, and the command that opens it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.sandbox_here import needs_sandbox

from assay.api import gating
from assay.audit.regrade import bound, regrade
from assay.gate.deliver import word_of
from assay.interfaces.cli import app
from assay.kernel.grade import Failed
from assay.ledger import private
from assay.sandbox.base import SandboxUnavailable
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
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"DELIVERED {tmp_path / 'b.py'}",
        f"receipt: {tmp_path / 'receipts.jsonl'} (unsigned)",
    ]
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


MIXED = {
    b"def add(a, b):\n    return 3\n": "wrong_value",
    b"def add(a, b:\n": "load_error",
    b"import os\ndef add(a, b):\n    os._exit(0)\n": "exit",
    b"def add(a, b):\n    return add(b, a)\n": "exception",
    b"def add(a, b):\n    return {a + b: object()}\n": "not_a_value",
}


def _of_one_seed() -> bytes:
    """A program that is right under the hash seed of first runs alone."""
    command = [sys.executable, "-c", "print(hash('a'))"]
    seen = subprocess.run(command, env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True).stdout
    return f"def add(a, b):\n    return a + b if hash('a') == {seen.strip()} else 0\n".encode()


@needs_sandbox
@pytest.mark.parametrize(
    ("candidates", "grades"),
    [
        pytest.param(list(MIXED), [("failed", how) for how in MIXED.values()], id="refused"),
        pytest.param([_of_one_seed(), RIGHT], [("flaky", "wrong_value"), ("passed", None)], id="delivered"),
    ],
)
def test_real_runs_are_graded_again_alike_from_what_was_kept(
    candidates: list[bytes], grades: list[tuple[str, str | None]], tmp_path: Path
) -> None:
    outcome = gating.check(SUITE, "add", candidates)
    gating.keep(tmp_path, outcome)
    (line,) = (tmp_path / "receipts.jsonl").read_bytes().splitlines()
    tried = json.loads(line)["predicate"]["tried"]
    assert [(one["grade"], one["how"]) for one in tried] == grades
    for one in tried:
        digests = [run["observations_sha256"] for run in one["runs"]]
        runs = [bound(private.read(tmp_path / "private", digest), digest) for digest in digests]
        again = regrade(outcome.suite, runs)
        found = (str(again.how), again.first_failing_case) if isinstance(again, Failed) else (None, None)
        assert (word_of(again), *found) == (one["grade"], one["how"], one["first_failing_case"])
