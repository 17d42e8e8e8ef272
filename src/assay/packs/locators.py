"""Pipes: where in a raw file a spelling stands (spec/pack.md §6)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

_BYTES: Final = re.compile(
    r"bytes=((?:0|[1-9][0-9]{0,17})-[1-9][0-9]{0,17}(?:\+(?:0|[1-9][0-9]{0,17})-[1-9][0-9]{0,17})*)"
).fullmatch
_ROW: Final = re.compile(r"((?:row=[^:;]+:[^;]*;)+)column=([^:;]+)").fullmatch


@dataclass(frozen=True, slots=True)
class ByteRanges:
    """Half-open ranges into the decompressed file, in order, without overlap."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class TableCell:
    """The cell in `column` of the one row in which every named column holds its key."""

    keys: tuple[tuple[str, str], ...]
    column: str


Locator = ByteRanges | TableCell


def parse_locator(text: str) -> Locator | None:
    """The locator, or None where the text is none."""
    match = _BYTES(text)
    if match is not None:
        ends = [part.split("-") for part in match[1].split("+")]
        ranges = tuple((int(start), int(end)) for start, end in ends)
        flat = [place for pair in ranges for place in pair]
        ordered = all(start < end for start, end in ranges) and flat == sorted(flat)
        return ByteRanges(ranges) if ordered else None
    match = _ROW(text)
    if match is None:
        return None
    pairs = [part.removeprefix("row=").split(":", 1) for part in match[1][:-1].split(";")]
    if "%" in text:
        return TableCell(tuple((unquote(column), unquote(key)) for column, key in pairs), unquote(match[2]))
    return TableCell(tuple((column, key) for column, key in pairs), match[2])


def bytes_locator(*ranges: tuple[int, int]) -> str:
    """The text of a locator of byte ranges."""
    return "bytes=" + "+".join(f"{start}-{end}" for start, end in ranges)


def cell_locator(keys: tuple[tuple[str, str], ...], column: str) -> str:
    """The text of a locator of a table's cell."""
    return "".join(f"row={_escaped(name)}:{_escaped(key, '%;')};" for name, key in keys) + f"column={_escaped(column)}"


def _escaped(text: str, special: str = "%;:") -> str:
    # Only what the grammar needs, so that locators stay readable.
    return "".join(quote(ch, safe="") if ch in special else ch for ch in text)
