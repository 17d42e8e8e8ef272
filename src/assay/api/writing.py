"""Desk: a file that is written whole, and only where a plain file or nothing is (docs/adr/0039)."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from assay.kernel.errors import Fault, InputError

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def kind_of(mode: int) -> str:
    """What stands at a name, in words; empty for a plain file."""
    return "" if stat.S_ISREG(mode) else next((word for is_one, word in _KINDS if is_one(mode)), "no file")


def place_of(path: Path) -> Path:
    """Where a file of that name is written: its own name, or where the links lead.

    Raises:
        InputError: `output.file`: something else than a plain file is there, or none can be made.
    """
    try:
        found = _at(path)
        place = Path(os.path.realpath(path))
        if found is not None and kind_of(found.st_mode):
            raise _refusal(path, f"is {kind_of(found.st_mode)} and no plain file")
        # A descriptor's name may lead to a file that was removed: what is at the resolved name is then another.
        if found is not None and not os.path.samestat(found, place.stat()):
            raise _refusal(path, "is no name of its own")
        if not place.parent.is_dir():
            raise _refusal(path, f"`{path.parent}` is no folder")
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise _refusal(path, f"the folder `{place.parent}` cannot be written to")
    except (OSError, ValueError) as fault:
        reason = (fault.strerror or "cannot be used").lower() if isinstance(fault, OSError) else "is no file name"
        raise _refusal(path, reason) from None
    return place


def put(path: Path, data: bytes) -> None:
    """Write the file whole, or not at all; a link stays, and so do the permissions of the file that was there.

    Raises:
        Fault: it could not be written.
    """
    try:
        _put(place_of(path), data)
    except InputError as refused:
        raise Fault("fault.output", str(refused)) from None
    except OSError as fault:
        reason = (fault.strerror or "cannot be written").lower()
        raise Fault("fault.output", f"file `{path}`: {reason}; nothing was written, name another file") from None


def _put(place: Path, data: bytes) -> None:
    # Not made of the file's name: that may be as long as a name can be.
    part = place.with_name(f".assay.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            with suppress(FileNotFoundError):
                os.fchmod(file.fileno(), stat.S_IMODE(place.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _at(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _refusal(path: Path, what: str) -> InputError:
    return InputError("output.file", f"file `{path}`: {what}; name another file")
