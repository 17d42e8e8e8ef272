"""One candidate with ten calls in a warm slot, against a bare start of Python and a subprocess with limits.

Rounds of all three alternate, so that a busy machine slows them alike; a figure is the ratio of medians. CPU time is
that of the candidate (median), of the warm interpreter (mean, since it works between the rounds too) and of the judge.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from assay.sandbox.base import Call, Calls, Candidate, Limits
from assay.sandbox.clocks import cpu_seconds
from assay.sandbox.conformance import children, codec_source
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.linux.warm import interpreter
from assay.sandbox.opening import open_slot
from assay.suite import guestcodec

ROUNDS = 60
CALLS = 10
# Of a bare start: what one pass may cost. The aim is half of it.
CPU_CEILING = 0.65
SOURCE = b"def f(n):\n    return [n, n + 1]\n"
LIMITED = """
import resource, sys
for kind, most in ((resource.RLIMIT_CPU, 20), (resource.RLIMIT_AS, 256 << 20), (resource.RLIMIT_FSIZE, 1 << 20)):
    resource.setrlimit(kind, (most, most))
import json
names = {}
exec(sys.stdin.readline().encode().decode("unicode_escape"), names)
for line in sys.stdin:
    print(json.dumps(names["f"](*json.loads(line))), flush=True)
"""


@dataclass
class Times:
    """Wall and CPU milliseconds of one way, round by round."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def take(self, work: Callable[[], object], clock: Callable[[], float]) -> None:
        wall, cpu = time.perf_counter(), clock()
        work()
        self.wall.append(1000 * (time.perf_counter() - wall))
        self.cpu.append(1000 * (clock() - cpu))


def of_children() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def bare() -> None:
    subprocess.run([interpreter(), "-I", "-S", "-c", "pass"], check=True)


def limited() -> None:
    """A process of its own with limits, the calls one by one over pipes."""
    with subprocess.Popen(
        [interpreter(), "-I", "-S", "-c", LIMITED], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        assert process.stdout is not None  # noqa: S101 - as above
        process.stdin.write(SOURCE.replace(b"\n", b"\\n") + b"\n")
        for number in range(CALLS):
            process.stdin.write(b"[%d]\n" % number)
            process.stdin.flush()
            process.stdout.readline()
        process.stdin.close()


class Warm:
    """A slot, and the CPU time of all that belongs to it."""

    def __init__(self, slot: LinuxSlot, zygotes: set[int]) -> None:
        self.slot = slot
        self.zygotes = zygotes
        self.candidates: list[float] = []
        self.program = Calls("f", tuple(Call(n, guestcodec.encode(((n,), {}, "value"))) for n in range(CALLS)))

    def once(self) -> None:
        report = self.slot.run(Candidate(SOURCE), self.program, Limits())
        if len(report.observations) != CALLS or report.ending.how is not None:
            raise SystemExit(f"benchmarks/sandbox.py: the candidate ended by {report.ending}; mend the sandbox")
        self.candidates.append(1000 * report.usage.cpu_s)

    def of_zygotes(self) -> float:
        return 1000 * sum(cpu_seconds(pid) or 0.0 for pid in self.zygotes)


@dataclass
class Figures:
    """What was measured: times of each way, and where the slot's CPU time goes."""

    bare: Times
    limited: Times
    slot: Times
    candidate: float = 0.0
    zygote: float = 0.0

    @property
    def slot_cpu(self) -> float:
        return self.candidate + self.zygote + statistics.median(self.slot.cpu)


def measure(rounds: int = ROUNDS) -> Figures:
    """Return the times of each way, taken in turn."""
    found = Figures(Times(), Times(), Times())
    before = children()
    with open_slot(codec_source()) as slot:
        # The zygotes are there for good; the children that are armed ahead come and go.
        warm = Warm(slot, children() - before)
        for _ in range(5):
            warm.once()
        warm.zygotes &= children()
        warm.candidates.clear()
        begin = warm.of_zygotes()
        for _ in range(rounds):
            found.bare.take(bare, of_children)
            found.limited.take(limited, of_children)
            found.slot.take(warm.once, time.process_time)
        found.candidate = statistics.median(warm.candidates)
        found.zygote = (warm.of_zygotes() - begin) / rounds
    return found


def run() -> None:
    """Print the ratios beside what is asked of them."""
    found = measure()
    wall, cpu = statistics.median(found.bare.wall), statistics.median(found.bare.cpu)
    judge = statistics.median(found.slot.cpu)
    print(f"sandbox: a candidate with {CALLS} calls, {ROUNDS} rounds, load {os.getloadavg()[0]:.1f}")
    print(f"  bare start of Python: {wall:.1f} ms, {cpu:.1f} ms of CPU")
    for words, times, used, asked in (
        ("subprocess with limits", found.limited, statistics.median(found.limited.cpu), ""),
        ("warm slot, level A", found.slot, found.slot_cpu, f" (at most {CPU_CEILING})"),
    ):
        spent = statistics.median(times.wall)
        print(
            f"  {words}: {spent:.1f} ms, {used:.2f} ms of CPU; ratio {spent / wall:.2f}, of CPU {used / cpu:.2f}{asked}"
        )
    print(f"  of these: candidate {found.candidate:.2f}, warm interpreter {found.zygote:.2f}, judge {judge:.2f} ms")


if __name__ == "__main__":
    run()
