"""Doors: `assay suite attacks`: which attacks on suites are refused, by which rule, beside the paper's figures."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from assay.api.attacking import PAPER, PRECONDITION, Attacked, Before, attack
from assay.interfaces.cli import codes, inputs, options
from assay.interfaces.cli.output import say, say_json, table
from assay.interfaces.cli.progress import Progress


@click.command(epilog=options.example("assay suite attacks --bank BANK.jsonl.gz --gauged 0"))
@click.option("--bank", required=True, type=inputs.FILE, metavar="FILE", help="The tasks whose suites are forged.")
@click.option(
    "--gauged",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="On how many tasks what is read is gauged too, evenly spaced; 0 needs no sandbox.",
)
@options.as_json
def attacks(*, bank: Path, gauged: int, as_json: bool) -> int:
    """Forge suites for each task of BANK, hand them to the gate's reader and gauge, and count what becomes of them.

    Ends with 0 if all that no suite may say was refused, and no candidate found what an earlier run had left; else 3.
    """
    progress = Progress(sys.stderr)
    try:
        found = attack(bank, gauged=gauged, progress=progress)
    except OSError as fault:
        raise inputs.unreadable(str(bank), fault) from None
    finally:
        progress.clear()
    if as_json:
        say_json(found.document())
    else:
        _say(found)
    return codes.OK if found.holds else codes.NO


def _say(found: Attacked) -> None:
    rows = [
        (
            row.attempt.family,
            row.attempt.name,
            str(row.tried),
            _codes(row.refused),
            str(row.read),
            f"{_codes(row.gauge_refused)} of {row.gauged}" if row.gauged else "",
            str(row.accepted) if row.gauged else "",
            f"{row.killed} of {row.mutants}" if row.mutants else "",
        )
        for row in found.rows
    ]
    head = ("attack", "attempt", "tasks", "refused on reading", "read", "refused by the gauge", "accepted", "killed")
    for line in table(head, rows):
        say(line)
    if found.without:
        say(f"{found.without} further tasks ask for a program or have no case")
    for row in found.rows:
        if row.read:
            say(f"read: {row.attempt.name}: {row.attempt.if_read or 'this should have been refused'}")
    for one in found.left:
        say(f"a candidate that leaves {one.name}: {'finds nothing' if one.is_contained else 'FINDS IT'} in a later run")
    for family, before in PAPER.items():
        for figure in before:
            say(f"the paper, {family}, {figure.run}: {_committed(figure)}; {figure.effect}")
    say(PRECONDITION)


def _committed(figure: Before) -> str:
    return "not counted" if figure.committed is None else f"{figure.committed} of {figure.of} let through"


def _codes(counted: Mapping[str, int]) -> str:
    return ", ".join(f"{code} {count}" for code, count in sorted(counted.items())) or "0"
