"""The same candidates, judged a hundred times while others use the machine: the same verdict documents every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from assay.api.examining import examine
from assay.api.gating import check
from assay.api.sandboxes import guest_codec
from assay.sandbox import base
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.opening import open_slot

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or examine().best is not base.Level.A,
    reason="level A is not reached here; `assay sandbox doctor` says why",
)
WORKERS = 2
RERUNS = 100
LIMITS = base.Limits()
# What never ends is given up sooner, so that a hundred times are minutes; a few times it has its whole time.
SHORT = replace(LIMITS, cpu_s=0.5, candidate_cpu_s=1.0)
ASLEEP = replace(LIMITS, wall_s=0.7)

CASES = [{"args": "(1,)", "returns": "1"}, {"args": "(17,)", "returns": "17"}, {"args": "('é',)", "returns": "'é'"}]
CALLS = json.dumps({"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": CASES})
INPUTS = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "stdin-stdout/1",
        "cases": [{"stdin": f"{n}\n", "stdout": [f"{n}\n"]} for n in (1, 17, 23)],
    }
)
# Works for so many CPU seconds by the clock of CPU time, so that no machine makes more of it than another.
BUSY = (
    "import time\ndef f(x):\n    t = time.process_time\n    end = t() + {}\n    while t() < end: pass\n    return x\n"
)


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate, what it is limited to, and how it has to end: a grade, and how it failed."""

    source: str
    ends: tuple[str, str | None]
    limits: base.Limits = LIMITS
    suite: str = CALLS
    reruns: int = RERUNS


PASSES = "passed", None
HANGS = "def f(x):\n    while True: pass\n"
MEMBERS: Mapping[str, Member] = {
    "right": Member("def f(x):\n    return x\n", PASSES),
    "right, with a class": Member(
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    x: object\ndef f(x):\n    return C(x).x\n", PASSES
    ),
    "wrong": Member("def f(x):\n    return [x]\n", ("failed", "wrong_value")),
    "wrong in one case": Member("def f(x):\n    return x if x != 17 else 18\n", ("failed", "wrong_value")),
    "raises": Member("def f(x):\n    raise ValueError(x)\n", ("failed", "exception")),
    "does not load": Member("def f(x:\n", ("failed", "load_error")),
    "exits": Member("import sys\ndef f(x):\n    sys.exit(0)\n", ("failed", "exception")),
    "exits at once": Member("import os\ndef f(x):\n    os._exit(0)\n", ("failed", "exit")),
    "signals itself": Member("import os\ndef f(x):\n    os.kill(os.getpid(), 9)\n", ("failed", "crash")),
    "takes memory": Member("def f(x):\n    return len(bytearray(1 << 30))\n", ("failed", "memory")),
    "floods": Member("def f(x):\n    while True: print('x' * 10000)\n", ("failed", "output")),
    "recurses": Member("def f(x):\n    return f(x)\n", ("failed", "exception")),
    "returns too much": Member("def f(x):\n    return [0] * 200000\n", ("failed", "too_large")),
    "returns no value": Member("def f(x):\n    return f\n", ("failed", "not_a_value")),
    "depends on the hash seed": Member(
        "def f(x):\n    return x if hash('b') % 2 == 0 else 0\n", ("flaky", "wrong_value")
    ),
    "depends on the order": Member(
        "seen = []\ndef f(x):\n    seen.append(x)\n    return x if seen[0] == 1 else 0\n", ("flaky", "wrong_value")
    ),
    "has threads": Member(
        "import threading\ndef f(x):\n    found = []\n    many = [threading.Thread(target=found.append, args=(x,)) "
        "for _ in range(4)]\n    for one in many: one.start()\n    for one in many: one.join()\n    return found[3]\n",
        PASSES,
    ),
    "works for 0.1 s": Member(BUSY.format(0.03), PASSES),
    "works for 1.8 s": Member(BUSY.format(0.6), PASSES, reruns=5),
    "never ends": Member(HANGS, ("failed", "cpu"), SHORT),
    "never ends, in its whole time": Member(HANGS, ("failed", "cpu"), reruns=4),
    "sleeps": Member("import time\ndef f(x):\n    time.sleep(3600)\n", ("failed", "timeout"), ASLEEP),
    "program: right": Member("print(int(input()))\n", PASSES, suite=INPUTS),
    "program: wrong": Member("print(0)\n", ("failed", "wrong_value"), suite=INPUTS),
    "program: exits": Member("import sys\nsys.exit(3)\n", ("failed", "exit"), suite=INPUTS),
    "program: never ends": Member("while True: pass\n", ("failed", "cpu"), SHORT, INPUTS, reruns=40),
}


