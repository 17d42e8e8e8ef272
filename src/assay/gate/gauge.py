"""Halls: whether a suite tells right from wrong, in both directions (spec/suite.md §10; docs/adr/0028)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.gate.deliver import Bench, try_candidate, word_of
from assay.gate.stubs import Stub, stubs
from assay.kernel.canonical import canonical
from assay.kernel.grade import Failed, Grade, How, Passed, grade
from assay.sandbox import base
from assay.sandbox.reading import observations_of, program_of
from assay.suite.refusals import InvalidSuite, message
from assay.suite.render import CallProgram, render, suite_sha256
from assay.suite.spec import SuiteSpec

VERSION: Final = "assay.gauge/1"
NOT_RUN: Final = "not run (no reference)"
# Ends before anything was answered: such a failure says nothing of a suite.
_MUTE: Final = frozenset({How.LOAD_ERROR, How.ENTRY_POINT_MISSING, How.ENTRY_POINT_NOT_CALLABLE})


@dataclass(frozen=True, slots=True)
class StubGrade:
    """A stub and its grade; `sha256` is None for one that is made of the suite."""

    name: str
    sha256: str | None
    grade: Grade

    @property
    def is_told(self) -> bool:
        """Whether the suite told it from a right one, by its answers."""
        return isinstance(self.grade, Failed) and self.grade.how not in _MUTE


@dataclass(frozen=True, slots=True)
class Gauge:
    """What the gauge found, bound to what it was found on."""

    suite_sha256: str
    entry_point: str
    reference_sha256: str
    reference: Grade
    stubs: tuple[StubGrade, ...]

    @property
    def holds(self) -> bool:
        """Whether the reference passed, there is a stub, and every stub was told from a right one."""
        return isinstance(self.reference, Passed) and bool(self.stubs) and all(one.is_told for one in self.stubs)

    @property
    def faults(self) -> tuple[str, ...]:
        """Why it does not hold, a line each, for the suite's owner."""
        found = [] if self.stubs else ["there is no known-bad stub"]
        if isinstance(self.reference, Failed):
            found.append(f"the reference does not pass: {word_of(self.reference)}, {_where(self.reference)}")
        for one in self.stubs:
            if isinstance(one.grade, Passed):
                found.append(f"the stub `{one.name}` passes: this suite cannot tell it from a right one")
            elif not one.is_told:
                found.append(f"the stub `{one.name}` fails by {one.grade.how}: it answers nothing, which tells nothing")
        return tuple(found)

    def document(self) -> dict[str, object]:
        """The record: texts, truth values and lists."""
        return {
            "gauge": VERSION,
            "holds": self.holds,
            "suite_sha256": self.suite_sha256,
            "entry_point": self.entry_point,
            "reference_sha256": self.reference_sha256,
            "reference": _graded(self.reference),
            "stubs": [{"name": one.name, "sha256": one.sha256, **_graded(one.grade)} for one in self.stubs],
        }

    @property
    def sha256(self) -> str:
        """The digest of the record."""
        return sha256(canonical(self.document())).hexdigest()

    def require(self) -> None:
        """Refuse the suite unless the gauge holds.

        Raises:
            InvalidSuite: `suite.gauge`, with the first fault.
        """
        if not self.holds:
            raise InvalidSuite("suite.gauge", message("suite.gauge", self.faults[0]))


def gauge(  # noqa: PLR0913 (each is one choice of the caller, by name)
    suite: SuiteSpec,
    reference: bytes,
    bench: Bench,
    limits: base.Limits,
    *,
    given: Sequence[Stub] = (),
    on_step: Callable[[int, int], None] = lambda _, __: None,
) -> Gauge:
    """Run the reference as the gate would, and once each stub of the suite's own making and each that is given.

    Raises:
        SandboxUnavailable: our own fault, twice: nothing is said of the suite.
    """
    program = render(suite)
    tested = (*stubs(suite), *given)
    total = len(tested) + 1
    on_step(0, total)
    tried = try_candidate(suite, program, reference, bench, limits)
    found = []
    for done, stub in enumerate(tested, 1):
        on_step(done, total)
        found.append(StubGrade(stub.name, stub.sha256, run_once(suite, program, stub.source, bench, limits)))
    on_step(total, total)
    return Gauge(suite_sha256(suite), suite.entry_point, tried.candidate_sha256, tried.grade, tuple(found))


def run_once(
    suite: SuiteSpec, program: CallProgram, source: bytes, bench: Bench, limits: base.Limits
) -> Passed | Failed:
    """The grade of a single run.

    Raises:
        SandboxUnavailable: our own fault, twice.
    """
    candidate = base.Candidate(source, program.preamble.encode())
    report = bench.run(candidate, program_of(program), limits, again=False)
    return grade(suite.checks, observations_of(report, len(suite.checks)))


def _graded(found: Grade) -> dict[str, object]:
    return {"grade": word_of(found), "how": str(found.how) if isinstance(found, Failed) else None}


def _where(failed: Failed) -> str:
    at = failed.first_failing_case
    return str(failed.how) + ("" if at is None else f" at case index {at}")
