"""Halls: what a model is asked, as pure functions from texts to messages and a constraint.

Small models are held to bare tokens, and the token is put into the wire form here. No worked example names an entity or
a value of a real task: their entities are of the namespace `demo`, which no pack has. The order of a card's operations
never reaches the prompt. Measured in docs/explanation-local-model.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from assay.floor.cards import ABSTENTIONS, AffordanceCard
from assay.floor.operations.perform import OperationResult
from assay.floor.signatures import OperationCall
from assay.kernel.canonical import canonical
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    IdentifierKind,
    IntegerKind,
    IntervalKind,
    Kind,
    QuantityKind,
)
from assay.models.base import BareToken, Constraint, Message, OneOf

MAX_TOKENS: Final = 96  # more than any bare token or choice that a grammar lets through
LITERALS: Final = tuple(word for word, _ in ABSTENTIONS)

_ASK: Final = "Answer with one bare value. When something was observed, repeat the observed value."
_CHOOSE: Final = "Choose the operation that answers the question. Reply with its name."


@dataclass(frozen=True, slots=True)
class Prompt:
    """What goes to a model in one call."""

    messages: tuple[Message, ...]
    constraint: Constraint


# Question, observation, answer. The last has observed nothing and answers with a value: examples that are near count
# most, and after an abstention there a small model abstains from everything.
ANSWERED: Final = (
    ("How many residues does demo:beta have?", "count_residues(demo:beta) = 9031", "9031"),
    ("What is the weight of demo:zeta?", "read_value(demo:zeta) = INSUFFICIENT_EVIDENCE", "INSUFFICIENT_EVIDENCE"),
    ("What is the height of demo:iota, in m?", "convert_unit(demo:iota, m) = -71.5 m", "-71.5 m"),
    ("Which colour has demo:delta?", "look_up_category(demo:delta) = green", "green"),
    ("How many residues does demo:epsilon have?", "look_up_entity(demo:epsilon) = NO_ENTITY", "NO_ENTITY"),
    ("What is the weight of demo:gamma?", "read_value(demo:gamma) = CONFLICT_NOT_RESOLVED", "CONFLICT_NOT_RESOLVED"),
    ("How many residues does demo:alpha have?", "", "58"),
)

# Question, operation. All operations that can establish an answer, on every card alike; so what a card offers shows in
# the constraint alone, and the model has to tell questions apart.
CHOSEN: Final = (
    ("Is the height of demo:delta less than, equal to or greater than the height of demo:eta?", "compare_values"),
    ("What is the difference of the height of demo:delta and the height of demo:eta?", "difference"),
    ("Is the age of demo:beta inside the interval 4 to 5?", "check_interval"),
    ("Do the sources agree on the age of demo:zeta?", "compare_sources"),
    ("How long is the mature chain of demo:alpha?", "compute_mature_length"),
    ("What is the length of demo:kappa?", "count_residues"),
    ("Which residue stands at position 1 of demo:alpha?", "residue_at"),
    ("How many residues does demo:alpha have?", "count_residues"),
    ("What is the width of demo:iota, in cm?", "convert_unit"),
    ("How many Fe atoms does demo:alpha have?", "compute_composition"),
    ("What is the mass of the sequence of demo:alpha, in g?", "compute_mass"),
    ("How many members does the family of demo:mu have?", "count_members"),
    ("Which identifier does demo:theta lead to?", "resolve_identifier"),
    ("Which interval is the season of demo:gamma?", "read_interval"),
    ("What is the sum of the weight of all members of demo:mu?", "sum_members"),
    ("Which member of demo:mu has the largest weight?", "largest_member"),
    ("What is the age of demo:beta?", "read_value"),
    ("Which colour has demo:gamma?", "look_up_category"),
)


def ask(question: str, kind: Kind, observation: str = "") -> Prompt:
    """The question, and the last thing that was observed, for a bare token of the kind or an abstention."""
    turns = [Message("system", _ASK)]
    for asked, observed, answer in ANSWERED:
        turns += [Message("user", _asked(asked, observed)), Message("assistant", answer)]
    turns.append(Message("user", _asked(question, observation)))
    return Prompt(tuple(turns), token_for(kind))


def choose(
    question: str, card: AffordanceCard, performed: Collection[OperationCall] = (), refused: Collection[str] = ()
) -> Prompt:
    """The question, for one of the card's operations or an abstention.

    Left out of the constraint: what was performed, since pinned evidence says the same again, and the abstentions that
    were refused, since a second time ends the session; unless nothing is left. Left out of the prompt: code and line of
    the refusal, with which the small model chose no better.
    """
    turns = [Message("system", _CHOOSE)]
    for asked, operation in CHOSEN:
        turns += [Message("user", f"Question: {asked}"), Message("assistant", operation)]
    turns.append(Message("user", f"Question: {question}"))
    left = [text for call, text in choice_texts(card) if call not in performed]
    left += [word for word in LITERALS if word not in refused]
    return Prompt(tuple(turns), OneOf(tuple(left) or LITERALS))


def choice_texts(card: AffordanceCard) -> tuple[tuple[OperationCall, str], ...]:
    """Each call with the shortest text that chooses it: its name, or the whole call where several have that name."""
    names = Counter(call.name for call in card.operations)
    return tuple((call, call.name if names[call.name] == 1 else call.text) for call in card.operations)


def observation_of(result: OperationResult) -> str:
    """The result as an equation whose right side is the token to be proposed."""
    arguments = ", ".join(text for _, text in result.call.arguments)
    return f"{result.call.name}({arguments}) = {token_text(result.state, result.raw)}"


def token_for(kind: Kind) -> Constraint:
    """What may be said in answer to a question of the kind; of a set, which has no bare token, the abstentions only."""
    match kind:
        case IntegerKind():
            return BareToken("integer", literals=LITERALS)
        case DecimalKind():
            return BareToken("decimal", literals=LITERALS)
        case BooleanKind():
            return BareToken("boolean", literals=LITERALS)
        case CategoryKind(vocabulary):
            return BareToken("category", tuple(sorted(vocabulary)), LITERALS)
        case IdentifierKind(prefix):
            return BareToken("identifier", (prefix,) if prefix else (), LITERALS)
        case DateKind():
            return BareToken("date", literals=LITERALS)
        case QuantityKind():
            return BareToken("quantity", tuple(name for name, _ in kind.units), LITERALS, kind.uncertainty)
        case IntervalKind():
            return BareToken("interval", literals=LITERALS)
        case _:
            return OneOf(LITERALS)


def read_token(text: str, kind: Kind) -> bytes:
    """The token in the wire form, as canonical JSON; total.

    Nothing is corrected: a text that is no token of the kind becomes a value that verify refuses as malformed.
    """
    known = text.encode("utf-8", "replace").decode()  # half a surrogate pair has no wire form
    if known in LITERALS:
        return canonical({"state": known})
    return canonical({"state": "VALUE", "value": _wire_value(known, kind)})


def token_text(state: str, raw: object) -> str:
    """A state and its raw value as the bare token that `read_token` reads; a set as its members in braces."""
    if state != "VALUE":
        return state
    match raw:
        case bool():
            return "true" if raw else "false"
        case {"n": number, "unit": unit, "u": spread}:
            return f"{number} ± {spread} {unit}"
        case {"n": number, "unit": unit}:
            return f"{number} {unit}"
        case {"lo": low, "hi": high, "lo_closed": low_closed, "hi_closed": high_closed}:
            opening, closing = "[" if low_closed else "(", "]" if high_closed else ")"
            return f"{opening}{'' if low is None else low}, {'' if high is None else high}{closing}"
        case list():
            return "{" + ", ".join(token_text("VALUE", member) for member in raw) + "}"
        case _:
            return str(raw)


def _asked(question: str, observation: str) -> str:
    return f"Question: {question}\nObserved: {observation or 'nothing'}"


def _wire_value(text: str, kind: Kind) -> object:
    match kind:
        case BooleanKind() if text in ("true", "false"):
            return text == "true"
        case QuantityKind():
            number, _, rest = text.partition(" ")
            spread, _, unit = rest.removeprefix("± ").partition(" ") if rest.startswith("± ") else ("", "", rest)
            if number and unit:
                return {"n": number, "u": spread, "unit": unit} if spread else {"n": number, "unit": unit}
        case IntervalKind():
            low, comma, high = text[1:-1].partition(", ")
            if comma and text[0] in "[(" and text[-1] in "])":
                return {
                    "lo": low or None,
                    "hi": high or None,
                    "lo_closed": text[0] == "[",
                    "hi_closed": text[-1] == "]",
                }
        case _:
            pass
    return text
