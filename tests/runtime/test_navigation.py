"""Choices are read exactly or not at all (spec/card.md §5); nothing is substituted for a bad one."""

from __future__ import annotations

import json

import pytest
from tests.support.world import TASKS, WORLD, asks

from assay.floor.signatures import NavigationFailure, OperationCall
from assay.kernel.states import CONFLICT_NOT_RESOLVED, INSUFFICIENT_EVIDENCE, NO_ENTITY
from assay.runtime.navigation import AbstentionChoice, choices, read_choice
from assay.runtime.session import ClaimSession, Policy

CARD = ClaimSession.open(WORLD, asks("value", "p:A", "length")).card
COUNT = OperationCall("count_residues", (("entity", "p:A"), ("property", "length")))
PAIR = ClaimSession.open(WORLD, TASKS["compare"][0]).card


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        pytest.param("count_residues(entity=p:A, property=length)", COUNT, id="a call in full"),
        pytest.param("count_residues", COUNT, id="a name that one call has"),
        pytest.param(" \t\r\ncount_residues\r\n ", COUNT, id="outer white space"),
        pytest.param("NO_ENTITY", AbstentionChoice("NO_ENTITY"), id="an abstention"),
        pytest.param("CONFLICT_NOT_RESOLVED\n", AbstentionChoice("CONFLICT_NOT_RESOLVED"), id="and its line end"),
    ],
)
def test_choices(text: str, choice: object) -> None:
    assert read_choice(text, CARD) == choice


MALICIOUS = [
    pytest.param("", id="nothing"),
    pytest.param("count_residue", id="a name cut short"),
    pytest.param("count_residues()", id="a call without its arguments"),
    pytest.param("count_residues(entity=p:B, property=length)", id="another entity"),
    pytest.param('{"op":"count_residues","args":{"entity":"uniprot:P68871"}}', id="FA180 as it stands"),
    pytest.param("count_residues(property=length, entity=p:A)", id="another order"),
    pytest.param("count_residues(entity=p:A,property=length)", id="another spacing"),
    pytest.param("count_residues(entity=p:A, property=length) ", id="outer space is stripped, this is the control"),
    pytest.param("COUNT_RESIDUES", id="another case"),
    pytest.param("`count_residues`", id="in code marks"),
    pytest.param("count_residues.", id="a full stop"),
    pytest.param("I choose count_residues", id="prose"),
    pytest.param("count_residues\nlook_up_entity", id="two lines"),
    pytest.param("count_residues count_residues", id="twice"),
    pytest.param("count\u200b_residues", id="a zero-width space"),
    pytest.param("\u00a0count_residues", id="a no-break space"),
    pytest.param("count_resi\u0501ues", id="a homoglyph"),
    pytest.param("count_residues\x00", id="NUL"),
    pytest.param("\ufeffcount_residues", id="a byte-order mark"),
    pytest.param("1", id="a number in the list"),
    pytest.param("reveal", id="no operation"),
    pytest.param("__class__", id="an attribute"),
    pytest.param("compute_mass", id="an operation of another task"),
    pytest.param("VALUE", id="the state that is no abstention"),
    pytest.param("INSUFFICIENT", id="an abstention cut short"),
    pytest.param("no_entity", id="an abstention in another case"),
    pytest.param("5", id="an answer"),
    pytest.param("x" * 1_000_000, id="a megabyte"),
    pytest.param("\ud800", id="half a surrogate pair"),
]


@pytest.mark.parametrize("text", MALICIOUS)
def test_everything_else_is_a_navigation_failure(text: str) -> None:
    if text == "count_residues(entity=p:A, property=length) ":
        assert read_choice(text, CARD) == COUNT
        return
    assert read_choice(text, CARD) == NavigationFailure("no_choice")


class Agreeable(str):
    """Equals everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__

    def strip(self, _: str | None = None) -> str:
        return "count_residues"


@pytest.mark.parametrize("text", [Agreeable("x"), b"count_residues", None, 5, ["count_residues"]])
def test_what_is_no_text_is_no_choice(text: object) -> None:
    assert read_choice(text, CARD) == NavigationFailure("no_choice")  # type: ignore[arg-type]


def test_a_name_that_several_calls_have_must_be_said_in_full() -> None:
    assert read_choice("look_up_entity", PAIR) == NavigationFailure("ambiguous_choice")
    assert read_choice("look_up_entity(entity=p:B)", PAIR) == OperationCall("look_up_entity", (("entity", "p:B"),))


@pytest.mark.parametrize("case", TASKS)
def test_every_choice_of_a_card_is_read_as_itself(case: str) -> None:
    card = ClaimSession.open(WORLD, TASKS[case][0]).card
    found = [read_choice(text, card) for text in choices(card)]
    assert found[:-3] == list(card.operations)
    assert [choice.proposal for choice in found[-3:] if isinstance(choice, AbstentionChoice)] == [
        INSUFFICIENT_EVIDENCE,
        CONFLICT_NOT_RESOLVED,
        NO_ENTITY,
    ]


def test_a_card_without_operations_has_the_abstentions_to_choose() -> None:
    card = ClaimSession.open(WORLD, asks("value", "p:A", "length"), Policy(operations=0)).card
    assert choices(card) == ("INSUFFICIENT_EVIDENCE", "CONFLICT_NOT_RESOLVED", "NO_ENTITY")
    assert read_choice("count_residues", card) == NavigationFailure("no_choice")


def test_a_label_that_looks_like_a_choice_is_none() -> None:
    """The entity's own text, said back, chooses nothing."""
    text = "NO_ENTITY"
    card = ClaimSession.open(WORLD, asks("value", text + ")", "length")).card
    assert read_choice(text + ")", card) == NavigationFailure("no_choice")
    assert json.dumps(choices(card)).count("NO_ENTITY)") == len(card.operations)
