"""One claim, move by move (spec/card.md §4): a row a rule, then the trajectory as a value."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from tests.support.world import TASKS, WORLD, asks

from assay.floor.cards import NOT_DERIVED, OPEN, Left
from assay.floor.signatures import NavigationFailure, OperationCall
from assay.floor.task import Task
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError, InvalidTask
from assay.kernel.states import AssertValue, Malformed
from assay.runtime.navigation import read_choice
from assay.runtime.session import DEFAULT, ClaimSession, Policy
from assay.runtime.trace import (
    Accepted,
    Closed,
    Outcome,
    Performed,
    Stopped,
    Strayed,
    Submitted,
    Unresolved,
    outcome_text,
    render,
    trajectory_document,
)
from assay.wire.proposals import parse_proposal

LENGTH = asks("value", "p:A", "length")
CONFLICT = asks("value", "p:two", "length")
ABSENT = asks("value", "p:none", "length")
SILENT = asks("value", "p:A", "price")
COUNT = OperationCall("count_residues", (("entity", "p:A"), ("property", "length")))
STRICT = Policy(require_derivation=True)
WORDS = {"INSUFFICIENT": "INSUFFICIENT_EVIDENCE", "CONFLICT": "CONFLICT_NOT_RESOLVED", "NO_ENTITY": "NO_ENTITY"}


def wire(text: str) -> str:
    return json.dumps({"state": WORDS[text]} if text in WORDS else {"state": "VALUE", "value": text})


def walked(task: Task, moves: str, policy: Policy = DEFAULT) -> ClaimSession:
    """The session after moves: `!name` performs, everything else is proposed."""
    session = ClaimSession.open(WORLD, task, policy)
    for move in moves.split():
        if move.startswith("!"):
            choice = read_choice(move[1:], session.card)
            call = choice if isinstance(choice, OperationCall) else OperationCall(move[1:])
            session, _ = session.perform(call)
        else:
            session, _ = session.submit(parse_proposal(wire(move).encode()), move)
    return session


SHORT = {
    "unequal": "value.not_equal",
    "present": "no_entity.not_established",
    "grammar": "value.grammar",
    "underived": NOT_DERIVED,
}


def _codes(line: str) -> str:
    for word, code in SHORT.items():
        line = line.replace(f"✗ {word}", f"✗ {code}")
    return line


def rows() -> Sequence[object]:
    one = Policy(attempts=1)
    none = Policy(operations=0)
    derived = Accepted("derived", COUNT)
    unaided = Accepted("unaided")
    table: list[tuple[str, Task, str, Policy, Outcome | str | None, str]] = [
        ("nothing happened", LENGTH, "", DEFAULT, None, ""),
        ("the paper's walk", LENGTH, "146 !count_residues 5", DEFAULT, derived,
         "146 ✗ unequal → count_residues → 5 ✓"),
        ("right at once is unaided", LENGTH, "5", DEFAULT, unaided, "5 ✓"),
        ("an operation first, then the value, is derived", LENGTH, "!count_residues 5", DEFAULT, derived,
         "count_residues → 5 ✓"),
        ("an operation that does not answer derives nothing", LENGTH, "!look_up_entity 5", DEFAULT, unaided,
         "look_up_entity → 5 ✓"),
        ("derived by the first of two", LENGTH, "!count_residues !count_residues 5", DEFAULT, derived,
         "count_residues → count_residues → 5 ✓"),
        ("a conflict is earned", CONFLICT, "2 3 !count_residues CONFLICT", DEFAULT, "derived",
         "2 ✗ unequal → 3 ✗ unequal → count_residues → CONFLICT_NOT_RESOLVED ✓"),
        ("a conflict is called", CONFLICT, "CONFLICT", DEFAULT, unaided, "CONFLICT_NOT_RESOLVED ✓"),
        ("an average is nobody's value", CONFLICT, "2.5 INSUFFICIENT", DEFAULT, None,
         "2.5 ✗ grammar → INSUFFICIENT_EVIDENCE ✗ insufficient.not_established"),
        ("an absence is earned", ABSENT, "7 !count_residues NO_ENTITY", DEFAULT, "derived",
         "7 ✗ unequal → count_residues → NO_ENTITY ✓"),
        ("an absence derives both its words", ABSENT, "!count_residues INSUFFICIENT", DEFAULT, "derived",
         "count_residues → INSUFFICIENT_EVIDENCE ✓"),
        ("silence is earned", SILENT, "7 !read_value INSUFFICIENT", DEFAULT, "derived",
         "7 ✗ unequal → read_value → INSUFFICIENT_EVIDENCE ✓"),
        ("four refusals", LENGTH, "1 2 3 4", DEFAULT, Unresolved("attempts"),
         "1 ✗ unequal → 2 ✗ unequal → 3 ✗ unequal → 4 ✗ unequal → unresolved: attempts"),
        ("malformed ones are attempts", LENGTH, "x 05 5.0 +5", DEFAULT, Unresolved("attempts"),
         "x ✗ grammar → 05 ✗ grammar → 5.0 ✗ grammar → +5 ✗ grammar → unresolved: attempts"),
        ("malformed ones repeat nothing", LENGTH, "x x !count_residues 5", DEFAULT, derived,
         "x ✗ grammar → x ✗ grammar → count_residues → 5 ✓"),
        ("the same value twice (FA178)", LENGTH, "6 6", DEFAULT, Unresolved("repeated"),
         "6 ✗ unequal → 6 ✗ unequal → unresolved: repeated"),
        ("the same abstention twice", LENGTH, "NO_ENTITY 7 NO_ENTITY", DEFAULT, Unresolved("repeated"),
         "NO_ENTITY ✗ present → 7 ✗ unequal → NO_ENTITY ✗ present → unresolved: repeated"),
        ("the last attempt on a repeat is a repeat", LENGTH, "1 2 3 3", DEFAULT, Unresolved("repeated"),
         "1 ✗ unequal → 2 ✗ unequal → 3 ✗ unequal → 3 ✗ unequal → unresolved: repeated"),
        ("one attempt", LENGTH, "4", one, Unresolved("attempts"), "4 ✗ unequal → unresolved: attempts"),
        ("without operations the card has none to choose", LENGTH, "4 !count_residues", none,
         NavigationFailure("not_offered"), "4 ✗ unequal → navigation failure: not_offered"),
        ("after the end nothing counts", LENGTH, "6 6 5 !count_residues", DEFAULT, Unresolved("repeated"),
         "6 ✗ unequal → 6 ✗ unequal → unresolved: repeated"),
        ("after acceptance too", LENGTH, "5 6 !count_residues", DEFAULT, unaided, "5 ✓"),
        ("an operation that is not there", LENGTH, "4 !reveal", DEFAULT, NavigationFailure("not_offered"),
         "4 ✗ unequal → navigation failure: not_offered"),
        ("strict: a right guess is not looked at", LENGTH, "5", STRICT, None, "5 ✗ underived"),
        ("strict: a wrong guess looks the same", LENGTH, "6", STRICT, None, "6 ✗ underived"),
        ("strict: an abstention looks the same", LENGTH, "CONFLICT", STRICT, None, "CONFLICT_NOT_RESOLVED ✗ underived"),
        ("strict: a malformed one has its own code", LENGTH, "5.0", STRICT, None, "5.0 ✗ grammar"),
        ("strict: a lucky guess may be earned", LENGTH, "5 !count_residues 5", STRICT, derived,
         "5 ✗ underived → count_residues → 5 ✓"),
        ("strict: another operation earns nothing", LENGTH, "5 !look_up_entity 6", STRICT, None,
         "5 ✗ underived → look_up_entity → 6 ✗ underived"),
        ("strict: insisting is a repeat", LENGTH, "5 5", STRICT, Unresolved("repeated"),
         "5 ✗ underived → 5 ✗ underived → unresolved: repeated"),
        ("strict: guesses run out", LENGTH, "1 2 3 5", STRICT, Unresolved("require_derivation"),
         "1 ✗ underived → 2 ✗ underived → 3 ✗ underived → 5 ✗ underived → unresolved: require_derivation"),
        ("strict: an absence is earned", ABSENT, "!count_residues NO_ENTITY", STRICT, "derived",
         "count_residues → NO_ENTITY ✓"),
    ]  # fmt: skip
    return [pytest.param(*row, _codes(line), id=name) for name, *row, line in table]


@pytest.mark.parametrize(("task", "moves", "policy", "outcome", "line"), rows())
def test_sessions(task: Task, moves: str, policy: Policy, outcome: Outcome | str | None, line: str) -> None:
    session = walked(task, moves, policy)
    assert render(session.events) == line
    if outcome == "derived":
        outcome = Accepted("derived", session.offered[0].call)
    assert session.outcome == outcome
    assert walked(task, moves, policy).events == session.events, "moves replayed give the same session"


@pytest.mark.parametrize("case", TASKS)
def test_every_task_can_be_earned(case: str) -> None:
    """The answering operation, and then what it returned, is accepted as derived in every class and every state."""
    session = ClaimSession.open(WORLD, TASKS[case][0], STRICT)
    session, event = session.perform(session.offered[0].call)
    assert isinstance(event, Performed)
    state = {"state": event.result.state}
    if event.result.state == "VALUE":
        state["value"] = event.result.raw  # type: ignore[assignment]
    session, _ = session.submit(parse_proposal(canonical(state)))
    assert session.outcome == Accepted("derived", session.offered[0].call)


def test_the_seventh_operation_is_too_many() -> None:
    session = walked(LENGTH, "6 " + "!look_up_entity " * 6)
    assert session.left == Left(3, 0)
    assert session.card.operations == ()
    session, event = session.perform(COUNT)
    assert event == Stopped(Unresolved("operations"))
    assert session.outcome == Unresolved("operations")
    assert render(session.events).endswith("look_up_entity → unresolved: operations")


def test_with_no_operation_left_a_proposal_may_still_be_made() -> None:
    assert walked(LENGTH, "6 " + "!count_residues " * 6 + "5").outcome == Accepted("derived", COUNT)


def test_a_foreign_call_is_no_operation_and_not_performed() -> None:
    """FA180: the operation of this task on another entity."""
    session = walked(LENGTH, "6")
    other = OperationCall("count_residues", (("entity", "p:B"), ("property", "length")))
    session, event = session.perform(other)
    assert isinstance(event, Strayed)
    assert event.said == other.text
    assert session.outcome == NavigationFailure("not_offered")
    assert not any(isinstance(item, Performed) for item in session.events)


def test_a_call_of_no_plain_texts_is_not_even_printed() -> None:
    session, event = ClaimSession.open(WORLD, LENGTH).perform("count_residues")  # type: ignore[arg-type]
    assert isinstance(event, Strayed)
    assert (event.said, session.outcome) == ("", NavigationFailure("not_offered"))


@pytest.mark.parametrize("move", ["submit", "perform", "navigation_failure", "stop"])
def test_after_the_end_every_move_is_refused_and_changes_nothing(move: str) -> None:
    ended, _ = ClaimSession.open(WORLD, LENGTH).navigation_failure("no_proposal", "no idea")
    moves = {
        "submit": lambda: ended.submit(AssertValue("5")),
        "perform": lambda: ended.perform(COUNT),
        "navigation_failure": lambda: ended.navigation_failure("no_choice"),
        "stop": lambda: ended.stop("tokens"),
    }
    session, event = moves[move]()
    assert session is ended
    assert event == Closed(NavigationFailure("no_proposal"))
    assert render([event]) == ""


def test_a_refusal_comes_with_a_card_and_an_end_without() -> None:
    session = walked(LENGTH, "6")
    last = session.events[-1]
    assert isinstance(last, Submitted)
    assert last.card == session.card
    assert (session.card.code, session.card.left) == ("value.not_equal", Left(3, 6))
    final = walked(LENGTH, "6 6").events[-1]
    assert isinstance(final, Submitted)
    assert final.card is None


def test_before_the_first_proposal_the_card_is_open() -> None:
    card = ClaimSession.open(WORLD, LENGTH).card
    assert (card.code, card.left, card.operations[0]) == (OPEN, Left(4, 6), COUNT)


def test_a_session_is_never_changed_by_its_moves() -> None:
    first = ClaimSession.open(WORLD, LENGTH)
    second, _ = first.submit(AssertValue("6"))
    third, _ = second.perform(COUNT)
    again, _ = second.submit(AssertValue("7"))
    assert [len(session.events) for session in (first, second, third, again)] == [0, 1, 2, 2]
    assert first.outcome is second.outcome is third.outcome is again.outcome is None


def test_printing_a_session_tells_where_it_stands_and_nothing_else() -> None:
    session = walked(asks("value", "p:A", "name"), "x:1 !read_value p.name:A_HUMAN")
    assert repr(session).startswith("ClaimSession(value, 3 events, Accepted(how='derived'")
    assert "A_HUMAN" not in repr(session) + repr(session.events) + repr(session.reveal())


def test_what_was_established_is_for_its_owner() -> None:
    session = ClaimSession.open(WORLD, LENGTH)
    assert session.reveal().task == LENGTH
    assert session.kind == session.reveal().kind


def test_a_task_that_cannot_be_asked_opens_no_session() -> None:
    with pytest.raises(InvalidTask):
        ClaimSession.open(WORLD, asks("value", "p:A", "sequence"))


@pytest.mark.parametrize(
    ("attempts", "operations", "strict"),
    [
        pytest.param(0, 6, False, id="no attempt"),
        pytest.param(True, 6, False, id="true attempts"),
        pytest.param(4, -1, False, id="fewer operations than none"),
        pytest.param(4, 6.0, False, id="a float"),
        pytest.param(4, 6, 1, id="a number for a flag"),
    ],
)
def test_policies_out_of_bounds(attempts: int, operations: int, strict: bool) -> None:
    with pytest.raises(InputError):
        Policy(attempts, operations, strict)


def test_the_trajectory_as_json() -> None:
    session = walked(LENGTH, "146 x !count_residues 5")
    call = {"name": "count_residues", "arguments": [["entity", "p:A"], ["property", "length"]]}
    call["gives"] = "the number of letters of a sequence, or of one letter in it"
    document = trajectory_document(session.events)
    assert json.loads(canonical(document)) == [
        {
            "event": "submitted",
            "proposal": "146",
            "wire": '{"state":"VALUE","value":"146"}',
            "said": "146",
            "verdict": "REJECT",
            "code": "value.not_equal",
        },
        {
            "event": "submitted",
            "proposal": "x",
            "wire": '{"state":"VALUE","value":"x"}',
            "said": "x",
            "verdict": "REJECT",
            "code": "value.grammar",
        },
        {"event": "performed", "operation": call, "state": "VALUE", "text": "5", "value": "5"},
        {
            "event": "submitted",
            "proposal": "5",
            "wire": '{"state":"VALUE","value":"5"}',
            "said": "5",
            "verdict": "ACCEPT",
            "code": "",
            "outcome": {"outcome": "accepted", "how": "derived", "operation": call},
        },
    ]


def test_other_ends_as_json() -> None:
    open_session = ClaimSession.open(WORLD, CONFLICT)
    performed, _ = open_session.perform(open_session.offered[0].call)
    stopped, _ = performed.stop("seconds")
    strayed, _ = open_session.navigation_failure("no_choice", "what?")
    unaided = walked(CONFLICT, "CONFLICT")
    _, closed = strayed.submit(AssertValue("5"))
    found = [trajectory_document(session.events)[-1] for session in (stopped, strayed, unaided)]
    assert [item["outcome"] for item in found] == [
        {"outcome": "unresolved", "reason": "seconds"},
        {"outcome": "navigation_failure", "reason": "no_choice"},
        {"outcome": "accepted", "how": "unaided"},
    ]
    assert trajectory_document(performed.events)[-1]["reason"] == "incompatible"
    assert found[1] == {
        "event": "strayed",
        "said": "what?",
        "outcome": {"outcome": "navigation_failure", "reason": "no_choice"},
    }
    assert trajectory_document([closed])[0]["event"] == "closed"


@pytest.mark.parametrize(
    ("outcome", "text"),
    [
        (Accepted("derived", COUNT), "accepted, derived by count_residues"),
        (Accepted("unaided"), "accepted, unaided"),
        (Unresolved("tokens"), "unresolved: tokens"),
        (NavigationFailure("no_choice"), "navigation failure: no_choice"),
    ],
)
def test_outcomes_in_words(outcome: Outcome, text: str) -> None:
    assert outcome_text(outcome) == text


def test_a_code_that_nobody_gives_is_a_shape() -> None:
    session, event = ClaimSession.open(WORLD, LENGTH).submit(Malformed("you may: reveal()"))
    assert isinstance(event, Submitted)
    assert (event.code, event.text, event.wire, session.card.code) == ("proposal.shape", "(malformed)", "", event.code)
