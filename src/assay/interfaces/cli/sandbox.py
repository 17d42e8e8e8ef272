"""Doors: `assay sandbox`: what this machine offers untrusted code."""

from __future__ import annotations

import click

from assay.api import examining
from assay.interfaces.cli import codes, options
from assay.interfaces.cli.output import say, say_json, table
from assay.sandbox.base import Level
from assay.sandbox.doctor import Examination, Reached


@click.group()
def sandbox() -> None:
    """Say whether candidates can be run here, and why."""


@sandbox.command(epilog=options.example("assay sandbox doctor"))
@options.as_json
def doctor(*, as_json: bool) -> int:
    """Try each part of the sandbox, and each level by hostile acts of our own.

    Ends with 0 if level A is reached; else with 1, and the last line says what mends it.
    """
    return report(examining.examine(), as_json=as_json)


def report(found: Examination, *, as_json: bool) -> int:
    """Print the examination; the exit code says whether level A is reached."""
    if as_json:
        say_json(examining.document(found))
    else:
        _say(found)
    return codes.OK if found.best is Level.A else codes.FAULT


def _say(found: Examination) -> None:
    user = "root" if found.as_root else "a plain user"
    say(f"{found.system} {found.kernel} on {found.machine}, as {user}; Landlock {found.landlock_abi or 'absent'}")
    say(f"interpreter: {found.python}")
    say()
    rows = [(one.name, "works" if one.works else "fails", one.why) for one in found.tried]
    for line in table(("part", "", "why"), rows) if rows else ():
        say(line)
    for level in found.levels:
        say(_level(level))
        held = [name for name, standing in level.properties.items() if str(standing) == "enforced"]
        if held:
            say(f"  enforced: {', '.join(held)}")
        for lack in examining.lacking(level.properties):
            say(f"  {lack}")
        for act in level.open_acts:
            say(f"  the probe got through: {act}")
    say()
    best = f"level {found.best}" if found.best is not None else "nothing may run here"
    say(f"this machine offers: {best}")
    if found.best is not Level.A:
        say(f"fix: {examining.fix(found)}")


def _level(level: Reached) -> str:
    word = "reached" if level.reached else "not reached"
    # Messages made elsewhere send the reader here.
    why = level.why.removesuffix("; see `assay sandbox doctor`")
    return f"level {level.level}: {word}" + (f": {why}" if why else "")
