"""Receipts of claims: canonical bytes of a Statement; that of a refusal holds nothing that the evidence says."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from assay.kernel.canonical import canonical
from assay.receipts.predicates import (
    Answer,
    ClaimResult,
    Performed,
    Pin,
    Proposer,
    Refused,
    RuleApplied,
    Step,
    Submitted,
    Verifier,
)
from assay.receipts.statement import claim_statement, receipt

CANARY = "918273645546"
TASK: dict[str, object] = {"class": "value", "entity": "x:1", "property": "length"}
CALL = "count_residues(entity=x:1)"
STEPS: tuple[Step, ...] = (
    Submitted("VALUE", "value.not_equal", "146"),
    Performed(CALL, "VALUE", CANARY),
    Submitted("VALUE", "", CANARY),
)
ACCEPTED = ClaimResult(
    task=TASK,
    entity="x:1",
    property="length",
    outcome="accepted",
    code="",
    snapshot="sha256:" + "0" * 64,
    opened="recorded",
    how="derived",
    derived_by=CALL,
    trajectory=STEPS,
    verifier=Verifier("0.1.0", "assay.verification/1", "1" * 64),
    proposer=Proposer("a model"),
    facts=(Pin("f1", "s", "2" * 64, "bytes 1-2"),),
    rules=(RuleApplied("equal", "1 reading", ("f1",)),),
    answer=Answer("VALUE", CANARY, "VALUE", CANARY, ""),
)
REFUSED = replace(ACCEPTED, outcome="unresolved", code="attempts", how="", derived_by="", answer=None)


def predicate(result: ClaimResult) -> dict[str, Any]:
    """Return the predicate as a reader of the bytes gets it."""
    found: dict[str, Any] = json.loads(receipt(result))["predicate"]
    return found


def digest(document: object) -> str:
    return hashlib.sha256(canonical(document)).hexdigest()


@pytest.mark.parametrize("result", [ACCEPTED, REFUSED], ids=["accepted", "refused"])
def test_a_receipt_is_one_line_of_canonical_bytes(result: ClaimResult) -> None:
    data = receipt(result)
    assert data == rfc8785.dumps(claim_statement(result))  # type: ignore[arg-type]
    assert b"\n" not in data
    assert json.loads(data)["_type"] == "https://in-toto.io/Statement/v1"


def test_the_subject_of_an_acceptance_is_the_claim() -> None:
    (subject,) = json.loads(receipt(ACCEPTED))["subject"]
    assert subject == {
        "name": "claim",
        "digest": {"sha256": digest({"task": TASK, "state": "VALUE", "value": CANARY})},
    }


def test_the_claim_is_the_same_however_its_value_was_spelled() -> None:
    padded = replace(ACCEPTED, answer=Answer("VALUE", f" {CANARY} ", "VALUE", CANARY, ""))
    assert json.loads(receipt(padded))["subject"] == json.loads(receipt(ACCEPTED))["subject"]


def test_the_subject_of_an_accepted_abstention_names_what_was_asserted() -> None:
    result = replace(ACCEPTED, answer=Answer("INSUFFICIENT_EVIDENCE", None, "NO_ENTITY", "", "deleted"))
    found = json.loads(receipt(result))
    assert found["subject"][0]["digest"]["sha256"] == digest({"task": TASK, "state": "INSUFFICIENT_EVIDENCE"})
    assert found["predicate"]["asserted"] == {"state": "INSUFFICIENT_EVIDENCE"}
    assert found["predicate"]["established"] == {"state": "NO_ENTITY", "reason": "deleted"}


def test_the_subject_of_everything_else_is_the_task() -> None:
    (subject,) = json.loads(receipt(REFUSED))["subject"]
    assert subject == {"name": "task", "digest": {"sha256": digest(TASK)}}


def test_an_acceptance_shows_how_it_came_about() -> None:
    found = predicate(ACCEPTED)
    assert found["how"] == "derived"
    assert found["facts"] == [{"fact": "f1", "source": "s", "sha256": "2" * 64, "locator": "bytes 1-2"}]
    assert found["rules"] == [{"rule": "equal", "result": "1 reading", "facts": ["f1"]}]
    assert found["trajectory"][1]["result"] == {"state": "VALUE", "value": CANARY}
    assert (found["attempts"], found["operations"]) == (2, 1)
    assert "withheld" not in found


def test_a_refusal_holds_neither_state_nor_value_nor_fact_nor_rule() -> None:
    found = predicate(REFUSED)
    assert CANARY not in json.dumps(found)
    assert not found.keys() & {"how", "derived_by", "asserted", "established", "facts", "rules"}
    assert found["withheld"] == ["asserted", "established", "facts", "rules", "values"]
    assert found["trajectory"] == [
        {"step": "submit", "asserted": "VALUE", "code": "value.not_equal", "type": "text", "length": 3},
        {"step": "perform", "call": CALL},
        {"step": "submit", "asserted": "VALUE", "code": "", "type": "text", "length": 12},
    ]


def test_the_receipt_of_a_refusal_is_the_same_whatever_the_evidence_says() -> None:
    other = replace(
        REFUSED, trajectory=(STEPS[0], Performed(CALL, "CONFLICT_NOT_RESOLVED"), STEPS[2]), facts=(), rules=()
    )
    assert receipt(other) == receipt(REFUSED)


@pytest.mark.parametrize(
    ("raw", "kind", "length"),
    [
        pytest.param("142", "text", 3, id="text"),
        pytest.param(-142, "integer", 4, id="integer"),
        pytest.param(True, "boolean", 0, id="boolean"),
        pytest.param(None, "null", 0, id="null"),
        pytest.param([1, 2], "list", 2, id="list"),
        pytest.param({"n": "1", "unit": "m"}, "object", 2, id="object"),
        pytest.param(1.5, "number", 0, id="a number of no kind"),
    ],
)
def test_a_refused_value_is_told_by_type_and_length(raw: object, kind: str, length: int) -> None:
    found = predicate(replace(REFUSED, trajectory=(Submitted("VALUE", "value.not_equal", raw),)))
    assert found["trajectory"][0] == {
        "step": "submit", "asserted": "VALUE", "code": "value.not_equal", "type": kind, "length": length,
    }  # fmt: skip


def test_malformed_proposals_and_failed_choices_are_steps() -> None:
    steps: tuple[Step, ...] = (Submitted("MALFORMED", "parse.json"), Refused("no_choice", 7))
    assert predicate(replace(REFUSED, trajectory=steps))["trajectory"] == [
        {"step": "submit", "asserted": "MALFORMED", "code": "parse.json"},
        {"step": "navigation_failure", "reason": "no_choice", "type": "text", "length": 7},
    ]


def test_numbers_that_canonical_bytes_cannot_hold_travel_as_text() -> None:
    raw = {"lo": 10**40, "hi": [1.5, 7], "half": "\ud800"}
    found = predicate(replace(ACCEPTED, trajectory=(Submitted("VALUE", "value.type", raw),)))
    assert found["trajectory"][0]["value"] == {"lo": "1" + "0" * 40, "hi": [{"type": "number"}, 7], "half": "\\ud800"}


def test_identifiers_of_persons_are_blanked_before_anything_is_hashed() -> None:
    person = "patient:4711"
    task: dict[str, object] = {"class": "value", "entity": person, "property": "length"}
    result = replace(
        ACCEPTED,
        task=task,
        entity=person,
        private=(person,),
        trajectory=(Performed(f"read_value(entity={person})", "VALUE", CANARY),),
    )
    for each in (result, replace(result, answer=None)):
        assert person.encode() not in receipt(each)
    blank = {"class": "value", "entity": "<private>", "property": "length"}
    subject = json.loads(receipt(replace(result, answer=None)))["subject"][0]
    assert subject["digest"]["sha256"] == digest(blank)


RAWS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters())),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(st.characters()), inner, max_size=3)),
    max_leaves=6,
)


@given(RAWS, st.booleans())
def test_whatever_was_proposed_has_a_receipt(raw: object, accepted: bool) -> None:
    base = ACCEPTED if accepted else REFUSED
    json.loads(receipt(replace(base, trajectory=(Submitted("VALUE", "value.type", raw),))))
