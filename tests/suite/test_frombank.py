"""A bank's kinds of comparison become named equalities, never `typed` (spec/suite.md §9)."""

from typing import Any

import pytest

from assay.kernel.equality import Approx, AsSet, Equality, Lines, Python
from assay.kernel.grade import Equals, Prints
from assay.suite.frombank import HIDDEN, NoSuite, before_definition, from_bank, is_typed_output
from assay.suite.literals import read
from assay.suite.refusals import InvalidSuite
from assay.suite.spec import Call, Input, SuiteSpec

PROMPT = 'import math\n\ndef helper():\n    return 1\n\n\ndef f(x):\n    """Return it."""\n'


def task(*visible: Any, **fields: Any) -> dict[str, Any]:
    """A task of a bank with these visible cases."""
    given = {"id": "T/1", "dialect": "call", "entry_point": "f", "prompt": PROMPT, "visible": list(visible)}
    return given | {"hidden": []} | fields


@pytest.mark.parametrize(
    ("case", "observe", "equality"),
    [
        ({"e": "2"}, "value", Python()),
        ({"e": "2.0"}, "value", Python()),
        ({"e": "2", "k": "eq"}, "value", Python()),
        ({"e": "2.5", "k": "approx", "tol": 1e-6}, "value", Approx("1e-6", "0", False)),
        ({"e": "2.5", "k": "approx", "tol": 4.18}, "value", Approx("418e-2", "0", False)),
        ({"e": "2.5", "k": "evalplus"}, "value", Approx("1e-6", "1e-7", True)),
        ({"e": "[2.5, 1.0]", "k": "evalplus"}, "value", Approx("1e-6", "1e-7", True)),
        ({"e": "(2.5,)", "k": "evalplus"}, "value", Approx("1e-6", "1e-7", True)),
        ({"e": "[2.5, 1]", "k": "evalplus"}, "value", Python()),
        ({"e": "[[2.5]]", "k": "evalplus"}, "value", Python()),
        ({"e": "[]", "k": "evalplus"}, "value", Python()),
        ({"e": "{2.5}", "k": "evalplus"}, "value", Python()),
        ({"e": "2", "k": "evalplus"}, "value", Python()),
        ({"e": "[[2]]", "k": "evalplus", "tol": 0.0001}, "value", Approx("1e-4", "1e-7", True)),
        ({"e": "(4, 5)", "k": "set_eq"}, "value", AsSet()),
        ({"e": "False", "k": "not_none"}, "found", Python()),
        ({"e": "True", "k": "is_true"}, "truth", Python()),
    ],
)
def test_each_kind_has_an_equality(case: dict[str, Any], observe: str, equality: Equality) -> None:
    spec = from_bank(task({"a": "(1,)"} | case))
    assert isinstance(spec, SuiteSpec)
    (question,) = spec.questions
    assert question.ask == Call((read("1"),), read("{}"), observe)
    assert question.check == Equals(read(case["e"]), equality)


def test_a_program_s_outputs_are_compared_as_text() -> None:
    found = task({"stdin": "1", "e": ["a", 1, True, None, [1, "x"], 0.5]}, dialect="stdin", entry_point=None)
    spec = from_bank(found)
    assert isinstance(spec, SuiteSpec)
    (question,) = spec.questions
    assert question.ask == Input("1")
    assert question.check == Prints(("a", "1", "True", "None", "[1, 'x']", "0.5"), Lines())
    assert is_typed_output(found)


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        (task({"stdin": "", "e": ["a"]}, dialect="stdin"), False),
        (task({"stdin": "", "e": ["a"]}, dialect="stdin", hidden=[{"stdin": "", "e": [1]}]), True),
        (task({"a": "()", "e": "1"}), False),
        (task(dialect="stdin", hidden=None), False),
    ],
)
def test_typed_output_is_a_property_of_the_whole_task(given: dict[str, Any], typed: bool) -> None:
    assert is_typed_output(given) is typed


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (task(), "no visible case"),
        (task({"a": "([1, 2],)", "e": "0", "k": "poly_root", "tol": 1e-4}), "polynomial"),
        (task({"a": "()", "e": "0"}, {"a": "([1, 2],)", "e": "0", "k": "poly_root", "tol": 1e-4}), "polynomial"),
    ],
)
def test_what_has_no_suite_says_why(given: dict[str, Any], reason: str) -> None:
    found = from_bank(given)
    assert isinstance(found, NoSuite)
    assert reason in found.reason


def test_hidden_cases_make_a_suite_of_their_own() -> None:
    given = task({"a": "()", "e": "1"}, hidden=[{"a": "(2,)", "e": "2"}])
    found = from_bank(given, HIDDEN)
    assert isinstance(found, SuiteSpec)
    assert found.questions[0].ask == Call((read("2"),), read("{}"))


def test_nothing_is_put_in_front_of_a_candidate_unless_it_is_asked_for() -> None:
    given = task({"a": "()", "e": "1"})
    plain, with_prompt = from_bank(given), from_bank(given, preamble=True)
    assert isinstance(plain, SuiteSpec)
    assert isinstance(with_prompt, SuiteSpec)
    assert plain.preamble == ""
    assert with_prompt.preamble == "import math\n\ndef helper():\n    return 1\n\n\n"
    assert before_definition("def g(): ...\n", "f") == ""
    assert before_definition("def f2(): ...\ndef f(): ...\n", "f") == "def f2(): ...\n"


@pytest.mark.parametrize(
    "given",
    [
        {},
        task(visible=None),
        task({"a": "()", "e": "1"}, dialect="rust"),
        task({"a": "()", "e": "1"}, entry_point=None),
        task({"a": "()", "e": "1"}, entry_point="f()"),
        task({"a": "()", "e": "1"}, prompt=1),
        task("x"),
        task({"a": "()"}),
        task({"a": [1], "e": "1"}),
        task({"a": "1", "e": "1"}),
        task({"a": "()", "e": "1", "k": "regex"}),
        task({"a": "()", "e": "1", "k": "approx", "tol": "1"}),
        task({"a": "()", "e": "1", "k": "approx", "tol": True}),
        task({"a": "()", "e": "1", "k": "approx", "tol": -1}),
        task({"a": "()", "e": "1", "k": "is_true"}),
        task({"stdin": 1, "e": ["a"]}, dialect="stdin"),
        task({"stdin": "", "e": []}, dialect="stdin"),
        task({"stdin": "", "e": "a"}, dialect="stdin"),
        task("x", dialect="stdin"),
    ],
    ids=str,
)
def test_what_is_no_task_of_a_bank_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidSuite) as caught:
        from_bank(given)
    assert caught.value.code == "bank.shape"


def test_a_literal_that_is_none_keeps_its_own_code() -> None:
    with pytest.raises(InvalidSuite) as caught:
        from_bank(task({"a": "(x,)", "e": "1"}))
    assert caught.value.code == "literal.name"
