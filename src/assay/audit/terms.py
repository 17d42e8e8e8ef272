"""Workshops: an established state in the terms of a receipt: what a decision writes, and what a check compares.

One place for both, so that a receipt is made again by the rules that made it (docs/adr/0035).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final

from assay.floor.answers import selectors
from assay.floor.evidence import Fact, Namespace
from assay.floor.oracle import Established
from assay.floor.trail import EvidenceSlice
from assay.kernel.states import Conflict, Determined, EpistemicState, Insufficient, NoEntity
from assay.receipts.predicates import Answer, Pin, RuleApplied
from assay.receipts.statement import digest_of

_TELLING: Final = 4
_HEX: Final = re.compile(r"[0-9A-Fa-f]*").fullmatch
_CELLS: Final = attrgetter(*(column.name for column in fields(Fact)))


@dataclass(frozen=True, slots=True)
class LookedUp:
    """How many rows of facts were read, and the digest of the sorted list of them."""

    rows: int
    sha256: str


def pins_of(established: Established) -> tuple[Pin, ...]:
    """Where every fact stands that a rule names, in the order of the rules."""
    held = {fact.fact_id: fact for fact in _facts(established.evidence)}
    named = dict.fromkeys(name for step in established.steps for name in step.facts)
    return tuple(_pin(established.evidence, held[name]) for name in named if name in held)


def rules_of(established: Established) -> tuple[RuleApplied, ...]:
    """Every rule applied, in order."""
    return tuple(RuleApplied(step.rule, step.result, step.facts) for step in established.steps)


def looked_up(established: Established) -> LookedUp:
    """Every row of facts that was read."""
    rows = sorted([list(_CELLS(fact)) for fact in _facts(established.evidence)])
    return LookedUp(len(rows), digest_of(rows))


def state_word(state: EpistemicState) -> str:
    """The word of a state in spec/verification.md §2."""
    match state:
        case Determined():
            return "VALUE"
        case Insufficient():
            return "INSUFFICIENT"
        case Conflict():
            return "CONFLICT"
        case NoEntity():
            return "NO_ENTITY"


def answer_of(established: Established, asserted: str, raw: object) -> Answer:
    """What was accepted, beside what is established."""
    state = established.state
    text = state.value.text if isinstance(state, Determined) else ""
    return Answer(asserted, raw, state_word(state), text, established.reason)


def _pin(held: EvidenceSlice, fact: Fact) -> Pin:
    source = held.sources.get(fact.source)
    return Pin(fact.fact_id, fact.source, source.sha256 if source is not None else "", fact.locator)


def private_names(established: Established) -> tuple[str, ...]:
    """Identifiers of persons that the task names or that it leads to, longest first."""
    held = established.evidence
    private = {rules.namespace: rules for rules in _namespaces(held) if rules.private}
    if not private:
        return ()
    stated = {text for fact in _facts(held) for text in (fact.entity, fact.value)}
    reached = stated | {row.entity for rows in held.aliases.values() for row in rows}
    hidden = {name for name in reached if name.partition(":")[0] in private}
    written = {selector.entity for selector in selectors(established.task)}
    led = {alias for alias, rows in held.aliases.items() if any(row.entity in hidden for row in rows)}
    bare: set[str] = set()
    for name in hidden | written | led:
        for rules in private.values():
            for local in _locals(name, rules):
                hidden |= {name, f"{rules.namespace}:{local}", f"{rules.namespace}:{local.upper()}"}
                bare |= {local, local.upper()}
    # An alias of a private entity names a person too, whatever its own form.
    names = hidden | written | led if hidden else hidden
    names |= {name for name in bare if _is_telling(name)}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


def _locals(written: str, rules: Namespace) -> Iterator[str]:
    """What the written text leaves of an identifier of the namespace, by its prefix and by each that stands for it."""
    for prefix in (f"{rules.namespace}:", *rules.strip):
        local = written.removeprefix(prefix) if written.startswith(prefix) else ""
        yield from {local, local.partition("|")[0]} - {""}


def _is_telling(local: str) -> bool:
    """Whether a local part alone names a person. A short or hexadecimal one stands in digests and numbers by chance."""
    return len(local) >= _TELLING and _HEX(local) is None


def _namespaces(held: EvidenceSlice) -> Iterator[Namespace]:
    for rows in held.all_namespaces:
        yield from rows
    yield from (rules for rules in held.namespaces.values() if rules is not None)


def _facts(held: EvidenceSlice) -> Iterator[Fact]:
    for rows in held.facts.values():
        yield from rows
