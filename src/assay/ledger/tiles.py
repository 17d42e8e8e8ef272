"""Pipes, pure: the tiles of C2SP tlog-tiles: how they are named, what is in them, how they grow (spec/log.md §3).

A tile holds up to 256 hashes of one level; each hash of level L + 1 is the root of a whole tile of level L.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from assay.ledger.tree import EMPTY, HASH_BYTES, node_hash, root_of

HEIGHT: Final = 8
WIDTH: Final = 1 << HEIGHT
TILE: Final = "tile"

# The first `width` hashes of the tile, concatenated.
ReadTile = Callable[[int, int, int], bytes]


@dataclass(frozen=True, slots=True, repr=False)
class Tile:
    """The bytes of one tile; whole if it has 256 hashes, else partial."""

    level: int
    index: int
    data: bytes

    @property
    def width(self) -> int:
        """How many hashes it holds, 1 to 256."""
        return len(self.data) // HASH_BYTES


def tile_path(level: int, index: int, width: int = WIDTH) -> PurePosixPath:
    """The name of a tile below the folder of the log: `tile/0/x001/234`, and partial `tile/0/x001/234.p/17`."""
    parts = [f"{index % 1000:03d}"]
    while index := index // 1000:
        parts.insert(0, f"x{index % 1000:03d}")
    name = PurePosixPath(TILE, str(level), *parts)
    return name if width == WIDTH else name.with_name(f"{name.name}.p") / str(width)


def edge(size: int) -> list[tuple[int, int, int]]:
    """The right edge of a tree of that size: each level, the index of its last tile, and its width (0: none begun)."""
    found = []
    level = 0
    while (at_level := size >> (HEIGHT * level)) or level == 0:
        found.append((level, at_level >> HEIGHT, at_level % WIDTH))
        level += 1
    return found


class Frontier:
    """The right edge of a growing tree: of each level the hashes that are in no whole tile yet."""

    def __init__(self) -> None:
        self.size = 0
        self._levels: list[list[bytes]] = [[]]

    @classmethod
    def read(cls, size: int, read: ReadTile) -> Frontier:
        """The edge of the tree of that size, from its tiles; whether they are right shows in the root."""
        frontier = cls()
        frontier.size = size
        frontier._levels = [_hashes(read(level, index, width)) if width else [] for level, index, width in edge(size)]
        return frontier

    def partial(self, level: int) -> bytes:
        """The bytes of the tile of that level that is not whole yet."""
        return b"".join(self._levels[level])

    def root(self) -> bytes:
        """The root of the tree as it is now."""
        ragged: bytes | None = None
        for hashes in self._levels:
            above = hashes if ragged is None else [*hashes, ragged]
            if above:
                ragged = root_of(above)
        return EMPTY if ragged is None else ragged

    def extend(self, leaves: Iterable[bytes]) -> list[Tile]:
        """Grow by these leaf hashes; every tile that is new or wider than before, as it is in the end."""
        grown: list[Tile] = []
        new = list(leaves)
        before = self.size
        self.size += len(new)
        level = 0
        while new:
            if level == len(self._levels):
                self._levels.append([])
            hashes = self._levels[level] + new
            first = (before >> (HEIGHT * level)) >> HEIGHT
            wholes, rest = divmod(len(hashes), WIDTH)
            new = []
            for i in range(wholes):
                part = hashes[i * WIDTH : (i + 1) * WIDTH]
                grown.append(Tile(level, first + i, b"".join(part)))
                new.append(root_of(part))
            self._levels[level] = hashes[wholes * WIDTH :]
            if rest:
                grown.append(Tile(level, first + wholes, b"".join(self._levels[level])))
            level += 1
        return grown


class TileNodes:
    """Nodes of the tree of one size, from its tiles; each tile is asked for once. `tree.Node` is `node`."""

    def __init__(self, size: int, read: ReadTile) -> None:
        self._size, self._read = size, read
        self._tiles: dict[tuple[int, int], bytes] = {}

    @property
    def tiles_read(self) -> int:
        """How many tiles were asked for."""
        return len(self._tiles)

    def node(self, height: int, index: int) -> bytes:
        """The hash over the leaves of that perfect subtree, which lies within the tree."""
        level, inside = divmod(height, HEIGHT)
        if inside:
            # Both halves lie in the same tile of this level.
            return node_hash(self.node(height - 1, 2 * index), self.node(height - 1, 2 * index + 1))
        tile, place = divmod(index, WIDTH)
        data = self._tile(level, tile)
        return data[place * HASH_BYTES : (place + 1) * HASH_BYTES]

    def _tile(self, level: int, index: int) -> bytes:
        if (level, index) not in self._tiles:
            width = min((self._size >> (HEIGHT * level)) - index * WIDTH, WIDTH)
            self._tiles[level, index] = self._read(level, index, width)
        return self._tiles[level, index]


def _hashes(data: bytes) -> list[bytes]:
    return [data[i : i + HASH_BYTES] for i in range(0, len(data), HASH_BYTES)]
