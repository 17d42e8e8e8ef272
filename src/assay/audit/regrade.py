"""Workshops: a grade made again from what was kept of a candidate's runs (docs/adr/0029). No process, no model.

It says what the observations come to, not that the candidate would do the same today.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from assay.gate.observed import reported
from assay.kernel.errors import InputError
from assay.kernel.grade import Failed, Grade, Observations, Passed, confirm, grade
from assay.receipts.private import ObservedRun
from assay.sandbox.reading import seen_of
from assay.suite.render import suite_sha256
from assay.suite.spec import SuiteSpec
from assay.wire.observed import parse_observed


class NotDerivable(InputError):
    """The runs do not determine a grade: `regrade.…`."""


def bound(data: bytes, digest: str) -> ObservedRun:
    """The run in a private file, if its bytes are those that the receipt binds.

    Raises:
        NotDerivable: `regrade.digest`.
        InvalidObserved: the bytes keep no run.
    """
    if sha256(data).hexdigest() != digest:
        raise NotDerivable("regrade.digest", "the file of observations is not the one that the receipt binds")
    return parse_observed(data)


def regrade(suite: SuiteSpec, runs: Sequence[ObservedRun]) -> Grade:
    """The grade of an attempt from its one or two runs: the same as the gate gave on the day.

    Raises:
        NotDerivable: the runs are of another suite (`regrade.suite`), of two candidates (`regrade.candidate`), or not
            those that the rule asks for: a first one, and a second one exactly where the first passed (`regrade.runs`).
    """
    named = suite_sha256(suite)
    if any(run.suite_sha256 != named for run in runs):
        raise NotDerivable(
            "regrade.suite", "the observations are of another suite; give the one that the receipt names"
        )
    if len({run.candidate_sha256 for run in runs}) > 1:
        raise NotDerivable("regrade.candidate", "the observations are of two candidates; give those of one attempt")
    if [run.again for run in runs] not in ([False], [False, True]):
        raise NotDerivable(
            "regrade.runs", f"there are {len(runs)} runs; give a first one, and the second if there was one"
        )
    first = _grade(suite, runs[0])
    if isinstance(first, Failed) is not (len(runs) == 1):
        raise NotDerivable("regrade.runs", "a second run stands exactly where the first passed; here it does not")
    return first if len(runs) == 1 else confirm(first, _grade(suite, runs[1]))


def _grade(suite: SuiteSpec, run: ObservedRun) -> Passed | Failed:
    return grade(suite.checks, _observations(suite, run))


def _observations(suite: SuiteSpec, run: ObservedRun) -> Observations:
    observations, ending = reported(run)
    count = len(suite.checks)
    if any(one.index >= count for one in observations) or (ending.at is not None and ending.at >= count):
        raise NotDerivable("regrade.case", f"the observations name a case that the suite does not have; it has {count}")
    return seen_of(observations, ending, count)
