"""Literal text: what is read, what is refused and with which code, and one text for each value (spec/suite.md §3)."""

import ast
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.kernel.equality import typed
from assay.suite import guestcodec, wirecodec
from assay.suite.literals import read, write
from assay.suite.refusals import REFUSALS, InvalidLiteral


def tree_of(value: object) -> object:
    """The tree that a guest's value arrives as."""
    tree = wirecodec.decode(guestcodec.encode(value))
    assert tree is not None
    return tree


@pytest.mark.parametrize(
    "text",
    [
        "None", "True", "False", "0", "00", "-0", "+7", "1_000", "0xFF", "0o17", "0b1_01", "-0x10", "1.5", "1.", ".5",
        "1e3", "1E-3", "-1.5e+3", "1_0.0_1", "00.5", "1e999", "-1e999", "5e-324", "2j", "1.5J", "-2j", "1+2j", "-1-2j",
        "1.5-.5j", "'a'", '"a"', "'it\\'s'", "''", "'''a\n'b'''", '"""a"b"""', "('a' \"b\"\n'c')", "u'a'",
        "r'\\d'", "R'a\\'b'", "b'a'", "rb'\\x'", "Br'a'", "b'a' b'\\xff'", "'\\n\\t\\x41\\101\\u00e9\\U0001F600\\\\'",
        "'\\\nx'", "'é'", "'\\ud800'", "()", "(1)", "(1,)", "(1, 2)", "((1))", "[]", "[1,]", "[[1], (2,)]", "{}",
        "{1: 2}", "{'b': 1, 'a': [2],}", "{1}", "{1, 2,}", "set()", "{(1, 'a'), None}", " [ 1 ,\n\t2 ] ",
        "((1), [(2)])",
        "'\\0'", "'a\\'' 'b'", "'#'",
    ],
)  # fmt: skip
def test_what_python_reads_is_read_alike(text: str) -> None:
    # Compared by type and bits, but for the order of a dict, which an argument keeps.
    assert typed(read(text)) == tree_of(ast.literal_eval(text.strip()))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nan", math.nan),
        ("inf", math.inf),
        ("-inf", -math.inf),
        ("+inf", math.inf),
        ("frozenset()", frozenset()),
        ("frozenset({1, 2})", frozenset({1, 2})),
        ("frozenset([1, 2])", frozenset({1, 2})),
        ("set((1, 2))", {1, 2}),
        ("set([])", set()),
        ("frozenset({frozenset({1})})", frozenset({frozenset({1})})),
        ("-0+1j", complex(0.0, 1.0)),
        ("-0.0+1j", complex(-0.0, 1.0)),
    ],
)
def test_the_words_that_we_read_beside_python(text: str, value: object) -> None:
    assert read(text) == tree_of(value)


def test_long_integers_are_read_under_any_interpreter_s_limit() -> None:
    digits = "9" * 4_000 + "1" * 900
    kind, held = read(digits)
    assert (kind, held) == ("i", f"{sum(int(digits[-1 - at]) * 10**at for at in range(4_900)):x}")
    assert write(read("1" * 400)).startswith("0x")


REFUSED = [
    ("", "syntax"), ("1 2", "syntax"), ("1,", "syntax"), ("1, 2", "syntax"), ("(", "syntax"), (")", "syntax"),
    ("[1", "syntax"), ("[1)", "syntax"), ("(,)", "syntax"), ("[1,,2]", "syntax"), ("[,1]", "syntax"),
    ("{1:}", "syntax"),
    ("{1: 2, 3}", "syntax"), ("{1, 2: 3}", "syntax"), ("{: 1}", "syntax"), ("(1: 2)", "syntax"),
    ("{1: 2: 3}", "syntax"),
    ("01", "syntax"), ("0x", "syntax"), ("0b12", "syntax"), ("1__0", "syntax"), ("1_", "syntax"), ("1.real", "syntax"),
    ("--1", "syntax"), ("-", "syntax"), ("-True", "syntax"), ("-'a'", "syntax"), ("-nan", "syntax"), ("1+2", "syntax"),
    ("1+-2j", "syntax"), ("2j+1", "syntax"), ("1 if 1 else 2", "syntax"), ("[x for x in ()]", "name"),
    ("...", "syntax"),
    ("1 # one", "syntax"), ("'a", "syntax"), ("'a\nb'", "syntax"), ("''''", "syntax"), ("'''a\rb'''", "syntax"),
    ("f'a'", "name"), ("ur'a'", "name"), ("b'é'", "syntax"), ("'a' b'b'", "syntax"), ("'a' 1", "syntax"),
    ("x", "name"), ("true", "name"), ("__import__('os')", "name"), ("set", "name"), ("set{1}", "name"),
    ("Counter({1: 2})", "name"), ("float('nan')", "name"), ("set(1)", "syntax"), ("set([1], [2])", "syntax"),
    ("frozenset(frozenset())", "syntax"), ("set({1: 2})", "syntax"), ("frozenset([1]", "syntax"), ("é", "syntax"),
    ("١", "syntax"), ("１", "syntax"), ("1\u00a0", "syntax"), ("\x00", "syntax"), ("()()", "syntax"),
    ("[1][0]", "syntax"),
    ("'\\d'", "escape"), ("'\\N{DASH}'", "escape"), ("'\\x4'", "escape"), ("'\\u12'", "escape"), ("'\\477'", "escape"),
    ("'\\U00110000'", "escape"), ("b'\\u0041'", "escape"),
    ("{1, 1}", "duplicate"), ("{1, True}", "duplicate"), ("{1: 1, 1.0: 2}", "duplicate"), ("set([1, 1])", "duplicate"),
    ("[{(0,), (False,)}]", "duplicate"), ("{[]}", "unhashable"), ("{{}: 1}", "unhashable"), ("{({1},)}", "unhashable"),
    ("frozenset([[]])", "unhashable"),
    ("[" * 65 + "]" * 65, "too_deep"), ("(" * 65 + "1" + ")" * 65, "too_deep"), ("[" * 200_000, "too_deep"),
    ("1" * 4_934, "too_large"), ("0x" + "f" * 4_097, "too_large"), ("9" * 4_933, "too_large"),
    ("[" + "0," * 100_000 + "]", "too_large"), ("'" + "a" * 1_048_576 + "'", "too_large"),
    ("0." + "1" * 999, "too_large"),
    ("'" + "é" * 524_288 + "'", "too_large"), ("-" * 200_000 + "1", "syntax"), ("set(" * 1_000, "syntax"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), REFUSED, ids=[f"{code} {text[:20]!a}" for text, code in REFUSED])
