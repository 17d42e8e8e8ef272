"""Halls: code taken out of a model's reply, before the boundary (spec/suite.md §12); the receipt names the rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

TAGGED: Final = "tagged_fence"  # the first block that says it is Python and holds something
FENCED: Final = "fence"  # the first block that holds something
WHOLE: Final = "whole"  # no block: the reply as it is

_TAGS: Final = frozenset({b"python", b"py"})
_LINE: Final = re.compile(rb"[^\n]*(?:\n|\Z)")
_OPENS: Final = re.compile(rb"([ \t]*)(`{3,}(?=[^`]*\Z)|~{3,})[ \t]*([^\s{,]*)").match


@dataclass(frozen=True, slots=True)
class Extraction:
    """The code, byte for byte as it stood in the reply, and the rule that found it."""

    source: bytes
    rule: str


def extract(reply: bytes) -> Extraction:
    """The first fenced block tagged `python` or `py` that holds something, else the first that does, else all of it.

    A fence that is never closed reaches to the end. Where a fence is indented, as in a list, its lines lose as much.
    """
    found = [block for block in _blocks(reply) if block[1].strip()]
    for tag, body in found:
        if tag in _TAGS:
            return Extraction(body, TAGGED)
    return Extraction(found[0][1], FENCED) if found else Extraction(reply, WHOLE)


def _blocks(reply: bytes) -> list[tuple[bytes, bytes]]:
    blocks: list[tuple[bytes, list[bytes]]] = []
    fence, indent = b"", b""
    for line in _LINE.findall(reply):
        text = line.rstrip()
        if fence:
            closing = text.lstrip()
            if len(closing) >= len(fence) and not closing.strip(fence[:1]):
                fence = b""
            else:
                blocks[-1][1].append(_dedented(line, indent))
        elif (opened := _OPENS(text)) is not None:
            indent, fence, tag = opened.groups()
            blocks.append((tag.lower(), []))
    return [(tag, b"".join(lines)) for tag, lines in blocks]


def _dedented(line: bytes, indent: bytes) -> bytes:
    if indent and line.startswith(indent):
        return line[len(indent) :]
    return line.lstrip(b" \t") if indent and not line[: len(indent)].strip() else line
