"""A preamble and a candidate are two pieces of one module; one that does not load is the fault of the suite."""

from collections.abc import Iterator

import pytest
from tests.sandbox.test_slot import LIMITS, call, value

from assay.kernel.grade import How
from assay.sandbox.base import Calls, Candidate, Input, Inputs, Printed, RunReport
from assay.sandbox.conformance import codec_source
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.opening import open_slot
from assay.suite.names import MODULES
from assay.suite.refusals import InvalidSuite

PREAMBLE = b"import math\ndef helper(x):\n    return x + 1\n"


@pytest.fixture(scope="module")
def slot() -> Iterator[LinuxSlot]:
    with open_slot(codec_source()) as opened:
        yield opened


def ask(slot: LinuxSlot, source: bytes, preamble: bytes = PREAMBLE) -> RunReport:
    return slot.run(Candidate(source, preamble), Calls("f", (call(0, 1),)), LIMITS)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"def f(x): return helper(x)\n", id="it calls what stands in front"),
        pytest.param(b"# coding: latin-1\ndef f(x): return 2 if '\xe9' == chr(233) else 0\n", id="cookie"),
        pytest.param(b"\xef\xbb\xbfdef f(x): return 2\n", id="byte order mark"),
        pytest.param(b"from __future__ import annotations\ndef f(x: nosuch): return 2\n", id="future"),
        pytest.param(b"'doc'\nfrom __future__ import annotations\ndef f(x): return len(__doc__) - 1\n", id="doc"),
        pytest.param(b"def helper(x): return 2\nf = helper\n", id="it binds the name anew"),
        pytest.param(b"import sys\ndef f(x): return 2 if sys.modules[__name__].helper is helper else 0\n", id="module"),
    ],
)
def test_a_candidate_behind_a_preamble_is_read_as_it_is_alone(slot: LinuxSlot, source: bytes) -> None:
    report = ask(slot, source)
    assert (report.ending.how, report.observations) == (None, (value(0, 2),))


def test_an_indented_first_line_does_not_join_the_preamble(slot: LinuxSlot) -> None:
    report = ask(slot, b"    math = None\ndef f(x): return 2\n")
    assert report.ending.how is How.LOAD_ERROR
    assert report.ending.detail.startswith("IndentationError")


def test_a_future_of_the_preamble_is_not_the_candidates(slot: LinuxSlot) -> None:
    report = ask(slot, b"def f(x: nosuch): return 2\n", b"from __future__ import annotations\n")
    assert report.ending.how is How.LOAD_ERROR
    assert report.ending.detail.startswith("NameError")


@pytest.mark.parametrize(
    ("preamble", "name"),
    [
        pytest.param(b"import nosuch\n", "ModuleNotFoundError", id="module"),
        pytest.param(b"from math import nosuch\n", "ImportError", id="name of a module"),
        pytest.param(b"x = -'a'\n", "TypeError", id="sign of a text"),
        pytest.param(b"x = {[]: 1}\n", "TypeError", id="list as key"),
        pytest.param(b"def g(x: nosuch): pass\n", "NameError", id="annotation"),
        pytest.param(b"x = (\n", "SyntaxError", id="no Python"),
    ],
)
def test_a_preamble_that_does_not_load_is_the_suites_fault(slot: LinuxSlot, preamble: bytes, name: str) -> None:
    for program in (Calls("f", (call(0, 1),)), Inputs((Input(0, b""),))):
        with pytest.raises(InvalidSuite, match=f"`preamble` raises `{name}` when it is loaded") as caught:
            slot.run(Candidate(b"def f(x): return 2\n", preamble), program, LIMITS)
        assert caught.value.code == "suite.preamble"
    assert ask(slot, b"f = helper\n").ending.how is None


@pytest.mark.parametrize("letter", ["p", "k"])
def test_a_candidate_cannot_blame_the_preamble(slot: LinuxSlot, letter: str) -> None:
    liar = (
        "import os, struct, sys\nframe = sys._getframe()\nwhile frame and 'loading' not in frame.f_locals:\n"
        "    frame = frame.f_back\nbody = b'ImportError,Exception,BaseException;ImportError'\n"
        f"os.write(3, struct.pack('<I', 17 + len(body)) + frame.f_locals['loading'] + b'{letter}' + body)\n"
        "def f(x): return 2\n"
    ).encode()
    for preamble in (PREAMBLE, b""):
        assert ask(slot, liar, preamble).ending.how is How.PROTOCOL


def test_a_program_has_a_preamble_too(slot: LinuxSlot) -> None:
    source = b"from __future__ import annotations\nif __name__ == '__main__':\n    print(helper(int(input())))\n"
    report = slot.run(Candidate(source, PREAMBLE), Inputs((Input(0, b"3"), Input(1, b"4"))), LIMITS)
    assert report.observations == (Printed(0, b"4\n", b""), Printed(1, b"5\n", b""))


def test_every_module_that_a_preamble_may_import_loads(slot: LinuxSlot) -> None:
    every = "".join(f"import {name}\n" for name in sorted(MODULES)).encode()
    report = ask(slot, b"def f(x): return 2\n", every)
    assert (report.ending.how, report.observations) == (None, (value(0, 2),))
