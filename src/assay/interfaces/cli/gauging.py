"""Doors: `assay suite gauge` and `assay suite strength`: what a suite can tell, before it is trusted."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assay.api import gauging
from assay.api.counting import counted
from assay.gate.deliver import word_of
from assay.gate.gauge import Gauge
from assay.gate.strength import Strength
from assay.interfaces.cli import codes, inputs, options
from assay.interfaces.cli.output import say, say_json, table
from assay.interfaces.cli.progress import Progress
from assay.kernel.grade import Failed, Grade
from assay.sandbox.base import Level
from assay.suite.trees import MAX_SUITE_BYTES
from assay.wire.gate_tasks import MAX_TASK_BYTES

_suite = click.option("--suite", "suite_file", required=True, metavar="FILE", help="spec/suite.md")
_entry_point = click.option("--entry-point", metavar="NAME", help="The task's function, in place of --task.")
_task = click.option("--task", metavar="FILE", help="Names the task and its function: spec/suite.md §12.")
_reference = click.option("--reference", required=True, metavar="FILE", help="A program that is known to be right.")
_level = click.option(
    "--require-isolation",
    type=click.Choice([level.value for level in Level]),
    default=Level.A.value,
    show_default=True,
    help="The weakest sandbox that will do.",
)


@click.command(epilog=options.example("assay suite gauge --suite S.json --entry-point add --reference R.py"))
@_suite
@_task
@_entry_point
@_reference
@click.option(
    "--stub",
    "stubs",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A program that is known to be wrong, besides those that are made of the suite.",
)
@_level
@options.as_json
def gauge(
    *,
    suite_file: str,
    task: str | None,
    entry_point: str | None,
    reference: str,
    stubs: tuple[Path, ...],
    require_isolation: str,
    as_json: bool,
) -> int:
    """Say whether the suite passes its reference and fails every known-bad stub.

    Ends with 0 if it does, 3 if it does not, 1 if our sandbox failed, 2 if the suite cannot be read.
    """
    progress = Progress(sys.stderr)
    try:
        found = gauging.gauge_suite(
            _suite_bytes(suite_file),
            entry_point,
            inputs.program_bytes(reference),
            [(str(path), inputs.program_bytes(str(path))) for path in stubs],
            level=Level(require_isolation),
            task=_task_bytes(task),
            on_step=lambda done, total: progress("gauging", done, total),
        )
    finally:
        progress.clear()
    if as_json:
        say_json({**found.document(), "gauge_sha256": found.sha256, "faults": list(found.faults)})
    else:
        _say_gauge(found, reference)
    return codes.OK if found.holds else codes.NO


@click.command(epilog=options.example("assay suite strength --suite S.json --entry-point add --reference R.py"))
@_suite
@_task
@_entry_point
@_reference
@click.option(
    "--most",
    type=click.IntRange(1, 1000),
    default=gauging.MOST,
    show_default=True,
    help="How many mutants are run, evenly spaced among all.",
)
@_level
@options.as_json
def strength(
    *,
    suite_file: str,
    task: str | None,
    entry_point: str | None,
    reference: str,
    most: int,
    require_isolation: str,
    as_json: bool,
) -> int:
    """Say how many small mistakes in the reference the suite sees, and show those that it does not.

    A survivor may be right all the same: whether it is, a person says.

    Ends with 0 if it was measured, 3 if it could not be, 1 if our sandbox failed, 2 if the suite cannot be read.
    """
    progress = Progress(sys.stderr)
    try:
        found = gauging.suite_strength(
            _suite_bytes(suite_file),
            entry_point,
            inputs.program_bytes(reference),
            most=most,
            level=Level(require_isolation),
            task=_task_bytes(task),
            on_step=lambda done, total: progress("mutants", done, total),
        )
    finally:
        progress.clear()
    if as_json:
        say_json({**found.document(), "survivors": list(found.survivors)})
    else:
        _say_strength(found)
    return codes.OK if not found.reason else codes.NO


def _task_bytes(name: str | None) -> bytes | None:
    return inputs.read_file(name, MAX_TASK_BYTES + 1) if name is not None else None


def _suite_bytes(name: str) -> bytes:
    return inputs.read_file(name, MAX_SUITE_BYTES + 1)


def _say_gauge(found: Gauge, reference: str) -> None:
    stubs = [(f"stub: {one.name}", _words(one.grade)) for one in found.stubs]
    rows = [(reference, _words(found.reference, "passed, twice")), *stubs]
    for line in table(("program", "grade"), rows):
        say(line)
    for fault in found.faults:
        say(fault)
    say(f"{'HOLDS' if found.holds else 'DOES NOT HOLD'} (gauge_sha256 {found.sha256})")


def _words(grade: Grade, passed: str = "passed") -> str:
    return f"{word_of(grade)}, {grade.how}" if isinstance(grade, Failed) else passed


def _say_strength(found: Strength) -> None:
    for diff in found.survivors:
        for line in [*diff.splitlines(), ""]:
            say(line)
    say(f"{counted(found.cases, 'case')}, {counted(found.distinct_inputs, 'distinct input')}")
    if found.reason:
        say(f"not measured: {found.reason}")
        return
    left = len(found.survivors)
    say(
        f"{found.killed} of {counted(found.generated, 'mutant')} killed, {left} survived, of "
        f"{counted(found.possible, 'possible change')}"
    )
