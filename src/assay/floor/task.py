"""Library: what is asked (docs/reference/tasks.md).

A task is data; opening one checks it against the snapshot (`answers`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.kernel.kinds import Grid

TASK_CLASSES: Final = (
    "value",
    "category",
    "compare",
    "within",
    "interval",
    "identify",
    "convert",
    "count",
    "derive",
    "agree",
)
RELATIONS: Final = ("less", "equal", "greater")
DERIVATIONS: Final = ("mass", "composition", "mature_length", "residue_at", "difference", "sum", "argmax")
AGREEMENTS: Final = ("agree", "disagree", "one_source")


@dataclass(frozen=True, slots=True)
class Selector:
    """Which facts are asked for: every field that is not empty must match (docs/adr/0004 step a)."""

    entity: str
    property: str = ""
    argument: str = ""
    referent: str = ""
    condition: str = ""
    definition: str = ""
    method: str = ""
    releases: tuple[str, ...] = ()  # sources; those listed together do not supersede each other


@dataclass(frozen=True, slots=True)
class Given:
    """A number that the task itself gives: exact; the unit is empty for a bare number."""

    n: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class GivenInterval:
    """An interval that the task itself gives; None is unbounded and open."""

    lo: str | None
    hi: str | None
    lo_closed: bool
    hi_closed: bool
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """The closed interval of k standard uncertainties around a value: [v − k·u, v + k·u], asymmetric where u is."""

    of: Selector
    k: str = "1"


Side = Selector | Given
Range = Selector | GivenInterval | Around


@dataclass(frozen=True, slots=True)
class Task:
    """One question with one kind of answer.

    `subject` is the left side of a comparison and the item of `within`; `other` the right side, the interval of
    `within`, or the subtrahend of a difference. `k` (a decimal, default 2) and `central` say when a measured
    comparison decides.
    """

    task_class: str
    subject: Selector | Given | Around
    other: Selector | Given | GivenInterval | Around | None = None
    relation: str = ""
    derivation: str = ""
    unit: str = ""
    grid: Grid = None
    k: str = "2"
    central: bool = False
    uncertainty: bool = False

    @property
    def entity(self) -> str:
        """The entity asked about, as the task writes it; empty where only literals are given."""
        side = self.subject.of if isinstance(self.subject, Around) else self.subject
        return side.entity if isinstance(side, Selector) else ""

    @property
    def property(self) -> str:
        """The property asked about; empty for a bare identification."""
        side = self.subject.of if isinstance(self.subject, Around) else self.subject
        return side.property if isinstance(side, Selector) else ""
