"""Library: the evidence shape of a task: which rows exist, not what they say (spec/card.md §1; docs/adr/0006).

INVARIANT: no value, bound, unit, uncertainty, rank, status, digest, locator or count of rows gets in here. How many
members a set has can be the answer, and two rows under one key can be a disagreement.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, assert_never

from assay.floor.answers import selectors
from assay.floor.computations import computed_from
from assay.floor.evidence import DIMENSIONS, Fact, PropertySpec
from assay.floor.identifiers import Ambiguous, Resolved, Unknown, resolve
from assay.floor.store import Snapshot
from assay.floor.task import Selector, Task
from assay.floor.trail import RecordingSnapshot

# The names that a pack gives to what derivations read (spec/pack.md §7).
SEQUENCE: Final = "sequence"
CHAIN: Final = "chain"
MEMBER: Final = "member"


@dataclass(frozen=True, slots=True, order=True)
class RowKey:
    """That at least one row under this key exists."""

    property: str
    argument: str
    referent: str
    condition: str
    definition: str
    method: str
    source: str


@dataclass(frozen=True, slots=True)
class SideShape:
    """What exists for one selector of a task. `kind` is empty where the pack declares no such property."""

    selector: Selector
    kind: str
    cardinality: str
    computation: str  # how a computed property is computed, by name
    known_to: tuple[str, ...]
    rows: tuple[RowKey, ...]
    fields: tuple[str, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources of the rows; sorted."""
        return tuple(sorted({row.source for row in self.rows}))


@dataclass(frozen=True, slots=True)
class EvidenceShape:
    """What exists for each selector of a task, in the task's order."""

    sides: tuple[SideShape, ...]


def shape_of(snapshot: Snapshot, task: Task) -> EvidenceShape:
    """The shape of the evidence that the task asks about."""
    return EvidenceShape(tuple(_side(snapshot, task, selector) for selector in selectors(task)))


def _side(snapshot: Snapshot, task: Task, selector: Selector) -> SideShape:
    spec = snapshot.property_spec(selector.property) if selector.property else None
    known_to, entities = _reached(snapshot, selector)
    keys = {_key(fact) for asked in _reads(task, selector, spec) for fact in _matching(snapshot, entities, asked)}
    return SideShape(
        selector,
        spec.kind if spec else "",
        spec.cardinality if spec else "",
        spec.computed_by.partition("(")[0] if spec else "",
        known_to,
        tuple(sorted(keys)),
        _fields(task, selector, spec, keys),
    )


def _reads(task: Task, selector: Selector, spec: PropertySpec | None) -> tuple[Selector, ...]:
    """What the task's class reads for the selector: one selector for each property."""
    match task.derivation:
        case "mass" | "composition":
            argument = "" if task.derivation == "composition" else selector.argument
            chain = Selector(selector.entity, CHAIN, argument, releases=selector.releases)
            sequence = Selector(selector.entity, SEQUENCE, releases=selector.releases)
            return (sequence, chain) if selector.referent == "mature" else (sequence,)
        case "mature_length":
            return (replace(selector, property=selector.property or CHAIN),)
        case "residue_at":
            return (replace(selector, property=selector.property or SEQUENCE, argument=""),)
        case "sum" | "argmax":
            return (Selector(selector.entity, MEMBER, releases=selector.releases),)
        case _:
            pass
    if spec is None:
        # Rows of a property that is not declared are refused at load; an absent property has none.
        return ()
    if task.task_class == "count" and spec.kind == "polymer":
        return (replace(selector, argument=""),)
    how = computed_from(spec)
    return (selector,) if how is None else (selector, replace(selector, property=how[0]))


def _reached(snapshot: Snapshot, selector: Selector) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sources that know the written identifier, and every entity it leads to."""
    recorder = RecordingSnapshot(snapshot)
    found = resolve(recorder, selector.entity, selector.releases)
    texts = tuple(recorder.slice.aliases)
    entities = _targets(found)
    if isinstance(found, Unknown) and found.reason == "version":
        # Which version is held is a value: look where the identifier leads without it.
        entities = tuple(entity for text in texts for entity in _targets(resolve(snapshot, text, selector.releases)))
    sources = {row.source for rows in recorder.slice.aliases.values() for row in rows}
    sources.update(name for text in texts for name in snapshot.presence(text))
    if selector.releases:
        sources.intersection_update(selector.releases)
    return tuple(sorted(sources)), entities


def _targets(found: Resolved | Ambiguous | Unknown) -> tuple[str, ...]:
    match found:
        case Resolved(entity):
            return (entity,)
        case Ambiguous(candidates):
            return candidates
        case Unknown():
            return ()
        case _:
            assert_never(found)


def _rows(snapshot: Snapshot, entity: str, name: str) -> Iterable[Fact]:
    """The rows of the entity's property; whether one is quarantined depends on what it says, so all are rows."""
    yield from snapshot.facts(entity, name)
    for fact, _ in snapshot.quarantined(entity, name):
        yield fact


def _matching(snapshot: Snapshot, entities: Iterable[str], asked: Selector) -> list[Fact]:
    """The rows that match what is named; where no argument is named and every row has one, all of them."""
    rows = [fact for entity in entities for fact in _rows(snapshot, entity, asked.property) if _matches(fact, asked)]
    exact = [fact for fact in rows if fact.argument == asked.argument]
    return exact if exact or asked.argument else rows


def _key(fact: Fact) -> RowKey:
    return RowKey(
        fact.property, fact.argument, fact.referent, fact.condition, fact.definition, fact.method, fact.source
    )


def _matches(fact: Fact, asked: Selector) -> bool:
    if asked.releases and fact.source not in asked.releases:
        return False
    named = (
        (asked.referent, fact.referent),
        (asked.condition, fact.condition),
        (asked.definition, fact.definition),
        (asked.method, fact.method),
    )
    return all(not word or word == found for word, found in named)


def _fields(task: Task, selector: Selector, spec: PropertySpec | None, keys: Iterable[RowKey]) -> tuple[str, ...]:
    """What the task's owner may name, so that the question has one sense."""
    rows = tuple(keys)
    arguments = {row.argument for row in rows} - {""}
    # A derivation takes the only chain there is; whoever asks for the property itself names which.
    enough = 1 if task.derivation in ("", "difference") else 2
    argument = ("argument",) if len(arguments) >= enough and not selector.argument else ()
    if task.derivation == "mass":
        return argument if selector.definition else (*argument, "definition")
    if spec is None:
        return argument
    words = {
        "referent": (selector.referent, {row.referent for row in rows}),
        "condition": (selector.condition, {row.condition for row in rows}),
        "definition": (selector.definition, {row.definition for row in rows}),
    }
    dimensions = (
        name for name in DIMENSIONS if name not in spec.competing and not words[name][0] and len(words[name][1]) > 1
    )
    return (*argument, *dimensions)
