"""The walk of one claim with a model at the other end (docs/adr/0018): what it is asked, what its replies may do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.snapshots import RowSnapshot, fact, prop, source
from tests.support.world import TASKS, WORLD, asks

from assay.floor.oracle import establish
from assay.floor.signatures import NavigationFailure, OperationCall
from assay.floor.task import Task
from assay.kernel.errors import InputError, ModelFault
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.models.base import Completion, Constraint, Message, OneOf, Usage
from assay.models.scripted import ScriptedModel
from assay.runtime.memory import Memory, Procedure, Sort
from assay.runtime.repair import Cost, Limits, Walk, walk
from assay.runtime.session import DEFAULT, ClaimSession, Policy
from assay.runtime.trace import Accepted, Event, Outcome, Strayed, Submitted, Unresolved, render
from assay.wire.proposals import parse_proposal

LENGTH = asks("value", "p:A", "length")
CONFLICT = asks("value", "p:two", "length")
ABSENT = asks("value", "p:none", "length")
COUNT = OperationCall("count_residues", (("entity", "p:A"), ("property", "length")))
LEARNT = Memory(((Sort("value", "", "integer"), Procedure("count_residues", ("entity", "property"))),))


def never() -> float:
    """A clock that stands still."""
    return 0.0


def ignore(_: Event) -> None:
    """Nobody looks on."""


def walked(model: ScriptedModel, task: Task = LENGTH, policy: Policy = DEFAULT, memory: Memory | None = None) -> Walk:
    return walk(ClaimSession.open(WORLD, task, policy), model, memory or Memory(), ignore, clock=never)


@pytest.mark.parametrize(
    ("task", "replies", "outcome", "line"),
    [
        pytest.param(
            LENGTH,
            ("146", "count_residues", "5"),
            Accepted("derived", COUNT),
            "146 ✗ value.not_equal → count_residues → 5 ✓",
            id="the paper's walk",
        ),
        pytest.param(LENGTH, ("5",), Accepted("unaided"), "5 ✓", id="right at once"),
        pytest.param(
            CONFLICT,
            ("2", "count_residues", "CONFLICT_NOT_RESOLVED"),
            "derived",
            "2 ✗ value.not_equal → count_residues → CONFLICT_NOT_RESOLVED ✓",
            id="a conflict earned",
        ),
        pytest.param(
            ABSENT,
            ("2", "NO_ENTITY"),
            Accepted("unaided"),
            "2 ✗ value.not_equal → NO_ENTITY ✓",
            id="an abstention chosen from the card",
        ),
        pytest.param(
            LENGTH,
            ("146", "NO_ENTITY", "count_residues", "5"),
            Accepted("derived", COUNT),
            "146 ✗ value.not_equal → NO_ENTITY ✗ no_entity.not_established → count_residues → 5 ✓",
            id="an abstention refused, and another choice",
        ),
        pytest.param(
            LENGTH,
            ("146", "count_residues", "147", "look_up_entity", "5"),
            Accepted("derived", COUNT),
            "146 ✗ value.not_equal → count_residues → 147 ✗ value.not_equal → look_up_entity → 5 ✓",
            id="the result is not repeated at once",
        ),
        pytest.param(
            LENGTH,
            ("146", "count_residues", "146"),
            Unresolved("repeated"),
            "146 ✗ value.not_equal → count_residues → 146 ✗ value.not_equal → unresolved: repeated",
            id="the same again",
        ),
        pytest.param(
            LENGTH,
            ("146", "reveal"),
            NavigationFailure("no_choice"),
            "146 ✗ value.not_equal → navigation failure: no_choice",
            id="no choice of the card",
        ),
        pytest.param(
            LENGTH,
            ("nonsense", "count_residues(entity=p:B, property=length)"),
            NavigationFailure("no_choice"),
            "nonsense ✗ value.grammar → navigation failure: no_choice",
            id="the operation on another entity",
        ),
        pytest.param(
            TASKS["quantity"][0],
            ("1 m", "read_value", "0.009 m"),
            "derived",
            "1 m ✗ value.not_equal → read_value → 0.009 m ✓",
            id="a quantity",
        ),
        pytest.param(
            TASKS["interval"][0],
            ("[1, 2]", "read_interval", "[10, 400)"),
            "derived",
            "[1, 2] ✗ value.not_equal → read_interval → [10, 400) ✓",
            id="an interval",
        ),
        pytest.param(
            TASKS["boolean"][0],
            ("false", "read_value", "true"),
            "derived",
            "false ✗ value.not_equal → read_value → true ✓",
            id="a boolean",
        ),
    ],
)
def test_walks(task: Task, replies: tuple[str, ...], outcome: Outcome | str, line: str) -> None:
    model = ScriptedModel(replies)
    found = walked(model, task)
    assert render(found.session.events) == line
    if outcome == "derived":
        outcome = Accepted("derived", found.session.offered[0].call)
    assert found.session.outcome == outcome
    assert found.cost.calls == len(replies) == len(model.asked)


def test_events_are_handed_over_as_they_happen() -> None:
    seen: list[Event] = []
    found = walk(
        ClaimSession.open(WORLD, LENGTH),
        ScriptedModel(("146", "count_residues", "5")),
        Memory(),
        seen.append,
        clock=never,
    )
    assert tuple(seen) == found.session.events


def test_what_was_said_is_kept_beside_what_was_checked() -> None:
    event = walked(ScriptedModel(("146", "NO_ENTITY", "x"))).session.events[0]
    assert isinstance(event, Submitted)
    assert (event.said, event.wire) == ("146", '{"state":"VALUE","value":"146"}')
    strayed = walked(ScriptedModel(("146", "I choose wisely"))).session.events[-1]
    assert isinstance(strayed, Strayed)
    assert strayed.said == "I choose wisely"


def test_a_walk_teaches_and_the_next_begins_with_a_choice() -> None:
    first = walked(ScriptedModel(("146", "count_residues", "5")))
    assert first.memory == LEARNT
    model = ScriptedModel(("count_residues", "6"))
    second = walked(model, asks("value", "p:B", "length"), memory=first.memory)
    assert render(second.session.events) == "count_residues → 6 ✓"
    assert isinstance(model.asked[0][1], OneOf)


def test_a_memory_chooses_nothing_itself() -> None:
    """The model chooses first, and may choose badly: nothing is performed for it."""
    found = walked(ScriptedModel(("read_value",)), memory=LEARNT)
    assert found.session.outcome == NavigationFailure("no_choice")
    unlearnt = walked(ScriptedModel(("2",)), TASKS["length, sources agree"][0], Policy(operations=0), LEARNT)
    assert isinstance(unlearnt.session.events[0], Submitted)


def test_with_no_operation_left_the_question_is_asked_again() -> None:
    model = ScriptedModel(("1", "2", "3", "4"))
    found = walked(model, policy=Policy(operations=0))
    assert found.session.outcome == Unresolved("attempts")
    assert not any(isinstance(constraint, OneOf) for _, constraint in model.asked)


def test_a_model_is_offered_what_it_has_not_performed() -> None:
    model = ScriptedModel(("1", "count_residues", "2", "look_up_entity", "3", "list_sources", "4"))
    found = walked(model)
    options = [constraint.options for _, constraint in model.asked if isinstance(constraint, OneOf)]
    assert [len(found) for found in options] == [6, 5, 4]
    assert found.session.outcome == Unresolved("attempts")


def test_a_result_is_told_in_the_next_question_and_nowhere_before() -> None:
    model = ScriptedModel(("146", "count_residues", "5"))
    walked(model)
    texts = ["\n".join(message.content for message in messages[-1:]) for messages, _ in model.asked]
    assert "count_residues" in texts[2]
    assert texts[2].endswith("= 5")
    assert "5" not in texts[0] + texts[1]


def test_the_script_ends_and_the_session_does_not() -> None:
    """A model's failure is an exception: no verdict, no outcome, nothing accepted."""
    session = ClaimSession.open(WORLD, LENGTH)
    seen: list[Event] = []
    with pytest.raises(ModelFault):
        walk(session, ScriptedModel(("146",)), Memory(), seen.append, clock=never)
    assert session.outcome is None
    assert [event.outcome for event in seen] == [None]


