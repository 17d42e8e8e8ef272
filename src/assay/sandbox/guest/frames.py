"""Pipes: the frames on the channel and the messages on the control socket, shared by both ends (docs/adr/0024).

A frame is the length of the rest (4 bytes, little-endian), an id (16 bytes), a letter and a body.
"""

from __future__ import annotations

import builtins
import struct
from collections.abc import Iterator
from os import read, write
from typing import Any, Final

# What our functions see as built in is a copy: a candidate that replaces `len` for itself is still answered for.
# A function takes its built-ins from its module when it is made, so this stands before all of them.
PRIVATE: Final[dict[str, Any]] = dict(vars(builtins))
__builtins__ = PRIVATE  # type: ignore[assignment]

HEADER: Final = struct.Struct("<I")
ID_BYTES: Final = 16
NO_ID: Final = bytes(ID_BYTES)
OVERHEAD: Final = ID_BYTES + 1
CHUNK: Final = 65_536

# What the judge asks.
LOAD: Final = b"L"  # body: length of the entry point's name (2 bytes), the name, the source
PROGRAM: Final = b"P"  # body: the source
PREAMBLE: Final = b"F"  # before one of these two: its letter, and source that its module has first
CALL: Final = b"C"  # body: the codec's bytes of (args, kwargs, projection)
CLOSE: Final = b"X"

# What the far end says.
ARMED: Final = b"A"  # before any candidate code is there
UNABLE: Final = b"!"  # instead of ARMED: the reason
READY: Final = b"k"  # the preamble is loaded
BAD_PREAMBLE: Final = b"p"  # it raised
LOADED: Final = b"l"
LOAD_ERROR: Final = b"e"
MISSING: Final = b"m"
NOT_CALLABLE: Final = b"u"
VALUE: Final = b"v"
RAISED: Final = b"r"
NOT_A_VALUE: Final = b"n"
TOO_LARGE: Final = b"t"
DONE: Final = b"d"
EXITED: Final = b"q"
CLOSED: Final = b"x"

NAME: Final = struct.Struct("<H")

# Control messages: the judge asks for a process, and for its burial when it is dead; the zygote says how it ended, or
# that it could not be made.
MAKE: Final = b"S"
BURY: Final = b"B"
DEAD: Final = b"E"
UNMADE: Final = b"F"
NUMBER: Final = struct.Struct("<I")
# memory, cpu seconds, bytes a file, bytes and inodes of the folder, open files, tasks
BOUNDS: Final = struct.Struct("<7Q")
# letter, number, bounds
SPAWN: Final = struct.Struct("<cI7Q")
# letter, number, wait status, user and system seconds, peak memory in bytes, page faults
ENDED: Final = struct.Struct("<cIiddQQ")
# letter, number, errno
FAILED: Final = struct.Struct("<cII")


def pack(ident: bytes, kind: bytes, body: bytes) -> bytes:
    """The bytes of a frame."""
    return b"".join((HEADER.pack(OVERHEAD + len(body)), ident, kind, body))


def send(fd: int, ident: bytes, kind: bytes, body: bytes = b"") -> None:
    """Write a frame, in as many pieces as the socket wants."""
    data = pack(ident, kind, body)
    sent = write(fd, data)
    while sent < len(data):
        sent += write(fd, data[sent : sent + CHUNK])


def requests(fd: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The frames that come, as id, letter and body. For the guest: the judge is believed, and may send many ahead.

    Raises:
        EOFError: the judge has closed the channel.
    """
    data, at = b"", 0
    while True:
        need = at + HEADER.size
        while len(data) < need:
            data, at, need = data[at:] + _more(fd), 0, need - at
        start = need
        need = start + HEADER.unpack_from(data, at)[0]
        while len(data) < need:
            data += _more(fd)
        body = start + ID_BYTES + 1
        yield data[start : body - 1], data[body - 1 : body], data[body:need]
        at = need


def receive(fd: int) -> tuple[bytes, bytes, bytes]:
    """The next frame, where nothing is sent ahead of its reply."""
    return next(requests(fd))


def _more(fd: int) -> bytes:
    more = read(fd, CHUNK)
    if not more:
        raise EOFError
    return more
