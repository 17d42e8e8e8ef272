"""Desk: the book of accepted claims of a folder of receipts (spec/receipt.md §11; docs/adr/0036)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from assay.api import logs, signing
from assay.api.wiring import open_pack
from assay.audit.book import Book, Claim, Count, Current, book_of, everybody
from assay.floor.store import Snapshot
from assay.kernel.errors import InputError
from assay.ledger.files import Progress, silent
from assay.ledger.reading import RECEIPTS, lines
from assay.receipts.signing import TrustedKey
from assay.wire.receipts import ReadReceipt

__all__ = ["Book", "Claim", "Current", "open_book"]


def open_book(
    folder: str | Path,
    pack: Snapshot | str | Path | None = None,
    trust_file: Path | None = None,
    progress: Progress = silent,
) -> Book:
    """What stands accepted in the log of the folder: `Book.standing()`.

    With a pack each claim that stands is decided again on it: `claim.current`; without one that is `unknown`. Where
    there is a trust file, the one that is named or else the user's, only receipts whose signatures count are in the
    book; without one, all. No refusal is in it.

    Raises:
        InputError: there is no log, it does not verify (`claims.log`), or the trust file or the pack cannot be used.
        LedgerFault: a file cannot be read.
    """
    place = Path(folder)
    snapshot = open_pack(pack) if isinstance(pack, (str, Path)) else pack
    keys = signing.trusted(trust_file)
    found = logs.verify(place, (), trust_file, progress)
    if not found.verifies:
        raise InputError(
            "claims.log", f"log `{place}` does not verify, so nothing in it stands; `assay log verify {place}` says why"
        )
    has_trust = trust_file is not None or signing.trust_file().is_file()
    count = _counting(place, keys) if has_trust else everybody
    return book_of(_entries(place, found.head.size), count, snapshot)


def _entries(folder: Path, size: int) -> Iterator[bytes]:
    """The lines that the checkpoint covers."""
    return islice(lines(folder / RECEIPTS), size)


def _counting(folder: Path, keys: tuple[TrustedKey, ...]) -> Count:
    names = {key.keyid: key.name for key in keys}

    def count(line: bytes, read: ReadReceipt) -> tuple[str, ...] | None:
        if read.envelope is None:
            return None
        found = signing.whose(read.envelope, keys, logs.is_logged(folder, line))
        return tuple(names[one] for one in found.counted) if found.is_authentic else None

    return count
