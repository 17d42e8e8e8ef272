"""Desk: what programs and models are told of a gate's outcome: nothing that is expected, unless its owner asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from assay.api.counting import counted
from assay.api.gating import GateOutcome
from assay.gate import feedback
from assay.gate.cases import named
from assay.gate.deliver import Attempt
from assay.gate.strength import DELIVERED, REFERENCE
from assay.gate.trust import NOT_MEASURED

MOST: Final = 100  # failing cases of one attempt
_SOURCES: Final = {REFERENCE: "reference", DELIVERED: "delivered program"}


def document(
    outcome: GateOutcome, *, show_expected: bool = False, not_tried: Sequence[str] = (), notes: Sequence[str] = ()
) -> dict[str, object]:
    """The outcome's document with, for each attempt, its failing cases and the text that may go back to a model.

    `show_expected` adds what each failing case expects: for the owner of the suite, never for a model. `not_tried`
    names the candidates that were given and never run, `notes` are one for each attempt: how its code was taken.
    """
    tried = outcome.document["tried"]
    assert isinstance(tried, list)  # noqa: S101 - made by gating
    told = [
        {
            **one,
            "feedback": feedback.for_model(outcome.suite, attempt),
            "cases": _cases(outcome, attempt, show_expected=show_expected),
            "note": note,
        }
        for one, attempt, note in zip(tried, outcome.attempts, notes or [""] * len(tried), strict=True)
    ]
    return {**outcome.document, "tried": told, "not_tried": list(not_tried)}


def for_model(outcome: GateOutcome) -> list[str]:
    """What may go back to a model that tries again, line by line: which cases failed and how, no expected value."""
    lines = []
    for number, attempt in enumerate(outcome.attempts, 1):
        lines.append(f"attempt {number}:")
        lines += [f"  {line}" for line in feedback.for_model(outcome.suite, attempt).splitlines()]
    return lines


def for_person(outcome: GateOutcome, attempt: Attempt) -> list[str]:
    """What was asked, expected and seen in the failing cases, for the owner of the suite."""
    return feedback.for_person(outcome.suite, attempt)


def of_suite(outcome: GateOutcome) -> list[str]:
    """What was found of the suite itself, where that was asked for, and which cases its owner should look at."""
    gauge, strength = outcome.document["gauge"], outcome.document["strength"]
    lines = []
    if isinstance(gauge, dict):
        lines.append(f"gauge: holds, {len(gauge['stubs'])} known-bad stubs fail")
    if isinstance(strength, dict):
        killed, of = strength["killed"], _SOURCES[strength["of"]]
        lines.append(
            f"strength: {killed} of {counted(strength['generated'], 'mutant')} of the {of} killed, "
            f"{counted(strength['distinct_inputs'], 'distinct input')}"
        )
    elif strength != NOT_MEASURED:
        lines.append(f"strength: {strength}")
    at = outcome.document["check_these_cases"]
    assert isinstance(at, list)  # noqa: S101 - made by gating
    count = len(outcome.suite.checks)
    return lines + [
        f"check {named(index, count)}: every candidate that answered gave the same other answer" for index in at
    ]


def _cases(outcome: GateOutcome, attempt: Attempt, *, show_expected: bool) -> list[dict[str, object]]:
    found = []
    for one in feedback.failing(outcome.suite, attempt)[:MOST]:
        case: dict[str, object] = {
            "case": one.case,
            "how": str(one.how),
            "asked": feedback.asked(outcome.suite, one.case),
            "came": feedback.came(one, attempt),
        }
        if show_expected:
            case["expected"] = feedback.expected(outcome.suite.questions[one.case])
        found.append(case)
    return found
