"""Bedrock: the one decision on claims (spec/verification.md §4). No clock, no world, no model."""

from __future__ import annotations

from assay.kernel import states as s
from assay.kernel import verdict as v
from assay.kernel.denotation import DENOTE
from assay.kernel.errors import KindMismatch
from assay.kernel.kinds import Kind
from assay.kernel.states import AssertValue, Determined


def verify(kind: Kind, established: s.EpistemicState, proposal: s.Proposal) -> v.Verdict:
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
        text = DENOTE[type(kind)](kind, proposal.raw)  # type: ignore[union-attr]
        if isinstance(text, v.Reject):
            return text
        return v.ACCEPT if state is Determined and established.value.text == text else v.NOT_EQUAL  # type: ignore[union-attr]
    if asserted is s.AssertInsufficient:
        return v.ACCEPT if state is s.Insufficient or state is s.NoEntity else v.INSUFFICIENT_NOT_ESTABLISHED
    if asserted is s.AssertConflict:
        return v.ACCEPT if state is s.Conflict else v.CONFLICT_NOT_ESTABLISHED
    if asserted is s.AssertNoEntity:
        return v.ACCEPT if state is s.NoEntity else v.NO_ENTITY_NOT_ESTABLISHED
    if asserted is s.Malformed:
        return proposal.refusal  # type: ignore[union-attr]
    return v.FOREIGN
