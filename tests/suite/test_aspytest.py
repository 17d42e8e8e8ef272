"""The rendering for the eye says what the suite says: run by hand, it passes a right function and fails a wrong one."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from assay.suite.aspytest import pytest_lines
from assay.suite.literals import read
from assay.wire.suites import parse_suite

APPROX = {"approx": {"abs": "0.5", "rel": "0.1", "same_type": True}}
HARD = "'a\\'\"\\n\\x00\\u2028\\U0001f600\\ud800'"
RIGHT = """
import json
TABLE = eval(open("table.txt").read(), {"nan": float("nan"), "inf": float("inf")})
class Odd(Exception):
    pass
def f(key, *rest, **named):
    if key == "raise":
        raise KeyError(key)
    if key == "sort":
        rest[0].sort()
        return None
    if key == "named":
        return named["k"]
    return TABLE[key]
"""
WRONG = RIGHT.replace("KeyError(key)", "Odd").replace(".sort()", ".pop()").replace("named[", "-named[")
CASES: list[tuple[dict[str, Any], str, str]] = [
    # a case, what a right function gives, what a wrong one gives
    ({"returns": "1"}, "1", "True"),
    ({"returns": "[1, (2.0, None)]"}, "[1, (2.0, None)]", "[1, [2.0, None]]"),
    ({"returns": "-0.0"}, "-0.0", "0.0"),
    ({"returns": "nan"}, "nan", "1.0"),
    ({"returns": "-0.0-2j"}, "complex(-0.0, -2)", "complex(0.0, -2)"),
    ({"returns": "1e999-0.0j"}, "complex(inf, -0.0)", "complex(inf, 0.0)"),
    ({"returns": "{'b': 1, 'a': [2]}"}, "{'a': [2], 'b': 1}", "{'a': [2], 'b': True}"),
    ({"returns": "{1, 2}"}, "{2, 1}", "{2, 1.0}"),
    ({"returns": "frozenset()"}, "frozenset()", "set()"),
    ({"returns": "set()"}, "set()", "{1}"),
    ({"returns": "frozenset({1})"}, "frozenset({1})", "frozenset({2})"),
    ({"returns": HARD}, HARD, "''"),
    ({"returns": "b'\\x00\\''"}, "b'\\x00\\''", "b''"),
    ({"returns": "0x" + "f" * 4000}, "int('f' * 4000, 16)", "1"),
    ({"returns": "True", "equality": "python"}, "1", "2"),
    ({"returns": "1.0", "equality": APPROX}, "1.5", "2.0"),
    ({"returns": "[1, {'a': 2}]", "equality": APPROX}, "[1.5, {'a': 2.5}]", "[1, {'a': 3}]"),
    ({"returns": "(1, 'a')", "equality": APPROX}, "(1, 'a')", "(1, 'b')"),
    ({"returns": "[1, 1, 2]", "equality": "as_set"}, "(2, 1)", "[1]"),
    ({"returns": "[1, 1, 2]", "equality": "multiset"}, "(1, 2, 1)", "(1, 2)"),
    ({"returns": "[1, 1, 2]", "equality": "multiset"}, "[1, 1, 2]", "(1, 2, 3)"),
    ({"returns": "True", "project": "truth"}, "[1]", "[]"),
    ({"returns": "True", "project": "found"}, "0", "None"),
    ({"returns": "False", "project": "is_none"}, "0", "None"),
    ({"returns": "'list'", "project": "type_name"}, "[]", "()"),
    ({"returns": "2", "project": "length"}, "[1, 2]", "[1]"),
]


def suite(*cases: dict[str, Any], **more: Any) -> str:
    return json.dumps(
        {"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": list(cases), **more}
    )


def tried(folder: Path, document: str, code: str) -> tuple[int, int]:
    """Return how many tests passed and failed."""
    (folder / "test_suite.py").write_text("\n".join(pytest_lines(parse_suite(document))) + "\n", encoding="utf-8")
    (folder / "candidate.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), "--tb=no"]
    done = subprocess.run([*command, "test_suite.py"], cwd=folder, capture_output=True, text=True, check=False)
    last = done.stdout.strip().splitlines()[-1].split()
    counts = {word.strip(","): int(number) for number, word in pairwise(last) if number.isdigit()}
    assert done.returncode in {0, 1}, done.stdout
    return counts.get("passed", 0), counts.get("failed", 0)


def test_a_right_function_passes_and_a_wrong_one_fails_every_case(tmp_path: Path) -> None:
    cases: list[dict[str, Any]] = [{"args": f"({at},)"} | case for at, (case, _, _) in enumerate(CASES)]
    cases.append({"args": "('raise',)", "raises": "LookupError"})
    cases.append({"args": "('sort', [2, 1])", "args_after": "('sort', [1, 2])"})
    cases.append({"args": "('named',)", "kwargs": "{'k': 3}", "returns": "3"})
    document = suite(*cases, preamble="import math\n\x0c# \x1b '''\n")
    for table, code, wanted in (
        ([right for _, right, _ in CASES], RIGHT, (len(cases), 0)),
        ([wrong for _, _, wrong in CASES], WRONG, (0, len(cases))),
    ):
        (tmp_path / "table.txt").write_text(f"[{', '.join(table)}]")
        assert tried(tmp_path, document, code) == wanted


def test_a_program_is_run_on_each_input(tmp_path: Path) -> None:
    document = json.dumps(
        {"suite": "assay.suite/1", "dialect": "stdin-stdout/1", "cases": [
            {"stdin": "1 \u00e9\n", "stdout": ["2", "\u00e9\r\nb"]},
            {"stdin": "", "stdout": ["a  b"], "equality": "tokens"},
        ]}
    )  # fmt: skip
    good = "import sys\ntext = sys.stdin.buffer.read().decode()\nprint('a b' if not text else '2 ')\n"
    assert tried(tmp_path, document, good) == (2, 0)
    assert tried(tmp_path, document, good.replace("'2 '", "'3'").replace("a b", "ab")) == (0, 2)
    assert tried(tmp_path, document, good + "sys.exit(1)\n") == (0, 2)


def test_the_file_says_that_the_gate_never_runs_it() -> None:
    found = pytest_lines(parse_suite(suite({"args": "(1,)", "returns": "1"}, preamble="import math\n")))
    assert "The gate never runs this file" in found[0]
    assert found[2:4] == ["# The gate puts these lines in front of the code:", "#   | import math"]
    assert "    assert typed(candidate.f(*args, **kwargs), expected)" in found
    assert '        pytest.param((1,), {}, 1, id="0"),' in found
    assert all(line.isprintable() for line in found)
    assert not any("nan" in line for line in found)
    assert read("(1,)") == ("t", (("i", "1"),))


@pytest.mark.parametrize("form", ["text", "pytest"])
def test_render_prints_either(tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    from assay.interfaces.cli.app import run  # noqa: PLC0415 - the one test of the command

    (tmp_path / "S.json").write_text(suite({"args": "(1,)", "returns": "1"}))
    assert run(["suite", "render", str(tmp_path / "S.json"), "--as", form, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["as"] == form
