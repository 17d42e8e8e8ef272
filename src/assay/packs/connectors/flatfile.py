"""Pipes: UniProtKB flat files scanned by bytes: records, lines, and where each word stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assay.packs.locators import bytes_locator
from assay.packs.refusal import refusal, shown

_LOCATION = re.compile(r"(\w+) +([<>?]?\d*)(?:\.\.| +)?([<>?]?\d*)(?: +(\S.*))?$").match
_NOTE = re.compile(r'/note="([^"]*)')
_FEATURE_ID = re.compile(r'/(?:FTId=|id=")(\w+)')


@dataclass(frozen=True, slots=True)
class Line:
    """A line's two-letter code, its text after the code, and where that text begins in the file."""

    code: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Joined:
    """The text of several lines, joined by single spaces; `places`: each character's byte, -1 for joints."""

    text: str
    places: tuple[int, ...]

    def locator(self, start: int, end: int) -> str:
        """The byte ranges of `text[start:end]`."""
        ranges: list[tuple[int, int]] = []
        for place in self.places[start:end]:
            if place < 0:
                continue
            if ranges and ranges[-1][1] == place:
                ranges[-1] = (ranges[-1][0], place + 1)
            else:
                ranges.append((place, place + 1))
        return bytes_locator(*ranges)


@dataclass(frozen=True, slots=True)
class Feature:
    """A line of the feature table with the text that belongs to it; `place` is its location's locator."""

    key: str
    first: str
    last: str
    note: Joined
    identifier: str
    raw: str
    place: str


@dataclass(frozen=True, slots=True)
class Record:
    """One entry: its lines before the sequence, and the bytes of the sequence block."""

    lines: tuple[Line, ...]
    block: tuple[int, int]
    sequence: str

    def joined(self, code: str) -> Joined:
        """The text of all lines of that code."""
        return join(line for line in self.lines if line.code == code)

    def features(self) -> list[Feature]:
        """The feature table, in either of the two layouts that UniProt has used."""
        groups: list[list[Line]] = []
        for line in self.lines:
            if line.code != "FT":
                continue
            if line.text[:1].strip():
                groups.append([line])
            elif groups:
                groups[-1].append(line)
        return [feature for group in groups if (feature := _feature(group)) is not None]


def join(lines: Iterable[Line]) -> Joined:
    """The lines' stripped texts as one."""
    text: list[str] = []
    places: list[int] = []
    for line in lines:
        words = line.text.strip()
        if text:
            text.append(" ")
            places.append(-1)
        start = line.start + line.text.index(words) if words else line.start
        text.append(words)
        places.extend(range(start, start + len(words)))
    return Joined("".join(text), tuple(places))


def scan(name: str, data: bytes) -> list[Record]:
    """The records of a flat file.

    Raises:
        InvalidPack: a record without ID, SQ or end.
    """
    records: list[Record] = []
    lines: list[Line] = []
    block = -1
    at = 0
    for piece in data.splitlines(keepends=True):
        # Latin-1 keeps one character a byte, so that places in the text are places in the file.
        text = piece.rstrip(b"\r\n").decode("latin-1")
        code = text[:2]
        if code == "//":
            if not lines or lines[0].code != "ID" or block < 0:
                raise refusal(
                    "connector",
                    f"{shown(name)}: a record that ends at byte {at} has no ID or SQ line",
                    "a UniProtKB flat file is needed",
                )
            letters = b"".join(data[block:at].split()).decode("latin-1")
            records.append(Record(tuple(lines), (block, at), letters))
            lines, block = [], -1
        elif block < 0 and text.strip():
            lines.append(Line(code, text[5:], at + 5))
            if code == "SQ":
                block = at + len(piece)
        at += len(piece)
    if lines or not records:
        raise refusal(
            "connector", f"{shown(name)} ends inside a record or holds none", "a whole UniProtKB flat file is needed"
        )
    return records


def _feature(group: list[Line]) -> Feature | None:
    head = group[0]
    match = _LOCATION(head.text)
    if match is None:
        return None
    key, first, last, words = match.group(1, 2, 3, 4)
    begin, end = match.start(2), match.end(3) if last else match.end(2)
    rest = group[1:]
    if words is not None:
        rest = [Line("FT", words, head.start + match.start(4)), *rest]
    whole = join(rest)
    identifier = _FEATURE_ID.search(whole.text)
    note = _NOTE.search(whole.text)
    if note is not None:
        low, high = note.span(1)
    else:
        low, high = 0, whole.text.find("/") if whole.text.startswith("/") or " /" in whole.text else len(whole.text)
    trimmed = Joined(whole.text[low:high].rstrip(), whole.places[low:high])
    place = bytes_locator((head.start + begin, head.start + end))
    return Feature(key, first, last or first, trimmed, identifier[1] if identifier else "", head.text[begin:end], place)
