"""Halls: the walk of one delivery (spec/suite.md §6; docs/adr/0022): run, grade, advance, until it is decided.

Candidates are drawn one by one: nothing is generated after the stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.kernel.first_pass import OPEN, Delivered, Open, Refused, advance, close
from assay.kernel.grade import Failed, Grade, Passed, confirm, grade
from assay.sandbox import base
from assay.sandbox.reading import observations_of, program_of
from assay.suite.render import CallProgram, render
from assay.suite.spec import SuiteSpec

OpenSandbox = Callable[[], base.Sandbox]
REPEATS: Final = 1  # a fault of ours is tried once more, then the task is void


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate: what was run, its grade, and the reports of its one or two runs."""

    candidate_sha256: str
    grade: Grade
    reports: tuple[base.RunReport, ...]


@dataclass(frozen=True, slots=True)
class Void:
    """Our own fault, twice: nothing is decided, and nothing that a candidate does leads here."""

    reason: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the gate ended, and every attempt; `source` is what was delivered, byte for byte, if anything was."""

    outcome: Delivered | Refused | Void
    attempts: tuple[Attempt, ...]
    source: bytes | None = None


class Bench:
    """A sandbox that is opened when it is needed, and opened anew after a fault of ours."""

    def __init__(self, opened: OpenSandbox) -> None:
        self._open = opened
        self._sandbox: base.Sandbox | None = None

    def run(
        self, candidate: base.Candidate, program: base.Program, limits: base.Limits, *, again: bool
    ) -> base.RunReport:
        """One run, repeated once where the sandbox failed us.

        Raises:
            SandboxUnavailable: it failed twice.
        """
        for _ in range(REPEATS):
            with suppress(base.SandboxUnavailable):
                return self._run(candidate, program, limits, again=again)
        return self._run(candidate, program, limits, again=again)

    def _run(
        self, candidate: base.Candidate, program: base.Program, limits: base.Limits, *, again: bool
    ) -> base.RunReport:
        if self._sandbox is None:
            self._sandbox = self._open()
        try:
            return self._sandbox.run(candidate, program, limits, again=again)
        except base.SandboxUnavailable:
            # After the last try as well: the next candidate does not begin with what is broken.
            self.close()
            raise

    def close(self) -> None:
        """End the sandbox's processes."""
        if self._sandbox is not None:
            sandbox, self._sandbox = self._sandbox, None
            sandbox.close()


def deliver(
    suite: SuiteSpec,
    candidates: Iterable[bytes],
    bench: Bench,
    limits: base.Limits,
    on_attempt: Callable[[Attempt], None] = lambda _: None,
) -> Delivery:
    """Deliver the first of at most five candidates that passes; refuse where none does."""
    program = render(suite)
    gate: Open = OPEN
    attempts: list[Attempt] = []
    for source in candidates:
        try:
            attempt = try_candidate(suite, program, source, bench, limits)
        except base.SandboxUnavailable as fault:
            return Delivery(Void(str(fault)), tuple(attempts))
        attempts.append(attempt)
        on_attempt(attempt)
        after = advance(gate, attempt.grade)
        if not isinstance(after, Open):
            return Delivery(after, tuple(attempts), source if isinstance(after, Delivered) else None)
        gate = after
    return Delivery(close(gate), tuple(attempts))


def try_candidate(suite: SuiteSpec, program: CallProgram, source: bytes, bench: Bench, limits: base.Limits) -> Attempt:
    """The grade of one candidate: a second run, in reverse order and under another seed, if the first passed."""
    candidate = base.Candidate(source, program.preamble.encode())
    first = bench.run(candidate, program_of(program), limits, again=False)
    reports = [first]
    found = grade(suite.checks, observations_of(first, len(suite.checks)))
    result: Grade = found
    if isinstance(found, Passed):
        second = bench.run(candidate, program_of(program, again=True), limits, again=True)
        reports.append(second)
        result = confirm(found, grade(suite.checks, observations_of(second, len(suite.checks))))
    return Attempt(sha256(source).hexdigest(), result, tuple(reports))


def word_of(grade_: Grade) -> str:
    """`passed`, `failed` or `flaky`."""
    if isinstance(grade_, Passed):
        return "passed"
    return "failed" if type(grade_) is Failed else "flaky"
