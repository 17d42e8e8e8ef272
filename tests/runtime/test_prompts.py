"""What a model is asked, and how its bare token becomes a proposal."""

import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.floor.cards import AffordanceCard, Left
from assay.floor.operations.perform import OperationResult
from assay.floor.signatures import SIGNATURES, OperationCall
from assay.kernel import kinds
from assay.kernel.canonical import canonical
from assay.kernel.kinds import Kind
from assay.models.base import BareToken, OneOf
from assay.runtime import prompts
from assay.runtime.navigation import read_choice
from assay.wire.proposals import parse_proposal

INTEGER, BOOLEAN, DATE, DECIMAL = kinds.IntegerKind(), kinds.BooleanKind(), kinds.DateKind(), kinds.DecimalKind()
IDENTIFIER, CATEGORY = kinds.IdentifierKind("demo"), kinds.CategoryKind(frozenset({"red", "dark red"}))
QUANTITY = kinds.QuantityKind((("kg", kinds.Unit()), ("m s^-1", kinds.Unit())))
SPREAD = kinds.QuantityKind((("m s^-1", kinds.Unit()),), uncertainty=True)
INTERVAL, SET = kinds.IntervalKind(INTEGER), kinds.SetKind(IDENTIFIER)

ONE = OperationCall("count_residues", (("entity", "demo:a"),))
TWO = OperationCall("look_up_entity", (("entity", "demo:a"),))
THREE = OperationCall("look_up_entity", (("entity", "demo:b"),))
CARD = AffordanceCard((("class", "value"),), "value.not_equal", (), False, (), (ONE, TWO, THREE), Left(3, 6))


def value(raw: object) -> bytes:
    return canonical({"state": "VALUE", "value": raw})


@pytest.mark.parametrize(
    ("kind", "text", "wire"),
    [
        pytest.param(INTEGER, "142", value("142"), id="integer"),
        pytest.param(INTEGER, "INSUFFICIENT_EVIDENCE", b'{"state":"INSUFFICIENT_EVIDENCE"}', id="abstention"),
        pytest.param(CATEGORY, "NO_ENTITY", b'{"state":"NO_ENTITY"}', id="abstention beside words"),
        pytest.param(INTEGER, "no_entity", value("no_entity"), id="an abstention in other letters is a value"),
        pytest.param(INTEGER, "142 ", value("142 "), id="nothing is stripped"),
        pytest.param(BOOLEAN, "true", value(True), id="boolean"),
        pytest.param(BOOLEAN, "True", value("True"), id="python's boolean stays a text"),
        pytest.param(CATEGORY, "dark red", value("dark red"), id="category"),
        pytest.param(IDENTIFIER, "demo:a", value("demo:a"), id="identifier"),
        pytest.param(DATE, "2024-12-31", value("2024-12-31"), id="date"),
        pytest.param(DECIMAL, "1.5e3", value("1.5e3"), id="decimal"),
        pytest.param(QUANTITY, "1.5 kg", value({"n": "1.5", "unit": "kg"}), id="quantity"),
        pytest.param(QUANTITY, "1 m s^-1", value({"n": "1", "unit": "m s^-1"}), id="unit of several words"),
        pytest.param(SPREAD, "2 ± 0.1 m s^-1", value({"n": "2", "u": "0.1", "unit": "m s^-1"}), id="uncertainty"),
        pytest.param(QUANTITY, "1.5", value("1.5"), id="a quantity without a unit stays a text"),
        pytest.param(SPREAD, "2 ± 0.1", value("2 ± 0.1"), id="an uncertainty without a unit stays a text"),
        pytest.param(
            INTERVAL,
            "[2, 142)",
            value({"lo": "2", "hi": "142", "lo_closed": True, "hi_closed": False}),
            id="interval",
        ),
        pytest.param(
            INTERVAL, "(, 5]", value({"lo": None, "hi": "5", "lo_closed": False, "hi_closed": True}), id="unbounded"
        ),
        pytest.param(INTERVAL, "2, 142", value("2, 142"), id="an interval without brackets stays a text"),
        pytest.param(INTERVAL, "", value(""), id="nothing"),
        pytest.param(SET, "{demo:a}", value("{demo:a}"), id="a set has no bare token"),
        pytest.param(CATEGORY, "\ud800", value("?"), id="half a surrogate pair"),
    ],
)
def test_reading_a_token(kind: Kind, text: str, wire: bytes) -> None:
    assert prompts.read_token(text, kind) == wire


@given(st.text(st.characters()), st.sampled_from([INTEGER, BOOLEAN, CATEGORY, QUANTITY, SPREAD, INTERVAL, SET]))
def test_reading_is_total_and_canonical(text: str, kind: Kind) -> None:
    wire = prompts.read_token(text, kind)
    assert canonical(json.loads(wire)) == wire
    parse_proposal(wire)


