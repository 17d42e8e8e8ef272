"""Halls: cases at which all candidates gave the same wrong answer: perhaps the test is wrong (spec/suite.md §10).

For the suite's owner. INVARIANT: nothing of this goes back to a model.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.gate.deliver import Attempt
from assay.kernel.equality import Tree, printed, typed
from assay.kernel.grade import Case, Observation, Observations, Passed, Printed, Prints, Raised, Returned, grade
from assay.sandbox.reading import observations_of
from assay.suite.spec import SuiteSpec

Answer = Tree | tuple[str, ...]


def check_these_cases(suite: SuiteSpec, attempts: Sequence[Attempt]) -> list[int]:
    """The indices, from 0, of the cases that their owner should look at, by the first runs of the attempts."""
    checks = suite.checks
    tried = [(one.candidate_sha256, observations_of(one.reports[0], len(checks))) for one in attempts]
    return alike(checks, tried)


def alike(checks: Sequence[Case], tried: Sequence[tuple[str, Observations]]) -> list[int]:
    """The cases at which at least two candidates of different text answered, all the same, and none of them right.

    `tried` has a candidate's digest and its run. One that gave no outcome at a case, since it died or was never asked,
    says nothing of that case; one that raised has answered, and not with a value.
    """
    distinct = dict(tried)
    return [at for at, case in enumerate(checks) if _is_alike(case, [seen.by_case[at] for seen in distinct.values()])]


def _is_alike(case: Case, seen: Sequence[Observation]) -> bool:
    found = [one for one in seen if isinstance(one, (Returned, Raised, Printed))]
    answers = [_answer(case, one) for one in found]
    if len(answers) < 2 or None in answers or any(answer != answers[0] for answer in answers):
        return False
    return not any(isinstance(grade((case,), Observations((one,))), Passed) for one in found)


def _answer(case: Case, seen: Observation) -> Answer | None:
    match case, seen:
        case _, Returned(tree):
            return typed(tree)
        case Prints(_, likeness), Printed(output):
            try:
                return tuple(printed(likeness, output.decode()))
            except UnicodeDecodeError:
                return None
        case _:
            return None
