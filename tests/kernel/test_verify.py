"""verify as a table (spec/verification.md §4), and the break that gave the project its name."""

import pytest

from assay.kernel.errors import KindMismatch
from assay.kernel.kinds import BooleanKind, DecimalKind, IntegerKind
from assay.kernel.states import (
    CONFLICT_NOT_RESOLVED,
    INSUFFICIENT_EVIDENCE,
    NO_ENTITY,
    AssertValue,
    Conflict,
    Determined,
    EpistemicState,
    Insufficient,
    Malformed,
    NoEntity,
    Proposal,
)
from assay.kernel.values import Value
from assay.kernel.verdict import Accept, Reject
from assay.kernel.verify import verify

INTEGER = IntegerKind("residue")
ESTABLISHED = Determined(Value(INTEGER, "142"))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("142.5", id="a fraction as text"),
        pytest.param(142.5, id="a fraction as a float"),
        pytest.param("142.0", id="a fraction of nothing as text"),
        pytest.param(142.0, id="a fraction of nothing as a float"),
        pytest.param("142.9999999999999999", id="a fraction that rounds up"),
        pytest.param("142.00000000000000000001", id="a fraction that a float loses"),
        pytest.param("1.42e2", id="an exponent"),
    ],
)
def test_fraction_is_no_integer_the_2026_break(raw: object) -> None:
    verdict = verify(INTEGER, ESTABLISHED, AssertValue(raw))
    assert isinstance(verdict, Reject)
    assert verdict.code in {"value.grammar", "value.type"}


STATES: dict[str, EpistemicState] = {
    "VALUE": ESTABLISHED,
    "INSUFFICIENT": Insufficient("truncated"),
    "CONFLICT": Conflict(),
    "NO_ENTITY": NoEntity(),
}
PROPOSALS: dict[str, Proposal] = {
    "the value": AssertValue(142),
    "another value": AssertValue("143"),
    "INSUFFICIENT_EVIDENCE": INSUFFICIENT_EVIDENCE,
    "CONFLICT_NOT_RESOLVED": CONFLICT_NOT_RESOLVED,
    "NO_ENTITY": NO_ENTITY,
    "malformed value": AssertValue("1_42"),
    "malformed bytes": Malformed("parse.json"),
}
ACCEPTED = {
    ("VALUE", "the value"),
    ("INSUFFICIENT", "INSUFFICIENT_EVIDENCE"),
    ("CONFLICT", "CONFLICT_NOT_RESOLVED"),
    ("NO_ENTITY", "INSUFFICIENT_EVIDENCE"),
    ("NO_ENTITY", "NO_ENTITY"),
}
CODES = {
    "the value": "value.not_equal",
    "another value": "value.not_equal",
    "INSUFFICIENT_EVIDENCE": "insufficient.not_established",
    "CONFLICT_NOT_RESOLVED": "conflict.not_established",
    "NO_ENTITY": "no_entity.not_established",
    "malformed value": "value.grammar",
    "malformed bytes": "parse.json",
}


@pytest.mark.parametrize("proposal", PROPOSALS)
@pytest.mark.parametrize("state", STATES)
def test_table_of_states_and_proposals(state: str, proposal: str) -> None:
    verdict = verify(INTEGER, STATES[state], PROPOSALS[proposal])
    assert verdict == (Accept() if (state, proposal) in ACCEPTED else Reject(CODES[proposal]))


def test_established_value_of_another_kind_is_our_fault_not_a_verdict() -> None:
    with pytest.raises(KindMismatch) as raised:
        verify(DecimalKind(), ESTABLISHED, AssertValue("142"))
    assert raised.value.code == "fault.kind"
    assert "142" not in str(raised.value)


def test_equal_kinds_need_not_be_one_object() -> None:
    assert verify(IntegerKind("residue"), ESTABLISHED, AssertValue("142")) == Accept()


@pytest.mark.parametrize("state", STATES)
def test_object_that_is_no_proposal_is_refused(state: str) -> None:
    class Lookalike(AssertValue):
        pass

    for foreign in (Lookalike("142"), "142", None, {"state": "VALUE", "value": 142}, BooleanKind()):
        assert verify(INTEGER, STATES[state], foreign) == Reject("proposal.shape")  # type: ignore[arg-type]


def test_answers_stay_out_of_tracebacks() -> None:
    assert "142" not in repr(ESTABLISHED)
    assert "142" not in repr(AssertValue("142"))
    assert repr(Insufficient("truncated")) == "Insufficient(reason='truncated')"
    assert Malformed("parse.json").code == "parse.json"
