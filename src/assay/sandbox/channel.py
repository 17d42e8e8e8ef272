"""Pipes: the judge's end of the channel (docs/adr/0024): to each request one reply with its id, nothing else."""

from __future__ import annotations

import secrets
import select
import socket
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from assay.kernel.grade import How
from assay.sandbox.clocks import Deadline
from assay.sandbox.guest import frames


class ChannelEnded(Exception):
    """The exchange is over before its end: how, as far as the channel can tell. `EXIT`: the far end is closed."""

    def __init__(self, how: How, detail: str) -> None:
        super().__init__(detail)
        self.how = how
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Reply:
    """A letter and a body; both are the far end's."""

    kind: bytes
    body: bytes


class Channel:
    """One candidate's channel; it is never used for another."""

    def __init__(self, sock: socket.socket, deadline: Deadline, message_bytes: int) -> None:
        sock.setblocking(False)
        self._socket = sock
        self._deadline = deadline
        self._most = message_bytes + frames.OVERHEAD
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)
        self._heard = bytearray()

    def ask(self, kind: bytes, body: bytes, answers: bytes) -> Reply:
        """Send a request under a fresh id and return the reply to it, which is one of the letters in `answers`.

        Raises:
            ChannelEnded: a limit is used up, the far end is closed, or it said anything else.
        """
        return next(self.ask_all(kind, (body,), answers))

    def ask_all(self, kind: bytes, bodies: Sequence[bytes], answers: bytes) -> Iterator[Reply]:
        """Send requests, each under a fresh id, without waiting in between; each reply to them as it comes, in order.

        Raises:
            ChannelEnded: as `ask`, when the reply to which it happened is asked for.
        """
        fresh = secrets.token_bytes(frames.ID_BYTES * len(bodies))
        idents = [fresh[at : at + frames.ID_BYTES] for at in range(0, len(fresh), frames.ID_BYTES)]
        outgoing = _joined(frames.pack(ident, kind, body) for ident, body in zip(idents, bodies, strict=True))
        left = memoryview(b"")
        for number, ident in enumerate(idents, 1):
            while True:
                left = self._push(left, outgoing)
                reply = self._next_reply(ident, answers)
                if reply is not None:
                    break
                self._wait(sending=bool(left))
                self._pull()
            if number == len(idents) and self._heard:
                raise ChannelEnded(How.PROTOCOL, "bytes after a reply")
            yield reply

    def silent(self) -> bool:
        """Whether the dead far end left nothing unread. To be asked when its process is gone."""
        try:
            # A byte out of band lies beside the others.
            self._socket.recv(1, socket.MSG_OOB)
        except OSError:
            pass
        else:
            return False
        try:
            return self._socket.recv(1) == b""
        except ConnectionError:
            # It died with a request of ours unread, which says nothing about what it sent.
            return True
        except BlockingIOError:
            # Its process is gone and the far end is open: somebody else holds it.
            return False

    def _wait(self, *, sending: bool) -> None:
        """Wait until there is something to read, or to send where there is, or a limit is used up."""
        self._poll.modify(self._socket, select.POLLIN | select.POLLOUT if sending else select.POLLIN)
        while True:
            ready = self._poll.poll(self._deadline.wait_ms())
            # Asked even where bytes came: one byte a second must not put the end off.
            how = self._deadline.expired()
            if how is not None:
                raise ChannelEnded(how, "")
            if ready:
                return

    def _push(self, left: memoryview, outgoing: Iterator[bytes]) -> memoryview:
        """Send what the socket takes; what is left of the piece that it no longer took."""
        while left or (left := memoryview(next(outgoing, b""))):
            try:
                left = left[self._socket.send(left[: frames.CHUNK]) :]
            except BlockingIOError:
                return left
            except ConnectionError:
                # What it said before it closed is still to be read, and then the end.
                return memoryview(b"")
        return left

    def _pull(self) -> None:
        """Read what is there."""
        try:
            more = self._socket.recv(frames.CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            more = b""
        if not more:
            raise ChannelEnded(How.EXIT, "the channel was closed")
        self._heard += more

    def _next_reply(self, ident: bytes, answers: bytes) -> Reply | None:
        """The next frame, if all of it is there."""
        data = self._heard
        if len(data) < frames.HEADER.size:
            return None
        length = frames.HEADER.unpack_from(data)[0]
        if not frames.OVERHEAD <= length <= self._most:
            raise ChannelEnded(How.PROTOCOL, f"a frame of {length} bytes")
        end = frames.HEADER.size + length
        if len(data) < end:
            return None
        start = frames.HEADER.size + frames.ID_BYTES
        echoed, kind, body = (
            bytes(data[frames.HEADER.size : start]),
            bytes(data[start : start + 1]),
            data[start + 1 : end],
        )
        del data[:end]
        if echoed != ident:
            raise ChannelEnded(How.PROTOCOL, "a reply that does not repeat the id of the request")
        if kind not in answers:
            raise ChannelEnded(How.PROTOCOL, "a reply that does not belong to the request")
        return Reply(kind, bytes(body))


def _joined(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts in pieces of about as much as a socket takes at once: 2,000 calls may have 1 MiB each."""
    gathered: list[bytes] = []
    size = 0
    for part in parts:
        gathered.append(part)
        size += len(part)
        if size >= frames.CHUNK:
            yield b"".join(gathered)
            gathered, size = [], 0
    if gathered:
        yield b"".join(gathered)
