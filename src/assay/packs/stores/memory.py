"""Pipes: a snapshot whose tables lie in memory as text; rows become values when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.floor.evidence import Alias, Fact, Namespace, Opened, PropertySpec, Source, UnitRow
from assay.packs.csvtable import Table
from assay.packs.declarations import Declarations
from assay.packs.rows import FACTS, alias_of, canonical_row, fact_of

_PROPERTY = FACTS.index("property")
_SOURCE = FACTS.index("source")


class MemorySnapshot:
    """Immutable evidence (floor.store.Snapshot). Opening costs one look at each line's first cells.

    INVARIANT: nothing here changes after construction, so that every answer is a function of the digest.
    """

    __slots__ = ("_aliases", "_by_alias", "_declared", "_digest", "_facts", "_opened", "_quarantine", "name")

    def __init__(
        self, name: str, digest: str, opened: Opened, tables: Mapping[str, Table], declared: Declarations
    ) -> None:
        self.name = name
        self._digest = digest
        self._opened = opened
        self._declared = declared
        self._facts = _Index(tables.get("facts"))
        self._quarantine = _Index(tables.get("quarantine"))
        self._aliases = tables.get("aliases")
        self._by_alias: dict[str, list[int]] = {}
        if self._aliases is not None:
            for index, alias in enumerate(self._aliases.column("alias")):
                self._by_alias.setdefault(alias, []).append(index)

    @property
    def digest(self) -> str:
        """`sha256:` and 64 hexadecimal digits, over the canonical rows."""
        return self._digest

    @property
    def opened(self) -> Opened:
        """Whether content was hashed at opening or the recorded digest was trusted."""
        return self._opened

    def entities(self) -> Sequence[str]:
        """Every entity of which anything is stated, quarantined rows included; sorted. For reports."""
        return sorted(self._facts.entities() | self._quarantine.entities())

    def facts(self, entity: str, property_name: str) -> Sequence[Fact]:
        """All facts of that entity and property, quarantined ones left out."""
        return tuple(fact_of(cells) for cells in self._facts.rows(entity, property_name))

    def quarantined(self, entity: str, property_name: str) -> Sequence[tuple[Fact, str]]:
        """The quarantined rows of that entity and property, each with its reason."""
        return tuple((fact_of(cells), cells[len(FACTS)]) for cells in self._quarantine.rows(entity, property_name))

    def presence(self, entity: str) -> Sequence[str]:
        """Sources that state anything of the entity, quarantined rows included; sorted."""
        rows = (*self._facts.rows(entity), *self._quarantine.rows(entity))
        return tuple(sorted({cells[_SOURCE] for cells in rows}))

    def properties_of(self, entity: str) -> Sequence[str]:
        """Names of the properties that have rows for the entity; sorted."""
        rows = (*self._facts.rows(entity), *self._quarantine.rows(entity))
        return tuple(sorted({cells[_PROPERTY] for cells in rows}))

    def aliases(self, alias: str) -> Sequence[Alias]:
        """Rows whose alias is exactly this text."""
        if self._aliases is None:
            return ()
        rows = [self._aliases.row(index) for index in self._by_alias.get(alias, ())]
        return tuple(alias_of(cells) for cells in sorted(rows, key=lambda cells: canonical_row("aliases", cells)))

    def property_spec(self, name: str) -> PropertySpec | None:
        """The declared property."""
        return self._declared.properties.get(name)

    def source(self, name: str) -> Source | None:
        """The source of that name."""
        return self._declared.sources.get(name)

    def successors(self, name: str) -> Sequence[str]:
        """The source that supersedes this one, if any."""
        successor = self._declared.successors.get(name)
        return () if successor is None else (successor,)

    def unit(self, name: str) -> UnitRow | None:
        """The unit of exactly that spelling."""
        return self._declared.units.get(name)

    def units_of(self, dimension: str) -> Sequence[UnitRow]:
        """All spellings of a dimension's units; in the order of their names."""
        rows = (row for row in self._declared.units.values() if row.dimension == dimension)
        return tuple(sorted(rows, key=lambda row: row.unit))

    def namespace(self, name: str) -> Namespace | None:
        """The rules of a namespace."""
        return self._declared.namespaces.get(name)

    def namespaces(self) -> Sequence[Namespace]:
        """All declared namespaces; in the order of their names."""
        return tuple(sorted(self._declared.namespaces.values(), key=lambda row: row.namespace))


class _Index:
    """Rows of facts by entity; the lines are split when they are asked for."""

    __slots__ = ("_places", "_table")

    def __init__(self, table: Table | None) -> None:
        self._table = table
        self._places: dict[str, list[int]] = {}
        for index, entity in enumerate(table.column("entity") if table is not None else ()):
            self._places.setdefault(entity, []).append(index)

    def entities(self) -> set[str]:
        """The entities of the table."""
        return set(self._places)

    def rows(self, entity: str, property_name: str | None = None) -> list[tuple[str, ...]]:
        """The rows in the order of their canonical bytes, which is that of `fact_id`: it stands first and is unique."""
        if self._table is None:
            return []
        rows = [self._table.row(index) for index in self._places.get(entity, ())]
        return sorted(row for row in rows if property_name is None or row[_PROPERTY] == property_name)
