"""Pipes, guest side: runs a candidate as a program of its own: a real `__main__`, its input on descriptor 0."""

from __future__ import annotations

import atexit
import io
import sys
import threading
from collections.abc import Callable
from typing import Final

from assay.sandbox.guest import frames
from assay.sandbox.guest.calls import load, raised

__builtins__ = frames.PRIVATE  # type: ignore[assignment]

_code = SystemExit.__dict__["code"].__get__


def fresh_streams() -> None:  # pragma: no cover
    """New standard streams over descriptors 0 to 2, empty, UTF-8, as a start of the interpreter makes them.

    Made once in the zygote, which never uses them: each child has its own copies.
    """
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(  # type: ignore[misc]
        io.BufferedReader(io.FileIO(0, "r", closefd=False)), encoding="utf-8", errors="strict"
    )
    sys.stdout = sys.__stdout__ = io.TextIOWrapper(  # type: ignore[misc]
        io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8", errors="strict", newline="\n"
    )
    sys.stderr = sys.__stderr__ = io.TextIOWrapper(  # type: ignore[misc]
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)),
        encoding="utf-8",
        errors="backslashreplace",
        newline="\n",
        line_buffering=True,
    )


def run(source: bytes) -> tuple[bytes, bytes]:  # pragma: no cover
    """The reply to a program: done, exited with another code than 0, or raised; after all that it left to be done."""
    reply: tuple[bytes, bytes] = (frames.DONE, b"")
    try:
        load(source, "__main__")
    except SystemExit as error:
        reply = _exited(_code(error))
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is an observation
        reply = frames.RAISED, raised(error)
    # What the interpreter does at its end, in its order.
    for step in (_join_threads, _run_exit_functions, _flush):
        try:
            step()
        except SystemExit as error:
            reply = _exited(_code(error))
        except BaseException as error:  # noqa: BLE001 - as above
            reply = frames.RAISED, raised(error)
    return reply


def _exited(code: object) -> tuple[bytes, bytes]:  # pragma: no cover
    if code is None or (isinstance(code, int) and int.__eq__(code, 0)):
        return frames.DONE, b""
    return frames.EXITED, b""


# Private, and what the interpreter itself calls; there is no public name for "as at the end".
_join_threads: Final[Callable[[], object]] = threading._shutdown  # type: ignore[attr-defined]  # noqa: SLF001
_run_exit_functions: Final[Callable[[], object]] = atexit._run_exitfuncs  # noqa: SLF001


def _flush() -> None:  # pragma: no cover
    """Flush what the program left in its streams; one that it closed or replaced by None has nothing."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed:
            stream.flush()


def serve(fd: int, ident: bytes, body: bytes) -> None:  # pragma: no cover
    """Run the program, say how it ended, and answer the closing request."""
    frames.send(fd, ident, *run(body))
    ident, asked, _ = frames.receive(fd)
    if asked == frames.CLOSE:
        frames.send(fd, ident, frames.CLOSED)
