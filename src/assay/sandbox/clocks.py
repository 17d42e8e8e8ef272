"""Pipes: when a run is over: a point on the monotonic clock, set once, and the process's CPU clock (docs/adr/0025)."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from assay.kernel.grade import How

_SCHEDULED: Final = 2
# Between two looks at a clock that is nearly run down: short beside any limit, long beside the cost of looking.
_LEAST_WAIT_MS: Final = 10
_CORES: Final = os.cpu_count() or 1
# How often a wall limit may be given back to who stood in line for a core; else it could be made to take hours.
PATIENCE: Final = 3


def cpu_clock(pid: int) -> int:
    """The id of the clock that counts the CPU time of all threads of a process."""
    return (~pid << 3) | _SCHEDULED


def cpu_seconds(pid: int) -> float | None:
    """CPU time that a process has used, or None where it is gone."""
    try:
        return time.clock_gettime(cpu_clock(pid))
    except OSError:
        return None


def waited_s(pid: int) -> float:
    """How long the thread of a process that waited longest was ready to run and had no core; 0 where nobody counts."""
    longest = 0
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - on the way of each case: no objects
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/schedstat", "rb") as line:  # noqa: PTH123
                longest = max(longest, int(line.read().split()[1]))
    return longest / 1e9


@dataclass(slots=True)
class Deadline:
    """The end of a run. INVARIANT: nothing that the far end does moves it; standing in line does (docs/adr/0032)."""

    pid: int
    cpu_s: float
    until: float
    cores: int
    # Before this point nothing can expire, so no clock of the process need be read.
    _safe: float = 0.0
    # How much later it may be for having stood in line.
    patience_s: float = 0.0

    @classmethod
    def begin(cls, pid: int, cpu_s: float, wall_s: float) -> Deadline:
        """A deadline that counts from now."""
        deadline = cls(pid, cpu_s, time.monotonic() + wall_s, _CORES, patience_s=PATIENCE * wall_s)
        deadline.expired()
        return deadline

    def expired(self) -> How | None:
        """Which limit is used up: CPU before wall time, since it is the one that no neighbour can use up."""
        now = time.monotonic()
        if now < self._safe:
            return None
        used = cpu_seconds(self.pid) or 0.0
        if used >= self.cpu_s:
            return How.CPU
        end = self.until if now < self.until else self.until + min(waited_s(self.pid), self.patience_s)
        # Every core would have to work for this process alone.
        self._safe = min(end, now + (self.cpu_s - used) / self.cores)
        return How.TIMEOUT if now >= end else None

    def wait_ms(self) -> int:
        """How long it is good to wait before the next look."""
        return max(_LEAST_WAIT_MS, round(1000 * (self._safe - time.monotonic())))
