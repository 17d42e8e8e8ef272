"""A suite is data: what is read, what is refused with which code, whose function it tests (spec/suite.md §2, §7)."""

import json
from typing import Any

import pytest

from assay.kernel.canonical import canonical
from assay.kernel.equality import Approx, AsSet, Lines, Python, Tokens, Typed
from assay.kernel.grade import Equals, Prints, Raises
from assay.suite.literals import read
from assay.suite.refusals import REFUSALS, InvalidSuite
from assay.suite.render import checks_sha256, render, suite_sha256
from assay.suite.spec import Call, Input, bind, document
from assay.wire.suites import parse_suite


def call_suite(*cases: dict[str, Any], **fields: Any) -> bytes:
    """A suite of calls of `inc`."""
    given: dict[str, Any] = {
        "suite": "assay.suite/1",
        "dialect": "python-call/1",
        "entry_point": "inc",
        "cases": list(cases) or [{"args": "(1,)", "returns": "2"}],
    }
    return json.dumps(given | fields).encode()


def input_suite(*cases: dict[str, Any], **fields: Any) -> bytes:
    """A suite of programs."""
    given: dict[str, Any] = {"suite": "assay.suite/1", "dialect": "stdin-stdout/1", "cases": list(cases)}
    return json.dumps(given | fields).encode()


def test_a_suite_of_calls() -> None:
    spec = parse_suite(
        call_suite(
            {"args": "(1,)", "returns": "2"},
            {"args": "[0, 'a']", "kwargs": "{'b': 1, 'a': 2}", "raises": "IOError"},
            {"args": "([2, 1],)", "args_after": "([1, 2],)", "equality": "python"},
            {"args": "()", "returns": "True", "project": "found"},
            {"args": "()", "returns": "(1.0,)", "equality": {"approx": {"abs": "0.000001", "same_type": True}}},
            preamble="import math\n",
            series="s",
            release="2026-11",
        ),
        "inc",
    )
    asks = [question.ask for question in spec.questions]
    assert [ask.observe for ask in asks if isinstance(ask, Call)] == ["value", "value", "args", "found", "value"]
    second = asks[1]
    assert isinstance(second, Call)
    assert second.arguments == (read("0"), read("'a'"))
    assert second.keywords == read("{'b': 1, 'a': 2}")  # in the order in which a function would see them
    assert spec.checks == (
        Equals(read("2"), Typed()),
        Raises("OSError"),
        Equals(read("([1, 2],)"), Python()),
        Equals(read("True"), Typed()),
        Equals(read("(1.0,)"), Approx("1e-6", "0", True)),
    )
    assert (spec.preamble, spec.series, spec.release) == ("import math\n", "s", "2026-11")


def test_the_suite_s_equality_and_projection_are_those_of_cases_that_name_none() -> None:
    cases = [
        {"args": "()", "returns": "1"},
        {"args": "()", "returns": "True", "equality": "typed", "project": "truth"},
        {"args": "()", "raises": "ValueError"},
        {"args": "([],)", "args_after": "([],)"},
    ]
    spec = parse_suite(call_suite(*cases, equality="as_set", project="length"), "inc")
    assert [question.ask.observe for question in spec.questions if isinstance(question.ask, Call)] == [
        "length",
        "truth",
        "value",
        "args",
    ]
    assert [check.equality for check in spec.checks if isinstance(check, Equals)] == [AsSet(), Typed(), AsSet()]


def test_a_suite_of_programs() -> None:
    spec = parse_suite(
        input_suite(
            {"stdin": "1\n", "stdout": ["2\n", "two"]},
            {"stdin": "", "stdout": [""], "equality": "tokens"},
        )
    )
    assert [question.ask for question in spec.questions] == [Input("1\n"), Input("")]
    assert spec.checks == (Prints(("2\n", "two"), Lines()), Prints(("",), Tokens()))
    assert spec.entry_point == ""


@pytest.mark.parametrize("data", [call_suite(), input_suite({"stdin": "é", "stdout": ["2"]}, preamble="x = 1\n")])
def test_the_canonical_document_is_the_suite_again(data: bytes) -> None:
    spec = parse_suite(data, "inc" if b"inc" in data else None)
    again = parse_suite(canonical(document(spec)), spec.entry_point or None)
    assert again == spec
    assert document(again) == document(spec)


BIG = "(" + "'" + "a" * 1_048_570 + "',)"

