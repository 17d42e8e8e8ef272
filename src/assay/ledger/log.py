"""Pipes: the append-only log of receipts (spec/log.md; docs/adr/0034). What its bytes mean is nobody's business here.

INVARIANT: what `append` returned is in the log, on the disk, under a checkpoint; and nothing else is.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from assay.kernel.errors import InputError, LedgerFault
from assay.ledger import files, note, recovery, tree
from assay.ledger.known import Known
from assay.ledger.reading import CHECKPOINT, Damaged, LogFiles, lines
from assay.ledger.tiles import WIDTH, Frontier, Tile, tile_path
from assay.receipts.signing import LogHead, Signer

__all__ = ["Appender", "append", "append_all", "init", "lines"]


def append(folder: Path, line: bytes, signer: Signer | None = None) -> int:
    """Put one entry at the end of the folder's log; its index. One that is there already is not put there again.

    Raises:
        LedgerFault: it could not be kept (full disk, no permission, a line break inside); the log is as before.
    """
    return append_all(folder, [line], signer)[0]


def append_all(folder: Path, entries: Sequence[bytes], signer: Signer | None = None) -> list[int]:
    """Put these entries at the end of the folder's log, all or none; the index of each.

    The log is begun where there is none, also from a file of plain lines. With a signer its checkpoint is signed.

    Raises:
        LedgerFault: they could not be kept; the log is as before.
    """
    return Appender(folder, signer).append(entries)


class Appender:
    """Appends to one log, again and again: what it knows of the log it keeps until somebody else writes there."""

    def __init__(self, folder: Path, signer: Signer | None = None) -> None:
        self._log = LogFiles(folder)
        self._signers = [signer] if signer is not None else []
        self._kept: _Kept | None = None

    def append(self, entries: Sequence[bytes]) -> list[int]:
        """`append_all` of these.

        Raises:
            LedgerFault: they could not be kept; the log is as before.
        """
        if any(b"\n" in line for line in entries):
            raise LedgerFault("fault.ledger", "a line of the ledger holds a line break; one receipt is one line")
        kept, self._kept = self._kept, None  # after a fault nothing is believed
        try:
            if not (self._log.folder / CHECKPOINT).exists():
                recovery.begin(self._log, new_origin(), self._signers)
            with files.locked(self._log.receipts) as file:
                writer = _Writer(self._log, file, self._signers, kept)
                indices = writer.add(entries)
                self._kept = writer.kept
                return indices
        except OSError as fault:
            raise LedgerFault(
                "fault.ledger", f"ledger `{self._log.receipts}`: {files.reason_of(fault)}; nothing was written"
            ) from None


def init(
    folder: Path, origin: str = "", signer: Signer | None = None, progress: files.Progress = files.silent
) -> note.Checkpoint:
    """Begin a log in the folder, of the lines that are there, under that name; its checkpoint.

    Raises:
        InputError: `log.exists`, `log.origin`: there is one, or it cannot be called so.
        LedgerFault: it could not be begun.
    """
    log = LogFiles(folder)
    if origin and not note.is_origin(origin):
        raise InputError("log.origin", f"origin `{origin}`: a log's name has 1 to 200 characters, no space and no plus")
    if log.find_checkpoint() is not None:
        raise InputError("log.exists", f"folder `{folder}` holds a log; `assay log show` shows it")
    signers = [signer] if signer is not None else []
    try:
        recovery.begin(log, origin or new_origin(), signers, progress)
        with files.locked(log.receipts) as file:
            return _Writer(log, file, signers, None).kept.checkpoint
    except OSError as fault:
        raise LedgerFault("fault.ledger", f"ledger `{log.receipts}`: {files.reason_of(fault)}") from None


def make_folder(folder: Path) -> None:
    """Make the folder of a log, where it is missing.

    Raises:
        LedgerFault: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise LedgerFault(
            "fault.ledger", f"folder `{folder}`: {files.reason_of(fault)}; name another for the receipts"
        ) from None


def new_origin() -> str:
    """A name for a log that nobody named: no two logs have the same."""
    return f"assay/{secrets.token_hex(8)}"


@dataclass(frozen=True, slots=True)
class _Kept:
    """A state of a log, and what is known of it: the edge of its tree, and its entries."""

    checkpoint: note.Checkpoint
    frontier: Frontier
    known: Known


