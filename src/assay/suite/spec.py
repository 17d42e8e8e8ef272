"""Library: what a suite is once read, its one canonical document, and whose function it tests (spec/suite.md §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.kernel.equality import Tree
from assay.kernel.grade import Case, Prints, Raises
from assay.suite.dialects import ARGUMENTS, PYTHON_CALL, VALUE, equality_document
from assay.suite.literals import write
from assay.suite.names import is_built_in
from assay.suite.refusals import InvalidSuite, message

VERSION: Final = "assay.suite/1"
MOST_SHOWN: Final = 80  # characters of a name that a stranger may have written


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the entry point, and what may be seen of its outcome: a word of spec/suite.md §4."""

    arguments: tuple[Tree, ...]
    keywords: Tree
    observe: str = VALUE


@dataclass(frozen=True, slots=True)
class Input:
    """One run of a program on this text."""

    stdin: str


@dataclass(frozen=True, slots=True)
class Question:
    """One case: what the candidate is asked, and what the judge compares with."""

    ask: Call | Input
    check: Case


@dataclass(frozen=True, slots=True)
class SuiteSpec:
    """A suite. INVARIANT: at least one case, all of the dialect; every value within the limits of spec/suite.md §3."""

    dialect: str
    entry_point: str
    questions: tuple[Question, ...]
    preamble: str = ""
    series: str = ""
    release: str = ""

    @property
    def checks(self) -> tuple[Case, ...]:
        """What the judge compares with, in the suite's order."""
        return tuple(question.check for question in self.questions)


def document(spec: SuiteSpec) -> dict[str, object]:
    """The canonical document: literals in their one spelling, each case with its own equality, nothing empty.

    To read it gives the suite again. Suites that mean the same have the same document.
    """
    found: dict[str, object] = {"suite": VERSION, "dialect": spec.dialect}
    if spec.dialect == PYTHON_CALL:
        found["entry_point"] = spec.entry_point
    found["cases"] = [{**_asked(question.ask), **expectation(question)} for question in spec.questions]
    optional = {"preamble": spec.preamble, "series": spec.series, "release": spec.release}
    return found | {name: text for name, text in optional.items() if text}


def _asked(ask: Call | Input) -> dict[str, object]:
    if isinstance(ask, Input):
        return {"stdin": ask.stdin}
    found: dict[str, object] = {"args": write(("t", ask.arguments))}
    if ask.keywords[1]:
        found["kwargs"] = write(ask.keywords)
    if ask.observe not in {VALUE, ARGUMENTS}:
        found["project"] = ask.observe
    return found


def expectation(question: Question) -> dict[str, object]:
    """What one case expects, as its canonical document has it."""
    check = question.check
    if isinstance(check, Raises):
        return {"raises": check.name}
    if isinstance(check, Prints):
        return {"stdout": list(check.accepted), "equality": equality_document(check.likeness)}
    after = isinstance(question.ask, Call) and question.ask.observe == ARGUMENTS
    return {
        "args_after" if after else "returns": write(check.expected),
        "equality": equality_document(check.equality),
    }


def bind(spec: SuiteSpec, declared: str | None) -> SuiteSpec:
    """The suite, if the task's function is the one that it tests; the entry point belongs to the task.

    Raises:
        InvalidSuite: `entry_point_unbound` without a name; with another, `entry_point_builtin` or `_mismatch`.
    """
    if spec.dialect != PYTHON_CALL and declared is None:
        return spec
    if declared is None:
        raise InvalidSuite(
            "suite.entry_point_unbound", message("suite.entry_point_unbound", "no task names a function")
        )
    if spec.entry_point == declared:
        return spec
    if is_built_in(spec.entry_point):
        raise _builtin()
    named = declared if len(declared) <= MOST_SHOWN else declared[: MOST_SHOWN - 1] + "…"
    tested = f"`{spec.entry_point}`" if spec.dialect == PYTHON_CALL else "programs, which have no function"
    raise InvalidSuite(
        "suite.entry_point_mismatch",
        message("suite.entry_point_mismatch", f"the suite tests {tested}, and `{named}` is asked for"),
    )


def refuse_built_in(spec: SuiteSpec) -> SuiteSpec:
    """The suite, if its entry point is no built-in's name: for those who read a suite without a task.

    Raises:
        InvalidSuite: `entry_point_builtin`.
    """
    if is_built_in(spec.entry_point):
        raise _builtin()
    return spec


def _builtin() -> InvalidSuite:
    return InvalidSuite(
        "suite.entry_point_builtin", message("suite.entry_point_builtin", "the entry point is a built-in's name")
    )
