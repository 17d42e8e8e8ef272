"""The denotation of each kind as tables: a row's name is its claim. The vectors have many more rows."""

from collections.abc import Callable

import pytest

from assay.kernel import numbers
from assay.kernel.denotation import denote
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    Decimals,
    IdentifierKind,
    IntegerKind,
    IntervalKind,
    Kind,
    PolymerKind,
    QuantityKind,
    SetKind,
    Significant,
    Unit,
)
from assay.kernel.verdict import Reject

UNITS = (("m", Unit()), ("mm", Unit((1, 1000))), ("third", Unit((1, 3))), ("degC", Unit((1, 1), (27315, 100))))
LENGTH = QuantityKind(UNITS)
WITH_U = QuantityKind(UNITS, uncertainty=True)
TENTHS = QuantityKind(UNITS, Decimals(1), "mm")
FIGURES = QuantityKind(UNITS, Significant(3), "degC")
WORDS = CategoryKind(frozenset({"less", "equal"}))


def span(lo: object, hi: object, ends: str = "[]") -> dict[str, object]:
    return {"lo": lo, "hi": hi, "lo_closed": ends[0] == "[", "hi_closed": ends[1] == "]"}


@pytest.mark.parametrize(
    ("kind", "raw", "text"),
    [
        pytest.param(IntegerKind(), "142", "142", id="integer: the digits"),
        pytest.param(IntegerKind(), " \t-142\t", "-142", id="integer: padding is stripped"),
        pytest.param(IntegerKind(), 0, "0", id="integer: a native integer"),
        pytest.param(IntegerKind(), 10**100 - 1, "9" * 100, id="integer: a hundred digits"),
        pytest.param(BooleanKind(), True, "true", id="boolean: true"),
        pytest.param(BooleanKind(), False, "false", id="boolean: false"),
        pytest.param(WORDS, "less", "less", id="category: a word"),
        pytest.param(WORDS, " less", "less", id="category: a padded word"),
        pytest.param(IdentifierKind(), "a:b", "a:b", id="identifier: any prefix"),
        pytest.param(IdentifierKind("a"), " a:b ", "a:b", id="identifier: the prefix named"),
        pytest.param(IdentifierKind("a"), "a:b:c", "a:b:c", id="identifier: a colon in the local part"),
        pytest.param(DateKind(), "2024-02-29 ", "2024-02-29", id="date: a leap day"),
        pytest.param(DateKind(), "2000-02-29", "2000-02-29", id="date: a century's leap day"),
        pytest.param(DecimalKind(), "0.00", "0", id="decimal: zero"),
        pytest.param(DecimalKind(), "0e-5", "0", id="decimal: zero with an exponent"),
        pytest.param(DecimalKind(), "1200", "12e2", id="decimal: zeros move into the exponent"),
        pytest.param(DecimalKind(), "-1.50", "-15e-1", id="decimal: sign, digits, exponent"),
        pytest.param(DecimalKind(), 120, "12e1", id="decimal: a native integer"),
        pytest.param(DecimalKind(), "1E+0002", "1e2", id="decimal: zeros of the exponent do not count"),
        pytest.param(DecimalKind(Decimals(2)), "1.500", "15e-1", id="decimal: on its decimals"),
        pytest.param(DecimalKind(Significant(2)), "1500", "15e2", id="decimal: on its figures"),
        pytest.param(LENGTH, {"n": "9.0", "unit": "mm"}, "9/1000", id="quantity: a factor, in lowest terms"),
        pytest.param(LENGTH, {"n": "1e2", "unit": "m"}, "100/1", id="quantity: an exponent"),
        pytest.param(LENGTH, {"unit": "degC", "n": 0}, "5463/20", id="quantity: an offset"),
        pytest.param(LENGTH, {"n": "-0.5", "unit": "third"}, "-1/6", id="quantity: a negative ratio"),
        pytest.param(WITH_U, {"n": "1", "u": "1", "unit": "degC"}, "5483/20;1/1", id="quantity: u has no offset"),
        pytest.param(WITH_U, {"n": "1", "u": "0", "unit": "mm"}, "1/1000;0/1", id="quantity: u may be zero"),
        pytest.param(TENTHS, {"n": "0.0091", "unit": "m"}, "91/10000", id="quantity: on the grid of another unit"),
        pytest.param(FIGURES, {"n": "373.15", "unit": "m"}, "7463/20", id="quantity: 100 degC has one figure"),
        pytest.param(FIGURES, {"n": "273.15", "unit": "m"}, "5463/20", id="quantity: zero is on every grid"),
        pytest.param(IntervalKind(IntegerKind()), span("1", 9), "[1,9]", id="interval: closed"),
        pytest.param(IntervalKind(IntegerKind()), span(0, "10", "()"), "[1,9]", id="interval: rewritten closed"),
        pytest.param(IntervalKind(IntegerKind()), span(None, None, "()"), "(,)", id="interval: unbounded"),
        pytest.param(IntervalKind(DecimalKind()), span("1", "1.50", "[)"), "[1,15e-1)", id="interval: half open"),
        pytest.param(IntervalKind(DecimalKind()), span("2", " 2.0"), "[2,2]", id="interval: one member"),
        pytest.param(IntervalKind(DecimalKind()), span(None, "2", "(]"), "(,2]", id="interval: open below"),
        pytest.param(SetKind(IntegerKind()), [], "", id="set: empty"),
        pytest.param(SetKind(IntegerKind()), [2, "10", "1"], "1\x1f10\x1f2\x1f", id="set: sorted by code point"),
        pytest.param(SetKind(BooleanKind()), [True, False], "false\x1ftrue\x1f", id="set: of booleans"),
    ],
)
def test_denotes(kind: Kind, raw: object, text: str) -> None:
    assert denote(kind, raw) == text


