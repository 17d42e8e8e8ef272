"""A gate with a sandbox that answers by the candidate's text: for what comes after the sandbox."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import count

from assay.api import gating
from assay.api.gating import Draft, GateOutcome
from assay.kernel.grade import How
from assay.sandbox import base
from assay.sandbox.base import Standing

SUITE = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "python-call/1",
        "entry_point": "f",
        "cases": [
            {"args": "(1,)", "returns": "'secret one'"},
            {"args": "(2,)", "returns": "2"},
            {"args": "(3,)", "raises": "ValueError"},
        ],
    }
)
TASK = json.dumps({"task": "square it", "entry_point": "f"})
PROGRAM = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "stdin-stdout/1",
        "cases": [{"stdin": "1", "stdout": ["secret one"]}, {"stdin": "2", "stdout": ["2"]}],
    }
)

Seen = base.Observation
_ONE, _TWO = base.Returned(0, b"s10:secret one"), base.Returned(1, b"i2;")
_RAISED = base.Raised(2, ("ValueError", "Exception", "BaseException"), "MyError")
GOOD: tuple[Seen, ...] = (_ONE, _TWO, _RAISED)
CLOSED = base.Ending()

# What each text does in its first run, and in its second where that differs.
Runs = dict[bytes, tuple[tuple[Seen, ...], base.Ending]]
RUNS: Runs = {
    b"right": (GOOD, CLOSED),
    b"wrong": ((_ONE, base.Returned(1, b"i9;"), _RAISED), CLOSED),
    b"worse": ((base.Returned(0, b"N"), base.Returned(1, b"N"), _RAISED), CLOSED),
    b"raises": ((base.Raised(0, ("KeyError", "Exception"), "Key\x1b\ud800"), _TWO, base.Raised(2, (), "")), CLOSED),
    b"does not load": ((), base.Ending(How.LOAD_ERROR, None, "SyntaxError")),
    b"dies": ((_ONE,), base.Ending(How.CRASH, 1, "SIGSEGV")),
    b"lies": ((_ONE, base.Returned(1, b"no literal"), base.NotAValue(2, "object")), CLOSED),
    b"too large": ((base.TooLarge(0, "1 MiB"), _TWO, _RAISED), CLOSED),
    b"talks late": (GOOD, base.Ending(How.PROTOCOL, None, "bytes after the closing exchange")),
    b"no memory": ((base.Raised(0, ("MemoryError",), "MemoryError"), _TWO, _RAISED), CLOSED),
    b"flaky": (GOOD, CLOSED),
    b"prints": ((base.Printed(0, b"secret one\n", b"noise"), base.Printed(1, b"2", b"")), CLOSED),
    b"prints bytes": ((base.Printed(0, b"\xff", b""), base.Exited(1)), CLOSED),
}
AGAIN = {b"flaky": ((_ONE, base.Returned(1, b"i2;"), base.Returned(2, b"N")), CLOSED)}


class Sandbox:
    """Looks the candidate up in the tables, or in those of one test."""

    def __init__(self, more: Runs | None = None) -> None:
        self._runs: Runs = {**RUNS, **(more or {})}

    def run(
        self,
        candidate: base.Candidate,
        program: base.Program,  # noqa: ARG002 (the protocol has it)
        limits: base.Limits,
        *,
        again: bool = False,
    ) -> base.RunReport:
        """Report what the table says; a text that it does not know is our fault."""
        source = candidate.source.rstrip(b"\n")  # a block of a reply ends with a line feed
        found = AGAIN.get(source) if again else None
        if source not in self._runs:
            raise base.SandboxUnavailable("sandbox.start", "no process could be started")
        seen, ending = found or self._runs[source]
        isolation = base.Isolation(
            base.Level.A,
            {"files": Standing.ENFORCED},
            "fake",
            "6.1",
            "x86_64",
            "3.12.1",
            4,
            started_as_root=False,
            baseline_memory_bytes=1000,
            hash_seed=int(again),
            limits=limits,
        )
        return base.RunReport(seen, base.Usage(0.0015, 0.25, 4096, 1, 7), ending, isolation)

    def close(self) -> None:
        """Nothing to end."""


def salts() -> Callable[[], bytes]:
    """32 bytes a call, never the same twice."""
    numbers = count(1)
    return lambda: next(numbers).to_bytes(32, "big")


def gate(
    candidates: Iterable[bytes | Draft],
    *,
    suite: str = SUITE,
    task: str | None = TASK,
    keep_best: bool = False,
    runs: Runs | None = None,
) -> GateOutcome:
    """What the gate makes of the texts."""
    return gating.check(
        suite, None, candidates, task=task, keep_best=keep_best, salts=salts(), opened=lambda: Sandbox(runs)
    )
