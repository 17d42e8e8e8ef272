"""Private files of claims: what was written is read again, and what is none is refused with one line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.recheck_world import decided
from tests.support.world import TASKS, WORLD

from assay.floor.evidence import Fact
from assay.floor.oracle import establish
from assay.floor.trail import EvidenceSlice, SliceSnapshot
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.receipts.withheld import PrivateFiles, Said, Withheld, withheld_bytes
from assay.wire.evidence import evidence_bytes, parse_evidence
from assay.wire.withheld import parse_withheld

SALT = bytes(range(32))


@pytest.mark.parametrize("name", TASKS)
def test_evidence_is_read_as_it_was_written(name: str) -> None:
    task = TASKS[name][0]
    established = establish(WORLD, task)
    data = evidence_bytes(task, established.evidence, SALT)
    kept = parse_evidence(data)
    assert (kept.task, kept.evidence) == (task, established.evidence)
    assert evidence_bytes(kept.task, kept.evidence, SALT) == data
    again = establish(SliceSnapshot(kept.evidence), kept.task)
    assert (again.state, again.steps) == (established.state, established.steps)


def test_quarantined_rows_travel_with_their_reason() -> None:
    task = TASKS["length"][0]
    held: EvidenceSlice = establish(WORLD, task).evidence
    row = Fact(*(f"cell {number}" for number in range(20)))
    held.quarantined["p:A", "sequence"] = ((row, "implausible"),)
    assert parse_evidence(evidence_bytes(task, held)).evidence.quarantined["p:A", "sequence"] == ((row, "implausible"),)


def evidence() -> Any:
    task = TASKS["length"][0]
    held = establish(WORLD, task).evidence
    held.quarantined["p:A", "x"] = ((Fact(*["c"] * 20), "why"),)
    return json.loads(evidence_bytes(task, held))


def broken() -> list[Any]:
    cases: list[Any] = [[], {}]
    for path, item in (
        (("evidence",), "assay.evidence/2"),
        (("salt",), "00"),
        (("salt",), 1),
        (("snapshot",), {}),
        (("snapshot", "digest"), "md5:1"),
        (("snapshot", "opened"), "seen"),
        (("rows",), {}),
        (("rows", "facts"), {}),
        (("rows", "facts"), [[1]]),
        (("rows", "facts"), [[["p:A"], []]]),
        (("rows", "facts"), [[["p:A", "x"], [["a"]]]]),
        (("rows", "facts"), [[["p:A", "x"], [[1] * 20]]]),
        (("rows", "facts"), [[["p:A", "x"], []], [["p:A", "x"], []]]),
        (("rows", "quarantined"), [[["p:A", "x"], [[["c"] * 20]]]]),
        (("rows", "sources"), [["s", [*["c"] * 13, "c", True]]]),
        (("rows", "sources"), [["s", [*["c"] * 13, [], 1]]]),
    ):
        document = evidence()
        place = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = item
        cases.append(document)
    return cases


@pytest.mark.parametrize("document", broken())
def test_what_is_no_evidence_is_refused(document: Any) -> None:
    with pytest.raises(InputError) as refusal:
        parse_evidence(canonical(document))
    assert refusal.value.code.startswith("evidence.")


def test_evidence_without_a_task_is_refused() -> None:
    with pytest.raises(InputError) as refusal:
        parse_evidence(canonical({**evidence(), "task": {"class": "magic"}}))
    assert refusal.value.code == "task.class"


@given(
    st.lists(st.tuples(st.integers(0, 9), st.binary(max_size=40))),
    st.sampled_from(["VALUE", "INSUFFICIENT", "CONFLICT", "NO_ENTITY"]),
    st.text(alphabet="abc5é", max_size=9),
)
def test_what_is_withheld_is_read_as_it_was_written(said: list[tuple[int, bytes]], state: str, text: str) -> None:
    withheld = Withheld(tuple(Said(step, SALT, data) for step, data in said), SALT, state, text)
    assert parse_withheld(withheld_bytes(withheld)) == withheld


@pytest.mark.parametrize(
    "change",
    [
        {"withheld": "assay.withheld/2"},
        {"said": {}},
        {"said": [{}]},
        {"said": [{"step": -1, "salt": SALT.hex(), "data": ""}]},
        {"said": [{"step": True, "salt": SALT.hex(), "data": ""}]},
        {"said": [{"step": 0, "salt": "00", "data": ""}]},
        {"said": [{"step": 0, "salt": SALT.hex(), "data": "0"}]},
        {"established": None},
        {"established": {"salt": SALT.hex(), "state": "MAYBE", "reason": ""}},
        {"established": {"salt": SALT.hex(), "state": "VALUE", "reason": ""}},
        {"established": {"salt": SALT.hex(), "state": "VALUE", "value": 5}},
        {"more": 1},
    ],
)
def test_what_withholds_nothing_is_refused(change: dict[str, object]) -> None:
    document = json.loads(withheld_bytes(Withheld((), SALT, "VALUE", "5")))
    with pytest.raises(InputError) as refusal:
        parse_withheld(canonical({**document, **change}))
    assert refusal.value.code == "withheld.shape"


def test_a_commitment_says_nothing_without_its_salt() -> None:
    one, two = Withheld((), SALT, "VALUE", "5"), Withheld((), bytes(32), "VALUE", "5")
    assert one.commitment != two.commitment
    assert Said(0, SALT, b"5").commitment != Said(0, bytes(32), b"5").commitment
    assert Said(0, SALT, b"5").commitment == Said(9, SALT, b"5").commitment


def test_private_files_do_not_print_what_they_hold() -> None:
    made = decided(TASKS["length"][0], '{"state":"VALUE","value":"6"}')
    files = PrivateFiles(*made.private)
    assert repr(files) == "PrivateFiles(<hidden>)"
    assert tuple(files) == made.private
    assert "0x" not in repr(Withheld((), SALT, "VALUE", "918273")) or "918273" not in repr(
        Withheld((), SALT, "VALUE", "918273")
    )
