"""Equality is named data: tables of what each name means, and laws (spec/suite.md §4; docs/adr/0021)."""

from collections import Counter, OrderedDict, defaultdict, namedtuple
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.kernel.equality import (
    Approx,
    AsSet,
    Equality,
    Lines,
    Multiset,
    Python,
    Tokens,
    Tree,
    Typed,
    equal,
    is_hashable,
    printed,
)
from assay.kernel.errors import InputError
from assay.suite import guestcodec, wirecodec
from assay.suite.literals import read

Point = namedtuple("Point", "x y")  # noqa: PYI024 - the shape of many candidates


class Number(IntEnum):
    THREE = 3


def arrived(value: object) -> Tree:
    """The tree that a guest's value arrives as."""
    tree = wirecodec.decode(guestcodec.encode(value))
    assert tree is not None
    return tree


INF, NAN = float("inf"), float("nan")

# expected, observed, equal under typed, equal under python
ROWS: list[tuple[str, Any, bool, bool]] = [
    ("2", 2, True, True),
    ("2", 3, False, False),
    ("1", True, False, True),
    ("True", 1, False, True),
    ("0", False, False, True),
    ("2", 2.0, False, True),
    ("2", 2.0000000001, False, False),
    ("1180591620717411303424", 2.0**70, False, True),
    ("9007199254740993", 9007199254740992.0, False, False),
    ("2", "2", False, False),
    ("2", complex(2, 0), False, True),
    ("2+1j", complex(2, 1), True, True),
    ("2+1j", 2, False, False),
    ("1+1e999j", complex(1, INF), True, True),
    ("0.1", 0.1, True, True),
    ("0.30000000000000004", 0.1 + 0.2, True, True),
    ("0.0", -0.0, False, True),
    ("-0.0", -0.0, True, True),
    ("1e999", INF, True, True),
    ("-1e999", INF, False, False),
    ("nan", NAN, True, False),
    ("[nan]", [NAN], True, False),
    ("2", NAN, False, False),
    ("None", None, True, True),
    ("None", False, False, False),
    ("'a'", "a", True, True),
    ("'a'", b"a", False, False),
    ("'1'", 1, False, False),
    ("'\\xe9'", "e\u0301", False, False),
    ("b'a'", b"a", True, True),
    ("[2, 4]", [2, 4], True, True),
    ("[2, 4]", (2, 4), False, False),
    ("(2, 1)", [2, 1], False, False),
    ("[2, 4]", [4, 2], False, False),
    ("[2]", [2, 2], False, False),
    ("[]", (), False, False),
    ("[1, [2]]", [True, [2.0]], False, True),
    ("{1, 3}", {3, 1}, True, True),
    ("{1, 3}", frozenset({1, 3}), False, True),
    ("{1}", {True}, False, True),
    ("{1}", {1.0}, False, True),
    ("{(1, 2)}", {(1.0, 2)}, False, True),
    ("{1, 2}", {1}, False, False),
    ("set()", set(), True, True),
    ("set()", {}, False, False),
    ("{'a': 1, 'b': 1}", {"b": 1, "a": 1}, True, True),
    ("{'a': 1}", {"a": True}, False, True),
    ("{1: 'a'}", {1.0: "a"}, False, True),
    ("{1: 'a'}", {1: "b"}, False, False),
    ("{1: 'a', 2: 'b'}", {1: "b", 2: "a"}, False, False),
    ("[{2: 1, 1.5: 2}]", [{1.5: 2, 2.0: 1}], False, True),
    ("{'a': 2}", Counter("aa"), False, True),
    ("{'a': 2}", OrderedDict(a=2), False, True),
    ("{'a': 2}", defaultdict(int, a=2), False, True),
    ("(1, 2)", Point(1, 2), False, True),
    ("[(1, 2)]", [Point(1, 2)], False, True),
    ("[1, 2]", Point(1, 2), False, False),
    ("3", Number.THREE, False, True),
    ("{3: 1}", {Number.THREE: 1}, False, True),
]


@pytest.mark.parametrize(("expected", "observed", "typed", "python"), ROWS, ids=repr)
def test_typed_and_python(expected: str, observed: object, typed: bool, python: bool) -> None:
    assert equal(Typed(), read(expected), arrived(observed)) is typed
    assert equal(Python(), read(expected), arrived(observed)) is python