@pytest.mark.parametrize(
    ("kind", "raw", "text"),
    [
        pytest.param(INTEGER, "142", "142", id="integer"),
        pytest.param(BOOLEAN, False, "false", id="boolean"),
        pytest.param(QUANTITY, {"n": "1.5", "unit": "kg"}, "1.5 kg", id="quantity"),
        pytest.param(SPREAD, {"n": "2", "u": "0.1", "unit": "m s^-1"}, "2 ± 0.1 m s^-1", id="uncertainty"),
        pytest.param(INTERVAL, {"lo": "2", "hi": None, "lo_closed": True, "hi_closed": False}, "[2, )", id="interval"),
    ],
)
def test_a_result_is_shown_as_the_token_that_proposes_it(kind: Kind, raw: object, text: str) -> None:
    result = OperationResult(ONE, "VALUE", kind, raw, "", "", (), None, answers=True)
    assert prompts.observation_of(result) == f"count_residues(demo:a) = {text}"
    assert prompts.read_token(text, kind) == value(raw)


def test_a_set_and_an_abstention_as_results() -> None:
    assert prompts.token_text("VALUE", ["demo:a", True]) == "{demo:a, true}"
    assert prompts.token_text("NO_ENTITY", None) == "NO_ENTITY"


@pytest.mark.parametrize(
    ("kind", "token", "options"),
    [
        pytest.param(INTEGER, "integer", (), id="integer"),
        pytest.param(DECIMAL, "decimal", (), id="decimal"),
        pytest.param(BOOLEAN, "boolean", (), id="boolean"),
        pytest.param(DATE, "date", (), id="date"),
        pytest.param(CATEGORY, "category", ("dark red", "red"), id="category, in one order"),
        pytest.param(IDENTIFIER, "identifier", ("demo",), id="identifier of a namespace"),
        pytest.param(kinds.IdentifierKind(), "identifier", (), id="any identifier"),
        pytest.param(QUANTITY, "quantity", ("kg", "m s^-1"), id="quantity"),
        pytest.param(INTERVAL, "interval", (), id="interval"),
    ],
)
def test_constraints_by_kind(kind: Kind, token: str, options: tuple[str, ...]) -> None:
    asked = prompts.ask("What?", kind).constraint
    assert isinstance(asked, BareToken)
    assert (asked.kind, asked.options, asked.literals) == (token, options, prompts.LITERALS)


def test_a_quantity_with_uncertainty_and_a_set() -> None:
    spread = prompts.token_for(SPREAD)
    assert isinstance(spread, BareToken)
    assert spread.uncertainty
    assert prompts.token_for(SET) == OneOf(prompts.LITERALS)


def test_the_question_comes_last_with_what_was_observed() -> None:
    assert prompts.ask("What?", INTEGER).messages[-1].content == "Question: What?\nObserved: nothing"
    observed = prompts.ask("What?", INTEGER, "count_residues(demo:a) = 3").messages[-1]
    assert (observed.role, observed.content) == ("user", "Question: What?\nObserved: count_residues(demo:a) = 3")


def test_a_choice_names_a_call_as_shortly_as_it_can() -> None:
    assert [text for _, text in prompts.choice_texts(CARD)] == ["count_residues", TWO.text, THREE.text]
    assert all(read_choice(text, CARD) == call for call, text in prompts.choice_texts(CARD))


def test_a_choice_leaves_out_what_was_performed_and_refused() -> None:
    chosen = prompts.choose("What?", CARD, [ONE], ["NO_ENTITY"])
    assert chosen.constraint == OneOf((TWO.text, THREE.text, "INSUFFICIENT_EVIDENCE", "CONFLICT_NOT_RESOLVED"))


def test_where_nothing_is_left_the_abstentions_are() -> None:
    chosen = prompts.choose("What?", CARD, [ONE, TWO, THREE], prompts.LITERALS)
    assert chosen.constraint == OneOf(prompts.LITERALS)


@given(st.randoms(use_true_random=False))
def test_the_order_of_a_card_does_not_reach_the_messages(chance: random.Random) -> None:
    calls = list(CARD.operations)
    chance.shuffle(calls)
    shuffled = prompts.choose("What?", replace(CARD, operations=tuple(calls)))
    assert shuffled.messages == prompts.choose("What?", CARD).messages


def test_every_operation_that_can_answer_has_a_worked_example() -> None:
    shown = {operation for _, operation in prompts.CHOSEN}
    assert shown == {name for name, signature in SIGNATURES.items() if signature.establishes}


def test_worked_examples_name_entities_of_no_pack() -> None:
    texts = [*sum(prompts.ANSWERED, ()), *sum(prompts.CHOSEN, ())]
    entities = {entity for text in texts for entity in re.findall(r"[\w.]+:\S", text)}
    assert entities
    assert all(entity.startswith("demo:") for entity in entities)


def test_the_question_is_asked_after_the_same_beginning_each_time() -> None:
    first, second = (prompts.choose(text, CARD).messages for text in ("What?", "Which?"))
    assert first[:-1] == second[:-1]