REFUSED = [
    pytest.param(b"", "suite.json", id="nothing"),
    pytest.param(b"{", "suite.json", id="no JSON"),
    pytest.param(b"NaN", "suite.json", id="a constant that is no JSON"),
    pytest.param(b"\xff{}", "suite.encoding", id="not UTF-8"),
    pytest.param(b"[" * 17 + b"]" * 17, "suite.depth", id="deep JSON"),
    pytest.param(b"[" * 100_000, "suite.depth", id="very deep JSON"),
    pytest.param(b" " * 4_194_305, "suite.too_long", id="more than 4 MiB"),
    pytest.param(b'{"suite": 1, "suite": 2}', "suite.duplicate_key", id="a key twice"),
    pytest.param(call_suite({"args": "('\ud800',)", "returns": "1"}), "suite.surrogate", id="half a pair"),
    pytest.param(b"def check(candidate):\n    assert candidate(1) == 2\n", "suite.raw_code", id="a test file"),
    pytest.param(b"assert inc(1) == 2", "suite.raw_code", id="an assert statement"),
    pytest.param(b'"assert inc(1) == 2"', "suite.raw_code", id="code as a JSON text"),
    pytest.param(call_suite(cases="assert inc(1) == 2"), "suite.raw_code", id="code in place of cases"),
    pytest.param(b"[]", "suite.shape", id="a list"),
    pytest.param(b"{}", "suite.missing", id="no version"),
    pytest.param(call_suite(suite="assay.suite/2"), "suite.version", id="another version"),
    pytest.param(call_suite(suite=1), "suite.version", id="a number as version"),
    pytest.param(call_suite(dialect="pytest"), "suite.dialect", id="another dialect"),
    pytest.param(call_suite(dialect=["python-call/1"]), "suite.dialect", id="a list as dialect"),
    pytest.param(call_suite(cases=[]), "suite.empty", id="no case"),
    pytest.param(input_suite(), "suite.empty", id="no case of a program"),
    pytest.param(call_suite(cases=None), "suite.type", id="null as cases"),
    pytest.param(call_suite(*[{"args": "()", "returns": "1"}] * 2_001), "suite.too_many_cases", id="2,001 cases"),
    pytest.param(call_suite(check="x"), "suite.unknown_key", id="an unknown key"),
    pytest.param(call_suite({"args": "()", "returns": "1", "code": "x"}), "suite.unknown_key", id="one in a case"),
    pytest.param(call_suite({"args": "()", "return": "1"}), "suite.unknown_key", id="a misspelt key"),
    pytest.param(
        call_suite({"args": "()", "returns": "1", "equality": {"approx": {"abs": "1", "nan": True}}}),
        "suite.unknown_key",
        id="one in a tolerance",
    ),
    pytest.param(
        call_suite({"args": "()", "returns": "1", "equality": {"regex": "x"}}), "suite.unknown_key", id="a regex"
    ),
    pytest.param(input_suite({"stdin": "", "stdout": [""]}, entry_point="f"), "suite.unknown_key", id="stdin: a name"),
    pytest.param(call_suite({"returns": "1"}), "suite.missing", id="no arguments"),
    pytest.param(call_suite({"args": [1], "returns": "2"}), "suite.type", id="JSON in place of a literal"),
    pytest.param(call_suite({"args": "(1,)", "returns": 2}), "suite.type", id="a number in place of a literal"),
    pytest.param(call_suite({"args": "(1,)", "returns": 2.5}), "suite.type", id="a float in place of a literal"),
    pytest.param(call_suite({"args": "()", "returns": "1", "equality": 1}), "suite.type", id="a number as equality"),
    pytest.param(call_suite("x"), "suite.type", id="a text as case"),  # type: ignore[arg-type]
    pytest.param(call_suite(preamble=None), "suite.type", id="null as preamble"),
    pytest.param(call_suite(series=""), "suite.word", id="an empty series"),
    pytest.param(call_suite(series="a\nb"), "suite.word", id="a line break in a word"),
    pytest.param(call_suite(release="x" * 129), "suite.word", id="a long word"),
    pytest.param(call_suite(entry_point="a.b"), "suite.entry_point", id="a path"),
    pytest.param(call_suite(entry_point="f()"), "suite.entry_point", id="a call"),
    pytest.param(call_suite(entry_point="lambda"), "suite.entry_point", id="a keyword"),
    pytest.param(call_suite(entry_point="__import__"), "suite.entry_point", id="two leading underscores"),
    pytest.param(call_suite(entry_point="ｅxec"), "suite.entry_point", id="letters that Python would fold"),
    pytest.param(call_suite(entry_point=""), "suite.entry_point", id="no name"),
    pytest.param(call_suite(entry_point="exec"), "suite.entry_point_builtin", id="exec"),
    pytest.param(call_suite(entry_point="sum"), "suite.entry_point_builtin", id="sum, where no task declares it"),
    pytest.param(call_suite(entry_point="ValueError"), "suite.entry_point_builtin", id="a built-in exception"),
    pytest.param(call_suite(equality="equal"), "suite.equality", id="an unknown equality"),
    pytest.param(call_suite(equality="lines"), "suite.equality", id="one of the other dialect"),
    pytest.param(call_suite({"args": "()", "returns": "1", "equality": "lines"}), "suite.equality", id="and in a case"),
    pytest.param(input_suite({"stdin": "", "stdout": [""]}, equality="typed"), "suite.equality", id="stdin: typed"),
    pytest.param(
        input_suite({"stdin": "", "stdout": [""], "equality": "x"}), "suite.equality", id="stdin: unknown in a case"
    ),
    pytest.param(
        call_suite({"args": "()", "raises": "KeyError", "equality": "typed"}),
        "suite.equality",
        id="an equality of exceptions",
    ),
    pytest.param(call_suite(equality={"approx": {}}), "suite.tolerance", id="no tolerance"),
    pytest.param(call_suite(equality={"approx": {"abs": "-1"}}), "suite.tolerance", id="a negative tolerance"),
    pytest.param(call_suite(equality={"approx": {"rel": "inf"}}), "suite.tolerance", id="an infinite tolerance"),
    pytest.param(call_suite(equality={"approx": {"rel": "1e401"}}), "suite.tolerance", id="a huge tolerance"),
    pytest.param(call_suite(equality={"approx": {"abs": "0", "rel": "1_0"}}), "suite.tolerance", id="a separator"),
    pytest.param(call_suite(project="repr"), "suite.projection", id="an unknown projection"),
    pytest.param(
        call_suite({"args": "()", "returns": "1", "project": "args"}), "suite.projection", id="a word that is ours"
    ),
    pytest.param(
        call_suite({"args": "()", "raises": "KeyError", "project": "truth"}),
        "suite.projection",
        id="a projection of an exception",
    ),
    pytest.param(call_suite({"args": "()"}), "suite.expectation", id="nothing expected"),
    pytest.param(
        call_suite({"args": "()", "returns": "1", "raises": "KeyError"}), "suite.expectation", id="two expectations"
    ),
    pytest.param(input_suite({"stdin": "", "stdout": []}), "suite.expectation", id="stdin: nothing accepted"),
    pytest.param(call_suite({"args": "()", "raises": "Oops"}), "suite.exception", id="an unknown exception"),
    pytest.param(call_suite({"args": "()", "raises": "MemoryError"}), "suite.exception", id="no memory as exception"),
    pytest.param(call_suite({"args": "()", "raises": "print"}), "suite.exception", id="a function as exception"),
    pytest.param(call_suite({"args": "1", "returns": "1"}), "suite.arguments", id="one argument, no tuple"),
    pytest.param(call_suite({"args": "'ab'", "returns": "1"}), "suite.arguments", id="a text as arguments"),
    pytest.param(call_suite({"args": "()", "kwargs": "[]", "returns": "1"}), "suite.arguments", id="a list as kwargs"),
    pytest.param(call_suite({"args": "()", "kwargs": "{1: 2}", "returns": "1"}), "suite.arguments", id="a number key"),
    pytest.param(call_suite({"args": "([],)", "args_after": "1"}), "suite.arguments", id="args_after: no tuple"),
    pytest.param(call_suite({"args": "()", "returns": "[nan]", "equality": "python"}), "suite.nan", id="nan by python"),
    pytest.param(call_suite({"args": "()", "returns": "x"}), "literal.name", id="a name"),
    pytest.param(call_suite({"args": "(__import__('os'),)", "returns": "1"}), "literal.name", id="code in a literal"),
    pytest.param(call_suite({"args": "()", "kwargs": "{", "returns": "1"}), "literal.syntax", id="an open bracket"),
    pytest.param(call_suite({"args": "()", "returns": "0x" + "f" * 4_097}), "literal.too_large", id="a long integer"),
    pytest.param(call_suite({"args": BIG, "returns": "1"}), "literal.too_large", id="a call beyond one message"),
    pytest.param(input_suite({"stdin": "a" * 1_048_577, "stdout": [""]}), "literal.too_large", id="a long input"),
    pytest.param(input_suite({"stdin": "", "stdout": ["a" * 1_048_577]}), "literal.too_large", id="a long output"),
]


