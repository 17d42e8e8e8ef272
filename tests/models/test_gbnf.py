"""The grammars of constraints: which texts they let through, read back by a reader of its own."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.kernel.errors import ModelFault
from assay.models.base import BareToken, Constraint, OneOf, TokenKind
from assay.models.gbnf import compile_grammar

LITERALS = ("INSUFFICIENT_EVIDENCE", "NO_ENTITY")
PART = re.compile(r'"(?P<quoted>[^"\\]|\\U[0-9A-F]{8})*"|\[[^\]]*\]|\{[0-9,]+\}|[A-Za-z]+|[|()?]| +')


def keeps(constraint: Constraint, text: str) -> bool:
    """Whether the grammar has the text: its rules, written into one another as a regular expression."""
    rules = dict(line.split(" ::= ", 1) for line in compile_grammar(constraint).splitlines())
    return re.fullmatch(_pattern(rules, "root"), text) is not None


def _pattern(rules: dict[str, str], name: str) -> str:
    body, at, found = rules[name], 0, ""
    while at < len(body):
        part = PART.match(body, at)
        assert part is not None, body[at:]
        at, text = part.end(), part[0]
        if text[0] == '"':
            inner = re.sub(r"\\U([0-9A-F]{8})", lambda code: chr(int(code[1], 16)), text[1:-1])
            found += f"(?:{re.escape(inner)})"
        elif text[0].isalpha():
            found += f"(?:{_pattern(rules, text)})"
        elif text[0] != " ":
            found += "(?:" if text == "(" else text
    return found


@pytest.mark.parametrize(
    ("kind", "options", "text", "kept"),
    [
        pytest.param("integer", (), "142", True, id="integer"),
        pytest.param("integer", (), "-3", True, id="negative integer"),
        pytest.param("integer", (), "0", True, id="zero"),
        pytest.param("integer", (), "-0", False, id="negative zero"),
        pytest.param("integer", (), "0142", False, id="leading zero"),
        pytest.param("integer", (), "142.0", False, id="fraction is no integer"),
        pytest.param("integer", (), "1" * 10, False, id="longer than the bound"),
        pytest.param("integer", (), "１４２", False, id="full-width digits"),
        pytest.param("integer", (), "", False, id="nothing"),
        pytest.param("integer", (), "NO_ENTITY", True, id="literal beside an integer"),
        pytest.param("integer", (), "CONFLICT_NOT_RESOLVED", False, id="a literal that was not named"),
        pytest.param("decimal", (), "6.67430e-11", True, id="decimal with exponent"),
        pytest.param("decimal", (), "-0.05", True, id="negative fraction"),
        pytest.param("decimal", (), "-0.550", True, id="negative fraction of several digits"),
        pytest.param("decimal", (), "-0.0", False, id="negative zero as a fraction"),
        pytest.param("decimal", (), ".5", False, id="no digit before the point"),
        pytest.param("decimal", (), "5.", False, id="no digit after the point"),
        pytest.param("boolean", (), "true", True, id="boolean"),
        pytest.param("boolean", (), "True", False, id="python's boolean"),
        pytest.param("category", ("Homo sapiens", "Mus"), "Homo sapiens", True, id="a word of the vocabulary"),
        pytest.param("category", ("Homo sapiens", "Mus"), "homo sapiens", False, id="a word in another case"),
        pytest.param("identifier", (), "demo:alpha.1", True, id="any identifier"),
        pytest.param("identifier", (), "demo", False, id="no prefix"),
        pytest.param("identifier", ("demo", "d.2"), "d.2:x", True, id="a prefix of the options"),
        pytest.param("identifier", ("demo", "d.2"), "dx2:x", False, id="a point in a prefix is a point"),
        pytest.param("identifier", ("demo",), "other:x", False, id="another prefix"),
        pytest.param("date", (), "2024-12-31", True, id="date"),
        pytest.param("date", (), "2024-13-01", False, id="a thirteenth month"),
        pytest.param("quantity", ("kg", "m s^-1"), "12.5 m s^-1", True, id="quantity"),
        pytest.param("quantity", ("kg",), "12.5 g", False, id="another unit"),
        pytest.param("quantity", ("kg",), "12.5", False, id="no unit"),
        pytest.param("quantity", ("kg",), "12.5 ± 0.1 kg", False, id="an uncertainty that nobody asked for"),
        pytest.param("interval", (), "[2, 142]", True, id="interval"),
        pytest.param("interval", (), "(, 1.5)", True, id="interval without a lower bound"),
        pytest.param("interval", (), "2..142", False, id="dots are no interval"),
    ],
)
def test_tokens(kind: TokenKind, options: tuple[str, ...], text: str, kept: bool) -> None:
    assert keeps(BareToken(kind, options, LITERALS), text) is kept


def test_an_uncertainty_is_asked_for() -> None:
    asked = BareToken("quantity", ("kg",), uncertainty=True)
    assert keeps(asked, "12.5 ± 0.1 kg")
    assert not keeps(asked, "12.5 kg")


@pytest.mark.parametrize(
    "option",
    [
        pytest.param('" | [a-z]*', id="ends the quotation and adds an alternative"),
        pytest.param('x"\nroot ::= "y', id="adds a rule"),
        pytest.param("\\", id="begins an escape"),
        pytest.param("\\x41", id="is an escape of another letter"),
        pytest.param("a\r\n\tb", id="control characters"),
        pytest.param("β-ketoacyl 😀", id="letters beyond ascii"),
        pytest.param("# no comment", id="comment"),
        pytest.param("{1,9}", id="repetition"),
    ],
)
def test_a_hostile_option_is_only_its_own_text(option: str) -> None:
    grammar = compile_grammar(OneOf((option, "safe")))
    assert len(grammar.splitlines()) == 1
    assert grammar.isascii()
    assert keeps(OneOf((option, "safe")), option)
    for other in ("A", "y", "z", "", "safe | ", option + option):
        assert not keeps(OneOf((option, "safe")), other)


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_a_choice_has_exactly_its_options(options: list[str]) -> None:
    chosen = OneOf(tuple(options))
    assert all(keeps(chosen, option) for option in options)
    assert not keeps(chosen, "".join(options) + "!")


def test_an_option_that_is_given_twice_is_written_once() -> None:
    assert compile_grammar(OneOf(("a", "b", "a"))) == 'root ::= "a" | "b"\n'


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: OneOf(()), id="no options"),
        pytest.param(lambda: OneOf(("a", "")), id="an empty option"),
        pytest.param(lambda: OneOf(("a\0b",)), id="NUL"),
        pytest.param(lambda: OneOf(("\ud800",)), id="half a surrogate pair"),
        pytest.param(lambda: BareToken("category"), id="a category without a vocabulary"),
        pytest.param(lambda: BareToken("quantity"), id="a quantity without units"),
        pytest.param(lambda: BareToken("integer", ("a",)), id="an integer with a vocabulary"),
        pytest.param(lambda: BareToken("decimal", uncertainty=True), id="a decimal with uncertainty"),
        pytest.param(lambda: BareToken("integer", literals=("",)), id="an empty literal"),
    ],
)
def test_constraints_that_cannot_be_kept_are_refused(make: Callable[[], Constraint]) -> None:
    with pytest.raises(ModelFault) as refused:
        make()
    assert refused.value.code == "model.constraint"
