"""Established values on the grid, and their spelling (docs/adr/0003)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.floor.settle import decimal_value, quantity_value, settle, spell
from assay.kernel.denotation import denote
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    Decimals,
    Grid,
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
from assay.kernel.values import Value
from assay.kernel.verdict import Reject

LENGTH = (("m", Unit()), ("mm", Unit((1, 1000))), ("third", Unit((1, 3))))
HEAT = (("K", Unit()), ("degC", Unit((1, 1), (27315, 100))), ("degF", Unit((5, 9), (45967, 180))))


def span(lo: object, hi: object, ends: str = "[]") -> dict[str, object]:
    return {"lo": lo, "hi": hi, "lo_closed": ends[0] == "[", "hi_closed": ends[1] == "]"}


@pytest.mark.parametrize(
    ("grid", "raw", "text"),
    [
        (None, "142.350", "14235e-2"),
        (Decimals(2), "142.345", "14234e-2"),
        (Decimals(2), "142.355", "14236e-2"),
        (Decimals(2), "-142.345", "-14234e-2"),
        (Decimals(2), "142.3450001", "14235e-2"),
        (Decimals(2), "-0.005", "0"),
        (Decimals(0), "2.5", "2"),
        (Decimals(0), "3.5", "4"),
        (Decimals(0), 12, "12"),
        (Significant(3), "999.5", "1e3"),
        (Significant(3), "0.00012345", "123e-6"),
        (Significant(1), "0", "0"),
        (Significant(1), "9.5e400", "1e401"),
        (Significant(2), "123456", "12e4"),
    ],
    ids=str,
)
def test_decimals_are_put_on_the_grid(grid: Grid, raw: object, text: str) -> None:
    assert settle(DecimalKind(grid), raw) == Value(DecimalKind(grid), text)


@pytest.mark.parametrize(
    ("kind", "raw", "text"),
    [
        pytest.param(QuantityKind(LENGTH), {"n": "9.0", "unit": "mm"}, "9/1000", id="a quantity without a grid"),
        pytest.param(
            QuantityKind(LENGTH, Decimals(1), "mm"), {"n": "0.00915", "unit": "m"}, "23/2500", id="in the grid's unit"
        ),
        pytest.param(
            QuantityKind(HEAT, Significant(3), "degC", uncertainty=True),
            {"n": "33", "unit": "degF", "u": "9"},
            "136853/500;5/1",
            id="u is not put on the grid",
        ),
        pytest.param(SetKind(DecimalKind(Decimals(1))), ["1.01", "1.02", "2"], "1\x1f2\x1f", id="members that meet"),
        pytest.param(SetKind(IntegerKind()), [2, 1], "1\x1f2\x1f", id="a set without a grid"),
        pytest.param(
            IntervalKind(DecimalKind(Decimals(1))), span("0.25", "0.35", "(]"), "(2e-1,4e-1]", id="bound by bound"
        ),
        pytest.param(IntervalKind(DecimalKind(Decimals(1))), span(None, "0.35", "()"), "(,4e-1)", id="unbounded"),
        pytest.param(IntervalKind(IntegerKind()), span(1, 5, "()"), "[2,4]", id="an interval of integers"),
        pytest.param(BooleanKind(), True, "true", id="kinds without a grid denote as they do"),
    ],
)
def test_other_kinds_are_put_on_the_grid(kind: Kind, raw: object, text: str) -> None:
    assert settle(kind, raw) == Value(kind, text)


@pytest.mark.parametrize(
    ("kind", "raw", "code"),
    [
        (IntegerKind(), "142.0", "value.grammar"),
        (DecimalKind(Decimals(1)), 1.5, "value.type"),
        (SetKind(DecimalKind(Decimals(1))), ["1", "1.0"], "value.duplicate"),
        (IntervalKind(DecimalKind(Decimals(1))), span("0.01", "0.02", "()"), "value.empty_interval"),
        (PolymerKind(), "MVLS", "value.type"),
    ],
    ids=str,
)
def test_what_denotes_nothing_establishes_nothing(kind: Kind, raw: object, code: str) -> None:
    assert settle(kind, raw) == Reject(code)


@given(
    st.integers(-(10**30), 10**30),
    st.integers(1, 10**30),
    st.sampled_from([Decimals(0), Decimals(3), Significant(1), Significant(4)]),
)
def test_rounding_finds_the_nearest_point_and_leaves_points_alone(num: int, den: int, grid: Grid) -> None:
    kind = DecimalKind(grid)
    value = decimal_value(kind, (num, den))
    assert value is not None
    assert denote(kind, spell(value)) == value.text
    assert settle(kind, spell(value)) == value


def test_number_without_an_end_has_no_decimal_unless_a_grid_gives_it_one() -> None:
    assert decimal_value(DecimalKind(), (1, 3)) is None
    assert decimal_value(DecimalKind(), (2, 16)) == Value(DecimalKind(), "125e-3")
    assert decimal_value(DecimalKind(Decimals(2)), (1, 3)) == Value(DecimalKind(Decimals(2)), "33e-2")


def test_quantity_of_a_ratio() -> None:
    kind = QuantityKind(LENGTH, Decimals(1), "mm")
    assert quantity_value(kind, (2, 600), None) == Value(kind, "33/10000")
    assert quantity_value(QuantityKind(LENGTH), (2, 6), (2, 4)) == Value(QuantityKind(LENGTH), "1/3;1/2")


@pytest.mark.parametrize(
    ("kind", "raw", "spelling"),
    [
        pytest.param(IntegerKind(), "142", "142", id="an integer"),
        pytest.param(BooleanKind(), False, False, id="a boolean"),
        pytest.param(CategoryKind(frozenset({"µ"})), "µ", "µ", id="a word"),
        pytest.param(IdentifierKind(), "a:b", "a:b", id="an identifier"),
        pytest.param(DateKind(), "2024-02-29", "2024-02-29", id="a date"),
        pytest.param(DecimalKind(), "1.4235e2", "142.35", id="plain notation"),
        pytest.param(DecimalKind(), "1602176634e-28", "1.602176634e-19", id="scientific notation"),
        pytest.param(DecimalKind(), "1200000", "1200000", id="zeros"),
        pytest.param(DecimalKind(), "-5e-7", "-0.0000005", id="a small number"),
        pytest.param(DecimalKind(), "-5e-8", "-5e-8", id="a smaller one"),
        pytest.param(DecimalKind(), "1e20", "100000000000000000000", id="a large number"),
        pytest.param(DecimalKind(), "1e21", "1e21", id="a larger one"),
        pytest.param(DecimalKind(), "0e5", "0", id="zero"),
        pytest.param(DecimalKind(), "28857836529306024611912", "28857836529306024611912", id="many digits"),
        pytest.param(DecimalKind(), "0." + "1" * 100 + "e-400", "0." + "1" * 100 + "e-400", id="the smallest exponent"),
        pytest.param(DecimalKind(), "1" * 100 + "e400", "1" * 100 + "e400", id="the largest exponent"),
        pytest.param(DecimalKind(), "1" * 100 + "." + "1" * 100, "1" * 100 + "." + "1" * 100, id="200 digits"),
        pytest.param(QuantityKind(LENGTH), {"n": "9", "unit": "mm"}, {"n": "0.009", "unit": "m"}, id="the first unit"),
        pytest.param(QuantityKind(LENGTH), {"n": "1", "unit": "third"}, {"n": "1", "unit": "third"}, id="that ends"),
        pytest.param(
            QuantityKind(HEAT, uncertainty=True),
            {"n": "100", "unit": "degC", "u": "1"},
            {"n": "373.15", "unit": "K", "u": "1"},
            id="with its uncertainty",
        ),
        pytest.param(IntervalKind(IntegerKind()), span(None, 5, "()"), span(None, "4", "(]"), id="an interval"),
        pytest.param(IntervalKind(DecimalKind()), span("1e-9", "2", "(]"), span("1e-9", "2", "(]"), id="of decimals"),
        pytest.param(SetKind(BooleanKind()), [True, False], [False, True], id="a set of booleans"),
        pytest.param(SetKind(DecimalKind()), ["1e1", "0.5"], ["10", "0.5"], id="a set of decimals"),
        pytest.param(SetKind(DateKind()), [], [], id="an empty set"),
    ],
)  # fmt: skip
def test_spelling_is_plain(kind: Kind, raw: object, spelling: object) -> None:
    value = settle(kind, raw)
    assert isinstance(value, Value)
    assert spell(value) == spelling


def test_quantity_is_spelled_in_the_unit_asked_for() -> None:
    value = Value(QuantityKind(LENGTH, uncertainty=True), "9/1000;1/2000")
    assert spell(value, "mm") == {"n": "9", "unit": "mm", "u": "0.5"}
    assert spell(value, "yard") == {"n": "0.009", "unit": "m", "u": "0.0005"}


def test_whole_bound_of_101_digits_is_spelled_by_its_neighbour() -> None:
    most = "9" * 100
    for raw in (span(most, None, "()"), span(None, "-" + most, "()")):
        value = settle(IntervalKind(IntegerKind()), raw)
        assert isinstance(value, Value)
        assert spell(value) == raw


def a_set(of: Any, members: list[object]) -> Value:
    value = settle(SetKind(of), members)
    assert isinstance(value, Value)
    return value


def test_large_set_is_spelled_in_fewer_bytes() -> None:
    numbers: list[object] = list(range(10**13, 10**13 + 256))
    assert spell(a_set(IntegerKind(), numbers)) == numbers
    found = spell(a_set(DecimalKind(), [f"{i}e18" for i in range(1, 251)]))
    assert isinstance(found, list)
    assert {"1e18", "249e18"} <= set(found)
    found = spell(a_set(DecimalKind(), [*range(10**14, 10**14 + 230), "0.5", "-0.25", 0]))
    assert isinstance(found, list)
    assert {"0.5", 0, 10**14 + 1} <= set(found)


def test_value_without_an_admitted_spelling_has_none() -> None:
    words = CategoryKind(frozenset(f"{i:0128}" for i in range(40)))
    assert spell(a_set(words, [f"{i:0128}" for i in range(40)])) is None
    assert spell(Value(DecimalKind(), "1e1000")) is None
    assert spell(Value(DecimalKind(), "1" * 300)) is None
    assert spell(Value(QuantityKind(LENGTH), "1/7")) is None
    assert spell(Value(QuantityKind(LENGTH, uncertainty=True), "1/1;1/7")) is None
    assert spell(Value(PolymerKind(), "MVLS")) is None