@pytest.mark.parametrize(
    ("kind", "raw", "code"),
    [
        pytest.param(IntegerKind(), "1" * 101, "value.too_long", id="integer: a text of 101 digits"),
        pytest.param(IntegerKind(), 10**100, "value.too_long", id="integer: a native integer of 101 digits"),
        pytest.param(IntegerKind(), -(10**100), "value.too_long", id="integer: a negative one"),
        pytest.param(IntegerKind(), "-0", "value.grammar", id="integer: negative zero"),
        pytest.param(IntegerKind(), True, "value.type", id="integer: true is not 1"),
        pytest.param(BooleanKind(), 1, "value.type", id="boolean: 1 is not true"),
        pytest.param(WORDS, "Less", "value.vocabulary", id="category: another case"),
        pytest.param(WORDS, "x" * 129, "value.too_long", id="category: too long"),
        pytest.param(WORDS, 1, "value.type", id="category: a number"),
        pytest.param(IdentifierKind(), "b", "value.grammar", id="identifier: no prefix"),
        pytest.param(IdentifierKind("a"), "a:", "value.grammar", id="identifier: no local part"),
        pytest.param(IdentifierKind("a"), "a:b c", "value.grammar", id="identifier: inner space"),
        pytest.param(IdentifierKind("a"), "a:é", "value.grammar", id="identifier: beyond ASCII"),
        pytest.param(IdentifierKind("a"), "a:\x7f", "value.grammar", id="identifier: a control character"),
        pytest.param(IdentifierKind("a"), "b:c", "value.prefix", id="identifier: another prefix"),
        pytest.param(IdentifierKind("a"), "a:" + "b" * 127, "value.too_long", id="identifier: too long"),
        pytest.param(IdentifierKind("a"), None, "value.type", id="identifier: null"),
        pytest.param(DateKind(), "1900-02-29", "value.grammar", id="date: a century without a leap day"),
        pytest.param(DateKind(), "0000-01-01", "value.grammar", id="date: no year zero"),
        pytest.param(DateKind(), "2024-04-31", "value.grammar", id="date: April"),
        pytest.param(DateKind(), "2" * 129, "value.too_long", id="date: too long"),
        pytest.param(DateKind(), 20240229, "value.type", id="date: a number"),
        pytest.param(DecimalKind(), "1.", "value.grammar", id="decimal: a bare point"),
        pytest.param(DecimalKind(), "-0.0", "value.grammar", id="decimal: negative zero"),
        pytest.param(DecimalKind(), "1e401", "value.too_long", id="decimal: an exponent beyond the bound"),
        pytest.param(DecimalKind(), "1e-1000", "value.too_long", id="decimal: an exponent of four digits"),
        pytest.param(DecimalKind(), "1" * 101, "value.too_long", id="decimal: before the point"),
        pytest.param(DecimalKind(), "0." + "1" * 101, "value.too_long", id="decimal: after the point"),
        pytest.param(DecimalKind(), 10**100, "value.too_long", id="decimal: a native integer"),
        pytest.param(DecimalKind(), 1.5, "value.type", id="decimal: a float"),
        pytest.param(DecimalKind(Decimals(1)), "1.25", "value.off_grid", id="decimal: off its decimals"),
        pytest.param(DecimalKind(Significant(2)), "1.25", "value.off_grid", id="decimal: off its figures"),
        pytest.param(LENGTH, "9 mm", "value.type", id="quantity: a text"),
        pytest.param(LENGTH, {"n": "9"}, "value.keys", id="quantity: no unit"),
        pytest.param(LENGTH, {"n": "9", "Unit": "m"}, "value.keys", id="quantity: a key in another case"),
        pytest.param(LENGTH, {"n": "9", 1: "m"}, "value.keys", id="quantity: a key that is no text"),
        pytest.param(LENGTH, {"n": "9", "unit": None}, "value.type", id="quantity: a unit that is no text"),
        pytest.param(LENGTH, {"n": "9", "unit": "cm"}, "value.unit", id="quantity: an unknown unit"),
        pytest.param(LENGTH, {"n": "9", "unit": "m" * 129}, "value.too_long", id="quantity: a unit too long"),
        pytest.param(LENGTH, {"n": "9,0", "unit": "m"}, "value.grammar", id="quantity: a malformed number"),
        pytest.param(TENTHS, {"n": "9.01", "unit": "mm"}, "value.off_grid", id="quantity: off the grid"),
        pytest.param(TENTHS, {"n": "0.00901", "unit": "m"}, "value.off_grid", id="quantity: off another unit's grid"),
        pytest.param(FIGURES, {"n": "1", "unit": "third"}, "value.off_grid", id="quantity: figures without an end"),
        pytest.param(WITH_U, {"n": "1", "unit": "m"}, "value.keys", id="quantity: no uncertainty"),
        pytest.param(WITH_U, {"n": "1", "u": "-1", "unit": "m"}, "value.negative_uncertainty", id="quantity: u < 0"),
        pytest.param(WITH_U, {"n": "1", "u": "x", "unit": "m"}, "value.grammar", id="quantity: a malformed u"),
        pytest.param(IntervalKind(IntegerKind()), [1, 2], "value.type", id="interval: a pair"),
        pytest.param(IntervalKind(IntegerKind()), {"lo": 1, "hi": 2}, "value.keys", id="interval: no flags"),
        pytest.param(
            IntervalKind(IntegerKind()), span(1, 2) | {"lo_closed": 1}, "value.type", id="interval: 1 is no flag"
        ),
        pytest.param(IntervalKind(IntegerKind()), span(2, 1), "value.empty_interval", id="interval: the wrong way"),
        pytest.param(
            IntervalKind(IntegerKind()), span(1, 2, "()"), "value.empty_interval", id="interval: none between"
        ),
        pytest.param(IntervalKind(IntegerKind()), span(None, 2), "value.empty_interval", id="interval: null, closed"),
        pytest.param(IntervalKind(IntegerKind()), span(1, "x"), "value.grammar", id="interval: a malformed bound"),
        pytest.param(
            IntervalKind(DecimalKind()), span("1", "1", "[)"), "value.empty_interval", id="interval: no point"
        ),
        pytest.param(IntervalKind(DecimalKind()), span(1.5, "2"), "value.type", id="interval: a float bound"),
        pytest.param(
            IntervalKind(DecimalKind(Decimals(0))), span("1.5", "2"), "value.off_grid", id="interval: off the grid"
        ),
        pytest.param(SetKind(IntegerKind()), "1", "value.type", id="set: a member"),
        pytest.param(SetKind(IntegerKind()), (1,), "value.type", id="set: a tuple is no JSON array"),
        pytest.param(SetKind(IntegerKind()), [1, "1"], "value.duplicate", id="set: one number twice"),
        pytest.param(SetKind(IntegerKind()), [1, [2]], "value.type", id="set: nested"),
        pytest.param(SetKind(IntegerKind()), list(range(257)), "value.too_long", id="set: 257 members"),
        pytest.param(PolymerKind(), "MVLS", "value.type", id="polymer: never an answer"),
    ],
)
def test_denotes_nothing(kind: Kind, raw: object, code: str) -> None:
    assert denote(kind, raw) == Reject(code)