@pytest.mark.parametrize(("data", "code"), REFUSED)
def test_every_refusal_has_a_stable_code_and_says_what_to_do(data: bytes, code: str) -> None:
    with pytest.raises(InvalidSuite) as caught:
        parse_suite(data)
    assert caught.value.code == code
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 300
    assert code in REFUSALS


CASE = {"args": "()", "returns": "1"}


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(
            call_suite(CASE, equality={"approx": {"abs": 1e-6}}),
            "`equality.approx.abs` is a JSON number with a point or an exponent; write `abs`, `rel` or both",
            id="an object is legal there, and the fault is in it",
        ),
        pytest.param(call_suite(CASE, equality={}), "`equality.approx` is missing; add it", id="nothing in it"),
        pytest.param(
            call_suite(CASE, equality=1), "`equality` is a whole number, not a name or an object with", id="neither"
        ),
        pytest.param(
            call_suite(CASE, equality={"approx": "1e-6"}), "`equality.approx` is a text, not an object", id="no object"
        ),
        pytest.param(
            call_suite({**CASE, "equality": {"approx": {"abs": "0", "same_type": "x"}}}),
            "`cases.0.equality.approx.same_type` is a text, not true or false",
            id="deep in a case",
        ),
        pytest.param(
            call_suite({**CASE, "equality": {"approx": {"abs": "-1"}}}), "`cases.0.equality.approx`: ", id="its place"
        ),
        pytest.param(
            call_suite(CASE, equality="equal"), "is none of python-call/1, which has typed, python", id="names"
        ),
        pytest.param(
            input_suite({"stdin": "", "stdout": ["x"]}, equality="x"),
            "stdin-stdout/1, which has lines, tokens",
            id="both",
        ),
        pytest.param(
            call_suite({"args": "()", "raises": "KeyError", "equality": "typed"}),
            "`cases.0.equality` stands beside `raises`",
            id="an equality beside raises",
        ),
        pytest.param(
            call_suite({**CASE, "raises": "KeyError"}), "`cases.0` has `returns` and `raises`; give", id="which two"
        ),
        pytest.param(call_suite({"args": "()"}), "`cases.0` has none of them; give each case one of", id="none"),
        pytest.param(
            input_suite({"stdin": "", "stdout": []}), "`cases.0.stdout` has 0 outputs; give each", id="no output"
        ),
        pytest.param(
            call_suite({"args": [1], "returns": "2"}), "`cases.0.args` is a list, not a text with a tuple", id="a list"
        ),
        pytest.param(
            call_suite({"args": "()", "returns": 2}),
            "`cases.0.returns` is a whole number, not a text with",
            id="a number",
        ),
        pytest.param(
            input_suite({"stdin": "", "stdout": [1]}),
            "`cases.0.stdout.0` is a whole number, not a text, an",
            id="outputs",
        ),
        pytest.param(call_suite("x"), "`cases.0` is a text, not an object", id="a case"),  # type: ignore[arg-type]
    ],
)
def test_review_a_refusal_says_what_was_found_what_is_needed_and_where(data: bytes, line: str) -> None:
    with pytest.raises(InvalidSuite) as caught:
        parse_suite(data)
    assert line in str(caught.value)


