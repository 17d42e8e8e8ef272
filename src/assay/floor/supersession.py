"""Library: which sources count, and which fall to a later one (docs/adr/0004 steps a and b).

INVARIANT: a source has at most one successor and there are no cycles; packs with forks or cycles are refused at load.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from assay.floor.evidence import Fact
from assay.floor.store import Snapshot

_BARRED_METHODS = frozenset({"predicted"})


def is_live(snapshot: Snapshot, name: str) -> bool:
    """Whether the source is credible and not retracted."""
    row = snapshot.source(name)
    return row is not None and row.credible and row.status != "retracted"


def is_admitted(snapshot: Snapshot, fact: Fact) -> bool:
    """Whether the fact may be compared at all: not predicted, not deprecated, of live sources."""
    if fact.method in _BARRED_METHODS or fact.rank == "deprecated":
        return False
    return all(is_live(snapshot, name) for name in (fact.source, fact.asserted_by) if name)


@dataclass(frozen=True, slots=True)
class Later:
    """What may make a source fall: later sources that state the same, or that cover the namespace completely.

    Where a task lists releases, those listed together do not supersede each other.
    """

    snapshot: Snapshot
    prefix: str
    releases: tuple[str, ...]

    def fallen(self, names: Collection[str], stating: Collection[str]) -> frozenset[str]:
        """Those of the names that fall to a later source; one walk along each chain."""
        known: dict[str, bool] = {}
        for name in names:
            chain: list[str] = []
            at: str | None = name
            while at is not None and at not in known:
                chain.append(at)
                at = self._successor(at)
            falls = False if at is None else known[at] or self._counts(at, stating)
            for link in reversed(chain):
                known[link] = falls
                falls = falls or self._counts(link, stating)
        return frozenset(name for name in names if known[name])

    def _successor(self, name: str) -> str | None:
        return None if self.releases else next(iter(self.snapshot.successors(name)), None)

    def _counts(self, name: str, stating: Collection[str]) -> bool:
        if name in stating:
            return True
        row = self.snapshot.source(name)
        complete = row is not None and row.coverage == "complete" and self.prefix in row.namespaces
        return complete and is_live(self.snapshot, name)


def current(snapshot: Snapshot, facts: Collection[Fact], prefix: str, releases: tuple[str, ...]) -> tuple[Fact, ...]:
    """The admitted facts of the releases that do not fall to one another or to a complete source."""
    found = [fact for fact in facts if (not releases or fact.source in releases) and is_admitted(snapshot, fact)]
    fallen = fallen_among(Later(snapshot, prefix, releases), found, found)
    return tuple(fact for fact in found if not falls(fact, fallen))


def fallen_among(later: Later, facts: Collection[Fact], stating: Collection[Fact]) -> frozenset[str]:
    """The sources of the facts, asserting ones too, that fall to a source of those that state the same."""
    return later.fallen(_names(facts), _names(stating))


def falls(fact: Fact, fallen: Collection[str]) -> bool:
    """Whether the fact's file, or who asserts it in there, has fallen."""
    return fact.source in fallen or fact.asserted_by in fallen


def _names(facts: Collection[Fact]) -> set[str]:
    return {name for fact in facts for name in (fact.source, fact.asserted_by) if name}
