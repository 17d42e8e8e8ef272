"""Doors: `assay trial`: the gate on stored candidates, counted."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from assay.api import trials
from assay.interfaces.cli import codes, inputs, options
from assay.interfaces.cli.output import say, say_json, table
from assay.interfaces.cli.progress import Progress
from assay.sandbox.base import Level

_ROWS = (
    "single_first",
    "single_mean",
    "vote_visible",
    "vote_all",
    "gate",
    "gate_random_order",
    "ceiling",
    "ceiling_all",
    "refused",
    "false_delivery_of_tasks",
    "false_delivery_of_deliveries",
    "void",
)


@click.group()
def trial() -> None:
    """Count what the gate does with stored candidates."""


@trial.command(epilog=options.example("assay trial run --bank BANK.jsonl.gz --pool POOL.jsonl.gz --out trial"))
@click.option("--bank", required=True, metavar="FILE", help="The tasks: visible cases decide, hidden ones score.")
@click.option("--pool", required=True, metavar="FILE", help="Stored candidates; the first five by `sample` are tried.")
@click.option("--gt", metavar="FILE", help="A bank whose cases score in place of the bank's own.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes.")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where results are kept.")
@click.option(
    "--require-isolation",
    type=click.Choice([level.value for level in Level]),
    default=Level.A.value,
    show_default=True,
    help="The weakest sandbox that will do.",
)
@options.as_json
def run(
    *,
    bank: str,
    pool: str,
    gt: str | None,
    workers: int,
    out: Path,
    require_isolation: str,
    as_json: bool,
) -> int:
    """Run the gate on each task of BANK with its candidates in POOL, score every candidate, and count.

    The same command takes up a trial that was broken off. Figures are defined in docs/reference/trial.md.

    Ends with 0, or with 1 if so many tasks are void that nothing is judged.
    """
    progress = Progress(sys.stderr)
    try:
        summary = trials.trial(
            Path(bank),
            Path(pool),
            out,
            gt=Path(gt) if gt is not None else None,
            workers=workers,
            level=Level(require_isolation),
            progress=lambda done, total: progress("tasks", done, total),
        )
    except OSError as fault:
        raise inputs.unreadable(str(fault.filename or bank), fault) from None
    finally:
        progress.clear()
    if as_json:
        say_json(summary)
    else:
        _say(summary, out)
    return codes.OK if trials.is_judged(summary) else codes.FAULT


def _say(summary: Mapping[str, Any], out: Path) -> None:
    say(f"{summary['tasks']} tasks; {summary['not_in_pool']} of the bank have no candidates")
    rows = [(name, *_row(summary[name])) for name in _ROWS]
    for line in table(("", "count", "of", "rate", "95 % interval"), rows):
        say(line)
    say(f"mean_generated {summary['mean_generated']}")
    for name, pair in summary["discordant"].items():
        say(
            f"gate against {name}: {pair['gate_only']} to {pair['other_only']} of {pair['pairs']}, "
            f"exact McNemar p {pair['mcnemar_p']}"
        )
    for one in summary["no_suite"]:
        say(f"no suite, refused: {one['id']}: {one['reason']}")
    for one in summary["void_tasks"]:
        say(f"void: {one['id']}: {one['reason']}")
    for name in ("verdict", "by_construction", "scores", "precondition"):
        if name in summary:
            say(summary[name])
    say(f"results and summary in {out}")


def _row(share: Mapping[str, Any]) -> tuple[str, str, str, str]:
    low, high = share.get("wilson_95") or share["normal_95"]
    rate = "-" if share["rate"] is None else f"{share['rate']:.4f}"
    return str(share.get("count", share.get("exact"))), str(share["of"]), rate, f"{low:.4f} to {high:.4f}"