def test_review_a_mismatch_shows_both_names() -> None:
    spec = parse_suite(call_suite(entry_point="inc"), "inc")
    with pytest.raises(InvalidSuite, match="the suite tests `inc`, and `dec` is asked for; the entry point belongs"):
        bind(spec, "dec")
    with pytest.raises(InvalidSuite, match=r"and `x{79}…` is asked for"):
        bind(spec, "x" * 1000)
    program = parse_suite(input_suite({"stdin": "", "stdout": [""]}))
    with pytest.raises(InvalidSuite, match="tests programs, which have no function, and `main` is asked for"):
        bind(program, "main")


def test_text_is_read_like_bytes() -> None:
    assert parse_suite(call_suite().decode()) == parse_suite(call_suite())
    with pytest.raises(InvalidSuite) as caught:
        parse_suite("import os")
    assert caught.value.code == "suite.raw_code"


def test_a_refusal_names_the_place_and_never_the_value() -> None:
    with pytest.raises(InvalidSuite) as caught:
        parse_suite(call_suite({"args": "()", "returns": "1"}, {"args": "()", "returns": "hunter2"}))
    assert str(caught.value).startswith("`cases.1.returns`: ")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "declared", "code"),
    [
        ("inc", "inc", None),
        ("sum", "sum", None),
        ("inc", "dec", "suite.entry_point_mismatch"),
        ("exec", "inc", "suite.entry_point_builtin"),
        ("inc", None, "suite.entry_point_unbound"),
        ("exec", None, "suite.entry_point_unbound"),
    ],
)
def test_the_entry_point_belongs_to_the_task(name: str, declared: str | None, code: str | None) -> None:
    spec = parse_suite(call_suite(entry_point=name), name)
    if code is None:
        assert bind(spec, declared) is spec
        return
    with pytest.raises(InvalidSuite) as caught:
        bind(spec, declared)
    assert caught.value.code == code


