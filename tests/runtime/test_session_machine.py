"""A session under any order of moves: limits hold, ends are final, and derived means derived (spec/card.md §4)."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.support.world import TASKS, WORLD

from assay.floor.signatures import NavigationFailure, OperationCall
from assay.kernel.states import (
    CONFLICT_NOT_RESOLVED,
    INSUFFICIENT_EVIDENCE,
    NO_ENTITY,
    AssertValue,
    Malformed,
    Proposal,
)
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.runtime.session import ClaimSession, Policy
from assay.runtime.trace import Accepted, Closed, Event, Performed, Stopped, Strayed, Submitted, Unresolved

POLICIES = st.builds(Policy, st.integers(1, 5), st.integers(0, 3), st.booleans())
# Few values, so that right ones, repeats and malformed ones all come up.
RAW = st.sampled_from(["5", "2", 5, "05", 5.0, True, "g:ONE", ["g:ONE", "g:TWO"], {"n": "0.009", "unit": "m"}, None])
PROPOSALS: st.SearchStrategy[Proposal] = st.one_of(
    st.builds(AssertValue, RAW),
    st.sampled_from([INSUFFICIENT_EVIDENCE, CONFLICT_NOT_RESOLVED, NO_ENTITY, Malformed("parse.json")]),
)


class SessionMachine(RuleBasedStateMachine):
    """Keeps every session and its events beside the one that moves on."""

    @initialize(case=st.sampled_from(sorted(TASKS)), policy=POLICIES)
    def begin(self, case: str, policy: Policy) -> None:
        self.policy = policy
        self.session = ClaimSession.open(WORLD, TASKS[case][0], policy)
        self.past: list[tuple[ClaimSession, tuple[Event, ...]]] = []
        self.verified: set[str] = set()
        self.moves: list[tuple[str, object]] = []

    def go(self, name: str, given: object, moved: tuple[ClaimSession, Event]) -> Event:
        before, (after, event) = self.session, moved
        self.past.append((before, before.events))
        if before.outcome is not None:
            assert after is before
            assert event == Closed(before.outcome)
        else:
            assert after.events == (*before.events, event)
            assert after.outcome == event.outcome
            self.moves.append((name, given))
        self.session = after
        return event

    @rule(proposal=PROPOSALS)
    def submit(self, proposal: Proposal) -> None:
        before = self.session
        event = self.go("submit", proposal, before.submit(proposal))
        if not isinstance(event, Submitted):
            return
        right = isinstance(verify(before.kind, before.reveal().state, proposal), Accept)
        earned = any(isinstance(item, Performed) and item.result.answers for item in before.events)
        assert (event.code == "") == (right and (earned or not self.policy.require_derivation))
        if isinstance(event.outcome, Accepted):
            assert event.outcome.how == ("derived" if earned else "unaided")
            assert event.card is None
        else:
            assert self.session.left.attempts == before.left.attempts - 1
            assert (event.card is None) == (event.outcome is not None)

    @rule(index=st.integers(0, 9))
    def perform(self, index: int) -> None:
        call = self.session.offered[index % len(self.session.offered)].call
        left = self.session.left.operations
        event = self.go("perform", call, self.session.perform(call))
        if not isinstance(event, Closed):
            assert isinstance(event, Performed if left else Stopped)

    @rule(name=st.sampled_from(["reveal", "count_residues", ""]), text=st.text(max_size=5))
    def stray(self, name: str, text: str) -> None:
        call = OperationCall(name, (("entity", text),))
        event = self.go("perform", call, self.session.perform(call))
        assert isinstance(event, (Strayed, Closed))

    @rule(reason=st.sampled_from(["no_choice", "no_proposal"]))
    def give_up(self, reason: str) -> None:
        event = self.go("navigation_failure", reason, self.session.navigation_failure(reason))
        assert isinstance(event, Closed) or event.outcome == NavigationFailure(reason)

    @invariant()
    def limits_hold(self) -> None:
        left, events = self.session.left, self.session.events
        assert 0 <= left.attempts <= self.policy.attempts
        assert 0 <= left.operations <= self.policy.operations
        assert (left.attempts == 0) <= (self.session.outcome is not None)
        assert sum(isinstance(event, Submitted) for event in events) <= self.policy.attempts
        assert sum(isinstance(event, Performed) for event in events) <= self.policy.operations
        assert [event.outcome for event in events[:-1]] == [None] * (len(events) - 1 if events else 0)

    @invariant()
    def past_sessions_stay_as_they_were(self) -> None:
        assert all(session.events == events for session, events in self.past[-3:])

    @invariant()
    def what_was_accepted_is_right(self) -> None:
        """No move order makes a wrong proposal count: the last proposal, verified afresh, is accepted."""
        if isinstance(self.session.outcome, Accepted):
            name, proposal = self.moves[-1]
            assert name == "submit"
            state = self.session.reveal().state
            assert isinstance(verify(self.session.kind, state, proposal), Accept)  # type: ignore[arg-type]

    @invariant()
    def a_refusal_seen_twice_is_the_end(self) -> None:
        codes = [(event.text, event.code) for event in self.session.events if isinstance(event, Submitted)]
        repeats = [pair for pair in codes if pair[1].endswith(("not_equal", "not_established", "not_derived"))]
        if len(repeats) != len(set(repeats)):
            assert self.session.outcome == Unresolved("repeated")

    def teardown(self) -> None:
        """The same moves on a fresh session give the same events: a session is a function of its moves."""
        if not hasattr(self, "session"):
            return
        again = ClaimSession.open(WORLD, self.session.task, self.policy)
        for name, given in self.moves:
            if name == "submit":
                again, _ = again.submit(given)  # type: ignore[arg-type]
            elif name == "perform":
                again, _ = again.perform(given)  # type: ignore[arg-type]
            else:
                again, _ = again.navigation_failure(given)  # type: ignore[arg-type]
        assert again.events == self.session.events


TestSession = SessionMachine.TestCase
TestSession.settings = settings(max_examples=120, stateful_step_count=20, deadline=None)
