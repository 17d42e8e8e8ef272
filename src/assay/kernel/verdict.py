"""Bedrock: what verify may say (spec/verification.md §4). Two outcomes, and a stable code for each refusal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Accept:
    """The proposal denotes the established state."""


@dataclass(frozen=True, slots=True)
class Reject:
    """The proposal does not count; `code` is a function of kind and proposal, never of the state (P7)."""

    code: str


Verdict = Accept | Reject

ACCEPT: Final = Accept()
NOT_EQUAL: Final = Reject("value.not_equal")
INSUFFICIENT_NOT_ESTABLISHED: Final = Reject("insufficient.not_established")
CONFLICT_NOT_ESTABLISHED: Final = Reject("conflict.not_established")
NO_ENTITY_NOT_ESTABLISHED: Final = Reject("no_entity.not_established")

# One object a code: a refusal costs no allocation, and the list of codes is this table and parse's.
TYPE: Final = Reject("value.type")
GRAMMAR: Final = Reject("value.grammar")
TOO_LONG: Final = Reject("value.too_long")
OFF_GRID: Final = Reject("value.off_grid")
VOCABULARY: Final = Reject("value.vocabulary")
PREFIX: Final = Reject("value.prefix")
KEYS: Final = Reject("value.keys")
UNIT: Final = Reject("value.unit")
NEGATIVE_UNCERTAINTY: Final = Reject("value.negative_uncertainty")
EMPTY_INTERVAL: Final = Reject("value.empty_interval")
DUPLICATE: Final = Reject("value.duplicate")
FOREIGN: Final = Reject("proposal.shape")
