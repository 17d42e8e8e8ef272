"""Pipes: whether a log is what its checkpoint says, found by computing everything again (spec/log.md §6).

Separate facts, never one word. The checker is first given logs that are forged: one that it does not refuse, and it is
the checker that is broken, and no log is called right.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from assay.kernel.errors import LedgerFault
from assay.ledger import files, note, tree
from assay.ledger.reading import Damaged, LogFiles
from assay.ledger.tiles import HEIGHT, WIDTH, Frontier, ReadTile, Tile, edge, tile_path
from assay.receipts.signing import Check, LogHead

MAX_TOLD: Final = 8  # entries that are named of those that are wrong


@dataclass(frozen=True, slots=True)
class Walked:
    """What the lines are, beside what the tiles say."""

    size: int  # how many of the entries are there
    root: bytes
    roots: dict[int, bytes]  # of the sizes that were asked for, as far as there are entries
    other: tuple[int, ...]  # entries that have not the leaf hash of their tile
    is_other_order: bool  # those entries are the right ones, in another order
    repeated: tuple[int, ...]  # entries that stand earlier in the log too
    tiles: tuple[str, ...]  # tiles that are missing, or not those of these lines


Walk = Callable[[Iterable[bytes], ReadTile, int, Sequence[int], files.Progress], Walked]


@dataclass(frozen=True, slots=True)
class Trust:
    """The keys that the verifier trusts, each with what they call it, and how a signature is checked."""

    keys: tuple[tuple[str, bytes], ...]
    check: Check


@dataclass(frozen=True, slots=True)
class Held:
    """What the log is to a checkpoint that the verifier holds."""

    head: LogHead
    finding: str  # goes_on, truncated, forked, other_log, unsigned


@dataclass(frozen=True, slots=True)
class Findings:
    """The facts on one log. `signature`: unsigned, trusted, unknown, wrong."""

    head: LogHead
    walked: Walked
    tree_holds: bool
    signature: str
    signed_by: tuple[str, ...]  # what the verifier calls the keys that signed
    held: tuple[Held, ...]
    unacknowledged_bytes: int
    controls: int  # forged logs that the checker refused first

    @property
    def completeness(self) -> str:
        """Whether something was cut off or hidden: unknown, goes_on, truncated, forked, other_log."""
        bad = [one.finding for one in self.held if one.finding != "goes_on"]
        return bad[0] if bad else "goes_on" if self.held else "unknown"

    @property
    def changed(self) -> tuple[int, ...]:
        """Entries that are not what the log's tree says; where the root holds, it is the tile that is wrong."""
        return () if self.tree_holds else self.walked.other

    @property
    def damaged_tiles(self) -> tuple[str, ...]:
        """Tiles that are missing or wrong while the entries are right."""
        return self.walked.tiles if self.tree_holds else ()

    @property
    def verifies(self) -> bool:
        """Whether nothing speaks against the log; that nothing is missing is said only by `completeness`."""
        return (
            self.tree_holds
            and not self.walked.repeated
            and not self.damaged_tiles
            and self.signature != "wrong"
            and self.completeness in {"unknown", "goes_on"}
        )


def verify(
    folder: Path,
    held: Sequence[LogHead] = (),
    trust: Trust | None = None,
    progress: files.Progress = files.silent,
    *,
    walk: Walk | None = None,
) -> Findings:
    """Compute the folder's log again: hashes, tiles, tree, checkpoint; compare with held checkpoints.

    Raises:
        InputError: there is no log.
        LedgerFault: a file cannot be read, or the checker let a forged log pass.
    """
    does = walk or walk_lines
    controls = control(does)
    log = LogFiles(folder)
    checkpoint = log.checkpoint()
    head = checkpoint.head
    try:
        with files.opened(log.receipts, os.O_RDONLY) as file:
            sizes = sorted({one.size for one in held if one.size <= head.size})
            counted = _Counted(islice(files.whole_lines(file), head.size))
            walked = does(counted, log.read_tile, head.size, sizes, progress)
            behind = max(os.fstat(file).st_size - counted.bytes, 0)
    except OSError as fault:
        raise LedgerFault("fault.ledger", f"ledger `{log.receipts}`: {files.reason_of(fault)}") from None
    signature, by = _signature(checkpoint, trust)
    return Findings(
        head=head,
        walked=walked,
        tree_holds=(walked.size, walked.root) == (head.size, head.root),
        signature=signature,
        signed_by=by,
        held=tuple(Held(one, _compare(one, head, walked)) for one in held),
        unacknowledged_bytes=behind,
        controls=controls,
    )


