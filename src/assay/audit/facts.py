"""Workshops: what a check says: a fact is an answer and why, and facts are never added up (docs/adr/0035)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Answer(StrEnum):
    """The four answers. `unknown`: nothing was given that could say. `not possible`: what it takes is not there."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_POSSIBLE = "not possible"


@dataclass(frozen=True, slots=True)
class Fact:
    """One answer, a stable word for why, and that in plain words. No part of it depends on a withheld value."""

    answer: Answer
    code: str
    why: str

    @property
    def text(self) -> str:
        """The fact on one line: `yes (from the pack of that digest)`."""
        return f"{self.answer} ({self.why})"


class Contradiction(Exception):
    """The receipt is not what the page says that its sort is, or says two things at once."""


class NotPossible(Exception):
    """What it would take is not there; the fact says so."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.fact = Fact(Answer.NOT_POSSIBLE, code, why)


def yes(code: str, why: str) -> Fact:
    """The fact holds."""
    return Fact(Answer.YES, code, why)


def no(code: str, why: str) -> Fact:
    """We looked, and it does not."""
    return Fact(Answer.NO, code, why)


def unknown(code: str, why: str) -> Fact:
    """Nothing was given that could say."""
    return Fact(Answer.UNKNOWN, code, why)


def not_possible(code: str, why: str) -> Fact:
    """Nobody can look from what is there."""
    return Fact(Answer.NOT_POSSIBLE, code, why)


def differences(one: object, other: object, path: str = "") -> list[str]:
    """Where two documents differ: paths of fields, never what stands there."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [
            place
            for key in sorted(one.keys() | other.keys())
            for place in (
                differences(one[key], other[key], f"{path}.{key}")
                if key in one and key in other
                else [f"{path}.{key}".lstrip(".")]
            )
        ]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            place
            for number, pair in enumerate(zip(one, other, strict=True))
            for place in differences(*pair, f"{path}[{number}]")
        ]
    # type(), for true is 1 here and is not in a receipt
    return [] if type(one) is type(other) and one == other else [path.lstrip(".")]
