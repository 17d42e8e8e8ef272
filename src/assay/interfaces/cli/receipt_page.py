"""Doors: `assay receipt page`: a log as one HTML file that verifies itself in a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import click

from assay.api.pages import MOST, log_page
from assay.interfaces.cli import codes, options
from assay.interfaces.cli.keys import trust_option
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress
from assay.kernel.errors import InputError

_FILE: Final = click.Path(path_type=Path)


@click.command(epilog=options.example("assay receipt page receipts --out page.html --trust trust.json"))
@click.argument("folder", type=_FILE, metavar="LEDGER")
@click.option("--out", required=True, type=_FILE, metavar="FILE", help="Write the page there, over what is there.")
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
    with Progress(sys.stderr).waiting("reading the log"):
        html = log_page(folder, trust_file, limit)
    try:
        out.write_text(html, encoding="utf-8")
    except OSError as fault:
        raise InputError(
            "page.out", f"page `{out}`: {os.strerror(fault.errno or 0).lower()}; name another file"
        ) from None
    if as_json:
        say_json({"page": str(out), "bytes": len(html.encode())})
    else:
        say(f"page: {out}")
    return codes.OK
