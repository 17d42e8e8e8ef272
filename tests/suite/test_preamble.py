"""A preamble runs nothing by itself: what it may hold, and every trick that would run (spec/suite.md §2)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from assay.suite.frombank import before_definition
from assay.suite.preamble import fault_of
from assay.suite.refusals import InvalidSuite
from assay.wire.suites import parse_suite

BANK = Path(__file__).resolve().parents[3] / "shared" / "data" / "banks" / "humaneval.jsonl.gz"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n \n",
        "# why\n",
        '"""Says."""\nfrom __future__ import annotations\nimport math, os.path as p\nfrom typing import List\n',
        "X = 1\nY = [1, -2.0, {'a': (None,)}]\nZ = '\\d'\n",
        "A = {1: [], (2, 'b'): {3}}\nB = --1\nC = -True\nD = +2j\nE = ...\n",
        "def g(a: int, /, b: List[int] = -1, *c: t.Any, d=(), e, **k) -> 'x':\n    import sys\n    return sys.argv\n",
    ],
)
def test_what_does_nothing_by_itself_may_stand_there(text: str) -> None:
    assert fault_of(text, "f") == ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("import math", "it does not end with a line feed"),
        ("# swallow the candidate's first line: ", "it does not end with a line feed"),
        ("#" * 65_536 + "\n", "it has more than 65,536 characters"),
        ("import math\\\n", "it is no Python by itself"),
        ("x = '''\n", "it is no Python by itself"),
        ("if 1:\n", "it is no Python by itself"),
        ("x = 1\0\n", "it is no Python by itself"),
        ("x = " + "-" * 60_000 + "1\n", "it is no Python by itself"),
        ("# coding: unicode_escape\n# \\x0aimport evil\n", "it names an encoding"),
        ("\n# vim: set fileencoding=utf-7 :\n", "it names an encoding"),
        ("import math\nprint(1)\n", "line 2 does something"),
        ("'a'\n'b'\n", "line 2 does something"),
        ("class A:\n    print(1)\n", "line 1 does something"),
        ("@print\ndef g(): pass\n", "line 2 does something"),
        ("async def g(): pass\n", "line 1 does something"),
        ("x: print(1) = 1\n", "line 1 does something"),
        ("x = y = 1\n", "line 1 does something"),
        ("a.b = 1\n", "line 1 does something"),
        ("del x\n", "line 1 does something"),
        ("x = print(1)\n", "line 1 assigns what is no constant"),
        ("x = [y for y in ()]\n", "line 1 assigns what is no constant"),
        ("x = f'{print(1)}'\n", "line 1 assigns what is no constant"),
        ("def g(a=print(1)): pass\n", "line 1 has a default that is no constant"),
        ("def g(*, a=print(1)): pass\n", "line 1 has a default that is no constant"),
        ("def g(a: print(1)): pass\n", "line 1 has an annotation that computes"),
        ("def g(*a: print(1)): pass\n", "line 1 has an annotation that computes"),
        ("def g() -> print(1): pass\n", "line 1 has an annotation that computes"),
        ("from math import *\n", "line 1 imports all that a module has"),
        ("x = -'a'\n", "line 1 assigns what is no constant"),
        ("x = -(1,)\n", "line 1 assigns what is no constant"),
        ("x = +None\n", "line 1 assigns what is no constant"),
        ("x = {[]: 1}\n", "line 1 assigns what is no constant"),
        ("x = {({},)}\n", "line 1 assigns what is no constant"),
        ("x = {**1}\n", "line 1 assigns what is no constant"),
        ("x = (*1,)\n", "line 1 assigns what is no constant"),
        ("x = ~1\n", "line 1 assigns what is no constant"),
        ("def g(a=-'a'): pass\n", "line 1 has a default that is no constant"),
        ("def g(a: -'a'): pass\n", "line 1 has an annotation that computes"),
        ("import math, nosuch\n", "line 1 imports `nosuch`, which is no module of"),
        ("import this\n", "line 1 imports `this`"),
        ("import test.__main__\n", "line 1 imports `test.__main__`"),
        ("import antigravity\n", "line 1 imports `antigravity`"),
        ("from nosuch import f\n", "line 1 imports `nosuch`"),
        ("from . import math\n", "line 1 imports `.`"),
        ("from .math import pi\n", "line 1 imports `.math`"),
        ("from __future__ import nosuch\n", "it is no Python by itself"),
        ("x = 1\nfrom __future__ import annotations\n", "it is no Python by itself"),
        ("def g():\n    break\n", "it is no Python by itself"),
        ("def len(x): pass\n", "line 1 binds `len`"),
        ("import os as print\n", "line 1 binds `print`"),
        ("f = 1\n", "line 1 binds `f`"),
        ("def f(): pass\n", "line 1 binds `f`"),
        ("def __getattr__(x): pass\n", "line 1 binds `__getattr__`"),
        ("__builtins__ = {}\n", "line 1 binds `__builtins__`"),
    ],
)
def test_what_would_run_is_refused(text: str, fault: str) -> None:
    assert fault_of(text, "f").startswith(fault)
    document = {
        "suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "preamble": text,
        "cases": [{"args": "()", "returns": "1"}],
    }  # fmt: skip
    for one in (document, {"suite": "assay.suite/1", "dialect": "stdin-stdout/1", "preamble": text,
                           "cases": [{"stdin": "", "stdout": [""]}]}):  # fmt: skip
        if fault == "line 1 binds `f`" and "entry_point" not in one:
            continue
        with pytest.raises(InvalidSuite) as caught:
            parse_suite(json.dumps(one))
        assert caught.value.code == "suite.preamble"


@pytest.mark.skipif(not BANK.exists(), reason="the shared banks are not on this machine")
def test_every_prompt_of_the_bank_gives_one() -> None:
    with gzip.open(BANK, "rt", encoding="utf-8") as lines:
        tasks = [json.loads(line) for line in lines]
    found = [fault_of(before_definition(task["prompt"], task["entry_point"]), task["entry_point"]) for task in tasks]
    assert found == [""] * 164
