"""Library: what was looked up and which rule was applied, kept while a state is established (docs/adr/0016).

The rows that were read are a slice of the snapshot; `establish` over the slice gives the same state, so a derivation
is its own proof: whoever holds it can decide again without the pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from assay.floor.evidence import Alias, Fact, Namespace, Opened, PropertySpec, Source, UnitRow
from assay.floor.store import Snapshot
from assay.kernel.errors import Fault

_K = TypeVar("_K")
_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class Step:
    """One rule applied: its name, what came of it in plain words, and the facts it looked at."""

    rule: str
    result: str
    facts: tuple[str, ...] = ()


@dataclass(slots=True)
class Trail:
    """The steps of one establishment, in order."""

    steps: list[Step] = field(default_factory=list)

    def note(self, rule: str, result: str, facts: Sequence[Fact] = ()) -> None:
        """Add a step."""
        self.steps.append(Step(rule, result, tuple(fact.fact_id for fact in facts)))


@dataclass(frozen=True, slots=True)
class EvidenceSlice:
    """Every look-up that was made, with its rows: enough to establish the same state again.

    Keys are the arguments of the look-up; a look-up that found nothing is there with no rows.
    """

    digest: str
    opened: Opened
    facts: dict[tuple[str, str], tuple[Fact, ...]] = field(default_factory=dict)
    quarantined: dict[tuple[str, str], tuple[tuple[Fact, str], ...]] = field(default_factory=dict)
    presence: dict[str, tuple[str, ...]] = field(default_factory=dict)
    properties_of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: dict[str, tuple[Alias, ...]] = field(default_factory=dict)
    property_specs: dict[str, PropertySpec | None] = field(default_factory=dict)
    sources: dict[str, Source | None] = field(default_factory=dict)
    successors: dict[str, tuple[str, ...]] = field(default_factory=dict)
    units: dict[str, UnitRow | None] = field(default_factory=dict)
    units_of: dict[str, tuple[UnitRow, ...]] = field(default_factory=dict)
    namespaces: dict[str, Namespace | None] = field(default_factory=dict)
    all_namespaces: list[tuple[Namespace, ...]] = field(default_factory=list)


class RecordingSnapshot:
    """A snapshot that keeps every row it hands out in a slice."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.slice = EvidenceSlice(snapshot.digest, snapshot.opened)

    @property
    def digest(self) -> str:
        return self._snapshot.digest

    @property
    def opened(self) -> Opened:
        return self._snapshot.opened

    def facts(self, entity: str, property_name: str) -> Sequence[Fact]:
        key = entity, property_name
        if key not in self.slice.facts:
            self.slice.facts[key] = tuple(self._snapshot.facts(entity, property_name))
        return self.slice.facts[key]

    def quarantined(self, entity: str, property_name: str) -> Sequence[tuple[Fact, str]]:
        key = entity, property_name
        if key not in self.slice.quarantined:
            self.slice.quarantined[key] = tuple(self._snapshot.quarantined(entity, property_name))
        return self.slice.quarantined[key]

    def presence(self, entity: str) -> Sequence[str]:
        if entity not in self.slice.presence:
            self.slice.presence[entity] = tuple(self._snapshot.presence(entity))
        return self.slice.presence[entity]

    def properties_of(self, entity: str) -> Sequence[str]:
        if entity not in self.slice.properties_of:
            self.slice.properties_of[entity] = tuple(self._snapshot.properties_of(entity))
        return self.slice.properties_of[entity]

    def aliases(self, alias: str) -> Sequence[Alias]:
        if alias not in self.slice.aliases:
            self.slice.aliases[alias] = tuple(self._snapshot.aliases(alias))
        return self.slice.aliases[alias]

    def property_spec(self, name: str) -> PropertySpec | None:
        if name not in self.slice.property_specs:
            self.slice.property_specs[name] = self._snapshot.property_spec(name)
        return self.slice.property_specs[name]

    def source(self, name: str) -> Source | None:
        if name not in self.slice.sources:
            self.slice.sources[name] = self._snapshot.source(name)
        return self.slice.sources[name]

    def successors(self, name: str) -> Sequence[str]:
        if name not in self.slice.successors:
            self.slice.successors[name] = tuple(self._snapshot.successors(name))
        return self.slice.successors[name]

    def unit(self, name: str) -> UnitRow | None:
        if name not in self.slice.units:
            self.slice.units[name] = self._snapshot.unit(name)
        return self.slice.units[name]

    def units_of(self, dimension: str) -> Sequence[UnitRow]:
        if dimension not in self.slice.units_of:
            self.slice.units_of[dimension] = tuple(self._snapshot.units_of(dimension))
        return self.slice.units_of[dimension]

    def namespace(self, name: str) -> Namespace | None:
        if name not in self.slice.namespaces:
            self.slice.namespaces[name] = self._snapshot.namespace(name)
        return self.slice.namespaces[name]

    def namespaces(self) -> Sequence[Namespace]:
        if not self.slice.all_namespaces:
            self.slice.all_namespaces.append(tuple(self._snapshot.namespaces()))
        return self.slice.all_namespaces[0]


class SliceSnapshot:
    """A slice as a snapshot; a look-up that the slice does not hold is a fault, never an absence."""

    def __init__(self, held: EvidenceSlice) -> None:
        self._held = held

    @property
    def digest(self) -> str:
        return self._held.digest

    @property
    def opened(self) -> Opened:
        return self._held.opened

    def facts(self, entity: str, property_name: str) -> Sequence[Fact]:
        return _held(self._held.facts, (entity, property_name))

    def quarantined(self, entity: str, property_name: str) -> Sequence[tuple[Fact, str]]:
        return _held(self._held.quarantined, (entity, property_name))

    def presence(self, entity: str) -> Sequence[str]:
        return _held(self._held.presence, entity)

    def properties_of(self, entity: str) -> Sequence[str]:
        return _held(self._held.properties_of, entity)

    def aliases(self, alias: str) -> Sequence[Alias]:
        return _held(self._held.aliases, alias)

    def property_spec(self, name: str) -> PropertySpec | None:
        return _held(self._held.property_specs, name)

    def source(self, name: str) -> Source | None:
        return _held(self._held.sources, name)

    def successors(self, name: str) -> Sequence[str]:
        return _held(self._held.successors, name)

    def unit(self, name: str) -> UnitRow | None:
        return _held(self._held.units, name)

    def units_of(self, dimension: str) -> Sequence[UnitRow]:
        return _held(self._held.units_of, dimension)

    def namespace(self, name: str) -> Namespace | None:
        return _held(self._held.namespaces, name)

    def namespaces(self) -> Sequence[Namespace]:
        if not self._held.all_namespaces:
            raise Fault("fault.slice", "the derivation lacks the namespaces that were looked up; it is incomplete")
        return self._held.all_namespaces[0]


def _held(rows: dict[_K, _V], key: _K) -> _V:
    if key not in rows:
        raise Fault("fault.slice", "the derivation lacks a row that the rules look up; it is incomplete")
    return rows[key]
