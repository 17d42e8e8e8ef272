"""Pipes: what a connector is given and what it hands over (spec/pack.md §9)."""

from __future__ import annotations

from dataclasses import dataclass

from assay.floor.evidence import Alias, Fact, Source


@dataclass(frozen=True, slots=True)
class RawFile:
    """A raw file as the pack ships it: its path there, and its bytes, decompressed."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class SetAside:
    """A fact that must not count, with the reason."""

    fact: Fact
    reason: str


Statement = Fact | SetAside | Alias | Source


def draft(entity: str, property_name: str, source: str, **cells: str) -> Fact:
    """A fact without an id of its own; cells that are not named are empty, method `stated` and rank `normal`."""
    empty = dict.fromkeys(_BLANK, "")
    return Fact(fact_id=DRAFT, entity=entity, property=property_name, source=source, **{**empty, **_DEFAULTS, **cells})


DRAFT = "draft"  # the build numbers facts when all are there
_DEFAULTS = {"method": "stated", "rank": "normal"}
_BLANK = (
    "argument", "value", "unit", "uncertainty", "uncertainty_kind", "lower", "upper", "bounds", "referent",
    "condition", "definition", "method", "asserted_by", "rank", "locator", "raw",
)  # fmt: skip
