"""Doors: `assay receipt page`: a log as one HTML file that verifies itself in a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from assay.api import writing
from assay.api.pages import MOST, log_page
from assay.interfaces.cli import codes, options, outputs
from assay.interfaces.cli.keys import trust_option
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress

_FILE: Final = click.Path(path_type=Path)


@click.command(epilog=options.example("assay receipt page receipts --out page.html --trust trust.json"))
@click.argument("folder", type=_FILE, metavar="LEDGER")
@click.option("--out", required=True, type=outputs.FILE, metavar="FILE", help="Write the page there.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=MOST,
    show_default=True,
    help="The last receipts only; the page holds earlier ones by their hashes.",
)
@trust_option
@options.as_json
def page(*, folder: Path, out: Path, limit: int, trust_file: Path | None, as_json: bool) -> int:
    """Write one HTML file that shows a log and verifies it in the browser, offline.

    LEDGER is the folder of receipts. The page hashes every receipt again, gives the root of the tree, and checks the
    signatures by the keys of your trust file, which are put into it. It decides nothing again.
    """
    outputs.ready(outputs.given(out=out), [trust_file], folder)
    with Progress(sys.stderr).waiting("reading the log"):
        html = log_page(folder, trust_file, limit)
    writing.put(out, html.encode())
    if as_json:
        say_json({"page": str(out), "bytes": len(html.encode())})
    else:
        say(f"page: {out}")
    return codes.OK
