"""Pipes: one zygote with a child armed ahead, so that isolating the next child costs no waiting."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from assay.kernel.grade import How
from assay.sandbox.base import Ending, Limits, SandboxUnavailable, Usage
from assay.sandbox.channel import Channel, ChannelEnded
from assay.sandbox.clocks import Deadline, waited_s
from assay.sandbox.linux import memory_files
from assay.sandbox.linux.endings import Caps, Death, ending
from assay.sandbox.linux.warm import Child, Warm

# Between the end of a channel and the end of its process, where both are one act.
_GRACE_MS: Final = 1000


@dataclass(slots=True)
class Talk:
    """What an exchange has come to: the case that is being asked, and an end that the reply itself named."""

    at: int | None = None
    named: Ending | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a process runs: its time, its input, and the input, if any, for which the next is armed."""

    limits: Limits
    cpu_s: float
    wall_s: float
    stdin: bytes | None = None
    then: tuple[bytes | None, ...] = (None,)


@dataclass(frozen=True, slots=True)
class Episode:
    """The life of one process."""

    ending: Ending
    usage: Usage
    stdout: bytes
    stderr: bytes
    waited_s: float  # in line for a core; looked up for programs alone, whose cases share a limit


class Lane:
    """One zygote; at most one child serves a candidate and one waits for the next."""

    def __init__(self, warm: Warm) -> None:
        self.warm = warm
        self._ahead: Child | None = None

    def arm(self, limits: Limits, stdin: bytes | None) -> None:
        """Have a child made for a run that is to come; it isolates itself meanwhile."""
        if self._ahead is None:
            self._ahead = self.warm.spawn(limits, stdin)

    def live(self, terms: Terms, talk: Callable[[Channel, Talk], None]) -> Episode:
        """Run one process from armed to dead, `talk` being all that is said to it.

        Raises:
            SandboxUnavailable: there was no such process.
        """
        child = self._take(terms.limits, terms.stdin)
        try:
            pid = self.warm.armed(child)
            for stdin in terms.then:
                self.arm(terms.limits, stdin)
            return self._live(child, pid, terms, talk)
        finally:
            child.close()

    def _take(self, limits: Limits, stdin: bytes | None) -> Child:
        if self._ahead is not None:
            child, self._ahead = self._ahead, None
            if child.limits == limits and child.stdin == stdin:
                return child
            self._discard(child)
        return self.warm.spawn(limits, stdin)

    def _discard(self, child: Child) -> None:
        """End a child that nobody needs."""
        try:
            pidfd = _hold(self.warm.armed(child))
            _kill(pidfd)
            os.close(pidfd)
            self.warm.bury(child)
        finally:
            child.close()

    def _live(self, child: Child, pid: int, terms: Terms, talk: Callable[[Channel, Talk], None]) -> Episode:
        pidfd = _hold(pid)
        begin = time.monotonic()
        deadline = Deadline.begin(pid, terms.cpu_s, terms.wall_s)
        channel = Channel(child.channel, deadline, terms.limits.message_bytes)
        state, how, detail = Talk(), None, ""
        try:
            try:
                talk(channel, state)
            except ChannelEnded as ended:
                how, detail = ended.how, ended.detail
            if how is None and terms.stdin is not None:
                how = _end_of(pidfd, deadline)
                killed = how is not None
            else:
                killed = how is not How.EXIT or not _over(pidfd)
        except BaseException:
            # An interrupt, or a fault of ours: no candidate goes on without a judge.
            _kill(pidfd)
            self.warm.bury(child)
            raise
        else:
            waited = waited_s(pid) if terms.stdin is not None else 0.0
            if killed:
                _kill(pidfd)
            dead = self.warm.bury(child)
        finally:
            os.close(pidfd)
        most = terms.limits.output_bytes
        output = max(memory_files.size(child.stdout), memory_files.size(child.stderr))
        death = Death(how, detail, dead.status, killed, dead.cpu_s, output, silent=channel.silent())
        end = ending(death, Caps(terms.cpu_s, most), state.at)
        if end.how is None and state.named is not None:
            end = state.named
        return Episode(
            end,
            Usage(dead.cpu_s, time.monotonic() - begin, dead.peak_memory_bytes, dead.page_faults, output),
            memory_files.content(child.stdout, most),
            memory_files.content(child.stderr, most),
            waited,
        )

    def close(self) -> None:
        """End the zygote with its children."""
        self.warm.close()
        if self._ahead is not None:
            self._ahead.close()
            self._ahead = None


def _hold(pid: int) -> int:
    """A descriptor of a child, which means that child for good: a number may be somebody else's if our zygote died.

    Raises:
        SandboxUnavailable: it is gone, and nobody was to bury it but us.
    """
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError as error:
        raise SandboxUnavailable("sandbox.lost", "a process that was ready is gone; open the slot again") from error


def _kill(pidfd: int) -> None:
    """Kill a child; as the first process of its PID namespace it takes with it whatever it made."""
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)


def _end_of(pidfd: int, deadline: Deadline) -> How | None:
    """Wait for a program to end, once it has said that it is at its end: the interpreter still has its work to do.

    Which limit was used up before; None where the program is gone.
    """
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    while not poll.poll(deadline.wait_ms()):
        how = deadline.expired()
        if how is not None:
            return how
    return None


def _over(pidfd: int) -> bool:
    """Whether a process ends within the time that lies between closing its channel and being dead."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(_GRACE_MS))
