"""Pipes: units, namespaces, sources and properties that a pack declares, each row checked (spec/pack.md §4)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from assay.floor.evidence import DIMENSIONS, Namespace, PropertySpec, Source, UnitRow
from assay.kernel.errors import InvalidKind
from assay.kernel.kinds import MAX_FACTOR, CategoryKind, IdentifierKind
from assay.packs.csvtable import Table
from assay.packs.files import check_relative
from assay.packs.limits import MAX_CELL, MAX_NAME, MAX_TEXT
from assay.packs.patterns import pattern_fault
from assay.packs.refusal import refusal, shown
from assay.packs.rows import members, namespace_of, property_of, source_of, unit_of
from assay.packs.values import KINDS, SCALARS, decimal_of, ratio_of

NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}").fullmatch
PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,63}").fullmatch
PROPERTY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}").fullmatch
_DATE: Final = re.compile(r"[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?").fullmatch
_SHA256: Final = re.compile(r"[0-9a-f]{64}").fullmatch
_COMPUTED: Final = re.compile(r"[a-z_]+\(([A-Za-z0-9_]+)\)").fullmatch
_DIGITS: Final = re.compile(r"0|[1-9][0-9]{0,17}").fullmatch


@dataclass(frozen=True, slots=True)
class Declarations:
    """The checked small tables, by name."""

    units: Mapping[str, UnitRow]
    namespaces: Mapping[str, Namespace]
    sources: Mapping[str, Source]
    properties: Mapping[str, PropertySpec]
    successors: Mapping[str, str] = field(default_factory=dict)  # superseded source → the one that supersedes it


def declare(tables: Mapping[str, Table]) -> Declarations:
    """The declarations of a pack; `tables` holds at least sources and properties.

    Raises:
        InvalidPack: the first row that is wrong, by file, line and name.
    """
    units = _units(tables.get("units"))
    sources, successors = _sources(tables["sources"])
    properties = _properties(tables["properties"], units, sources)
    namespaces = _namespaces(tables.get("namespaces"), properties)
    return Declarations(units, namespaces, sources, properties, successors)


class _Row:
    """One row under check: cells by column, and refusals that name file, line and column."""

    def __init__(self, table: Table, index: int) -> None:
        self.cells = table.row(index)
        self._named = dict(zip(table.columns, self.cells, strict=True))
        self._at = table.at(index)

    def __getitem__(self, column: str) -> str:
        return self._named[column]

    def need(self, met: object, column: str, needed: str, code: str = "cell") -> None:
        """Refuse the row where the condition is not met."""
        if not met:
            raise refusal(code, f"{self._at}: {column} {shown(self._named[column])}", needed)

    def word(self, column: str, allowed: Sequence[str]) -> None:
        """Refuse a cell outside a closed vocabulary."""
        self.need(self[column] in allowed, column, f"one of {', '.join(allowed)} is needed", "word")

    def text(self, column: str, limit: int = MAX_TEXT) -> None:
        """Refuse an over-long or padded text."""
        cell = self[column]
        self.need(
            len(cell) <= limit and cell == cell.strip(),
            column,
            f"at most {limit} characters without padding are needed",
        )

    def listed(self, column: str) -> tuple[str, ...]:
        """The members of a list cell, each one named once."""
        cell = self[column]
        words = members(cell)
        self.need(
            len(cell) <= MAX_CELL and all(words) and len(set(words)) == len(words),
            column,
            "a list needs different, non-empty members separated by `|`",
        )
        self.need(
            all(len(word) <= MAX_NAME * 4 and word == word.strip() for word in words),
            column,
            "members need at most 512 characters without padding",
        )
        return words


def _units(table: Table | None) -> dict[str, UnitRow]:
    units: dict[str, UnitRow] = {}
    for row in _rows(table):
        row.need(
            1 <= len(row["unit"]) <= MAX_NAME and row["unit"] == row["unit"].strip(),
            "unit",
            "a name of 1 to 128 characters is needed",
        )
        row.need(row["unit"] not in units, "unit", "it stands twice; keep one row", "duplicate")
        row.need(PREFIX(row["dimension"]), "dimension", "a word of letters, digits and `_` is needed")
        factor, offset = ratio_of(row["factor"]), ratio_of(row["offset"] or "0")
        row.need(
            factor is not None and factor > 0, "factor", "a positive exact number `N` or `N/N` is needed", "number"
        )
        row.need(offset is not None, "offset", "an exact number `N` or `N/N`, or nothing, is needed", "number")
        for column, ratio in (("factor", factor), ("offset", offset)):
            # The kernel computes with no larger ones, and a pack that loads must not fail at its first task.
            row.need(
                ratio is None or max(abs(ratio.numerator), ratio.denominator) < MAX_FACTOR,
                column,
                f"unit {shown(row['unit'])} needs a ratio of at most 60 digits; choose a nearer base unit",
                "number",
            )
        row.text("note")
        units[row["unit"]] = unit_of(row.cells)
    return units


def _namespaces(table: Table | None, properties: Mapping[str, PropertySpec]) -> dict[str, Namespace]:
    found: dict[str, Namespace] = {}
    for row in _rows(table):
        row.need(PREFIX(row["namespace"]), "namespace", "a prefix of letters, digits, `.`, `_`, `-` is needed")
        row.need(row["namespace"] not in found, "namespace", "it stands twice; keep one row", "duplicate")
        row.word("case", ("exact", "upper"))
        row.listed("strip")
        row.need(
            len(row["pattern"]) <= 200 and not pattern_fault(row["pattern"]),
            "pattern",
            "a regular expression of at most 200 characters is needed",
        )
        row.word("version", ("", "."))
        row.need(
            not row["version_property"] or (row["version_property"] in properties and row["version"]),
            "version_property",
            "a declared property beside a version mark is needed",
            "dangling",
        )
        row.word("private", ("yes", "no"))
        found[row["namespace"]] = namespace_of(row.cells)
    return found


def _sources(table: Table) -> tuple[dict[str, Source], dict[str, str]]:
    sources: dict[str, Source] = {}
    rows: dict[str, _Row] = {}
    for row in _rows(table):
        row.need(NAME(row["source"]), "source", "a name of letters, digits and `.`, `_`, `:`, `/`, `-` is needed")
        row.need(row["source"] not in sources, "source", "it stands twice; keep one row", "duplicate")
        for column in ("title", "version", "url", "licence"):
            row.text(column)
        row.need(not row["date"] or _DATE(row["date"]), "date", "YYYY, YYYY-MM, YYYY-MM-DD or nothing is needed")
        _check_file(row)
        row.word("status", ("current", "retracted"))
        row.word("coverage", ("complete", "partial"))
        names = row.listed("namespaces")
        row.need(all(PREFIX(name) for name in names), "namespaces", "prefixes separated by `|` are needed")
        row.need(
            names or row["coverage"] == "partial",
            "coverage",
            "complete coverage needs the namespaces that it speaks of",
        )
        row.word("credible", ("yes", "no"))
        sources[row["source"]] = source_of(row.cells)
        rows[row["source"]] = row
    for name, row in rows.items():
        for column in ("supersedes", "copied_from"):
            row.need(
                not row[column] or (row[column] in sources and row[column] != name),
                column,
                "another source of this pack is needed",
                "dangling",
            )
    return sources, _successors(rows)


def _check_file(row: _Row) -> None:
    if not row["file"]:
        row.need(not row["bytes"], "bytes", "a size needs a file", "cell")
        row.need(not row["sha256"], "sha256", "a digest needs a file", "cell")
        return
    check_relative(row["file"])
    row.need(row["file"].startswith("raw/"), "file", "a file under `raw/` is needed", "path")
    row.need(_DIGITS(row["bytes"]), "bytes", "the file's size is needed")
    row.need(_SHA256(row["sha256"]), "sha256", "64 hexadecimal digits in lower case are needed")


def _successors(rows: Mapping[str, _Row]) -> dict[str, str]:
    """Superseded source → successor; a fork (two successors of one) and a cycle are refused."""
    successors: dict[str, str] = {}
    for name, row in rows.items():
        older = row["supersedes"]
        if older:
            row.need(
                older not in successors,
                "supersedes",
                f"`{successors.get(older)}` supersedes it already; a series does not fork",
                "fork",
            )
            successors[older] = name
    for column in ("supersedes", "copied_from"):
        settled: set[str] = set()
        for start in rows:
            seen: list[str] = []
            name = start
            while name and name not in settled:
                rows[name].need(name not in seen, column, "it leads back to itself; cut the cycle", "cycle")
                seen.append(name)
                name = rows[name][column]
            settled.update(seen)
    return successors


def _properties(table: Table, units: Mapping[str, UnitRow], sources: Mapping[str, Source]) -> dict[str, PropertySpec]:
    properties: dict[str, PropertySpec] = {}
    rows: list[_Row] = []
    for row in _rows(table):
        row.need(PROPERTY(row["property"]), "property", "a word of letters, digits and `_` is needed")
        row.need(row["property"] not in properties, "property", "it stands twice; keep one row", "duplicate")
        row.word("kind", KINDS)
        _check_shape(row)
        _check_units(row, units)
        for column in ("referents", "conditions", "definitions"):
            row.listed(column)
        for word in row.listed("competing"):
            row.need(
                word in DIMENSIONS and row[word + "s"],
                "competing",
                "declared dimensions (referent, condition, definition) are needed",
                "word",
            )
        for source in row.listed("prefer"):
            row.need(source in sources, "prefer", "sources of this pack are needed", "dangling")
        row.listed("missing")
        row.word("origin", ("stated", "computed"))
        row.need(
            bool(row["computed_by"]) == (row["origin"] == "computed"),
            "computed_by",
            "a computed property, and only one, names its derivation",
        )
        properties[row["property"]] = property_of(row.cells)
        rows.append(row)
    for row in rows:
        if row["computed_by"]:
            match = _COMPUTED(row["computed_by"])
            row.need(
                match and match[1] in properties,
                "computed_by",
                "`derivation(property)` of a declared property is needed",
                "dangling",
            )
    return properties


def _check_shape(row: _Row) -> None:
    kind, element = row["kind"], row["element"]
    allowed = {"interval": ("integer", "decimal"), "set": SCALARS}.get(kind, ("",))
    row.word("element", allowed)
    row.word("cardinality", ("one", "many"))
    row.need(
        (kind in SCALARS or kind == "set") if row["cardinality"] == "many" else kind != "set",
        "cardinality",
        "a set, and only a scalar or a set, has many values",
    )
    row.text("label", MAX_NAME)
    inner = element if kind == "set" else kind
    words = row.listed("vocabulary")
    row.need(
        bool(words) == (inner == "category"),
        "vocabulary",
        "a category, and only a category, has a closed vocabulary",
        "word",
    )
    row.need(not row["prefix"] or inner == "identifier", "prefix", "only an identifier has a prefix")
    try:
        if words:
            CategoryKind(frozenset(words))
        if row["prefix"]:
            IdentifierKind(row["prefix"])
    except InvalidKind as error:
        row.need(False, "vocabulary" if words else "prefix", f"the kind's grammar is needed: {error}")
    row.need(not row["label"] or inner == "integer" or element == "integer", "label", "only integers carry a label")


def _check_units(row: _Row, units: Mapping[str, UnitRow]) -> None:
    names = row.listed("units")
    for name in names:
        row.need(name in units, "units", f"`{name}` is not declared; units of the table `units` are needed", "unit")
    row.need(
        not names or row["kind"] in ("quantity", "interval"),
        "units",
        "only quantities and intervals have units",
        "unit",
    )
    row.need(names or row["kind"] != "quantity", "units", "a quantity needs at least one unit", "unit")
    row.need(not row["unit"] or row["unit"] in names, "unit", "one of the property's own units is needed", "unit")
    low, high = decimal_of(row["plausible_min"]), decimal_of(row["plausible_max"])
    row.need(
        not row["plausible_min"] or low is not None, "plausible_min", "a decimal in the grammar is needed", "number"
    )
    row.need(
        not row["plausible_max"] or high is not None, "plausible_max", "a decimal in the grammar is needed", "number"
    )
    row.need(
        low is None or high is None or low <= high, "plausible_max", "it lies below plausible_min; swap them", "number"
    )
    ranged = low is not None or high is not None
    row.need(not ranged or row["unit"] or not names, "unit", "a plausible range needs the unit that it is in", "unit")


def _rows(table: Table | None) -> list[_Row]:
    return [] if table is None else [_Row(table, index) for index in range(len(table))]
