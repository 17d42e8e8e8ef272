"""Pipes: how a run ended, from what the channel saw and how the process died. A pure table."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import Final

from assay.kernel.grade import How
from assay.sandbox.base import Ending


@dataclass(frozen=True, slots=True)
class Death:
    """What is known when the process is gone. `channel` is None where the closing exchange was completed."""

    channel: How | None
    detail: str
    status: int
    killed: bool
    cpu_s: float
    output_bytes: int
    silent: bool


@dataclass(frozen=True, slots=True)
class Caps:
    """The limits that are judged after the end."""

    cpu_s: float
    output_bytes: int


# Nor did the judge: the kernel did, out of memory, or a person (docs/adr/0032).
KILLED: Final = "SIGKILL, which it cannot have sent"
FORBIDDEN_CALL: Final = "it sent a signal, or made another system call that ends a process here"


def ending(death: Death, caps: Caps, at: int | None) -> Ending:
    """How the run ended; every doubt is the candidate's loss."""
    # A clock that was read after the death knows more than one that was read before.
    if death.channel is How.CPU or death.cpu_s >= caps.cpu_s:
        return Ending(How.CPU, at, f"{death.cpu_s:.2f} s of CPU")
    if death.channel is How.TIMEOUT:
        return Ending(How.TIMEOUT, at, death.detail)
    if death.output_bytes >= caps.output_bytes:
        return Ending(How.OUTPUT, at, f"{caps.output_bytes} bytes of output")
    if not death.killed and (death.channel is How.EXIT or death.status):
        # A program that closed as agreed still ends: exit status 120 is output that could not be written.
        return _by_itself(death.status, at)
    if death.channel is How.EXIT:
        return Ending(How.PROTOCOL, at, "it closed the channel and went on")
    if death.channel is None and not death.silent:
        return Ending(How.PROTOCOL, at, "bytes after the closing exchange")
    return Ending(death.channel, at, death.detail)


def _by_itself(status: int, at: int | None) -> Ending:
    """How a process ended that nobody killed and that had not said that it was finished."""
    if os.WIFEXITED(status):
        return Ending(How.EXIT, at, f"exit status {os.WEXITSTATUS(status)}")
    number = os.WTERMSIG(status)
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if number == signal.SIGSYS:
        return Ending(How.CRASH, at, FORBIDDEN_CALL)
    if number == signal.SIGKILL:
        return Ending(How.CRASH, at, KILLED)
    if number == signal.SIGXCPU:
        return Ending(How.CPU, at, name)
    return Ending(How.CRASH, at, name)
