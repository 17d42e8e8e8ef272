"""Library: evidence as the floor sees it: rows with pins (spec/pack.md).

Pure data; cells are texts in the source's spelling or in our own grammars.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from enum import Enum
from typing import Final

DIMENSIONS: Final = ("referent", "condition", "definition")
METHODS: Final = ("stated", "measured", "evaluated", "computed", "defined", "predicted")
RANKS: Final = ("normal", "preferred", "deprecated")
UNCERTAINTY_KINDS: Final = ("", "exact", "standard", "k=2", "95%", "asymmetric")


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement of one source: `asserted_by` of `entity`'s `property` at `argument` says `value`.

    `value` is in the grammar of the kind (for cardinality many: of a member); `raw` is the source's spelling.
    An interval has no `value` but `lower`, `upper` (either may be empty: unbounded) and `bounds`, one of `[] [) (] ()`.
    `uncertainty` is a decimal in `unit`; for `asymmetric` two decimals, upper then lower, separated by a space.
    """

    fact_id: str
    entity: str
    property: str
    argument: str
    value: str
    unit: str
    uncertainty: str
    uncertainty_kind: str
    lower: str
    upper: str
    bounds: str
    referent: str
    condition: str
    definition: str
    method: str
    source: str
    asserted_by: str
    rank: str
    locator: str
    raw: str

    @builtins.property  # the field `property` hides the name here
    def witness(self) -> str:
        """Who says so: the asserting source, or else the source of the file."""
        return self.asserted_by or self.source


@dataclass(frozen=True, slots=True)
class Source:
    """One document, or one release of a series, or an asserting source that a document cites.

    `file` is relative to the pack (empty for a cited source); `sha256` is of the file as shipped.
    `namespaces` are the entity namespaces that `coverage` speaks of.
    """

    source: str
    title: str
    version: str
    date: str
    url: str
    licence: str
    file: str
    bytes: str
    sha256: str
    status: str  # current, retracted
    supersedes: str  # one source, or empty
    copied_from: str  # one source, or empty
    coverage: str  # complete, partial
    namespaces: tuple[str, ...]
    credible: bool


@dataclass(frozen=True, slots=True)
class PropertySpec:
    """What a property's values are, and how its facts may be compared."""

    property: str
    kind: str  # a kernel kind's name; for interval and set, `element` names the inner kind
    element: str
    label: str  # of an integer: residue, entry
    prefix: str  # of an identifier
    vocabulary: tuple[str, ...]
    unit: str  # canonical unit of a quantity or of an interval's bounds
    units: tuple[str, ...]  # accepted units, the canonical one among them
    cardinality: str  # one, many
    referents: tuple[str, ...]  # closed vocabulary of each declared dimension; empty: not declared
    conditions: tuple[str, ...]
    definitions: tuple[str, ...]
    competing: tuple[str, ...]  # dimensions that do not divide: their values compete
    prefer: tuple[str, ...]  # sources, best first
    plausible_min: str  # decimals in the canonical unit, or empty
    plausible_max: str
    missing: tuple[str, ...]  # raw spellings that mean "no value"
    origin: str  # stated, computed
    computed_by: str  # of a computed property: DERIVATION(PROPERTY), e.g. count_residues(sequence)


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit: number in the dimension's base = n · factor + offset, both exact (spec/verification.md §3, Units)."""

    unit: str
    dimension: str
    factor: str  # N or N/N, N a decimal
    offset: str
    note: str  # where the definition stands


@dataclass(frozen=True, slots=True)
class Alias:
    """`alias` leads to `entity` (empty where it was deleted or withdrawn without a successor)."""

    alias: str
    entity: str
    kind: str  # one of ALIAS_KINDS
    source: str
    locator: str


ALIAS_KINDS: Final = (
    "approved",
    "secondary",
    "merged",
    "entry_name",
    "previous",
    "alias",
    "split",
    "demerged",
    "deleted",
)


@dataclass(frozen=True, slots=True)
class Namespace:
    """How identifiers of a prefix may be written; data, since it differs. What is not declared is exact."""

    namespace: str
    case: str  # exact, upper (fold to upper case before look-up)
    strip: tuple[str, ...]  # written prefixes that stand for the namespace: `https://identifiers.org/uniprot:`
    pattern: str  # a regular expression of the local part, for messages only; look-up decides
    version: str  # `.` where `ID.n` names a sequence version; empty: no such form
    version_property: str  # the property that holds the version, or empty
    private: bool  # identifiers of persons: never in public receipts in clear


class Opened(Enum):
    """How the content of a snapshot was checked when it was opened."""

    HASHED = "hashed"
    RECORDED = "recorded"
