"""Pipes: a pack read again from the first byte: digests, rows, and locators in their raw files (spec/pack.md §6)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from assay.floor.evidence import Alias, Fact, PropertySpec
from assay.packs import loader
from assay.packs.connectors.spelling import read_number
from assay.packs.connectors.tabular import table_rows
from assay.packs.files import decompressed, read_file
from assay.packs.limits import MAX_RAW_BYTES
from assay.packs.loader import Contents, Progress, silent
from assay.packs.locators import ByteRanges, TableCell, parse_locator
from assay.packs.refusal import shown
from assay.packs.rows import alias_of, fact_of
from assay.packs.values import decimal_of

MAX_PROBLEMS = 100
_PARTS = re.compile(r"[|,;]")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What `pack check` found; a pack without problems is what its lock says, if it has one."""

    name: str
    digest: str
    locked: bool
    rows: Mapping[str, int]
    locators: int
    problems: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Whether nothing was found."""
        return not self.problems


def check_pack(path: Path, progress: Progress = silent) -> CheckReport:
    """Read the pack from the first byte and report what does not hold; the lock's word is taken for nothing.

    Raises:
        InvalidPack: the pack is refused by a rule of opening.
    """
    contents = loader.read_contents(path)
    lock = loader.read_lock(contents.root)
    raw = loader.hash_raw(contents, progress)
    loader.validate(contents, progress)
    digest = loader.digest_of(contents, progress)
    problems: list[str] = []
    if lock is not None:
        loader.compare(contents, lock)
        problems += [f"{shown(name)} is not what the lock records" for name in raw if lock.files[name] != raw[name]]
        if lock.snapshot != digest:
            problems.append(f"the rows' digest is {digest}, the lock names {lock.snapshot}")
    locators, found = check_locators(contents, progress)
    rows = {name: len(table) for name, table in contents.tables.items()}
    return CheckReport(contents.descriptor.name, digest, lock is not None, rows, locators, tuple(problems + found))


def check_locators(contents: Contents, progress: Progress = silent) -> tuple[int, list[str]]:
    """How many locators were read, and what is wrong with them (at most a hundred)."""
    by_file: dict[str, list[tuple[str, Fact | Alias, bool]]] = {}
    total = 0
    for name in ("facts", "quarantine", "aliases"):
        table = contents.tables.get(name)
        for index in range(len(table) if table is not None else 0):
            cells = table.row(index)  # type: ignore[union-attr]
            row: Fact | Alias = alias_of(cells) if name == "aliases" else fact_of(cells)
            if row.locator:
                file = contents.declared.sources[row.source].file
                # A quarantined value may be no value at all; that its spelling is there is all that can be asked.
                place = (table.at(index), row, name == "quarantine")  # type: ignore[union-attr]
                by_file.setdefault(file, []).append(place)
                total += 1
    problems: list[str] = []
    done = 0
    for file, rows in sorted(by_file.items()):
        raw = _Raw(file, decompressed(file, read_file(contents.root, file, MAX_RAW_BYTES), MAX_RAW_BYTES))
        for where, row, is_aside in rows:
            fault = _fault(raw, row, None if is_aside else contents.declared.properties)
            if fault and len(problems) < MAX_PROBLEMS:
                problems.append(f"{where}: {fault}; restore the raw file or correct the row")
            done += 1
            if done % 1000 == 0:
                progress("reading locators", done, total)
    return total, problems


class _Raw:
    """A raw file's text by locator; a table is indexed by the key columns that locators use."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._data = data
        self._rows: list[dict[str, str]] | None = None
        self._indices: dict[tuple[str, ...], dict[tuple[str, ...], list[int]]] = {}

    def read(self, locator: str) -> str | None:
        """The text at the locator, ranges joined by one space; None where there is no such place, or more than one."""
        match parse_locator(locator):
            case ByteRanges(ranges):
                if ranges[-1][1] > len(self._data):
                    return None
                parts = [self._data[start:end] for start, end in ranges]
                return b" ".join(parts).decode("utf-8", errors="replace")
            case TableCell(keys, column):
                return self._cell(keys, column)
            case None:
                return None

    def _cell(self, keys: tuple[tuple[str, str], ...], column: str) -> str | None:
        if self._rows is None:
            self._rows = list(table_rows(self._name, self._data))
        columns = tuple(name for name, _ in keys)
        index = self._indices.get(columns)
        if index is None:
            index = {}
            for place, cells in enumerate(self._rows):
                if all(name in cells for name in columns):
                    index.setdefault(tuple(cells[name] for name in columns), []).append(place)
            self._indices[columns] = index
        places = index.get(tuple(key for _, key in keys), [])
        return self._rows[places[0]].get(column) if len(places) == 1 else None


def _fault(raw: _Raw, row: Fact | Alias, properties: Mapping[str, PropertySpec] | None) -> str:
    text = raw.read(row.locator)
    if text is None:
        return f"locator {shown(row.locator)} leads nowhere, or to several places"
    if isinstance(row, Alias):
        local = row.alias.partition(":")[2] or row.alias
        spelt = any(part in (row.alias, local) or part.endswith(f":{local}") for part in _parts(text))
        return "" if spelt else f"alias {shown(row.alias)} is not at {shown(row.locator)}, which holds {shown(text)}"
    spec = properties[row.property] if properties is not None else None
    if spec is not None and spec.kind == "polymer":
        return "" if "".join(text.split()) == row.raw else f"the sequence at {shown(row.locator)} is another one"
    if row.raw not in _parts(text):
        return f"raw {shown(row.raw)} is not at {shown(row.locator)}, which holds {shown(text)}"
    return (
        ""
        if spec is None or _follows(spec, row)
        else f"value {shown(row.value)} does not follow from raw {shown(row.raw)}"
    )


def _parts(text: str) -> list[str]:
    """The text, and its parts at `|`, `,` and `;`, without outer space."""
    return [text, *(part.strip() for part in _PARTS.split(text)), text.strip()]


def _follows(spec: PropertySpec, fact: Fact) -> bool:
    """Whether numbers and identifiers can be read from the raw spelling; a category may be decoded by its recipe."""
    kind = spec.element if spec.kind == "set" else spec.kind
    if kind == "identifier":
        return fact.value.partition(":")[2] in fact.raw or fact.raw in fact.value
    if kind == "interval":
        numbers = _NUMBER.findall(fact.raw)
        return all(text.lstrip("-") in numbers for text in (fact.lower, fact.upper) if text)
    if kind not in ("integer", "decimal", "quantity"):
        return True
    spelt = read_number(fact.raw)
    if spelt is None:
        return False
    if not fact.value:
        return (spelt.lower, spelt.upper, spelt.bounds) == (fact.lower, fact.upper, fact.bounds)
    value, stated = decimal_of(fact.value), decimal_of(spelt.value)
    return value is not None and stated is not None and abs(value - stated) <= _half(fact.value, value == stated)


def _half(text: str, equal: bool) -> Fraction:  # noqa: FBT001 - read at its one call
    """Half a unit of the value's last digit: a value may be its raw spelling rounded (a binary float's artefact)."""
    if equal:
        return Fraction(0)
    mantissa, _, power = text.lower().partition("e")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    return Fraction(10) ** -places / 2
