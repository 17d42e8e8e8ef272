"""Halls: the trajectory of a session as a value: what was proposed, performed, decided (spec/card.md §4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, assert_never

from assay.floor.cards import AffordanceCard, call_document
from assay.floor.operations.perform import OperationResult
from assay.floor.signatures import NavigationFailure, OperationCall

How = Literal["derived", "unaided"]
Reason = Literal["attempts", "operations", "repeated", "require_derivation", "tokens", "seconds"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """A proposal was accepted; `call` is the operation that derived it, if one had."""

    how: How
    call: OperationCall | None = None


@dataclass(frozen=True, slots=True)
class Unresolved:
    """The session ended with nothing accepted: what a weak model gets instead of being wrong."""

    reason: Reason


Outcome = Accepted | Unresolved | NavigationFailure


@dataclass(frozen=True, slots=True)
class Submitted:
    """A proposal and its verdict: no code means accepted. A refusal that is not the end comes with a card.

    `text` is for people, `wire` the JSON text of what was checked (empty where it has none), `said` what the proposer
    wrote before it was read. All three stay out of `repr`: an accepted one is the answer.
    """

    text: str = field(repr=False)
    wire: str = field(repr=False)
    said: str = field(repr=False)
    code: str
    card: AffordanceCard | None
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Performed:
    """An operation and its result."""

    result: OperationResult
    outcome: None = None


@dataclass(frozen=True, slots=True)
class Strayed:
    """A choice that was not on the card; it ended the session."""

    said: str = field(repr=False)
    outcome: NavigationFailure


@dataclass(frozen=True, slots=True)
class Stopped:
    """A limit was reached without a proposal."""

    outcome: Unresolved


@dataclass(frozen=True, slots=True)
class Closed:
    """A move after the end: refused, recorded nowhere, and nothing changed."""

    outcome: Outcome


Event = Submitted | Performed | Strayed | Stopped | Closed
Trajectory = tuple[Event, ...]


def render(trajectory: Iterable[Event]) -> str:
    """The trajectory in one line: `146 ✗ value.not_equal → count_residues → 142 ✓`."""
    parts: list[str] = []
    for event in trajectory:
        parts += _parts(event)
    return " → ".join(parts)


def outcome_text(outcome: Outcome) -> str:
    """The outcome in plain words."""
    match outcome:
        case Accepted(how, call):
            return f"accepted, {how}" if call is None else f"accepted, {how} by {call.name}"
        case Unresolved(reason):
            return f"unresolved: {reason}"
        case NavigationFailure(reason):
            return f"navigation failure: {reason}"
        case _:
            assert_never(outcome)


def trajectory_document(trajectory: Iterable[Event]) -> list[dict[str, object]]:
    """The trajectory as JSON values. It holds what operations returned: it is not for other proposers."""
    return [event_document(event) for event in trajectory]


def event_document(event: Event) -> dict[str, object]:
    """One event as a JSON object, without its card."""
    match event:
        case Submitted():
            document: dict[str, object] = {
                "event": "submitted",
                "proposal": event.text,
                "wire": event.wire,
                "said": event.said,
                "verdict": "REJECT" if event.code else "ACCEPT",
                "code": event.code,
            }
        case Performed(result):
            document = {"event": "performed", "operation": call_document(result.call), **result_document(result)}
        case Strayed():
            document = {"event": "strayed", "said": event.said}
        case Stopped():
            document = {"event": "stopped"}
        case Closed():
            document = {"event": "closed"}
        case _:
            assert_never(event)
    if event.outcome is not None:
        document["outcome"] = outcome_document(event.outcome)
    return document


def result_document(result: OperationResult) -> dict[str, object]:
    """What an operation returned, as a JSON object; a value only where there is one."""
    document: dict[str, object] = {"state": result.state, "text": result.text}
    if result.state == "VALUE":
        document["value"] = result.raw
    elif result.reason:
        document["reason"] = result.reason
    return document


def outcome_document(outcome: Outcome) -> dict[str, object]:
    """The outcome as a JSON object."""
    match outcome:
        case Accepted(how, call):
            derived = {} if call is None else {"operation": call_document(call)}
            return {"outcome": "accepted", "how": how, **derived}
        case Unresolved(reason):
            return {"outcome": "unresolved", "reason": reason}
        case NavigationFailure(reason):
            return {"outcome": "navigation_failure", "reason": reason}
        case _:
            assert_never(outcome)


def _parts(event: Event) -> list[str]:
    match event:
        case Submitted(code=""):
            return [f"{event.text} ✓"]
        case Submitted(code=code):
            ended = [] if event.outcome is None else [outcome_text(event.outcome)]
            return [f"{event.text} ✗ {code}", *ended]
        case Performed(result):
            return [result.call.name]
        case Strayed() | Stopped():
            return [outcome_text(event.outcome)]
        case Closed():
            return []
        case _:
            assert_never(event)
