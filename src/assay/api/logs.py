"""Desk: the log of a folder of receipts: begin it, look into it, prove, and compute it again (spec/log.md)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from assay.api import signing
from assay.ledger import checking, log, note
from assay.ledger.checking import Findings, Trust
from assay.ledger.files import Progress, silent
from assay.ledger.note import Checkpoint
from assay.ledger.reading import LogFiles
from assay.ledger.signing import is_signature
from assay.receipts.envelope import IsLogged
from assay.receipts.signing import LogHead, Signer

INCLUSION = "assay.log.inclusion/1"
CONSISTENCY = "assay.log.consistency/1"


def begin(folder: Path, origin: str = "", signer: Signer | None = None, progress: Progress = silent) -> Checkpoint:
    """Begin a log in the folder, which is made where it is missing, of the receipts that are there.

    Raises:
        InputError: `log.exists`, `log.origin`.
        LedgerFault: it could not be begun.
    """
    log.make_folder(folder)
    return log.init(folder, origin, signer, progress)


def checkpoint(folder: Path) -> Checkpoint:
    """The state of the log. Held elsewhere, it later shows whether the log was cut or forked.

    Raises:
        InputError: `log.missing`.
    """
    return LogFiles(folder).checkpoint()


def entry(folder: Path, index: int) -> bytes:
    """The bytes of an entry.

    Raises:
        InputError: `log.missing`, `log.index`.
    """
    files = LogFiles(folder)
    return files.entry(index, files.checkpoint().head.size)


def verify(
    folder: Path, held: Sequence[LogHead] = (), trust_file: Path | None = None, progress: Progress = silent
) -> Findings:
    """Compute the log again and compare it with checkpoints that the caller holds; facts, not one word.

    Whose signature the checkpoint has is told by the trust file, else the user's. Revoked keys do not count.

    Raises:
        InputError: there is no log, or the trust file cannot be used.
        LedgerFault: a file cannot be read, or the checker let a forged log pass.
    """
    keys = tuple((key.name, key.public) for key in signing.trusted(trust_file) if key.revoked is None)
    return checking.verify(folder, held, Trust(keys, is_signature), progress)


def is_logged(folder: Path, line: bytes) -> IsLogged:
    """Whether the receipt of this line was in the folder's log in a state: what revocation asks."""
    files = LogFiles(folder)
    return lambda head: files.had(line, head)


def inclusion(folder: Path, index: int) -> dict[str, object]:
    """The proof that an entry is in the log, as a document (spec/log.md §7).

    Raises:
        InputError: `log.missing`, `log.index`.
    """
    found = LogFiles(folder).prove(index)
    return {
        "proof": INCLUSION,
        **_head(found.checkpoint.head),
        "index": found.index,
        "leaf_sha256": found.leaf.hex(),
        "hashes": [one.hex() for one in found.hashes],
        "checkpoint": found.checkpoint.note.decode(),
    }


def consistency(folder: Path, old: LogHead) -> dict[str, object]:
    """The proof that the log goes on from a state of it, as a document (spec/log.md §7).

    Raises:
        InputError: `log.missing`, `log.fork`.
    """
    found = LogFiles(folder).prove_since(old)
    return {
        "proof": CONSISTENCY,
        **_head(found.checkpoint.head),
        "old": {"size": old.size, "root_sha256": old.root.hex()},
        "hashes": [one.hex() for one in found.hashes],
        "checkpoint": found.checkpoint.note.decode(),
    }


def state_document(found: Checkpoint, trust_file: Path | None = None) -> dict[str, object]:
    """A state of the log, and the verifier keys under which it is signed by keys that are trusted."""
    counting = [key for key in signing.trusted(trust_file) if key.revoked is None]
    names = [key for key in counting if note.signed_by(found, key.public, is_signature)]
    return {
        **_head(found.head),
        "root": b64encode(found.head.root).decode(),
        "signatures": len(found.signatures),
        "verifier_keys": [note.verifier_key(found.head.origin, key.public) for key in names],
    }


def findings_document(found: Findings) -> dict[str, object]:
    """The facts as a document (spec/log.md §6)."""
    return {
        "verifies": found.verifies,
        **_head(found.head),
        "entries_found": found.walked.size,
        "computed_root_sha256": found.walked.root.hex(),
        "hashes": {
            "hold": found.tree_holds and not found.changed,
            "changed": list(found.changed),
            "other_order": found.walked.is_other_order and not found.tree_holds,
        },
        "tree_holds": found.tree_holds,
        "damaged_tiles": list(found.damaged_tiles),
        "repeated": list(found.walked.repeated),
        "signature": found.signature,
        "signed_by": list(found.signed_by),
        "completeness": found.completeness,
        "held": [{**_head(one.head), "finding": one.finding} for one in found.held],
        "unacknowledged_bytes": found.unacknowledged_bytes,
        "negative_controls_refused": found.controls,
    }


def _head(head: LogHead) -> dict[str, object]:
    return {"origin": head.origin, "size": head.size, "root_sha256": head.root.hex()}
