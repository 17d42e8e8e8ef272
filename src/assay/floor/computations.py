"""Library: values computed from one fact: a closed, literal catalogue (docs/reference/tasks.md, `derive`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from assay.floor.evidence import Fact, PropertySpec
from assay.floor.readings import Reading, exact_ratio, integer_reading
from assay.kernel.errors import InvalidPack

_CALL: Final = re.compile(r"([a-z_]+)\(([A-Za-z0-9_.]+)\)").fullmatch


def count_residues(fact: Fact) -> Reading | None:
    """How many letters the sequence of the fact has."""
    return integer_reading(fact, len(fact.value))


def chain_length(fact: Fact) -> Reading | None:
    """end − start + 1 of a closed chain; None where a bound is not stated."""
    if not fact.lower or not fact.upper:
        return None
    low, high = exact_ratio(fact.lower), exact_ratio(fact.upper)
    if low[1] != 1 or high[1] != 1:
        return None
    open_ends = (fact.bounds or "[]").count("(") + (fact.bounds or "[]").count(")")
    return integer_reading(fact, high[0] - low[0] + 1 - open_ends)


def count_letter(letter: str) -> Callable[[Fact], Reading | None]:
    """A computation: how often the letter stands in the sequence. Zero is a value."""
    return lambda fact: integer_reading(fact, fact.value.count(letter))


def letter_at(position: int) -> Callable[[Fact], Reading | None]:
    """A computation: the letter at the 1-based position; None beyond the end."""

    def at(fact: Fact) -> Reading | None:
        if not 1 <= position <= len(fact.value):
            return None
        return Reading((fact,), fact.witness, text=fact.value[position - 1])

    return at


COMPUTATIONS: Final[dict[str, Callable[[Fact], Reading | None]]] = {
    "count_residues": count_residues,
    "mature_length": chain_length,
}


def computed_from(spec: PropertySpec) -> tuple[str, Callable[[Fact], Reading | None]] | None:
    """The property that a computed property is computed from, and how; None for a stated one."""
    if not spec.computed_by:
        return None
    match = _CALL(spec.computed_by)
    if match is None or match[1] not in COMPUTATIONS:
        raise InvalidPack(
            "pack.computed_by", f"property `{spec.property}` is computed by something unknown; check the pack"
        )
    return match[2], COMPUTATIONS[match[1]]
