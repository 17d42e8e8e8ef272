"""Pipes: facts, quarantined rows and aliases, each checked against the declarations (spec/pack.md §4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from assay.floor.evidence import ALIAS_KINDS, METHODS, RANKS, UNCERTAINTY_KINDS, Fact, PropertySpec
from assay.packs.csvtable import Table
from assay.packs.declarations import Declarations
from assay.packs.limits import MAX_NAME, MAX_POLYMER, MAX_TEXT
from assay.packs.locators import parse_locator
from assay.packs.refusal import refusal, shown
from assay.packs.rows import FACTS, alias_of, fact_of
from assay.packs.values import implausible, uncertainty_fault, value_fault

OnRow = Callable[[int], None]  # told how many rows are done, now and then
CURIE: Final = re.compile(r"[A-Za-z][A-Za-z0-9._-]*:[!-~]+").fullmatch
_FACT_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}").fullmatch
_STEP: Final = 10_000
LOCATOR_FORMS: Final = "`bytes=START-END` or `row=COLUMN:KEY;column=NAME` is needed where the source has a file"
# May lead outside the pack: what counts is that they do not lead to one entity of it.
OUTWARD: Final = frozenset({"demerged", "split"})

Key = tuple[str, ...]


def check_statements(tables: Mapping[str, Table], declared: Declarations, on_row: OnRow = lambda _: None) -> None:
    """Refuse the first fact, quarantined row or alias that is wrong, by file, line and name.

    Raises:
        InvalidPack: with the file, the line, what was found and what is needed.
    """
    ids: set[str] = set()
    entities = _check_facts(tables["facts"], declared, ids, on_row)
    if "quarantine" in tables:
        entities |= _check_quarantine(tables["quarantine"], declared, ids, on_row)
    if "aliases" in tables:
        _check_aliases(tables["aliases"], declared, entities, on_row)


def fact_fault(fact: Fact, declared: Declarations) -> tuple[str, str]:
    """The code and the words of what is wrong with one fact; two empty texts where nothing is."""
    code, words = _frame_fault(fact, declared)
    if words:
        return code, words
    spec = declared.properties[fact.property]
    if spec.origin == "computed":
        return "origin", f"property `{fact.property}` is computed; a fact states a stated property"
    words = value_fault(spec, fact)
    if words:
        return ("unit" if words.startswith("unit") else "value"), words
    words = uncertainty_fault(spec, fact)
    if words:
        return "uncertainty", words
    return "implausible", implausible(spec, fact, declared.units)


def _frame_fault(fact: Fact, declared: Declarations) -> tuple[str, str]:
    """What is wrong with a fact apart from its value: holds for quarantined rows too."""
    if _FACT_ID(fact.fact_id) is None:
        return "cell", f"fact_id {shown(fact.fact_id)}; a word of letters, digits, `.`, `_`, `-` is needed"
    if CURIE(fact.entity) is None or len(fact.entity) > MAX_NAME:
        return "cell", f"entity {shown(fact.entity)}; a CURIE such as `uniprot:P69905` is needed"
    spec = declared.properties.get(fact.property)
    if spec is None:
        return "dangling", f"property {shown(fact.property)} is not declared in the table `properties`"
    for dimension, word, words in (
        ("referent", fact.referent, spec.referents),
        ("condition", fact.condition, spec.conditions),
        ("definition", fact.definition, spec.definitions),
    ):
        if word and word not in words:
            return (
                "word",
                f"{dimension} {shown(word)}; one of {', '.join(words) or 'none'} is declared for `{fact.property}`",
            )
    for column, word, allowed in (
        ("method", fact.method, METHODS),
        ("rank", fact.rank, RANKS),
        ("uncertainty_kind", fact.uncertainty_kind, UNCERTAINTY_KINDS),
    ):
        if word not in allowed:
            return "word", f"{column} {shown(word)}; one of {', '.join(allowed)} is needed"
    if len(fact.argument) > MAX_NAME or fact.argument != fact.argument.strip():
        return "cell", f"argument {shown(fact.argument)}; at most {MAX_NAME} characters without padding are needed"
    return _source_fault(fact, spec, declared)


def _source_fault(fact: Fact, spec: PropertySpec, declared: Declarations) -> tuple[str, str]:
    source = declared.sources.get(fact.source)
    if source is None:
        return "dangling", f"source {shown(fact.source)} is not declared in the table `sources`"
    if fact.asserted_by and fact.asserted_by not in declared.sources:
        return "dangling", f"asserted_by {shown(fact.asserted_by)} is not declared in the table `sources`"
    if bool(fact.locator) != bool(source.file):
        needed = "is needed into the source's file" if source.file else "needs a source with a file"
        return "locator", f"locator {shown(fact.locator)}: a locator {needed}"
    if fact.locator and parse_locator(fact.locator) is None:
        return "locator", f"locator {shown(fact.locator)}; {LOCATOR_FORMS}"
    longest = MAX_POLYMER if spec.kind == "polymer" else MAX_TEXT
    if len(fact.raw) > longest:
        return "size", f"raw of {len(fact.raw)} characters; at most {longest} are kept"
    return "", ""


def _check_facts(table: Table, declared: Declarations, ids: set[str], on_row: OnRow) -> set[str]:
    entities: set[str] = set()
    keys: dict[Key, int] = {}
    for index in range(len(table)):
        fact = fact_of(table.row(index))
        code, words = fact_fault(fact, declared)
        if words:
            raise refusal(
                code,
                f"{table.at(index)} fact {shown(fact.fact_id)}: {words}",
                "correct the row or build the pack again",
            )
        _check_id(table, index, fact, ids)
        spec = declared.properties[fact.property]
        key: Key = (
            fact.entity,
            fact.property,
            fact.argument,
            fact.referent,
            fact.condition,
            fact.definition,
            fact.method,
            fact.source,
            fact.asserted_by,
        )
        if spec.cardinality == "many":
            key = (*key, fact.value)
        if key in keys:
            first = f"a second value under one key (the first is in line {keys[key] + 2})"
            found = f"{table.at(index)} fact {shown(fact.fact_id)}: {first}"
            raise refusal("key", found, "one source says one thing; name a dimension that tells them apart or drop one")
        keys[key] = index
        entities.add(fact.entity)
        if index % _STEP == 0:
            on_row(index)
    return entities


def _check_quarantine(table: Table, declared: Declarations, ids: set[str], on_row: OnRow) -> set[str]:
    entities: set[str] = set()
    for index in range(len(table)):
        cells = table.row(index)
        fact, reason = fact_of(cells), cells[len(FACTS)]
        code, words = _frame_fault(fact, declared)
        if not words and (not reason or len(reason) > MAX_TEXT):
            code, words = (
                "cell",
                f"reason {shown(reason)}; why the row is set aside is needed, in at most {MAX_TEXT} characters",
            )
        if words:
            raise refusal(
                code,
                f"{table.at(index)} fact {shown(fact.fact_id)}: {words}",
                "correct the row or build the pack again",
            )
        _check_id(table, index, fact, ids)
        entities.add(fact.entity)
        if index % _STEP == 0:
            on_row(index)
    return entities


def _check_id(table: Table, index: int, fact: Fact, ids: set[str]) -> None:
    if fact.fact_id in ids:
        raise refusal(
            "duplicate", f"{table.at(index)}: fact_id {shown(fact.fact_id)} stands twice", "give each row its own"
        )
    ids.add(fact.fact_id)


def _check_aliases(table: Table, declared: Declarations, entities: set[str], on_row: OnRow) -> None:
    seen: set[Key] = set()
    for index in range(len(table)):
        alias = alias_of(table.row(index))
        source = declared.sources.get(alias.source)
        text = alias.alias
        if not text or len(text) > MAX_NAME * 2 or text != text.strip() or text == alias.entity:
            code, words = "cell", "a text of 1 to 256 characters without padding, other than the entity, is needed"
        elif alias.kind not in ALIAS_KINDS:
            code, words = "word", f"kind {shown(alias.kind)}; one of {', '.join(ALIAS_KINDS)} is needed"
        elif bool(alias.entity) == (alias.kind == "deleted"):
            code, words = "cell", f"entity {shown(alias.entity)}; a deleted identifier, and only one, leads to nothing"
        elif alias.entity and CURIE(alias.entity) is None:
            code, words = "cell", f"entity {shown(alias.entity)}; a CURIE is needed"
        elif alias.entity and alias.entity not in entities and alias.kind not in OUTWARD:
            code, words = "dangling", f"entity {shown(alias.entity)}, of which the pack states nothing"
        elif source is None:
            code, words = "dangling", f"source {shown(alias.source)} is not declared in the table `sources`"
        elif bool(alias.locator) != bool(source.file) or (alias.locator and parse_locator(alias.locator) is None):
            code, words = (
                "locator",
                f"locator {shown(alias.locator)}; {LOCATOR_FORMS}",
            )
        elif (key := (text, alias.entity, alias.kind, alias.source)) in seen:
            code, words = "duplicate", "the row stands twice; keep one"
        else:
            seen.add(key)
            if index % _STEP == 0:
                on_row(index)
            continue
        raise refusal(
            code, f"{table.at(index)} alias {shown(text)}: {words}", "correct the row or build the pack again"
        )