class Priced:
    """A model whose every reply costs the same."""

    name = "priced"

    def __init__(self, replies: Iterator[str], prompt_tokens: int = 90, completion_tokens: int = 10) -> None:
        self._replies = replies
        self._usage = Usage(prompt_tokens, completion_tokens)
        self.seeds: list[int] = []

    def complete(
        self, messages: tuple[Message, ...], *, constraint: Constraint | None, max_tokens: int, seed: int
    ) -> Completion:
        assert messages
        assert constraint is not None
        assert max_tokens > 0
        self.seeds.append(seed)
        text = next(self._replies)
        return Completion(text, self.name, self._usage, f" {text}\n")


def guesses() -> Iterator[str]:
    return (str(number) if number % 2 else "look_up_entity" for number in count(1001))


@pytest.mark.parametrize(
    ("limits", "calls", "outcome"),
    [
        pytest.param(Limits(tokens=250), 3, Unresolved("tokens"), id="tokens, the last call may go beyond"),
        pytest.param(Limits(tokens=0), 0, Unresolved("tokens"), id="no tokens"),
        pytest.param(Limits(wall_s=2.5), 2, Unresolved("seconds"), id="seconds"),
        pytest.param(Limits(tokens=10**9, wall_s=1e9), 7, Unresolved("attempts"), id="the session's own limits"),
        pytest.param(Limits(), 7, Unresolved("attempts"), id="no limits"),
    ],
)
def test_limits_of_a_walk(limits: Limits, calls: int, outcome: Outcome) -> None:
    ticks = count()
    model = Priced(guesses())
    session = ClaimSession.open(WORLD, LENGTH)
    found = walk(session, model, Memory(), ignore, clock=lambda: float(next(ticks)), limits=limits, seed=40)
    assert (found.cost.calls, found.session.outcome) == (calls, outcome)
    assert found.cost == Cost(calls, 90 * calls, 10 * calls)
    assert model.seeds == list(range(40, 40 + calls))


