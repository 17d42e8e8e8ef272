"""What is told of a failed attempt: all of it to the owner, and to a model nothing that is expected."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from tests.support.gate_world import CLOSED, PROGRAM, RUNS, SUITE, TASK, Runs, gate

from assay.api import telling
from assay.api.gating import GateOutcome
from assay.gate.cases import best, cases_of, ending_of, passed
from assay.gate.feedback import LONGEST, MOST, asked, cut, for_model, for_person
from assay.gate.junit import junit
from assay.kernel.grade import How
from assay.sandbox import base
from assay.suite.render import render


def _outcome(source: bytes, suite: str = SUITE, runs: Runs | None = None) -> GateOutcome:
    return gate([source], suite=suite, task=None if suite == PROGRAM else TASK, runs=runs)


@pytest.mark.parametrize(
    ("source", "person", "model"),
    [
        pytest.param(
            b"wrong",
            ["case index 1 (2 of 3): f(2)", "  expected is 2 [typed]", "  came     9"],
            "case index 1 (2 of 3): gave a wrong value",
            id="wrong value",
        ),
        pytest.param(
            b"does not load",
            ["the code does not load: SyntaxError"],
            "the code does not load: SyntaxError",
            id="does not load",
        ),
        pytest.param(
            b"talks late",
            ["wrote where nothing may be written: bytes after the closing exchange"],
            "wrote where nothing may be written: bytes after the closing exchange",
            id="fails at no case",
        ),
        pytest.param(
            b"dies",
            ["case index 1 (2 of 3): f(2)", "  expected is 2 [typed]", "  came     crashed"],
            "case index 1 (2 of 3): crashed",
            id="dies",
        ),
        pytest.param(
            b"lies",
            [
                "case index 1 (2 of 3): f(2)",
                "  expected is 2 [typed]",
                "  came     wrote where nothing may be written",
                "case index 2 (3 of 3): f(3)",
                "  expected raises ValueError",
                "  came     gave something that is no plain value",
            ],
            "case index 1 (2 of 3): wrote where nothing may be written\n"
            "case index 2 (3 of 3): gave something that is no plain value",
            id="no literal and no value",
        ),
        pytest.param(
            b"flaky",
            [
                "case index 2 (3 of 3): f(3)",
                "  expected raises ValueError",
                "  came     None; the run printed 7 bytes (in the second run)",
            ],
            "case index 2 (3 of 3): returned None; the run printed 7 bytes, "
            "in a second run with another hash seed and order",
            id="flaky",
        ),
    ],
)
def test_what_a_person_and_a_model_are_told(source: bytes, person: list[str], model: str) -> None:
    outcome = _outcome(source)
    (attempt,) = outcome.attempts
    assert for_person(outcome.suite, attempt) == person
    assert for_model(outcome.suite, attempt) == model


def test_exceptions_are_told_by_name() -> None:
    outcome = _outcome(b"raises")
    assert for_model(outcome.suite, outcome.attempts[0]).splitlines() == [
        "case index 0 (1 of 3): raised Key\x1b\ud800",
        "case index 2 (3 of 3): raised an exception",
    ]
    assert "  came     raised an exception" in for_person(outcome.suite, outcome.attempts[0])


def test_programs_are_told_by_input_and_output() -> None:
    outcome = _outcome(b"prints bytes", PROGRAM)
    assert for_person(outcome.suite, outcome.attempts[0]) == [
        "case index 0 (1 of 2): input '1'",
        "  expected prints 'secret one' [lines]",
        "  came     printed '\\\\xff'",
        "case index 1 (2 of 2): input '2'",
        "  expected prints '2' [lines]",
        "  came     ended the process",
    ]


@pytest.mark.parametrize("source", [one for one in RUNS if not one.startswith((b"prints", b"right"))])
def test_nothing_that_is_expected_goes_to_a_model(source: bytes) -> None:
    outcome = _outcome(source)
    told = "\n".join(telling.for_model(outcome)) + json.dumps(telling.document(outcome))
    assert "secret one" not in told
    assert "expected" not in told
    assert b"secret one" not in junit(outcome.suite, ["a"], outcome.attempts)


@pytest.mark.parametrize("source", [b"worse", b"raises", b"does not load", b"too large"])
def test_what_a_model_reads_does_not_depend_on_what_was_expected(source: bytes) -> None:
    other = SUITE.replace("'secret one'", "{1: [2.5]}")
    assert telling.for_model(_outcome(source, other)) == telling.for_model(_outcome(source))


def test_the_owner_may_ask_for_what_is_expected() -> None:
    told = telling.document(_outcome(b"worse"), show_expected=True)
    tried = told["tried"]
    assert isinstance(tried, list)
    assert tried[0]["cases"][0] == {
        "case": 0,
        "how": "wrong_value",
        "asked": "f(1)",
        "came": "None; the run printed 7 bytes",
        "expected": "is 'secret one' [typed]",
    }


def test_review_what_was_printed_in_place_of_a_return_is_told() -> None:
    outcome = _outcome(b"worse")
    assert for_person(outcome.suite, outcome.attempts[0])[2] == "  came     None; the run printed 7 bytes"
    assert for_model(outcome.suite, outcome.attempts[0]).splitlines()[0] == (
        "case index 0 (1 of 3): returned None; the run printed 7 bytes"
    )


def test_a_pass_is_told_as_one() -> None:
    outcome = _outcome(b"right")
    assert for_model(outcome.suite, outcome.attempts[0]) == "every case passed"
    assert for_person(outcome.suite, outcome.attempts[0]) == []


def test_long_things_are_cut_and_many_are_counted() -> None:
    case = {"args": "('" + "x" * 1000 + "',)", "returns": "1"}
    cases = [case, *({"args": f"({n},)", "returns": "1"} for n in range(20))]
    suite = json.dumps({"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": cases})
    seen = tuple(base.Returned(at, b"N") for at in range(21))
    outcome = _outcome(b"many", suite, {b"many": (seen, CLOSED)})
    assert len(asked(outcome.suite, 0)) == LONGEST
    assert cut("abc", 2) == "a…"
    assert for_person(outcome.suite, outcome.attempts[0])[-1] == f"and {21 - MOST} more"
    assert for_model(outcome.suite, outcome.attempts[0]).splitlines()[-1] == f"and {21 - MOST} more"


def test_cases_are_counted_over_both_runs() -> None:
    outcome = _outcome(b"flaky")
    assert passed(outcome.suite, outcome.attempts[0]) == 2
    assert [one.how for one in cases_of(outcome.suite, outcome.attempts[0])] == [None, None, How.WRONG_VALUE]
    assert ending_of(outcome.attempts[0]) == base.Ending()


def test_the_first_of_the_best_drafts_is_kept_and_marked() -> None:
    outcome = gate([b"worse", b"wrong", b"flaky", b"does not load"], keep_best=True)
    assert outcome.best is not None
    assert (outcome.best.at, outcome.best.passed, outcome.best.of) == (1, 2, 3)
    digest = render(outcome.suite).program_sha256.encode()
    assert outcome.best.data == b"# NOT ACCEPTED by assay: passed 2 of 3 cases of program %b\nwrong" % digest
    assert best(outcome.suite, "", (), ()) is None


def _tree(outcome: GateOutcome, *, show_expected: bool = False) -> ET.Element:
    data = junit(outcome.suite, ["a.py"], outcome.attempts, void=outcome.reason, show_expected=show_expected)
    return ET.fromstring(data)  # noqa: S314 - our own bytes


@pytest.mark.parametrize(
    ("source", "counts", "kinds"),
    [
        pytest.param(b"right", ("3", "0", "0", "0"), [], id="passed"),
        pytest.param(b"wrong", ("3", "1", "0", "0"), [("failure", "wrong_value")], id="a wrong value is a failure"),
        pytest.param(
            b"dies", ("3", "1", "0", "1"), [("failure", "crash"), ("skipped", None)], id="review: not run is skipped"
        ),
        pytest.param(
            b"does not load",
            ("4", "0", "1", "3"),
            [*[("skipped", None)] * 3, ("error", "load_error")],
            id="review: code that does not load is one error",
        ),
        pytest.param(b"talks late", ("4", "0", "1", "0"), [("error", "protocol")], id="a run that fails at no case"),
        pytest.param(b"flaky", ("3", "1", "0", "0"), [("failure", "wrong_value")], id="flaky"),
    ],
)
def test_junit_has_a_testcase_for_each_case(
    source: bytes, counts: tuple[str, ...], kinds: list[tuple[str, str | None]]
) -> None:
    tree = _tree(_outcome(source))
    (gate_, one) = tree
    assert [one.attrib[name] for name in ("tests", "failures", "errors", "skipped")] == list(counts)
    assert [(found.tag, found.attrib.get("type")) for case in one for found in case] == kinds
    assert [found.attrib["type"] for found in gate_[0]] == ([] if source == b"right" else ["refused"])
    assert one.attrib["time"] in {"0.001500", "0.003000"}
    assert tree.attrib["tests"] == str(int(counts[0]) + 1)


def test_review_junit_of_a_delivery_is_green() -> None:
    outcome = gate([b"worse", b"does not load", b"right", b"wrong"])
    assert outcome.position == 3
    data = junit(outcome.suite, ["a.py", "b.py", "c.py", "d.py"], outcome.attempts)
    tree = ET.fromstring(data)  # noqa: S314 - our own bytes
    assert (tree.attrib["failures"], tree.attrib["errors"]) == ("0", "0")
    assert [suite.attrib["name"] for suite in tree] == ["the gate", "a.py", "b.py", "c.py"]
    assert [case.attrib["name"] for case in tree[0]] == ["delivery", "candidate 4: d.py"]
    assert tree[0][1][0].attrib == {"message": "not tried"}
    assert {found.attrib["message"] for case in tree[1] for found in case} == {"candidate 1 failed: wrong_value"}
    assert {found.attrib["message"] for case in tree[2] for found in case} == {"candidate 2 failed: load_error"}
    assert [len(case) for case in tree[3]] == [0, 0, 0]


def test_junit_of_a_refusal_is_red_whatever_failed() -> None:
    outcome = gate([b"worse"] * 6)
    tree = ET.fromstring(junit(outcome.suite, ["x"] * 6, outcome.attempts))  # noqa: S314 - our own bytes
    assert tree[0][0][0].attrib == {"type": "refused", "message": "refused: none of 5 tried passes"}
    assert tree[0].attrib["skipped"] == "1"


def test_junit_carries_what_xml_cannot() -> None:
    (_, one) = _tree(_outcome(b"raises"))
    text = one[0][0].text
    assert text == "asked    f(1)\ncame     raised Key\ufffd\ufffd"


def test_junit_shows_what_is_expected_only_to_who_asks() -> None:
    (_, one) = _tree(_outcome(b"worse"), show_expected=True)
    assert "expected is 'secret one' [typed]" in str(one[0][0].text)


def test_junit_of_a_void_outcome_is_no_pass() -> None:
    tree = _tree(_outcome(b"our fault"))
    assert tree.attrib["errors"] == "1"
    assert tree[0][0][0].attrib == {"type": "void", "message": "no process could be started"}
