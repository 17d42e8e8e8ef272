"""`assay suite commit`, `assay gate check --commitment`: the gauge was there before the candidates, or nothing runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.in_process import InProcess

from assay.api import binding, committing, gating, gauging, logs
from assay.kernel.canonical import canonical
from assay.ledger import log, private
from assay.receipts.commitment import BEFORE, Opening, Revealed, check_commitment, commitment_statement
from assay.suite.render import suite_sha256

CASES = [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for module in (gauging, gating):
        monkeypatch.setattr(module, "open_slot", lambda *_: InProcess())
    for name, cases in (("s.json", CASES), ("other.json", [*CASES, CASES[0]]), ("weak.json", CASES[:1])):
        document = {"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "add", "cases": cases}
        (tmp_path / name).write_text(json.dumps(document))
    (tmp_path / "right.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "also.py").write_text("def add(a, b):\n    return b + a\n")
    return tmp_path


def given(files: Path, suite: str = "s.json", reference: str = "right.py") -> list[str]:
    return [
        *("--suite", str(files / suite), "--entry-point", "add", "--reference", str(files / reference)),
        *("--receipts", str(files / "receipts")),
    ]


def commit(call: Any, files: Path, **changed: str) -> dict[str, Any]:
    (document,) = call("suite", "commit", *given(files, **changed), "--json").documents
    return dict(document)


def check(call: Any, files: Path, *more: str, **changed: str) -> Any:
    return call("gate", "check", *given(files, **changed), "--candidate", str(files / "also.py"), *more)


def statement(files: Path, index: int) -> dict[str, Any]:
    return dict(json.loads(logs.entry(files / "receipts", index)))


@pytest.mark.parametrize("by", ["index", "commitment_sha256"])
def test_committed_then_revealed(call: Any, files: Path, by: str) -> None:
    made = commit(call, files)
    entry = statement(files, 0)
    assert (made["index"], entry["predicate"]) == (0, {})
    found = check(call, files, "--commitment", str(made[by]))
    assert found.code == 0, found.err
    delivered = statement(files, 1)
    assert delivered["predicate"]["commitment"]["index"] == 0
    assert delivered["predicate"]["commitment"]["sha256"] == made["commitment_sha256"]
    assert check_commitment(delivered, 1, entry) == BEFORE


def test_for_people(call: Any, files: Path) -> None:
    found = call("suite", "commit", *given(files))
    assert found.code == 0
    first, second = found.out.splitlines()
    assert first.startswith("commitment 0 of assay/")
    assert first.endswith(" (unsigned)")
    assert second.startswith(f"what opens it: {files}/receipts/private/")
    assert oct((Path(second.partition(": ")[2])).stat().st_mode & 0o777) == "0o600"


def code_of(found: Any) -> tuple[int, str]:
    return found.code, found.documents[-1]["error"]["code"]


def test_another_gauge_runs_no_candidate(call: Any, files: Path) -> None:
    commit(call, files)
    found = check(call, files, "--commitment", "0", "--json", reference="also.py")
    assert code_of(found) == (2, "commitment.gauge")
    assert logs.checkpoint(files / "receipts").head.size == 1


def test_what_is_no_such_commitment(call: Any, files: Path) -> None:
    made = commit(call, files)
    assert check(call, files).code == 0
    assert code_of(check(call, files, "--commitment", "0", "--json", suite="other.json")) == (2, "commitment.suite")
    assert code_of(check(call, files, "--commitment", "1", "--json")) == (2, "commitment.none")
    assert code_of(check(call, files, "--commitment", "2", "--json")) == (2, "log.index")
    assert code_of(check(call, files, "--commitment", "f" * 64, "--json")) == (2, "commitment.none")
    private = files / "receipts" / "private" / f"{made['commitment_sha256']}.json"
    private.unlink()
    assert code_of(check(call, files, "--commitment", "0", "--json")) == (2, "private.missing")


def test_it_needs_the_log_and_the_reference(call: Any, files: Path) -> None:
    commit(call, files)
    bare = ["--suite", str(files / "s.json"), "--entry-point", "add", "--candidate", str(files / "also.py")]
    assert call("gate", "check", *bare, "--commitment", "0").code == 2
    assert call("gate", "check", *bare, "--commitment", "0", "--receipts", str(files / "receipts")).code == 2


def test_a_gauge_that_does_not_hold_is_not_committed_to(call: Any, files: Path) -> None:
    found = call("suite", "commit", *given(files, suite="weak.json"), "--json")
    assert code_of(found) == (2, "suite.gauge")
    assert not (files / "receipts" / "checkpoint").exists()


@pytest.mark.parametrize("data", [b'{"nonce":"zz","suite_sha256":"","entry_point":"","gauge_sha256":""}', b"[]"])
def test_a_private_file_that_opens_nothing(call: Any, files: Path, data: bytes) -> None:
    digest = private.keep(files / "receipts" / "private", data)
    logs.begin(files / "receipts")
    log.append(files / "receipts", b"no receipt")
    log.append(files / "receipts", canonical(commitment_statement(digest)))
    assert code_of(check(call, files, "--commitment", digest, "--json")) == (2, "commitment.none")


def test_a_void_reveals_nothing(files: Path) -> None:
    suite = binding.suite_of((files / "s.json").read_text(), "add", None)[0]
    made = gating.check((files / "s.json").read_text(), "add", [b"def add(a, b):\n    return a + b\n"])
    opening = Opening(bytes(32), suite_sha256(suite), "add", "0" * 64)
    assert committing.reveal(made, Revealed(opening, "example.org/log", 0)) == made
