"""Sessions on the shipped packs: every operation on a card succeeds, and every worked question can be earned."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assay.api.data import data_dir
from assay.floor.cards import card_document
from assay.floor.store import Snapshot
from assay.kernel.canonical import canonical
from assay.packs.loader import open_pack
from assay.runtime.session import ClaimSession, Policy
from assay.runtime.trace import Accepted, Performed
from assay.wire.proposals import parse_proposal
from assay.wire.tasks import parse_task

FILE = Path(__file__).resolve().parents[1] / "floor" / "worked_questions.json"
QUESTIONS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
# A proteome is read whole for these.
SLOW = ("count", "derive")


@cache
def _pack(name: str) -> Snapshot:
    return open_pack(data_dir() / "packs" / name)


def _cases() -> list[Any]:
    return [
        pytest.param(
            question,
            id=question["id"],
            marks=[pytest.mark.slow] if question["pack"] == "ecoli" and question["task"]["class"] in SLOW else [],
        )
        for question in QUESTIONS
    ]


@pytest.mark.parametrize("question", _cases())
def test_a_worked_question_is_earned(question: dict[str, Any]) -> None:
    task = parse_task(json.dumps(question["task"]))
    session = ClaimSession.open(_pack(question["pack"]), task, Policy(operations=50, require_derivation=True))
    card = session.card
    assert len(canonical(card_document(card))) < 16_384
    if question.get("reason") == "under_specified":
        assert card.fields, "the card says what the task's owner may name"
    for offer in session.offered:
        session, event = session.perform(offer.call)
        assert isinstance(event, Performed)
        assert event.result.text
    result = next(event.result for event in session.events if isinstance(event, Performed))
    value = {"value": result.raw} if result.state == "VALUE" else {}
    session, _ = session.submit(parse_proposal(canonical({"state": result.state, **value})))
    assert session.outcome == Accepted("derived", session.offered[0].call)
