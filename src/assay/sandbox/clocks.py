"""Pipes: when a run is over: a point on the monotonic clock, set once, and the process's CPU clock (docs/adr/0025)."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Final

from assay.kernel.grade import How

_SCHEDULED: Final = 2
# Between two looks at a clock that is nearly run down: short beside any limit, long beside the cost of looking.
_LEAST_WAIT_MS: Final = 10
_CORES: Final = os.cpu_count() or 1


def cpu_clock(pid: int) -> int:
    """The id of the clock that counts the CPU time of all threads of a process."""
    return (~pid << 3) | _SCHEDULED


def cpu_seconds(pid: int) -> float | None:
    """CPU time that a process has used, or None where it is gone."""
    try:
        return time.clock_gettime(cpu_clock(pid))
    except OSError:
        return None


@dataclass(slots=True)
class Deadline:
    """The end of a run. INVARIANT: nothing that the far end does moves it."""

    pid: int
    cpu_s: float
    until: float
    cores: int
    # Before this point nothing can expire, so no clock of the process need be read.
    _safe: float = 0.0

    @classmethod
    def begin(cls, pid: int, cpu_s: float, wall_s: float) -> Deadline:
        """A deadline that counts from now."""
        deadline = cls(pid, cpu_s, time.monotonic() + wall_s, _CORES)
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
        # Every core would have to work for this process alone.
        self._safe = min(self.until, now + (self.cpu_s - used) / self.cores)
        return How.TIMEOUT if now >= self.until else None

    def wait_ms(self) -> int:
        """How long it is good to wait before the next look."""
        return max(_LEAST_WAIT_MS, round(1000 * (self._safe - time.monotonic())))
