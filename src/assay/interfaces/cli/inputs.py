"""Doors: what a command is given: JSON inline, `@FILE`, `-`; and files of lines."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from assay.api.writing import kind_of
from assay.kernel.errors import InputError

MAX_FILE: Final = 1 << 20
MAX_LINE: Final = 1 << 20
MAX_PROGRAM: Final = 1 << 20
# Descriptors that whoever started us handed over, as a shell does for `<(…)`: they may be pipes.
_HANDED: Final = re.compile(r"/dev/(stdin|fd/[0-9]+)|/proc/self/fd/[0-9]+").fullmatch


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
    """The bytes of the file, never more than `most`: one more than whoever parses them could use.

    Raises:
        InputError: it cannot be read, or is no plain file.
    """
    try:
        with _open(name) as file:
            return file.read(most)
    except (OSError, ValueError) as fault:
        raise unreadable(name, fault) from None


def program_bytes(path: Path | str) -> bytes:
    """The bytes of a program or a reply, whole: at most 1 MiB; `-` is standard input, which is read once.

    Raises:
        InputError: it cannot be read, is no plain file, or is longer.
    """
    is_standard = str(path) == "-"
    data = _standard_input().read(MAX_PROGRAM + 1) if is_standard else read_file(str(path), MAX_PROGRAM + 1)
    if len(data) > MAX_PROGRAM:
        raise InputError("input.file", f"file `{path}`: it has more than 1 MiB; give a shorter one")
    return data


class InputFile(click.Path):
    """The name of a file that is read further inside. What would block, or never end, is refused where it is named.

    With `twice` a pipe is refused also where it was handed over: the second reading would find nothing.
    """

    def __init__(self, *, twice: bool = False) -> None:
        super().__init__(path_type=Path)
        self._twice = twice

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401, ARG002 -- click's signature
        """Return the path. Whether there is such a file is asked by whoever opens it.

        Raises:
            InputError: `input.file`: there is something else than a plain file or a folder.
        """
        path = Path(os.fsdecode(value))
        try:
            mode = os.stat(path).st_mode  # noqa: PTH116 -- one form for both
        except (OSError, ValueError):
            return path
        if not stat.S_ISDIR(mode):
            _refuse_special(str(path), mode, handed=not self._twice)
        return path


FILE: Final = InputFile()


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
        file = _open(name)
        size = os.fstat(file.fileno()).st_size
    except (OSError, ValueError) as fault:
        raise unreadable(name, fault) from None
    with file:
        yield file, size


def _open(name: str) -> BinaryIO:
    """The file, open for reading.

    Raises:
        InputError: it is neither a plain file nor was handed over.
        OSError: it cannot be opened.
    """
    # Asked before it is opened, since to open a device can do something; and again, since another may be there by now.
    _refuse_special(name, os.stat(name).st_mode)  # noqa: PTH116 -- a name, as it was given
    file = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        mode = os.fstat(file).st_mode
        _refuse_special(name, mode)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))  # noqa: TRY301 -- as opening raises it
        os.set_blocking(file, True)
        return os.fdopen(file, "rb")
    except BaseException:
        os.close(file)
        raise


def _refuse_special(name: str, mode: int, *, handed: bool = True) -> None:
    kind = kind_of(mode)
    if not kind or stat.S_ISDIR(mode) or (handed and _HANDED(name)):
        return
    hint = "or redirect it to `/dev/stdin`" if handed else "it is read more than once"
    raise InputError("input.file", f"file `{name}`: is {kind} and no plain file; name a plain file, {hint}")


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
