"""The rule of five, frozen: every sequence of grades, and its text and digest (spec/suite.md §6; docs/adr/0022)."""

import hashlib
import inspect
import itertools

import pytest

from assay.kernel.errors import Fault
from assay.kernel.first_pass import MOST, OPEN, RULE, RULE_SHA256, Delivered, Gate, Open, Refused, advance, close
from assay.kernel.grade import PASSED, Failed, Flaky, Grade, How

WRONG = Failed(0, How.WRONG_VALUE)
FLAKY = Flaky(None, How.PROTOCOL)


def walk(grades: tuple[Grade, ...]) -> Gate:
    """The gate after these grades, taken until it decides."""
    gate: Gate = OPEN
    for grade in grades:
        if not isinstance(gate, Open):
            break
        gate = advance(gate, grade)
    return gate


def test_every_sequence_of_six_grades() -> None:
    kinds: list[Grade] = [PASSED, WRONG, FLAKY]
    for grades in itertools.product(kinds, repeat=6):
        gate = walk(grades)
        first = grades.index(PASSED) + 1 if PASSED in grades else 7
        if first <= 5:
            assert gate == Delivered(first, grades[:first])
        else:
            assert gate == Refused(grades[:5])


@pytest.mark.parametrize("count", range(5))
def test_fewer_than_five_failures_decide_nothing_until_no_candidate_is_left(count: int) -> None:
    gate = walk((WRONG,) * count)
    assert isinstance(gate, Open)
    assert gate.tried == (WRONG,) * count
    assert close(gate) == Refused((WRONG,) * count)


@pytest.mark.parametrize("tried", [(PASSED,), (WRONG, PASSED), (WRONG,) * 5])
def test_a_gate_that_has_decided_cannot_be_opened_again(tried: tuple[Grade, ...]) -> None:
    with pytest.raises(Fault, match="bug"):
        Open(tried)


def test_the_rule_has_no_parameter() -> None:
    assert list(inspect.signature(advance).parameters) == ["gate", "grade"]
    assert MOST == 5


def test_the_rule_s_digest_is_of_its_text() -> None:
    assert hashlib.sha256(RULE.encode()).hexdigest() == RULE_SHA256
    assert RULE_SHA256 == "6f0d3ac0f19891ac26aec50706c43946b05d98e25f886e691d7417f7ae835713"
