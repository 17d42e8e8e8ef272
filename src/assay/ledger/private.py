"""Pipes: a folder of private files, each named by the SHA-256 of its bytes (spec/receipt.md §3; docs/adr/0029).

INVARIANT: under its name a file is whole. Folder 0700, files 0600, whatever the umask.
"""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from assay.kernel.errors import InputError, LedgerFault

SUFFIX: Final = ".json"
_NAME: Final = re.compile(r"[0-9a-f]{64}").fullmatch


def keep(folder: Path, data: bytes) -> str:
    """Put the bytes into the folder, which is made where it is missing, synced to the disk; their digest.

    Raises:
        LedgerFault: they could not be kept (full disk, no permission); nothing is left behind under their name.
    """
    name = sha256(data).hexdigest()
    part = folder / f".{name}.{secrets.token_hex(4)}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            os.fchmod(place, 0o700)
            _write(part, data)
            part.replace(folder / f"{name}{SUFFIX}")
            os.fsync(place)
        finally:
            os.close(place)
    except OSError as fault:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        reason = (fault.strerror or "cannot be used").lower()
        raise LedgerFault(
            "fault.ledger", f"folder `{folder}`: {reason}; observations could not be kept, name another folder"
        ) from None
    return name


def read(folder: Path, digest: str) -> bytes:
    """The bytes of that digest.

    Raises:
        InputError: `private.missing`, `private.digest`: there is no such file, or it holds other bytes.
    """
    if _NAME(digest) is None:
        raise InputError("private.digest", "what was asked for is no SHA-256; give 64 hexadecimal digits")
    try:
        data = (folder / f"{digest}{SUFFIX}").read_bytes()
    except OSError as fault:
        reason = (fault.strerror or "cannot be read").lower()
        raise InputError(
            "private.missing", f"observations `{digest}` in `{folder}`: {reason}; ask the holder of the private store"
        ) from None
    if sha256(data).hexdigest() != digest:
        raise InputError("private.digest", f"observations `{digest}` in `{folder}` were changed; the digest is another")
    return data


def _write(path: Path, data: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
        os.fchmod(file, 0o600)
        os.fsync(file)
    finally:
        os.close(file)
