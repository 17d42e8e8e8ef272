"""Procedure memory: how, never what (spec/card.md; docs/adr/0006)."""

from __future__ import annotations

import random
from dataclasses import fields

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source
from tests.support.world import TASKS, WORLD, asks

from assay.floor.signatures import SIGNATURES
from assay.floor.task import DERIVATIONS, TASK_CLASSES, Task
from assay.kernel import kinds
from assay.kernel.errors import Fault
from assay.runtime.memory import KIND_NAMES, Memory, Procedure, Sort, learn, recall, sort_of
from assay.runtime.session import ClaimSession
from assay.wire.proposals import parse_proposal

LENGTH = asks("value", "p:A", "length")


def earned(task: Task = LENGTH, value: str = '{"state":"VALUE","value":"5"}') -> ClaimSession:
    session = ClaimSession.open(WORLD, task)
    session, _ = session.perform(session.offered[0].call)
    session, _ = session.submit(parse_proposal(value.encode()))
    return session


def test_a_derived_acceptance_teaches_its_operation_and_the_names_of_its_arguments() -> None:
    session = earned()
    memory = learn(Memory(), session.task, session.kind, session.events)
    assert memory == Memory(
        ((Sort("value", "", "integer"), Procedure("count_residues", ("entity", "property"))),),
    )
    assert learn(memory, session.task, session.kind, session.events) == memory


def test_what_was_learnt_serves_questions_of_the_same_sort_alone() -> None:
    session = earned()
    memory = learn(Memory(), session.task, session.kind, session.events)
    other = asks("value", "p:B", "length")
    assert [found.operation for found in recall(memory, other, session.kind)] == ["count_residues"]
    assert recall(memory, asks("count", "p:B", "sequence"), session.kind) == ()
    assert recall(memory, other, kinds.DateKind()) == ()


@pytest.mark.parametrize("moves", ["", "unaided", "wrong", "performed"])
def test_nothing_else_teaches(moves: str) -> None:
    session = ClaimSession.open(WORLD, LENGTH)
    if moves == "performed":
        session, _ = session.perform(session.offered[0].call)
    elif moves:
        text = '{"state":"VALUE","value":"5"}' if moves == "unaided" else '{"state":"NO_ENTITY"}'
        session, _ = session.submit(parse_proposal(text.encode()))
    assert learn(Memory(), session.task, session.kind, session.events) == Memory()


def test_there_is_no_slot_for_a_value() -> None:
    assert {field.name for field in fields(Memory)} == {"known"}
    assert {field.name for field in fields(Sort)} == {"task_class", "derivation", "kind"}
    assert {field.name for field in fields(Procedure)} == {"operation", "arguments"}


@pytest.mark.parametrize(
    ("task_class", "derivation", "kind"),
    [("142", "", "integer"), ("value", "142", "integer"), ("value", "", "uniprot:P69905"), ("", "", "")],
)
def test_a_sort_holds_words_of_the_catalogues_alone(task_class: str, derivation: str, kind: str) -> None:
    with pytest.raises(Fault):
        Sort(task_class, derivation, kind)


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [("142", ()), ("count_residues", ("142",)), ("count_residues", ("entity", "uniprot:P69905")), ("", ())],
)
def test_a_procedure_holds_words_of_the_catalogues_alone(operation: str, arguments: tuple[str, ...]) -> None:
    with pytest.raises(Fault):
        Procedure(operation, arguments)


def test_canaries_do_not_get_in() -> None:
    rng = random.Random(3)
    canary = str(rng.randrange(10**11, 10**12))
    row = fact(f"p:{canary}", "x", canary, f"s{canary}", condition=canary)
    world = RowSnapshot([row], [source(f"s{canary}")], [prop("x", "integer", label=canary, conditions=(canary,))])
    session = ClaimSession.open(world, asks("value", f"p:{canary}", "x"))
    session, _ = session.perform(session.offered[0].call)
    session, _ = session.submit(parse_proposal(f'{{"state":"VALUE","value":"{canary}"}}'.encode()))
    memory = learn(Memory(), session.task, session.kind, session.events)
    assert len(memory.known) == 1
    assert canary not in repr(memory)


@pytest.mark.parametrize("case", TASKS)
def test_every_task_has_a_sort(case: str) -> None:
    task = TASKS[case][0]
    sort = sort_of(task, ClaimSession.open(WORLD, task).kind)
    assert sort.task_class in TASK_CLASSES
    assert sort.derivation in (*DERIVATIONS, "")


def test_every_kind_that_can_be_asked_has_a_name() -> None:
    asked = set(kinds.ScalarKind.__args__) | {kinds.QuantityKind, kinds.IntervalKind, kinds.SetKind}
    assert KIND_NAMES.keys() == asked
    assert len(SIGNATURES) > len(KIND_NAMES)
