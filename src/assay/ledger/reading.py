"""Pipes: a log's files as they are read: checkpoint, tiles, entries and proofs. No lock is needed to read.

What a checkpoint covers never changes, so a reader that begins with the checkpoint sees one state, whoever writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import Final

from assay.kernel.errors import InputError, LedgerFault
from assay.ledger import files, note, tree
from assay.ledger.seen import Seen
from assay.ledger.tiles import WIDTH, TileNodes, tile_path
from assay.receipts.signing import LogHead

RECEIPTS: Final = "receipts.jsonl"
CHECKPOINT: Final = "checkpoint"
ENDS: Final = Path("index", "ends")
SEEN: Final = Path("index", "seen")
_END: Final = Struct("<Q")
MAX_NOTE: Final = note.MAX_BYTES + 1


class Damaged(LedgerFault):
    """A file of the log is missing, or not what the rest of the log says."""


@dataclass(frozen=True, slots=True)
class Inclusion:
    """A proof that an entry is in a log: which one, in what state of the log, and the hashes from it to the root."""

    index: int
    leaf: bytes
    hashes: tuple[bytes, ...]
    checkpoint: note.Checkpoint
    tiles_read: int


@dataclass(frozen=True, slots=True)
class Consistency:
    """A proof that a log goes on from an older state of it."""

    old: LogHead
    hashes: tuple[bytes, ...]
    checkpoint: note.Checkpoint


class LogFiles:
    """The files of the log in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def receipts(self) -> Path:
        """The data: one entry a line."""
        return self.folder / RECEIPTS

    def find_checkpoint(self) -> note.Checkpoint | None:
        """The checkpoint; None where there is none.

        Raises:
            Damaged: it cannot be read, or is none.
        """
        path = self.folder / CHECKPOINT
        try:
            with files.opened(path, os.O_RDONLY) as file:
                return note.parse_checkpoint(os.read(file, MAX_NOTE))
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise Damaged("fault.ledger", f"checkpoint `{path}`: {files.reason_of(fault)}") from None
        except InputError as fault:
            raise Damaged("fault.ledger", f"checkpoint `{path}`: {fault}") from None

    def checkpoint(self) -> note.Checkpoint:
        """The checkpoint.

        Raises:
            InputError: `log.missing`: there is none.
        """
        found = self.find_checkpoint()
        if found is None:
            raise InputError(
                "log.missing",
                f"folder `{self.folder}` holds no log: it has no `{CHECKPOINT}`; name a folder of receipts, "
                "or begin a log there with `assay log init`",
            )
        return found

    def read_tile(self, level: int, index: int, width: int) -> bytes:
        """The first hashes of a tile; of a partial one that was cleared away since, from the whole tile.

        Raises:
            Damaged: it is not there, or too short.
        """
        names = [tile_path(level, index, width), tile_path(level, index)]
        for name in dict.fromkeys(names):
            with suppress(OSError), files.opened(self.folder / name, os.O_RDONLY) as file:
                data = os.read(file, (width + 1) * tree.HASH_BYTES)[: width * tree.HASH_BYTES]
                if len(data) == width * tree.HASH_BYTES:
                    return data
        raise Damaged(
            "fault.ledger",
            f"log `{self.folder}`: `{names[0]}` is missing or too short; move `tile` away, "
            "and the next receipt makes the tiles anew from the entries",
        )

    def leaf(self, index: int, size: int) -> bytes:
        """The leaf hash of an entry, from its tile."""
        return TileNodes(size, self.read_tile).node(0, index)

    def end_of(self, index: int) -> int:
        """Where the index says that the line ends, its line feed included; 0 before the first, -1 if unknown."""
        if index < 0:
            return 0
        try:
            with files.opened(self.folder / ENDS, os.O_RDONLY) as file:
                data = os.pread(file, _END.size, index * _END.size)
        except OSError:
            return -1
        return int(_END.unpack(data)[0]) if len(data) == _END.size else -1

    def put_ends(self, first: int, ends: list[int]) -> None:
        """Write where these entries end. Not synced: what is read from there is always compared with the leaf hash."""
        files.make_folders((self.folder / ENDS).parent, self.folder)
        with files.opened(self.folder / ENDS, os.O_RDWR | os.O_CREAT) as file:
            os.ftruncate(file, first * _END.size)
            os.pwrite(file, b"".join(map(_END.pack, ends)), first * _END.size)

    def entry(self, index: int, size: int) -> bytes:
        """The bytes of an entry of the log, which has that size, without the line feed.

        Raises:
            InputError: `log.index`: there is no such entry.
            Damaged: the line is not what the tree says.
        """
        if not 0 <= index < size:
            raise InputError(
                "log.index", f"log `{self.folder}` has no entry {index}: it has {size}, and the first is 0"
            )
        leaf = self.leaf(index, size)
        try:
            with files.opened(self.receipts, os.O_RDONLY) as file:
                line = self.line_at(file, index)
                if line is None or tree.leaf_hash(line) != leaf:
                    line = next((each for i, each in enumerate(files.whole_lines(file)) if i == index), None)
        except OSError as fault:
            raise Damaged("fault.ledger", f"ledger `{self.receipts}`: {files.reason_of(fault)}") from None
        if line is None or tree.leaf_hash(line) != leaf:
            raise Damaged(
                "fault.ledger",
                f"log `{self.folder}`: entry {index} does not have the hash in the tree; `assay log verify` says more",
            )
        return line

    def line_at(self, file: int, index: int) -> bytes | None:
        """The line where the index says that it is; to be compared. None: there is no line."""
        start, end = self.end_of(index - 1), self.end_of(index)
        if not 0 <= start < end <= os.fstat(file).st_size:
            return None
        line = files.read_range(file, start, end)
        return line[:-1] if line.endswith(b"\n") else None

    def prove(self, index: int) -> Inclusion:
        """That the entry of that index is in the log as it is now; checked before it is given away.

        Raises:
            InputError: `log.index`, `log.missing`: there is no such entry, or no log.
            Damaged: the tiles do not give the root of the checkpoint.
        """
        checkpoint = self.checkpoint()
        size = checkpoint.head.size
        if not 0 <= index < size:
            raise InputError(
                "log.index", f"log `{self.folder}` has no entry {index}: it has {size}, and the first is 0"
            )
        nodes = TileNodes(size, self.read_tile)
        leaf = nodes.node(0, index)
        hashes = tuple(tree.inclusion_proof(nodes.node, index, size))
        if not tree.is_included(leaf, index, size, hashes, checkpoint.head.root):
            raise self._no_root()
        return Inclusion(index, leaf, hashes, checkpoint, nodes.tiles_read)

    def prove_since(self, old: LogHead) -> Consistency:
        """That the log as it is now goes on from that state of it; checked before it is given away.

        Raises:
            InputError: `log.fork`: it does not: another origin, fewer entries, or another tree.
        """
        checkpoint = self.checkpoint()
        now = checkpoint.head
        if old.origin != now.origin or not old.size <= now.size:
            raise InputError(
                "log.fork",
                f"log `{self.folder}` is `{now.origin}` with {now.size} entries, the checkpoint of `{old.origin}` "
                f"with {old.size}: it is another log, or it was cut",
            )
        hashes: tuple[bytes, ...] = ()
        if old.size:
            nodes = TileNodes(now.size, self.read_tile)
            hashes = tuple(tree.consistency_proof(nodes.node, old.size, now.size))
        if not tree.is_consistent(old.size, now.size, hashes, old.root, now.root):
            raise InputError(
                "log.fork",
                f"log `{self.folder}` does not go on from the checkpoint: its first {old.size} entries have another "
                "root; `assay log verify --checkpoint` says more",
            )
        return Consistency(old, hashes, checkpoint)

    def find(self, line: bytes) -> int | None:
        """The index of the entry of these bytes; None where there is none."""
        size = self.checkpoint().head.size
        leaf = tree.leaf_hash(line)
        seen = Seen(self.folder / SEEN)
        covered = seen.covered if seen.covered <= size else 0
        for index in seen.find([leaf])[0] if covered else ():
            if index < size and self.leaf(index, size) == leaf:
                return index
        for first in range(covered, size, WIDTH):
            data = self.read_tile(0, first // WIDTH, min(WIDTH, size - first))
            for place in range(0, len(data), tree.HASH_BYTES):
                if data[place : place + tree.HASH_BYTES] == leaf:
                    return first + place // tree.HASH_BYTES
        return None

    def had(self, line: bytes, head: LogHead) -> bool:
        """Whether the entry of these bytes was in this log when it was in that state (`envelope.IsLogged`)."""
        now = self.checkpoint().head
        index = self.find(line)
        if index is None or now.origin != head.origin or not index < head.size <= now.size:
            return False
        nodes = TileNodes(now.size, self.read_tile)
        proof = tree.inclusion_proof(nodes.node, index, head.size)
        return tree.is_included(tree.leaf_hash(line), index, head.size, proof, head.root)

    def _no_root(self) -> Damaged:
        return Damaged(
            "fault.ledger",
            f"log `{self.folder}`: its tiles do not give the root of its checkpoint; `assay log verify` says more",
        )


def lines(path: Path) -> Iterator[bytes]:
    """The whole lines of the file, in order; an unfinished last one is left out. No file is no line.

    Raises:
        LedgerFault: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line[:-1]
    except FileNotFoundError:
        return
    except OSError as fault:
        raise LedgerFault("fault.ledger", f"ledger `{path}`: {files.reason_of(fault)}") from None
