"""Bedrock: what verify may say (spec/verification.md §4). Two outcomes, and a stable code for each refusal."""

from __future__ import annotations

from assay.kernel.records import Record


class Accept(Record):
    """The proposal denotes the established state."""


class Reject(Record):
    """The proposal does not count; `code` is a function of kind and proposal, never of the state (P7)."""

    __slots__ = __match_args__ = ("code",)

    def __init__(self, code: str) -> None:
        self.code = code


Verdict = Accept | Reject

ACCEPT = Accept()
NOT_EQUAL = Reject("value.not_equal")
INSUFFICIENT_NOT_ESTABLISHED = Reject("insufficient.not_established")
CONFLICT_NOT_ESTABLISHED = Reject("conflict.not_established")
NO_ENTITY_NOT_ESTABLISHED = Reject("no_entity.not_established")

# One object a code: a refusal costs no allocation, and the list of codes is this table and parse's.
TYPE = Reject("value.type")
GRAMMAR = Reject("value.grammar")
TOO_LONG = Reject("value.too_long")
OFF_GRID = Reject("value.off_grid")
VOCABULARY = Reject("value.vocabulary")
PREFIX = Reject("value.prefix")
KEYS = Reject("value.keys")
UNIT = Reject("value.unit")
NEGATIVE_UNCERTAINTY = Reject("value.negative_uncertainty")
EMPTY_INTERVAL = Reject("value.empty_interval")
DUPLICATE = Reject("value.duplicate")
FOREIGN = Reject("proposal.shape")
