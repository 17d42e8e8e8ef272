"""Doors: what `gate check` says beside the verdict: of each draft, and of those that were not tried."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.api.gating import REFUSED, VOID, Draft
from assay.gate.cases import named
from assay.gate.deliver import Attempt, word_of
from assay.gate.extract import has_fence
from assay.interfaces.cli.output import say
from assay.kernel.errors import InputError
from assay.kernel.first_pass import MOST
from assay.kernel.grade import Failed, How

STANDARD_INPUT = Path("-")


def once(paths: Sequence[Path | None]) -> None:
    """Refuse a second `-`: standard input is read once.

    Raises:
        InputError: it is named twice.
    """
    if sum(path == STANDARD_INPUT for path in paths) > 1:
        raise InputError("usage", "`-` is given more than once; standard input can be only one of the programs")


def verdict(number: int, path: Path, attempt: Attempt, cases: int) -> str:
    """One line on an attempt; `cases` is how many the suite has."""
    grade = attempt.grade
    if not isinstance(grade, Failed):
        return f"{number}. {path}: passed, twice"
    where = "" if grade.first_failing_case is None else f" at {named(grade.first_failing_case, cases)}"
    return f"{number}. {path}: {word_of(grade)}, {grade.how}{where}"


def note(draft: Draft, attempt: Attempt) -> str:
    """What is worth knowing of how the code was given; empty where nothing is."""
    if draft.taken:
        return draft.taken
    grade = attempt.grade
    if isinstance(grade, Failed) and grade.how is How.LOAD_ERROR and has_fence(draft.source):
        return "the file holds a fenced block; give a model's reply with --reply, and the code is taken out"
    return ""


def not_tried(names: Sequence[Path], attempts: Sequence[Attempt]) -> list[str]:
    """The candidates that were given and never run."""
    return [str(path) for path in names[len(attempts) :]]


def say_not_tried(left: Sequence[str], outcome: str) -> None:
    """Name them, and the rule that says why; where it was our fault, the line that says so is enough."""
    if left and outcome != VOID:
        why = f"at most {MOST} are tried" if outcome == REFUSED else "one has passed"
        say(f"not tried: {', '.join(left)} ({why})")
