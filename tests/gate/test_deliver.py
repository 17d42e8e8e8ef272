"""The walk of one delivery with a sandbox that is a fake: order, stop, two runs, void (spec/suite.md §6)."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from assay.gate.deliver import Bench, Void, deliver, word_of
from assay.kernel.first_pass import Delivered, Refused
from assay.kernel.grade import Failed, Flaky, How, Passed
from assay.sandbox import base
from assay.wire.suites import parse_suite

SUITE = parse_suite(
    json.dumps(
        {
            "suite": "assay.suite/1",
            "dialect": "python-call/1",
            "entry_point": "f",
            "cases": [{"args": "(1,)", "returns": "1"}, {"args": "(2,)", "returns": "2"}],
        }
    ),
    "f",
)
ISOLATION = base.Isolation(
    base.Level.A, {}, "fake", "", "", "", 0, started_as_root=False, baseline_memory_bytes=0, hash_seed=0
)
RIGHT, WRONG, FLAKY, DEAD, BROKEN = b"right", b"wrong", b"flaky", b"dead", b"broken"


def _report(seen: dict[int, bytes], ending: base.Ending | None = None) -> base.RunReport:
    found = tuple(base.Returned(at, payload) for at, payload in seen.items())
    return base.RunReport(found, base.Usage(), ending or base.Ending(), ISOLATION)


class FakeSandbox:
    """Answers by the candidate's text; counts what it was asked."""

    def __init__(self, faults: int = 0) -> None:
        self.faults = faults
        self.runs: list[tuple[bytes, bool, tuple[int, ...]]] = []
        self.closed = 0

    def run(
        self,
        candidate: base.Candidate,
        program: base.Program,
        limits: base.Limits,  # noqa: ARG002 (the protocol has it)
        *,
        again: bool = False,
    ) -> base.RunReport:
        if self.faults:
            self.faults -= 1
            raise base.SandboxUnavailable("sandbox.start", "no process could be started")
        assert isinstance(program, base.Calls)
        self.runs.append((candidate.source, again, tuple(call.index for call in program.calls)))
        good = {0: b"i1;", 1: b"i2;"}
        match candidate.source:
            case b"right":
                return _report(good)
            case b"flaky":
                return _report(good if not again else {0: b"i1;", 1: b"i3;"})
            case b"dead":
                return _report({0: b"i1;"}, base.Ending(How.CRASH, 1, "it ended"))
            case b"broken":
                return _report({0: b"i1;", 1: b"no literal"})
            case _:
                return _report({0: b"i1;", 1: b"i9;"})

    def close(self) -> None:
        self.closed += 1


def _walk(candidates: list[bytes], sandbox: FakeSandbox | None = None) -> tuple[object, list[bytes], FakeSandbox]:
    fake = sandbox or FakeSandbox()
    drawn: list[bytes] = []

    def draw() -> Iterator[bytes]:
        for candidate in candidates:
            drawn.append(candidate)
            yield candidate

    bench = Bench(lambda: fake)
    delivery = deliver(SUITE, draw(), bench, base.Limits())
    bench.close()
    return delivery, drawn, fake


def test_the_first_pass_is_delivered_and_nothing_is_drawn_after_it() -> None:
    delivery, drawn, fake = _walk([WRONG, RIGHT, RIGHT])
    assert isinstance(delivery.outcome, Delivered)  # type: ignore[attr-defined]
    assert (delivery.outcome.position, delivery.source, drawn) == (2, RIGHT, [WRONG, RIGHT])  # type: ignore[attr-defined]
    assert [(source, again) for source, again, _ in fake.runs] == [(WRONG, False), (RIGHT, False), (RIGHT, True)]


def test_the_second_run_asks_in_reverse_order() -> None:
    _, _, fake = _walk([RIGHT])
    first, second = (order for _, _, order in fake.runs)
    assert second == first[::-1]


def test_five_failures_refuse_and_a_sixth_is_never_drawn() -> None:
    delivery, drawn, _ = _walk([WRONG] * 5 + [RIGHT])
    assert isinstance(delivery.outcome, Refused)  # type: ignore[attr-defined]
    assert len(drawn) == 5


def test_no_candidate_is_a_refusal() -> None:
    delivery, _, _ = _walk([])
    assert delivery.outcome == Refused(())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("candidate", "grade", "word"),
    [
        pytest.param(WRONG, Failed(1, How.WRONG_VALUE), "failed", id="wrong value"),
        pytest.param(FLAKY, Flaky(1, How.WRONG_VALUE), "flaky", id="passes once"),
        pytest.param(DEAD, Failed(1, How.CRASH), "failed", id="dies at a case"),
        pytest.param(BROKEN, Failed(1, How.PROTOCOL), "failed", id="what it sends is no literal"),
        pytest.param(RIGHT, Passed(), "passed", id="passes twice"),
    ],
)
def test_grade_of_a_candidate(candidate: bytes, grade: object, word: str) -> None:
    delivery, _, _ = _walk([candidate])
    (attempt,) = delivery.attempts  # type: ignore[attr-defined]
    assert attempt.grade == grade
    assert word_of(attempt.grade) == word


def test_one_fault_of_ours_is_repeated_and_the_candidate_is_judged() -> None:
    delivery, _, fake = _walk([RIGHT], FakeSandbox(faults=1))
    assert isinstance(delivery.outcome, Delivered)  # type: ignore[attr-defined]
    assert fake.closed == 2


def test_two_faults_of_ours_are_void_and_never_a_failure() -> None:
    delivery, drawn, _ = _walk([RIGHT, RIGHT], FakeSandbox(faults=2))
    assert delivery.outcome == Void("no process could be started")  # type: ignore[attr-defined]
    assert (delivery.attempts, drawn) == ((), [RIGHT])  # type: ignore[attr-defined]


def test_the_run_after_two_faults_begins_with_a_sandbox_that_is_whole() -> None:
    opened: list[FakeSandbox] = []
    bench = Bench(lambda: opened.append(FakeSandbox(faults=len(opened) < 2)) or opened[-1])  # type: ignore[func-returns-value]
    candidate, calls = base.Candidate(RIGHT), base.Calls("f", ())
    with pytest.raises(base.SandboxUnavailable):
        bench.run(candidate, calls, base.Limits(), again=False)
    assert [one.closed for one in opened] == [1, 1]
    bench.run(candidate, calls, base.Limits(), again=False)
    bench.close()
    assert [one.closed for one in opened] == [1, 1, 1]
