"""Bedrock: the one decision on claims (spec/verification.md §4). No clock, no world, no model."""

from __future__ import annotations

from assay.kernel.denotation import denote
from assay.kernel.errors import KindMismatch
from assay.kernel.kinds import Kind
from assay.kernel.states import (
    AssertConflict,
    AssertInsufficient,
    AssertNoEntity,
    AssertValue,
    Conflict,
    Determined,
    EpistemicState,
    Insufficient,
    Malformed,
    NoEntity,
    Proposal,
)
from assay.kernel.verdict import (
    ACCEPT,
    CONFLICT_NOT_ESTABLISHED,
    FOREIGN,
    INSUFFICIENT_NOT_ESTABLISHED,
    NO_ENTITY_NOT_ESTABLISHED,
    NOT_EQUAL,
    Reject,
    Verdict,
)


def verify(kind: Kind, established: EpistemicState, proposal: Proposal) -> Verdict:
    """Accept exactly the proposals that denote the established state; refuse everything else with a stable code.

    Does not check that the state is right: that is the oracle's part (docs/trust.md).

    Raises:
        KindMismatch: the established value is of another kind: a fault of ours, never a verdict.

    Source: spec/verification.md §4, P1 to P10.
    """
    state, asserted = type(established), type(proposal)
    if state is Determined and established.value.kind is not kind and established.value.kind != kind:  # type: ignore[union-attr]
        raise KindMismatch("fault.kind", "the established value is of another kind than the task's; this is a bug here")
    # Every accepting case is named; whatever is left is refused.
    if asserted is AssertValue:
        text = denote(kind, proposal.raw)  # type: ignore[union-attr]
        if type(text) is not str:
            return text
        return ACCEPT if state is Determined and established.value.text == text else NOT_EQUAL  # type: ignore[union-attr]
    if asserted is AssertInsufficient:
        return ACCEPT if state is Insufficient or state is NoEntity else INSUFFICIENT_NOT_ESTABLISHED
    if asserted is AssertConflict:
        return ACCEPT if state is Conflict else CONFLICT_NOT_ESTABLISHED
    if asserted is AssertNoEntity:
        return ACCEPT if state is NoEntity else NO_ENTITY_NOT_ESTABLISHED
    if asserted is Malformed:
        return Reject(proposal.code)  # type: ignore[union-attr]
    return FOREIGN
