"""A model walks one claim from Python: what it is asked and says is bound by digests, what it learns is how."""

import hashlib
import json
from typing import Any

import pytest

from assay import api
from assay.api.walking import SCRIPTED, Walked, obey
from assay.floor.store import Snapshot
from assay.floor.task import Selector, Task
from assay.kernel.canonical import canonical
from assay.kernel.errors import ModelFault
from assay.models.scripted import ScriptedModel
from assay.runtime.repair import Limits
from assay.runtime.session import Policy
from assay.runtime.trace import Accepted, Event, Unresolved

ARCHES = Task("value", Selector("bridge:mill", "arches"))
STATION = Task("value", Selector("bridge:station", "arches"))


@pytest.fixture(scope="module")
def pack() -> Snapshot:
    return api.open_pack("minimal")


def predicate(walked: Walked) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(walked.receipt)["predicate"]
    return found


def test_wrong_then_an_operation_then_right(pack: Snapshot) -> None:
    model = ScriptedModel(["4", "read_value", "3"], "a model")
    events: list[Event] = []
    walked = api.ask(pack, ARCHES, model, on_event=events.append)
    assert isinstance(walked.outcome, Accepted)
    assert (walked.outcome.how, walked.cost.calls, len(events)) == ("derived", 3, 3)
    found = predicate(walked)
    assert found["proposer"]["name"] == "a model"
    spoken = hashlib.sha256(canonical(["4", "read_value", "3"])).hexdigest()
    assert found["proposer"]["transcript_sha256"] == spoken
    asked = [[[turn.role, turn.content] for turn in messages] for messages, _ in model.asked]
    assert found["proposer"]["prompts_sha256"] == hashlib.sha256(canonical(asked)).hexdigest()


def test_what_was_learnt_lets_the_next_walk_begin_with_an_operation(pack: Snapshot) -> None:
    first = api.ask(pack, ARCHES, ScriptedModel(["4", "read_value", "3"]))
    second = api.ask(pack, STATION, ScriptedModel(["read_value", "CONFLICT_NOT_RESOLVED"]), memory=first.memory)
    assert predicate(second)["attempts"] == 1
    assert isinstance(second.outcome, Accepted)


def test_a_stubborn_model_ends_unresolved(pack: Snapshot) -> None:
    walked = api.ask(pack, ARCHES, ScriptedModel(["4", "read_value", "4"]), policy=Policy(attempts=2))
    assert walked.outcome == Unresolved("repeated")
    assert predicate(walked)["withheld"]


def test_words_that_have_no_bytes_have_a_digest(pack: Snapshot) -> None:
    walked = api.ask(pack, ARCHES, ScriptedModel(["\ud800", "nonsense"]))
    assert predicate(walked)["outcome"] == "navigation_failure"


def test_time_is_up_without_a_word(pack: Snapshot) -> None:
    ticks = iter([0.0, 9.0])
    walked = api.ask(pack, ARCHES, ScriptedModel([]), limits=Limits(wall_s=5), clock=lambda: next(ticks))
    assert walked.outcome == Unresolved("seconds")


def test_a_model_that_fails_is_a_fault_and_leaves_no_receipt(pack: Snapshot) -> None:
    with pytest.raises(ModelFault):
        api.ask(pack, ARCHES, ScriptedModel([]))


@pytest.mark.parametrize(
    ("task", "state"),
    [
        (ARCHES, "VALUE"),
        (STATION, "CONFLICT"),
        (Task("value", Selector("bridge:gone", "arches")), "NO_ENTITY"),
        (Task("value", Selector("bridge:mill", "price")), "INSUFFICIENT"),
    ],
)
def test_who_does_what_the_card_says_first_is_accepted(pack: Snapshot, task: Task, state: str) -> None:
    events: list[Event] = []
    walked = obey(pack, task, on_event=events.append)
    assert isinstance(walked.outcome, Accepted)
    assert len(events) == 2
    found = predicate(walked)
    assert (found["how"], found["established"]["state"], found["proposer"]["name"]) == ("derived", state, SCRIPTED)
