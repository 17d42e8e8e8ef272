"""Library: free text fit to be shown: cut, escaped, never able to close what it stands in (spec/card.md §2)."""

from __future__ import annotations

import re
from typing import Final

MAX_SHOWN: Final = 80
# Beyond this the decimal text of an integer is not worth making; the grammars refuse it long before.
_LARGE: Final = 10**100
_PLAIN: Final = re.compile(r"[A-Za-z0-9_.:/+%^@~-]+").fullmatch
# Characters that end a quotation, or that a page or a terminal table would read as its own.
_SPECIAL: Final = frozenset("`<>|")


def clean(text: str) -> str:
    """The text cut to 80 characters and escaped; equal texts stay equal, and it holds no line end and no bare quote."""
    cut = text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
    return "".join(map(_escaped, cut))


def quoted(cleaned: str) -> str:
    """A cleaned text as it stands in a line: in quotation marks unless it is a plain word."""
    return cleaned if _PLAIN(cleaned) is not None else f'"{cleaned}"'


def shown(text: str) -> str:
    """The text, cleaned and quoted."""
    return quoted(clean(text))


def raw_text(raw: object) -> str:
    """A raw value in plain words for a line; what no JSON reader makes is `(no value)`.

    Only objects of exact built-in types are looked into, and nothing nested is.
    """
    if type(raw) is list:
        text = ", ".join(map(_scalar_text, raw[: MAX_SHOWN + 1]))
        return "{" + (text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…") + "}"
    return _object_text(raw) if type(raw) is dict else _scalar_text(raw)


def _scalar_text(raw: object) -> str:
    if type(raw) is str:
        return shown(raw)
    if type(raw) is bool:
        return "true" if raw else "false"
    if type(raw) is int:
        return str(raw) if -_LARGE < raw < _LARGE else "(a number of more than 100 digits)"
    return "null" if raw is None else "(no value)"


def _object_text(raw: dict[object, object]) -> str:
    fields = {key: _scalar_text(value) for key, value in raw.items() if type(key) is str}
    if len(fields) != len(raw):
        return "(no value)"
    if fields.keys() == {"n", "unit"} or fields.keys() == {"n", "unit", "u"}:
        spread = f" ± {fields['u']}" if "u" in fields else ""
        return f"{fields['n']}{spread} {fields['unit']}"
    if fields.keys() == {"lo", "hi", "lo_closed", "hi_closed"}:
        low, high = ("" if raw[side] is None else fields[side] for side in ("lo", "hi"))
        return f"{'[' if raw['lo_closed'] is True else '('}{low}, {high}{']' if raw['hi_closed'] is True else ')'}"
    return f"(an object with {len(fields)} keys)"


def _escaped(ch: str) -> str:
    if ch in '"\\':
        return "\\" + ch
    return f"\\u{{{ord(ch):x}}}" if ch in _SPECIAL or not ch.isprintable() else ch
