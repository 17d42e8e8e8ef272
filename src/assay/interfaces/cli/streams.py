"""Doors: standard output and standard error of a process: closed, full, or gone while something was written."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final, TextIO

# What a write to an open descriptor raises; files of our own are guarded where they are written.
_LOST: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})
CLOSED: Final = "standard output is closed; send it to a file or to /dev/null"


def prepare() -> bool:
    """Make both streams safe to write to; False where standard output is closed.

    A closed descriptor would be given to the next file that is opened, and what is said would be written into that.
    """
    while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(spare)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 -- open as long as the process
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            # A terminal without UTF-8 gets escapes rather than an exception.
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    return sys.stdout is not None


def write_fault(error: Exception) -> str:
    """What to say of an error that a write to one of the streams raised; empty for any other error."""
    if not isinstance(error, OSError) or error.filename is not None or error.errno not in _LOST:
        return ""
    # Its own buffer may still hold what could not be written.
    silence(sys.stdout)
    return _words(error)


def flush_output() -> str:
    """Write out what standard output still holds: why it takes no more, in words, or nothing.

    Raises:
        BrokenPipeError: whoever read it is gone.
    """
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as fault:
        silence(sys.stdout)
        return _words(fault)
    return ""


def flush_error() -> None:
    """The same of standard error, of which nobody can be told."""
    try:
        sys.stderr.flush()
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Point the stream nowhere, so that the interpreter's last flush raises nothing."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _words(fault: OSError) -> str:
    return f"output cannot be written: {(fault.strerror or 'unknown').lower()}; make room or send it elsewhere"
