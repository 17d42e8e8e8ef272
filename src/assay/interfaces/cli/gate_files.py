"""Doors: the files that `gate check` writes. A refusal leaves nothing that could be taken for a delivery."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from assay.gate.cases import MARK
from assay.interfaces.cli import inputs
from assay.kernel.errors import Fault, InputError


def ready_to_deliver(path: Path, others: Iterable[Path], *, force: bool) -> None:
    """Refuse a file that is there, or remove it where that was asked for: after this, only a delivery makes it.

    Raises:
        InputError: it is there, it is one of the files that are read or written besides, or it cannot be written.
    """
    _apart("--out", path, others)
    if not os.path.lexists(path):
        _writable("--out", path)
        return
    if not force:
        raise InputError(
            "out.exists", f"--out: `{path}` is there and could be taken for a delivery; name another file, or --force"
        )
    if path.is_dir() or not (path.is_symlink() or path.is_file()):
        raise InputError("out.exists", f"--out: `{path}` is no plain file; name another")
    try:
        path.unlink()
    except OSError as fault:
        raise inputs.unreadable(str(path), fault) from None


def ready_to_keep(path: Path, others: Iterable[Path]) -> None:
    """Refuse a file that is there, unless it is a draft that was kept by us.

    Raises:
        InputError: it is something else, is one of the other files, or cannot be written.
    """
    _apart("--keep-best", path, others)
    if not os.path.lexists(path):
        _writable("--keep-best", path)
        return
    found = b""
    with suppress(OSError), path.open("rb") as file:
        found = file.read(len(MARK))
    if path.is_symlink() or found != MARK:
        raise InputError(
            "keep_best.exists", f"--keep-best: `{path}` is there and is no draft that was kept by us; name another file"
        )


def ready_to_report(path: Path, others: Iterable[Path]) -> None:
    """Refuse a report in place of another file; an old report is overwritten.

    Raises:
        InputError: it is one of the other files, or its folder is not there.
    """
    _apart("--junit", path, others)
    _writable("--junit", path)


def put(path: Path, data: bytes) -> None:
    """Write the file whole, or not at all.

    Raises:
        Fault: it could not be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as fault:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        reason = (fault.strerror or "cannot be written").lower()
        raise Fault("fault.output", f"file `{path}`: {reason}; nothing was written, name another file") from None


def _apart(option: str, path: Path, others: Iterable[Path]) -> None:
    if any(_is_same(path, other) for other in others):
        raise InputError("usage", f"{option}: `{path}` is another file of this command too; name one of its own")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return os.path.abspath(one) == os.path.abspath(other)  # noqa: PTH100 -- a path that is not there yet


def _writable(option: str, path: Path) -> None:
    # os.path: a name that no file can have is no folder, and no exception.
    if not os.path.isdir(path.parent):  # noqa: PTH112
        raise InputError("usage", f"{option}: `{path.parent}` is no folder; name a file in one that is there")
