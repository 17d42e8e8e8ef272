"""Pipes: recipes: TOML that says from which raw files, and how, a pack is built (spec/pack.md §9)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from assay.packs.connectors.mapping import AliasRule, FactRule, LabelRule, Mapped
from assay.packs.connectors.tabular import table_rows
from assay.packs.patterns import pattern_fault
from assay.packs.refusal import refusal, shown
from assay.packs.rows import COLUMNS, list_cell

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PackRule:
    """What the descriptor says, and where raw files and units come from (paths relative to the recipe)."""

    name: str
    title: str
    raw: str
    version: str = "1"
    description: str = ""
    created: str = ""
    units: str = ""
    licences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadRule:
    """How one file is read."""

    connector: str
    pattern: str = ""
    key: tuple[str, ...] = ()
    mapped: Mapped | None = None


@dataclass(frozen=True, slots=True)
class SourceRule:
    """One source, or, with a glob in `file`, one for each file that it finds (`{stem}` is the file's bare name)."""

    source: str
    title: str
    file: str = ""
    version: str = ""
    date: str = ""
    url: str = ""
    licence: str = ""
    status: str = "current"
    supersedes: str = ""
    copied_from: str = ""
    coverage: str = "partial"
    namespaces: tuple[str, ...] = ()
    credible: bool = True
    succeeds: Mapping[str, str] = field(default_factory=dict)  # of a glob: source → the one that it supersedes
    reads: tuple[ReadRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """A parsed recipe; `properties` and `namespaces` are rows in the columns of spec/pack.md §3."""

    folder: Path
    pack: PackRule
    properties: tuple[Mapping[str, str], ...]
    namespaces: tuple[Mapping[str, str], ...]
    sources: tuple[SourceRule, ...]


def read_recipe(path: Path) -> Recipe:
    """The recipe of the file.

    Raises:
        InvalidPack: no TOML, an unknown or missing key, a value of another type.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise refusal(
            "recipe", f"{shown(str(path))} cannot be read ({error.strerror})", "name a recipe's file"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise refusal("recipe", f"{shown(path.name)} is not TOML: {error}", "correct the place") from None
    _known("recipe", document, ("pack", "property", "namespace", "source"))
    return Recipe(
        path.parent,
        _construct(PackRule, _table(document, "pack"), "[pack]"),
        tuple(_row("properties", item, _PROPERTY_DEFAULTS) for item in _tables(document, "property")),
        tuple(_row("namespaces", item, _NAMESPACE_DEFAULTS) for item in _tables(document, "namespace")),
        tuple(_source(item, path.parent) for item in _tables(document, "source")),
    )


_PROPERTY_DEFAULTS = {"cardinality": "one", "origin": "stated"}
_NAMESPACE_DEFAULTS = {"case": "exact", "private": "no"}


def _row(table: str, item: Mapping[str, object], defaults: Mapping[str, str]) -> Mapping[str, str]:
    """A row's cells by column; lists become cells, columns that are not named are empty."""
    _known(f"[[{table}]]", item, COLUMNS[table])
    cells = dict.fromkeys(COLUMNS[table], "") | dict(defaults)
    for column, value in item.items():
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            cells[column] = list_cell(value)
        elif isinstance(value, str):
            cells[column] = value
        else:
            raise _bad(f"[[{table}]] {column}", "a text or a list of texts is needed")
    return cells


def _source(item: Mapping[str, object], folder: Path) -> SourceRule:
    rest = dict(item)
    reads = tuple(_read(read, folder) for read in _tables(rest, "read"))
    rest.pop("read", None)
    return _construct(SourceRule, rest, "[[source]]", reads=reads)


def _read(item: Mapping[str, object], folder: Path) -> ReadRule:
    rest = dict(item)
    facts = tuple(_construct(FactRule, rule, "fact") for rule in _tables(rest, "fact"))
    aliases = tuple(_construct(AliasRule, rule, "alias") for rule in _tables(rest, "alias"))
    labels = tuple(_label(rule, folder) for rule in _tables(rest, "label"))
    told: dict[str, object] = {name: rest.pop(name) for name in ("entity", "where", "words") if name in rest}
    for name in ("fact", "alias", "label"):
        rest.pop(name, None)
    if rest.get("connector") == "uniprot":
        return _construct(ReadRule, rest, "[[source.read]]")
    mapped = _construct(Mapped, told, "[[source.read]]", facts=facts, aliases=aliases, labels=labels)
    return _construct(ReadRule, rest, "[[source.read]]", mapped=mapped)


def _label(item: Mapping[str, object], folder: Path) -> LabelRule:
    _known("label", item, ("column", "identifier", "table", "key", "name"))
    texts = {key: value for key, value in item.items() if isinstance(value, str)}
    if len(texts) != 5:
        raise _bad("label", "the texts column, identifier, table, key and name are needed")
    names: dict[str, frozenset[str]] = {}
    path = folder / texts["table"]
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _bad(f"label table {shown(texts['table'])} cannot be read ({error.strerror})", "name a table") from None
    for cells in table_rows(path.name, data):
        if texts["key"] not in cells or texts["name"] not in cells:
            raise _bad("label", f"columns of the table are needed: {', '.join(cells)}")
        known = names.get(cells[texts["key"]], frozenset())
        names[cells[texts["key"]]] = known | {cells[texts["name"]].casefold()}
    return LabelRule(texts["column"], texts["identifier"], names)


def _construct(cls: type[T], item: Mapping[str, object], where: str, **made: object) -> T:
    """An instance of the rule; keys and types are checked against its fields."""
    declared = {entry.name: entry for entry in fields(cls) if entry.name not in made}  # type: ignore[arg-type]
    _known(where, item, tuple(declared))
    values: dict[str, Any] = dict(made)
    for name, entry in declared.items():
        if name in item:
            values[name] = _typed(str(entry.type), item[name], f"{where} {name}")
        elif entry.default is MISSING and entry.default_factory is MISSING:
            raise _bad(f"{where} has no `{name}`", "it is needed")
    return cls(**values)


def _typed(kind: str, value: object, where: str) -> object:
    if kind == "str" and isinstance(value, str):
        return value
    if kind == "bool" and isinstance(value, bool):
        return value
    if kind == "int" and type(value) is int:
        return value
    if kind.startswith("tuple") and isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(value)
    if kind.count("Mapping") == 2 and isinstance(value, dict):
        return {column: _typed("Mapping[str, str]", words, where) for column, words in value.items()}
    if where.endswith(" where") and isinstance(value, dict):
        _check_patterns(value, where)
    if kind.startswith("Mapping") and isinstance(value, dict) and all(isinstance(word, str) for word in value.values()):
        return value
    raise _bad(
        where, {"str": "a text", "bool": "true or false", "int": "a whole number"}.get(kind, "texts") + " is needed"
    )


def _check_patterns(value: Mapping[str, object], where: str) -> None:
    for pattern in value.values():
        fault = pattern_fault(str(pattern))
        if fault:
            raise _bad(f"{where} {shown(str(pattern))}: {fault}", "a regular expression is needed")


def _tables(document: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    value = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _bad(key, "a list of tables is needed")
    return value


def _table(document: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = document.get(key)
    if not isinstance(value, dict):
        raise _bad(key, "a table is needed")
    return value


def _known(where: str, item: Mapping[str, object], allowed: Sequence[str]) -> None:
    for key in item:
        if key not in allowed:
            raise _bad(f"{where} has an unknown key {shown(key)}", f"known are {', '.join(allowed)}")


def _bad(found: str, needed: str) -> Exception:
    return refusal("recipe", f"recipe: {found}", needed)
