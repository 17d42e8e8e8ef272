"""Pipes: an append-only file of lines (spec/receipt.md §6). It keeps bytes; what they mean is nobody's business here.

INVARIANT: a line is in the file whole, or not at all. Many processes may append; each holds one lock while it writes.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from assay.kernel.errors import LedgerFault

TORN: Final = ".torn"
_MODE: Final = 0o600
_BLOCK: Final = 65_536


def append(path: Path, line: bytes) -> None:
    """Put one line at the end of the file, synced to the disk; the line feed is added here.

    Raises:
        LedgerFault: the line could not be kept (full disk, no permission, a line break inside); the file is as before.
    """
    if b"\n" in line:
        raise LedgerFault("fault.ledger", "a line of the ledger holds a line break; one receipt is one line")
    try:
        with _locked(path) as file:
            end = _mend(path, file)
            _write(file, line + b"\n", end)
    except OSError as fault:
        raise LedgerFault("fault.ledger", f"ledger `{path}`: {_reason(fault)}; nothing was written") from None


def lines(path: Path) -> Iterator[bytes]:
    """The whole lines of the file, in order; an unfinished last one is left out. No file is no line.

    Raises:
        LedgerFault: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except FileNotFoundError:
        return
    except OSError as fault:
        raise LedgerFault("fault.ledger", f"ledger `{path}`: {_reason(fault)}") from None


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, opened and locked; released on every way out."""
    fresh = not path.exists()
    # O_NOFOLLOW: a link put in our place must not lead the receipts elsewhere.
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, _MODE)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        if fresh:
            os.fchmod(file, _MODE)
            _sync_folder(path.parent)
        yield file
    finally:
        os.close(file)  # gives the lock up


def _write(file: int, data: bytes, end: int) -> None:
    """Write all of the data, or take back what was written of it."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fsync(file)
    except OSError:
        # Where even this fails, the rest is an unfinished line, which the next append moves aside.
        with suppress(OSError):
            os.ftruncate(file, end)
        raise


def _mend(path: Path, file: int) -> int:
    """Where the last whole line ends. What stands behind it, a crash's leftover, is moved to the side file first."""
    size = os.fstat(file).st_size
    end = _last_line_end(file, size)
    if end < size:
        side = os.open(path.with_name(path.name + TORN), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, _MODE)
        try:
            start = os.fstat(side).st_size
            _write(side, _read(file, end, size) + b"\n", start)
        finally:
            os.close(side)
        os.ftruncate(file, end)
    return end


def _last_line_end(file: int, size: int) -> int:
    stop = size
    while stop > 0:
        start = max(stop - _BLOCK, 0)
        found = os.pread(file, stop - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        stop = start
    return 0


def _read(file: int, start: int, stop: int) -> bytes:
    parts = []
    while start < stop:
        part = os.pread(file, min(stop - start, _BLOCK), start)
        if not part:
            break
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def _sync_folder(folder: Path) -> None:
    """Make the file's name last as long as its content."""
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def _reason(fault: OSError) -> str:
    if fault.errno == errno.ELOOP:
        return "it is a link; give the file itself"
    return (fault.strerror or "cannot be used").lower()
