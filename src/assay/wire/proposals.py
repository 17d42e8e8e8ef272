"""Letterbox: the bytes of a proposal to a Proposal (spec/verification.md §2). Total: any bytes give one or a Malformed.

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

TOO_LONG: Final = Malformed("parse.too_long")
ENCODING: Final = Malformed("parse.encoding")
DEPTH: Final = Malformed("parse.depth")
JSON: Final = Malformed("parse.json")
DUPLICATE_KEY: Final = Malformed("parse.duplicate_key")
SURROGATE: Final = Malformed("parse.surrogate")
SHAPE: Final = Malformed("proposal.shape")
STATE: Final = Malformed("proposal.state")

# The shape of nearly every honest proposal: `state`, then `value`. A scalar without escapes is read by this one match,
# the start of an array or object is found by it. Anything else takes the slow path; a test holds both paths equal.
_SPACE: Final = r"[ \t\n\r]*+"
_USUAL: Final = re.compile(
    r"""~ \{ ~ "state" ~ : ~ "VALUE" ~ , ~ "value" ~ : ~ (?:
        (?: "([^"\\\x00-\x1f]*+)"
          | (-?[1-9][0-9]{0,99}+|0) | (true) | (false) | (null)
          | (-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+) ) ~ \} ~ \Z
        | [\[{] )""".replace("~", _SPACE),
    re.VERBOSE,
).match
_LITERALS: Final = {3: True, 4: False, 5: None}
_END: Final = re.compile(rf"{_SPACE}\}}{_SPACE}\Z").match
_ALIKE: Final = bytes.maketrans(b"{}", b"[]")
_NINE: Final = b"[" * (MAX_DEPTH + 1)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


class NotExact:
    """Stands for a JSON number that no kind admits: one with a point or an exponent, or negative zero."""

    __slots__ = ()


NOT_EXACT: Final = NotExact()


class _Duplicate(ValueError):
    """An object with the same key twice."""


def parse_proposal(data: bytes) -> Proposal:
    """The proposal that these bytes are, or Malformed with the code of the first failed check; never raises."""
    if len(data) > MAX_BYTES:
        return TOO_LONG
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ENCODING
    usual = _USUAL(text)
    if usual is None:
        return read_any(text)
    which = usual.lastindex
    if which == 1:
        return AssertValue(usual[1])
    if which == 2:
        return AssertValue(int(usual[2]))
    if which is None:
        return _composite(text, usual.end() - 1)
    return AssertValue(_LITERALS[which] if which in _LITERALS else _number(usual[6]))


def _composite(text: str, start: int) -> Proposal:
    if _too_deep(text):
        return DEPTH
    if _is_cut_off(text):
        return JSON
    try:
        value, end = _DECODER.raw_decode(text, start)
    except _Duplicate:
        return DUPLICATE_KEY
    except ValueError:
        return JSON
    if _END(text, end) is None:
        return read_any(text)
    # Strict UTF-8 holds no surrogate, so only an escape can make one.
    return SURROGATE if "\\u" in text and _has_surrogate(value) else AssertValue(value)


def read_any(text: str) -> Proposal:
    """The proposal of any text, without the usual shapes."""
    if _too_deep(text):
        return DEPTH
    if text[:1] == "{" and _is_cut_off(text):
        return JSON
    try:
        document: Any = _DECODER.decode(text)
    except _Duplicate:
        return DUPLICATE_KEY
    except ValueError:
        return JSON
    return SURROGATE if "\\u" in text and _has_surrogate(document) else _proposal(document)


def _proposal(document: object) -> Proposal:
    if type(document) is not dict or "state" not in document or not document.keys() <= {"state", "value"}:
        return SHAPE
    state = document["state"]
    if state == "VALUE":
        return AssertValue(document["value"]) if len(document) == 2 else SHAPE
    if type(state) is not str or state not in _ABSTENTIONS:
        return STATE
    return _ABSTENTIONS[state] if len(document) == 1 else SHAPE


def _too_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    unescaped = text.replace("\\\\", "").replace('\\"', "") if "\\" in text else text
    outside = "".join(unescaped.split('"')[::2])
    brackets = outside.encode().translate(_ALIKE, _NO_BRACKETS) + b"]" * (MAX_DEPTH + 1)
    if _NINE in brackets:
        return True
    # Each round takes one level off every peak, since a closing bracket follows each; what is left was deeper.
    for _ in range(MAX_DEPTH):
        brackets = brackets.replace(b"[]", b"")
    return b"[" in brackets


def _is_cut_off(text: str) -> bool:
    """Whether an object's last brace is missing: the commonest fault, and the reader would take long to say where."""
    return text[-1] != "}" and not text.rstrip(" \t\n\r").endswith("}")


def read_integer(token: str) -> int | NotExact:
    """A JSON integer token exactly; one beyond every bound as 10^100, for its digits may be many."""
    # ASCII: a JSON reader written in Python takes any script's digits.
    if token == "-0" or not token.isascii():
        return NOT_EXACT
    return int(token) if len(token) <= 101 else _TOO_LONG_INTEGER


def _number(token: str) -> int | NotExact:
    return read_integer(token) if token.lstrip("-").isdigit() else NOT_EXACT


def read_inexact(token: str) -> NotExact:
    """A JSON number with a point or an exponent."""
    return NOT_EXACT


def read_constant(token: str) -> NotExact:
    """NaN and Infinity, which are no JSON."""
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
    parse_int=read_integer,
    parse_float=read_inexact,
    parse_constant=read_constant,
)
