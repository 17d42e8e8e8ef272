"""Library: the protocol of a snapshot: immutable evidence, looked up row by row.

Nothing here assumes that all facts fit in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assay.floor.evidence import Alias, Fact, Namespace, Opened, PropertySpec, Source, UnitRow


class Snapshot(Protocol):
    """Immutable evidence named by the digest of its canonical rows. Every answer is a function of the digest.

    Rows come in the order of their canonical bytes, whatever the order in the files.
    """

    @property
    def digest(self) -> str:
        """`sha256:` and 64 hexadecimal digits, over the canonical rows (spec/pack.md §5)."""

    @property
    def opened(self) -> Opened:
        """Whether content was hashed at opening or the recorded digest was trusted."""

    def facts(self, entity: str, property_name: str) -> Sequence[Fact]:
        """All facts of that entity and property, quarantined ones left out."""

    def quarantined(self, entity: str, property_name: str) -> Sequence[tuple[Fact, str]]:
        """The quarantined rows of that entity and property, each with its reason."""

    def presence(self, entity: str) -> Sequence[str]:
        """Sources that state anything of the entity, quarantined rows included; sorted."""

    def properties_of(self, entity: str) -> Sequence[str]:
        """Names of the properties that have rows for the entity; sorted."""

    def aliases(self, alias: str) -> Sequence[Alias]:
        """Rows whose alias is exactly this text."""

    def property_spec(self, name: str) -> PropertySpec | None:
        """The declared property."""

    def source(self, name: str) -> Source | None:
        """The source of that name."""

    def successors(self, name: str) -> Sequence[str]:
        """The source that supersedes this one, if any (forks are refused at load: at most one)."""

    def unit(self, name: str) -> UnitRow | None:
        """The unit of exactly that spelling."""

    def units_of(self, dimension: str) -> Sequence[UnitRow]:
        """All spellings of a dimension's units."""

    def namespace(self, name: str) -> Namespace | None:
        """The rules of a namespace; None: exact, no other form."""

    def namespaces(self) -> Sequence[Namespace]:
        """All declared namespaces; few."""
