"""Halls: a proposal copied into plain values before anything looks at it (docs/adr/0018).

What is checked is therefore what is recorded.

INVARIANT: no method of a proposed object is called; what is not exactly a JSON reader's type becomes `Foreign`, which
denotes nothing in any kind.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from assay.floor.cards import LINES
from assay.floor.wording import raw_text
from assay.kernel import states

# An admitted value has at most 257 parts and two levels; what goes beyond is refused whatever it holds.
_MAX_PARTS: Final = 1024
_MAX_LENGTH: Final = 300
_MAX_DEPTH: Final = 8
_MAX_TEXT: Final = 4096
_LARGE: Final = 10**100


class Foreign:
    """Stands for an object that no JSON reader makes."""

    __slots__ = ()


_FOREIGN: Final = Foreign()

_WORDS: Final[dict[type, str]] = {
    states.AssertInsufficient: "INSUFFICIENT_EVIDENCE",
    states.AssertConflict: "CONFLICT_NOT_RESOLVED",
    states.AssertNoEntity: "NO_ENTITY",
}


@dataclass(frozen=True, slots=True, repr=False)
class Plain:
    """A proposal that nobody else holds, its line for people, and its JSON text (empty where it has none)."""

    proposal: states.Proposal
    text: str
    wire: str

    def __repr__(self) -> str:
        return "Plain(<hidden>)"


def plain(proposal: states.Proposal) -> Plain:
    """The proposal as plain values; an object that is no proposal is malformed, `proposal.shape`."""
    kind = type(proposal)
    if kind is states.AssertValue:
        raw = _Copier().copy(proposal.raw, 0)  # type: ignore[union-attr]
        return Plain(states.AssertValue(raw), raw_text(raw), _wire(raw))
    if kind in _WORDS:
        return Plain(proposal, _WORDS[kind], json.dumps({"state": _WORDS[kind]}, separators=(",", ":")))
    code = proposal.code if kind is states.Malformed else ""  # type: ignore[union-attr]
    return Plain(states.Malformed(code if code in LINES else "proposal.shape"), "(malformed)", "")


class _Copier:
    """Copies JSON values within a budget of parts, so that nested repetition cannot grow."""

    def __init__(self) -> None:
        self._parts = 0

    def copy(self, raw: object, depth: int) -> object:
        self._parts += 1
        kind = type(raw)
        if kind is str or kind is bool or raw is None:
            return raw
        if kind is int:
            return raw if -_LARGE < raw < _LARGE else _LARGE  # type: ignore[operator]
        if depth >= _MAX_DEPTH or self._parts > _MAX_PARTS:
            return _FOREIGN
        if kind is list:
            return [self.copy(item, depth + 1) for item in raw[:_MAX_LENGTH]]  # type: ignore[index]
        if kind is dict:
            pairs = list(raw.items())[:_MAX_LENGTH]  # type: ignore[attr-defined]
            return {key if type(key) is str else Foreign(): self.copy(item, depth + 1) for key, item in pairs}
        return _FOREIGN


def _wire(raw: object) -> str:
    try:
        text = json.dumps({"state": "VALUE", "value": raw}, separators=(",", ":"))
    except TypeError:
        return ""
    return text if len(text) <= _MAX_TEXT else ""


def said_text(said: object) -> str:
    """What was said, as it is kept: at most 4,096 characters, without half surrogate pairs."""
    return said[:_MAX_TEXT].encode("utf-8", "backslashreplace").decode() if type(said) is str else ""
