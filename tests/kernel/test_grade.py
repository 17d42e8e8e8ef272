"""One run passes, or fails with a case and a reason: a table (spec/suite.md §6; docs/adr/0022)."""

import itertools

import pytest

from assay.kernel.equality import Lines, Python, Tokens, Typed
from assay.kernel.grade import (
    PASSED,
    UNREACHED,
    Case,
    Ended,
    Equals,
    Failed,
    Flaky,
    How,
    Observation,
    Observations,
    Passed,
    Printed,
    Prints,
    Raised,
    Raises,
    Returned,
    confirm,
    grade,
)
from assay.suite.literals import read

TWO = Equals(read("2"), Typed())
KEY_ERROR = Raises("KeyError")
OUTPUT = Prints(("4\n", "5\n"), Lines())


@pytest.mark.parametrize(
    ("case", "observation", "how"),
    [
        pytest.param(TWO, Returned(read("2")), None, id="the value"),
        pytest.param(TWO, Returned(read("2.0")), How.WRONG_VALUE, id="another type"),
        pytest.param(Equals(read("2"), Python()), Returned(read("2.0")), None, id="under the case's own equality"),
        pytest.param(TWO, Raised(("ValueError", "Exception", "BaseException")), How.EXCEPTION, id="an exception"),
        pytest.param(TWO, Printed(b"2"), How.WRONG_VALUE, id="output is no value"),
        pytest.param(KEY_ERROR, Raised(("KeyError", "LookupError", "Exception"), "KeyError"), None, id="the exception"),
        pytest.param(Raises("LookupError"), Raised(("KeyError", "LookupError")), None, id="an ancestor of it"),
        pytest.param(KEY_ERROR, Raised(("KeyError", "LookupError"), "Missing"), None, id="a subclass of one's own"),
        pytest.param(KEY_ERROR, Raised(("ValueError",), "KeyError"), How.EXCEPTION, id="one's own class of that name"),
        pytest.param(KEY_ERROR, Returned(read("None")), How.WRONG_VALUE, id="a value where an exception was asked for"),
        pytest.param(OUTPUT, Printed(b" 5 \r\n\n"), None, id="one of the accepted outputs"),
        pytest.param(OUTPUT, Printed(b"6\n"), How.WRONG_VALUE, id="another output"),
        pytest.param(Prints(("1 2",), Tokens()), Printed(b"1\n2"), None, id="by words"),
        pytest.param(OUTPUT, Printed(b"\xff4"), How.NOT_A_VALUE, id="output that is not UTF-8"),
        pytest.param(OUTPUT, Raised(("ValueError",)), How.EXCEPTION, id="a program that raises"),
        pytest.param(OUTPUT, Returned(read("'4'")), How.WRONG_VALUE, id="a value is no output"),
        *(pytest.param(TWO, Ended(how), how, id=f"ended: {how}") for how in How if how is not How.NOT_RUN),
    ],
)
def test_one_case(case: Case, observation: Observation, how: How | None) -> None:
    expected = PASSED if how is None else Failed(0, how)
    assert grade((case,), Observations((observation,))) == expected


RIGHT, WRONG, DEAD = Returned(read("2")), Returned(read("3")), Ended(How.CPU)


@pytest.mark.parametrize(
    ("seen", "ending", "verdict"),
    [
        pytest.param((RIGHT, RIGHT, RIGHT), None, PASSED, id="all right"),
        pytest.param((RIGHT, WRONG, WRONG), None, Failed(1, How.WRONG_VALUE), id="the lowest index"),
        pytest.param((UNREACHED, WRONG, DEAD), How.CPU, Failed(1, How.WRONG_VALUE), id="seen wrong, not unreached"),
        pytest.param((UNREACHED, RIGHT, DEAD), How.CPU, Failed(2, How.CPU), id="the case that it died in"),
        pytest.param((UNREACHED,) * 3, How.LOAD_ERROR, Failed(None, How.LOAD_ERROR), id="it never loaded"),
        pytest.param((RIGHT, RIGHT, RIGHT), How.PROTOCOL, Failed(None, How.PROTOCOL), id="the end was not as agreed"),
        pytest.param((RIGHT, WRONG, RIGHT), How.PROTOCOL, Failed(1, How.WRONG_VALUE), id="a wrong value comes first"),
        pytest.param((RIGHT, UNREACHED, RIGHT), None, Failed(1, How.NOT_RUN), id="a case that nobody ran"),
        pytest.param((RIGHT, RIGHT), None, Failed(None, How.NOT_RUN), id="an observation too few"),
        pytest.param((RIGHT,) * 4, None, Failed(None, How.NOT_RUN), id="an observation too many"),
        pytest.param((), How.TIMEOUT, Failed(None, How.TIMEOUT), id="none at all"),
    ],
)
def test_a_run(seen: tuple[Observation, ...], ending: How | None, verdict: Passed | Failed) -> None:
    assert grade((TWO,) * 3, Observations(seen, ending)) == verdict


def test_a_suite_without_cases_passes_nothing() -> None:
    assert grade((), Observations(())) == Failed(None, How.NOT_RUN)


def test_a_run_passes_only_when_every_case_is_right_and_the_end_is_as_agreed() -> None:
    kinds: list[Observation] = [RIGHT, WRONG, DEAD, UNREACHED]
    for seen in itertools.product(kinds, repeat=3):
        for ending in (None, How.PROTOCOL):
            verdict = grade((TWO,) * 3, Observations(seen, ending))
            assert isinstance(verdict, Passed) is (seen == (RIGHT,) * 3 and ending is None)


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        pytest.param(PASSED, PASSED, PASSED, id="twice"),
        pytest.param(PASSED, Failed(2, How.TIMEOUT), Flaky(2, How.TIMEOUT), id="once: flaky"),
        pytest.param(Failed(1, How.CPU), PASSED, Failed(1, How.CPU), id="a failure stays one"),
        pytest.param(Failed(1, How.CPU), Failed(2, How.EXIT), Failed(1, How.CPU), id="the first failure counts"),
    ],
)
def test_passing_means_passing_twice(first: Passed | Failed, second: Passed | Failed, verdict: object) -> None:
    found = confirm(first, second)
    assert type(found) is type(verdict)
    assert found == verdict


def test_flaky_is_a_failure_and_not_the_same_one() -> None:
    assert isinstance(Flaky(0, How.CPU), Failed)
    assert Flaky(0, How.CPU) != Failed(0, How.CPU)
