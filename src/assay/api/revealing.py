"""Desk: what the evidence says, for its owner. Nothing here is for a proposer (docs/trust.md)."""

from __future__ import annotations

from dataclasses import dataclass

from assay.api.recording import Proof, proof_of
from assay.audit.terms import pins_of, rules_of, state_word
from assay.floor.oracle import establish
from assay.floor.settle import spell
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.kernel.states import Determined
from assay.receipts.predicates import Pin, RuleApplied


@dataclass(frozen=True, slots=True)
class Revealed:
    """The state in plain words: for VALUE the raw value as a proposal may spell it, for others the reason."""

    state: str  # VALUE, INSUFFICIENT, CONFLICT, NO_ENTITY
    reason: str
    value: object
    pins: tuple[Pin, ...]
    rules: tuple[RuleApplied, ...]


def reveal(snapshot: Snapshot, task: Task) -> Revealed:
    """Establish the task and say everything.

    Raises:
        InvalidTask: the task cannot be asked of this pack.
    """
    return revealed(proof_of(establish(snapshot, task)))


def revealed(proof: Proof) -> Revealed:
    """What was established, in plain words."""
    found = proof.established
    raw = spell(found.state.value, found.task.unit) if isinstance(found.state, Determined) else None
    return Revealed(state_word(found.state), found.reason, raw, pins_of(found), rules_of(found))
