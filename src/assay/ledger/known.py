"""Pipes: which entries a log has, by their leaf hashes: old ones in the table, young ones in memory (docs/adr/0034)."""

from __future__ import annotations

from collections.abc import Sequence

from assay.ledger import tree
from assay.ledger.reading import SEEN, LogFiles
from assay.ledger.seen import BLOCK, Seen
from assay.ledger.tiles import WIDTH


class Known:
    """The entries of a log of that size. Used under the log's lock."""

    def __init__(self, log: LogFiles, size: int) -> None:
        """Bring the table up to whole blocks, and read the leaf hashes behind them.

        Raises:
            Damaged: a tile is missing.
            OSError: the table could not be written.
        """
        self._log, self._size = log, size
        self._seen = Seen(log.folder / SEEN)
        if self._seen.covered > size or self._seen.covered % BLOCK:
            self._seen.forget()
        while size - self._seen.covered >= BLOCK:
            self._seen.add(self._leaves(self._seen.covered, self._seen.covered + BLOCK))
        self._young = self._leaves(self._seen.covered, size)
        self._index = {leaf: index for index, leaf in enumerate(self._young, self._seen.covered)}

    def find(self, leaves: Sequence[bytes]) -> dict[bytes, int]:
        """The indices of those leaf hashes that are in the log."""
        found = {leaf: self._index[leaf] for leaf in leaves if leaf in self._index}
        for leaf, proposed in zip(leaves, self._seen.find(leaves), strict=True):
            for index in proposed:
                if index < self._size and self._log.leaf(index, self._size) == leaf:
                    found[leaf] = index
        return found

    def extend(self, leaves: Sequence[bytes]) -> None:
        """Know these too, which were put into the log."""
        self._index.update((leaf, index) for index, leaf in enumerate(leaves, self._size))
        self._young += leaves
        self._size += len(leaves)

    def settle(self) -> None:
        """Move whole blocks of the young ones into the table.

        Raises:
            OSError: it could not be written.
        """
        if len(self._young) < BLOCK:
            return
        while len(self._young) >= BLOCK:
            self._seen.add(self._young[:BLOCK])
            self._young = self._young[BLOCK:]
        self._index = {leaf: index for index, leaf in enumerate(self._young, self._seen.covered)}

    def _leaves(self, start: int, stop: int) -> list[bytes]:
        """The leaf hashes of these entries, from their tiles; start is at the beginning of a tile."""
        found = []
        for first in range(start, stop, WIDTH):
            data = self._log.read_tile(0, first // WIDTH, min(WIDTH, stop - first))
            found += [data[i : i + tree.HASH_BYTES] for i in range(0, len(data), tree.HASH_BYTES)]
        return found
