"""Doors: `assay pack`: build, check and look into packs of evidence (spec/pack.md)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import click

from assay.api import wiring
from assay.api.conflicting import Disagreement, conflicts
from assay.interfaces.cli import codes, options, outputs
from assay.interfaces.cli.output import say, say_json, table
from assay.interfaces.cli.progress import Progress
from assay.kernel.errors import InputError
from assay.packs.build import build_pack
from assay.packs.check import check_pack
from assay.packs.show import find, show_entity, show_pack

_PACK = click.argument("pack", metavar="NAME|DIR")
_UNITS: Final = 4  # units of a property in that table
_MOST: Final = 40  # lines of a table for people
_SHOWN: Final = {
    "properties": ("property", "kind", "facts", "origin", "units", "vocabulary", "dimensions", "arguments"),
    "sources": ("source", "version", "date", "licence", "coverage", "status", "supersedes"),
    "quarantine": ("entity", "property", "value", "source", "reason"),
}


@click.group(epilog=options.example("assay pack show proteins"))
def pack() -> None:
    """Build, check and look into packs of evidence."""


@pack.command(
    epilog=options.example(
        "assay pack build data/recipes/proteins.toml my-proteins",
    )
)
@click.argument("recipe", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Replace the pack at OUT, if there is one.")
@options.as_json
def build(*, recipe: Path, out: Path, replace: bool, as_json: bool) -> int:
    """Build the pack of RECIPE into the folder OUT, check it and seal it with a digest.

    Rows that are implausible or contradict their identifier are set aside in quarantine.csv, with the reason.
    """
    outputs.outside(outputs.Output("OUT", out), [recipe])
    progress = Progress(sys.stderr)
    report = build_pack(recipe, out, progress, replace_old=replace)
    progress.clear()
    if as_json:
        say_json(
            {
                "pack": report.name,
                "digest": report.digest,
                "rows": dict(report.rows),
                "set_aside": dict(report.set_aside),
                "dangling_aliases": report.dangling_aliases,
                "locators": report.locators,
            }
        )
        return codes.OK
    say(f"pack {report.name} in {out}")
    say(f"digest {report.digest}")
    say(_counts(report.rows))
    if report.set_aside:
        say(f"set aside: {_counts(report.set_aside)}")
    if report.dangling_aliases:
        say(f"aliases that led nowhere and were left out: {report.dangling_aliases}")
    say(f"{report.locators} locators read again in the raw files")
    return codes.OK


@pack.command(
    epilog=options.example(
        "assay pack check proteins",
    )
)
@_PACK
@options.as_json
def check(*, pack: str, as_json: bool) -> int:
    """Read the pack from the first byte: digests, rows, and every raw spelling in its file.

    Ends with 0 if everything holds, else with 3.
    """
    progress = Progress(sys.stderr)
    report = check_pack(wiring.pack_path(pack), progress)
    progress.clear()
    if as_json:
        say_json(
            {
                "pack": report.name,
                "digest": report.digest,
                "locked": report.locked,
                "rows": dict(report.rows),
                "locators": report.locators,
                "problems": list(report.problems),
            }
        )
    else:
        say(f"pack {report.name}")
        say(f"digest {report.digest}" + ("" if report.locked else " (there is no lock)"))
        say(_counts(report.rows))
        say(f"{report.locators} locators read in the raw files")
        for problem in report.problems:
            say(f"problem: {problem}")
        say(f"{len(report.problems)} problems" if report.problems else "everything holds")
    return codes.OK if report.is_sound else codes.NO


@pack.command(
    epilog=options.example(
        "assay pack show proteins",
        "assay pack show proteins --find hemoglobin",
        "assay pack show proteins --entity uniprot:P69905",
    )
)
@_PACK
@click.option("--entity", metavar="ID", help="Which properties have rows for this entity, and at what; no values.")
@click.option("--find", "text", metavar="TEXT", help="Up to 20 entities and aliases that contain the text.")
@options.as_json
def show(*, pack: str, entity: str | None, text: str | None, as_json: bool) -> int:
    """Say what a pack holds: rows, properties, sources and their series, what was set aside.

    A source with a file is a release, which a task may name; a pack is as old as these, its pins.
    """
    if entity is not None and text is not None:
        raise InputError("usage", "--entity and --find are both given; keep one")
    progress = Progress(sys.stderr)
    path = wiring.pack_path(pack)
    if entity is not None or text is not None:
        part = show_entity(path, entity, progress) if entity is not None else find(path, text or "", progress)
        progress.clear()
        if as_json:
            say_json(part)
        else:
            _say_part(part)
        return codes.OK
    found = show_pack(path, progress)
    progress.clear()
    if as_json:
        say_json(found)
        return codes.OK
    say(f"pack {found['name']} {found['version']}: {found['title']}")
    say(f"digest {found['digest']} ({found['opened']}{'' if found['locked'] else ', no lock'})")
    say(f"{found['entities']} entities, {_counts(found['rows'])}")
    pins: Any = found["pins"]
    if pins["newest"]:
        say(f"as old as its pins: releases from {pins['oldest']} to {pins['newest']}")
    for name, columns in _SHOWN.items():
        entries: Any = found[name]
        if name == "sources" and found["releases"]:
            # Citations are without a file and come last; a pack written by hand may have no files at all.
            entries = entries[: found["releases"]]
        rows = _rows(entries, columns)
        if rows:
            say()
            for line in table(columns, rows[:_MOST]):
                say(line)
        if len(rows) > _MOST:
            say(f"… and {len(rows) - _MOST} more (--json has all)")
        if name == "sources" and found["releases"] and found["cited"]:
            say(f"and {found['cited']} citations without a file (--json has all)")
    return codes.OK


@pack.command(
    name="conflicts",
    epilog=options.example(
        "assay pack conflicts proteins --json",
    ),
)
@_PACK
@options.as_json
def list_conflicts(*, pack: str, as_json: bool) -> int:
    """List the keys where the pack's facts disagree; for the owner of the evidence.

    `stands`: a task that names the key gets CONFLICT. `superseded`: only one that lists the releases together does.
    """
    progress = Progress(sys.stderr)
    found = list(conflicts(pack, progress))
    progress.clear()
    if as_json:
        for conflict in found:
            say_json(_conflict(conflict))
        return codes.OK
    head = ("entity", "property", "at", "standing", "who says what")
    for line in table(head, [_row(conflict) for conflict in found]) if found else ():
        say(line)
    say(f"{len(found)} keys where facts disagree")
    return codes.OK


def _conflict(found: Disagreement) -> dict[str, object]:
    return {
        "entity": found.key.entity,
        "property": found.key.property,
        "argument": found.key.argument,
        "referent": found.key.referent,
        "condition": found.key.condition,
        "definition": found.key.definition,
        "standing": found.standing,
        "statements": [{"source": said.source, "raw": said.raw, "unit": said.unit} for said in found.statements],
    }


def _row(found: Disagreement) -> tuple[str, ...]:
    key = found.key
    at = " ".join(part for part in (key.argument, key.referent, key.condition, key.definition) if part)
    said = [f"{_cut(said.raw)}{' ' + said.unit if said.unit else ''} ({said.source})" for said in found.statements[:4]]
    if len(found.statements) > len(said):
        said.append("…")
    return key.entity, key.property, at, found.standing, ", ".join(said)


def _cut(text: str) -> str:
    return text if len(text) <= 24 else text[:23] + "…"


def _rows(entries: Any, columns: tuple[str, ...]) -> list[list[str]]:  # noqa: ANN401 -- a report as JSON values
    return [[_cell(entry[column]) for column in columns] for entry in entries]


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        return ", ".join(value[:_UNITS]) + (f" and {len(value) - _UNITS} more" if len(value) > _UNITS else "")
    return ", ".join(value) if isinstance(value, dict) else str(value)


def _say_part(part: Any) -> None:  # noqa: ANN401 -- as above
    if "entity" in part:
        say(part["entity"])
        columns = ("property", "argument", "referent", "condition", "definition")
        rows = [
            [", ".join(cell) if isinstance(cell, list) else cell for cell in (entry[name] for name in columns)]
            for entry in part["properties"]
        ]
        for line in table(columns, rows):
            say(line)
        return
    for entry in part["found"]:
        alias = f"{entry['alias']} -> " if entry["alias"] else ""
        say(f"{alias}{entry['entity'] or '(nothing: withdrawn)'}")
    if not part["found"]:
        say("nothing contains this text")
    if part["more"]:
        say(f"… and {part['more']} more")


def _counts(counts: Any) -> str:  # noqa: ANN401 -- as above
    return ", ".join(f"{count} {name}" for name, count in dict(counts).items())
