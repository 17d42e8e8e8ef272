"""Desk: the one place that chooses concrete parts.

Which folder a pack's name means, which verifier this is, where receipts go.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import assay
from assay import kernel
from assay.api.data import data_dir
from assay.floor.store import Snapshot
from assay.kernel.errors import Fault, InputError, InvalidPack, LedgerFault
from assay.ledger import log
from assay.ledger import private as private_files
from assay.models.local import LocalModel, Settings, Weights
from assay.packs import loader
from assay.packs.descriptor import DESCRIPTOR
from assay.packs.loader import Progress, silent
from assay.receipts.envelope import seal
from assay.receipts.predicates import Verifier
from assay.receipts.signing import Signer
from assay.receipts.statement import digest_of

SPECIFICATION: Final = "assay.verification/1"
RECEIPTS: Final = "receipts.jsonl"
PRIVATE: Final = "private"
_PARTS: Final = (
    (RECEIPTS, stat.S_ISREG, "plain file"),
    ("checkpoint", stat.S_ISREG, "plain file"),
    (PRIVATE, stat.S_ISDIR, "folder"),
    ("tile", stat.S_ISDIR, "folder"),
    ("index", stat.S_ISDIR, "folder"),
)


def shipped_packs() -> tuple[str, ...]:
    """The names of the packs that came with this installation, sorted."""
    folder = _packs()
    found = folder.iterdir() if folder.is_dir() else ()
    return tuple(sorted(path.name for path in found if (path / "datapackage.json").is_file()))


def pack_path(pack: str | Path) -> Path:
    """The folder that a pack's name or path means. A shipped name is never looked for in the working directory.

    Raises:
        InputError: no such folder, and no shipped pack of that name.
    """
    if isinstance(pack, str) and "/" not in pack and pack in shipped_packs():
        return _packs() / pack
    path = Path(pack)
    # os.path: a name that no file can have is no folder, and no exception.
    if not os.path.isdir(path):  # noqa: PTH112
        names = ", ".join(shipped_packs()) or "none"
        raise InputError("pack.not_found", f"pack `{pack}`: no such folder, and no shipped pack; shipped are: {names}")
    # lexists: a descriptor that is a link is there, and refused for what it is.
    if not os.path.lexists(path / DESCRIPTOR):
        raise InvalidPack(
            "pack.missing", f"folder `{pack}` is no pack: it holds no `{DESCRIPTOR}`; name a pack's folder"
        )
    return path


def open_pack(pack: str | Path, progress: Progress = silent) -> Snapshot:
    """The pack of that shipped name, or in that folder, as an immutable snapshot.

    Raises:
        InvalidPack: spec/pack.md refuses it.
        InputError: there is none.
    """
    return loader.open_pack(pack_path(pack), progress)


@cache
def verifier() -> Verifier:
    """This installation's verifier: versions, and the digest of the kernel's source as it lies on the disk."""
    names = sorted(Path(kernel.__path__[0]).glob("*.py"))
    digests: dict[str, object] = {path.name: sha256(path.read_bytes()).hexdigest() for path in names}
    return Verifier(assay.__version__, SPECIFICATION, digest_of(digests))


def local_model(file: Path | None = None) -> LocalModel:
    """A small model that runs in this process: of this file, or the pinned default. A context manager, which frees it.

    The work on the common beginning of prompts is kept: a walk asks the same preamble many times.

    Raises:
        ModelUnavailable: its extra or its file is not there; the message says what to install.
    """
    return LocalModel(Weights(file) if file is not None else None, Settings(reuse_prompt=True))


def keep(folder: str | Path, receipt: bytes, signer: Signer | None = None, private: Iterable[bytes] = ()) -> Path:
    """Append the receipt to the log in the folder, making the folder where it is missing; the path of `receipts.jsonl`.

    With a signer it stands in an envelope of its own, and the log's checkpoint is signed; else bare: unsigned. Private
    files that it binds go into the folder's `private/` before, readable by their owner only.

    Raises:
        LedgerFault: it could not be kept.
    """
    path = receipts_file(folder)
    for data in private:
        private_files.keep(path.parent / PRIVATE, data)
    log.append(path.parent, seal(receipt, signer) if signer is not None else receipt, signer)
    return path


def receipts_file(folder: str | Path) -> Path:
    """The `receipts.jsonl` of the folder, which is made where it is missing: what a long run asks before it begins.

    Raises:
        LedgerFault: the folder cannot be made or written to, or something else stands in the place of the log's files.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        if not os.access(place, os.W_OK | os.X_OK):
            raise _unusable(place, "cannot be written to")
        _check_parts(place)
    except (OSError, ValueError) as fault:
        reason = (fault.strerror if isinstance(fault, OSError) else "") or "cannot be used"
        raise _unusable(place, reason.lower()) from None
    return place / RECEIPTS


def _check_parts(place: Path) -> None:
    """Refuse a folder in which something else stands at the names of the log; a link is something else."""
    for name, is_right, needed in _PARTS:
        try:
            mode = (place / name).lstat().st_mode
        except FileNotFoundError:
            continue
        if not is_right(mode):
            raise _unusable(place, f"`{name}` in it is no {needed}")
        if not os.access(place / name, os.W_OK):
            raise _unusable(place, f"`{name}` in it cannot be written to")


def _unusable(place: Path, reason: str) -> LedgerFault:
    return LedgerFault("fault.ledger", f"folder `{place}`: {reason}; name another for the receipts")


def _packs() -> Path:
    try:
        return data_dir() / "packs"
    except FileNotFoundError as fault:
        raise Fault("fault.installation", str(fault)) from None
