"""One task of a trial: the gate's walk, the scores, and the votes."""

from __future__ import annotations

import pytest
from tests.support.trial_world import FakeSandbox, task

from assay.experiments.trials.pools import Stored
from assay.experiments.trials.task import Result, _signature, document, result_of, run_task, work_of
from assay.gate.banks import BankTask
from assay.gate.deliver import Bench
from assay.kernel.equality import Lines
from assay.kernel.grade import UNREACHED, How, Observations, Prints
from assay.kernel.grade import Printed as SeenPrinted
from assay.sandbox import base
from assay.suite.frombank import NoSuite, from_bank
from assay.suite.spec import Input, Question, SuiteSpec


def bank_task(**more: object) -> BankTask:
    row = task("T/0", **more)
    return BankTask(
        "T/0", "t", "f", "", None, from_bank(row), from_bank(row, "hidden"), typed_output=False
    )  # fmt: skip


def run(*words: str, sandbox: FakeSandbox | None = None, **more: object) -> Result:
    candidates = tuple(Stored(at, "m", word) for at, word in enumerate(words))
    one = bank_task(**more)
    fake = sandbox or FakeSandbox()
    bench = Bench(lambda: fake)
    return run_task(work_of(one, one, candidates), bench, base.Limits())


@pytest.mark.parametrize(
    ("words", "position", "generated"),
    [
        pytest.param(("right", "right"), 1, 1, id="the first that passes"),
        pytest.param(("wrong", "visible", "right"), 2, 2, id="visible cases decide, right or not"),
        pytest.param(("once", "right"), 2, 2, id="a pass that does not repeat is none"),
        pytest.param(("wrong",) * 5 + ("right",), None, 5, id="a sixth is not tried"),
        pytest.param(("deaf",), None, 1, id="a short pool is refused at its end"),
    ],
)
def test_the_gate_decides_by_the_visible_cases(words: tuple[str, ...], position: int | None, generated: int) -> None:
    found = run(*words)
    assert (found.position, found.generated) == (position, generated)


def test_every_candidate_of_the_pool_is_scored_and_the_first_five_are_tried() -> None:
    found = run("right", "visible", "late", "once", "deaf", "right", "wrong")
    assert [one.visible for one in found.candidates] == ["passed", "passed", "failed", "flaky", "failed", None, None]
    assert [one.truth for one in found.candidates] == [True, False, False, True, False, True, False]
    assert [one.hidden for one in found.candidates] == [True, False, True, True, False, True, False]
    assert [one.cases for one in found.candidates] == ["++", "+-", "-+", "++", "--", "++", "--"]
    assert found.candidates[4].visible_how == found.candidates[4].truth_how == "exception"
    assert found.v_subset


def test_scores_take_one_run_and_the_gate_two() -> None:
    fake = FakeSandbox()
    run("right", "wrong", sandbox=fake)
    assert fake.runs == 2 + 1 + 2


def test_votes_group_what_came_back_and_leave_out_what_is_no_value() -> None:
    found = run("wrong", "visible", "right", "deaf", "wrong")
    assert [one.vote_visible for one in found.candidates] == [0, 1, 1, None, 0]
    assert [one.vote_all for one in found.candidates] == [0, 1, 2, None, 0]


def test_outputs_are_grouped_by_what_counts_of_them() -> None:
    suite = SuiteSpec("stdin-stdout/1", "", (Question(Input(""), Prints(("1",), Lines())),))

    def group(output: bytes) -> bytes | None:
        return _signature(suite, Observations((SeenPrinted(output),)))

    assert group(b"1\n") == group(b" 1  ") != group(b"2")
    assert group(b"\xff") is None
    assert _signature(suite, Observations((UNREACHED,))) is None
    assert _signature(suite, Observations((SeenPrinted(b"1"),), How.PROTOCOL)) is None


def test_a_task_without_a_visible_case_is_refused_before_anything_runs_and_scored() -> None:
    found = run("right", "wrong", visible=[])
    assert (found.no_suite, found.position, found.generated) == ("no visible case", None, 0)
    assert [(one.visible, one.vote_visible, one.truth) for one in found.candidates] == [
        (None, None, True),
        (None, None, False),
    ]
    assert not found.v_subset


def test_a_task_whose_visible_cases_no_literal_says_is_not_scored() -> None:
    found = run("right", visible=[{"a": "(1,)", "e": "1", "k": "poly_root"}])
    assert found.no_truth == found.no_suite != ""
    assert [(one.truth, one.hidden, one.cases) for one in found.candidates] == [(None, None, "")]


def test_a_task_without_a_hidden_case_is_scored_by_the_visible_ones() -> None:
    (one,) = run("right", hidden=[]).candidates
    assert (one.truth, one.hidden, one.cases) == (True, None, "+")


def test_what_is_too_large_to_ask_is_no_suite() -> None:
    long = [{"a": f"('{'x' * 1_048_571}',)", "e": "1"}]  # as literal text 1 MiB, and a little more on the wire
    one = bank_task(hidden=long)
    assert isinstance(work_of(one, one, ()).truth, NoSuite)


@pytest.mark.parametrize(
    ("words", "sandbox"), [(("wrong", "void"), None), (("right", "void"), None), (("right",) * 5 + ("void",), None)]
)
def test_our_own_fault_makes_the_task_void(words: tuple[str, ...], sandbox: None) -> None:
    found = run(*words, sandbox=sandbox)
    assert (found.void, found.position, found.candidates) == ("no process could be started", None, ())


def test_a_result_is_read_back() -> None:
    found = run("right", "wrong")
    assert result_of(document(found) | {"candidates": [dict(one) for one in document(found)["candidates"]]}) == found  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        result_of(document(found) | {"candidates": 1})
