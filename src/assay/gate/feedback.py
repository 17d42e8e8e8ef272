"""Halls: what is told of a failed attempt: to the person who owns the suite, and to the model that tries again.

INVARIANT: nothing that `for_model` returns depends on what a case expects, save that the answer was not it.
"""

from __future__ import annotations

from typing import Final

from assay.gate.cases import CaseSeen, cases_of, ending_of, named
from assay.gate.deliver import Attempt
from assay.kernel.grade import Ended, Failed, How, Observation, Printed, Raised, Returned
from assay.sandbox import base
from assay.suite import reading
from assay.suite.literals import write
from assay.suite.spec import Question, SuiteSpec

LONGEST: Final = 200  # characters of a literal or an output that are shown
MOST: Final = 10  # failing cases that are shown
PLENTY: Final = "…"
_NONE: Final = ("N", "")

_PHRASES: Final = {
    How.WRONG_VALUE: "gave a wrong value",
    How.EXCEPTION: "raised an exception",
    How.NOT_A_VALUE: "gave something that is no plain value",
    How.TOO_LARGE: "gave a value that is too large",
    How.LOAD_ERROR: "the code does not load",
    How.ENTRY_POINT_MISSING: "the code does not define the function",
    How.ENTRY_POINT_NOT_CALLABLE: "what the code calls by the function's name cannot be called",
    How.CPU: "used too much CPU time",
    How.TIMEOUT: "took too long",
    How.MEMORY: "used too much memory",
    How.OUTPUT: "printed too much",
    How.EXIT: "ended the process",
    How.SIGNAL: "sent itself a signal",
    How.CRASH: "crashed",
    How.PROTOCOL: "wrote where nothing may be written",
    How.NOT_RUN: "was not reached",
}


def cut(text: str, most: int = LONGEST) -> str:
    """The text, at most so long; a cut is marked."""
    return text if len(text) <= most else text[: most - 1] + PLENTY


def asked(suite: SuiteSpec, case: int) -> str:
    """What the candidate was asked, as a call or an input."""
    return cut(reading.asked(suite.entry_point, suite.questions[case].ask))


def expected(question: Question) -> str:
    """What the case expects: for the suite's owner alone."""
    return cut(reading.expected(question))


def came(one: CaseSeen, attempt: Attempt) -> str:
    """What came of it: the candidate's own value, exception or output, or how it ended without one."""
    return (
        cut(_came(one.seen, one.how) + _said(one, attempt))
        + _printed(one, attempt)
        + (" (in the second run)" if one.again else "")
    )


def failing(suite: SuiteSpec, attempt: Attempt) -> tuple[CaseSeen, ...]:
    """The cases that were seen wrong; those that were never reached are left out."""
    return tuple(one for one in cases_of(suite, attempt) if one.how not in {None, How.NOT_RUN})


def ended(attempt: Attempt) -> str:
    """One line where the run as a whole failed at no case; empty where it did not."""
    grade, ending = attempt.grade, ending_of(attempt)
    if not isinstance(grade, Failed) or grade.first_failing_case is not None:
        return ""
    detail = f": {cut(ending.detail)}" if ending.detail else ""
    return f"{_PHRASES[grade.how]}{detail}"


def for_person(suite: SuiteSpec, attempt: Attempt) -> list[str]:
    """Per failing case what was asked, what was expected and what came; for whoever owns the suite."""
    lines = [ended(attempt)] if ended(attempt) else []
    wrong = failing(suite, attempt)
    for one in wrong[:MOST]:
        lines.append(f"{named(one.case, len(suite.checks))}: {asked(suite, one.case)}")
        lines.append(f"  expected {expected(suite.questions[one.case])}")
        lines.append(f"  came     {came(one, attempt)}")
    return lines + _rest(len(wrong))


def for_model(suite: SuiteSpec, attempt: Attempt) -> str:
    """What may go back to a model: which cases failed, and in which way; no expected value.

    Of an exception the name is told. A case that asks for an exception is told from others by nothing.
    """
    if not isinstance(attempt.grade, Failed):
        return "every case passed"
    lines = [ended(attempt)] if ended(attempt) else []
    wrong = failing(suite, attempt)
    for one in wrong[:MOST]:
        again = ", in a second run with another hash seed and order" if one.again else ""
        lines.append(f"{named(one.case, len(suite.checks))}: {_kind(one, attempt)}{again}")
    return "\n".join(lines + _rest(len(wrong)))


def _came(seen: Observation, how: How | None) -> str:
    match seen:
        case Returned(tree):
            return write(tree)
        case Raised(_, own):
            return f"raised {own or 'an exception'}"
        case Printed(output):
            return f"printed {output.decode('utf-8', 'backslashreplace')!r}"
        case Ended(end):
            return _PHRASES[how or end]


def _said(one: CaseSeen, attempt: Attempt, *, is_model: bool = False) -> str:
    """Where an exception came from, and what it says. Not to a model: its text may hold what the case asks with."""
    raised = (found for found in attempt.reports[one.again].observations if isinstance(found, base.Raised))
    found = next((found for found in raised if found.index == one.case), None)
    if found is None or not isinstance(one.seen, Raised):
        return ""
    return (f" at line {found.line}" if found.line else "") + (f": {found.text}" if found.text and not is_model else "")


def _printed(one: CaseSeen, attempt: Attempt) -> str:
    """Where None came of a run that printed: perhaps what should have been returned. How much, never what."""
    count = attempt.reports[one.again].usage.output_bytes
    is_none = isinstance(one.seen, Returned) and one.seen.tree == _NONE
    return f"; the run printed {count} {'byte' if count == 1 else 'bytes'}" if is_none and count else ""


def _kind(one: CaseSeen, attempt: Attempt) -> str:
    if printed := _printed(one, attempt):
        return f"returned None{printed}"
    if isinstance(one.seen, Raised):
        return f"raised {cut(one.seen.own or 'an exception')}{_said(one, attempt, is_model=True)}"
    assert one.how is not None  # noqa: S101 - only failing cases come here
    return _PHRASES[one.how]


def _rest(count: int) -> list[str]:
    return [f"and {count - MOST} more"] if count > MOST else []
