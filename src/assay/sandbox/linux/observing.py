"""Pipes: replies of the far end as observations. Every reply is hostile until it has a known form."""

from __future__ import annotations

import builtins
import re
from typing import Final, NoReturn

from assay.kernel.grade import How
from assay.sandbox.base import (
    Calls,
    Candidate,
    Ending,
    Exited,
    NotAValue,
    Observation,
    Printed,
    Raised,
    Returned,
    TooLarge,
)
from assay.sandbox.channel import Channel, ChannelEnded, Reply
from assay.sandbox.guest import frames
from assay.sandbox.linux.lane import Talk
from assay.suite.refusals import InvalidSuite, message

_BUILT_IN: Final = frozenset(
    found.__name__ for found in vars(builtins).values() if isinstance(found, type) and issubclass(found, BaseException)
)
_WORDS_BYTES: Final = 4096
_LINE: Final = re.compile(rb"[0-9]{0,8}").fullmatch
_OF_CALLS: Final = frames.VALUE + frames.RAISED + frames.NOT_A_VALUE + frames.TOO_LARGE
_OF_LOADING: Final = frames.LOADED + frames.LOAD_ERROR + frames.MISSING + frames.NOT_CALLABLE
_OF_PREAMBLES: Final = frames.READY + frames.BAD_PREAMBLE
_OF_PROGRAMS: Final = frames.DONE + frames.EXITED + frames.RAISED


def _protocol(what: str) -> NoReturn:
    raise ChannelEnded(How.PROTOCOL, what)


def _words(body: bytes) -> str:
    """A short text for a person, in whatever letters: cut, and with nothing that moves a cursor."""
    if len(body) > _WORDS_BYTES:
        _protocol("a name of more than 4096 bytes")
    text = body.decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def exception_of(body: bytes) -> tuple[tuple[str, ...], str, int, str]:
    """The built-in exceptions, the class name, the line and the text of a reply."""
    known, separator, rest = body.partition(b";")
    line, second, rest = rest.partition(b";")
    if not separator or not second or len(known) > _WORDS_BYTES or not _LINE(line):
        _protocol("an exception in an unknown form")
    name, _, text = rest.partition(b"\0")
    names = tuple(known.decode("ascii", "replace").split(",")) if known else ()
    if not _BUILT_IN.issuperset(names):
        _protocol("an exception that is not built in")
    return names, _words(name), int(line or b"0"), _words(text)


def said(name: str, line: int, text: str) -> str:
    """An exception in one line, for people."""
    return name + (f" at line {line}" if line else "") + (f": {text}" if text else "")


def observe(index: int, reply: Reply) -> Observation:
    """What a reply to a call says."""
    if reply.kind == frames.VALUE:
        return Returned(index, reply.body)
    if reply.kind == frames.RAISED:
        return Raised(index, *exception_of(reply.body))
    if reply.kind == frames.NOT_A_VALUE:
        return NotAValue(index, _words(reply.body))
    return TooLarge(index, _words(reply.body))


def load_ending(reply: Reply, entry_point: str) -> Ending | None:
    """How the run ended with loading, or None where the entry point is there."""
    if reply.kind == frames.LOADED:
        return None
    if reply.kind == frames.MISSING:
        return Ending(How.ENTRY_POINT_MISSING, None, f"no `{entry_point}` in the module")
    if reply.kind == frames.NOT_CALLABLE:
        return Ending(How.ENTRY_POINT_NOT_CALLABLE, None, f"`{entry_point}` is of type `{_words(reply.body)}`")
    names, name, line, text = exception_of(reply.body)
    how = How.MEMORY if "MemoryError" in names else How.LOAD_ERROR
    return Ending(how, None, said(name, line, text))


def prepare(channel: Channel, kind: bytes, preamble: bytes) -> None:
    """Have loaded what the candidate's module has first, where there is anything.

    Raises:
        InvalidSuite: it does not load. Nothing of the candidate is there yet, so nobody else can have said so.
    """
    if not preamble:
        return
    reply = channel.ask(frames.PREAMBLE, kind + preamble, _OF_PREAMBLES)
    if reply.kind == frames.BAD_PREAMBLE:
        name = exception_of(reply.body)[1]
        raise InvalidSuite("suite.preamble", message("suite.preamble", f"`preamble` raises `{name}` when it is loaded"))


def converse(channel: Channel, talk: Talk, candidate: Candidate, program: Calls, seen: list[Observation]) -> None:
    """Load, call, close."""
    prepare(channel, frames.LOAD, candidate.preamble)
    name = program.entry_point.encode()
    reply = channel.ask(frames.LOAD, frames.NAME.pack(len(name)) + name + candidate.source, _OF_LOADING)
    talk.named = load_ending(reply, program.entry_point)
    if talk.named is None:
        replies = channel.ask_all(frames.CALL, [call.payload for call in program.calls], _OF_CALLS)
        for call in program.calls:
            talk.at = call.index
            seen.append(observe(call.index, next(replies)))
        talk.at = None
    channel.ask(frames.CLOSE, b"", frames.CLOSED)


def accompany(channel: Channel, talk: Talk, candidate: Candidate, index: int, seen: list[Observation]) -> None:
    """Hand over a program, hear how it ended, close. What it printed is read when it is dead."""
    prepare(channel, frames.PROGRAM, candidate.preamble)
    talk.at = index
    reply = channel.ask(frames.PROGRAM, candidate.source, _OF_PROGRAMS)
    if reply.kind == frames.RAISED:
        ended: Observation = Raised(index, *exception_of(reply.body))
    else:
        ended = Exited(index) if reply.kind == frames.EXITED else Printed(index, b"", b"")
    channel.ask(frames.CLOSE, b"", frames.CLOSED)
    seen.append(ended)
