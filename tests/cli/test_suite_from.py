"""`assay suite from-asserts` from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assay.suite.spec import VERSION

GOOD = "assert f(1) == 1\nassert True\n"
MIXED = "assert f(1) == 1\nassert f(2) != 1\n"


def file(folder: Path, text: str) -> str:
    path = folder / "test_f.py"
    path.write_text(text)
    return str(path)


def test_all_converted(call: Any, tmp_path: Path) -> None:
    out = tmp_path / "S.json"
    found = call("suite", "from-asserts", file(tmp_path, GOOD), "--out", str(out))
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines() == [
        "line 2: checks nothing: assert True",
        f"1 case of `f` in {out}; 0 assertions not converted",
    ]
    assert json.loads(out.read_text())["cases"] == [{"args": "(1,)", "returns": "1", "equality": "python"}]
    assert call("suite", "digest", str(out)).code == 0


def test_some_not_converted(call: Any, tmp_path: Path) -> None:
    out = tmp_path / "S.json"
    found = call("suite", "from-asserts", file(tmp_path, MIXED), "--out", str(out), "--json")
    (document,) = found.documents
    assert (found.code, document["cases"], document["entry_point"], document["suite"]) == (3, 1, "f", None)
    reason = "only `==`, `is` and `abs(… - …) <` have a counterpart"
    assert document["not_converted"] == [{"line": 2, "text": "assert f(2) != 1", "reason": reason}]
    assert (document["checks_nothing"], document["out"]) == ([], str(out))
    assert out.exists()


def test_a_suite_on_standard_output_stands_alone(call: Any, tmp_path: Path) -> None:
    found = call("suite", "from-asserts", file(tmp_path, MIXED))
    assert found.code == 3
    assert json.loads(found.out)["suite"] == VERSION
    assert [line.partition(":")[0] for line in found.err.splitlines()] == [
        "line 2",
        "1 case of `f`; 1 assertion not converted",
    ]
    (document,) = call("suite", "from-asserts", file(tmp_path, MIXED), "--json").documents
    assert json.loads(document["suite"]) == json.loads(found.out)


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_nothing_converted_is_no_suite(call: Any, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = tmp_path / "S.json"
    found = call("suite", "from-asserts", file(tmp_path, "assert f(2) != 1\n"), "--out", str(out), *arguments)
    assert (found.code, found.err.count("\n"), out.exists()) == (2, 1, False)
    assert "of 1 assertion none became a case" in found.err
    if arguments:
        assert found.documents[0]["not_converted"][0]["line"] == 1
    else:
        assert found.out.splitlines()[-1] == "no suite; 1 assertion not converted"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("assert", "line 1: "),
        ("assert f(1) == 1\nassert g(1) == 1\n", "name the function with `--entry-point`"),
        ("assert __import__(1) == 1\n", "no keyword, no two leading underscores"),
        ("assert f(1) == 1\n" * 2001, "at most 2,000 cases"),
    ],
)
def test_what_is_refused_is_one_line(call: Any, tmp_path: Path, text: str, line: str) -> None:
    found = call("suite", "from-asserts", file(tmp_path, text))
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert line in found.err


def test_files_that_cannot_be_read_or_written(call: Any, tmp_path: Path) -> None:
    assert call("suite", "from-asserts", str(tmp_path / "gone.py")).code == 2
    assert call("suite", "from-asserts", file(tmp_path, GOOD), "--out", str(tmp_path)).code == 2
