"""Letterbox: the bytes of a proposal to a Proposal (spec/verification.md §2). Total: any bytes give a proposal or a Malformed.

No pydantic here: it keeps the last of two equal keys, and a proposal with two is refused.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from assay.kernel.states import (
    CONFLICT_NOT_RESOLVED,
    INSUFFICIENT_EVIDENCE,
    NO_ENTITY,
    AssertConflict,
    AssertInsufficient,
    AssertNoEntity,
    AssertValue,
    Malformed,
    Proposal,
)

MAX_BYTES: Final = 4096
MAX_DEPTH: Final = 8
_TOO_LONG_INTEGER: Final = 10**100

_ABSTENTIONS: Final[dict[str, AssertInsufficient | AssertConflict | AssertNoEntity]] = {
    "INSUFFICIENT_EVIDENCE": INSUFFICIENT_EVIDENCE,
    "CONFLICT_NOT_RESOLVED": CONFLICT_NOT_RESOLVED,
    "NO_ENTITY": NO_ENTITY,
}

# The shape of nearly every honest proposal of a scalar: one match instead of a JSON parse. Anything else, and
# any escape, takes the slow path; a test holds both paths equal.
_FAST: Final = re.compile(
    rb'\{ ?"state": ?"VALUE", ?"value": ?(?:"([ !#-\[\]-~]*)"|(-?[1-9][0-9]{0,99}|0)|(true)|(false))\}',
).fullmatch
_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)


class NotExact:
    """Stands for a JSON number that no kind admits: one with a point or an exponent, or negative zero."""

    __slots__ = ()


_NOT_EXACT: Final = NotExact()


class _Duplicate(ValueError):
    """An object with the same key twice."""


def parse_proposal(data: bytes) -> Proposal:
    """The proposal that these bytes are, or Malformed with the code of the first failed check; never raises."""
    if len(data) > MAX_BYTES:
        return Malformed("parse.too_long")
    match = _FAST(data)
    if match is not None:
        which = match.lastindex
        if which == 1:
            return AssertValue(match[1].decode("ascii"))
        return AssertValue(int(match[2]) if which == 2 else which == 3)
    return _slow(data)


def _slow(data: bytes) -> Proposal:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Malformed("parse.encoding")
    if _too_deep(data):
        return Malformed("parse.depth")
    try:
        document: Any = _DECODER.decode(text)
    except _Duplicate:
        return Malformed("parse.duplicate_key")
    except ValueError:
        return Malformed("parse.json")
    # Strict UTF-8 holds no surrogate, so only an escape can make one.
    if "\\u" in text and _has_surrogate(document):
        return Malformed("parse.surrogate")
    return _proposal(document)


def _proposal(document: object) -> Proposal:
    if type(document) is not dict or "state" not in document:
        return Malformed("proposal.shape")
    state = document["state"]
    if type(state) is not str or (state != "VALUE" and state not in _ABSTENTIONS):
        return Malformed("proposal.state") if document.keys() <= {"state", "value"} else Malformed("proposal.shape")
    if state == "VALUE":
        return AssertValue(document["value"]) if document.keys() == {"state", "value"} else Malformed("proposal.shape")
    return _ABSTENTIONS[state] if len(document) == 1 else Malformed("proposal.shape")


def _too_deep(data: bytes) -> bool:
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for byte in _STRINGS.sub(b"", data):
        if byte in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif byte in b"]}":
            depth -= 1
    return False


def _integer(token: str) -> int | NotExact:
    if token == "-0":
        return _NOT_EXACT
    return int(token) if len(token) <= 101 else _TOO_LONG_INTEGER


def _inexact(token: str) -> NotExact:
    return _NOT_EXACT


def _constant(token: str) -> NotExact:
    raise ValueError(token)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise _Duplicate
    return document


def _has_surrogate(document: object) -> bool:
    if type(document) is str:
        return not document.isascii() and any("\ud800" <= ch <= "\udfff" for ch in document)
    if type(document) is dict:
        return any(_has_surrogate(key) or _has_surrogate(item) for key, item in document.items())
    return type(document) is list and any(_has_surrogate(item) for item in document)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_int=_integer,
    parse_float=_inexact,
    parse_constant=_constant,
)
