"""Which cases their owner should look at: all candidates gave the same wrong answer (spec/suite.md §10)."""

from __future__ import annotations

import json

import pytest
from tests.support.in_process import InProcess

from assay.gate.agreement import alike, check_these_cases
from assay.gate.deliver import Bench, deliver
from assay.kernel.equality import Lines, Python
from assay.kernel.grade import (
    UNREACHED,
    Case,
    Ended,
    Equals,
    How,
    Observation,
    Observations,
    Printed,
    Prints,
    Raised,
    Raises,
    Returned,
)
from assay.sandbox import base
from assay.wire.suites import parse_suite

ONE, TWO, TWO_AS_FLOAT, THREE = (Returned(tree) for tree in (("i", "1"), ("i", "2"), ("f", "2.0"), ("i", "3")))
DEAD = Ended(How.CPU)
ERROR = Raised(("ValueError", "Exception", "BaseException"))
IS_ONE = Equals(("i", "1"), Python())
PRINTS = Prints(("1",), Lines())


@pytest.mark.parametrize(
    ("case", "seen", "flagged"),
    [
        pytest.param(IS_ONE, [TWO, TWO], True, id="both say two"),
        pytest.param(IS_ONE, [TWO], False, id="one says nothing of the test"),
        pytest.param(IS_ONE, [TWO, THREE], False, id="they differ"),
        pytest.param(IS_ONE, [TWO, TWO_AS_FLOAT], False, id="another type is another answer"),
        pytest.param(IS_ONE, [ONE, ONE], False, id="both are right"),
        pytest.param(IS_ONE, [TWO, TWO, ONE], False, id="one is right"),
        pytest.param(IS_ONE, [TWO, DEAD, TWO, UNREACHED], True, id="who did not answer says nothing"),
        pytest.param(IS_ONE, [TWO, DEAD], False, id="one answer is not two"),
        pytest.param(IS_ONE, [TWO, TWO, ERROR], False, id="an exception is another answer"),
        pytest.param(IS_ONE, [ERROR, ERROR], False, id="and no value"),
        pytest.param(IS_ONE, [], False, id="no candidate"),
        pytest.param(Raises("ValueError"), [TWO, TWO], True, id="a value where an exception is asked"),
        pytest.param(PRINTS, [Printed(b"2\n"), Printed(b"2  ")], True, id="outputs as the case compares them"),
        pytest.param(PRINTS, [Printed(b"2\n"), Printed(b"3\n")], False, id="other outputs"),
        pytest.param(PRINTS, [Printed(b"\xff"), Printed(b"\xff")], False, id="no text"),
        pytest.param(IS_ONE, [Printed(b"2"), Printed(b"2")], False, id="no answer to such a case"),
    ],
)
def test_a_case_is_flagged(case: Case, seen: list[Observation], flagged: bool) -> None:
    tried = [(str(number), Observations((one,))) for number, one in enumerate(seen)]
    assert alike([case], tried) == ([0] if flagged else [])


def test_the_same_text_twice_is_one_candidate() -> None:
    run = Observations((TWO,))
    assert alike([IS_ONE], [("a", run), ("a", run)]) == []
    assert alike([IS_ONE], [("a", run), ("b", run)]) == [0]


def test_of_the_attempts_of_a_gate() -> None:
    cases = [{"args": "(1,)", "returns": "1"}, {"args": "(2,)", "returns": "5"}, {"args": "(3,)", "returns": "3"}]
    suite = parse_suite(
        json.dumps({"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": cases}), "f"
    )
    candidates = [b"def f(x):\n    return x\n", b"def f(x): return x + 0\n", b"def f(:"]
    delivery = deliver(suite, candidates, Bench(InProcess), base.Limits())
    assert check_these_cases(suite, delivery.attempts) == [1]
    assert check_these_cases(suite, delivery.attempts[:1]) == []
