"""Pipes, guest side: runs a candidate as a program of its own: a real `__main__`, its input on descriptor 0."""

from __future__ import annotations

import atexit
import codecs
import ctypes
import io
import os
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Final

from assay.sandbox.guest import frames, root
from assay.sandbox.guest.calls import load, raised

__builtins__ = frames.PRIVATE  # type: ignore[assignment]

MODULE: Final = "__main__"

_code = SystemExit.__dict__["code"].__get__
_TRANSLATES_NOTHING: Final = "\n"
# How the interpreter ends where output could not be written.
_UNWRITTEN: Final = 120


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


def spare_what_was_loaded() -> None:  # pragma: no cover
    """Have the interpreter, at its end, leave alone the modules that were there before the program.

    To take them apart would copy a thousand pages, and shows nothing: a program sees the end of its own objects. Where
    it put some into a module, that module is taken apart like its own. An exit function that is there before all
    others runs after all others, and after threads.
    """
    found = {
        name: (module, len(vars(module)))
        for name, module in sys.modules.items()
        if name not in ("sys", "builtins", "__main__")
    }
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(found))
    atexit.register(_spare, found)


def _spare(found: dict[str, tuple[ModuleType, int]]) -> None:  # pragma: no cover
    for name, (module, names) in found.items():
        if sys.modules.get(name) is module and len(vars(module)) == names:
            del sys.modules[name]
    stdout = sys.stdout
    if stdout is sys.__stdout__ and sys.stderr is sys.__stderr__ and isinstance(stdout, io.TextIOWrapper):
        codecs.register(_Leave(stdout))


class _Leave:  # pragma: no cover
    """Ends the process when the interpreter has done all that can be seen, and begins to free its own memory.

    It lies among the codecs, which are the first to go after the last flush, and knows none. Not where a program has
    put streams of its own in place: how often those are flushed can be seen.
    """

    def __init__(self, stream: io.TextIOWrapper) -> None:
        self._stream = stream

    def __call__(self, _: str) -> None:
        """Know no codec."""

    def __del__(self, leave: Callable[[int], object] = os._exit) -> None:
        status = _UNWRITTEN
        try:
            # Again, since nobody else can say whether the last flush went well.
            if not self._stream.closed:
                self._stream.flush()
            status = 0
        finally:
            leave(status)


def run(source: bytes, module: ModuleType) -> tuple[bytes, bytes]:  # pragma: no cover
    """The reply to a program: it came to its end, exited with another code than 0, or raised."""
    try:
        load(source, module, "__main__.py")
    except SystemExit as error:
        return _exited(_code(error))
    except BaseException as error:  # noqa: BLE001 - whatever a program raises is an observation
        return frames.RAISED, raised(error)
    return frames.DONE, b""


def _exited(code: object) -> tuple[bytes, bytes]:  # pragma: no cover
    if code is None or (isinstance(code, int) and int.__eq__(code, 0)):
        return frames.DONE, b""
    return frames.EXITED, b""


def _lay_out_input() -> None:  # pragma: no cover
    """Put the input where `/dev/stdin` points: the real one goes through `/proc`, which is not there.

    Beside the working folder, which is empty; without a folder there is no `/dev/stdin` either.
    """
    try:
        place = os.open(root.INPUT, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o400)
    except OSError:
        return
    at = 0
    while data := os.pread(0, frames.CHUNK, at):
        at += os.write(place, data)
    os.close(place)


def serve(fd: int, ident: bytes, body: bytes, module: ModuleType) -> bool:  # pragma: no cover
    """Run the program, say how it ended, answer the closing request; whether the interpreter has to end it.

    Whatever a program that came to its end has left to be done (threads, exit functions, objects with a `__del__`,
    bytes in buffers) is then done by the interpreter itself, in its order; how that ends, the exit status says.
    """
    _lay_out_input()
    kind, reply = run(body, module)
    frames.send(fd, ident, kind, reply)
    ident, asked, _ = frames.receive(fd)
    if asked == frames.CLOSE:
        frames.send(fd, ident, frames.CLOSED)
    return kind == frames.DONE
