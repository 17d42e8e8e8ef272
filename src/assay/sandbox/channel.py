"""Pipes: the judge's end of the channel (docs/adr/0024). One request, one reply that repeats its id, nothing else."""

from __future__ import annotations

import secrets
import select
import socket
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
        self._reading = select.poll()
        self._reading.register(sock, select.POLLIN)
        self._writing = select.poll()
        self._writing.register(sock, select.POLLOUT)

    def ask(self, kind: bytes, body: bytes, answers: bytes) -> Reply:
        """Send a request under a fresh id and return the reply to it, which is one of the letters in `answers`.

        Raises:
            ChannelEnded: a limit is used up, the far end is closed, or it said anything else.
        """
        ident = secrets.token_bytes(frames.ID_BYTES)
        self._send(frames.pack(ident, kind, body))
        echoed, answer = self._receive()
        if echoed != ident:
            raise ChannelEnded(How.PROTOCOL, "a reply that does not repeat the id of the request")
        if answer.kind not in answers:
            raise ChannelEnded(How.PROTOCOL, "a reply that does not belong to the request")
        return answer

    def silent(self) -> bool:
        """Whether the dead far end left nothing unread. To be asked when its process is gone."""
        try:
            return self._socket.recv(1) == b""
        except ConnectionError:
            # It died with a request of ours unread, which says nothing about what it sent.
            return True
        except BlockingIOError:
            # Its process is gone and the far end is open: somebody else holds it.
            return False

    def _wait(self, poll: select.poll) -> None:
        """Wait until the socket is ready or a limit is used up."""
        while True:
            ready = poll.poll(self._deadline.wait_ms())
            # Asked even where bytes came: one byte a second must not put the end off.
            how = self._deadline.expired()
            if how is not None:
                raise ChannelEnded(how, "")
            if ready:
                return

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                sent = self._socket.send(view[: frames.CHUNK])
            except BlockingIOError:
                self._wait(self._writing)
                continue
            except ConnectionError as error:
                raise ChannelEnded(How.EXIT, "the channel was closed") from error
            view = view[sent:]

    def _receive(self) -> tuple[bytes, Reply]:
        """The next frame and nothing after it."""
        data = bytearray()
        need = frames.HEADER.size
        while len(data) < need:
            self._wait(self._reading)
            try:
                more = self._socket.recv(frames.CHUNK)
            except BlockingIOError:
                continue
            except ConnectionError:
                more = b""
            if not more:
                raise ChannelEnded(How.EXIT, "the channel was closed")
            data += more
            if need == frames.HEADER.size <= len(data):
                length = frames.HEADER.unpack_from(data)[0]
                if not frames.OVERHEAD <= length <= self._most:
                    raise ChannelEnded(How.PROTOCOL, f"a frame of {length} bytes")
                need += length
        if len(data) > need:
            raise ChannelEnded(How.PROTOCOL, "bytes after a reply")
        start = frames.HEADER.size + frames.ID_BYTES
        return bytes(data[frames.HEADER.size : start]), Reply(bytes(data[start : start + 1]), bytes(data[start + 1 :]))
