"""Pipes, guest side: runs a candidate as a program of its own: a real `__main__`, its input on descriptor 0."""

from __future__ import annotations

import io
import sys
from typing import Final

from assay.sandbox.guest import frames
from assay.sandbox.guest.calls import load, raised

__builtins__ = frames.PRIVATE  # type: ignore[assignment]

_code = SystemExit.__dict__["code"].__get__
_TRANSLATES_NOTHING: Final = "\n"


def fresh_streams() -> None:  # pragma: no cover
    """New standard streams over descriptors 0 to 2, empty, UTF-8, as a start of the interpreter makes them.

    Made once in the zygote, which never uses them: each child has its own copies.
    """
    sys.stdin = sys.__stdin__ = _stream(0, "stdin", "strict")  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = _stream(1, "stdout", "strict")  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2, "stderr", "backslashreplace")  # type: ignore[misc]


def _stream(descriptor: int, name: str, errors: str) -> io.TextIOWrapper:  # pragma: no cover
    """A stream with the names and modes that programs ask for."""
    raw = io.FileIO(descriptor, "w" if descriptor else "r", closefd=False)
    raw.name = f"<{name}>"
    buffer = io.BufferedWriter(raw) if descriptor else io.BufferedReader(raw)
    # Nothing is translated on Linux: what reads `a\r\n` gets both.
    stream = io.TextIOWrapper(
        buffer, encoding="utf-8", errors=errors, newline=_TRANSLATES_NOTHING, line_buffering=descriptor == 2
    )
    stream.mode = "w" if descriptor else "r"  # type: ignore[misc]
    return stream


def run(source: bytes) -> tuple[bytes, bytes]:  # pragma: no cover
    """The reply to a program: it came to its end, exited with another code than 0, or raised."""
    try:
        load(source, "__main__")
    except SystemExit as error:
        return _exited(_code(error))
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is an observation
        return frames.RAISED, raised(error)
    return frames.DONE, b""


def _exited(code: object) -> tuple[bytes, bytes]:  # pragma: no cover
    if code is None or (isinstance(code, int) and int.__eq__(code, 0)):
        return frames.DONE, b""
    return frames.EXITED, b""


def serve(fd: int, ident: bytes, body: bytes) -> bool:  # pragma: no cover
    """Run the program, say how it ended, answer the closing request; whether the interpreter has to end it.

    Whatever a program that came to its end has left to be done (threads, exit functions, objects with a `__del__`,
    bytes in buffers) is then done by the interpreter itself, in its order; how that ends, the exit status says.
    """
    kind, reply = run(body)
    frames.send(fd, ident, kind, reply)
    ident, asked, _ = frames.receive(fd)
    if asked == frames.CLOSE:
        frames.send(fd, ident, frames.CLOSED)
    return kind == frames.DONE
