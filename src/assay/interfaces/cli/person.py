"""Doors: a person as the navigator of a session, at a prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Final

from assay.floor.cards import ABSTENTIONS, LINES, OPEN, AffordanceCard
from assay.floor.signatures import SIGNATURES, OperationCall
from assay.interfaces.cli.spelling import wanted
from assay.kernel.kinds import MAX_DIGITS, BooleanKind, CategoryKind, Kind, QuantityKind
from assay.runtime.navigation import read_choice
from assay.runtime.session import ClaimSession
from assay.runtime.trace import Event
from assay.wire.proposals import MAX_BYTES, parse_proposal

HELP: Final = "an answer, one of the three words above, `do N` for an operation, or nothing to stop"
_DO: Final = re.compile(r"do +([0-9]{1,3})").fullmatch
_QUANTITY: Final = re.compile(r"(\S+)(?: *(?:±|\+-) *(\S+))? +(\S.*)").fullmatch

Tell = Callable[[str], None]


def walk(
    session: ClaimSession, hear: Callable[[], str | None], tell: Tell, on_event: Callable[[Event], None]
) -> ClaimSession:
    """The session after a person has walked it to its end. `hear` gives a line, or None where no more comes."""
    for line in _opening(session.card):
        tell(line)
    tell(f"wanted: {wanted(session.kind)}")
    tell(f"type {HELP}")
    while session.outcome is None:
        said = hear()
        if said is None or not said.strip():
            session, event = session.navigation_failure("no_proposal")
            on_event(event)
            break
        said = said.strip()
        number = _DO(said)
        calls = session.card.operations
        if number is not None and not 1 <= int(number[1]) <= len(calls):
            # Nothing was chosen, so nothing is recorded: a person may mistype a number.
            tell(f"there is no operation {number[1]}; type {HELP}")
            continue
        if _is_meant(session.kind, said):
            tell(f"did you mean {said.upper()}? type it in capitals")
            continue
        if number is not None:
            session, event = session.perform(calls[int(number[1]) - 1])
        elif said in {text for call in calls for text in (call.text, call.name)}:
            choice = read_choice(said, session.card)
            if not isinstance(choice, OperationCall):
                tell("several operations have this name; type `do N`")
                continue
            session, event = session.perform(choice)
        else:
            # A byte that is no text is half a surrogate pair here; as bytes again it is what no proposal holds.
            wire = wire_text(session.kind, said).encode("utf-8", "surrogatepass")
            session, event = session.submit(parse_proposal(wire), said)
        on_event(event)
        if session.outcome is None:
            for line in _again(session.card):
                tell(line)
    return session


def _is_meant(kind: Kind, said: str) -> bool:
    """Whether it is one of the three words but for case, and no word that the answer may be."""
    words = {word for word, _ in ABSTENTIONS}
    if isinstance(kind, CategoryKind) and said in kind.vocabulary:
        return False
    return said not in words and said.upper() in words


def wire_text(kind: Kind, said: str) -> str:
    """What a person typed as the JSON text of a proposal: an object as it stands, words as the kind writes them."""
    if len(said) > MAX_BYTES or (said.startswith("{") and '"state"' in said):
        return said
    if said in {word for word, _ in ABSTENTIONS}:
        return json.dumps({"state": said})
    try:
        return json.dumps({"state": "VALUE", "value": _raw(kind, said)})
    except (_Unreadable, RecursionError):
        # As it stands: the reader of proposals says what is wrong with it.
        return f'{{"state":"VALUE","value":{said}}}'


class _Unreadable(Exception):
    """JSON that would be another value once it were read and written again."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise _Unreadable
    return document


def _integer(token: str) -> int | str:
    """The number; as text where writing it again would change it."""
    return int(token) if token != "-0" and len(token) <= MAX_DIGITS else token


def _raw(kind: Kind, said: str) -> object:
    if said[:1] in ("{", "["):
        try:
            return json.loads(said, parse_float=str, parse_int=_integer, object_pairs_hook=_unique)
        except ValueError:
            return said
    if isinstance(kind, BooleanKind) and said in ("true", "false"):
        return said == "true"
    match = _QUANTITY(said) if isinstance(kind, QuantityKind) else None
    if match is None:
        return said
    spread = {"u": match[2]} if match[2] is not None else {}
    return {"n": match[1], "unit": match[3], **spread}


def _opening(card: AffordanceCard) -> list[str]:
    lines = ["the task: " + ", ".join(f"{name} {text}" for name, text in card.task), LINES[OPEN]]
    lines += [
        f"  {number}  {call.text}: {SIGNATURES[call.name].gives}" for number, call in enumerate(card.operations, 1)
    ]
    return lines + [f"     {word}: {means}" for word, means in ABSTENTIONS]


def _again(card: AffordanceCard) -> list[str]:
    left = f"attempts left: {card.left.attempts}, operations left: {card.left.operations}"
    return [left] if card.operations else [left, "no operation is left; propose, or stop"]
