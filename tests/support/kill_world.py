"""A trial in the real sandbox whose processes are killed, and what has to be left of them: nothing.

A module of its own, because workers are processes that import it by name.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.support import trial_world as world

from assay.api.sandboxes import guest_codec, numbered_slot
from assay.experiments.trials.run import Files, Means, run_trial
from assay.experiments.trials.store import RESULTS
from assay.sandbox import base

ROOT = Path(__file__).resolve().parents[2]
# Far from what an honest candidate here uses, near enough to wait for one that never ends.
LIMITS = base.Limits(cpu_s=0.4, candidate_cpu_s=0.8)
ROLES = ("judge", "worker", "zygote outside", "zygote", "candidate")
_SUBREAPER = 36
_GRACE_S = 30.0

CALLS = {
    "right": "def f(x):\n    return x\n",
    "wrong": "def f(x):\n    return -x\n",
    "raises": "def f(x):\n    raise ValueError(x)\n",
    "exits": "import os\ndef f(x):\n    os._exit(3)\n",
    "recursive": "def f(x):\n    return f(x)\n",
    "hungry": "def f(x):\n    return len(bytearray(1 << 30))\n",
    "hashed": "def f(x):\n    return x if hash('b') % 2 == SALT else -x\n",
    "hangs": "def f(x):\n    while True: pass\n",
}
PROGRAMS = {
    "right": "print(int(input()))\n",
    "wrong": "print(-int(input()))\n",
    "raises": "print(1 / 0)\n",
    "exits": "import sys\nsys.exit(3)\n",
    "flood": "while True: print('x' * 9999)\n",
    "hangs": "while True: pass\n",
}


def files(folder: Path, tasks: int, *, hanging: bool) -> Files:
    """A bank and a pool: every third task reads its input, the candidates' order turns from task to task."""
    bank, pool = [], []
    for at in range(tasks):
        name, sources = f"T/{at}", PROGRAMS if at % 3 == 2 else CALLS
        # Without those that never end, few: what has to be quick is no longer than it must be.
        words = [word for word in sources if word != "hangs" or at % 2] if hanging else ["right", "wrong", "exits"]
        words = words[at % len(words) :] + words[: at % len(words)]
        bank.append(world.task(name) if sources is CALLS else world.task(name, **program_task()))
        codes = [sources[word].replace("SALT", str(at % 2)) for word in words]
        pool.append(world.entry(name, *codes))
    return Files(world.write(folder / "bank.jsonl", *bank), world.write(folder / "pool.jsonl", *pool))


def program_task() -> dict[str, object]:
    """What makes a task one of programs."""
    cases = [{"stdin": f"{n}\n", "e": [str(n)]} for n in (1, 17, 23)]
    return {"dialect": "stdin", "entry_point": None, "visible": cases[:1], "hidden": cases[1:]}


@dataclass(slots=True)
class Trial:
    """A trial as a command: begun, killed and begun again, in a folder and a temporary folder of its own."""

    given: Files
    out: Path
    temporary: Path
    is_command: bool = False  # `assay trial run` itself, with its own limits
    process: subprocess.Popen[bytes] | None = None
    log: list[bytes] = field(default_factory=list)

    def command(self) -> list[str]:
        """What is started."""
        bank, pool, out = str(self.given.bank), str(self.given.pool), str(self.out)
        if not self.is_command:
            return [sys.executable, "-m", "tests.support.kill_world", bank, pool, out]
        chosen = ["--bank", bank, "--pool", pool, "--out", out, "--workers", "2"]
        return [sys.executable, "-m", "assay.interfaces.cli", "trial", "run", *chosen]

    def begin(self) -> None:
        """Start it, or take it up."""
        self.temporary.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            self.command(),
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(self.temporary)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def is_over(self) -> bool:
        """Whether it came to its end by itself."""
        return self.process is not None and self.process.poll() is not None

    def end(self) -> int:
        """Wait for the end; how it ended. What it said is kept."""
        assert self.process is not None
        said, _ = self.process.communicate(timeout=300)
        self.log.append(said)
        return self.process.returncode

    def finished(self) -> list[str]:
        """The tasks whose lines are whole, in the order of the file."""
        if not (self.out / RESULTS).exists():
            return []
        lines = (self.out / RESULTS).read_bytes().split(b"\n")[:-1]
        return [json.loads(line)["id"] for line in lines]

    def victims(self, role: str) -> list[int]:
        """The processes of one role that are there."""
        assert self.process is not None
        judge = self.process.pid
        if role == "judge":
            return [judge]
        found = [pid for pid in children(judge) if b"spawn_main" in command_of(pid)]
        for _ in range(ROLES.index(role) - 1):
            found = [below for pid in found for below in children(pid)]
        return found

    def verdicts(self) -> dict[str, bytes]:
        """The lines of the results, by task; each task has one."""
        lines = (self.out / RESULTS).read_bytes().splitlines()
        found = {json.loads(line)["id"]: line for line in lines}
        assert len(found) == len(lines)
        return found


