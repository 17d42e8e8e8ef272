"""Doors: the second part of `assay demo`: one task is delivered and one refused, on real drafts of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from assay.api import gating, telling
from assay.api.gating import GateOutcome
from assay.api.shipped import MODEL, shipped_tasks
from assay.gate.deliver import OpenSandbox, word_of
from assay.interfaces.cli.keeping import Keeper
from assay.interfaces.cli.output import say, say_json
from assay.kernel.grade import Failed

TITLES: Final = (
    "code is asked tests instead: two drafts are wrong, the third is delivered",
    "five drafts, none of which passes: nothing is delivered",
)
NOT_RUN: Final = "not run: candidates can only be run in a sandbox"


def deliver_all(
    keeper: Keeper,
    first: int,
    *,
    as_json: bool,
    opened: OpenSandbox | None = None,
    on_kept: Callable[[int, str, bytes], None] = lambda *_: None,
) -> bool:
    """Walk both deliveries, keep their receipts, and hand each on.

    False where there is no sandbox, and nothing was decided.
    """
    line = _nothing if as_json else say
    for number, (title, one) in enumerate(zip(TITLES, shipped_tasks(), strict=True), first):
        line("")
        line(f"{number}. {title}")
        line(f"     {one.name}: the examples of its prompt, and five drafts of {MODEL}")
        outcome = gating.check(one.suite, None, one.drafts, task=one.task, opened=opened)
        if outcome.outcome == gating.VOID:
            if as_json:
                say_json({"delivery": number, "task": one.name, "outcome": outcome.outcome, "reason": outcome.reason})
            line(f"     {NOT_RUN}")
            line(f"     {outcome.reason}")
            line("     `assay sandbox doctor` says what this machine offers; the claims above do not depend on it")
            return False
        path = gating.keep(keeper.folder, outcome, keeper.signer)
        on_kept(number, title, outcome.receipt)
        if as_json:
            say_json(
                {
                    "delivery": number,
                    "title": title,
                    "task": one.name,
                    "outcome": outcome.outcome,
                    "position": outcome.position,
                    "tried": outcome.document["tried"],
                    "receipts": str(path),
                    "signed_by": keeper.signed_by,
                }
            )
        _show(outcome, line)
    return True


def _nothing(_: str) -> None:
    """Where JSON is printed, lines for people are not."""


def _show(outcome: GateOutcome, line: Callable[[str], None]) -> None:
    for number, attempt in enumerate(outcome.attempts, 1):
        if not isinstance(attempt.grade, Failed):
            line(f"     draft {number}: passed ✓ every example, in two runs")
            continue
        line(f"     draft {number}: {word_of(attempt.grade)} ✗ {attempt.grade.how}")
        for text in telling.for_person(outcome, attempt)[:3]:
            line(f"          {text}")
    if outcome.position is not None:
        rest = 5 - outcome.position
        line(f"     {outcome.outcome}: draft {outcome.position}; {rest} more were never run")
    else:
        line(f"     {outcome.outcome}: none of five passes, so nothing is handed over: a good end")
