"""A small bank, its pool, and a sandbox that runs nothing: it answers by a word in the candidate's text.

A module of its own, because workers are processes that import it by name.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

from assay.experiments.trials.run import Files, Means, run_trial
from assay.sandbox import base
from assay.suite.wirecodec import decode

ISOLATION = base.Isolation(
    base.Level.A, {}, "fake", "", "", "", 0, started_as_root=False, baseline_memory_bytes=0, hash_seed=0
)
# The function is the identity. `right` is it; `visible` is it below ten, where the visible cases are; `deaf` raises
# always; `once` is right in its first run only; `late` is wrong below ten and right above.
WORDS = ("right", "visible", "wrong", "deaf", "once", "late")


class FakeSandbox:
    """Answers calls of one small integer; faults and deaths are asked for by the candidate's text or a file."""

    def __init__(self, killer: Path | None = None) -> None:
        self.killer = killer
        self.runs = 0

    def run(
        self,
        candidate: base.Candidate,
        program: base.Program,
        limits: base.Limits,  # noqa: ARG002 (the protocol has it)
        *,
        again: bool = False,
    ) -> base.RunReport:
        self.runs += 1
        word = candidate.source.decode()
        if word == "void":
            raise base.SandboxUnavailable("sandbox.start", "no process could be started")
        if word == "killer" and self.killer is not None and not self.killer.exists():
            self.killer.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "slow":
            time.sleep(0.2)
        if word == "murder":
            os.kill(os.getpid(), signal.SIGKILL)
        assert isinstance(program, base.Calls)
        if word == "deaf":
            seen: tuple[base.Observation, ...] = tuple(
                base.Raised(call.index, ("ValueError",), "") for call in program.calls
            )
            return base.RunReport(seen, base.Usage(), base.Ending(), ISOLATION)
        found = tuple(base.Returned(call.index, _answer(word, call.payload, again=again)) for call in program.calls)
        return base.RunReport(found, base.Usage(), base.Ending(), ISOLATION)

    def close(self) -> None:
        """Nothing was opened."""


def _answer(word: str, payload: bytes, *, again: bool) -> bytes:
    tree: Any = decode(payload)
    number = int(tree[1][0][1][0][1], 16)
    is_small = number < 10
    is_wrong = (
        word == "wrong" or (word == "visible" and not is_small) or (word == "late" and is_small)
        or (word == "once" and again)
    )  # fmt: skip
    return b"i%x;" % (number + is_wrong)


def fake(killer: Path | None, number: int) -> base.Sandbox:
    """A sandbox for a worker; with a file, a candidate `killer` ends the worker where the file is not there yet."""
    return FakeSandbox(killer)


def dies(number: int) -> base.Sandbox:
    """A worker that ends before it has a sandbox."""
    os._exit(number + 1)


def stumbles(folder: Path, number: int) -> base.Sandbox:
    """Every other worker ends before it has a sandbox."""
    at = len(list(folder.glob("*.begun")))
    (folder / f"{at:03}.begun").write_text("opened" if at % 2 else "died")
    return FakeSandbox() if at % 2 else dies(number)


def second_time(tried: Path, number: int) -> base.Sandbox:
    """A sandbox at the second try."""
    if tried.exists():
        return FakeSandbox()
    tried.touch()
    raise base.SandboxUnavailable("sandbox.lost", "it was killed on its way")


def tells(number: int) -> base.Sandbox:
    """A sandbox for a worker that says which process it is."""
    print(os.getpid(), flush=True)
    return FakeSandbox()


def none_at_all(number: int) -> base.Sandbox:
    """No sandbox of this machine."""
    raise base.SandboxUnavailable("sandbox.level", f"level A is not reached in slot {number}")


def opened(killer: Path | None = None) -> Any:
    """What a trial opens its workers' sandboxes with."""
    return partial(fake, killer)


def task(name: str, **more: object) -> dict[str, object]:
    """A task: one visible case, one hidden."""
    return {
        "id": name, "bank": "t", "dialect": "call", "entry_point": "f", "prompt": "def f(x):\n",
        "visible": [{"a": "(1,)", "e": "1"}], "hidden": [{"a": "(17,)", "e": "17"}],
    } | more  # fmt: skip


def entry(name: str, *words: str) -> dict[str, object]:
    """A line of a pool, written down in reverse order of `sample`."""
    found = [{"model": "m", "temperature": None, "sample": at, "code": word} for at, word in enumerate(words)]
    return {"id": name, "bank": "t", "candidates": found[::-1]}


def write(path: Path, *rows: object) -> Path:
    """The rows as lines of JSON, packed where the name says so."""
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return path


if __name__ == "__main__":
    from tests.support import trial_world

    run_trial(
        Files(Path(sys.argv[1]), Path(sys.argv[2])),
        Path(sys.argv[3]),
        Means(trial_world.tells, base.Level.A, base.Limits()),
    )