class Kept:
    """A slot that many gates use one after the other: a gate closes what it was given."""

    def __init__(self, slot: LinuxSlot) -> None:
        self.slot = slot

    def run(
        self, candidate: base.Candidate, program: base.Program, limits: base.Limits, *, again: bool = False
    ) -> base.RunReport:
        return self.slot.run(candidate, program, limits, again=again)

    def close(self) -> None:
        """It is needed again."""


def document(member: Member, slot: LinuxSlot) -> str:
    """The gate's document, without the facts of the machine."""
    entry_point = "f" if member.suite is CALLS else None
    found = check(
        member.suite,
        entry_point,
        [member.source.encode()],
        limits=member.limits,
        opened=lambda: Kept(slot),
    ).document
    return json.dumps({name: said for name, said in found.items() if name != "isolation"}, sort_keys=True)


@contextmanager
def load(loops: int) -> Iterator[None]:
    """So many processes that never rest."""
    # Each in a session of its own: some kernels share the cores out between sessions, as candidates have theirs.
    command = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(command, start_new_session=True) for _ in range(loops)]
    try:
        yield
    finally:
        for one in busy:
            one.kill()
            one.wait()


def rounds(number: int, most: int) -> Counter[tuple[str, str]]:
    """How often each member had each document, in one slot: every second of the reruns."""
    found: Counter[tuple[str, str]] = Counter()
    with open_slot(guest_codec(), number=number) as slot:
        for at in range(number, most, WORKERS):
            for name, member in MEMBERS.items():
                # What takes long is left out where all of it is quick.
                if at < member.reruns and RERUNS in {most, member.reruns}:
                    found[name, document(member, slot)] += 1
    return found


def judged(most: int, loops: int) -> Counter[tuple[str, str]]:
    with load(loops), ThreadPoolExecutor(WORKERS) as pool:
        return sum(pool.map(rounds, range(WORKERS), [most] * WORKERS), Counter())


def differing(found: Counter[tuple[str, str]]) -> dict[str, list[str]]:
    """Members with another end than the one that is right, or with more than one document."""
    said: dict[str, list[str]] = {}
    for name, text in found:
        said.setdefault(name, []).append(text)
    wrong = {}
    for name, texts in said.items():
        (tried,) = json.loads(texts[0])["tried"]
        if len(texts) != 1 or (tried["grade"], tried["how"]) != MEMBERS[name].ends:
            wrong[name] = [f"{found[name, text]} x {json.loads(text)['tried']}" for text in texts]
    return wrong


def test_verdicts_of_a_mixed_set_are_as_named_and_equal() -> None:
    assert differing(judged(2, 0)) == {}


@pytest.mark.slow
def test_verdicts_are_equal_in_a_hundred_reruns_at_full_load() -> None:
    begin = time.monotonic()
    found = judged(RERUNS, 2 * (os.cpu_count() or 1))
    print(f"{found.total()} verdicts of {len(MEMBERS)} candidates, {time.monotonic() - begin:.0f} s")
    assert found.total() == sum(one.reruns for one in MEMBERS.values())
    assert differing(found) == {}
