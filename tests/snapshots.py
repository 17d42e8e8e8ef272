"""A snapshot made of Python rows, for tests: the protocol of floor/store.py over a few lists, checked by nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

from assay.floor.evidence import Alias, Fact, Namespace, Opened, PropertySpec, Source, UnitRow
from assay.kernel.canonical import canonical


def fact(entity: str, property_name: str, value: str, source: str = "s", **more: str) -> Fact:
    """A stated fact; every other column is empty unless given."""
    row = {name.name: "" for name in fields(Fact)}
    row |= {"entity": entity, "property": property_name, "value": value, "source": source, "raw": value}
    row |= {"method": "stated", "rank": "normal", "locator": "bytes=0-1"} | more
    row["fact_id"] = row["fact_id"] or hashlib.sha256(canonical(row)).hexdigest()[:12]
    return Fact(**row)


def source(name: str, **more: object) -> Source:
    """A current, credible, partial source."""
    row: dict[str, object] = {item.name: "" for item in fields(Source)}
    row |= {"source": name, "status": "current", "coverage": "partial", "namespaces": (), "credible": True} | more
    return Source(**row)  # type: ignore[arg-type]


def prop(name: str, kind: str, **more: object) -> PropertySpec:
    """A stated property of cardinality one."""
    row: dict[str, object] = {
        item.name: () if item.type.startswith("tuple") else ""
        for item in fields(PropertySpec)
        if isinstance(item.type, str)
    }
    row |= {"property": name, "kind": kind, "cardinality": "one", "origin": "stated"} | more
    return PropertySpec(**row)  # type: ignore[arg-type]


def unit(name: str, dimension: str, factor: str = "1", offset: str = "0") -> UnitRow:
    """A unit of a dimension."""
    return UnitRow(name, dimension, factor, offset, "")


@dataclass(frozen=True)
class RowSnapshot:
    """Rows as a snapshot."""

    fact_rows: Sequence[Fact] = ()
    source_rows: Sequence[Source] = ()
    property_rows: Sequence[PropertySpec] = ()
    unit_rows: Sequence[UnitRow] = ()
    alias_rows: Sequence[Alias] = ()
    namespace_rows: Sequence[Namespace] = ()
    quarantine: Sequence[tuple[Fact, str]] = ()
    opened: Opened = field(default=Opened.HASHED)

    @cached_property
    def digest(self) -> str:
        rows: Iterable[object] = (*self.fact_rows, *self.source_rows, *self.property_rows, *self.alias_rows)
        text = "\n".join(sorted(map(repr, rows)))
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    def facts(self, entity: str, property_name: str) -> Sequence[Fact]:
        rows = [row for row in self.fact_rows if row.entity == entity and row.property == property_name]
        return sorted(rows, key=lambda row: row.fact_id)

    def quarantined(self, entity: str, property_name: str) -> Sequence[tuple[Fact, str]]:
        return [(row, why) for row, why in self.quarantine if row.entity == entity and row.property == property_name]

    def presence(self, entity: str) -> Sequence[str]:
        rows = [*self.fact_rows, *(row for row, _ in self.quarantine)]
        return sorted({row.source for row in rows if row.entity == entity})

    def properties_of(self, entity: str) -> Sequence[str]:
        return sorted({row.property for row in self.fact_rows if row.entity == entity})

    def aliases(self, alias: str) -> Sequence[Alias]:
        return [row for row in self.alias_rows if row.alias == alias]

    def property_spec(self, name: str) -> PropertySpec | None:
        return next((row for row in self.property_rows if row.property == name), None)

    def source(self, name: str) -> Source | None:
        return next((row for row in self.source_rows if row.source == name), None)

    def successors(self, name: str) -> Sequence[str]:
        return [row.source for row in self.source_rows if row.supersedes == name]

    def unit(self, name: str) -> UnitRow | None:
        return next((row for row in self.unit_rows if row.unit == name), None)

    def units_of(self, dimension: str) -> Sequence[UnitRow]:
        return [row for row in self.unit_rows if row.dimension == dimension]

    def namespace(self, name: str) -> Namespace | None:
        return next((row for row in self.namespace_rows if row.namespace == name), None)

    def namespaces(self) -> Sequence[Namespace]:
        return self.namespace_rows
