"""Kinds refuse what the specification does not have (spec/verification.md §3)."""

from collections.abc import Callable

import pytest

from assay.kernel.errors import AssayError, InvalidKind
from assay.kernel.kinds import (
    CategoryKind,
    Decimals,
    IdentifierKind,
    IntegerKind,
    Kind,
    QuantityKind,
    Significant,
    Unit,
)

METRE = (("m", Unit()),)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        pytest.param(lambda: Decimals(-1), "kind.grid", id="fewer than no decimals"),
        pytest.param(lambda: Decimals(101), "kind.grid", id="more than a hundred decimals"),
        pytest.param(lambda: Decimals(True), "kind.grid", id="true is no number of decimals"),
        pytest.param(lambda: Significant(0), "kind.grid", id="no significant figure"),
        pytest.param(lambda: Unit((0, 1)), "kind.unit", id="a factor of zero"),
        pytest.param(lambda: Unit((-1, 1)), "kind.unit", id="a negative factor"),
        pytest.param(lambda: Unit((1, 0)), "kind.unit", id="a factor divided by zero"),
        pytest.param(lambda: Unit((1, 1), (1, 0)), "kind.unit", id="an offset divided by zero"),
        pytest.param(lambda: Unit((10**60, 1)), "kind.unit", id="a factor of 61 digits"),
        pytest.param(lambda: Unit((1, 1), (-(10**60), 1)), "kind.unit", id="an offset of 61 digits"),
        pytest.param(lambda: IntegerKind(" residue"), "kind.word", id="a padded label"),
        pytest.param(lambda: CategoryKind(frozenset()), "kind.vocabulary", id="an empty vocabulary"),
        pytest.param(lambda: CategoryKind(frozenset({""})), "kind.word", id="an empty word"),
        pytest.param(lambda: CategoryKind(frozenset({"x" * 129})), "kind.word", id="a word too long"),
        pytest.param(lambda: CategoryKind(frozenset({"x\x1f"})), "kind.word", id="the separator of sets in a word"),
        pytest.param(lambda: CategoryKind(frozenset({"x\x85"})), "kind.word", id="a control character beyond ASCII"),
        pytest.param(lambda: CategoryKind(frozenset({"\ud800"})), "kind.word", id="a lone surrogate"),
        pytest.param(lambda: CategoryKind(frozenset({"x\t"})), "kind.word", id="a padded word"),
        pytest.param(lambda: IdentifierKind("uni prot"), "kind.prefix", id="a prefix with a space"),
        pytest.param(lambda: IdentifierKind("a" * 127), "kind.prefix", id="a prefix that leaves no room"),
        pytest.param(lambda: QuantityKind(()), "kind.units", id="no unit"),
        pytest.param(lambda: QuantityKind((*METRE, *METRE)), "kind.units", id="a unit twice"),
        pytest.param(lambda: QuantityKind((("", Unit()),)), "kind.word", id="a unit without a name"),
        pytest.param(lambda: QuantityKind(METRE, Decimals(1)), "kind.grid", id="a grid without its unit"),
        pytest.param(lambda: QuantityKind(METRE, None, "m"), "kind.grid", id="a grid's unit without the grid"),
        pytest.param(lambda: QuantityKind(METRE, Decimals(1), "mm"), "kind.grid", id="a grid in an unknown unit"),
    ],
)
def test_kind_outside_the_specification_is_refused(make: Callable[[], Kind], code: str) -> None:
    with pytest.raises(InvalidKind) as raised:
        make()
    assert raised.value.code == code
    assert isinstance(raised.value, AssayError)
    assert "\n" not in str(raised.value)


def test_bounds_themselves_are_admitted() -> None:
    assert Decimals(0) != Decimals(100)
    assert Unit((10**60 - 1, 10**60 - 1), (1 - 10**60, 1)).factor[0] == 10**60 - 1
    assert IdentifierKind("a" * 126).start == "a" * 126 + ":"
    assert IdentifierKind().start == ""
    assert "x" * 128 in CategoryKind(frozenset({"x" * 128})).vocabulary