class _Writer:
    """One append, under the lock: the log is brought back to its checkpoint, and led on from there."""

    def __init__(self, log: LogFiles, file: int, signers: Sequence[Signer], kept: _Kept | None) -> None:
        self._log, self._file, self._signers = log, file, signers
        checkpoint = log.checkpoint()
        self._head = checkpoint.head
        _may_sign(log, checkpoint, signers)
        if kept is None or kept.checkpoint != checkpoint:
            kept = self._load(checkpoint)
        self.kept = kept
        self._end = recovery.load_end(log, self._head, file)

    def add(self, entries: Sequence[bytes]) -> list[int]:
        """Write those that are not there yet; the index of each. What is kept is then that of the new state."""
        known = self.kept.known
        known.settle()
        leaves = [tree.leaf_hash(line) for line in entries]
        indices = known.find(leaves)
        new: list[bytes] = []
        fresh: list[bytes] = []
        for line, leaf in zip(entries, leaves, strict=True):
            if leaf not in indices:
                indices[leaf] = self._head.size + len(new)
                new.append(line)
                fresh.append(leaf)
        if new:
            self._commit(new, fresh)
            known.extend(fresh)
        return [indices[leaf] for leaf in leaves]

    def _load(self, checkpoint: note.Checkpoint) -> _Kept:
        head = checkpoint.head
        frontier = recovery.load_frontier(self._log, head, self._file)
        try:
            return _Kept(checkpoint, frontier, Known(self._log, head.size))
        except Damaged:
            # A whole tile is gone.
            frontier = recovery.make_tiles(self._log, head, self._file)
            return _Kept(checkpoint, frontier, Known(self._log, head.size))

    def _commit(self, entries: Sequence[bytes], leaves: Sequence[bytes]) -> None:
        frontier = self.kept.frontier
        tiles = frontier.extend(leaves)
        head = LogHead(self._head.origin, frontier.size, frontier.root())
        # Signed before anything is written: a key that fails leaves the log as it was.
        checkpoint = note.checkpoint_of(head, self._signers)
        ends, end = [], self._end
        for line in entries:
            end += len(line) + 1
            ends.append(end)
        files.write_whole(self._file, b"\n".join([*entries, b""]), self._end)
        try:
            self._log.put_ends(self._head.size, ends)
            changed = self._put_tiles(tiles)
            place = self._log.folder / CHECKPOINT
            files.write_parts([(place, checkpoint.note)], changed)
            files.rename_parts([place])
        except BaseException:
            # An interrupt may come just behind the rename: what the checkpoint covers may not be taken back.
            with suppress(Damaged):
                if self._log.find_checkpoint() == self.kept.checkpoint:
                    files.cut(self._file, self._end)
            raise
        try:
            files.sync_folder(self._log.folder)
        except OSError as fault:
            raise LedgerFault(
                "fault.ledger",
                f"ledger `{self._log.receipts}`: {files.reason_of(fault)}; it was written and may not last; write "
                "it again, it will not be there twice",
            ) from None
        self.kept = replace(self.kept, checkpoint=checkpoint)
        self._clear(tiles)

    def _put_tiles(self, tiles: Sequence[Tile]) -> set[Path]:
        """Put the tiles into their places; the folders that are to be synced before a checkpoint needs them."""
        parts = [(self._log.folder / tile_path(tile.level, tile.index, tile.width), tile.data) for tile in tiles]
        folders = {path.parent for path, _ in parts}
        for folder in sorted(folders):
            folders |= files.make_folders(folder, self._log.folder)
        files.write_parts(parts)
        files.rename_parts([path for path, _ in parts])
        return folders

    def _clear(self, tiles: Sequence[Tile]) -> None:
        """Take away the partial tiles of tiles that are whole now."""
        for tile in tiles:
            if tile.width == WIDTH:
                files.remove_folder((self._log.folder / tile_path(tile.level, tile.index, 1)).parent)


def _may_sign(log: LogFiles, checkpoint: note.Checkpoint, signers: Sequence[Signer]) -> None:
    """Refuse to lead on what another key signed, and what this key did not sign though the checkpoint says so.

    Raises:
        Damaged: as above.
    """
    if not checkpoint.signatures:
        return
    # Imported here: most logs are not signed, and this import costs more than an append.
    from assay.ledger.signing import is_signature  # noqa: PLC0415

    for signer in signers:
        is_ours = note.signed_by(checkpoint, signer.public, is_signature)
        if is_ours:
            return
        if is_ours is False:
            raise Damaged(
                "fault.ledger",
                f"log `{log.folder}`: its checkpoint names this key, which did not sign it; see `assay log verify`",
            )
    raise Damaged(
        "fault.ledger",
        f"log `{log.folder}`: its checkpoint is signed by another key, or none was given; give the key that signed it, "
        "or another folder",
    )
