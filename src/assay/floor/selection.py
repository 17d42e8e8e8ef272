"""Library: which facts a selector asks for, and into which classes they fall (docs/adr/0004 steps a to c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.floor.evidence import DIMENSIONS, Fact, PropertySpec
from assay.floor.identifiers import Ambiguous, Unknown, resolve
from assay.floor.store import Snapshot
from assay.floor.supersession import Later, fallen_among, falls, is_admitted
from assay.floor.task import Selector
from assay.kernel.errors import InvalidPack


@dataclass(frozen=True, slots=True)
class Missing:
    """Nothing to compare: the state's word (`insufficient` or `no_entity`) and its reason."""

    no_entity: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Selected:
    """The entity, and the facts that are left after selection and supersession."""

    entity: str
    facts: tuple[Fact, ...]
    fallen: tuple[Fact, ...]


def locate(snapshot: Snapshot, selector: Selector) -> str | Missing:
    """The entity of the selector, if the selected sources hold it.

    NO_ENTITY where no selected source states anything of it, or only superseded complete sources do.
    """
    found = resolve(snapshot, selector.entity, selector.releases)
    if isinstance(found, Unknown):
        return Missing(no_entity=True, reason=found.reason)
    if isinstance(found, Ambiguous):
        return Missing(no_entity=False, reason="ambiguous_identifier")
    entity = found.entity
    sources = [name for name in snapshot.presence(entity) if not selector.releases or name in selector.releases]
    if not sources:
        return Missing(no_entity=True, reason="not_in_sources")
    if len(_later(snapshot, entity, selector).fallen(sources, ())) == len(sources):
        return Missing(no_entity=True, reason="only_superseded")
    return entity


def select(snapshot: Snapshot, selector: Selector, property_name: str, unit_kind: str = "") -> Selected | Missing:
    """The admitted facts of the property that match every named field and are not superseded.

    `unit_kind` is the dimension of the unit that the task names: facts in a unit of another one are not asked for.
    """
    entity = locate(snapshot, selector)
    if isinstance(entity, Missing):
        return entity
    rows = snapshot.facts(entity, property_name)
    stated = [fact for fact in rows if is_admitted(snapshot, fact)]
    matching = [fact for fact in stated if _matches(fact, selector)]
    hidden = [
        fact
        for fact, _ in snapshot.quarantined(entity, property_name)
        if is_admitted(snapshot, fact) and _matches(fact, selector)
    ]
    stating = (*matching, *hidden)
    falling = fallen_among(_later(snapshot, entity, selector), stating, stating)
    if not all(falls(fact, falling) for fact in hidden):
        # Never silently one-sided: a key with a quarantined row is not decided by the rows that are left.
        return Missing(no_entity=False, reason="quarantined")
    if rows and not stated:
        return Missing(no_entity=False, reason="no_admitted_fact")
    if not matching:
        return Missing(no_entity=False, reason=_absence(stated, selector))
    left = [fact for fact in matching if not falls(fact, falling)]
    if not left:
        return Missing(no_entity=False, reason="superseded")
    asked = [fact for fact in left if not unit_kind or not fact.unit or _unit_kind(snapshot, fact) == unit_kind]
    if not asked:
        return Missing(no_entity=False, reason="different_dimensions")
    fallen = tuple(fact for fact in matching if falls(fact, falling))
    return Selected(entity, tuple(asked), fallen)


def _later(snapshot: Snapshot, entity: str, selector: Selector) -> Later:
    return Later(snapshot, entity.partition(":")[0], selector.releases)


def _unit_kind(snapshot: Snapshot, fact: Fact) -> str:
    if not fact.unit:
        return ""
    row = snapshot.unit(fact.unit)
    if row is None:
        # Never dropped in silence: what is left would decide alone.
        raise InvalidPack(
            "pack.unit", f"fact `{fact.fact_id}` names a unit that the pack does not declare; check the pack"
        )
    return row.dimension


def _absence(stated: Sequence[Fact], selector: Selector) -> str:
    if not stated:
        return "no_property"
    # Facts that all need an argument, and none was named: the question is open, not the evidence.
    return "no_fact" if selector.argument or not all(fact.argument for fact in stated) else "under_specified"


def classes(snapshot: Snapshot, spec: PropertySpec, facts: Sequence[Fact]) -> tuple[tuple[str, ...], ...]:
    """The different classes of the facts: declared dimensions that divide, unit kind, and defined or not."""
    found = set()
    for fact in facts:
        marks = [dimension_of(fact, dimension) if dimension not in spec.competing else "" for dimension in DIMENSIONS]
        # A defined number is not compared with a measured one; no other difference of method divides.
        found.add((*marks, _unit_kind(snapshot, fact), "defined" if fact.method == "defined" else ""))
    return tuple(sorted(found))


def dimension_of(fact: Fact, dimension: str) -> str:
    """The fact's word in a declared dimension."""
    match dimension:
        case "referent":
            return fact.referent
        case "condition":
            return fact.condition
        case _:
            return fact.definition


def _matches(fact: Fact, selector: Selector) -> bool:
    return (
        fact.argument == selector.argument
        and (not selector.releases or fact.source in selector.releases)
        and (not selector.referent or fact.referent == selector.referent)
        and (not selector.condition or fact.condition == selector.condition)
        and (not selector.definition or fact.definition == selector.definition)
        and (not selector.method or fact.method == selector.method)
    )
