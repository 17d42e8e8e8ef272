"""Bedrock: what evidence establishes, and what a proposal asserts (spec/verification.md §2)."""

from __future__ import annotations

from assay.kernel.records import Record
from assay.kernel.values import Value
from assay.kernel.verdict import Reject


class Determined(Record):
    """VALUE(v): the evidence establishes one value."""

    __slots__ = __match_args__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value


class _Reasoned(Record):
    """A state without a value; the reason is for the evidence's owner."""

    __slots__ = __match_args__ = ("reason",)

    def __init__(self, reason: str = "") -> None:
        self.reason = reason


class Insufficient(_Reasoned):
    """The evidence does not establish a value."""


class Conflict(_Reasoned):
    """Credible sources assert incompatible values."""


class NoEntity(_Reasoned):
    """The entity is in no selected source."""


EpistemicState = Determined | Insufficient | Conflict | NoEntity


class AssertValue:
    """VALUE with a raw value as a JSON reader made it: untrusted until denoted."""

    # No record: one is made for every proposal, and nothing may compare or print what it holds.
    __slots__ = ("raw",)

    def __init__(self, raw: object) -> None:
        self.raw = raw


class AssertInsufficient(Record):
    """INSUFFICIENT_EVIDENCE."""


class AssertConflict(Record):
    """CONFLICT_NOT_RESOLVED."""


class AssertNoEntity(Record):
    """NO_ENTITY."""


class Malformed(Record):
    """Bytes that are no proposal: refused with the code of the first failed check (§2)."""

    __slots__ = __match_args__ = ("refusal",)

    def __init__(self, code: str) -> None:
        self.refusal = Reject(code)

    @property
    def code(self) -> str:
        """The code of the refusal."""
        return self.refusal.code


Proposal = AssertValue | AssertInsufficient | AssertConflict | AssertNoEntity | Malformed

INSUFFICIENT_EVIDENCE = AssertInsufficient()
CONFLICT_NOT_RESOLVED = AssertConflict()
NO_ENTITY = AssertNoEntity()
