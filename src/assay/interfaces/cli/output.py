"""Doors: what the commands print: lines for people, JSON for programs, errors as one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress

from assay.interfaces.cli.streams import silence

LONGEST = 600


def say(text: str = "") -> None:
    """Print a line for people; control characters of whatever stands in it are escaped."""
    print(printable(text))


def say_json(document: object) -> None:
    """Print one JSON document on one line, in ASCII, so that any terminal and any pipe carries it."""
    print(json.dumps(document, separators=(",", ":")))


def say_error(code: str, message: str, exit_code: int, *, as_json: bool) -> int:
    """Print the error as one line on standard error, and as JSON on standard output where that is wanted."""
    line = printable(message)
    if len(line) > LONGEST:
        line = line[: LONGEST - 1] + "…"
    # A stream that takes nothing must not change the exit code.
    with suppress(OSError):
        print(f"error: {line}", file=sys.stderr)
    if as_json:
        try:
            say_json({"error": {"code": code, "message": line, "exit": exit_code}})
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError:
            silence(sys.stdout)
    return exit_code


def say_warning(message: str) -> None:
    """Print a warning as one line on standard error."""
    # A stream that takes nothing must not change what the command does.
    with suppress(OSError):
        print(f"warning: {printable(message)}", file=sys.stderr)


def printable(text: str) -> str:
    """The text on one line, with control and format characters written as escapes: nothing here moves a cursor."""
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode("ascii") for ch in text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of columns, each as wide as its widest cell."""
    cells = [list(head), *([printable(cell) for cell in row] for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(head))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
