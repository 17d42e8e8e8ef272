"""Desk: the keys of a pack where its facts disagree, found by a full scan; for the pack's owner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from assay.api.wiring import pack_path
from assay.floor.decide import decide
from assay.floor.evidence import Fact
from assay.floor.points import exact_point
from assay.floor.store import Snapshot
from assay.floor.task import Selector
from assay.floor.trail import Trail
from assay.kernel.states import Conflict
from assay.packs import loader
from assay.packs.loader import Progress, silent
from assay.packs.rows import fact_of

STANDS: Final = "stands"
SUPERSEDED: Final = "superseded"


@dataclass(frozen=True, slots=True)
class Statement:
    """What one source says, in its own spelling."""

    source: str
    raw: str
    unit: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A key whose facts contradict each other.

    It `stands` where a task that names the key gets CONFLICT; it is `superseded` where only a task that lists the
    releases together does.
    """

    key: Selector
    standing: str
    statements: tuple[Statement, ...]


def conflicts(pack: str | Path, progress: Progress = silent) -> Iterator[Disagreement]:
    """Every key of the pack where facts disagree, by the rules that establish a state; in the order of the keys.

    Raises:
        InvalidPack: the pack is refused.
    """
    path = pack_path(pack)
    snapshot = loader.open_pack(path, progress)
    table = loader.read_contents(path).tables["facts"]
    groups: dict[Selector, list[Fact]] = {}
    for index in range(len(table)):
        fact = fact_of(table.row(index))
        groups.setdefault(_key(snapshot, fact), []).append(fact)
    for done, key in enumerate(sorted(groups, key=_order), 1):
        found = _disagreement(snapshot, key, groups[key])
        if found is not None:
            yield found
        progress("comparing facts", done, len(groups))


def _key(snapshot: Snapshot, fact: Fact) -> Selector:
    """The selector of the fact and of all that it is compared with: dimensions that compete are left open."""
    spec = snapshot.property_spec(fact.property)
    competing = spec.competing if spec is not None else ()
    return Selector(
        fact.entity,
        fact.property,
        fact.argument,
        "" if "referent" in competing else fact.referent,
        "" if "condition" in competing else fact.condition,
        "" if "definition" in competing else fact.definition,
    )


def _order(key: Selector) -> tuple[str, ...]:
    return key.entity, key.property, key.argument, key.referent, key.condition, key.definition


def _disagreement(snapshot: Snapshot, key: Selector, facts: list[Fact]) -> Disagreement | None:
    if len({(fact.value, fact.unit, fact.lower, fact.upper, fact.bounds) for fact in facts}) < 2:
        return None
    together = replace(key, releases=tuple(sorted({fact.source for fact in facts})))
    if isinstance(decide(snapshot, key, exact_point, Trail()), Conflict):
        standing = STANDS
    elif isinstance(decide(snapshot, together, exact_point, Trail()), Conflict):
        standing = SUPERSEDED
    else:
        return None
    statements = tuple(Statement(fact.witness, fact.raw or fact.value, fact.unit) for fact in facts)
    return Disagreement(key, standing, statements)
