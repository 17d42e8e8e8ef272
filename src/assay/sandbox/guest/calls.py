"""Pipes, guest side: the loop that loads a candidate's module and answers one call after the other (docs/adr/0024)."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any, Final, Protocol, TextIO

from assay.sandbox.guest import frames

__builtins__ = frames.PRIVATE  # type: ignore[assignment]

MODULE: Final = "candidate"
_FILES: Final = ("candidate.py", "__main__.py")
_LAST_LINE: Final = 10_000_000
_PLAIN: Final = (float, bool, type(None))

# Read through the slots of `type` itself: a metaclass of the candidate's cannot answer in their place.
_mro = type.__dict__["__mro__"].__get__
_name = type.__dict__["__name__"].__get__
# By identity and taken before any candidate: a class that calls itself ValueError is none.
_BUILT_IN: Final = {
    id(found): found.__name__
    for found in vars(builtins).values()
    if isinstance(found, type) and issubclass(found, BaseException)
}
_NAME_BYTES: Final = 100
_TEXT_BYTES: Final = 200
_args = BaseException.__dict__["args"].__get__
_trace = BaseException.__dict__["__traceback__"].__get__
_syntax_line = SyntaxError.__dict__["lineno"].__get__
# A declared encoding, on one of the first two lines, as Python's own rule has it (PEP 263).
_declares_encoding = re.compile(rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r?\n|\r))?[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+").match


class Codec(Protocol):
    """The codec's module: what the judge sends decodes, what the candidate made encodes or is refused."""

    NotAValue: type[Exception]

    def decode(self, data: bytes) -> Any: ...  # noqa: ANN401, D102 - a codec's values are of any type
    def encode(self, value: object) -> bytes: ...  # noqa: D102
    def project(self, word: str, value: object, arguments: object) -> object: ...  # noqa: D102


def named(kind: type) -> bytes:
    """The name in the slot of a class, cut: never what its metaclass or its instances say."""
    text: str = _name(kind)
    return text[:_NAME_BYTES].encode("utf-8", "replace")


def raised(error: BaseException) -> bytes:
    """The built-in classes in the exception's MRO, the line, the name of its own class, and its first argument.

    The last is for people, and only where it is plain: no method of an exception is ever called.
    """
    kind = type(error)
    known = ",".join(_BUILT_IN[id(base)] for base in _mro(kind) if id(base) in _BUILT_IN)
    line, text = b"", b""
    # Whoever raised out of memory or of stack may leave too little of it for words.
    with suppress(BaseException):
        line, text = b"%d" % _line(error), _text(error).encode("utf-8", "replace")[:_TEXT_BYTES]
    return b"%b;%b;%b\0%b" % (known.encode(), line, named(kind), text)


def _line(error: BaseException) -> int:
    """The line of the candidate's source that it came from, or 0."""
    if any(base is SyntaxError for base in _mro(type(error))):
        found = _syntax_line(error)
        return found if type(found) is int and 0 < found < _LAST_LINE else 0
    line, trace = 0, _trace(error)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in _FILES:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _text(error: BaseException) -> str:
    said = _args(error)
    # An error of the system has its number first.
    found = said[1] if len(said) > 1 and type(said[0]) is int else said[0] if said else ""
    if type(found) is str:
        return found
    return repr(found) if type(found) in _PLAIN else ""


def fresh(name: str) -> ModuleType:
    """A real module, found in `sys.modules` as dataclasses and pickling need it."""
    module = ModuleType(name)
    module.__file__ = name + ".py"
    module.__builtins__ = builtins  # type: ignore[attr-defined]
    sys.modules[name] = module
    return module


def load(source: bytes, module: ModuleType, file: str) -> dict[str, Any]:
    """The namespace of a module in which a piece of source has run.

    A preamble and a candidate are two pieces: neither's encoding, first line or `from __future__` is the other's.

    Raises:
        SyntaxError: among others, where the bytes are no UTF-8 and no encoding is declared, as for a file.
    """
    if not source.isascii() and _declares_encoding(source) is None:
        try:
            source.decode()
        except UnicodeDecodeError as error:
            raise SyntaxError(f"byte {error.start} is no UTF-8, and no encoding is declared") from None
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - this is the sandbox
    return module.__dict__


def answer_preamble(source: bytes, module: ModuleType) -> tuple[bytes, bytes]:
    """The reply to what the module has first; the candidate has not been sent yet, so it can be believed."""
    try:
        load(source, module, "preamble.py")
    except BaseException as error:  # noqa: BLE001 - said to the judge, who blames the suite
        return frames.BAD_PREAMBLE, raised(error)
    return frames.READY, b""


def answer_load(body: bytes, module: ModuleType) -> tuple[bytes, bytes, Callable[..., object] | None]:
    """The reply to a load request, and the entry point where there is one, from the candidate's own module alone."""
    length = frames.NAME.unpack_from(body)[0]
    start = frames.NAME.size + length
    entry_point = body[frames.NAME.size : start].decode()
    try:
        namespace = load(body[start:], module, MODULE + ".py")
        if entry_point not in namespace:
            return frames.MISSING, b"", None
        function = namespace[entry_point]
    except BaseException as error:  # noqa: BLE001 - whatever a module raises is an observation
        return frames.LOAD_ERROR, raised(error), None
    if not callable(function):
        return frames.NOT_CALLABLE, named(type(function)), None
    return frames.LOADED, b"", function


def answer_call(body: bytes, function: Callable[..., object], codec: Codec) -> tuple[bytes, bytes]:
    """The reply to one call."""
    try:
        arguments, keywords, word = codec.decode(body)
        value = function(*arguments, **keywords)
        return frames.VALUE, codec.encode(codec.project(word, value, arguments))
    except codec.NotAValue as refusal:
        detail = str(refusal.detail).encode("utf-8", "replace")[:_NAME_BYTES]  # type: ignore[attr-defined]
        return (frames.TOO_LARGE if refusal.how == "too_large" else frames.NOT_A_VALUE), detail  # type: ignore[attr-defined]
    except BaseException as error:  # noqa: BLE001 - whatever a call raises is an observation
        return frames.RAISED, raised(error)


def _flush(streams: tuple[TextIO, ...]) -> None:
    """Write out what was printed and still lies in a buffer: it is counted, and decides nothing."""
    for stream in streams:
        # The candidate may have closed it, or put anything in its way.
        with suppress(BaseException):
            stream.flush()


def serve(fd: int, loading: bytes, body: bytes, module: ModuleType, codec: Codec) -> None:
    """Answer the load request, then calls, until the closing request has been answered."""
    streams = (sys.stdout, sys.stderr)  # as they are before the candidate
    kind, reply, function = answer_load(body, module)
    frames.send(fd, loading, kind, reply)
    for ident, asked, call in frames.requests(fd):
        if asked == frames.CLOSE:
            _flush(streams)
            frames.send(fd, ident, frames.CLOSED)
            return
        if function is None:
            return
        frames.send(fd, ident, *answer_call(call, function, codec))
