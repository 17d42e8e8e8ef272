"""Gauge and strength with the real sandbox of this machine."""

from __future__ import annotations

import json

from tests.support.sandbox_here import needs_sandbox

from assay.api import gauging

SUITE = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "python-call/1",
        "entry_point": "upto",
        "cases": [{"args": "(3,)", "returns": "[0, 1, 2]"}, {"args": "(0,)", "returns": "[]"}],
    }
)
PROGRAMS = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "stdin-stdout/1",
        "cases": [{"stdin": "3\n", "stdout": ["6"]}, {"stdin": "4\n", "stdout": ["8"]}],
    }
)
UPTO = b"""
def upto(n):
    found = []
    at = 0
    while at < n:
        found.append(at)
        at += 1
    return found
"""
DOUBLE = b"print(2 * int(input()))\n"


pytestmark = needs_sandbox


def test_a_suite_of_calls() -> None:
    found = gauging.gauge_suite(SUITE, "upto", UPTO, [("bad.py", b"def upto(n):\n    return list(range(n + 1))\n")])
    assert found.holds, found.faults
    # Without its step the loop has no end: one second of CPU, and the mutant is killed.
    measured = gauging.suite_strength(SUITE, "upto", UPTO)
    assert (measured.killed, measured.reason) == (measured.generated, "")


def test_a_suite_of_programs() -> None:
    found = gauging.gauge_suite(PROGRAMS, None, DOUBLE)
    assert found.holds, found.faults
    measured = gauging.suite_strength(PROGRAMS, None, DOUBLE)
    assert (measured.killed, measured.generated) == (4, 4)


def test_a_candidate_that_ends_itself_is_a_bad_reference_and_no_fault_of_ours() -> None:
    found = gauging.gauge_suite(SUITE, "upto", b"import os\n\ndef upto(n):\n    os._exit(0)\n")
    assert not found.holds
    assert found.faults[0].startswith("the reference does not pass: failed, exit")
