"""Library: from the facts of one selector to one agreed reading, or to the state that says why not (docs/adr/0004)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from assay.floor.agreement import all_equal, any_incompatible
from assay.floor.computations import computed_from
from assay.floor.evidence import Fact, PropertySpec
from assay.floor.readings import Reading, read
from assay.floor.selection import Missing, Selected, classes, locate, select
from assay.floor.store import Snapshot
from assay.floor.supersession import Later
from assay.floor.task import Selector
from assay.floor.trail import Trail
from assay.kernel.denotation import SEPARATOR, denote
from assay.kernel.kinds import DecimalKind
from assay.kernel.numbers import Ratio
from assay.kernel.states import Conflict, Insufficient, NoEntity

TWO: Final[Ratio] = (2, 1)

# One fact to one reading; None where the fact does not carry what is computed.
Transform = Callable[[Fact], Reading | None]
# A reading's point on the task's grid, as canonical text; None where it has none.
Point = Callable[[Reading], str | None]


@dataclass(frozen=True, slots=True)
class Agreed:
    """The readings that state the one value; all lie on one point of the task's grid."""

    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The readings of one class that are left to compare, and their property."""

    entity: str
    spec: PropertySpec
    readings: tuple[Reading, ...]


Undecided = Insufficient | Conflict | NoEntity
Decision = Agreed | Undecided


def gather(
    snapshot: Snapshot,
    selector: Selector,
    trail: Trail,
    transform: tuple[str, Transform] | None = None,
    unit_kind: str = "",
) -> Gathered | Undecided:
    """Steps a to e: the comparable readings of the selector, or the state where there are none.

    `transform` names the property that is really read and how a reading is computed from each of its facts;
    `unit_kind` is the dimension of the unit that the task names.
    """
    spec = snapshot.property_spec(selector.property)
    if spec is None:
        found = locate(snapshot, selector)
        state = _state(found) if isinstance(found, Missing) else Insufficient("no_property")
        trail.note("select", state.reason)
        return state
    how = transform or computed_from(spec)
    missing: Missing | None = None
    readings: list[Reading] = []
    facts: list[Fact] = []
    entity = ""
    if transform is None:
        stated = select(snapshot, selector, spec.property, unit_kind)
        if isinstance(stated, Selected):
            entity, facts = stated.entity, [*stated.facts]
            readings = _read_all(snapshot, spec, stated.facts)
        else:
            missing = stated
    # A quarantined row is not stepped round by computing the value instead.
    if how is not None and (missing is None or missing.reason != "quarantined"):
        base, compute = how
        inner = select(snapshot, selector, base)
        if isinstance(inner, Selected):
            entity, missing = inner.entity, None
            facts += inner.facts
            computed = [compute(fact) for fact in inner.facts]
            given = [reading for reading in computed if reading is not None]
            readings += given
            if given and len(given) < len(computed):
                # One source has what another lacks: to drop the silent one would hide that they differ.
                trail.note(f"compute {spec.property}", "not_in_every_source", inner.facts)
                return Insufficient("not_in_every_source")
            trail.note(f"compute {spec.property}", f"{len(computed)} from `{base}`", inner.facts)
        elif not readings or inner.reason == "quarantined":
            readings, missing = [], inner
    if not readings:
        state = Insufficient("no_fact") if missing is None else _state(missing)
        trail.note("select", state.reason)
        return state
    facts, readings = _without_fallen(snapshot, entity, selector, facts, readings)
    trail.note("select", f"{len(facts)} facts of `{entity}`", facts)
    if spec.kind == "quantity" and any(not fact.unit for fact in facts):
        # A number without its unit is not read in the unit that most sources use.
        trail.note("convert", "no_unit", facts)
        return Insufficient("no_unit")
    found_classes = classes(snapshot, spec, facts)
    if len(found_classes) > 1:
        trail.note("divide", f"{len(found_classes)} classes", facts)
        return Insufficient("under_specified")
    return Gathered(entity, spec, tuple(readings))


def _without_fallen(
    snapshot: Snapshot, entity: str, selector: Selector, facts: list[Fact], readings: list[Reading]
) -> tuple[list[Fact], list[Reading]]:
    """A stated value falls to a later source from which the value is computed, and the reverse."""
    names = {fact.source for fact in facts}
    fallen = Later(snapshot, entity.partition(":")[0], selector.releases).fallen(names, names)
    return (
        [fact for fact in facts if fact.source not in fallen],
        [reading for reading in readings if all(fact.source not in fallen for fact in reading.facts)],
    )


def settle_readings(snapshot: Snapshot, gathered: Gathered, point: Point, trail: Trail) -> Decision:
    """Steps f and g: one value, a conflict, or neither."""
    readings = gathered.readings
    facts = [fact for reading in readings for fact in reading.facts]
    if all_equal(readings, point):
        trail.note("equal", f"{len(readings)} readings on one point of the grid", facts)
        return Agreed(readings)
    if not are_comparable(snapshot, gathered):
        trail.note("compare sets", "sets compare whole only where each source is complete", facts)
        return Insufficient("incomplete_sets")
    if any_incompatible(readings, TWO):
        trail.note("incompatible at k=2", "a pair of readings contradicts", facts)
        return Conflict("incompatible")
    for name in gathered.spec.prefer:
        preferred = tuple(reading for reading in readings if reading.witness == name)
        if preferred and all_equal(preferred, point):
            trail.note("prefer", f"the pack prefers `{name}`", [fact for r in preferred for fact in r.facts])
            return Agreed(preferred)
    reason = "truncated" if any(reading.truncated for reading in readings) else "compatible_not_equal"
    trail.note("compatible at k=2", reason, facts)
    return Insufficient(reason)


def decide(  # noqa: PLR0913 (what is asked, on which grid, where it is noted, and how it is read)
    snapshot: Snapshot,
    selector: Selector,
    point: Point,
    trail: Trail,
    transform: tuple[str, Transform] | None = None,
    *,
    unit_kind: str = "",
) -> Decision:
    """Steps a to g for one selector."""
    gathered = gather(snapshot, selector, trail, transform, unit_kind)
    return settle_readings(snapshot, gathered, point, trail) if isinstance(gathered, Gathered) else gathered


def _state(missing: Missing) -> Undecided:
    return NoEntity(missing.reason) if missing.no_entity else Insufficient(missing.reason)


def _read_all(snapshot: Snapshot, spec: PropertySpec, facts: Sequence[Fact]) -> list[Reading]:
    if spec.cardinality != "many":
        return [read(snapshot, spec, fact) for fact in facts]
    # Cardinality many: what one witness states in one source is one set; sets of two files are never merged.
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((fact.source, fact.witness), []).append(fact)
    return [_set(spec, witness, group) for (_, witness), group in sorted(groups.items())]


def _set(spec: PropertySpec, witness: str, group: list[Fact]) -> Reading:
    members = {_member(spec, fact.value) for fact in group}
    return Reading(tuple(group), witness, text=SEPARATOR.join([*sorted(members), ""]))


def _member(spec: PropertySpec, text: str) -> str:
    if (spec.element if spec.kind == "set" else spec.kind) != "decimal":
        return text
    # 1.0 and 1 are one member.
    canonical = denote(DecimalKind(), text)
    return canonical if isinstance(canonical, str) else text


def are_comparable(snapshot: Snapshot, gathered: Gathered) -> bool:
    """Whether readings of one class may be compared: sets compare whole, only where each source is complete."""
    if gathered.spec.cardinality != "many" or len(gathered.readings) < 2:
        return True
    return are_complete(snapshot, gathered.readings)


def are_complete(snapshot: Snapshot, readings: Sequence[Reading]) -> bool:
    """Whether every source of the readings says that it is complete."""
    rows = [snapshot.source(fact.source) for reading in readings for fact in reading.facts]
    return all(row is not None and row.coverage == "complete" for row in rows)
