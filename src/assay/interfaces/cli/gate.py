"""Doors: `assay gate`: candidates against a suite of acceptance tests."""

from __future__ import annotations

from pathlib import Path

import click

from assay.api import gating
from assay.gate.deliver import Attempt, word_of
from assay.interfaces.cli import codes, options
from assay.interfaces.cli.output import say, say_json
from assay.kernel.errors import InputError
from assay.kernel.grade import Failed
from assay.sandbox.base import Level

_ENDS = {gating.DELIVERED: codes.OK, gating.REFUSED: codes.NO, gating.VOID: codes.FAULT}


@click.group()
def gate() -> None:
    """Deliver a candidate only if it passes."""


@gate.command(
    epilog=options.example("assay gate check --suite S.json --entry-point add --candidate A.py --candidate B.py")
)
@click.option("--suite", required=True, type=click.Path(path_type=Path), metavar="FILE", help="spec/suite.md")
@click.option("--entry-point", metavar="NAME", help="The task's function; a suite for another one is refused.")
@click.option(
    "--candidate",
    "candidates",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="In order; the first that passes is delivered, at most five are tried.",
)
@click.option(
    "--require-isolation",
    type=click.Choice([level.value for level in Level]),
    default=Level.A.value,
    show_default=True,
    help="The weakest sandbox that will do; what it lacks stands on the receipt.",
)
@click.option("--receipts", type=click.Path(path_type=Path), metavar="DIR", help="Append to DIR/receipts.jsonl.")
@options.as_json
def check(
    *,
    suite: Path,
    entry_point: str | None,
    candidates: tuple[Path, ...],
    require_isolation: str,
    receipts: Path | None,
    as_json: bool,
) -> int:
    """Deliver the first of at most five candidates that passes the suite twice, or refuse.

    Ends with 0 if one was delivered, 3 if none was, 1 if our sandbox failed (void), 2 if the suite cannot be used.
    """
    sources = [_read(path) for path in candidates]

    def show(attempt: Attempt) -> None:
        if not as_json:
            say(_line(len(shown) + 1, candidates[len(shown)], attempt))
            shown.append(attempt)

    shown: list[Attempt] = []
    outcome = gating.check(_read(suite), entry_point, sources, level=Level(require_isolation), on_attempt=show)
    if receipts is not None:
        gating.keep(receipts, outcome)
    if as_json:
        say_json(outcome.document)
    elif outcome.outcome == gating.VOID:
        say(f"VOID: {outcome.reason}")
    else:
        say(outcome.outcome if outcome.position is None else f"{outcome.outcome} {candidates[outcome.position - 1]}")
    return _ENDS[outcome.outcome]


def _line(number: int, path: Path, attempt: Attempt) -> str:
    grade = attempt.grade
    if not isinstance(grade, Failed):
        return f"{number}. {path}: passed, twice"
    where = "" if grade.first_failing_case is None else f" at case {grade.first_failing_case}"
    return f"{number}. {path}: {word_of(grade)}, {grade.how}{where}"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise InputError("usage", f"`{path}` cannot be read: {reason}; name a file that can") from None
