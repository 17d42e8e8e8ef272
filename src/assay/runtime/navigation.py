"""Halls: from a text to a choice of the card, or to a navigation failure; never substituted (spec/card.md §5)."""

from __future__ import annotations

from dataclasses import dataclass

from assay.floor.cards import ABSTENTIONS, AffordanceCard
from assay.floor.signatures import NavigationFailure, OperationCall
from assay.kernel.states import CONFLICT_NOT_RESOLVED, INSUFFICIENT_EVIDENCE, NO_ENTITY, Proposal

_PROPOSALS: dict[str, Proposal] = {
    "INSUFFICIENT_EVIDENCE": INSUFFICIENT_EVIDENCE,
    "CONFLICT_NOT_RESOLVED": CONFLICT_NOT_RESOLVED,
    "NO_ENTITY": NO_ENTITY,
}


@dataclass(frozen=True, slots=True)
class AbstentionChoice:
    """One of the three abstentions, chosen instead of an operation."""

    word: str

    @property
    def proposal(self) -> Proposal:
        """The abstention as a proposal."""
        return _PROPOSALS[self.word]


Choice = OperationCall | AbstentionChoice | NavigationFailure


def choices(card: AffordanceCard) -> tuple[str, ...]:
    """Every text that is a choice of the card: calls in full, then the abstentions."""
    return (*(call.text for call in card.operations), *(word for word, _ in ABSTENTIONS))


def read_choice(text: str, card: AffordanceCard) -> Choice:
    """The choice that the text is, exactly; outer spaces, tabs and line ends alone are stripped."""
    if type(text) is not str:
        return NavigationFailure("no_choice")
    said = text.strip(" \t\r\n")
    for word, _ in ABSTENTIONS:
        if said == word:
            return AbstentionChoice(word)
    for call in card.operations:
        if said == call.text:
            return call
    named = [call for call in card.operations if said == call.name]
    if len(named) == 1:
        return named[0]
    return NavigationFailure("ambiguous_choice" if named else "no_choice")
