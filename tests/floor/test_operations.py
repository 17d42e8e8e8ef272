"""Operations: each stands for a question, none can differ from the oracle, and no other call is ever performed."""

from __future__ import annotations

import pytest
from tests.support.world import TASKS, WORLD, asks

from assay.floor.offers import SourcesOf, offers, summary
from assay.floor.operations.catalogue import NOT_SHOWN, OPERATIONS, ask, list_sources
from assay.floor.operations.perform import NOT_OFFERED, OperationResult, find, perform, run
from assay.floor.oracle import establish
from assay.floor.settle import spell
from assay.floor.shape import shape_of
from assay.floor.signatures import SIGNATURES, NavigationFailure, OperationCall
from assay.floor.task import Selector, Task
from assay.kernel.errors import Fault, InvalidTask
from assay.kernel.states import Conflict, Determined, Insufficient, NoEntity

EVERY = [pytest.param(task, name, text, id=case) for case, (task, name, text) in TASKS.items()]
WORDS = {Insufficient: "INSUFFICIENT_EVIDENCE", Conflict: "CONFLICT_NOT_RESOLVED", NoEntity: "NO_ENTITY"}


def found(task: Task) -> tuple[str, object]:
    """What the oracle says, in the words of a result."""
    state = establish(WORLD, task).state
    if isinstance(state, Determined):
        return "VALUE", spell(state.value, task.unit)
    return WORDS[type(state)], None


def returned(task: Task, call: OperationCall) -> OperationResult:
    result = perform(WORLD, task, call)
    assert isinstance(result, OperationResult)
    return result


def test_the_catalogue_has_a_signature_for_each_operation() -> None:
    assert OPERATIONS.keys() == SIGNATURES.keys()
    assert all(name == signature.name for name, signature in SIGNATURES.items())


def test_each_operation_is_offered_somewhere() -> None:
    offered = {offer.call.name for task, _, _ in TASKS.values() for offer in offers(task, shape_of(WORLD, task))}
    assert offered == OPERATIONS.keys()


@pytest.mark.parametrize(("task", "name", "text"), EVERY)
def test_the_operation_that_stands_for_the_task_comes_first(task: Task, name: str, text: str) -> None:
    first, *others = offers(task, shape_of(WORLD, task))
    assert (first.call.name, first.asks, first.answers) == (name, task, True)
    assert SIGNATURES[name].establishes
    assert not any(offer.answers for offer in others)
    assert returned(task, first.call).text == text


@pytest.mark.parametrize(("task", "name", "text"), EVERY)
def test_an_operation_never_differs_from_the_oracle(task: Task, name: str, text: str) -> None:
    for offer in offers(task, shape_of(WORLD, task)):
        result = returned(task, offer.call)
        if isinstance(offer.asks, Task) and result.state != NOT_SHOWN:
            assert (result.state, result.raw) == found(offer.asks)
            assert result.evidence is not None
            assert result.evidence.digest == WORLD.digest


@pytest.mark.parametrize(("task", "name", "text"), EVERY)
def test_calls_have_the_arguments_of_their_signature_in_order(task: Task, name: str, text: str) -> None:
    calls = [offer.call for offer in offers(task, shape_of(WORLD, task))]
    for call in calls:
        order = SIGNATURES[call.name].parameters
        places = [order.index(argument) for argument, _ in call.arguments]
        assert places == sorted(set(places)), call.text
    assert len({call.text for call in calls}) == len(calls)


@pytest.mark.parametrize(("task", "name", "text"), EVERY)
def test_everything_the_task_names_is_in_the_answering_call(task: Task, name: str, text: str) -> None:
    """So that two different tasks never have one call: what was derived was derived for this task."""
    call = offers(task, shape_of(WORLD, task))[0].call
    named = [text for key, text in summary(task) if key not in ("class", "derivation")]
    assert [text for _, text in call.arguments] == named


def test_only_operations_that_establish_stand_for_a_task() -> None:
    assert {name for name, signature in SIGNATURES.items() if not signature.establishes} == {
        "look_up_entity",
        "list_sources",
    }


LENGTH = asks("value", "p:A", "length")
CALL = OperationCall("count_residues", (("entity", "p:A"), ("property", "length")))


class Agreeable(str):
    """A text that says it equals everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Pretender(OperationCall):
    """A call of a stranger's class that says it equals every call."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = OperationCall.__hash__


