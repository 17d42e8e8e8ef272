"""Strength: killed over generated, survivors as diffs, and when nothing is measured (spec/suite.md §10)."""

from __future__ import annotations

import json

import pytest
from tests.support.in_process import InProcess

from assay.gate.deliver import Bench
from assay.gate.strength import CPU_S, DELIVERED, Strength, strength
from assay.kernel.canonical import canonical
from assay.sandbox import base
from assay.suite.spec import SuiteSpec
from assay.wire.suites import parse_suite

LESS = b"def f(a, b):\n    # says\n    return a < b\n"


def suite(*cases: tuple[str, str]) -> SuiteSpec:
    found = [{"args": asked, "returns": expected} for asked, expected in cases]
    return parse_suite(
        json.dumps({"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": found}), "f"
    )


WEAK = suite(("(1, 2)", "True"), ("(1, 2)", "True"))
STRONG = suite(("(1, 2)", "True"), ("(2, 2)", "False"))


def test_a_weak_suite_lets_a_mutant_live_and_shows_it() -> None:
    found = strength(WEAK, LESS, Bench(InProcess), base.Limits())
    assert (found.of, found.killed, found.generated, found.possible) == ("reference", 2, 3, 3)
    assert (found.cases, found.distinct_inputs, found.reason) == (2, 1, "")
    assert found.survivors == (
        "--- source\n+++ survived\n@@ -1,2 +1,2 @@\n def f(a, b):\n-    return a < b\n+    return a <= b",
    )


def test_a_strong_one_kills_them_all() -> None:
    found = strength(STRONG, LESS, Bench(InProcess), base.Limits(), of=DELIVERED)
    assert (found.of, found.killed, found.generated, found.survivors) == ("delivered", 3, 3, ())


def test_the_record_is_for_a_receipt() -> None:
    found = strength(WEAK, LESS, Bench(InProcess), base.Limits())
    assert found.document() == {
        "of": "reference", "source_sha256": found.source_sha256, "cases": 2, "distinct_inputs": 1, "generated": 3,
        "killed": 2, "survived": 1, "possible": 3, "reason": "",
    }  # fmt: skip
    canonical(found.document())


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        pytest.param(b"def f(:", "the source is no program that can be parsed here: SyntaxError", id="no program"),
        pytest.param(b"def f(a, b):\n    return None\n", "the source does not pass with 1 s of CPU: wrong_value",
                     id="wrong"),
        pytest.param(b"from operator import lt as f\n", "the source has no mutants", id="nothing to change"),
    ],
)  # fmt: skip
def test_what_cannot_be_measured_has_a_reason_and_no_figure(source: bytes, reason: str) -> None:
    found = strength(STRONG, source, Bench(InProcess), base.Limits())
    assert (found.reason, found.generated, found.killed, found.survivors) == (reason, 0, 0, ())


def test_each_runs_once_with_one_second_and_at_most_so_many_do() -> None:
    sandbox, steps = InProcess(), list[tuple[int, int]]()
    found = strength(
        STRONG, LESS, Bench(lambda: sandbox), base.Limits(), most=2, on_step=lambda *step: steps.append(step)
    )
    assert (found.generated, found.possible, len(sandbox.sources)) == (2, 3, 3)
    assert {one.cpu_s for one in sandbox.limits} == {CPU_S}
    assert steps == [(0, 2), (1, 2), (2, 2)]
    # The first is the source as it is written out: what the mutants differ from.
    assert sandbox.sources[0] == b"def f(a, b):\n    return a < b"


def test_a_program_is_measured_as_one() -> None:
    cases = [{"stdin": "1 2", "stdout": ["3"]}, {"stdin": "1 1", "stdout": ["2"]}]
    spec = parse_suite(json.dumps({"suite": "assay.suite/1", "dialect": "stdin-stdout/1", "cases": cases}))
    source = b"if __name__ == '__main__':\n    a, b = map(int, input().split())\n    print(a + b)\n"
    found = strength(spec, source, Bench(InProcess), base.Limits())
    assert (found.generated, found.killed, found.distinct_inputs) == (5, 5, 2)


def test_a_fault_of_ours_is_no_figure() -> None:
    with pytest.raises(base.SandboxUnavailable):
        strength(STRONG, LESS, Bench(lambda: InProcess(faults=2)), base.Limits())


def test_no_default_says_that_something_was_measured() -> None:
    assert (Strength("reference", "0", 1, 1).generated, Strength("reference", "0", 1, 1).survivors) == (0, ())
