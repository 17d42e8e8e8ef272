"""Halls: a candidate's attempt case by case, for people, files and the choice of a best draft; decides nothing.

The kernel is asked about each case alone, so that what is shown can never differ from how it was graded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.gate.deliver import Attempt
from assay.kernel.grade import Failed, How, Observation, Observations, grade
from assay.sandbox import base
from assay.sandbox.reading import observations_of
from assay.suite.spec import SuiteSpec

MARK: Final = b"# NOT ACCEPTED by assay: "


@dataclass(frozen=True, slots=True, repr=False)
class CaseSeen:
    """One case of an attempt: how it failed (None: right in every run), what came, and in which run."""

    case: int
    how: How | None
    seen: Observation
    again: bool


def named(case: int, of: int) -> str:
    """A case for people and models: its index from 0, as suites, JSON and receipts have it, and its place from 1."""
    return f"case index {case} ({case + 1} of {of})"


def cases_of(suite: SuiteSpec, attempt: Attempt) -> tuple[CaseSeen, ...]:
    """Every case in the suite's order: the first run in which it is wrong, else the first run."""
    runs = [observations_of(report, len(suite.checks)).by_case for report in attempt.reports]
    return tuple(_case(suite, at, [run[at] for run in runs]) for at in range(len(suite.checks)))


def ending_of(attempt: Attempt) -> base.Ending:
    """How the last run ended; a run is only followed by another if it was closed as agreed."""
    return attempt.reports[-1].ending


def passed(suite: SuiteSpec, attempt: Attempt) -> int:
    """How many cases were right in every run."""
    return sum(one.how is None for one in cases_of(suite, attempt))


@dataclass(frozen=True, slots=True)
class Best:
    """The refused draft that passed most cases, the first of such; `data` is it behind our mark."""

    at: int  # place among the attempts, from 0
    passed: int
    of: int
    data: bytes


def best(suite: SuiteSpec, program_sha256: str, attempts: Sequence[Attempt], sources: Sequence[bytes]) -> Best | None:
    """The best of the refused drafts, marked in its first line as not accepted; None where none was tried.

    The mark names the call program: the draft goes back to a model, and the suite's digest would tell it the expected
    values of a small suite (docs/adr/0040).
    """
    counts = [passed(suite, attempt) for attempt in attempts]
    if not counts:
        return None
    at, of = counts.index(max(counts)), len(suite.checks)
    word = "case" if of == 1 else "cases"
    line = b"%bpassed %d of %d %b of program %b\n" % (MARK, counts[at], of, word.encode(), program_sha256.encode())
    return Best(at, counts[at], of, line + sources[at])


def _case(suite: SuiteSpec, at: int, seen: Sequence[Observation]) -> CaseSeen:
    for run, observation in enumerate(seen):
        found = grade((suite.checks[at],), Observations((observation,)))
        if isinstance(found, Failed):
            return CaseSeen(at, found.how, observation, again=run > 0)
    return CaseSeen(at, None, seen[0], again=False)
