"""The gauge in both directions, its stubs, and what its record says (spec/suite.md §10)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from tests.support.in_process import InProcess

from assay.gate.deliver import Bench
from assay.gate.gauge import Gauge, StubGrade, gauge
from assay.gate.stubs import Stub, stubs
from assay.kernel.grade import PASSED, Failed, Flaky, How
from assay.sandbox import base
from assay.suite.names import EXCEPTIONS
from assay.suite.refusals import InvalidSuite
from assay.suite.spec import SuiteSpec
from assay.wire.suites import parse_suite

ADD = b"def f(a, b):\n    return a + b\n"
TWO = [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}]


def suite(*cases: dict[str, Any], **more: object) -> SuiteSpec:
    found = {"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": list(cases)} | more
    return parse_suite(json.dumps(found), "f")


def programs(*cases: tuple[str, str]) -> SuiteSpec:
    found = [{"stdin": asked, "stdout": [out]} for asked, out in cases]
    return parse_suite(json.dumps({"suite": "assay.suite/1", "dialect": "stdin-stdout/1", "cases": found}))


def gauged(spec: SuiteSpec, reference: bytes, given: Sequence[Stub] = (), faults: int = 0) -> Gauge:
    return gauge(spec, reference, Bench(lambda: InProcess(faults)), base.Limits(), given=given)


@pytest.mark.parametrize(
    ("spec", "reference", "fault"),
    [
        pytest.param(suite(*TWO), ADD, None, id="two cases tell"),
        pytest.param(suite(TWO[0]), ADD, "the stub `constant` passes", id="one case cannot tell a constant"),
        pytest.param(
            suite({"args": "(1, 2)", "returns": "None"}, {"args": "(2, 2)", "returns": "None"}),
            b"def f(a, b):\n    pass\n",
            "the stub `nothing` passes",
            id="where nothing is right, nothing can be told",
        ),
        pytest.param(
            suite({"args": "(1,)", "returns": "1"}, {"args": "(2,)", "returns": "2"}),
            b"def f(a):\n    return abs(a)\n",
            "the stub `first` passes",
            id="the first argument",
        ),
        pytest.param(
            suite({"args": "(1,)", "raises": "UnicodeDecodeError"}, {"args": "(2,)", "raises": "ValueError"}),
            b"def f(a):\n    return b'\\xff'.decode()\n",
            "the stub `raises` passes",
            id="an exception always",
        ),
        pytest.param(suite(*TWO), b"def f(a, b):\n    return 3\n", "reference does not pass: failed, wrong_value",
                     id="a wrong reference"),
        pytest.param(suite(*TWO), b"def f(a, b):\n    return a + b + is_second_run\n", "flaky", id="flaky reference"),
        pytest.param(suite(*TWO), b"x = 1\n", "failed, entry_point_missing", id="a reference of something else"),
        pytest.param(
            suite({"args": "([2, 1],)", "args_after": "([1, 2],)"}, {"args": "([3],)", "args_after": "([3],)"}),
            b"def f(a):\n    a.sort()\n",
            None,
            id="arguments after the call",
        ),
        pytest.param(
            suite({"args": "()", "returns": "3", "project": "length"}, {"args": "()", "returns": "'list'",
                   "project": "type_name"}),
            b"def f():\n    return [1, 2, 3]\n",
            None,
            id="no value to be constant, no argument to return",
        ),
        pytest.param(programs(("1\n", "2"), ("2\n", "4")), b"print(2 * int(input()))\n", None, id="programs"),
        pytest.param(programs(("1\n", "1")), b"print(input())\n", "the stub `first` passes", id="program: its input"),
        pytest.param(programs(("1\n", "2")), b"print(2 * int(input()))\n", "the stub `constant` passes",
                     id="program: a constant"),
        pytest.param(programs(("1\n", "")), b"input()\n", "the stub `nothing` passes", id="program: nothing"),
    ],
)  # fmt: skip
def test_a_suite_is_gauged(spec: SuiteSpec, reference: bytes, fault: str | None) -> None:
    found = gauged(spec, reference)
    assert found.holds is (fault is None), found.faults
    if fault is None:
        assert found.faults == ()
        found.require()
        return
    assert fault in found.faults[0]
    with pytest.raises(InvalidSuite) as caught:
        found.require()
    assert caught.value.code == "suite.gauge"
    assert "add a case" in str(caught.value)


def test_which_stubs_a_suite_makes() -> None:
    def names(spec: SuiteSpec) -> list[str]:
        return [stub.name for stub in stubs(spec)]

    assert names(suite(*TWO)) == ["nothing", "first", "raises", "constant"]
    assert names(suite({"args": "()", "raises": "ValueError"})) == ["nothing", "raises"]
    long = repr("x" * 70_000)
    assert names(suite({"args": "()", "returns": long})) == ["nothing", "raises"]
    assert stubs(suite({"args": "()", "returns": long}, {"args": "()", "returns": "1e999"}))[-1].source.endswith(
        b"return 1e999\n"
    )
    assert names(programs(("", "1"))) == ["nothing", "first", "raises", "constant"]
    assert names(programs(("", "x" * 70_000))) == ["nothing", "first", "raises"]


@pytest.mark.parametrize("name", sorted(EXCEPTIONS - {"MemoryError"}))
def test_the_stub_that_raises_can_raise_every_built_in_but_one(name: str) -> None:
    spec = suite({"args": "()", "raises": name})
    found = gauged(spec, b"def f():\n    pass\n")
    (raises,) = (one for one in found.stubs if one.name == "raises")
    assert raises.grade == PASSED


def test_the_constant_is_the_value_itself() -> None:
    spec = suite({"args": "()", "returns": "[nan, -0.0, 2j, {'a': (1,)}, {3}, b'x']"})
    assert [one.name for one in gauged(spec, b"").stubs if one.grade == PASSED] == ["constant"]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        pytest.param(b"def f(a, b):\n    return a * b\n", True, id="wrong"),
        pytest.param(b"def f(a, b):\n    return b + a\n", False, id="right"),
        pytest.param(b"def f(:\n", False, id="one that does not load says nothing"),
        pytest.param(b"def g(): pass\n", False, id="so does one without the function"),
    ],
)
def test_a_stub_of_the_owner_s(source: bytes, told: bool) -> None:
    found = gauged(suite(*TWO), ADD, [Stub("bad.py", source)])
    assert found.holds is told
    assert (found.stubs[-1].name, found.stubs[-1].is_told) == ("bad.py", told)
    assert ("`bad.py`" in " ".join(found.faults)) is not told


def test_without_a_stub_no_gauge_holds() -> None:
    empty = Gauge("0", "f", "1", PASSED, ())
    assert not empty.holds
    assert empty.faults == ("there is no known-bad stub",)


def test_the_record_is_bound_and_holds_no_answer() -> None:
    spec = suite(*TWO)
    found = gauged(spec, ADD)
    document = found.document()
    assert list(document) == [
        "gauge", "holds", "suite_sha256", "entry_point", "reference_sha256", "reference", "stubs"
    ]  # fmt: skip
    assert document["reference"] == {"grade": "passed", "how": None}
    assert [(one["name"], one["sha256"] is None) for one in document["stubs"]] == [  # type: ignore[attr-defined]
        ("nothing", True), ("first", True), ("raises", True), ("constant", True)
    ]  # fmt: skip
    assert found.sha256 == gauged(spec, ADD).sha256
    others = [gauged(suite(*TWO, TWO[0]), ADD), gauged(spec, ADD + b"\n"), gauged(spec, ADD, [Stub("x", b"f = 1")])]
    assert len({found.sha256, *(other.sha256 for other in others)}) == 4
    assert "case" not in json.dumps(document)


def test_the_digest_of_a_stub_does_not_tell_which_exception_is_expected() -> None:
    """All names of exceptions were tried against the digest of the stub that raises."""
    spec = suite({"args": "(1,)", "raises": "ZeroDivisionError"}, {"args": "(2,)", "returns": "2"})
    found = gauged(spec, b"def f(a):\n    return a if a > 1 else 1 / 0\n", [Stub("given", b"f = 1")])
    told = json.dumps(found.document())
    for stub in stubs(spec):
        assert sha256(stub.source).hexdigest() not in told
    assert "ZeroDivisionError" not in told
    assert [bool(one.sha256) for one in found.stubs] == [False] * len(stubs(spec)) + [True]
    other = suite({"args": "(1,)", "raises": "KeyError"}, {"args": "(2,)", "returns": "2"})
    assert [{**one, "grade": "", "how": ""} for one in gauged(other, b"f = 1").document()["stubs"]] == [  # type: ignore[attr-defined]
        {**one, "grade": "", "how": ""}
        for one in gauged(spec, b"f = 1").document()["stubs"]  # type: ignore[attr-defined]
    ]


def test_a_fault_of_ours_is_no_verdict_on_the_suite() -> None:
    with pytest.raises(base.SandboxUnavailable):
        gauged(suite(*TWO), ADD, faults=2)


def test_steps_are_told() -> None:
    steps: list[tuple[int, int]] = []
    gauge(suite(*TWO), ADD, Bench(InProcess), base.Limits(), on_step=lambda *step: steps.append(step))
    assert steps == [(0, 5), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


@pytest.mark.parametrize(
    ("grade", "told"),
    [
        pytest.param(Failed(0, How.WRONG_VALUE), True, id="a wrong value"),
        pytest.param(Failed(None, How.LOAD_ERROR), False, id="never loaded"),
        pytest.param(Failed(0, How.CPU), True, id="out of time"),
        pytest.param(Flaky(0, How.EXCEPTION), True, id="flaky is a failure"),
        pytest.param(PASSED, False, id="passed"),
    ],
)
def test_told_by_its_answers(grade: Any, told: bool) -> None:
    assert StubGrade("x", None, grade).is_told is told
