"""Known attacks on sessions and operations, by the record that describes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
from tests.snapshots import RowSnapshot, fact
from tests.support.world import FACTS, TASKS, WORLD, asks

from assay.floor.evidence import Fact
from assay.floor.signatures import OperationCall
from assay.floor.task import Task
from assay.kernel.errors import Fault
from assay.kernel.states import AssertInsufficient, AssertValue, Proposal
from assay.runtime.plain import plain, said_text
from assay.runtime.session import ClaimSession, Policy
from assay.runtime.trace import Accepted, Submitted, Unresolved

LENGTH = asks("value", "p:A", "length")


class AnyInt(int):
    """FA155: says it is whatever is asked."""

    def __int__(self) -> int:
        raise AssertionError("asked")

    def __eq__(self, other: object) -> bool:
        raise AssertionError("asked")

    def __hash__(self) -> int:
        raise AssertionError("asked")

    def __repr__(self) -> str:
        raise AssertionError("asked")

    __str__ = __repr__


class AnyStr(str):
    """FA156: equals everything, and says so when asked."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        raise AssertionError("asked")

    def __hash__(self) -> int:
        raise AssertionError("asked")

    def strip(self, _: str | None = None) -> str:
        raise AssertionError("asked")

    def __repr__(self) -> str:
        raise AssertionError("asked")


class Shifty(list[object]):
    """FA153: another list each time it is read."""

    def __iter__(self) -> Iterator[object]:
        raise AssertionError("asked")

    def __len__(self) -> int:
        raise AssertionError("asked")

    def __repr__(self) -> str:
        raise AssertionError("asked")


class ShiftyDict(dict[str, object]):
    """FA153, as an object."""

    def __getitem__(self, key: str) -> object:
        raise AssertionError("asked")

    def items(self) -> object:  # type: ignore[override]
        raise AssertionError("asked")

    def __repr__(self) -> str:
        raise AssertionError("asked")


class Shapeshifter(AssertValue):
    """A proposal whose value is another each time it is looked at."""

    __slots__ = ()

    @property
    def raw(self) -> object:
        raise AssertionError("asked")

    @raw.setter
    def raw(self, value: object) -> None:
        """Set nothing."""


