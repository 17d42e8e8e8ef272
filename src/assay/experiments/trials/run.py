"""Workshops: a trial of the gate on stored candidates, from files to figures (docs/reference/trial.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import file_digest
from itertools import count
from pathlib import Path
from typing import Final

import assay
from assay.experiments.trials import matrix
from assay.experiments.trials.pools import read_pool
from assay.experiments.trials.store import SCORE, SUMMARY, Folder
from assay.experiments.trials.summary import scores, summarise
from assay.experiments.trials.task import FIRST, Result, Work, work_of
from assay.experiments.trials.workers import Open, run_all
from assay.gate.banks import BankTask, read_bank
from assay.kernel.errors import InputError
from assay.kernel.first_pass import RULE_SHA256
from assay.sandbox import base
from assay.suite.frombank import NoSuite

TRIAL: Final = "assay.trial/1"
NOT_ASKED: Final = NoSuite("candidates are scored alone, the gate was not asked")


@dataclass(frozen=True, slots=True)
class Files:
    """What a trial reads: the bank, the pool, and a further bank whose cases score, if there is one."""

    bank: Path
    pool: Path
    gt: Path | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """What a trial is run with. `opened` travels to the workers, so it has to be importable by name."""

    opened: Open
    level: base.Level
    limits: base.Limits
    workers: int = 1
    twice: bool = False  # score by two runs, as the gate decides


@dataclass(frozen=True, slots=True)
class Outside:
    """How many tasks are in no denominator: of the bank without candidates, and of the pool without a task."""

    not_in_pool: int
    not_in_bank: int


def run_trial(
    files: Files, out: Path, means: Means, progress: Callable[[int, int], None] = lambda _, __: None
) -> dict[str, object]:
    """Run what is not yet in the folder, and write the summary there; the summary.

    Raises:
        InputError: a file is not what it should be, or the folder holds another trial.
        SandboxUnavailable: there is no sandbox at all.
        Fault: the folder cannot be written.
        OSError: a file cannot be read.
    """
    works, outside = plan(files)
    works = [replace(work, twice=means.twice) for work in works]
    figures = partial(summarise, twice=means.twice, **asdict(outside))
    return _run(works, Folder(out, _plan(files, means, TRIAL)), means, progress, figures)


def run_score(
    files: Files, out: Path, means: Means, progress: Callable[[int, int], None] = lambda _, __: None
) -> dict[str, object]:
    """Score every candidate once and ask no gate; else as `run_trial`."""
    works, outside = plan(files)
    alone = [replace(work, visible=NOT_ASKED, twice=means.twice) for work in works]
    figures = partial(scores, twice=means.twice, **asdict(outside))
    return _run(alone, Folder(out, _plan(files, means, SCORE)), means, progress, figures)


def _run(
    works: Sequence[Work],
    place: Folder,
    means: Means,
    progress: Callable[[int, int], None],
    figures: Callable[[Sequence[Result]], dict[str, object]],
) -> dict[str, object]:
    with place as folder:
        done = {result.id for result in folder.results if not result.void}
        left = [work for work in works if work.id not in done]
        finished = count(len(works) - len(left))
        progress(next(finished), len(works))

        def keep(result: Result) -> None:
            folder.append(result)
            progress(next(finished), len(works))

        if left:
            run_all(left, means.workers, means.opened, means.limits, keep)
        order = {work.id: at for at, work in enumerate(works)}
        results = sorted(folder.results, key=lambda result: order[result.id])
        folder.write_bytes(matrix.MATRIX, matrix.matrix(results, {work.id: work.hidden_from for work in works}))
        folder.write_bytes(matrix.CANDIDATES, matrix.candidates(results))
        summary = figures(results)
        folder.write(SUMMARY, summary)
    return summary


def plan(files: Files) -> tuple[list[Work], Outside]:
    """The work of each task that is in the bank and in the pool, in the bank's order, and how many are in one alone.

    Raises:
        InputError: a file is not what it should be, the bank names a task twice, or no task has candidates.
        OSError: a file cannot be read.
    """
    bank = _by_id(files.bank)
    pool = read_pool(files.pool, {task.id: task.prompt for task in bank.values()})
    gt = _by_id(files.gt) if files.gt is not None else bank
    here = [task for task in bank.values() if pool.get(task.id)]
    if not here:
        raise InputError("trial.pool", "no task of the bank has candidates in the pool; give the pool of this bank")
    for task in here:
        if task.id not in gt:
            raise InputError("trial.gt", f"task `{task.id}` is not in the bank that scores; give one that has all")
    return [work_of(task, gt[task.id], pool[task.id]) for task in here], Outside(
        len(bank) - len(here), len(pool.keys() - bank.keys())
    )


def _by_id(path: Path) -> dict[str, BankTask]:
    found: dict[str, BankTask] = {}
    for task in read_bank(path):
        if task.id in found:
            raise InputError("bank.shape", f"the bank names the task `{task.id}` twice; keep one")
        found[task.id] = task
    return found


def _plan(files: Files, means: Means, what: str) -> dict[str, object]:
    """What has to be the same for a trial to be taken up again."""
    return {
        "trial": what,
        "version": assay.__version__,
        "bank_sha256": _digest(files.bank),
        "pool_sha256": _digest(files.pool),
        "gt_sha256": _digest(files.gt) if files.gt is not None else None,
        "rule_sha256": RULE_SHA256,
        "candidates": FIRST,
        "level": means.level.value,
        "scored_twice": means.twice,
        "limits": asdict(means.limits),
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
