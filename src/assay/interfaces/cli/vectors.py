"""Doors: `assay vectors run`: the specification's cases against the kernel."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from assay.audit.vectors import Mismatch, run_vectors
from assay.interfaces.cli import codes, inputs, options
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress

SHOWN = 20


@click.group(epilog=options.example("assay vectors run spec/vectors/integer.jsonl"))
def vectors() -> None:
    """Run the specification's cases."""


@vectors.command(
    epilog=options.example(
        "assay vectors run spec/vectors/integer.jsonl --json",
    )
)
@click.argument("file")
@options.as_json
def run(*, file: str, as_json: bool) -> int:
    """Run every vector of FILE (or of standard input, for -) and name those that differ (spec/verification.md §6).

    Ends with 0 if none does, else with 3.
    """
    progress = Progress(sys.stderr)
    with inputs.raw_lines(file) as (lines, size):
        report = run_vectors(_watched(lines, size, progress))
    progress.clear()
    if as_json:
        say_json(
            {
                "total": report.total,
                "mismatches": len(report.mismatches),
                "accepted": report.accepted,
                "rejected": report.rejected,
                "invalid": report.invalid,
                "differing": [_document(mismatch) for mismatch in report.mismatches],
            }
        )
    else:
        for mismatch in report.mismatches[:SHOWN]:
            say(f"line {mismatch.line} {mismatch.vector}: {_words(mismatch)}")
        if len(report.mismatches) > SHOWN:
            say(f"… and {len(report.mismatches) - SHOWN} more")
        say(f"{report.total} vectors, {len(report.mismatches)} mismatches")
    return codes.NO if report.mismatches else codes.OK


def _watched(lines: Iterator[bytes], size: int, progress: Progress) -> Iterator[bytes]:
    done = 0
    for line in lines:
        yield line
        done += len(line)
        progress("running", done, size)


def _document(mismatch: Mismatch) -> dict[str, object]:
    return {
        "line": mismatch.line,
        "id": mismatch.vector,
        "required": mismatch.required,
        "got": mismatch.got,
        "required_code": mismatch.required_code,
        "got_code": mismatch.got_code,
    }


def _words(mismatch: Mismatch) -> str:
    required = " ".join(part for part in (mismatch.required, mismatch.required_code) if part)
    return f"requires {required}, got {' '.join(part for part in (mismatch.got, mismatch.got_code) if part)}"
