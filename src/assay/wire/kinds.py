"""Letterbox: a kind as a JSON object, both ways (spec/verification.md §3).

No pydantic here: the rules are few, and a kind's units and words are data, so every message would have to be rewritten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, assert_never

from assay.kernel import kinds as k
from assay.kernel import numbers, tokens
from assay.kernel.errors import InvalidKind
from assay.kernel.verdict import Reject

_KEYS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "integer": (frozenset(), frozenset({"label"})),
    "boolean": (frozenset(), frozenset()),
    "category": (frozenset({"vocabulary"}), frozenset()),
    "identifier": (frozenset(), frozenset({"prefix"})),
    "decimal": (frozenset(), frozenset({"grid"})),
    "quantity": (frozenset({"units"}), frozenset({"grid", "uncertainty"})),
    "interval": (frozenset({"of"}), frozenset()),
    "set": (frozenset({"of"}), frozenset()),
    "date": (frozenset(), frozenset()),
    "polymer": (frozenset(), frozenset()),
}
_SCALARS: Final = (
    k.IntegerKind,
    k.BooleanKind,
    k.CategoryKind,
    k.IdentifierKind,
    k.DecimalKind,
    k.DateKind,
)

Document = dict[str, object]


def parse_kind(document: object) -> k.Kind:
    """The kind that a JSON object writes; `document` is what a JSON reader made of it.

    Raises:
        InvalidKind: anything outside the specification; unknown keys too.
    """
    fields = _object(document, "a kind")
    name = fields.get("kind")
    if type(name) is not str or name not in _KEYS:
        raise InvalidKind("kind.name", f"`kind` is none of {', '.join(_KEYS)}")
    needed, optional = _KEYS[name]
    _check_keys(fields.keys() - {"kind"}, needed, optional, f"kind `{name}`")
    return _PARSE[name](fields)


def kind_document(kind: k.Kind) -> Document:
    """The JSON object of a kind: what `parse_kind` reads back as an equal one."""
    match kind:
        case k.IntegerKind(label):
            return {"kind": "integer", "label": label} if label else {"kind": "integer"}
        case k.CategoryKind(vocabulary):
            return {"kind": "category", "vocabulary": sorted(vocabulary)}
        case k.IdentifierKind(prefix):
            return {"kind": "identifier", "prefix": prefix} if prefix else {"kind": "identifier"}
        case k.DecimalKind(grid):
            return {"kind": "decimal", **_grid_document(grid)}
        case k.QuantityKind(units, grid, grid_unit, uncertainty):
            return {
                "kind": "quantity",
                "units": {name: _unit_document(unit) for name, unit in units},
                **_grid_document(grid, grid_unit),
                **({"uncertainty": True} if uncertainty else {}),
            }
        case k.IntervalKind(of):
            return {"kind": "interval", "of": kind_document(of)}
        case k.SetKind(of):
            return {"kind": "set", "of": kind_document(of)}
        case k.BooleanKind():
            return {"kind": "boolean"}
        case k.DateKind():
            return {"kind": "date"}
        case k.PolymerKind():
            return {"kind": "polymer"}
        case _:
            assert_never(kind)


def _object(document: object, what: str) -> Document:
    if type(document) is not dict or not all(type(key) is str for key in document):
        raise InvalidKind("kind.shape", f"{what} is not a JSON object")
    return document


def _check_keys(keys: set[str], needed: frozenset[str], optional: frozenset[str], what: str) -> None:
    if missing := needed - keys:
        raise InvalidKind("kind.keys", f"{what} lacks the key `{min(missing)}`")
    if unknown := keys - needed - optional:
        raise InvalidKind("kind.keys", f"{what} has the unknown key {min(unknown)!a}")


def _text(value: object, what: str) -> str:
    if type(value) is not str or not value:
        raise InvalidKind("kind.text", f"`{what}` is not a text of at least one character")
    return value


def _integer(fields: Document) -> k.Kind:
    return k.IntegerKind(_text(fields["label"], "label")) if "label" in fields else k.IntegerKind()


def _category(fields: Document) -> k.Kind:
    words = fields["vocabulary"]
    if type(words) is not list or not all(type(word) is str for word in words):
        raise InvalidKind("kind.vocabulary", "`vocabulary` is not an array of texts")
    if len(set(words)) != len(words):
        raise InvalidKind("kind.vocabulary", "`vocabulary` has a word twice")
    return k.CategoryKind(frozenset(words))


def _identifier(fields: Document) -> k.Kind:
    return k.IdentifierKind(_text(fields["prefix"], "prefix")) if "prefix" in fields else k.IdentifierKind()


def _decimal(fields: Document) -> k.Kind:
    return k.DecimalKind(_grid(_object(fields["grid"], "`grid`")) if "grid" in fields else None)


def _quantity(fields: Document) -> k.Kind:
    units = tuple((name, _unit(rule, name)) for name, rule in _object(fields["units"], "`units`").items())
    uncertainty = fields.get("uncertainty", False)
    if type(uncertainty) is not bool:
        raise InvalidKind("kind.uncertainty", "`uncertainty` is not true or false")
    if "grid" not in fields:
        return k.QuantityKind(units, uncertainty=uncertainty)
    grid = dict(_object(fields["grid"], "`grid`"))
    unit = _text(grid.pop("unit", None), "grid.unit")
    return k.QuantityKind(units, _grid(grid), unit, uncertainty=uncertainty)


def _interval(fields: Document) -> k.Kind:
    of = parse_kind(fields["of"])
    if not isinstance(of, k.IntegerKind | k.DecimalKind):
        raise InvalidKind("kind.of", "an interval is of integer or decimal")
    return k.IntervalKind(of)


def _set(fields: Document) -> k.Kind:
    of = parse_kind(fields["of"])
    if not isinstance(of, _SCALARS):
        raise InvalidKind("kind.of", "a set is of a scalar kind")
    return k.SetKind(of)


_PARSE: Final[dict[str, Callable[[Document], k.Kind]]] = {
    "integer": _integer,
    "boolean": lambda _: k.BooleanKind(),
    "category": _category,
    "identifier": _identifier,
    "decimal": _decimal,
    "quantity": _quantity,
    "interval": _interval,
    "set": _set,
    "date": lambda _: k.DateKind(),
    "polymer": lambda _: k.PolymerKind(),
}


def _grid(grid: Document) -> k.Grid:
    places, figures = grid.get("decimals"), grid.get("significant")
    if grid.keys() == {"decimals"} and type(places) is int:
        return k.Decimals(places)
    if grid.keys() == {"significant"} and type(figures) is int:
        return k.Significant(figures)
    raise InvalidKind("kind.grid", '`grid` is not {"decimals":d} or {"significant":s}, with `unit` for a quantity')


def _grid_document(grid: k.Grid, unit: str = "") -> Document:
    if grid is None:
        return {}
    fields: Document = {"decimals": grid.places} if isinstance(grid, k.Decimals) else {"significant": grid.figures}
    return {"grid": fields | {"unit": unit} if unit else fields}


def _unit(rule: object, name: str) -> k.Unit:
    fields = _object(rule, "a unit")
    _check_keys(set(fields), frozenset({"factor"}), frozenset({"offset"}), "a unit")
    return k.Unit(_rational(fields["factor"]), _rational(fields.get("offset", "0")))


def _unit_document(unit: k.Unit) -> Document:
    factor = {"factor": _written(unit.factor)}
    return {**factor, "offset": _written(unit.offset)} if unit.offset[0] else {**factor}


def _rational(value: object) -> numbers.Ratio:
    """The exact ratio of `N`, `N/N` or a JSON integer."""
    above, slash, below = value.partition("/") if type(value) is str else (value, "", "")
    num, den = _number(above), _number(below) if slash else (1, 1)
    if den[0] == 0:
        raise InvalidKind("kind.unit", "a unit's factor or offset divides by zero")
    return numbers.reduce(num[0] * den[1], num[1] * den[0])


def _number(value: object) -> numbers.Ratio:
    scanned = tokens.scan(value)
    if isinstance(scanned, Reject) or (type(value) is str and value != value.strip(" \t")):
        raise InvalidKind(
            "kind.unit", "a unit's factor or offset is not an exact rational: write N or N/N, N a decimal"
        )
    return numbers.ratio(scanned)


def _written(ratio: numbers.Ratio) -> str:
    num, den = numbers.reduce(*ratio)
    return str(num) if den == 1 else f"{num}/{den}"
