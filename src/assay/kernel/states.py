"""Bedrock: what evidence establishes, and what a proposal asserts (spec/verification.md §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.kernel.values import Value


@dataclass(frozen=True, slots=True, repr=False)
class Determined:
    """VALUE(v): the evidence establishes one value."""

    value: Value

    def __repr__(self) -> str:
        # The answer stays out of logs and tracebacks (docs/adr/0006).
        return "Determined(<hidden>)"


@dataclass(frozen=True, slots=True)
class Insufficient:
    """The evidence does not establish a value; the reason is for the evidence's owner."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Credible sources assert incompatible values."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class NoEntity:
    """The entity is in no selected source."""

    reason: str = ""


EpistemicState = Determined | Insufficient | Conflict | NoEntity


class AssertValue:
    """VALUE with a raw value as a JSON reader made it: untrusted until denoted."""

    # Not a dataclass: one is made for every proposal, and a frozen one costs twice as much to make.
    __slots__ = ("raw",)

    def __init__(self, raw: object) -> None:
        self.raw = raw


@dataclass(frozen=True, slots=True)
class AssertInsufficient:
    """INSUFFICIENT_EVIDENCE."""


@dataclass(frozen=True, slots=True)
class AssertConflict:
    """CONFLICT_NOT_RESOLVED."""


@dataclass(frozen=True, slots=True)
class AssertNoEntity:
    """NO_ENTITY."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """Bytes that are no proposal: refused with the code of the first failed check (§2)."""

    code: str


Proposal = AssertValue | AssertInsufficient | AssertConflict | AssertNoEntity | Malformed

INSUFFICIENT_EVIDENCE: Final = AssertInsufficient()
CONFLICT_NOT_RESOLVED: Final = AssertConflict()
NO_ENTITY: Final = AssertNoEntity()
