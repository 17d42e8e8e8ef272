"""The walk with a gauge before it and a measuring after it (spec/suite.md §10; docs/adr/0028)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from tests.support.in_process import InProcess

from assay.gate.deliver import Bench, Void
from assay.gate.stubs import Stub
from assay.gate.trust import NOT_MEASURED, Trust, Walked, walk
from assay.kernel.canonical import canonical
from assay.kernel.first_pass import Delivered, Refused
from assay.sandbox import base
from assay.suite.refusals import InvalidSuite
from assay.wire.suites import parse_suite

CASES = [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}]
SUITE, WEAK = (
    parse_suite(
        json.dumps({"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": cases}), "f"
    )
    for cases in (CASES, CASES[:1])
)
RIGHT, WRONG = b"def f(a, b):\n    return a + b\n", b"def f(a, b):\n    return a * b\n"


class Failing(InProcess):
    """A sandbox that fails us from the run with this number on."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def run(
        self, candidate: base.Candidate, program: base.Program, limits: base.Limits, *, again: bool = False
    ) -> base.RunReport:
        if len(self.sources) >= self.after:
            raise base.SandboxUnavailable("sandbox.start", "no process could be started")
        return super().run(candidate, program, limits, again=again)


def walked(
    trust: Trust, *candidates: bytes, opened: Callable[[], base.Sandbox] = InProcess, weak: bool = False
) -> tuple[Walked, list[bytes], list[tuple[str, int, int]]]:
    drawn: list[bytes] = []
    steps: list[tuple[str, int, int]] = []

    def draw() -> Iterator[bytes]:
        for candidate in candidates:
            drawn.append(candidate)
            yield candidate

    found = walk(
        WEAK if weak else SUITE,
        draw(),
        Bench(opened),
        base.Limits(),
        trust=trust,
        on_step=lambda *step: steps.append(step),
    )
    return found, drawn, steps


def test_without_a_reference_nothing_is_said_of_the_suite() -> None:
    found, _, steps = walked(Trust(), RIGHT)
    assert (found.gauge, found.strength, steps) == ("not run (no reference)", NOT_MEASURED, [])
    assert isinstance(found.delivery.outcome, Delivered)


def test_a_gauge_that_holds_stands_with_its_digest() -> None:
    found, _, steps = walked(Trust(RIGHT, (Stub("bad.py", WRONG),)), WRONG)
    assert isinstance(found.delivery.outcome, Refused)
    assert isinstance(found.gauge, dict)
    assert (found.gauge["holds"], len(str(found.gauge["gauge_sha256"]))) == (True, 64)
    assert {what for what, _, _ in steps} == {"gauging"}
    canonical(found.gauge)


@pytest.mark.parametrize(
    ("trust", "weak"),
    [
        pytest.param(Trust(RIGHT), True, id="a weak suite"),
        pytest.param(Trust(WRONG), False, id="a wrong reference"),
        pytest.param(Trust(RIGHT, (Stub("good.py", RIGHT),)), False, id="a stub that is right"),
    ],
)
def test_a_suite_whose_gauge_does_not_hold_is_refused_before_a_candidate_is_drawn(trust: Trust, *, weak: bool) -> None:
    def draw() -> Iterator[bytes]:
        yield pytest.fail("a candidate was drawn")

    with pytest.raises(InvalidSuite) as caught:
        walk(WEAK if weak else SUITE, draw(), Bench(InProcess), base.Limits(), trust=trust)
    assert caught.value.code == "suite.gauge"


def test_strength_of_the_reference_else_of_what_was_delivered() -> None:
    found, _, steps = walked(Trust(RIGHT, is_measured=True), WRONG)
    assert isinstance(found.strength, dict)
    assert (found.strength["of"], found.strength["killed"], found.strength["generated"]) == ("reference", 2, 2)
    assert {what for what, _, _ in steps} == {"gauging", "mutants"}
    found, _, _ = walked(Trust(is_measured=True), WRONG, RIGHT)
    assert isinstance(found.strength, dict)
    assert (found.strength["of"], found.gauge) == ("delivered", "not run (no reference)")


def test_what_was_not_measured_has_its_reason() -> None:
    found, _, _ = walked(Trust(is_measured=True), WRONG)
    assert found.strength == "not measured (no reference, and nothing delivered)"
    found, _, _ = walked(Trust(is_measured=True), b"from operator import add as f\n")
    assert found.strength == "not measured (the source has no mutants)"


def test_our_fault_in_the_gauge_is_void_and_draws_nobody() -> None:
    found, drawn, _ = walked(Trust(RIGHT), RIGHT, opened=lambda: InProcess(faults=2))
    assert (found.delivery.outcome, found.delivery.attempts) == (Void("no process could be started"), ())
    assert (found.gauge, drawn) == ("not run (our sandbox failed)", [])


def test_our_fault_in_the_measuring_changes_no_delivery() -> None:
    # Two runs deliver; with the third, the first of the measuring, the sandbox fails, and so does the next one.
    sandbox = Failing(after=2)
    found, _, _ = walked(Trust(is_measured=True), RIGHT, opened=lambda: sandbox)
    assert isinstance(found.delivery.outcome, Delivered)
    assert found.strength == "not measured (our sandbox failed)"
