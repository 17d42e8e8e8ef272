"""Pipes: files in memory for a candidate's standard streams: its input sealed, its output read when it is dead."""

from __future__ import annotations

import fcntl
import os
from typing import Final

_SEALS: Final = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


def sealed(data: bytes) -> int:
    """A descriptor, at its start and for reading only, of bytes that nobody can change."""
    writable = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(writable, view) :]
        fcntl.fcntl(writable, fcntl.F_ADD_SEALS, _SEALS)
        return os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(writable)


def empty(name: str) -> int:
    """A descriptor of a file that takes output; how much is bounded by the writer's limit on file sizes."""
    return os.memfd_create(name, os.MFD_CLOEXEC)


def content(descriptor: int, most: int) -> bytes:
    """What was written, from the start, at most so many bytes."""
    data = b""
    while len(data) < most and (more := os.pread(descriptor, most - len(data), len(data))):
        data += more
    return data


def size(descriptor: int) -> int:
    """How many bytes a file holds."""
    return os.fstat(descriptor).st_size
