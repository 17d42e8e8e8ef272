"""Pipes: the files of keys and of trust, in folders of their user (spec/receipt.md §8, §9; docs/adr/0033)."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from assay.kernel.errors import InputError
from assay.ledger.signing import Ed25519Signer, private_pem, public_of, public_pem, signer_of
from assay.receipts.signing import TrustedKey
from assay.wire.trust import MAX_TRUST_BYTES, parse_trust, trust_bytes

PRIVATE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700
_MAX_PEM_BYTES: Final = 16_384


def read_private(path: Path) -> Ed25519Signer:
    """The signer of the private key in that file.

    Raises:
        InputError: `key.file`, `key.permissions` (others than its owner may read or write it), `key.format`.
    """
    data, mode = _read(path, "key.file", "the private key", _MAX_PEM_BYTES)
    if mode & 0o077:
        raise InputError(
            "key.permissions",
            f"private key `{path}`: others may read or write it (mode {mode & 0o777:04o}), so it may be anybody's; "
            f"`chmod 600 {path}`, or make a new one",
        )
    return signer_of(data)


def read_public(path: Path) -> bytes:
    """The 32 bytes of the public key in that file.

    Raises:
        InputError: `key.file`, `key.format`.
    """
    return public_of(_read(path, "key.file", "the public key", _MAX_PEM_BYTES)[0])


def write_pair(path: Path, signer: Ed25519Signer, *, force: bool) -> Path:
    """Write the private key to that file and the public one to `NAME.pub.pem` beside it, whose path comes back.

    Raises:
        InputError: `key.exists`, `key.work_tree` (unless forced), `key.file`.
    """
    public = path.with_name(f"{path.name.removesuffix('.pem')}.pub.pem")
    tree = work_tree(path)
    if tree is not None and not force:
        raise InputError(
            "key.work_tree",
            f"private key `{path}` would lie in the git work tree `{tree}`: an agent that works there could sign with "
            "it, and a commit could take it along; name a file elsewhere with --out, or use --force",
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        for file in (path, public):
            if os.path.lexists(file):
                raise InputError("key.exists", f"file `{file}` is there; nothing was written, name another key")
        _create(path, private_pem(signer), PRIVATE_MODE)
        _create(public, public_pem(signer.public), 0o644)
    except OSError as fault:
        raise _unusable("key.file", f"private key `{path}`", fault) from None
    return public


def read_trust(path: Path, *, missing_ok: bool = False) -> tuple[TrustedKey, ...]:
    """The keys of that trust file; with `missing_ok` none where there is no such file.

    Raises:
        InputError: `trust.file`, or it is none (`wire/trust.py`).
    """
    if missing_ok and not os.path.lexists(path):
        return ()
    return parse_trust(_read(path, "trust.file", "the trust file", MAX_TRUST_BYTES + 1)[0])


def change_trust(path: Path, change: Callable[[tuple[TrustedKey, ...]], tuple[TrustedKey, ...]]) -> None:
    """Replace the trust file by what `change` makes of its keys, whole or not at all, one writer at a time.

    Raises:
        InputError: `trust.file`, or what `change` raises; the file is then as before.
    """
    path = Path(os.path.realpath(path))  # a link stays one, and what it leads to is changed
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        with _locked(path.parent) as folder:
            data = trust_bytes(change(read_trust(path, missing_ok=True)))
            try:
                _create(part, data, PRIVATE_MODE)
                part.replace(path)
                os.fsync(folder)
            finally:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
    except OSError as fault:
        raise _unusable("trust.file", f"trust file `{path}`", fault) from None


def work_tree(path: Path) -> Path | None:
    """The git work tree that the file lies in, or would; None: none. Links are followed."""
    place = path.resolve()
    return next((folder for folder in place.parents if os.path.lexists(folder / ".git")), None)


def warnings_of(path: Path, here: Path, name: str) -> tuple[str, ...]:
    """What is wrong with where the file lies: in the checkout of the folder `here`, or writable by others."""
    found = []
    tree = work_tree(here / "file")
    # A link in the checkout to a file elsewhere can be set anew there, so its own place counts as well.
    if tree is not None and any(place.is_relative_to(tree) for place in (path.absolute(), path.resolve())):
        found.append(f"{name} `{path}` lies in the checkout: whoever edits it, an agent too, can change or use it")
    with suppress(OSError):
        if path.stat().st_mode & 0o022:
            found.append(f"{name} `{path}` can be written by others; `chmod go-w {path}`")
    return tuple(found)


def _read(path: Path, code: str, name: str, most: int) -> tuple[bytes, int]:
    """The bytes of the file, at most so many, and its mode; the mode is that of the file that was read."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            return file.read(most), stat.S_IMODE(mode)
    except (OSError, ValueError) as fault:
        raise _unusable(code, f"{name} `{path}`", fault) from None


def _create(path: Path, data: bytes, mode: int) -> None:
    # O_EXCL: neither a file nor a link that somebody put here is written through.
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with open(file, "wb") as stream:  # noqa: PTH123 -- a descriptor
        os.fchmod(file, mode)
        stream.write(data)
        stream.flush()
        os.fsync(file)


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield place
    finally:
        os.close(place)  # gives the lock up


def _unusable(code: str, what: str, fault: OSError | ValueError) -> InputError:
    reason = (fault.strerror or "cannot be used").lower() if isinstance(fault, OSError) else "is no file name"
    return InputError(code, f"{what}: {reason}; give another file")
