"""Desk: a log as one HTML file that verifies itself in a browser (docs/adr/0036)."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

from assay.api import signing
from assay.audit.page import Shown, page
from assay.ledger.reading import LogFiles, lines
from assay.ledger.tiles import TileNodes

__all__ = ["MOST", "log_page"]

MOST: Final = 1000  # receipts on a page, where nobody says otherwise


def log_page(folder: Path, trust_file: Path | None = None, limit: int = MOST) -> str:
    """The page of the last `limit` receipts of the log, with the keys of the trust file; earlier ones by their hashes.

    What does not verify is put on the page all the same, and the page says so.

    Raises:
        InputError: there is no log, or the trust file cannot be used.
        LedgerFault: a file cannot be read, or a tile is missing.
    """
    files = LogFiles(folder)
    checkpoint = files.checkpoint()
    size = checkpoint.head.size
    first = max(0, size - limit)
    nodes = TileNodes(size, files.read_tile)
    edge, start = [], 0
    for height in range(first.bit_length() - 1, -1, -1):
        if first >> height & 1:
            edge.append(nodes.node(height, start >> height))
            start += 1 << height
    shown = tuple(islice(lines(files.receipts), first, size))
    leaves = tuple(nodes.node(0, index) for index in range(first, size))
    return page(Shown(checkpoint.note, first, edge, shown, leaves[: len(shown)], signing.trusted(trust_file)))
