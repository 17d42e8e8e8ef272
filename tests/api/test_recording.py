"""Receipts of sessions and of persons: every end has one, and what is private stays out."""

import json
from typing import Any

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source

from assay import api
from assay.api.deciding import open_task, verify
from assay.api.recording import record_session
from assay.floor.evidence import Alias, Namespace
from assay.floor.store import Snapshot
from assay.floor.task import Selector, Task
from assay.kernel.errors import Fault
from assay.kernel.states import NO_ENTITY, AssertValue
from assay.receipts.predicates import Proposer
from assay.runtime.session import ClaimSession
from assay.wire.proposals import parse_proposal

ARCHES = Task("value", Selector("bridge:mill", "arches"))
NAMED = Proposer("a model", "1" * 64, "2" * 64)


@pytest.fixture(scope="module")
def pack() -> Snapshot:
    return api.open_pack("minimal")


def predicate(session: ClaimSession) -> dict[str, Any]:
    """Return the predicate of the session's receipt."""
    found: dict[str, Any] = json.loads(record_session(session, NAMED).receipt)["predicate"]
    return found


def test_a_derived_acceptance_names_the_operation(pack: Snapshot) -> None:
    session = ClaimSession.open(pack, ARCHES)
    session, _ = session.submit(AssertValue("4"))
    session, _ = session.submit(parse_proposal(b"four"))
    call = session.offered[0].call
    session, _ = session.perform(call)
    session, _ = session.submit(AssertValue(3))
    found = predicate(session)
    assert (found["outcome"], found["how"], found["derived_by"]) == ("accepted", "derived", call.text)
    assert (found["attempts"], found["operations"]) == (3, 1)
    assert found["asserted"] == {"state": "VALUE", "value": 3}
    assert [step.get("code") for step in found["trajectory"]] == ["value.not_equal", "parse.json", None, ""]
    assert found["proposer"] == {"name": "a model", "prompts_sha256": "1" * 64, "transcript_sha256": "2" * 64}


def test_an_accepted_abstention_has_its_word(pack: Snapshot) -> None:
    session = ClaimSession.open(pack, Task("value", Selector("bridge:gone", "arches")))
    session, _ = session.submit(NO_ENTITY)
    assert predicate(session)["asserted"] == {"state": "NO_ENTITY"}
    assert predicate(session)["how"] == "unaided"


def test_a_session_that_gave_up_withholds_what_is_established(pack: Snapshot) -> None:
    session = ClaimSession.open(pack, ARCHES)
    for _ in range(2):
        session, _ = session.submit(AssertValue("918273645"))
    found = predicate(session)
    assert (found["outcome"], found["code"]) == ("unresolved", "repeated")
    assert "918273645" not in json.dumps(found)
    assert "established" not in found


def test_a_navigation_failure_keeps_the_length_of_what_was_said(pack: Snapshot) -> None:
    session, _ = ClaimSession.open(pack, ARCHES).navigation_failure("no_choice", "count_arches()")
    found = predicate(session)
    assert (found["outcome"], found["code"]) == ("navigation_failure", "no_choice")
    (step,) = found["trajectory"]
    assert len(step.pop("commitment")) == 64
    assert step == {"step": "navigation_failure", "reason": "no_choice", "type": "text", "length": 14}


def test_a_session_stopped_by_a_limit_has_a_receipt(pack: Snapshot) -> None:
    session, _ = ClaimSession.open(pack, ARCHES).stop("seconds")
    assert predicate(session)["code"] == "seconds"


def test_an_object_that_is_no_json_is_a_value_without_a_size(pack: Snapshot) -> None:
    session, _ = ClaimSession.open(pack, ARCHES).submit(AssertValue(1.5))
    session, _ = session.submit(AssertValue(3))
    assert predicate(session)["trajectory"][0]["value"] == {"type": "number"}


def test_a_session_that_goes_on_has_no_receipt(pack: Snapshot) -> None:
    with pytest.raises(Fault, match="has not ended"):
        record_session(ClaimSession.open(pack, ARCHES), NAMED)


PERSON = "patient:4711"
PRIVATE = RowSnapshot(
    [fact(PERSON, "age", "42"), fact("town:1", "age", "800")],
    [source("s")],
    [prop("age", "integer")],
    (),
    [Alias("name:Mary", PERSON, "alias", "s", "bytes=0-1")],
    [
        Namespace("patient", "exact", (), "", "", "", private=True),
        Namespace("town", "exact", (), "", "", "", private=False),
    ],
)


@pytest.mark.parametrize("written", [PERSON, "name:Mary"])
@pytest.mark.parametrize("value", ["42", "43"])
def test_a_persons_identifier_is_in_no_receipt(written: str, value: str) -> None:
    task = Task("value", Selector(written, "age"))
    receipt = verify(PRIVATE, task, f'{{"state":"VALUE","value":"{value}"}}').receipt
    assert b"<private>" in receipt
    assert b"4711" not in receipt
    assert b"Mary" not in receipt


def test_a_person_that_is_unknown_is_private_too() -> None:
    receipt = verify(PRIVATE, Task("value", Selector("patient:0815", "age")), '{"state":"NO_ENTITY"}').receipt
    assert b"0815" not in receipt


def test_what_is_not_private_stays() -> None:
    task = Task("value", Selector("town:1", "age"))
    assert open_task(PRIVATE, task).proof.private == ()
    assert b"town:1" in verify(PRIVATE, task, '{"state":"VALUE","value":"800"}').receipt


STRIPPED = RowSnapshot(
    [fact("person:Robert", "age", "42"), fact("person:Robert", "friend", "person:ANNABEL"), fact("town:1", "age", "9")],
    [source("s")],
    [prop("age", "integer"), prop("friend", "identifier")],
    (),
    [Alias("P/Bobby", "person:Robert", "alias", "s", "bytes=0-1")],
    [
        Namespace("person", "upper", ("P/", "pp|", "https://people.example/"), "", ".", "", private=True),
        Namespace("town", "exact", (), "", "", "", private=False),
    ],
)


@pytest.mark.parametrize(
    "written",
    [
        "P/MaryMajor",
        "pp|MaryMajor|x",
        "https://people.example/MaryMajor",
        "person:MaryMajor",
        "P/MaryMajor.2",
    ],
)
def test_a_stripped_form_of_an_unknown_person_is_in_no_receipt(written: str) -> None:
    receipt = verify(STRIPPED, Task("value", Selector(written, "age")), '{"state":"NO_ENTITY"}').receipt
    assert b'"outcome":"accepted"' in receipt
    assert b"marymajor" not in receipt.lower()


def test_a_person_on_the_other_side_is_in_no_receipt() -> None:
    task = Task("compare", Selector("town:1", "age"), Selector("P/MaryMajor", "age"))
    receipt = verify(STRIPPED, task, '{"state":"NO_ENTITY"}').receipt
    assert b"marymajor" not in receipt.lower()


def test_what_a_person_leads_to_is_in_no_receipt() -> None:
    task = Task("value", Selector("person:Robert", "friend"))
    receipt = verify(STRIPPED, task, '{"state":"VALUE","value":"person:ANNABEL"}').receipt
    assert b"annabel" not in receipt.lower()
    assert b"robert" not in receipt.lower()


def test_a_short_local_part_blanks_no_digest() -> None:
    proof = open_task(STRIPPED, Task("value", Selector("P/1", "age"))).proof
    assert {"P/1", "person:1"} <= set(proof.private)
    assert "1" not in proof.private
