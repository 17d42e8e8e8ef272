"""A sandbox that is none: it runs calls in this process. For sources that tests wrote themselves, and for no other."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import Any

from assay.kernel.grade import How
from assay.sandbox import base
from assay.suite import guestcodec

ISOLATION = base.Isolation(
    base.Level.A, {}, "in process", "", "", "", 0, started_as_root=False, baseline_memory_bytes=0, hash_seed=0
)


class InProcess:
    """Answers as the guest would; `limits` and `sources` are what it was asked to keep and to run."""

    def __init__(self, faults: int = 0) -> None:
        self.faults = faults
        self.limits: list[base.Limits] = []
        self.sources: list[bytes] = []

    def run(
        self, candidate: base.Candidate, program: base.Program, limits: base.Limits, *, again: bool = False
    ) -> base.RunReport:
        if self.faults:
            self.faults -= 1
            raise base.SandboxUnavailable("sandbox.start", "no process could be started")
        self.limits.append(limits)
        self.sources.append(candidate.source)
        if isinstance(program, base.Inputs):
            return _report(tuple(_printed(candidate.source, one) for one in program.inputs))
        names: dict[str, Any] = {"__name__": "candidate", "is_second_run": again}
        try:
            exec(candidate.source, names)  # noqa: S102 -- see the module's first line
        except Exception as fault:  # noqa: BLE001 -- whatever it raises is an observation
            return _report((), base.Ending(How.LOAD_ERROR, None, str(fault)))
        if program.entry_point not in names:
            return _report((), base.Ending(How.ENTRY_POINT_MISSING))
        return _report(tuple(_called(names[program.entry_point], one) for one in program.calls))

    def close(self) -> None:
        """Nothing was opened."""


def _report(seen: tuple[base.Observation, ...], ending: base.Ending | None = None) -> base.RunReport:
    return base.RunReport(seen, base.Usage(), ending or base.Ending(), ISOLATION)


def _called(function: Any, call: base.Call) -> base.Observation:
    arguments, keywords, word = guestcodec.decode(call.payload)
    try:
        found = guestcodec.project(word, function(*arguments, **keywords), arguments)
        return base.Returned(call.index, guestcodec.encode(found))
    except guestcodec.NotAValue as fault:
        return base.NotAValue(call.index, str(fault))
    except BaseException as fault:  # noqa: BLE001 -- as above
        names = tuple(one.__name__ for one in type(fault).__mro__ if issubclass(one, BaseException))
        return base.Raised(call.index, names, type(fault).__name__)


def _printed(source: bytes, asked: base.Input) -> base.Observation:
    stdin, out = io.TextIOWrapper(io.BytesIO(asked.stdin)), io.TextIOWrapper(io.BytesIO())
    kept, sys.stdin = sys.stdin, stdin
    try:
        with contextlib.redirect_stdout(out):
            exec(source, {"__name__": "__main__"})  # noqa: S102 -- as above
    except Exception as fault:  # noqa: BLE001 -- as above
        return base.Raised(asked.index, ("Exception",), type(fault).__name__)
    finally:
        sys.stdin = kept
    out.flush()
    return base.Printed(asked.index, out.buffer.getvalue(), b"")
