"""The kernel's values are set once and equal by class and content, though they are no dataclasses."""

import copy
import pickle

import pytest

from assay.kernel.kinds import BooleanKind, DateKind, DecimalKind, Decimals, IdentifierKind, IntegerKind, Significant
from assay.kernel.states import AssertInsufficient, Conflict, Determined, Insufficient, NoEntity
from assay.kernel.values import Value
from assay.kernel.verdict import Accept, Reject


@pytest.mark.parametrize("record", [IntegerKind("residue"), Value(BooleanKind(), "true"), Reject("x"), Accept()])
def test_attributes_are_set_once(record: object) -> None:
    for name in (*type(record).__match_args__, "other"):  # type: ignore[attr-defined]
        with pytest.raises(AttributeError):
            setattr(record, name, "changed")
        with pytest.raises(AttributeError):
            delattr(record, name)


def test_equal_by_class_and_content() -> None:
    assert Value(BooleanKind(), "true") == Value(BooleanKind(), "true")
    assert Value(BooleanKind(), "true") != Value(BooleanKind(), "false")
    assert len({IntegerKind("a"), IntegerKind("a"), IntegerKind("b")}) == 2
    assert BooleanKind() != DateKind()
    assert Decimals(1) != Significant(1)
    assert Insufficient("x") != Conflict("x")
    assert Insufficient("x") != Insufficient("y")
    assert IntegerKind() != "IntegerKind"
    assert IdentifierKind("a") == IdentifierKind("a")


def test_copies_and_pickles_are_equal() -> None:
    for record in (Determined(Value(DecimalKind(Decimals(2)), "1")), IdentifierKind("a"), NoEntity(), Accept()):
        assert copy.deepcopy(record) == record
        assert pickle.loads(pickle.dumps(record)) == record  # noqa: S301 - our own bytes


def test_records_match_by_position() -> None:
    match Determined(Value(IntegerKind(), "142")):
        case Determined(Value(IntegerKind(label), text)):
            assert (label, text) == ("", "142")
        case _:
            pytest.fail("a record does not match")


def test_records_say_what_they_hold_but_for_answers() -> None:
    assert repr(IntegerKind("residue")) == "IntegerKind(label='residue')"
    assert repr(AssertInsufficient()) == "AssertInsufficient()"
    assert repr(Value(BooleanKind(), "true")) == "Value(BooleanKind, <hidden>)"
