"""Desk: trials of the gate on stored candidates, with the sandbox of this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from assay.api.gating import guest_codec
from assay.experiments.trials.run import Files, Means, run_trial
from assay.experiments.trials.summary import is_judged
from assay.sandbox import base
from assay.sandbox.opening import open_slot

__all__ = ["is_judged", "trial"]


def trial(  # noqa: PLR0913 (each is one choice of the caller, by name)
    bank: Path,
    pool: Path,
    out: Path,
    *,
    gt: Path | None = None,
    workers: int = 1,
    level: base.Level = base.Level.A,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> dict[str, object]:
    """Run the gate on the first five candidates of each task, score all, and keep both in the folder; the summary.

    A trial that was broken off goes on where it was.

    Raises:
        InputError: a file is not what it should be, or the folder holds another trial.
        SandboxUnavailable: there is no sandbox of that level here.
        OSError: a file cannot be read.
    """
    opened = partial(numbered_slot, guest_codec(), level)
    return run_trial(Files(bank, pool, gt), out, Means(opened, level, base.Limits(), workers), progress)


def numbered_slot(codec: str, level: base.Level, number: int) -> base.Sandbox:
    """A worker's own sandbox. A function of the module, for workers are processes that import it."""
    return open_slot(codec, level, number=number)
