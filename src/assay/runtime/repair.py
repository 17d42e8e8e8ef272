"""Halls: the walk of one claim: the one visible loop (docs/adr/0018). A model drives, and decides nothing.

There is no retry here. What the session refuses is answered by a card and another question, within the limits of the
session; a failure of the model is an exception, and leaves the session as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, assert_never

from assay.floor.signatures import NavigationFailure, OperationCall
from assay.kernel.errors import InputError
from assay.models.base import Completion, Model
from assay.runtime import prompts
from assay.runtime.memory import Memory, learn, recall
from assay.runtime.navigation import AbstentionChoice, read_choice
from assay.runtime.questions import question
from assay.runtime.session import ClaimSession
from assay.runtime.trace import Event, Performed, Reason, Submitted
from assay.wire.proposals import parse_proposal

Move = tuple[ClaimSession, Event]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a walk may cost: tokens of all calls, seconds of wall time; None is no limit beyond the session's own.

    Both are looked at before each call, so the last call may go beyond.
    """

    tokens: int | None = None
    wall_s: float | None = None

    def __post_init__(self) -> None:
        for name, limit in (("tokens", self.tokens), ("wall_s", self.wall_s)):
            if limit is not None and (type(limit) is bool or not limit >= 0):
                raise InputError("policy.limit", f"`{name}` is below zero or no number; leave it out for no limit")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a walk has cost."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def plus(self, said: Completion) -> Cost:
        """The cost after another call."""
        usage = said.usage
        return Cost(
            self.calls + 1,
            self.prompt_tokens + usage.prompt_tokens,
            self.completion_tokens + usage.completion_tokens,
        )

    @property
    def tokens(self) -> int:
        """Tokens in both directions."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Walk:
    """An ended session, what was learnt from it, and what it cost."""

    session: ClaimSession
    memory: Memory
    cost: Cost


UNLIMITED: Final = Limits()
EMPTY: Final = Memory()


def walk(  # noqa: PLR0913 - the parts of a walk, each chosen by whoever calls
    session: ClaimSession,
    model: Model,
    memory: Memory,
    on_event: Callable[[Event], None],
    *,
    clock: Clock,
    limits: Limits = UNLIMITED,
    seed: int = 0,
) -> Walk:
    """The session after a model has walked it to its end; each event is handed over as it happens.

    A procedure in memory lets the model choose an operation before it guesses; which one, it chooses itself.

    Raises:
        ModelFault: the model gave no reply; the session is not ended, and nothing was accepted.
    """
    asked = question(session.task, session.kind)
    start, cost, observation = clock(), Cost(), ""
    choosing = bool(recall(memory, session.task, session.kind))
    while session.outcome is None:
        spent = _spent(limits, cost, clock() - start)
        if spent is not None:
            move = session.stop(spent)
        elif choosing and session.left.operations > 0:
            said = _complete(model, prompts.choose(asked, session.card, _performed(session)), seed + cost.calls)
            cost, move = cost.plus(said), _chosen(session, said)
        else:
            said = _complete(model, prompts.ask(asked, session.kind, observation), seed + cost.calls)
            wire = prompts.read_token(said.text, session.kind)
            cost, move = cost.plus(said), session.submit(parse_proposal(wire), said.raw)
        session, event = move
        on_event(event)
        if isinstance(event, Performed):
            observation = prompts.observation_of(event.result)
        # After a refusal the card's operations; after an operation the question again, with what it returned.
        choosing = isinstance(event, Submitted)
    return Walk(session, learn(memory, session.task, session.kind, session.events), cost)


def _complete(model: Model, prompt: prompts.Prompt, seed: int) -> Completion:
    return model.complete(prompt.messages, constraint=prompt.constraint, max_tokens=prompts.MAX_TOKENS, seed=seed)


def _chosen(session: ClaimSession, said: Completion) -> Move:
    """The move that was chosen, exactly; a choice that is not on the card ends the session."""
    choice = read_choice(said.text, session.card)
    match choice:
        case OperationCall():
            return session.perform(choice)
        case AbstentionChoice():
            return session.submit(choice.proposal, said.raw)
        case NavigationFailure(reason):
            return session.navigation_failure(reason, said.raw)
        case _:
            assert_never(choice)


def _performed(session: ClaimSession) -> tuple[OperationCall, ...]:
    return tuple(event.result.call for event in session.events if isinstance(event, Performed))


def _spent(limits: Limits, cost: Cost, elapsed_s: float) -> Reason | None:
    if limits.tokens is not None and cost.tokens >= limits.tokens:
        return "tokens"
    return "seconds" if limits.wall_s is not None and elapsed_s >= limits.wall_s else None
