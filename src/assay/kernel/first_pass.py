"""Bedrock: the one decision on deliveries, frozen (spec/suite.md §6; docs/adr/0022). No parameter, no model."""

from __future__ import annotations

from assay.kernel.errors import Fault
from assay.kernel.grade import Grade, Passed
from assay.kernel.records import Record

MOST = 5

RULE = (
    "Candidates are taken in the order in which they come. "
    "Each is run against the visible acceptance tests in a sandbox. "
    "It passes if and only if every case of the suite is observed and right in two runs, the second in a new process, "
    "in reverse order and under another hash seed. The first candidate that passes is delivered and generation stops. "
    "At most five candidates are tried; if none of them passes, delivery is refused. "
    "A refusal counts as a failure, and the denominator is all tasks."
)
RULE_SHA256 = "6f0d3ac0f19891ac26aec50706c43946b05d98e25f886e691d7417f7ae835713"


class Open(Record):
    """Nothing is decided: the grades so far, none of which passed, fewer than five."""

    __slots__ = __match_args__ = ("tried",)

    def __init__(self, tried: tuple[Grade, ...] = ()) -> None:
        if len(tried) >= MOST or any(isinstance(grade, Passed) for grade in tried):
            raise Fault("fault.gate", "a gate that has decided is taken for open; this is a bug here")
        self.tried = tried


class Delivered(Record):
    """The candidate at this position, from 1, is delivered; the last of the grades is its own."""

    __slots__ = __match_args__ = ("position", "tried")

    def __init__(self, position: int, tried: tuple[Grade, ...]) -> None:
        self.position = position
        self.tried = tried


class Refused(Record):
    """None of these passed."""

    __slots__ = __match_args__ = ("tried",)

    def __init__(self, tried: tuple[Grade, ...]) -> None:
        self.tried = tried


Gate = Open | Delivered | Refused

OPEN = Open()


def advance(gate: Open, grade: Grade) -> Gate:
    """The first pass delivers, the fifth failure refuses, anything else leaves the gate open (spec/suite.md §6)."""
    tried = (*gate.tried, grade)
    if isinstance(grade, Passed):
        return Delivered(len(tried), tried)
    return Refused(tried) if len(tried) == MOST else Open(tried)


def close(gate: Open) -> Refused:
    """No candidate is left: refused, also where there was none."""
    return Refused(gate.tried)