def test_a_program_has_no_entry_point_to_declare() -> None:
    spec = parse_suite(input_suite({"stdin": "", "stdout": [""]}))
    assert bind(spec, None) is spec
    with pytest.raises(InvalidSuite) as caught:
        bind(spec, "main")
    assert caught.value.code == "suite.entry_point_mismatch"


ONE = call_suite(
    {"args": "([1,2],)", "kwargs": "{}", "returns": "{'a':1,'b':2}", "equality": "python"},
    {"args": "({2,1},)", "returns": "0x10"},
)
OTHER = call_suite(
    {"args": "[ [1 , 2] ]", "returns": "{'b': 2, 'a': 1}"},
    {"returns": "16", "args": "(set([1,2]),)", "equality": "typed"},
    equality="python",
)


def test_digests_follow_values_and_not_the_style_of_typing() -> None:
    one, other = parse_suite(ONE), parse_suite(OTHER)
    assert suite_sha256(one) == suite_sha256(other)
    assert checks_sha256(one) == checks_sha256(other)
    assert render(one) == render(other)


def test_each_digest_covers_what_it_names_and_nothing_else() -> None:
    base, returns, equality, args, order, preamble = (
        parse_suite(data)
        for data in (
            call_suite({"args": "(1,)", "returns": "2"}),
            call_suite({"args": "(1,)", "returns": "3"}),
            call_suite({"args": "(1,)", "returns": "2"}, equality="python"),
            call_suite({"args": "(2,)", "returns": "2"}),
            call_suite({"args": "(1,)", "returns": "2"}, {"args": "(1,)", "returns": "2"}),
            call_suite({"args": "(1,)", "returns": "2"}, preamble="x = 1\n"),
        )
    )
    everything = [base, returns, equality, args, order, preamble]
    assert len({suite_sha256(spec) for spec in everything}) == len(everything)
    programs = [render(spec).program_sha256 for spec in everything]
    assert programs[0] == programs[1] == programs[2]
    assert len(set(programs[2:])) == 4
    assert checks_sha256(base) == checks_sha256(args) == checks_sha256(preamble)
    assert len({checks_sha256(spec) for spec in (base, returns, equality, order)}) == 4


def test_expected_values_are_not_in_the_program() -> None:
    spec = parse_suite(
        call_suite(
            {"args": "(1,)", "returns": "'hunter2'"},
            {"args": "(2,)", "raises": "ZeroDivisionError"},
            {"args": "([],)", "args_after": "(['swordfish'],)", "equality": "multiset"},
        )
    )
    data = render(spec).data
    for secret in (b"hunter2", b"ZeroDivision", b"swordfish", b"multiset", b"typed"):
        assert secret not in data


def test_the_order_is_a_permutation_that_the_digest_decides() -> None:
    cases = [{"args": f"({at},)", "returns": str(at)} for at in range(20)]
    first, second = render(parse_suite(call_suite(*cases))), render(parse_suite(call_suite(*cases, equality="python")))
    assert sorted(first.order) == sorted(second.order) == list(range(20))
    assert first.order != tuple(range(20))
    assert first.order != second.order
    assert first.program_sha256 == second.program_sha256
