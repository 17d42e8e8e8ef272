"""Desk: what was established and decided, in the terms of a receipt (spec/receipt.md §2)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import Final

from assay.api.wiring import verifier
from assay.floor.answers import selectors
from assay.floor.evidence import Fact, Namespace
from assay.floor.oracle import Established
from assay.floor.signatures import NavigationFailure
from assay.floor.trail import EvidenceSlice
from assay.kernel.errors import Fault
from assay.kernel.states import Conflict, Determined, EpistemicState, Insufficient, NoEntity
from assay.receipts.predicates import (
    Answer,
    ClaimResult,
    Performed,
    Pin,
    Proposer,
    Refused,
    RuleApplied,
    Step,
    Submitted,
)
from assay.receipts.statement import digest_of, receipt
from assay.runtime import trace
from assay.runtime.session import ClaimSession
from assay.wire.tasks import task_document

_TELLING: Final = 4
_HEX: Final = re.compile(r"[0-9A-Fa-f]*").fullmatch
_CELLS: Final = attrgetter(*(column.name for column in fields(Fact)))


@dataclass(frozen=True, slots=True, repr=False)
class Proof:
    """One established task, and the parts of its receipts that are the same whatever is proposed.

    INVARIANT: never shown to a proposer; `repr` tells nothing.
    """

    established: Established
    document: dict[str, object]
    private: tuple[str, ...]

    def __repr__(self) -> str:
        return "Proof(<hidden>)"


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended, in the words of spec/receipt.md §2."""

    outcome: str
    code: str = ""
    how: str = ""
    derived_by: str = ""


def proof_of(established: Established) -> Proof:
    """The proof, in the terms of a receipt."""
    return Proof(established, task_document(established.task), _private_names(established))


def pins_of(established: Established) -> tuple[Pin, ...]:
    """Where every fact stands that a rule names, in the order of the rules."""
    held = {fact.fact_id: fact for fact in _facts(established.evidence)}
    named = dict.fromkeys(name for step in established.steps for name in step.facts)
    return tuple(_pin(established.evidence, held[name]) for name in named if name in held)


def rules_of(established: Established) -> tuple[RuleApplied, ...]:
    """Every rule applied, in order."""
    return tuple(RuleApplied(step.rule, step.result, step.facts) for step in established.steps)


def record(
    proof: Proof,
    ending: Ending,
    trajectory: tuple[Step, ...],
    proposer: Proposer,
    accepted: tuple[str, object] | None = None,
) -> bytes:
    """The receipt; `accepted` is the assertion that was accepted, as its word and raw value."""
    established = proof.established
    held = established.evidence
    result = ClaimResult(
        task=proof.document,
        entity=established.task.entity,
        property=established.task.property,
        outcome=ending.outcome,
        code=ending.code,
        snapshot=held.digest,
        opened=held.opened.value,
        how=ending.how,
        derived_by=ending.derived_by,
        trajectory=trajectory,
        verifier=verifier(),
        proposer=proposer,
        private=proof.private,
    )
    if accepted is None:
        return receipt(result)
    rows = sorted([list(_CELLS(fact)) for fact in _facts(held)])
    return receipt(
        replace(
            result,
            facts=pins_of(established),
            rules=rules_of(established),
            looked_up=len(rows),
            looked_up_sha256=digest_of(rows),
            answer=_answer(established, *accepted),
        )
    )


def record_session(session: ClaimSession, proposer: Proposer) -> bytes:
    """The receipt of a session that has ended.

    Raises:
        Fault: it has not.
    """
    steps = tuple(step for event in session.events for step in _steps(event))
    proof = proof_of(session.reveal())
    match session.outcome:
        case trace.Accepted(how, call):
            last = steps[-1]
            accepted = (last.asserted, last.raw) if isinstance(last, Submitted) else None
            ending = Ending("accepted", "", how, call.text if call is not None else "")
            return record(proof, ending, steps, proposer, accepted)
        case trace.Unresolved(reason):
            return record(proof, Ending("unresolved", reason), steps, proposer)
        case NavigationFailure(reason):
            return record(proof, Ending("navigation_failure", reason), steps, proposer)
        case None:
            raise Fault("fault.receipt", "a receipt was asked of a session that has not ended; this is a bug here")


def _steps(event: trace.Event) -> Iterator[Step]:
    match event:
        case trace.Submitted(wire=wire, code=code):
            yield _submitted(wire, code)
        case trace.Performed(result):
            yield Performed(result.call.text, result.state, result.raw)
        case trace.Strayed(said, failure):
            yield Refused(failure.reason, len(said))
        case trace.Stopped() | trace.Closed():
            pass


def _submitted(wire: str, code: str) -> Submitted:
    if wire:
        document = json.loads(wire)
        return Submitted(document["state"], code, document.get("value"))
    # No JSON text: bytes that are no proposal, or a value that no JSON reader makes.
    return Submitted("VALUE", code, object()) if code.startswith("value.") else Submitted("MALFORMED", code)


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


def _answer(established: Established, asserted: str, raw: object) -> Answer:
    state = established.state
    text = state.value.text if isinstance(state, Determined) else ""
    return Answer(asserted, raw, state_word(state), text, established.reason)


def _pin(held: EvidenceSlice, fact: Fact) -> Pin:
    source = held.sources.get(fact.source)
    return Pin(fact.fact_id, fact.source, source.sha256 if source is not None else "", fact.locator)


def _private_names(established: Established) -> tuple[str, ...]:
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
