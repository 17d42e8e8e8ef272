"""Library: which facts a selector asks for, and into which classes they fall (docs/adr/0004 steps a to c)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.floor.evidence import DIMENSIONS, Fact, PropertySpec
from assay.floor.identifiers import Ambiguous, Unknown, resolve
from assay.floor.store import Snapshot
from assay.floor.task import Selector

_BARRED_METHODS: Final = frozenset({"predicted"})


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
    prefix = entity.partition(":")[0]
    if all(_covering(snapshot, name, prefix, selector.releases) for name in sources):
        return Missing(no_entity=True, reason="only_superseded")
    return entity


def select(snapshot: Snapshot, selector: Selector, property_name: str) -> Selected | Missing:
    """The admitted facts of the property that match every named field and are not superseded."""
    entity = locate(snapshot, selector)
    if isinstance(entity, Missing):
        return entity
    if any(_matches(fact, selector) for fact, _ in snapshot.quarantined(entity, property_name)):
        # Never silently one-sided: a key with a quarantined row is not decided by the rows that are left.
        return Missing(no_entity=False, reason="quarantined")
    rows = snapshot.facts(entity, property_name)
    stated = [fact for fact in rows if _is_admitted(snapshot, fact)]
    if rows and not stated:
        return Missing(no_entity=False, reason="no_admitted_fact")
    matching = [fact for fact in stated if _matches(fact, selector)]
    if not matching:
        return Missing(no_entity=False, reason=_absence(stated, selector))
    prefix = entity.partition(":")[0]
    stating = {fact.source for fact in matching}
    falling = {name for name in stating if _falls(snapshot, name, stating, prefix, selector.releases)}
    fallen = tuple(fact for fact in matching if fact.source in falling)
    left = tuple(fact for fact in matching if fact.source not in falling)
    return Selected(entity, left, fallen) if left else Missing(no_entity=False, reason="superseded")


def _absence(stated: Sequence[Fact], selector: Selector) -> str:
    if not stated:
        return "no_property"
    # Facts that all need an argument, and none was named: the question is open, not the evidence.
    return "no_fact" if selector.argument or not all(fact.argument for fact in stated) else "under_specified"


def classes(snapshot: Snapshot, spec: PropertySpec, facts: Sequence[Fact]) -> tuple[tuple[str, ...], ...]:
    """The different classes of the facts: declared dimensions that divide, unit kind, and defined or not."""
    found = set()
    for fact in facts:
        row = snapshot.unit(fact.unit) if fact.unit else None
        marks = [dimension_of(fact, dimension) if dimension not in spec.competing else "" for dimension in DIMENSIONS]
        # A defined number is not compared with a measured one; no other difference of method divides.
        found.add((*marks, row.dimension if row else "", "defined" if fact.method == "defined" else ""))
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


def _is_admitted(snapshot: Snapshot, fact: Fact) -> bool:
    if fact.method in _BARRED_METHODS or fact.rank == "deprecated":
        return False
    rows = (snapshot.source(name) for name in (fact.source, fact.asserted_by) if name)
    return all(row is not None and row.credible and row.status != "retracted" for row in rows)


def _superseding(snapshot: Snapshot, name: str, releases: tuple[str, ...]) -> list[str]:
    """Every selected source that supersedes this one, transitively; those listed together with it do not."""
    if releases:
        return []
    found: list[str] = []
    frontier = list(snapshot.successors(name))
    while frontier:
        successor = frontier.pop()
        if successor not in found:
            found.append(successor)
            frontier.extend(snapshot.successors(successor))
    return found


def _is_live(snapshot: Snapshot, name: str) -> bool:
    row = snapshot.source(name)
    return row is not None and row.credible and row.status != "retracted"


def _covering(snapshot: Snapshot, name: str, prefix: str, releases: tuple[str, ...]) -> bool:
    """Whether a superseding source covers the namespace completely (and so would list the entity)."""
    for successor in _superseding(snapshot, name, releases):
        row = snapshot.source(successor)
        if (
            row is not None
            and row.coverage == "complete"
            and prefix in row.namespaces
            and _is_live(snapshot, successor)
        ):
            return True
    return False


def _falls(snapshot: Snapshot, name: str, stating: set[str], prefix: str, releases: tuple[str, ...]) -> bool:
    successors = _superseding(snapshot, name, releases)
    return any(successor in stating for successor in successors) or _covering(snapshot, name, prefix, releases)