@pytest.mark.parametrize(
    ("function", "result"),
    [
        pytest.param(lambda: numbers.reduce(2, -4), (-1, 2), id="the denominator is positive"),
        pytest.param(lambda: numbers.is_on(None, (1, 3)), True, id="no grid: anything is on it"),
        pytest.param(lambda: numbers.is_on(Decimals(0), (5, 1)), True, id="a whole number"),
        pytest.param(lambda: numbers.is_on(Significant(1), (0, 1)), True, id="zero"),
        pytest.param(lambda: numbers.is_on(Significant(1), (900, 1)), True, id="one figure"),
        pytest.param(lambda: numbers.is_on(Significant(1), (910, 1)), False, id="two figures"),
        pytest.param(lambda: numbers.is_on(Significant(3), (-1, 8)), True, id="an eighth has three figures"),
        pytest.param(lambda: numbers.is_on(Significant(2), (1, 8)), False, id="an eighth has not two"),
        pytest.param(lambda: numbers.places(Significant(3), (1, 1)), 2, id="places of one"),
        pytest.param(lambda: numbers.places(Significant(3), (999, 1000)), 3, id="places just below one"),
        pytest.param(lambda: numbers.places(Significant(3), (10**400, 1)), -398, id="places of a large number"),
        pytest.param(lambda: numbers.places(Significant(3), (1, 10**400)), 402, id="places of a small number"),
        pytest.param(lambda: numbers.places(None, (12345, 1)), -5, id="no grid: no place behind the number"),
    ],
)
def test_numbers(function: Callable[[], object], result: object) -> None:
    assert function() == result


def test_places_count_the_digits_of_every_power_of_ten() -> None:
    for exponent in range(-620, 620):
        for near in (-1, 0, 1):
            num, den = 10 ** max(exponent, 0) * 10**700 + near, 10 ** max(-exponent, 0) * 10**700
            digits = exponent + (near >= 0)
            assert numbers.places(Significant(1), (num, den)) == 1 - digits
