"""Doors: the steps of a session in plain lines, as they happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from assay.floor.cards import LINES
from assay.floor.signatures import NavigationFailure
from assay.runtime.trace import Accepted, Closed, Event, Outcome, Performed, Stopped, Strayed, Submitted, Unresolved

_ENDS = {
    "attempts": "no attempts left",
    "operations": "no operations left",
    "repeated": "the same answer was proposed twice",
    "require_derivation": "no attempts left, and nothing was derived",
    "tokens": "no tokens left",
    "seconds": "no time left",
}
_SLIPS = {
    "not_offered": "an operation that the card does not offer",
    "no_choice": "words that are no choice of the card",
    "ambiguous_choice": "a name that two calls of the card have",
    "no_proposal": "no proposal",
}


def step_lines(event: Event) -> Iterator[str]:
    """The event in lines; an end is told by `outcome_line`."""
    match event:
        case Submitted(text=text, code=""):
            yield f"proposes {text}  ✓ accepted"
        case Submitted(text=text, code=code):
            yield f"proposes {text}  ✗ {code}: {LINES[code]}"
        case Performed(result):
            yield f"performs {result.call.text}"
            yield f"     finds {result.text}"
        case Strayed(said=said):
            yield f"says {said[:60]!r}" if said else "says nothing"
        case Stopped() | Closed():
            return
        case _:
            assert_never(event)


def outcome_line(outcome: Outcome) -> str:
    """How it ended, in a sentence that says what it means."""
    match outcome:
        case Accepted("derived", call):
            return f"accepted: derived by {call.name if call is not None else 'an operation'}"
        case Accepted():
            return "accepted: unaided, no operation had returned it"
        case Unresolved(reason):
            return f"unresolved: {_ENDS[reason]}; nothing was accepted"
        case NavigationFailure(reason):
            return f"navigation failure: {_SLIPS.get(reason, reason)}; nothing was accepted"
        case _:
            assert_never(outcome)