@pytest.mark.parametrize("limits", [{"tokens": -1}, {"wall_s": -0.5}, {"wall_s": float("nan")}, {"tokens": True}])
def test_limits_out_of_bounds(limits: dict[str, int]) -> None:
    with pytest.raises(InputError):
        Limits(**limits)


REPLIES = st.one_of(
    st.sampled_from(
        ["5", "2", "05", "5.0", "true", "count_residues", "look_up_entity", "read_value", "compare_values", "NO_ENTITY"]
    ),
    st.sampled_from(["INSUFFICIENT_EVIDENCE", "CONFLICT_NOT_RESOLVED", '{"state":"VALUE","value":"5"}', "", "[1, 2]"]),
    st.text(max_size=30),
)


@settings(max_examples=300, deadline=None)
@given(
    case=st.sampled_from(sorted(TASKS)),
    replies=st.lists(REPLIES, min_size=40, max_size=40),
    policy=st.builds(Policy, st.integers(1, 5), st.integers(0, 6), st.booleans()),
    memory=st.sampled_from([Memory(), LEARNT]),
)
def test_no_navigator_makes_a_wrong_claim_count(case: str, replies: list[str], policy: Policy, memory: Memory) -> None:
    """Whatever is replied: the walk ends within its limits, and what is accepted is what the evidence establishes."""
    session = ClaimSession.open(WORLD, TASKS[case][0], policy)
    found = walk(session, ScriptedModel(replies), memory, ignore, clock=never)
    assert found.session.outcome is not None
    assert found.cost.calls <= policy.attempts + policy.operations + 1
    for event in found.session.events:
        if isinstance(event, Submitted) and not event.code:
            assert isinstance(found.session.outcome, Accepted)
            assert found.session.outcome.how == "derived" or not policy.require_derivation
            established = establish(WORLD, TASKS[case][0])
            proposal = parse_proposal(event.wire.encode())
            assert isinstance(verify(established.kind, established.state, proposal), Accept)
    if isinstance(found.session.outcome, NavigationFailure):
        assert isinstance(found.session.events[-1], Strayed)


def test_no_prompt_holds_what_no_operation_has_returned() -> None:
    """Canaries: until an operation returns it, the value is in no message and in no constraint."""
    rng = random.Random(5)
    canary = str(rng.randrange(10**11, 10**12))
    kinds: list[tuple[object, Callable[[str], str]]] = [
        (prop("x", "integer"), str),
        (prop("x", "decimal"), lambda text: text + ".5"),
        (prop("x", "identifier"), lambda text: "g:" + text),
    ]
    for spec, spell in kinds:
        world = RowSnapshot([fact("p:A", "x", spell(canary), "s", raw=canary)], [source("s")], [spec])  # type: ignore[list-item]
        model = ScriptedModel(("1", "look_up_entity", "g:2", "list_sources", "3", "read_value", spell(canary)))
        found = walk(ClaimSession.open(world, asks("value", "p:A", "x")), model, Memory(), ignore, clock=never)
        assert isinstance(found.session.outcome, Accepted)
        assert found.session.outcome.how == "derived"
        assert [canary in repr(asked) for asked in model.asked] == [False] * 6 + [True]
