"""`assay suite gauge` and `assay suite strength`: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.in_process import InProcess

from assay.api import gauging
from assay.sandbox.base import SandboxUnavailable

TWO = [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a suite that tells, one that does not, programs; and a sandbox that is none."""
    monkeypatch.setattr(gauging, "open_slot", lambda *_: InProcess())
    for name, cases in (("s.json", TWO), ("weak.json", TWO[:1])):
        document = {"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "add", "cases": cases}
        (tmp_path / name).write_text(json.dumps(document))
    (tmp_path / "right.py").write_text("def add(a, b):\n    if a == 9:\n        return 0\n    return a + b\n")
    (tmp_path / "wrong.py").write_text("def add(a, b):\n    return a * b\n")
    return tmp_path


def options(files: Path, suite: str = "s.json", reference: str = "right.py") -> list[str]:
    return ["--suite", str(files / suite), "--entry-point", "add", "--reference", str(files / reference)]


def test_a_gauge_that_holds(call: Any, files: Path) -> None:
    found = call("suite", "gauge", *options(files), "--stub", str(files / "wrong.py"))
    lines = found.out.splitlines()
    assert (found.code, found.err) == (0, "")
    assert lines[1].split() == [str(files / "right.py"), "passed,", "twice"]
    assert [line.split()[1] for line in lines[2:-1]] == [
        "nothing", "first", "raises", "constant", str(files / "wrong.py")
    ]  # fmt: skip
    (document,) = call("suite", "gauge", *options(files), "--stub", str(files / "wrong.py"), "--json").documents
    assert lines[-1] == f"HOLDS (gauge_sha256 {document['gauge_sha256']})"
    assert (document["holds"], document["faults"], len(document["stubs"])) == (True, [], 5)


def test_a_gauge_that_does_not_hold(call: Any, files: Path) -> None:
    found = call("suite", "gauge", *options(files, "weak.json"))
    assert found.code == 3
    assert "the stub `constant` passes: this suite cannot tell it from a right one\nDOES NOT HOLD" in found.out
    found = call("suite", "gauge", *options(files, reference="wrong.py"), "--json")
    assert found.code == 3
    assert found.documents[0]["faults"] == ["the reference does not pass: failed, wrong_value at case index 0"]


def test_strength_shows_who_survived(call: Any, files: Path) -> None:
    found = call("suite", "strength", *options(files))
    assert found.code == 0
    assert "-    if a == 9:\n+    if a == 10:\n" in found.out
    assert found.out.endswith("2 cases, 2 distinct inputs\n3 of 8 mutants killed, 5 survived, of 8 possible changes\n")
    (document,) = call("suite", "strength", *options(files), "--most", "4", "--json").documents
    assert (document["generated"], document["possible"]) == (4, 8)
    assert document["killed"] + document["survived"] == 4
    assert len(document["survivors"]) == document["survived"]


def test_strength_that_cannot_be_measured(call: Any, files: Path) -> None:
    found = call("suite", "strength", *options(files, reference="wrong.py"))
    assert found.code == 3
    assert found.out.endswith("not measured: the source does not pass with 1 s of CPU: wrong_value\n")
    assert call("suite", "strength", *options(files, reference="wrong.py"), "--json").code == 3


@pytest.mark.parametrize("command", ["gauge", "strength"])
def test_our_own_fault_and_what_cannot_be_read(
    call: Any, files: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    assert call("suite", command, *options(files, reference="none.py")).code == 2
    assert call("suite", command, *options(files, suite="right.py")).code == 2
    assert call("suite", command, *options(files)[:2], *options(files)[4:]).code == 2
    (files / "long.py").write_bytes(b"#" * (1 << 20) + b"\n")
    found = call("suite", command, *options(files, reference="long.py"))
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "more than 1 MiB" in found.err

    def refuse(*_: object) -> None:
        raise SandboxUnavailable("sandbox.level", "this machine has none")

    monkeypatch.setattr(gauging, "open_slot", refuse)
    found = call("suite", command, *options(files))
    assert (found.code, found.out, found.err) == (1, "", "error: this machine has none\n")