def disturb(trial: Trial, roles: Sequence[str], chance: random.Random) -> int:
    """Kill one process of each role in turn, at random moments, until the trial is over; how many were killed.

    Between two kills the tasks that the first one struck are given time: what is struck twice is void, and says so.
    """
    done = 0
    trial.begin()
    for role in roles:
        time.sleep(chance.uniform(0.0, 1.2))
        until = time.monotonic() + 20
        # A role may have no process for a moment, as a candidate has none between two tasks.
        while not (found := trial.victims(role)) and not trial.is_over() and time.monotonic() < until:
            time.sleep(0.002)
        if trial.is_over() or not found:
            break
        before = len(trial.finished())
        with suppress(ProcessLookupError):
            os.kill(chance.choice(found), signal.SIGKILL)
            done += 1
        if role == "judge":
            assert trial.end() == -signal.SIGKILL
            trial.begin()
            continue
        until = time.monotonic() + 60
        while len(trial.finished()) < before + 4 and not trial.is_over() and time.monotonic() < until:
            time.sleep(0.02)
    return done


def children(pid: int) -> list[int]:
    """The children of a process that are not dead."""
    return [one for one, (parent, state) in _processes().items() if parent == pid and state != "Z"]


def descendants(pid: int) -> set[int]:
    """Every process below one, the dead ones left out."""
    found: set[int] = set()
    level = {pid}
    known = _processes()
    while level:
        level = {one for one, (parent, _) in known.items() if parent in level}
        found |= level
    return {one for one in found if known[one][1] != "Z"}


def command_of(pid: int) -> bytes:
    """The command line of a process; nothing where it is gone."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _processes() -> dict[int, tuple[int, str]]:
    found: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):
                state, parent = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
                found[int(entry.name)] = int(parent), state
    return found


def _mounts() -> set[str]:
    return set(Path("/proc/self/mountinfo").read_text().splitlines())


def _shared() -> set[str]:
    return {one.name for one in Path("/dev/shm").iterdir()}  # noqa: S108 (looked at only)


@contextmanager
def nothing_left(temporary: Path) -> Iterator[None]:
    """Whoever is below us inside is gone after it, with all mounts and files, within a bounded time.

    Orphans come to this process meanwhile, so that none gets out of sight.
    """
    libc = ctypes.CDLL(None)
    before, mounts, shared = descendants(os.getpid()), _mounts(), _shared()
    assert libc.prctl(_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
        until = time.monotonic() + _GRACE_S
        # Mounts and shared memory are everybody's: what another program had for a moment is gone when looked at again.
        while (left := _left(before, mounts, shared)) and time.monotonic() < until:
            time.sleep(0.05)
        assert left == []
    finally:
        libc.prctl(_SUBREAPER, 0, 0, 0, 0)
        for pid in [one for one, (parent, state) in _processes().items() if parent == os.getpid() and state == "Z"]:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
    assert list(temporary.iterdir()) == []


def _left(before: set[int], mounts: set[str], shared: set[str]) -> list[object]:
    processes = [(pid, command_of(pid)) for pid in descendants(os.getpid()) - before]
    return [*processes, *(_mounts() - mounts), *(_shared() - shared)]


if __name__ == "__main__":
    run_trial(
        Files(Path(sys.argv[1]), Path(sys.argv[2])),
        Path(sys.argv[3]),
        Means(partial(numbered_slot, guest_codec(), base.Level.A), base.Level.A, LIMITS, workers=2),
    )
