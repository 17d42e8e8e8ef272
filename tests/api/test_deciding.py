"""The documented surface: ten lines decide a claim; a decision holds nothing of the evidence."""

import dataclasses
import doctest
import json

import pytest

from assay import api
from assay.api.deciding import Decision, OpenTask, open_task
from assay.floor.store import Snapshot
from assay.kernel.errors import InvalidTask

ARCHES = '{"class":"value","entity":"bridge:mill","property":"arches"}'
STATION = '{"class":"value","entity":"bridge:station","property":"arches"}'
THREE = '{"state":"VALUE","value":"3"}'


@pytest.fixture(scope="module")
def pack() -> Snapshot:
    return api.open_pack("minimal")


def test_the_example_of_the_module_runs() -> None:
    assert doctest.testmod(api).failed == 0


ABSTAIN = '{"state":"INSUFFICIENT_EVIDENCE"}'
CONFLICT = '{"state":"CONFLICT_NOT_RESOLVED"}'
REJECTED = ("REJECT", "VALUE", "value.not_equal")


@pytest.mark.parametrize(
    ("task", "proposal", "expected"),
    [
        pytest.param(ARCHES, THREE, ("ACCEPT", "VALUE", ""), id="the established value"),
        pytest.param(ARCHES, '{"state":"VALUE","value":"4"}', REJECTED, id="another"),
        pytest.param(
            ARCHES,
            ABSTAIN,
            ("REJECT", "INSUFFICIENT_EVIDENCE", "insufficient.not_established"),
            id="abstaining where there is a value",
        ),
        pytest.param(STATION, CONFLICT, ("ACCEPT", "CONFLICT_NOT_RESOLVED", ""), id="a conflict"),
        pytest.param(STATION, '{"state":"VALUE","value":"5"}', REJECTED, id="one side of a conflict"),
        pytest.param(
            ARCHES, '{"state":"NO_ENTITY"}', ("REJECT", "NO_ENTITY", "no_entity.not_established"), id="no entity"
        ),
        pytest.param(ARCHES, "three", ("REJECT", "MALFORMED", "parse.json"), id="prose"),
        pytest.param(ARCHES, "\ud800", ("REJECT", "MALFORMED", "parse.encoding"), id="half a surrogate pair"),
        pytest.param(ARCHES, b"\xff", ("REJECT", "MALFORMED", "parse.encoding"), id="bytes"),
        pytest.param(ARCHES, '{"state":"VALUE","value":3.0}', ("REJECT", "VALUE", "value.type"), id="a float"),
    ],
)
def test_decisions(pack: Snapshot, task: str, proposal: str | bytes, expected: tuple[str, str, str]) -> None:
    verdict, asserted, code = expected
    found = api.verify(pack, api.parse_task(task), proposal)
    assert (found.verdict, found.asserted, found.code) == (verdict, asserted, code)
    assert found.is_accepted is (verdict == "ACCEPT")
    assert (found.card is None) is found.is_accepted
    predicate = json.loads(found.receipt)["predicate"]
    assert predicate["outcome"] == ("accepted" if found.is_accepted else "rejected")
    assert predicate["code"] == code
    assert predicate["snapshot"]["digest"] == pack.digest


def test_many_are_decided_in_order_and_each_as_if_alone(pack: Snapshot) -> None:
    items = [(api.parse_task(task), text) for task in (ARCHES, STATION, ARCHES) for text in (THREE, "x")]
    many, alone = list(api.verify_many(pack, items)), [api.verify(pack, *item) for item in items]
    for one, other in zip(many, alone, strict=True):
        # Receipts of refusals hold fresh salts; those of acceptances are the same bytes.
        assert dataclasses.replace(one, receipt=b"") == dataclasses.replace(other, receipt=b"")
        assert (one.receipt == other.receipt) is one.is_accepted


def test_a_task_that_cannot_be_asked_is_refused(pack: Snapshot) -> None:
    task = api.parse_task('{"class":"category","entity":"bridge:mill","property":"arches"}')
    with pytest.raises(InvalidTask, match="closed vocabulary"):
        api.verify(pack, task, THREE)


def test_a_decision_has_no_way_to_what_is_established(pack: Snapshot) -> None:
    assert {field.name for field in dataclasses.fields(Decision)} == {"verdict", "asserted", "code", "card", "receipt"}
    found = api.verify(pack, api.parse_task(ARCHES), '{"state":"VALUE","value":"4"}')
    assert '"3"' not in repr(found)


def test_what_is_open_does_not_print_its_state(pack: Snapshot) -> None:
    opened: OpenTask = open_task(pack, api.parse_task(ARCHES))
    assert repr(opened) == "OpenTask(<hidden>)"
    assert repr(opened.proof) == "Proof(<hidden>)"


def test_an_accepted_receipt_says_what_it_rests_on(pack: Snapshot) -> None:
    proposer = api.Proposer("a model")
    predicate = json.loads(api.verify(pack, api.parse_task(ARCHES), THREE, proposer).receipt)["predicate"]
    assert predicate["how"] == "unaided"
    assert predicate["proposer"]["name"] == "a model"
    assert {pin["source"] for pin in predicate["facts"]} == {"register-2024", "survey-2025"}
    assert [rule["rule"] for rule in predicate["rules"]] == ["select", "equal"]
    assert predicate["established"] == {"state": "VALUE", "value": "3"}
    assert predicate["looked_up"]["rows"] == 2


def test_the_owner_of_the_evidence_sees_everything(pack: Snapshot) -> None:
    found = api.establish(pack, api.parse_task(ARCHES))
    assert (found.state, found.value, found.reason, len(found.pins)) == ("VALUE", "3", "", 2)
    found = api.establish(pack, api.parse_task(STATION))
    assert (found.state, found.value, found.reason) == ("CONFLICT", None, "incompatible")
    found = api.establish(pack, api.parse_task('{"class":"value","entity":"bridge:gone","property":"arches"}'))
    assert (found.state, found.reason) == ("NO_ENTITY", "unknown")
    found = api.establish(pack, api.parse_task('{"class":"value","entity":"bridge:mill","property":"colour"}'))
    assert (found.state, found.reason) == ("INSUFFICIENT", "no_property")