def test_every_refusal_has_a_code_and_says_what_to_do(text: str, code: str) -> None:
    with pytest.raises(InvalidLiteral) as caught:
        read(text)
    assert caught.value.code == f"literal.{code}"
    assert str(caught.value).endswith(REFUSALS[f"literal.{code}"])
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("[ 1,2 , ]", "[1, 2]"),
        ("{ 'b' , 'a' }", "{'a', 'b'}"),
        ("set([2, 1])", "{1, 2}"),
        ("{}", "{}"),
        ("set( )", "set()"),
        ("frozenset((1,))", "frozenset({1})"),
        ("frozenset()", "frozenset()"),
        ("(1,)", "(1,)"),
        ('"it\'s"', '"it\'s"'),
        ("'é\\n'", "'\\xe9\\n'"),
        ("b'\\x41\\xff'", "b'A\\xff'"),
        ("1e999", "1e999"),
        ("-inf", "-1e999"),
        ("nan", "nan"),
        ("1_0.50", "10.5"),
        ("0x10", "16"),
        ("-2J", "-2.0j"),
        ("1+2j", "1.0+2.0j"),
        ("1-1e999j", "1.0-1e999j"),
        ("{'b': 1, 'a': 2}", "{'b': 1, 'a': 2}"),
        ("(True, None, False)", "(True, None, False)"),
    ],
)
def test_one_text_for_each_value(text: str, canonical: str) -> None:
    assert write(read(text)) == canonical
    assert read(canonical) == read(text)


def test_a_demoted_value_is_shown_with_its_name() -> None:
    tree = wirecodec.decode(b"l2:~Counter;d1:i1;i2;~namedtuple;t2:i1;i2;")
    assert tree is not None
    assert write(tree) == "[Counter({1: 2}), namedtuple((1, 2))]"


def test_a_complex_number_with_a_nan_part_is_shown() -> None:
    assert write(("c", "0.0,nan")) == "complex(0.0, nan)"


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
    | st.integers(-(1 << 16_000), 1 << 16_000)
)  # fmt: skip
HASHABLE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.floats(allow_nan=False),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=4),
    max_leaves=6,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(HASHABLE, inner, max_size=4)
        | st.sets(HASHABLE, max_size=4)
        | st.frozensets(HASHABLE, max_size=4)
    ),
    max_leaves=12,
)


def has_nan_part(value: Any) -> bool:
    return "complex(" in write(value)


@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_every_value_survives_wire_and_text(value: object) -> None:
    wire = guestcodec.encode(value)
    tree = wirecodec.decode(wire)
    assert tree is not None
    assert wirecodec.decode(wirecodec.encode(tree)) == tree
    assert guestcodec.encode(guestcodec.decode(wirecodec.encode(tree))) == wire
    if not has_nan_part(tree):
        assert read(write(tree)) == tree
        assert write(read(write(tree))) == write(tree)


@given(st.text(alphabet="()[]{},:'\"\\+-0123456789._ejxobrabnNTFsetfroz \n", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_as_python_reads_it_or_refused(text: str) -> None:
    try:
        tree = read(text)
    except InvalidLiteral:
        return
    if any(word in text for word in ("set(", "nan", "inf")) or "complex" in write(tree):
        return
    value = ast.literal_eval(text.strip(" \t\n\r\f"))
    # An interpreter's own arithmetic decides the sign of a zero in a sum; ours is written down.
    assert "j" in text or typed(tree) == tree_of(value)
