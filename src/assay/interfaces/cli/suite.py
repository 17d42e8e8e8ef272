"""Doors: `assay suite`: files of acceptance tests: digests, lines to read, conversion."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assay.api import suites
from assay.api.counting import counted
from assay.api.suites import Converted
from assay.interfaces.cli import codes, gauging, inputs, options, outputs
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress
from assay.interfaces.cli.suite_attacks import attacks
from assay.interfaces.cli.suite_commit import commit
from assay.interfaces.cli.suite_from import from_asserts
from assay.suite.trees import MAX_SUITE_BYTES

_entry_point = click.option(
    "--entry-point", metavar="NAME", help="The task's function; needed where it has a built-in's name."
)


@click.group()
def suite() -> None:
    """Read, digest and convert suites of acceptance tests."""


suite.add_command(from_asserts)
suite.add_command(attacks)
suite.add_command(gauging.gauge)
suite.add_command(gauging.strength)
suite.add_command(commit)


@suite.command(epilog=options.example("assay suite digest S.json"))
@click.argument("file")
@_entry_point
@options.as_json
def digest(*, file: str, entry_point: str | None, as_json: bool) -> int:
    """Print the three digests of the suite in FILE: the same on every machine, however it is typed."""
    found = suites.digests(_suite(file), entry_point)
    if as_json:
        say_json(found)
    else:
        for name, value in found.items():
            say(f"{name:<15}{value}")
    return codes.OK


@suite.command(epilog=options.example("assay suite render S.json --as text"))
@click.argument("file")
@click.option("--as", "form", type=click.Choice(["text", "pytest"]), default="text", show_default=True, help="How.")
@_entry_point
@options.as_json
def render(*, file: str, form: str, entry_point: str | None, as_json: bool) -> int:
    """Show the suite in FILE case by case, for reading only: the gate runs no text."""
    read = suites.read_as_pytest if form == "pytest" else suites.read_as_text
    found = read(_suite(file), entry_point)
    if as_json:
        say_json({"as": form, "lines": found})
    else:
        for line in found:
            say(line)
    return codes.OK


@suite.command("from-bank", epilog=options.example("assay suite from-bank BANK.jsonl.gz --out suites"))
@click.argument("bank", type=inputs.FILE)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where the suites go, one file a task."
)
@click.option(
    "--preamble",
    type=click.Choice(["prompt"]),
    help="Put the prompt's lines before the function in front of a candidate, for models that complete.",
)
@options.as_json
def from_bank(*, bank: Path, out: Path, preamble: str | None, as_json: bool) -> int:
    """Write a suite for each task of BANK from its visible cases; list the tasks that have none, with the reason."""

    def check(path: Path) -> None:
        outputs.ready([outputs.Output("--out", path)], [bank])

    outputs.folder("--out", out)
    progress = Progress(sys.stderr)
    found: list[Converted] = []
    try:
        for one in suites.from_bank(bank, out, preamble=preamble is not None, ready=check):
            found.append(one)
            progress("converting", len(found), 0)
    except OSError as fault:
        raise inputs.unreadable(str(bank), fault) from None
    finally:
        progress.clear()
    without = [one for one in found if not one.file]
    typed = sum(one.typed_output for one in found)
    if as_json:
        say_json(
            {
                "tasks": len(found),
                "suites": len(found) - len(without),
                "typed_output": typed,
                "no_suite": [{"id": one.id, "reason": one.reason} for one in without],
                "out": str(out),
            }
        )
        return codes.OK
    for one in without:
        say(f"no suite: {one.id}: {one.reason}")
    say(f"{counted(len(found) - len(without), 'suite')} of {counted(len(found), 'task')} in {out}")
    if typed:
        say(f"typed_output: {counted(typed, 'task')} with outputs that are not text")
    return codes.OK


def _suite(file: str) -> bytes:
    """The bytes of a suite, at most one more than a suite may have."""
    return inputs.read_file(file, MAX_SUITE_BYTES + 1)