@pytest.mark.parametrize(
    ("bounds", "expected", "observed", "right"),
    [
        pytest.param(("1e-6", "0"), "1.5", 1.5000009, True, id="within"),
        pytest.param(("1e-6", "0"), "1.5", 1.5000011, False, id="beyond"),
        pytest.param(("0.5", "0"), "1", 1.5, True, id="the bound itself is within, exactly"),
        pytest.param(("0", "0.5"), "-2", -3, True, id="the relative bound is of the expected value"),
        pytest.param(("0", "0.5"), "-2", -3.0000000001, False, id="and no more"),
        pytest.param(("1", "0"), "1000000000", 1000000050, False, id="an integer that is off"),
        pytest.param(("1e-6", "0"), "1", True, True, id="python's equality comes first"),
        pytest.param(("1e-6", "0"), "0.9999999", True, True, id="true is the number 1"),
        pytest.param(("1e-6", "0"), "0.0000001", False, True, id="false is the number 0"),
        pytest.param(("1e9", "0"), "2.0", NAN, False, id="nan is not near anything"),
        pytest.param(("1e9", "0"), "2.0", INF, False, id="nor is infinity"),
        pytest.param(("0", "1e9"), "1e999", 2.0, False, id="nothing is near infinity"),
        pytest.param(("0", "0"), "1e999", INF, True, id="but infinity itself"),
        pytest.param(("0", "1e-7"), "1.5", 10**400, False, id="no overflow"),
        pytest.param(("1e9", "0"), "1", "1", False, id="text is no number"),
        pytest.param(("1e9", "0"), "'a'", "b", False, id="texts are compared as such"),
        pytest.param(("1e9", "0"), "None", 0, False, id="none is no number"),
        pytest.param(("1", "0"), "1j", 1.00001j, False, id="a complex number has no neighbours"),
        pytest.param(("1", "0"), "1", Number.THREE, False, id="a demoted number, beyond"),
        pytest.param(("2", "0"), "1", Number.THREE, True, id="a demoted number, within"),
        pytest.param(("1e-6", "0"), "[1.0, [2.0]]", [1.0000001, [2]], True, id="element by element"),
        pytest.param(("1e-6", "0"), "[1.0]", [1.0, 1.0], False, id="of equal length"),
        pytest.param(("1e-6", "0"), "[1.0]", (1.0000001,), False, id="a list is no tuple"),
        pytest.param(("1e-6", "0"), "(1.0,)", (1.0000001,), True, id="tuples"),
        pytest.param(("1e-6", "0"), "(1.0, 2.0)", Point(1.0000001, 2), True, id="a namedtuple is a tuple"),
        pytest.param(("1e-6", "0"), "{'a': 1.0, 2: [3.0]}", {2.0: [3.0000001], "a": 1}, True, id="values of a dict"),
        pytest.param(("1e-6", "0"), "{'a': 1.0}", {"a": 1.1}, False, id="values beyond"),
        pytest.param(("1e-6", "0"), "{1.0: 1}", {1.0000001: 1}, False, id="keys are exact"),
        pytest.param(("1e-6", "0"), "{'a': 1}", {"a": 1, "b": 1}, False, id="no key more"),
        pytest.param(("1e-6", "0"), "{1.0}", {1.0000001}, False, id="members of a set are exact"),
        pytest.param(("1e-6", "0"), "{1.0}", frozenset({1}), True, id="sets by python"),
    ],
)
def test_approx(bounds: tuple[str, str], expected: str, observed: object, right: bool) -> None:
    assert equal(Approx(*bounds, False), read(expected), arrived(observed)) is right


@pytest.mark.parametrize(
    ("expected", "observed", "right"),
    [
        ("1.5", 1.5000001, True),
        ("1.0", 1, True),  # equal by python: types are not asked for
        ("1.0", True, True),
        ("1.0000001", 1, False),
        ("[1.0]", [1.0000001], True),
        ("[1.0]", (1.0000001,), False),
        ("[1.0, 2.0000001]", [1.0, 2], True),  # only the outermost types
        ("(1.0, 2.0)", Point(1.0, 2.0000001), False),
        ("True", False, False),
        ("nan", NAN, False),
    ],
)
def test_approx_of_one_type(expected: str, observed: object, right: bool) -> None:
    assert equal(Approx("1e-6", "1e-7", True), read(expected), arrived(observed)) is right


@pytest.mark.parametrize(("absolute", "relative"), [("-1", "0"), ("0", "-1e-9"), ("x", "0"), ("0", "1e999"), ("", "0")])
def test_a_tolerance_is_a_decimal_that_is_not_negative(absolute: str, relative: str) -> None:
    with pytest.raises(InputError, match="tolerance"):
        Approx(absolute, relative, False)


