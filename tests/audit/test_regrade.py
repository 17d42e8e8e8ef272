"""What was kept of a delivery gives its grades again, and nothing else does (docs/adr/0029)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.support.gate_world import PROGRAM, RUNS, SUITE, gate

from assay.audit import regrade as module
from assay.audit.regrade import NotDerivable, bound, regrade
from assay.gate.deliver import word_of
from assay.kernel.errors import InputError
from assay.kernel.grade import Failed, Grade
from assay.receipts.private import ObservedRun
from assay.wire.observed import parse_observed
from assay.wire.suites import parse_suite


def _shown(grade: Grade) -> tuple[str, str | None, int | None]:
    if isinstance(grade, Failed):
        return word_of(grade), str(grade.how), grade.first_failing_case
    return word_of(grade), None, None


def _derived(receipt: dict[str, Any], private: tuple[bytes, ...], suite: str, declared: str | None) -> list[object]:
    files = iter(private)
    found: list[object] = []
    for one in receipt["predicate"]["tried"]:
        runs = [bound(next(files), run["observations_sha256"]) for run in one["runs"]]
        assert {run.candidate_sha256 for run in runs} == {one["candidate_sha256"]}
        found.append(_shown(regrade(parse_suite(suite, declared), runs)))
    assert list(files) == []
    return found


@pytest.mark.parametrize(
    "candidates",
    [
        pytest.param([b"wrong", b"raises", b"does not load", b"dies", b"right"], id="delivered at the fifth"),
        pytest.param([b"lies", b"too large", b"talks late", b"no memory", b"flaky"], id="refused"),
    ],
)
def test_the_same_grades_come_of_the_private_files(candidates: list[bytes]) -> None:
    outcome = gate(candidates)
    receipt = json.loads(outcome.receipt)
    given = [(one["grade"], one["how"], one["first_failing_case"]) for one in receipt["predicate"]["tried"]]
    assert _derived(receipt, outcome.private, SUITE, "f") == given
    assert len(given) == 5


def test_programs_are_graded_again_too() -> None:
    outcome = gate([b"prints bytes", b"prints"], suite=PROGRAM, task=None)
    receipt = json.loads(outcome.receipt)
    assert _derived(receipt, outcome.private, PROGRAM, None) == [("failed", "not_a_value", 0), ("passed", None, None)]


def test_every_text_of_the_table_was_graded_again() -> None:
    assert len(RUNS) == 13


def _runs(*candidates: bytes) -> list[ObservedRun]:
    return [parse_observed(data) for data in gate(list(candidates)).private]


@pytest.mark.parametrize(
    ("runs", "code"),
    [
        pytest.param(list, "regrade.runs", id="none"),
        pytest.param(lambda: _runs(b"right")[:1], "regrade.runs", id="a pass without its second run"),
        pytest.param(lambda: _runs(b"right")[::-1], "regrade.runs", id="the other order"),
        pytest.param(
            lambda: [*_runs(b"wrong"), replace(_runs(b"wrong")[0], again=True)], "regrade.runs", id="too many"
        ),
        pytest.param(lambda: [_runs(b"right")[0], _runs(b"flaky")[1]], "regrade.candidate", id="of two candidates"),
        pytest.param(lambda: [replace(_runs(b"wrong")[0], suite_sha256="0" * 64)], "regrade.suite", id="other suite"),
        pytest.param(lambda: [replace(_runs(b"dies")[0], at=3)], "regrade.case", id="ended at no case"),
        pytest.param(
            lambda: [replace(one, seen=(replace(one.seen[0], case=3),)) for one in _runs(b"dies")],
            "regrade.case",
            id="a case that is not there",
        ),
    ],
)
def test_runs_that_determine_no_grade_are_refused(runs: Any, code: str) -> None:
    with pytest.raises(NotDerivable) as caught:
        regrade(parse_suite(SUITE, "f"), runs())
    assert caught.value.code == code


def test_a_changed_file_is_not_the_bound_one() -> None:
    outcome = gate([b"wrong"])
    digest = json.loads(outcome.receipt)["predicate"]["tried"][0]["runs"][0]["observations_sha256"]
    with pytest.raises(InputError) as caught:
        bound(outcome.private[0].replace(b"69393b", b"69323b"), digest)
    assert caught.value.code == "regrade.digest"


def test_nothing_that_regrades_starts_a_process_or_reads_a_clock() -> None:
    assert not {"subprocess", "os", "time", "socket"} & set(vars(module))
