"""Pipes: a recipe's mapping from rows of cells to facts and aliases (spec/pack.md §9)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from assay.floor.evidence import Alias, Fact
from assay.packs.connectors.base import SetAside, Statement, draft
from assay.packs.connectors.spelling import Spelt, read_number
from assay.packs.connectors.tabular import Row
from assay.packs.connectors.templates import fill


@dataclass(frozen=True, slots=True)
class FactRule:
    """One property from one column; every text but `property` and `column` is a template."""

    property: str
    column: str
    value: str = "{}"
    number: bool = False
    significant: int = 0
    split: str = ""
    decode: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""
    units: Mapping[str, str] = field(default_factory=dict)  # the source's word → ours
    uncertainty: str = ""  # a column; for `asymmetric` two, upper and lower, separated by `|`
    uncertainty_kind: str = ""
    uncertainty_words: Mapping[str, str] = field(default_factory=dict)  # the cell's word → a kind without a number
    argument: str = ""
    referent: str = ""
    condition: str = ""
    definition: str = ""
    method: str = "stated"
    methods: Mapping[str, str] = field(default_factory=dict)  # the uncertainty's kind → a method
    asserted_by: str = ""
    rank: str = "normal"
    entity: str = ""


@dataclass(frozen=True, slots=True)
class AliasRule:
    """One kind of alias from one column."""

    column: str
    kind: str
    alias: str = "{}"
    split: str = ""
    missing: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    entity: str = ""


@dataclass(frozen=True, slots=True)
class LabelRule:
    """A column whose text must be a name that a trusted table gives to the identifier in another column."""

    column: str
    identifier: str
    names: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a recipe says of one file."""

    entity: str = ""
    facts: tuple[FactRule, ...] = ()
    aliases: tuple[AliasRule, ...] = ()
    labels: tuple[LabelRule, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # gives a further cell, `column.word`


def map_row(mapped: Mapped, row: Row, source: str) -> Iterator[Statement]:
    """The statements of one row; the facts of a row whose label contradicts its identifier are set aside."""
    if not _meets(mapped.where, row):
        return
    for column, words in mapped.words.items():
        row = replace(row, cells={**row.cells, f"{column}.word": words.get(row.cell(column), "")})
    doubt = next((reason for rule in mapped.labels if (reason := _contradiction(rule, row))), "")
    for rule in mapped.facts:
        if _meets(rule.where, row):
            for fact in _facts(rule, row, fill(rule.entity or mapped.entity, row.cells), source):
                yield SetAside(fact, doubt) if doubt else fact
    for name in mapped.aliases:
        if _meets(name.where, row):
            for piece, start, end in _pieces(row.cell(name.column), name.split, name.missing):
                entity = "" if name.kind == "deleted" else fill(name.entity or mapped.entity, row.cells, piece)
                alias = fill(name.alias, row.cells, piece)
                if alias != entity:
                    yield Alias(alias, entity, name.kind, source, row.locator(name.column, start, end))


def _facts(rule: FactRule, row: Row, entity: str, source: str) -> Iterator[Fact]:
    for piece, start, end in _pieces(row.cell(rule.column), rule.split, rule.missing):
        spelt = (
            read_number(piece, rule.significant)
            if rule.number
            else Spelt(fill(rule.value, row.cells, rule.decode.get(piece, piece)))
        )
        # What is no number stays as it is: the build sets it aside by name.
        spelt = spelt or Spelt(piece)
        spread, kind = _uncertainty(rule, row)
        unit = fill(rule.unit, row.cells, piece)
        yield draft(
            entity,
            rule.property,
            source,
            value=spelt.value,
            lower=spelt.lower,
            upper=spelt.upper,
            bounds=spelt.bounds,
            unit=rule.units.get(unit, unit),
            uncertainty=spread,
            uncertainty_kind=kind,
            argument=fill(rule.argument, row.cells, piece),
            referent=fill(rule.referent, row.cells, piece),
            condition=fill(rule.condition, row.cells, piece),
            definition=fill(rule.definition, row.cells, piece),
            method=rule.methods.get(kind, rule.method),
            asserted_by=fill(rule.asserted_by, row.cells, piece),
            rank=rule.rank,
            locator=row.locator(rule.column, start, end),
            raw="" if rule.column == "sequence" else piece,
        )


def _uncertainty(rule: FactRule, row: Row) -> tuple[str, str]:
    if not rule.uncertainty:
        return "", rule.uncertainty_kind
    cells = [row.cell(column).strip() for column in rule.uncertainty.split("|")]
    if cells[0] in rule.uncertainty_words:
        return "", rule.uncertainty_words[cells[0]]
    if any(cell in ("", *rule.missing) for cell in cells):
        return "", ""
    spreads = [read_number(cell, rule.significant) for cell in cells]
    texts = [cell if spread is None else spread.value for spread, cell in zip(spreads, cells, strict=True)]
    if len(texts) == 2 and texts[0] == texts[1]:
        return texts[0], "standard"
    return " ".join(texts), rule.uncertainty_kind or ("asymmetric" if len(texts) == 2 else "standard")


def _pieces(cell: str, split: str, missing: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """The pieces of a cell with their places, without outer space; blanks and missing tokens give nothing."""
    at = 0
    for part in cell.split(split) if split else [cell]:
        piece = part.strip()
        if piece and piece not in missing:
            start = at + part.index(piece)
            yield piece, start, start + len(piece)
        at += len(part) + len(split)


def _meets(where: Mapping[str, str], row: Row) -> bool:
    return all(re.fullmatch(pattern, row.cell(column)) is not None for column, pattern in where.items())


def _contradiction(rule: LabelRule, row: Row) -> str:
    identifier, label = row.cell(rule.identifier), row.cell(rule.column)
    names = rule.names.get(identifier)
    if names is None or label.casefold() in names:
        return ""
    return f"label `{label}` contradicts identifier `{identifier}`, which is `{min(names)}`"
