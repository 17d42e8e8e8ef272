"""`assay suite`: digests, lines to read, conversion of a bank; and what each refuses, in one line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from assay.api.suites import file_name
from assay.suite.reading import lines
from assay.wire.suites import parse_suite

SUITE: dict[str, Any] = {
    "suite": "assay.suite/1",
    "dialect": "python-call/1",
    "entry_point": "f",
    "preamble": "import math\n",
    "cases": [
        {"args": "(1,)", "kwargs": "{'k': 'two'}", "returns": "1"},
        {"args": "()", "raises": "ValueError"},
        {"args": "([2, 1],)", "args_after": "([1, 2],)", "equality": "python"},
        {"args": "(0,)", "returns": "True", "project": "truth"},
        {"args": "(2,)", "returns": "0.5", "equality": {"approx": {"abs": "1e-6", "rel": "0", "same_type": True}}},
    ],
}
PROGRAM = {
    "suite": "assay.suite/1",
    "dialect": "stdin-stdout/1",
    "cases": [{"stdin": "1\n", "stdout": ["2", "two"]}],
}


def written(folder: Path, document: object) -> str:
    path = folder / "S.json"
    path.write_text(json.dumps(document))
    return str(path)


def test_every_sort_of_case_reads_as_one_line() -> None:
    assert lines(parse_suite(json.dumps(SUITE), "f")) == [
        "python-call/1: 5 cases of `f`",
        "in front of each candidate:",
        "  | import math",
        "0. f(1, k='two') is 1 [typed]",
        "1. f() raises ValueError",
        "2. f([2, 1]) leaves its arguments as ([1, 2],) [python]",
        "3. truth of f(0) is True [typed]",
        "4. f(2) is 0.5 [within 1e-6, same type]",
    ]
    assert lines(parse_suite(json.dumps(PROGRAM))) == [
        "stdin-stdout/1: 1 case of the program",
        "0. input '1\\n' prints '2' or 'two' [lines]",
    ]


def test_digests_do_not_depend_on_typing(call: Any, tmp_path: Path) -> None:
    found = call("suite", "digest", written(tmp_path, SUITE), "--json").documents
    spaced = json.loads(json.dumps(SUITE).replace("([1, 2],)", "([1,2] , )"))
    assert call("suite", "digest", written(tmp_path, spaced), "--json").documents == found
    assert list(found[0]) == ["suite_sha256", "program_sha256", "checks_sha256"]
    out = call("suite", "digest", written(tmp_path, SUITE)).out
    assert [line.split() for line in out.splitlines()] == [[name, value] for name, value in found[0].items()]


def test_a_suite_is_shown_for_reading(call: Any, tmp_path: Path) -> None:
    name = written(tmp_path, PROGRAM)
    assert call("suite", "render", name, "--as", "text").out.splitlines()[0] == "stdin-stdout/1: 1 case of the program"
    assert call("suite", "render", name, "--json").documents[0]["lines"][1].startswith("0. input '1\\n'")


@pytest.mark.parametrize("command", ["digest", "render"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(None, "no such file or directory", id="no file"),
        pytest.param("def test(): pass", "the suite is program text", id="program text"),
        pytest.param('{"suite":"assay.suite/1","dialect":"python-call/1","entry_point":"f","cases":[]}', "0 cases",
                     id="empty"),
    ],
)  # fmt: skip
def test_what_is_no_suite_is_one_line(call: Any, tmp_path: Path, command: str, text: str | None, line: str) -> None:
    path = tmp_path / "S.json"
    if text is not None:
        path.write_text(text)
    found = call("suite", command, str(path))
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert line in found.err


def test_a_built_in_s_name_needs_the_task(call: Any, tmp_path: Path) -> None:
    name = written(tmp_path, SUITE | {"entry_point": "sum"})
    assert call("suite", "digest", name).code == 2
    assert call("suite", "digest", name, "--entry-point", "sum").code == 0


def task(number: object, **more: object) -> dict[str, object]:
    case = {"a": "(1,)", "e": "1"}
    return {
        "id": f"T/{number}", "bank": "t", "dialect": "call", "entry_point": "f",
        "prompt": "import math\ndef f(x):\n", "visible": [case], "hidden": [case],
    } | more  # fmt: skip


def bank(folder: Path, *tasks: object) -> str:
    path = folder / "bank.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(one) + "\n" for one in tasks).encode()))
    return str(path)


def test_a_bank_becomes_suites_that_the_gate_reads(call: Any, tmp_path: Path) -> None:
    name = bank(
        tmp_path,
        task(0),
        task(1, visible=[]),
        task(2, visible=[{"a": "(1,)", "e": "1", "k": "poly_root"}]),
        task(3, dialect="stdin", visible=[{"stdin": "", "e": [1]}], hidden=[]),
        task(4, visible=[{"a": "(1,)", "e": "1"}] * 2001),
    )
    out = tmp_path / "out"
    found = call("suite", "from-bank", name, "--out", str(out), "--preamble", "prompt", "--json")
    (document,) = found.documents
    assert (found.code, document["tasks"], document["suites"], document["typed_output"]) == (0, 5, 2, 1)
    assert [one["id"] for one in document["no_suite"]] == ["T/1", "T/2", "T/4"]
    assert sorted(path.name for path in out.iterdir()) == ["T_0.json", "T_3.json"]
    assert parse_suite((out / "T_0.json").read_bytes(), "f").preamble == "import math\n"
    text = call("suite", "from-bank", name, "--out", str(out)).out.splitlines()
    assert text[0] == "no suite: T/1: no visible case"
    assert text[-2:] == [f"2 suites of 5 tasks in {out}", "typed_output: 1 task with outputs that are not text"]
    assert parse_suite((out / "T_0.json").read_bytes(), "f").preamble == ""


def test_half_a_character_is_listed_and_not_written(call: Any, tmp_path: Path) -> None:
    name = bank(tmp_path, task(0, prompt="\ud800\ndef f(x):\n"))
    found = call("suite", "from-bank", name, "--out", str(tmp_path / "out"), "--preamble", "prompt", "--json")
    assert [one["id"] for one in found.documents[0]["no_suite"]] == ["T/0"]
    assert not (tmp_path / "out").exists()


def test_what_is_no_bank_is_one_line(call: Any, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    for tasks, line in (
        ((), "no such file or directory"),
        ((1,), "line 1"),
        ((task("a b"), task("a_b")), "have one file name"),
    ):
        name = bank(tmp_path, *tasks) if tasks else str(tmp_path / "gone")
        found = call("suite", "from-bank", name, "--out", out)
        assert (found.code, found.err.count("\n")) == (2, 1)
        assert line in found.err


def test_a_folder_that_cannot_be_made_is_a_fault(call: Any, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    found = call("suite", "from-bank", bank(tmp_path, task(0)), "--out", str(tmp_path / "out" / "in"))
    assert (found.code, found.err.count("\n")) == (1, 1)


@pytest.mark.parametrize(
    ("task_id", "name"),
    [
        ("HumanEval/0", "HumanEval_0.json"),
        ("../../etc/passwd", "_.._.._etc_passwd.json"),
        ("", "_.json"),
        ("é\n", "__.json"),
    ],
)
def test_the_name_of_a_file_is_plain(task_id: str, name: str) -> None:
    assert file_name(task_id) == name