@pytest.mark.parametrize(
    ("proposal", "case", "code"),
    [
        pytest.param(AssertValue(AnyInt(5)), "length", "value.type", id="FA155 integer"),
        pytest.param(AssertValue(AnyStr("5")), "length", "value.type", id="FA156 text for an integer"),
        pytest.param(AssertValue(AnyStr("protein kinase")), "word", "value.type", id="FA156 word"),
        pytest.param(AssertValue(Shifty(["g:ONE", "g:TWO"])), "set", "value.type", id="FA153 list"),
        pytest.param(AssertValue([AnyStr("g:ONE"), "g:TWO"]), "set", "value.type", id="FA153 list of such texts"),
        pytest.param(AssertValue(ShiftyDict(n="0.009", unit="m")), "quantity", "value.type", id="FA153 object"),
        pytest.param(AssertValue({"n": AnyInt(1), "unit": "m"}), "quantity", "value.type", id="such numbers"),
        pytest.param(AssertValue({1: "0.009", "unit": "m"}), "quantity", "value.keys", id="a key that is no text"),
        pytest.param(Shapeshifter("5"), "length", "proposal.shape", id="a proposal of a stranger's class"),
        pytest.param("5", "length", "proposal.shape", id="a text for a proposal"),
        pytest.param(None, "length", "proposal.shape", id="nothing for a proposal"),
        pytest.param(AssertInsufficient, "length", "proposal.shape", id="a class for a proposal"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_foreign_objects_denote_nothing_and_are_not_asked(
    proposal: Proposal, case: str, code: str, strict: bool
) -> None:
    session, event = ClaimSession.open(WORLD, TASKS[case][0], Policy(require_derivation=strict)).submit(proposal)
    assert isinstance(event, Submitted)
    assert event.code == code
    assert repr(session)
    assert "AssertionError" not in event.text + event.wire


def test_a_list_that_changes_after_it_was_proposed_changes_nothing() -> None:
    raw: list[object] = ["g:ONE", "g:THREE"]
    proposal = AssertValue(raw)
    session, event = ClaimSession.open(WORLD, TASKS["set"][0]).submit(proposal)
    raw[1] = "g:TWO"
    proposal.raw = ["g:ONE", "g:TWO"]
    assert isinstance(event, Submitted)
    assert (event.code, event.wire) == ("value.not_equal", '{"state":"VALUE","value":["g:ONE","g:THREE"]}')
    assert session.events == (event,)
    assert session.outcome is None


def _nested(depth: int) -> object:
    raw: object = "x"
    for _ in range(depth):
        raw = [raw]
    return raw


def _laughing() -> object:
    raw: object = "x"
    for _ in range(7):
        raw = [raw] * 300
    return raw


def _cyclic() -> object:
    raw: list[object] = []
    raw.append(raw)
    return raw


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        pytest.param(10**5000, "value.type", id="a number python will not print"),
        pytest.param([10**5000], "value.type", id="such a number in a list"),
        pytest.param(["g:ONE"] * 100_000, "value.too_long", id="a long list"),
        pytest.param(_nested(2_000), "value.type", id="deep"),
        pytest.param(_laughing(), "value.too_long", id="a list of lists of lists, shared"),
        pytest.param(_cyclic(), "value.type", id="a list that holds itself"),
        pytest.param({str(index): index for index in range(10_000)}, "value.type", id="many keys"),
        pytest.param("x" * 1_000_000, "value.type", id="a long text"),
        pytest.param("\ud800", "value.type", id="half a surrogate pair"),
        pytest.param(float("nan"), "value.type", id="NaN"),
    ],
)
def test_large_and_odd_values_are_refused_in_bounded_space(raw: object, code: str) -> None:
    session, event = ClaimSession.open(WORLD, TASKS["set"][0]).submit(AssertValue(raw))
    assert isinstance(event, Submitted)
    assert event.code == code
    assert len(event.text) <= 1_000
    assert len(event.wire) <= 4_096
    assert repr(session)


def test_the_copy_is_the_proposal_where_it_is_plain() -> None:
    raw = {"n": "0.009", "unit": "m"}
    given = plain(AssertValue(raw))
    assert isinstance(given.proposal, AssertValue)
    assert given.proposal.raw == raw
    assert given.proposal.raw is not raw
    assert repr(given) == "Plain(<hidden>)"


@pytest.mark.parametrize(
    ("said", "kept"),
    [("142", "142"), ("x" * 9_999, "x" * 4_096), ("a\ud800b", "a\\ud800b"), (AnyStr("x"), ""), (None, "")],
)
def test_what_was_said_is_kept_within_bounds(said: object, kept: str) -> None:
    assert said_text(said) == kept


@dataclass
class Shelf:
    """A store that somebody changes while a session is open: not what the protocol allows."""

    now: RowSnapshot

    def __getattr__(self, name: str) -> object:
        return getattr(self.now, name)


def _world(letters: str) -> RowSnapshot:
    rows: Sequence[Fact] = [row for row in FACTS if (row.entity, row.property) != ("p:A", "sequence")]
    return replace(WORLD, fact_rows=[*rows, fact("p:A", "sequence", letters)])


def test_evidence_that_changes_between_card_and_verdict_changes_no_verdict() -> None:
    """FA152: the verdict is of the evidence that the session was opened on."""
    shelf = Shelf(_world("MAGAGAG"))
    session = ClaimSession.open(shelf, LENGTH)  # type: ignore[arg-type]
    card = session.card
    shelf.now = _world("MA")
    assert session.card == card
    after, _ = session.submit(AssertValue("2"))
    assert after.outcome is None
    after, _ = session.submit(AssertValue("7"))
    assert after.outcome == Accepted("unaided")


def test_an_operation_on_changed_evidence_is_a_fault_and_no_result() -> None:
    shelf = Shelf(_world("MAGAGAG"))
    session = ClaimSession.open(shelf, LENGTH)  # type: ignore[arg-type]
    shelf.now = _world("MA")
    with pytest.raises(Fault, match="changed while the session was open"):
        session.perform(session.offered[0].call)
    assert session.events == ()
    assert session.outcome is None


@dataclass
class Liar:
    """A store that keeps its digest and answers otherwise after a while."""

    first: RowSnapshot
    then: RowSnapshot
    turned: bool = False

    @property
    def digest(self) -> str:
        return self.first.digest

    def __getattr__(self, name: str) -> object:
        return getattr(self.then if self.turned else self.first, name)


def test_a_store_that_lies_about_its_digest_is_found_out_by_the_answering_operation() -> None:
    liar = Liar(_world("MAGAGAG"), _world("MA"))
    session = ClaimSession.open(liar, LENGTH)  # type: ignore[arg-type]
    liar.turned = True
    with pytest.raises(Fault, match="differ on one task"):
        session.perform(session.offered[0].call)
    conflicting = Liar(_world("MAGAGAG"), replace(WORLD, fact_rows=[*FACTS, fact("p:A", "sequence", "M", "t")]))
    session = ClaimSession.open(conflicting, LENGTH)  # type: ignore[arg-type]
    conflicting.turned = True
    with pytest.raises(Fault, match="differ on one task"):
        session.perform(session.offered[0].call)


def test_an_operation_that_fails_is_a_fault_and_neither_pass_nor_abstention() -> None:
    """FA188: the session stays where it was, and can go on."""

    class Broken(Shelf):
        def facts(self, _: str, __: str) -> Sequence[Fact]:
            raise Fault("fault.store", "the store is gone")

    session = ClaimSession.open(WORLD, LENGTH)
    broken = replace(session, snapshot=Broken(WORLD))  # type: ignore[arg-type]
    with pytest.raises(Fault, match="the store is gone"):
        broken.perform(broken.offered[0].call)
    assert broken.events == ()
    after, _ = broken.submit(AssertValue("5"))
    assert after.outcome == Accepted("unaided")


def test_enumeration_ends_after_the_attempts() -> None:
    """FA174: 200 proposals, 0 to 199; the right one is among them, and is not reached."""
    session = ClaimSession.open(_world("M" * 142), LENGTH)
    for guess in range(200):
        session, _ = session.submit(AssertValue(str(guess)))
    assert session.outcome == Unresolved("attempts")
    assert len(session.events) == 4


def test_the_same_wrong_proposal_for_ever_ends_at_the_second() -> None:
    """FA178."""
    session = ClaimSession.open(WORLD, LENGTH, Policy(attempts=1_000))
    for _ in range(1_000):
        session, _ = session.submit(AssertValue("6"))
    assert session.outcome == Unresolved("repeated")
    assert len(session.events) == 2


@pytest.mark.parametrize("raw", ["6", " 6", "6\t", 6])
def test_another_spelling_of_the_same_value_is_the_same_proposal(raw: object) -> None:
    session, _ = ClaimSession.open(WORLD, LENGTH).submit(AssertValue("6"))
    session, _ = session.submit(AssertValue(raw))
    assert session.outcome == Unresolved("repeated")


def test_a_log_line_in_a_proposal_stays_in_its_quotation_marks() -> None:
    """FA183."""
    session, event = ClaimSession.open(WORLD, LENGTH).submit(AssertValue("142\r\n2026-11-30 ACCEPT receipt=1"))
    assert isinstance(event, Submitted)
    assert event.text == '"142\\u{d}\\u{a}2026-11-30 ACCEPT receipt=1"'
    assert session.outcome is None


def _tasks_with_two_entities() -> Sequence[Task]:
    return [task for task, _, _ in TASKS.values() if task.other is not None]


@pytest.mark.parametrize("task", _tasks_with_two_entities())
def test_no_argument_of_another_task_is_ever_performed(task: Task) -> None:
    """FA180 in general: every call of every other task that this one does not offer fails."""
    session = ClaimSession.open(WORLD, task)
    own = {offer.call for offer in session.offered}
    for other, _, _ in TASKS.values():
        for offer in ClaimSession.open(WORLD, other).offered:
            if offer.call not in own:
                _, event = session.perform(offer.call)
                assert event.outcome is not None
                assert not isinstance(event.outcome, Accepted)


def test_a_number_python_will_not_print_is_too_long() -> None:
    _, event = ClaimSession.open(WORLD, LENGTH).submit(AssertValue(-(10**5000)))
    assert isinstance(event, Submitted)
    assert (event.code, event.text) == ("value.too_long", "(a number of more than 100 digits)")


def test_calls_are_compared_as_plain_texts() -> None:
    session = ClaimSession.open(WORLD, LENGTH)
    evil = OperationCall("count_residues", ((AnyStr("entity"), AnyStr("p:A")), ("property", "length")))
    _, event = session.perform(evil)
    assert event.outcome is not None
