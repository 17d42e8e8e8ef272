"""A bank of one task to forge suites for, and a sandbox in which every call raises."""

from __future__ import annotations

from pathlib import Path

from tests.support import trial_world as world

from assay.sandbox import base

REFERENCE = "def absolute(x):\n    return x if x > 0 else -x\n"


def bank(folder: Path, *more: dict[str, object]) -> Path:
    """A bank with a task of four cases, and these."""
    cases = [{"a": f"({x},)", "e": str(abs(x))} for x in (-3, 2, 0, -5)]
    task = world.task(
        "T/0", entry_point="absolute", canonical=REFERENCE, visible=cases[:1], hidden=cases[1:], prompt="def absolute"
    )
    return world.write(folder / "bank.jsonl", task, *more)


class Wrong:
    """Every call raises."""

    def run(
        self,
        candidate: base.Candidate,  # noqa: ARG002 (the protocol has it)
        program: base.Program,
        limits: base.Limits,  # noqa: ARG002 (as above)
        *,
        again: bool = False,  # noqa: ARG002 (as above)
    ) -> base.RunReport:
        assert isinstance(program, base.Calls)
        seen = tuple(
            base.Raised(call.index, ("ValueError", "Exception", "BaseException"), "") for call in program.calls
        )
        return base.RunReport(seen, base.Usage(), base.Ending(), world.ISOLATION)

    def close(self) -> None:
        """Nothing was opened."""
