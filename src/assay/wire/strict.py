"""Letterbox: the raw bytes of a document to plain JSON values, strictly (docs/adr/0007).

Nothing else looks at the bytes of a task before this.
"""

from __future__ import annotations

import json
import re
from typing import Final

from assay.kernel.errors import InputError

MAX_DEPTH: Final = 16
_MAX_INTEGER_DIGITS: Final = 101
_STRINGS: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)


class Inexact:
    """Stands for a JSON number that no document admits: with a point or an exponent, negative zero, or huge."""

    __slots__ = ()


class _DuplicateKey(ValueError):
    """An object with the same key twice."""


class StrictReader:
    """Reads the documents of one family; every refusal is an `error` whose code begins with `family`."""

    __slots__ = ("_error", "_family", "_limit", "_name")

    def __init__(self, error: type[InputError], family: str, name: str, limit: int) -> None:
        self._error, self._family, self._name, self._limit = error, family, name, limit

    def read(self, data: bytes | str, *, surrogates: bool = False) -> object:
        """The JSON value of the bytes: no duplicate key, no NaN, no lone surrogate, nothing trailing, nothing deep.

        Numbers with a point or an exponent come back as `Inexact`: whoever reads the field says what it needs. With
        `surrogates`, half pairs that were written as escapes are left in, for a field that may hold anything.

        Raises:
            InputError: of the reader's own class, with one line that names the fault and never repeats the input.
        """
        if isinstance(data, str):
            try:
                data = data.encode()
            except UnicodeEncodeError:
                raise self._refuse("surrogate", "holds half a surrogate pair; write whole characters") from None
        if len(data) > self._limit:
            raise self._refuse("too_long", f"has {len(data)} bytes; at most {self._limit} are admitted")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as fault:
            raise self._refuse("encoding", f"is not UTF-8 at byte {fault.start}; save it as UTF-8") from None
        if text.startswith("\ufeff"):
            raise self._refuse(
                "json", "begins with a byte-order mark, which no JSON does; save it as UTF-8 without one"
            )
        if _is_deep(data):
            raise self._refuse("depth", f"is nested deeper than {MAX_DEPTH}; flatten it")
        try:
            document: object = _DECODER.decode(text)
        except _DuplicateKey:
            raise self._refuse("duplicate_key", "has an object with the same key twice; keep one") from None
        except json.JSONDecodeError as fault:
            where = f"line {fault.lineno} column {fault.colno}"
            raise self._refuse("json", f"is not one JSON value: fault at {where}") from None
        except ValueError:
            raise self._refuse("json", "is not one JSON value: NaN and Infinity are no JSON") from None
        if not surrogates and "\\u" in text and has_surrogate(document):
            raise self._refuse("surrogate", "holds half a surrogate pair; write whole characters")
        return document

    def _refuse(self, code: str, what: str) -> InputError:
        return self._error(f"{self._family}.{code}", f"{self._name} {what}")


def word_for(value: object) -> str:
    """What a JSON value is, in words; never the value itself."""
    if value is None:
        return "null"
    for kind, word in _WORDS.items():
        if type(value) is kind:
            return word
    return "another object"


def _is_deep(data: bytes) -> bool:
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return False
    depth = 0
    for byte in _STRINGS.sub(b"", data):
        if byte in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif byte in b"]}":
            depth = max(depth - 1, 0)
    return False


def _integer(token: str) -> int | Inexact:
    return int(token) if token != "-0" and len(token) <= _MAX_INTEGER_DIGITS else Inexact()


def _inexact(_: str) -> Inexact:
    return Inexact()


def _constant(token: str) -> Inexact:
    raise ValueError(token)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise _DuplicateKey
    return document


def has_surrogate(document: object) -> bool:
    """Whether a text or key anywhere in the document holds half a surrogate pair."""
    if isinstance(document, str):
        return any("\ud800" <= ch <= "\udfff" for ch in document)
    if isinstance(document, dict):
        return any(has_surrogate(key) or has_surrogate(item) for key, item in document.items())
    return isinstance(document, list) and any(has_surrogate(item) for item in document)


_WORDS: Final[dict[type, str]] = {
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    list: "a list",
    dict: "an object",
    Inexact: "a JSON number with a point or an exponent",
}

_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_int=_integer,
    parse_float=_inexact,
    parse_constant=_constant,
)
