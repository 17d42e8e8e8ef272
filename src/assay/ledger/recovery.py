"""Pipes: a log's way back to its checkpoint, and from a plain file to its first one (spec/log.md §5). Under the lock.

INVARIANT: no line of an acknowledged receipt is dropped, and no checkpoint is made where there was one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from assay.ledger import files, note, tree
from assay.ledger.reading import CHECKPOINT, RECEIPTS, Damaged, LogFiles
from assay.ledger.seen import BLOCK
from assay.ledger.tiles import TILE, WIDTH, Frontier, edge, tile_path
from assay.receipts.signing import LogHead, Signer

ADOPTED: Final = ".adopted"
_TILES_AT_A_TIME: Final = 64


def begin(
    log: LogFiles, origin: str, signers: Sequence[Signer], progress: files.Progress = files.silent
) -> note.Checkpoint:
    """The checkpoint of the log; where there is none, one of the lines that are there, each once.

    Raises:
        Damaged: there were tiles, so there was a checkpoint.
        OSError: it could not be written.
    """
    with files.locked(log.receipts) as file:
        found = log.find_checkpoint()
        if found is not None:
            return found
        if (log.folder / TILE).exists():
            raise Damaged(
                "fault.ledger",
                f"log `{log.folder}`: its `{CHECKPOINT}` is gone, and its tiles are there; put it back, or move "
                f"`{TILE}` and `index` away to begin a new log from the lines",
            )
        files.move_aside(log.receipts, file, last_line_end(file))
        frontier, repeated = Frontier(), 0
        seen: set[bytes] = set()
        leaves: list[bytes] = []
        for line in files.whole_lines(file):
            leaf = tree.leaf_hash(line)
            if leaf in seen:
                repeated += 1
                continue
            seen.add(leaf)
            leaves.append(leaf)
            if len(leaves) == BLOCK:
                frontier.extend(leaves)
                leaves = []
                progress("adopting", frontier.size, 0)
        frontier.extend(leaves)
        made = note.checkpoint_of(LogHead(origin, frontier.size, frontier.root()), signers)
        if repeated:
            _leave_out_repeated(log, file, made)
        else:
            put_checkpoint(log, made)
        return made


def put_checkpoint(log: LogFiles, checkpoint: note.Checkpoint) -> None:
    """Write the checkpoint in place of the one before."""
    path = log.folder / CHECKPOINT
    files.write_parts([(path, checkpoint.note)])
    files.rename_parts([path])
    files.sync_folder(log.folder)


def load_frontier(log: LogFiles, head: LogHead, file: int) -> Frontier:
    """The right edge of the tree of the checkpoint, whose tiles are made anew where they do not give its root.

    Raises:
        Damaged: the lines do not give it either.
    """
    try:
        frontier = Frontier.read(head.size, log.read_tile)
        if frontier.root() == head.root and (head.size == 0 or log.leaf(head.size - 1, head.size)):
            return frontier
    except Damaged:
        pass
    return make_tiles(log, head, file)


def load_end(log: LogFiles, head: LogHead, file: int) -> int:
    """Where the last entry of the checkpoint ends; what stands behind it is moved aside.

    Raises:
        Damaged: there are fewer lines, or the last one is another.
    """
    end = 0
    if head.size:
        leaf = log.leaf(head.size - 1, head.size)
        line = log.line_at(file, head.size - 1)
        if line is None or tree.leaf_hash(line) != leaf:
            line = _find_ends(log, head.size, file)
        if line is None or tree.leaf_hash(line) != leaf:
            raise _other_lines(log, head.size)
        end = log.end_of(head.size - 1)
    files.move_aside(log.receipts, file, end)
    return end


def last_line_end(file: int) -> int:
    """Where the last whole line ends."""
    stop = os.fstat(file).st_size
    while stop > 0:
        start = max(stop - 65_536, 0)
        found = os.pread(file, stop - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        stop = start
    return 0


def _leave_out_repeated(log: LogFiles, file: int, made: note.Checkpoint) -> None:
    """Put a file without the repeated lines in the place of this one, which is kept as NAME.adopted.

    The new file is locked before it is there: whoever comes by then waits for the checkpoint.
    """
    with files.locked(log.receipts.with_name(RECEIPTS + files.PART)) as new:
        os.ftruncate(new, 0)
        seen: set[bytes] = set()
        for line in files.whole_lines(file):
            if line not in seen:
                seen.add(line)
                os.write(new, line + b"\n")
        os.fsync(new)
        log.receipts.with_name(RECEIPTS + ADOPTED).unlink(missing_ok=True)
        log.receipts.with_name(RECEIPTS + ADOPTED).hardlink_to(log.receipts)
        files.rename_parts([log.receipts])
        put_checkpoint(log, made)


def make_tiles(log: LogFiles, head: LogHead, file: int) -> Frontier:
    """Make every tile anew from the lines; the right edge.

    Raises:
        Damaged: the lines do not give the root of the checkpoint; nothing was written.
    """
    frontier = Frontier()
    # Twice over the lines: no tile is written before they are known to give the root.
    for leaves in _chunks(islice(files.whole_lines(file), head.size)):
        frontier.extend(leaves)
    if (frontier.size, frontier.root()) != (head.size, head.root):
        raise _other_lines(log, head.size)
    frontier = Frontier()
    for leaves in _chunks(islice(files.whole_lines(file), head.size)):
        whole = [tile for tile in frontier.extend(leaves) if tile.width == WIDTH]
        _put_tiles(log, [(log.folder / tile_path(tile.level, tile.index), tile.data) for tile in whole])
    _put_tiles(
        log,
        [
            (log.folder / tile_path(level, index, width), frontier.partial(level))
            for level, index, width in edge(head.size)
            if width
        ],
    )
    os.sync()  # thousands of small files: one sync of everything is faster than one each
    return frontier


def _put_tiles(log: LogFiles, parts: list[tuple[Path, bytes]]) -> None:
    for folder in {path.parent for path, _ in parts}:
        files.make_folders(folder, log.folder)
    for path, data in parts:
        files.write_plain(path, data)


def _chunks(lines: Iterable[bytes]) -> Iterable[list[bytes]]:
    leaves = map(tree.leaf_hash, lines)
    while chunk := list(islice(leaves, _TILES_AT_A_TIME * WIDTH)):
        yield chunk


def _find_ends(log: LogFiles, size: int, file: int) -> bytes | None:
    """Find where every line ends, and keep that; the last line, or None if there are fewer."""
    ends: list[int] = []
    end, line = 0, None
    for line in islice(files.whole_lines(file), size):
        end += len(line) + 1
        ends.append(end)
    if len(ends) < size:
        return None
    log.put_ends(0, ends)
    return line


def _other_lines(log: LogFiles, size: int) -> Damaged:
    return Damaged(
        "fault.ledger",
        f"log `{log.folder}`: the first {size} lines of `{RECEIPTS}` do not give the root of its checkpoint: they were "
        "changed or cut; nothing was written, and `assay log verify` says more",
    )
