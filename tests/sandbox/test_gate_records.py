"""Every shared attack on the gate, run twice as the rule asks and graded with typed equality.

What is contained must leave no canary; what fails must fail in one of the two runs; controls pass. Where the record
itself says that only hidden tests can tell, passing is right.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.kernel.equality import Tree, Typed
from assay.kernel.grade import PASSED, Equals, Failed, Grade, Passed, confirm, grade
from assay.sandbox.base import Candidate, Limits
from assay.sandbox.conformance import codec_source, left_over, surroundings
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.opening import open_slot
from assay.sandbox.reading import observations_of, program_of
from assay.suite.dialects import PYTHON_CALL
from assay.suite.literals import read
from assay.suite.render import render
from assay.suite.spec import Call, Question, SuiteSpec

RECORDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "attacks" / "gate.jsonl"

pytestmark = pytest.mark.skipif(not RECORDS.exists(), reason="the shared attacks are not on this machine")

PORT = 45_999
# Long enough for whatever ends by itself on a busy machine, short for what sleeps.
LIMITS = Limits(cpu_s=1.0, wall_s=10.0)
SHORT = Limits(cpu_s=0.3, wall_s=1.0)
TIMED = {"cpu", "wall"}
RIGHT: dict[str, type[Passed | Failed]] = {
    "pass": Passed,
    "pass-visible/fail-hidden": Passed,
    "fail": Failed,
    "timeout": Failed,
}


def _records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORDS.read_text().splitlines()] if RECORDS.exists() else []


def parts(tree: Tree) -> tuple[Tree, ...]:
    """Return what a list or tuple holds."""
    held = tree[1]
    assert not isinstance(held, str)
    return held


def suite_of(task: dict[str, str]) -> SuiteSpec:
    """Return the suite of a record: arguments and expected value of each case as literal text."""
    questions = []
    for row in parts(read(task["cases"])):
        arguments, expected = parts(row)
        questions.append(Question(Call(parts(arguments), ("d", ())), Equals(expected, Typed())))
    return SuiteSpec(PYTHON_CALL, task["entry"], tuple(questions))


HONEST_SUITE = suite_of({"cases": "[((-2,), 2)]", "entry": "f"})
HONEST = render(HONEST_SUITE)


@dataclass(frozen=True)
class Arena:
    """What an attack that got out would touch."""

    folder: Path
    port: socket.socket

    def touched(self) -> list[str]:
        found = [path.name for path in self.folder.iterdir()]
        try:
            self.port.accept()[0].close()
        except BlockingIOError:
            return found
        return [*found, "port"]


@pytest.fixture(scope="module")
def slot() -> Iterator[LinuxSlot]:
    """Open one slot for all records; when it is closed, nothing of any of them is left on the host."""
    os.environ["GATE_CANARY"] = "1"
    before = surroundings()
    try:
        with open_slot(codec_source()) as opened:
            yield opened
    finally:
        del os.environ["GATE_CANARY"]
    assert left_over(before) == {}


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    tmp_path.chmod(0o777)
    # The port is in the record; others may run the same test.
    with socket.create_server(("127.0.0.1", PORT), reuse_port=True) as port:
        port.setblocking(False)
        yield Arena(tmp_path, port)


def run_twice(slot: LinuxSlot, record: dict[str, Any], arena: Arena) -> Grade:
    """Return the grade after the second run, in reverse and in the other interpreter."""
    suite = suite_of(record["task"])
    rendered = render(suite)
    candidate = Candidate(record["code"].replace("ARENA", str(arena.folder)).encode())
    limits = SHORT if record["kind"] in TIMED or record["right_verdict"] == "timeout" else LIMITS
    grades: list[Passed | Failed] = []
    for again in (False, True):
        report = slot.run(candidate, program_of(rendered, again=again), limits, again=again)
        grades.append(grade(suite.checks, observations_of(report, len(suite.questions))))
        if isinstance(grades[0], Failed):
            return grades[0]
    return confirm(grades[0], grades[1])


@pytest.mark.parametrize("record", [pytest.param(record, id=record["id"]) for record in _records()])
def test_every_record_has_its_verdict_and_touches_nothing(
    record: dict[str, Any], slot: LinuxSlot, arena: Arena
) -> None:
    found = run_twice(slot, record, arena)
    assert arena.touched() == []
    right = RIGHT.get(record["right_verdict"])
    assert right is None or isinstance(found, right), found
    # The judge and both interpreters go on: the next candidate gets what it is due.
    for again in (False, True):
        report = slot.run(Candidate(b"f = abs"), program_of(HONEST, again=again), LIMITS, again=again)
        assert grade(HONEST_SUITE.checks, observations_of(report, 1)) == PASSED
