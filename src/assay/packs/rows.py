"""Pipes: rows of tables as the floor's values, and their canonical bytes (spec/pack.md §3, §5)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Final

from assay.floor.evidence import Alias, Fact, Namespace, PropertySpec, Source, UnitRow
from assay.kernel.canonical import canonical

FACTS: Final = tuple(field.name for field in fields(Fact))
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "facts": FACTS,
    "sources": tuple(field.name for field in fields(Source)),
    "aliases": tuple(field.name for field in fields(Alias)),
    "properties": tuple(field.name for field in fields(PropertySpec)),
    "quarantine": (*FACTS, "reason"),
    "units": tuple(field.name for field in fields(UnitRow)),
    "namespaces": tuple(field.name for field in fields(Namespace)),
}
REQUIRED: Final = ("facts", "sources", "properties")
# `dataclasses.astuple` copies every text and is a hundred times slower.
fact_cells: Final[Callable[[Fact], tuple[str, ...]]] = attrgetter(*FACTS)
alias_cells: Final[Callable[[Alias], tuple[str, ...]]] = attrgetter(*COLUMNS["aliases"])
_VALUE: Final = FACTS.index("value")
_RAW: Final = FACTS.index("raw")


def complete(table: str, cells: Sequence[str]) -> tuple[str, ...]:
    """The cells as they count: an empty `raw` of a fact with a value stands for the value's own spelling."""
    if table in ("facts", "quarantine") and not cells[_RAW] and cells[_VALUE]:
        return (*cells[:_RAW], cells[_VALUE], *cells[_RAW + 1 :])
    return tuple(cells)


def canonical_row(table: str, cells: Sequence[str]) -> bytes:
    """The canonical bytes of a row: the table's name and the cells in the order of spec/pack.md §3."""
    return canonical([table, *complete(table, cells)])


def snapshot_digest(rows: Iterable[bytes]) -> str:
    """`sha256:` and the digest of the sorted canonical rows, each ended by a line feed."""
    digest = hashlib.sha256()
    for row in sorted(rows):
        digest.update(row)
        digest.update(b"\n")
    return "sha256:" + digest.hexdigest()


def members(cell: str) -> tuple[str, ...]:
    """The members of a list cell; in a member, `%7C` stands for a bar and `%25` for a percent sign."""
    return tuple(part.replace("%7C", "|").replace("%25", "%") for part in cell.split("|")) if cell else ()


def list_cell(words: Iterable[str]) -> str:
    """The cell of the members."""
    return "|".join(word.replace("%", "%25").replace("|", "%7C") for word in words)


def fact_of(cells: Sequence[str]) -> Fact:
    """The fact of a row; cells beyond the facts' columns (a quarantine reason) are left out."""
    return Fact(*complete("facts", cells[: len(FACTS)]))


def alias_of(cells: Sequence[str]) -> Alias:
    """The alias of a row."""
    return Alias(*cells)


def unit_of(cells: Sequence[str]) -> UnitRow:
    """The unit of a row."""
    return UnitRow(*cells)


def source_of(cells: Sequence[str]) -> Source:
    """The source of a row."""
    named = dict(zip(COLUMNS["sources"], cells, strict=True))
    namespaces, credible = members(named.pop("namespaces")), named.pop("credible") == "yes"
    return Source(**named, namespaces=namespaces, credible=credible)


def property_of(cells: Sequence[str]) -> PropertySpec:
    """The property of a row."""
    named = dict(zip(COLUMNS["properties"], cells, strict=True))
    lists = {name: members(named.pop(name)) for name in _LISTS}
    return PropertySpec(**named, **lists)  # type: ignore[arg-type]


def namespace_of(cells: Sequence[str]) -> Namespace:
    """The namespace of a row."""
    name, case, strip, pattern, version, version_property, private = cells
    return Namespace(name, case, members(strip), pattern, version, version_property, private == "yes")


_LISTS: Final = ("vocabulary", "units", "referents", "conditions", "definitions", "competing", "prefer", "missing")
