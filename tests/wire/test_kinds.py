"""Kinds as JSON objects: what is read, what is refused, and back again (spec/verification.md §3)."""

import json
from typing import Any

import pytest
from reference import assay_ref

from assay.kernel import kinds as k
from assay.kernel.errors import InvalidKind
from assay.wire.kinds import kind_document, parse_kind

M = {"m": {"factor": "1"}}


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ({"kind": "integer"}, k.IntegerKind()),
        ({"kind": "integer", "label": "residue"}, k.IntegerKind("residue")),
        ({"kind": "boolean"}, k.BooleanKind()),
        ({"kind": "category", "vocabulary": ["a", "b"]}, k.CategoryKind(frozenset({"a", "b"}))),
        ({"kind": "identifier"}, k.IdentifierKind()),
        ({"kind": "identifier", "prefix": "uniprot"}, k.IdentifierKind("uniprot")),
        ({"kind": "decimal"}, k.DecimalKind()),
        ({"kind": "decimal", "grid": {"decimals": 0}}, k.DecimalKind(k.Decimals(0))),
        ({"kind": "decimal", "grid": {"significant": 3}}, k.DecimalKind(k.Significant(3))),
        ({"kind": "quantity", "units": M}, k.QuantityKind((("m", k.Unit()),))),
        (
            {
                "kind": "quantity",
                "units": {"degF": {"factor": "5/9", "offset": "45967/180"}, "K": {"factor": "1"}},
                "grid": {"decimals": 1, "unit": "K"},
                "uncertainty": True,
            },
            k.QuantityKind(
                (("degF", k.Unit((5, 9), (45967, 180))), ("K", k.Unit())), k.Decimals(1), "K", uncertainty=True
            ),
        ),
        ({"kind": "interval", "of": {"kind": "decimal"}}, k.IntervalKind(k.DecimalKind())),
        ({"kind": "set", "of": {"kind": "date"}}, k.SetKind(k.DateKind())),
        ({"kind": "polymer"}, k.PolymerKind()),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_reads_and_writes_back(document: dict[str, object], kind: k.Kind) -> None:
    assert parse_kind(document) == kind
    assert kind_document(kind) == document


@pytest.mark.parametrize("name", assay_ref.KINDS)
def test_what_is_written_is_read_back_equal(name: str) -> None:
    kind = parse_kind(json.loads(assay_ref.KINDS[name]))
    assert parse_kind(json.loads(json.dumps(kind_document(kind)))) == kind


@pytest.mark.parametrize(
    ("factor", "ratio"),
    [("1e-3", (1, 1000)), ("5/9", (5, 9)), ("10/18", (5, 9)), (1000, (1000, 1)), ("1/0.5", (2, 1)), ("-1/-2", (1, 2))],
)  # fmt: skip
def test_factors_are_exact_rationals(factor: object, ratio: tuple[int, int]) -> None:
    kind = parse_kind({"kind": "quantity", "units": {"m": {"factor": factor}}})
    assert kind == k.QuantityKind((("m", k.Unit(ratio)),))


class Text(str):
    """A text that is none of JSON's."""

    __slots__ = ()


def unit(**rule: object) -> dict[str, object]:
    return {"kind": "quantity", "units": {"m": rule}}


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(None, id="null"),
        pytest.param("integer", id="a bare name"),
        pytest.param([], id="an array"),
        pytest.param({}, id="no name"),
        pytest.param({"kind": "number"}, id="an unknown name"),
        pytest.param({"kind": ["integer"]}, id="a name that is no text"),
        pytest.param({"kind": Text("integer")}, id="a foreign text"),
        pytest.param({Text("kind"): "integer"}, id="a foreign key"),
        pytest.param({"kind": "boolean", "label": "x"}, id="an unknown key"),
        pytest.param({"kind": "integer", "label": ""}, id="an empty label"),
        pytest.param({"kind": "integer", "label": 1}, id="a label that is no text"),
        pytest.param({"kind": "category"}, id="a missing key"),
        pytest.param({"kind": "category", "vocabulary": "ab"}, id="a vocabulary that is a text"),
        pytest.param({"kind": "category", "vocabulary": ["a", 1]}, id="a word that is a number"),
        pytest.param({"kind": "category", "vocabulary": ["a", "a"]}, id="a word twice"),
        pytest.param({"kind": "category", "vocabulary": []}, id="no word"),
        pytest.param({"kind": "identifier", "prefix": ""}, id="an empty prefix"),
        pytest.param({"kind": "identifier", "prefix": None}, id="a prefix of null"),
        pytest.param({"kind": "decimal", "grid": None}, id="a grid of null"),
        pytest.param({"kind": "decimal", "grid": {}}, id="an empty grid"),
        pytest.param({"kind": "decimal", "grid": {"decimals": 2.0}}, id="decimals that are a float"),
        pytest.param({"kind": "decimal", "grid": {"decimals": True}}, id="decimals that are true"),
        pytest.param({"kind": "decimal", "grid": {"decimals": 101}}, id="too many decimals"),
        pytest.param({"kind": "decimal", "grid": {"significant": 0}}, id="no figure"),
        pytest.param({"kind": "decimal", "grid": {"decimals": 1, "significant": 1}}, id="two grids"),
        pytest.param({"kind": "decimal", "grid": {"decimals": 1, "unit": "m"}}, id="a unit on a decimal's grid"),
        pytest.param({"kind": "quantity", "units": []}, id="units that are an array"),
        pytest.param({"kind": "quantity", "units": {}}, id="no unit"),
        pytest.param({"kind": "quantity", "units": M, "grid": {"decimals": 1}}, id="a grid without its unit"),
        pytest.param(
            {"kind": "quantity", "units": M, "grid": {"decimals": 1, "unit": "k"}}, id="a grid's unknown unit"
        ),
        pytest.param({"kind": "quantity", "units": M, "uncertainty": 1}, id="1 for true"),
        pytest.param({"kind": "quantity", "units": {"m": "1"}}, id="a unit that is no object"),
        pytest.param(unit(), id="no factor"),
        pytest.param(unit(factor="1", extra="1"), id="an unknown key of a unit"),
        pytest.param(unit(factor="0"), id="a factor of zero"),
        pytest.param(unit(factor="-2"), id="a negative factor"),
        pytest.param(unit(factor="1/0"), id="a factor by zero"),
        pytest.param(unit(factor="1/"), id="a factor cut off"),
        pytest.param(unit(factor="1/2/3"), id="two fractions"),
        pytest.param(unit(factor=" 1"), id="a padded factor"),
        pytest.param(unit(factor="1 /2"), id="space in a factor"),
        pytest.param(unit(factor=0.5), id="a float"),
        pytest.param(unit(factor=True), id="true for 1"),
        pytest.param(unit(factor="1e60"), id="a factor of 61 digits"),
        pytest.param(unit(factor="1e401"), id="a factor beyond the bounds of numbers"),
        pytest.param(unit(factor="1", offset=None), id="an offset of null"),
        pytest.param({"kind": "interval", "of": {"kind": "date"}}, id="an interval of dates"),
        pytest.param({"kind": "set", "of": {"kind": "set", "of": {"kind": "date"}}}, id="a set of sets"),
        pytest.param({"kind": "set", "of": {"kind": "polymer"}}, id="a set of sequences"),
        pytest.param({"kind": "set", "of": "date"}, id="an inner kind that is a name"),
    ],
)
def test_anything_else_is_refused_in_one_line(document: Any) -> None:
    with pytest.raises(InvalidKind) as raised:
        parse_kind(document)
    assert raised.value.code.startswith("kind.")
    assert "\n" not in str(raised.value)