class AgreeableTuple(tuple[tuple[str, str], ...]):
    """Arguments that say they equal all others."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = tuple.__hash__


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(OperationCall("count_residues", (("entity", "p:B"), ("property", "length"))), id="another entity"),
        pytest.param(OperationCall("count_residues", (("entity", "p:A"),)), id="an argument left out"),
        pytest.param(OperationCall("count_residues", (*CALL.arguments, ("letter", "G"))), id="an argument more"),
        pytest.param(OperationCall("count_residues", CALL.arguments[::-1]), id="arguments in another order"),
        pytest.param(OperationCall("Count_Residues", CALL.arguments), id="another case"),
        pytest.param(OperationCall("compute_mass", (("entity", "p:A"),)), id="an operation of another task"),
        pytest.param(OperationCall("establish", CALL.arguments), id="no operation"),
        pytest.param(OperationCall(Agreeable("x"), CALL.arguments), id="a name that equals everything"),
        pytest.param(OperationCall("count_residues", ((Agreeable("a"), Agreeable("b")),) * 2), id="such arguments"),
        pytest.param(OperationCall("count_residues", (["entity", "p:A"],)), id="a list for a pair"),  # type: ignore[arg-type]
        pytest.param(Pretender("count_residues", CALL.arguments), id="a stranger's class"),
        pytest.param(OperationCall("count_residues", AgreeableTuple()), id="arguments that equal all others"),
        pytest.param("count_residues", id="a text"),
        pytest.param(None, id="nothing"),
    ],
)
def test_any_other_call_is_a_navigation_failure(call: OperationCall) -> None:
    assert perform(WORLD, LENGTH, call) == NavigationFailure("not_offered")
    assert find(offers(LENGTH, shape_of(WORLD, LENGTH)), call) is None


def test_the_right_call_is_performed() -> None:
    assert returned(LENGTH, CALL).text == "5"
    assert perform(WORLD, LENGTH, CALL) is not NOT_OFFERED


def test_a_side_without_a_spelling_is_not_shown_and_does_not_fail() -> None:
    task = TASKS["compare, a side that cannot be spelled"][0]
    call = OperationCall("read_value", (("entity", "p:third"), ("property", "height")))
    result = returned(task, call)
    assert (result.state, result.raw, result.text) == (NOT_SHOWN, None, "NOT_SHOWN (task.answer_does_not_fit)")


def test_a_task_that_cannot_be_asked_is_refused_by_its_own_operation() -> None:
    task = asks("value", "p:third", "height")
    with pytest.raises(InvalidTask, match="no spelling"):
        perform(WORLD, task, offers(task, shape_of(WORLD, task))[0].call)


def test_list_sources_names_sources_and_nothing_else() -> None:
    task = asks("value", "p:two", "length")
    result = returned(task, OperationCall("list_sources", (("entity", "p:two"), ("property", "length"))))
    assert (result.state, result.raw, result.text, result.kind) == ("VALUE", ["s", "t"], "{s, t}", None)


def test_operations_given_the_wrong_sort_of_question_are_faults() -> None:
    with pytest.raises(Fault):
        ask(WORLD, LENGTH, SourcesOf(0))
    with pytest.raises(Fault):
        list_sources(WORLD, LENGTH, LENGTH)


def test_results_are_not_printed_by_accident() -> None:
    result = returned(TASKS["word"][0], offers(TASKS["word"][0], shape_of(WORLD, TASKS["word"][0]))[0].call)
    assert "kinase" in result.text
    assert "kinase" not in repr(result)
    assert "kinase" not in repr(ask(WORLD, TASKS["word"][0], TASKS["word"][0]))


def test_entities_that_differ_beyond_what_is_shown_are_offered_once() -> None:
    """A reader could not tell two such calls apart, so the second is not there to be chosen."""
    long = "p:" + "x" * 90
    task = Task("compare", Selector(long + "1", "length"), Selector(long + "2", "length"))
    texts = [offer.call.text for offer in offers(task, shape_of(WORLD, task))]
    assert len(texts) == len(set(texts))
    assert sum(text.startswith("look_up_entity") for text in texts) == 1


def test_an_offer_is_run_without_its_text_being_read() -> None:
    first = offers(LENGTH, shape_of(WORLD, LENGTH))[0]
    assert run(WORLD, LENGTH, first) == returned(LENGTH, CALL)