@pytest.mark.parametrize(
    ("expected", "observed", "as_set", "multiset"),
    [
        ("[1, 2]", [2, 1], True, True),
        ("[1, 2]", (2, 1, 1), True, False),
        ("(1, 1)", [1], True, False),
        ("[1]", {True}, True, True),
        ("[]", frozenset(), True, True),
        ("[1, 2]", [1, 3], False, False),
        ("[1, 2]", [1], False, False),
        ("[[1], [2]]", [[2], [1]], False, True),
        ("[(1, [2])]", [(1, [2])], False, True),
        ("[{1: 2}]", [{1: 2}], False, True),
        ("[{1}]", [{1}], False, True),
        ("[(1, 'a'), (2, 'b')]", [(2, "b"), (1, "a")], True, True),
        ("[(1, 2)]", [Point(1, 2)], True, True),
        ("(1, 2)", Point(2, 1), True, True),
        ("[frozenset({1})]", [frozenset({1})], True, True),
        ("[1]", {1: 2}, False, False),
        ("'ab'", "ba", False, False),
        ("'ab'", "ab", False, False),
        ("1", 1, False, False),
        ("[nan]", [NAN], False, False),
        ("[1]", Counter([1]), False, False),
        ("[1]", [Counter([1])], False, False),
    ],
)
def test_as_set_and_multiset(expected: str, observed: object, as_set: bool, multiset: bool) -> None:
    assert equal(AsSet(), read(expected), arrived(observed)) is as_set
    assert equal(Multiset(), read(expected), arrived(observed)) is multiset


@pytest.mark.parametrize(
    ("one", "other", "lines", "tokens"),
    [
        ("a\nb", "a\nb\n", True, True),
        ("a b", "  a b \r\n\r\n", True, True),
        ("a\nb", "a \t\r\nb", True, True),
        ("a b", "a  b", False, True),
        ("a\nb", "a\n\nb", False, True),
        ("a\n b", "a\nb", False, True),
        ("ab", "a b", False, False),
        ("", " \n ", True, True),
        ("a", "a\u00a0", False, False),
        ("a\x1cb", "a\nb", False, False),
    ],
)
def test_lines_and_tokens(one: str, other: str, lines: bool, tokens: bool) -> None:
    assert (printed(Lines(), one) == printed(Lines(), other)) is lines
    assert (printed(Tokens(), one) == printed(Tokens(), other)) is tokens


@pytest.mark.parametrize(
    ("value", "hashable"),
    [
        (1, True),
        ((1, "a"), True),
        ((1, [2]), False),
        (frozenset({1}), True),
        ({1}, False),
        ({}, False),
        (Point(1, 2), True),
        (Point(1, []), False),
        (OrderedDict(), False),
        (Number.THREE, True),
    ],
)
def test_hashable(value: object, hashable: bool) -> None:
    assert is_hashable(arrived(value)) is hashable


def test_what_is_no_equality_makes_nothing_equal() -> None:
    assert not equal("typed", read("1"), read("1"))  # type: ignore[arg-type]


HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from(["", "a", 1j, 1.0, 0.5]),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=3),
    max_leaves=5,
)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(HASHABLE, inner, max_size=3)
        | st.sets(HASHABLE, max_size=3)
    ),
    max_leaves=8,
)
EQUALITIES: list[Equality] = [Typed(), Python(), Approx("1e-6", "0", False), AsSet(), Multiset()]


@given(VALUES, VALUES)
@settings(max_examples=200, deadline=None)
def test_python_is_python_s_own_equality(one: Any, other: Any) -> None:
    # The judge's equality and the interpreter's, on values that have no nan.
    assert equal(Python(), arrived(one), arrived(other)) is bool(one == other)


@given(VALUES, VALUES)
@settings(max_examples=100, deadline=None)
def test_typed_is_finer_than_python_and_python_finer_than_approx(one: Any, other: Any) -> None:
    left, right = arrived(one), arrived(other)
    typed, python, approx = (equal(name, left, right) for name in EQUALITIES[:3])
    assert typed <= python <= approx


@given(VALUES, VALUES)
@settings(max_examples=100, deadline=None)
def test_equality_is_symmetric_where_no_tolerance_is_relative(one: Any, other: Any) -> None:
    left, right = arrived(one), arrived(other)
    for name in EQUALITIES:
        assert equal(name, left, right) is equal(name, right, left)


@given(st.lists(HASHABLE, max_size=4), st.lists(HASHABLE, max_size=4))
@settings(max_examples=100, deadline=None)
def test_as_set_is_python_s_own_equality_of_sets(one: list[Any], other: list[Any]) -> None:
    assert equal(AsSet(), arrived(one), arrived(tuple(other))) is (set(one) == set(other))
