"""Library: from a written identifier to one entity, to several, or to none (docs/adr/0015). Exact only, never fuzzy.

The rules of a namespace (case, written prefixes, version suffix) are rows of the pack; what is not declared is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.floor.evidence import Alias, Namespace
from assay.floor.store import Snapshot
from assay.floor.supersession import Later, current, is_live

_ENDED: Final = frozenset({"merged", "demerged", "split", "deleted"})


@dataclass(frozen=True, slots=True)
class Resolved:
    """One entity, and the alias rows (with their pins) that led to it; no rows if the text names it."""

    entity: str
    path: tuple[Alias, ...] = ()


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several entities carry the identifier; none is picked."""

    candidates: tuple[str, ...]
    path: tuple[Alias, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """No entity: `unknown`, `deleted`, `version` (another version is held)."""

    reason: str


Resolution = Resolved | Ambiguous | Unknown


def resolve(snapshot: Snapshot, written: str, releases: tuple[str, ...] = ()) -> Resolution:
    """The entity that `written` names, following rows of the selected releases only (all, if none is named)."""
    text = _strip(snapshot, written)
    prefix, _, local = text.partition(":")
    rules = snapshot.namespace(prefix)
    if rules is not None and rules.case == "upper":
        text = f"{prefix}:{local.upper()}" if local.isascii() else text
    found = _follow(snapshot, text, releases)
    if found is None and rules is not None and rules.version:
        found = _versioned(snapshot, text, rules, releases)
    return found or Unknown("unknown")


def _strip(snapshot: Snapshot, written: str) -> str:
    prefixes = [(prefix, rules.namespace) for rules in snapshot.namespaces() for prefix in rules.strip]
    # The longest first: one written prefix may begin another.
    for prefix, namespace in sorted(prefixes, key=lambda pair: (-len(pair[0]), pair)):
        if written.startswith(prefix):
            local = written[len(prefix) :]
            # `sp|P69905|HBA_HUMAN`: the accession stands before the next bar.
            return f"{namespace}:{local.split('|')[0] if prefix.endswith('|') else local}"
    return written


def _follow(snapshot: Snapshot, text: str, releases: tuple[str, ...]) -> Resolution | None:
    """Follow mergers to their end: A into B, B into C. A ring of them names nothing."""
    path: tuple[Alias, ...] = ()
    seen = {text}
    found = _look_up(snapshot, text, releases)
    while isinstance(found, Resolved) and found.entity not in seen:
        seen.add(found.entity)
        path += found.path
        after = _look_up(snapshot, found.entity, releases)
        if after is None or after == Resolved(found.entity):
            return Resolved(found.entity, path)
        found = after
    if isinstance(found, Resolved):
        return found if not found.path else Ambiguous(tuple(sorted(seen)), path + found.path)
    return found


def _look_up(snapshot: Snapshot, text: str, releases: tuple[str, ...]) -> Resolution | None:
    rows = _rows(snapshot, text, releases)
    present = snapshot.presence(text)
    speaking = [name for name in present if (not releases or name in releases) and is_live(snapshot, name)]
    if (speaking or (present and not rows)) and not any(row.kind in _ENDED for row in rows):
        # An entity's own identifier outranks its use as an alias elsewhere, as an approved symbol does; but not
        # where a row says that the identifier itself came to an end.
        return Resolved(text)
    # Only `approved` outranks the other kinds (docs/adr/0004).
    chosen = [row for row in rows if row.kind == "approved"] or rows
    targets = sorted({row.entity for row in chosen if row.entity})
    path = tuple(chosen)
    if len(targets) == 1 and not any(row.kind in ("demerged", "split") for row in chosen):
        return Resolved(targets[0], path)
    if targets:
        return Ambiguous(tuple(targets), path)
    return Unknown("deleted") if rows else None


def _rows(snapshot: Snapshot, text: str, releases: tuple[str, ...]) -> list[Alias]:
    """The rows of live sources that say something of the text and do not fall to a later source that does."""
    rows = [
        row
        for row in snapshot.aliases(text)
        if (not releases or row.source in releases) and is_live(snapshot, row.source)
    ]
    names = {row.source for row in rows}
    # A later source that states facts of the identifier itself speaks of it too.
    stating = names | {name for name in snapshot.presence(text) if is_live(snapshot, name)}
    fallen = Later(snapshot, text.partition(":")[0], releases).fallen(names, stating)
    return [row for row in rows if row.source not in fallen]


def _versioned(snapshot: Snapshot, text: str, rules: Namespace, releases: tuple[str, ...]) -> Resolution | None:
    base, dot, version = text.rpartition(rules.version)
    if not dot or not (version.isascii() and version.isdigit()) or version.startswith("0"):
        return None
    found = _follow(snapshot, base, releases)
    if not isinstance(found, Resolved) or not rules.version_property:
        return found
    facts = snapshot.facts(found.entity, rules.version_property)
    held = {fact.value for fact in current(snapshot, facts, found.entity.partition(":")[0], releases)}
    if version not in held:
        # A version row in quarantine says nothing that can be relied on, so nor that there is no such version.
        hidden = snapshot.quarantined(found.entity, rules.version_property)
        return Ambiguous((found.entity,), found.path) if hidden else Unknown("version")
    # Several releases asked together hold several versions: one entity, but not one sequence.
    return found if len(held) == 1 else Ambiguous((found.entity,), found.path)
