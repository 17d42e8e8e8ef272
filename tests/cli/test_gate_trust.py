"""`assay gate check --reference --stub --strength`, and the cases that a suite's owner should look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.in_process import InProcess

from assay.api import gating

TWO = [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}]
ODD = [*TWO, {"args": "(3, 3)", "returns": "7"}]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with suites and programs; and a sandbox that is none."""
    monkeypatch.setattr(gating, "open_slot", lambda *_: InProcess())
    for name, cases in (("s.json", TWO), ("weak.json", TWO[:1]), ("odd.json", ODD)):
        document = {"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "add", "cases": cases}
        (tmp_path / name).write_text(json.dumps(document))
    (tmp_path / "right.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "also.py").write_text("def add(a, b):\n    return b + a\n")
    (tmp_path / "wrong.py").write_text("def add(a, b):\n    return a * b\n")
    return tmp_path


def check(files: Path, suite: str, *candidates: str) -> list[str]:
    given = [part for name in candidates for part in ("--candidate", str(files / name))]
    return ["gate", "check", "--suite", str(files / suite), "--entry-point", "add", *given]


def test_the_receipt_says_what_is_known_of_the_suite(call: Any, files: Path) -> None:
    trust = ["--reference", str(files / "right.py"), "--stub", str(files / "wrong.py"), "--strength"]
    found = call(*check(files, "s.json", "also.py"), *trust, "--receipts", str(files))
    assert found.code == 0
    assert found.out.splitlines()[-4:-1] == [
        "gauge: holds, 5 known-bad stubs fail",
        "strength: 2 of 2 mutants of the reference killed, 2 distinct inputs",
        f"DELIVERED {files / 'also.py'}",
    ]
    predicate = json.loads((files / "receipts.jsonl").read_text())["predicate"]
    assert (predicate["gauge"]["holds"], predicate["gauge"]["stubs"][4]["name"]) == (True, str(files / "wrong.py"))
    assert (predicate["strength"]["killed"], predicate["strength"]["survived"]) == (2, 0)
    (document,) = call(*check(files, "s.json", "also.py"), *trust, "--json").documents
    assert (document["gauge"], document["strength"]) == (predicate["gauge"], predicate["strength"])
    assert document["check_these_cases"] == []


def test_without_them_it_says_that_nothing_is_known(call: Any, files: Path) -> None:
    (document,) = call(*check(files, "s.json", "also.py"), "--json").documents
    assert (document["gauge"], document["strength"]) == ("not run (no reference)", "not measured")
    found = call(*check(files, "s.json", "wrong.py"), "--strength")
    assert "strength: not measured (no reference, and nothing delivered)\nREFUSED\n" in found.out


def test_a_suite_that_cannot_tell_is_refused_and_leaves_nothing(call: Any, files: Path) -> None:
    found = call(
        *check(files, "weak.json", "right.py"), "--reference", str(files / "right.py"),
        "--receipts", str(files / "kept"), "--out", str(files / "out.py"), "--json",
    )  # fmt: skip
    assert found.code == 2
    assert found.documents[0]["error"]["code"] == "suite.gauge"
    assert found.err.count("\n") == 1
    assert "the stub `constant` passes" in found.err
    assert list((files / "kept").iterdir()) == []
    assert not (files / "out.py").exists()


def test_a_stub_needs_a_reference(call: Any, files: Path) -> None:
    found = call(*check(files, "s.json", "right.py"), "--stub", str(files / "wrong.py"))
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "give --reference" in found.err
    assert call(*check(files, "s.json", "right.py"), "--reference", str(files / "none.py")).code == 2


def test_the_reference_is_never_written_over(call: Any, files: Path) -> None:
    right = str(files / "right.py")
    found = call(*check(files, "s.json", "also.py"), "--reference", right, "--out", right, "--force")
    assert found.code == 2
    assert (files / "right.py").read_text().endswith("return a + b\n")


def test_a_case_that_all_fail_alike_is_shown_to_its_owner_and_to_no_model(call: Any, files: Path) -> None:
    found = call(*check(files, "odd.json", "right.py", "also.py"))
    assert found.code == 3
    line = "check case index 2 (3 of 3): every candidate that answered gave the same other answer"
    assert f"{line}\nREFUSED\n" in found.out
    assert call(*check(files, "odd.json", "right.py", "also.py"), "--json").documents[0]["check_these_cases"] == [2]
    assert "check case" not in call(*check(files, "odd.json", "right.py", "also.py"), "--for-model").out