def walk_lines(
    entries: Iterable[bytes], read: ReadTile, size: int, sizes: Sequence[int], progress: files.Progress
) -> Walked:
    """Hash the entries of a log of that size, build the tree over them, and compare with its tiles.

    `sizes`: further sizes whose roots are wanted, ascending.
    """
    frontier, roots = Frontier(), {0: tree.EMPTY}
    compared = _Compared(read, size)
    leaves = bytearray()
    hashes = map(tree.leaf_hash, islice(entries, size))
    wanted = sorted({*sizes, size}, reverse=True)
    while True:
        # Up to the end of a tile, or to a size whose root is wanted.
        while wanted and wanted[-1] <= frontier.size:
            wanted.pop()
        if not wanted:
            break
        stop = min((frontier.size // WIDTH + 1) * WIDTH, wanted[-1])
        part = list(islice(hashes, stop - frontier.size))
        if not part:
            break
        leaves += b"".join(part)
        for tile in frontier.extend(part):
            if tile.width == WIDTH:
                compared.add(tile)
        if frontier.size in wanted:
            roots[frontier.size] = frontier.root()
        progress("checking", frontier.size, size)
    for level, index, width in edge(frontier.size):
        if width:
            compared.add(Tile(level, index, frontier.partial(level)))
    return Walked(
        size=frontier.size,
        root=frontier.root(),
        roots=roots,
        other=tuple(compared.other),
        is_other_order=bool(compared.other) and sorted(compared.found) == sorted(compared.said),
        repeated=_repeated(leaves),
        tiles=tuple(compared.tiles),
    )


class _Compared:
    """Tiles of the entries beside those on the disk."""

    def __init__(self, read: ReadTile, size: int) -> None:
        self._read, self._size = read, size
        self.tiles: list[str] = []  # that are another, or missing
        self.other: list[int] = []  # entries whose leaf hash is another
        self.found: list[bytes] = []  # their leaf hashes
        self.said: list[bytes] = []  # what the tiles have in their place

    def add(self, tile: Tile) -> None:
        width = min((self._size >> (HEIGHT * tile.level)) - tile.index * WIDTH, WIDTH)
        try:
            theirs = self._read(tile.level, tile.index, width)[: len(tile.data)]
        except Damaged:
            theirs = b""
        if theirs == tile.data:
            return
        self.tiles.append(str(tile_path(tile.level, tile.index, width)))
        if tile.level == 0:
            for i, (found, said) in enumerate(zip(_split(tile.data), _split(theirs), strict=False)):
                if found != said:
                    self.other.append(tile.index * WIDTH + i)
                    self.found.append(found)
                    self.said.append(said)


# The negative control


def control(walk: Walk) -> int:
    """Give the checker a right log, and forged ones that it has to refuse; how many those are.

    Raises:
        LedgerFault: `fault.checker`: it refused the right one, or let a forged one pass.
    """
    entries = [b'{"entry":%d}' % i for i in range(WIDTH + 44)]
    frontier = Frontier()
    leaves = [tree.leaf_hash(entry) for entry in entries]
    tiles = {(tile.level, tile.index): tile.data for tile in frontier.extend(leaves)}

    def read(level: int, index: int, width: int) -> bytes:
        return tiles[level, index][: width * tree.HASH_BYTES]

    def verdict(given: Sequence[bytes]) -> bool:
        walked = walk(given, read, len(entries), (), files.silent)
        is_right = (walked.size, walked.root) == (len(entries), frontier.root())
        return is_right and not (walked.other or walked.repeated or walked.tiles)

    changed, moved, twice = list(entries), list(entries), list(entries)
    changed[WIDTH + 3] = changed[WIDTH + 3].replace(b"entry", b"Entry")
    moved[7], moved[8] = moved[8], moved[7]
    twice[9] = twice[8]
    forged = (changed, moved, twice, entries[:-1], entries[1:])
    proof = tree.inclusion_proof(lambda height, index: _node(leaves, height, index), 7, len(entries))
    if not verdict(entries) or not tree.is_included(leaves[7], 7, len(entries), proof, frontier.root()):
        raise LedgerFault(
            "fault.checker", "the checker refuses a right log, so it says nothing on yours; install it anew"
        )
    if any(map(verdict, forged)) or tree.is_included(leaves[8], 7, len(entries), proof, frontier.root()):
        raise LedgerFault(
            "fault.checker", "the checker lets a forged log pass, so it says nothing on yours; install it anew"
        )
    return len(forged) + 1


class _Counted:
    """Entries that are counted as they go by: the bytes of their lines."""

    def __init__(self, entries: Iterable[bytes]) -> None:
        self._entries = entries
        self.bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        for entry in self._entries:
            self.bytes += len(entry) + 1
            yield entry


def _compare(held: LogHead, head: LogHead, walked: Walked) -> str:
    """What the log, as its lines are, is to the checkpoint that somebody holds."""
    if held.origin != head.origin:
        return "other_log"
    if held.size > head.size or held.size > walked.size:
        return "truncated"
    return "goes_on" if walked.roots[held.size] == held.root else "forked"


def _signature(checkpoint: note.Checkpoint, trust: Trust | None) -> tuple[str, tuple[str, ...]]:
    if not checkpoint.signatures:
        return "unsigned", ()
    if trust is None:
        return "unknown", ()
    by = []
    for name, public in trust.keys:
        is_ours = note.signed_by(checkpoint, public, trust.check)
        if is_ours is False:
            return "wrong", (name,)
        if is_ours:
            by.append(name)
    return ("trusted" if by else "unknown"), tuple(by)


def _repeated(leaves: bytearray) -> tuple[int, ...]:
    """The entries whose leaf hash an earlier one has."""
    marks = memoryview(leaves).cast("Q")[:: tree.HASH_BYTES // 8].tolist() if leaves else []
    if len(set(marks)) == len(marks):
        return ()
    seen: set[bytes] = set()
    found = []
    for index, leaf in enumerate(_split(bytes(leaves))):
        if leaf in seen:
            found.append(index)
        seen.add(leaf)
    return tuple(found)


def _split(data: bytes) -> list[bytes]:
    return [data[i : i + tree.HASH_BYTES] for i in range(0, len(data), tree.HASH_BYTES)]


def _node(leaves: Sequence[bytes], height: int, index: int) -> bytes:
    return tree.root_of(leaves[index << height : (index + 1) << height])
