"""Doors: `assay suite from-asserts`: assertions as a suite, and what could not be said."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from assay.api import writing
from assay.api.asserted import Asserted, Remark, convert
from assay.api.counting import counted
from assay.interfaces.cli import codes, inputs, options, outputs
from assay.interfaces.cli.output import printable, say, say_json
from assay.suite.refusals import InvalidSuite, message
from assay.suite.trees import MAX_BYTES


@click.command("from-asserts", epilog=options.example("assay suite from-asserts test_add.py --out S.json"))
@click.argument("file")
@click.option("--entry-point", metavar="NAME", help="The task's function; needed where the file calls several.")
@click.option("--out", type=outputs.FILE, metavar="FILE", help="Where the suite goes (default: standard output).")
@options.as_json
def from_asserts(*, file: str, entry_point: str | None, out: Path | None, as_json: bool) -> int:
    """Write the suite that the assertions in FILE mean; list what no suite says, with line and reason. Runs nothing.

    Ends with 0 if every assertion became a case, 3 if some did not (the suite is written all the same), 2 if none did.
    """
    outputs.ready(outputs.given(out=out), [file])
    found = convert(inputs.read_file(file, MAX_BYTES + 1), entry_point)
    if found.suite is not None and out is not None:
        writing.put(out, found.suite)
    if as_json:
        say_json(_document(found, out))
    elif found.suite is not None and out is None:
        say_suite(found.suite)
    if not as_json:
        # Beside a suite on standard output, what is said of it must not stand in it.
        _say(found, aside=found.suite is not None and out is None, out=out)
    if found.suite is None:
        raise InvalidSuite(
            "asserts.nothing",
            message("asserts.nothing", f"of {counted(len(found.left_out), 'assertion')} none became a case"),
        )
    return codes.NO if found.left_out else codes.OK


def say_suite(suite: bytes) -> None:
    """Print the suite's own lines: JSON in ASCII, which holds no control characters."""
    for line in suite.decode("ascii").splitlines():
        say(line)


def _say(found: Asserted, out: Path | None, *, aside: bool) -> None:
    stream = sys.stderr if aside else sys.stdout
    for one in found.left_out:
        print(printable(f"line {one.line}: not converted: {one.text}: {one.reason}"), file=stream)
    for one in found.idle:
        print(printable(f"line {one.line}: checks nothing: {one.text}"), file=stream)
    where = f" in {out}" if found.suite is not None and out is not None else ""
    line = f"{counted(found.cases, 'case')} of `{found.entry_point}`{where}" if found.suite is not None else "no suite"
    print(printable(f"{line}; {counted(len(found.left_out), 'assertion')} not converted"), file=stream)


def _document(found: Asserted, out: Path | None) -> dict[str, object]:
    return {
        "entry_point": found.entry_point,
        "cases": found.cases,
        "not_converted": _remarks(found.left_out),
        "checks_nothing": _remarks(found.idle),
        "out": str(out) if found.suite is not None and out is not None else None,
        "suite": found.suite.decode("ascii") if found.suite is not None and out is None else None,
    }


def _remarks(remarks: Sequence[Remark]) -> list[dict[str, object]]:
    return [asdict(one) for one in remarks]
