"""Pipes: what a sandbox is asked and what it reports. Observations only: nothing here knows what was expected.

A crash, a time-out or a garbled message is an observation in the report: the candidate's doing. `SandboxUnavailable` is
an exception: ours (docs/adr/0024, 0025).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from assay.kernel.errors import Fault
from assay.kernel.grade import How

MIB: Final = 1 << 20


class SandboxUnavailable(Fault):
    """No process could be started, or a layer is missing: void, never a verdict on a candidate."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Source bytes as they would be delivered, and what is loaded before them in the same module."""

    source: bytes
    preamble: bytes = b""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use; seconds and bytes (docs/adr/0025)."""

    cpu_s: float = 10.0
    cpu_backstop_s: int = 20
    wall_s: float = 30.0
    memory_bytes: int = 128 * MIB
    output_bytes: int = MIB
    message_bytes: int = MIB
    folder_bytes: int = 16 * MIB
    folder_inodes: int = 512
    open_files: int = 64
    threads: int = 8
    # Over all cases of a candidate that is a program; `cpu_s` and `wall_s` hold for each case.
    candidate_cpu_s: float = 60.0
    candidate_wall_s: float = 180.0


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its place in the suite and the codec's bytes of arguments, keywords and projection."""

    index: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of one function, in the order in which they are made, in one process (dialect `python-call/1`)."""

    entry_point: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """One run of a program: its place in the suite and the bytes on its standard input."""

    index: int
    stdin: bytes


@dataclass(frozen=True, slots=True)
class Inputs:
    """Runs of a program, one process each (dialect `stdin-stdout/1`)."""

    inputs: tuple[Input, ...]


Program = Calls | Inputs


@dataclass(frozen=True, slots=True)
class Returned:
    """A call gave a literal; the bytes are the far end's and as hostile as it is."""

    index: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Raised:
    """A call or a program raised; the built-in exceptions in the MRO, nearest first, and the class's own name.

    `line` of the source (0: unknown) and `text` are what its process says, for people; nothing hangs on them.
    """

    index: int
    built_in: tuple[str, ...]
    name: str
    line: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class NotAValue:
    """A call gave something that is no literal."""

    index: int
    type_name: str


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A call gave a literal over the codec's limits."""

    index: int
    detail: str


@dataclass(frozen=True, slots=True)
class Printed:
    """A program came to its end by itself: what it wrote, both streams whole."""

    index: int
    stdout: bytes
    stderr: bytes


@dataclass(frozen=True, slots=True)
class Exited:
    """A program ended itself with another code than 0."""

    index: int


Observation = Returned | Raised | NotAValue | TooLarge | Printed | Exited


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended (`None`: closed as agreed), at which case (`None`: at none), and one line for a person."""

    how: How | None = None
    at: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run used. CPU is of all its processes; wall time begins when the candidate's code is sent."""

    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_memory_bytes: int = 0
    page_faults: int = 0
    output_bytes: int = 0


class Level(StrEnum):
    """How strong a sandbox is, by what it was seen to refuse (docs/adr/0026)."""

    A = "A"
    B = "B"


class Standing(StrEnum):
    """Whether a property of the sandbox was seen to hold."""

    ENFORCED = "enforced"
    PARTIAL = "partial"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Isolation:
    """What held while a candidate ran, for its receipt. No level: only a probe or a test runs in such a slot."""

    level: Level | None
    properties: Mapping[str, Standing]
    backend: str
    kernel: str
    machine: str
    python: str
    landlock_abi: int
    started_as_root: bool
    baseline_memory_bytes: int
    hash_seed: int
    limits: Limits = field(default_factory=Limits)
    implementation: str = "cpython"


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a candidate did, case by case, in the order of asking; cases that are not there were not reached."""

    observations: tuple[Observation, ...]
    usage: Usage
    ending: Ending
    isolation: Isolation


class Sandbox(Protocol):
    """A worker slot: one candidate at a time, each in a process of its own."""

    def run(self, candidate: Candidate, program: Program, limits: Limits, *, again: bool = False) -> RunReport:
        """Report what the candidate did, case by case; judge nothing.

        `again` runs it in the slot's second interpreter, under another hash seed and random seed.

        Raises:
            SandboxUnavailable: no process could be started. Nothing that a candidate does raises it.
            InvalidSuite: the preamble does not load, and nothing of the candidate has run.
        """
        ...

    def close(self) -> None:
        """End every process of the slot and leave nothing behind."""
        ...
