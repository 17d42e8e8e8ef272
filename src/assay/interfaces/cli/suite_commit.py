"""Doors: `assay suite commit`: log a commitment to a gauge before there is a candidate (spec/suite.md §13)."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assay.api import committing, gauging
from assay.interfaces.cli import codes, inputs, keeping, options
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress
from assay.sandbox.base import Level
from assay.suite.trees import MAX_SUITE_BYTES
from assay.wire.gate_tasks import MAX_TASK_BYTES

_FILE = click.Path(path_type=Path)


@click.command(
    epilog=options.example("assay suite commit --suite S.json --entry-point add --reference R.py --receipts receipts")
)
@click.option("--suite", "suite_file", required=True, metavar="FILE", help="spec/suite.md")
@click.option("--task", metavar="FILE", help="Names the task and its function: spec/suite.md §12.")
@click.option("--entry-point", metavar="NAME", help="The task's function, in place of --task.")
@click.option("--reference", required=True, metavar="FILE", help="A program that is known to be right.")
@click.option(
    "--stub", "stubs", multiple=True, type=_FILE, metavar="FILE", help="A program that is known to be wrong, besides."
)
@click.option("--receipts", required=True, type=_FILE, metavar="DIR", help="The log; what opens it: DIR/private.")
@keeping.key
@click.option(
    "--require-isolation",
    type=click.Choice([level.value for level in Level]),
    default=Level.A.value,
    show_default=True,
    help="The weakest sandbox that will do.",
)
@options.as_json
def commit(
    *,
    suite_file: str,
    task: str | None,
    entry_point: str | None,
    reference: str,
    stubs: tuple[Path, ...],
    receipts: Path,
    key: Path | None,
    require_isolation: str,
    as_json: bool,
) -> int:
    """Gauge the suite, and log a commitment to what was found.

    The entry names neither the suite nor the gauge. `assay gate check --commitment INDEX` reveals it later, in the
    receipt of the delivery: then anyone can see that the gauge was there before.

    Ends with 0 if it stands in the log, 1 if our sandbox failed, 2 if the gauge does not hold.
    """
    keeper = keeping.keeper_of(receipts, key)
    keeper.ready([suite_file, task, reference, key, *stubs])
    progress = Progress(sys.stderr)
    try:
        found = gauging.gauge_suite(
            inputs.read_file(suite_file, MAX_SUITE_BYTES + 1),
            entry_point,
            inputs.program_bytes(reference),
            [(str(path), inputs.program_bytes(str(path))) for path in stubs],
            task=inputs.read_file(task, MAX_TASK_BYTES + 1) if task is not None else None,
            level=Level(require_isolation),
            on_step=lambda done, total: progress("gauging", done, total),
        )
    finally:
        progress.clear()
    made = committing.commit(receipts, found, keeper.signer)
    if as_json:
        say_json({"commitment_sha256": made.sha256, "origin": made.origin, "index": made.index})
    else:
        say(f"commitment {made.index} of {made.origin}: {made.sha256} ({keeper.form})")
        say(f"what opens it: {receipts / 'private' / made.sha256}.json")
    return codes.OK
