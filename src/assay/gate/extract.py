"""Halls: code taken out of a model's reply, before the boundary (spec/suite.md §12); the receipt names the rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

TAGGED: Final = "tagged_fence"  # the first block that says it is Python and holds something
FENCED: Final = "fence"  # of the other blocks that hold something the first that may be a program
WHOLE: Final = "whole"  # no block: the reply as it is

_TAGS: Final = frozenset({b"python", b"py", b"python3", b"py3"})
# What a reply shows beside its program: how it is run, what goes in and what comes out. Code only where all blocks are.
_BESIDE: Final = frozenset(
    b"bash sh shell zsh console terminal cmd powershell text txt plaintext output input stdin stdout json yaml toml xml"
    b" csv diff markdown md pycon".split()
)
_LINE: Final = re.compile(rb"[^\n]*(?:\n|\Z)")
_OPENS: Final = re.compile(rb"([ \t]*)(`{3,}(?=[^`]*\Z)|~{3,})[ \t]*([^\s{,]*)").match


@dataclass(frozen=True, slots=True)
class Extraction:
    """The code, byte for byte as it stood in the reply, and the rule that found it.

    `block` is its place, from 1, among the reply's `of` fenced blocks; both are 0 where all of the reply was taken.
    """

    source: bytes
    rule: str
    block: int = 0
    of: int = 0
    tag: str = ""

    @property
    def words(self) -> str:
        """One line for a person: what was taken."""
        if not self.block:
            return "took all of the reply: it holds no fenced block"
        said = f"tagged {self.tag}" if self.tag else "without a tag"
        return f"took block {self.block} of {self.of} ({said})"


def extract(reply: bytes) -> Extraction:
    """The first fenced block that is tagged as Python, else the first that may be a program, else the first, else all.

    Blocks that hold nothing are passed over. A fence that is never closed reaches to the end. Where a fence is
    indented, as in a list, its lines lose as much.
    """
    blocks = _blocks(reply)
    found = [(at, tag, body) for at, (tag, body) in enumerate(blocks, 1) if body.strip()]
    if not found:
        return Extraction(reply, WHOLE)
    at, tag, body = min(found, key=lambda block: _rank(block[1]))  # of equals the first
    rule = TAGGED if tag in _TAGS else FENCED
    return Extraction(body, rule, at, len(blocks), tag.decode("utf-8", "backslashreplace"))


def has_fence(program: bytes) -> bool:
    """Whether a fenced block stands in the text: it may be a whole reply that was given as a program."""
    return any(body.strip() for _, body in _blocks(program))


def _rank(tag: bytes) -> int:
    if tag in _TAGS:
        return 0
    return 2 if tag in _BESIDE else 1


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
