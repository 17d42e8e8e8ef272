"""Library: what a refused proposer is shown (spec/card.md; docs/adr/0006).

INVARIANT: nothing here has a path to `kernel.values`, `kernel.states` or `floor.oracle`: a card cannot hold an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from assay.floor.evidence import DIMENSIONS
from assay.floor.shape import EvidenceShape, RowKey
from assay.floor.signatures import SIGNATURES, OperationCall
from assay.floor.wording import clean, quoted

VERSION: Final = "assay.card/1"
MAX_ROWS: Final = 24
OPEN: Final = "task.open"
NOT_DERIVED: Final = "proposal.not_derived"

# The same words on every card, whatever holds.
ABSTENTIONS: Final = (
    ("INSUFFICIENT_EVIDENCE", "the pinned evidence does not establish a value"),
    ("CONFLICT_NOT_RESOLVED", "credible sources assert incompatible values"),
    ("NO_ENTITY", "the entity is not in the evidence"),
)

LINES: Final[dict[str, str]] = {
    OPEN: "nothing has been proposed yet",
    NOT_DERIVED: "no operation of this session has returned this; perform one first",
    "value.not_equal": "this value does not follow from the pinned evidence",
    "insufficient.not_established": "it does not follow from the pinned evidence that the evidence is insufficient",
    "conflict.not_established": "it does not follow from the pinned evidence that the sources conflict",
    "no_entity.not_established": "it does not follow from the pinned evidence that the entity is absent",
    "value.type": "the value is of a JSON type that this kind of answer does not admit",
    "value.grammar": "the text is outside the grammar of this kind of answer",
    "value.too_long": "the value has more digits, characters or elements than the bounds allow",
    "value.off_grid": "the number has more digits than the task asks for",
    "value.vocabulary": "the word is not of the task's vocabulary",
    "value.prefix": "the identifier is of another namespace than the task asks for",
    "value.keys": "the value is an object with missing or further keys",
    "value.unit": "the unit is not one that the task accepts",
    "value.negative_uncertainty": "the uncertainty is below zero",
    "value.empty_interval": "the interval has no member, or an unbounded side is called closed",
    "value.duplicate": "the set names an element twice",
    "parse.too_long": "the proposal has more than 4,096 bytes",
    "parse.encoding": "the proposal is not UTF-8",
    "parse.depth": "the proposal is nested deeper than 8",
    "parse.json": "the proposal is not exactly one JSON value",
    "parse.duplicate_key": "the proposal has an object with the same key twice",
    "parse.surrogate": "the proposal holds half a surrogate pair",
    "proposal.shape": "the proposal is not an object with `state`, and with `value` exactly where the state is VALUE",
    "proposal.state": "the `state` is none of VALUE and the three abstentions",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One key of rows that exist, as cleaned texts; no property where the source only knows the entity."""

    entity: str
    property: str
    argument: str
    referent: str
    condition: str
    definition: str
    method: str
    source: str


@dataclass(frozen=True, slots=True)
class Left:
    """How many refusals and how many operations a session still allows."""

    attempts: int
    operations: int


@dataclass(frozen=True, slots=True)
class AffordanceCard:
    """What was wrong, what exists, what can be done now: names and texts of the task and the shape alone."""

    task: tuple[tuple[str, str], ...]
    code: str
    evidence: tuple[Evidence, ...]
    evidence_cut: bool
    fields: tuple[str, ...]
    operations: tuple[OperationCall, ...]
    left: Left

    @property
    def line(self) -> str:
        """One plain line, fixed for the code."""
        return LINES[self.code]


def deal(
    summary: tuple[tuple[str, str], ...],
    code: str,
    calls: Iterable[OperationCall],
    shape: EvidenceShape,
    left: Left,
) -> AffordanceCard:
    """The card for a refusal with this code; offers no operation where none is left to perform."""
    evidence = tuple(dict.fromkeys(_evidence(shape)))
    fields = {name for side in shape.sides for name in side.fields}
    return AffordanceCard(
        summary,
        code,
        evidence[:MAX_ROWS],
        len(evidence) > MAX_ROWS,
        tuple(name for name in ("argument", *DIMENSIONS) if name in fields),
        # By their text: an order that put the answering one first would navigate for whoever takes the first.
        tuple(sorted(calls, key=lambda call: call.text)) if left.operations > 0 else (),
        left,
    )


def card_document(card: AffordanceCard) -> dict[str, object]:
    """The card as a JSON object; its canonical bytes are the card's bytes."""
    return {
        "card": VERSION,
        "task": [list(pair) for pair in card.task],
        "code": card.code,
        "line": card.line,
        "evidence": [dict(_named(row)) for row in card.evidence],
        "evidence_cut": card.evidence_cut,
        "fields": list(card.fields),
        "operations": [call_document(call) for call in card.operations],
        "abstentions": [{"state": state, "means": means} for state, means in ABSTENTIONS],
        "attempts_left": card.left.attempts,
        "operations_left": card.left.operations,
    }


def call_document(call: OperationCall) -> dict[str, object]:
    """A call as a JSON object, with what the operation gives."""
    return {
        "name": call.name,
        "arguments": [list(pair) for pair in call.arguments],
        "gives": SIGNATURES[call.name].gives,
    }


def card_lines(card: AffordanceCard) -> tuple[str, ...]:
    """The card in plain lines, for people and for small models."""
    return tuple(_lines(card))


def _lines(card: AffordanceCard) -> Iterator[str]:
    yield f"{card.code}: {card.line}"
    yield "task: " + ", ".join(f"{name} {quoted(text)}" for name, text in card.task)
    for row in card.evidence:
        yield "evidence: " + ", ".join(f"{name} {quoted(text)}" for name, text in _named(row))
    if card.evidence_cut:
        yield "evidence: and more"
    if not card.evidence:
        yield "evidence: no rows"
    if card.fields:
        yield f"the task does not name: {', '.join(card.fields)} (its owner may ask again and name it)"
    for call in card.operations:
        yield f"you may: {call.text}: {SIGNATURES[call.name].gives}"
    for state, means in ABSTENTIONS:
        yield f"or state: {state}: {means}"
    yield f"attempts left: {card.left.attempts}, operations left: {card.left.operations}"


def _evidence(shape: EvidenceShape) -> Iterator[Evidence]:
    for side in shape.sides:
        entity = clean(side.selector.entity)
        for row in side.rows:
            yield _shown(entity, row)
        if not side.rows:
            for name in side.known_to:
                yield _shown(entity, RowKey("", "", "", "", "", "", name))


def _shown(entity: str, row: RowKey) -> Evidence:
    return Evidence(
        entity,
        clean(row.property),
        clean(row.argument),
        clean(row.referent),
        clean(row.condition),
        clean(row.definition),
        clean(row.method),
        clean(row.source),
    )


def _named(row: Evidence) -> Iterator[tuple[str, str]]:
    named = (
        ("entity", row.entity),
        ("property", row.property),
        ("argument", row.argument),
        ("referent", row.referent),
        ("condition", row.condition),
        ("definition", row.definition),
        ("method", row.method),
        ("source", row.source),
    )
    return ((name, text) for name, text in named if text)
