"""Worked questions on the shipped packs: every one that can be a task gives the expected state and value.

`worked_questions.json` holds the tasks; those that ask whether a spelling is admitted are the second list, here.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assay.api.data import data_dir
from assay.floor.oracle import establish, re_establish
from assay.floor.settle import settle
from assay.floor.store import Snapshot
from assay.kernel.kinds import IntegerKind
from assay.kernel.states import AssertValue, Conflict, Determined, Insufficient, NoEntity
from assay.kernel.values import Value
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.packs.loader import open_pack
from assay.wire.tasks import parse_task

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "evidence" / "questions.jsonl"
QUESTIONS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "worked_questions.json").read_text())

# Is this text an admitted spelling of the length of P69905?
SPELLINGS = {
    "H279": "142.5",
    "H281": "0142",
    "H282": "１４２",
    "H284": "1_42",
    "H287": "142±1",
    "H289": "true",
    "H290": "0x8E",
    "H294": "-142",
    "H298": "142,0",
}
_DECIMAL = re.compile(r"-?[0-9.]+([eE][+-]?[0-9]+)?")
STATES = {Determined: "VALUE", Insufficient: "INSUFFICIENT", Conflict: "CONFLICT", NoEntity: "NO_ENTITY"}


@cache
def _pack(name: str) -> Snapshot:
    return open_pack(data_dir() / "packs" / name)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"] + question.get("part", ""))
def test_question_as_a_task(question: dict[str, Any]) -> None:
    established = establish(_pack(question["pack"]), parse_task(json.dumps(question["task"])))
    assert (STATES[type(established.state)], established.reason) == (question["state"], question.get("reason", ""))
    if isinstance(established.state, Determined):
        assert settle(established.kind, question["value"]) == established.state.value
    assert re_establish(established) == established.state


@pytest.mark.parametrize(("identity", "text"), SPELLINGS.items(), ids=SPELLINGS)
def test_question_as_a_spelling(identity: str, text: str) -> None:
    kind = IntegerKind("residue")
    assert not isinstance(verify(kind, Determined(Value(kind, "142")), AssertValue(text)), Accept), identity


@pytest.mark.skipif(not SHARED.exists(), reason="the shared questions are not on this machine")
def test_every_shared_question_is_a_task_or_a_spelling() -> None:
    shared = {row["id"]: row["expected"] for row in map(json.loads, SHARED.read_text().splitlines())}
    assert shared.keys() == {question["id"] for question in QUESTIONS} | SPELLINGS.keys()
    for question in QUESTIONS:
        expected = shared[question["id"]]
        # A deviation is named where it is made, with the record that decides it.
        assert question["state"] == expected["state"] or question["deviates"].startswith("docs/adr/"), question["id"]
        if question["state"] == "VALUE":
            assert _plain(question["value"]) in _admitted(expected["value"]), question["id"]


def _plain(value: object) -> object:
    """The value without the unit, the namespace or the brackets that only our wire form has."""
    match value:
        case {"n": str(text)}:
            return Decimal(text)
        case [str(text)]:
            return text.rpartition(":")[2]
        case "agree":
            return True
        case str(text) if _DECIMAL.fullmatch(text):
            return Decimal(text)
        case str(text):
            return text.rpartition(":")[2]
        case _:
            return value


def _admitted(expected: object) -> list[object]:
    each = expected if isinstance(expected, list) else [expected]
    return [
        Decimal(str(item)) if type(item) in (int, float) or (type(item) is str and _DECIMAL.fullmatch(item)) else item
        for item in each
    ]
