"""Doors: the files that `gate check` writes. A refusal leaves nothing that could be taken for a delivery."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.api import writing
from assay.gate.cases import MARK
from assay.interfaces.cli import inputs, outputs
from assay.interfaces.cli.keeping import Keeper
from assay.kernel.errors import InputError


@dataclass(frozen=True, slots=True)
class Files:
    """What is written beside the verdict and the receipt; None: not wanted."""

    out: Path | None = None
    keep_best: Path | None = None
    junit: Path | None = None


def ready(files: Files, read: Sequence[Path | None], keeper: Keeper | None, *, force: bool) -> None:
    """Refuse whatever could not be written, or would take the place of something that was not made for it.

    After this there is no file at `out`: only a delivery makes one. The folder of receipts is there.

    Raises:
        InputError: a file is something else, is one of the other files, or cannot be written.
        LedgerFault: no receipt can be kept.
    """
    wanted = outputs.given(out=files.out, keep_best=files.keep_best, junit=files.junit)
    outputs.ready(wanted, read, keeper.folder if keeper is not None else None)
    if files.keep_best is not None:
        _only_a_draft(files.keep_best)
    if files.out is not None and files.out.exists() and not force:
        raise InputError(
            "out.exists",
            f"--out: `{files.out}` is there and could be taken for a delivery; name another file, or --force",
        )
    if keeper is not None:
        keeper.ready(read)
    if files.out is not None:
        _remove(files.out)


def _only_a_draft(path: Path) -> None:
    if path.exists() and inputs.read_file(str(path), len(MARK)) != MARK:
        raise InputError(
            "keep_best.exists", f"--keep-best: `{path}` is there and is no draft that was kept by us; name another file"
        )


def _remove(path: Path) -> None:
    """Take away the file, where there is one; a link that led to it stays."""
    try:
        os.unlink(writing.place_of(path))  # noqa: PTH108 -- one that is not there is no fault
    except FileNotFoundError:
        return
    except OSError as fault:
        raise inputs.unreadable(str(path), fault) from None
