"""Doors: what a command is given: JSON inline, `@FILE`, `-`; and files of lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from assay.kernel.errors import InputError

MAX_FILE: Final = 1 << 20
MAX_LINE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a batch; `data` is None where it is longer than the bound."""

    number: int
    data: bytes | None


def read_task_argument(text: str) -> bytes:
    """The bytes of a task: inline if it begins like JSON, else `@FILE`, a file's name, or `-` for standard input.

    Raises:
        InputError: the file cannot be read.
    """
    if text == "-" or text.startswith("@"):
        return _named(text)
    # No task begins like a file's name, so a bare name can only be a file.
    return text.encode("utf-8", "surrogateescape") if text.lstrip()[:1] in ("{", "[", '"', "") else read_file(text)


def read_proposal_argument(text: str) -> bytes:
    """The bytes of a proposal: `@FILE`, `-`, or the text itself; what is not JSON is a malformed proposal."""
    return _named(text) if text == "-" or text.startswith("@") else text.encode("utf-8", "surrogateescape")


def read_file(name: str, most: int = MAX_FILE) -> bytes:
    """The bytes of the file, at most one more than a task or a proposal could use.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with Path(name).open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as fault:
        raise unreadable(name, fault) from None


@contextmanager
def raw_lines(name: str) -> Iterator[tuple[Iterator[bytes], int]]:
    """The lines of a file as they are, or of standard input for `-`, and its size in bytes (0 if unknown).

    Raises:
        InputError: it cannot be opened.
    """
    with _opened(name) as (file, size):
        yield iter(file), size


@contextmanager
def batch(name: str) -> Iterator[tuple[Iterator[Line], int]]:
    """The bounded, numbered lines of a file, or of standard input for `-`, and its size in bytes (0 if unknown).

    Raises:
        InputError: it cannot be opened.
    """
    with _opened(name) as (file, size):
        yield _lines(file), size


@contextmanager
def _opened(name: str) -> Iterator[tuple[BinaryIO, int]]:
    if name == "-":
        yield _standard_input(), 0
        return
    try:
        file = Path(name).open("rb")  # noqa: SIM115 -- closed below; only what opening raises is the user's fault
        size = os.fstat(file.fileno()).st_size
    except (OSError, ValueError) as fault:
        raise unreadable(name, fault) from None
    with file:
        yield file, size


def _named(text: str) -> bytes:
    return _standard_input().read(MAX_FILE) if text == "-" else read_file(text[1:])


def _lines(file: BinaryIO) -> Iterator[Line]:
    """Every line that is not empty; no more than one bounded line is ever in memory."""
    number = 0
    while data := file.readline(MAX_LINE):
        number += 1
        whole = data.endswith(b"\n") or len(data) < MAX_LINE
        rest = data
        while not rest.endswith(b"\n") and (rest := file.readline(MAX_LINE)):
            whole = False
        if not whole:
            yield Line(number, None)
        elif data.strip():
            yield Line(number, data.rstrip(b"\r\n"))


def typed_line() -> str | None:
    """The next line of standard input, cut where it is longer than the bound, or None where no more comes.

    Bytes that are no UTF-8 come back as halves of surrogate pairs, whatever the locale.
    """
    stdin = _standard_input()
    data = rest = stdin.readline(MAX_LINE)
    while rest and not rest.endswith(b"\n"):
        rest = stdin.readline(MAX_LINE)
    return data.decode("utf-8", "surrogateescape") if data else None


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("input.closed", "standard input is closed; name a file instead of `-`, or open it")
    return sys.stdin.buffer


def unreadable(name: str, fault: OSError | ValueError) -> InputError:
    """The one line for a file that cannot be read."""
    reason = (fault.strerror or "cannot be read").lower() if isinstance(fault, OSError) else "is no file name"
    return InputError("input.file", f"file `{name}`: {reason}")
