"""Pipes: which entry has a leaf hash: a table of open addressing on the disk (docs/adr/0034).

It covers the first entries, a block at a time; what is younger is searched in the tiles. It only proposes: whoever asks
compares with the leaf hash in the tile, so a wrong table hides an entry and never invents one.

INVARIANT: the header says `covered` only after the slots of all those entries are on the disk.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import Struct
from typing import Final

from assay.ledger import files

BLOCK: Final = 16_384
_MAGIC: Final = b"assaySN1"
# In the machine's own order of bytes: on another machine the header is wrong, and the table is made anew.
_HEADER: Final = Struct("=8sQQ8s")
_SLOT: Final = Struct("=QQ")  # the hash's first eight bytes, and index + 1; 0 is an empty slot
_BEGIN: Final = 4096  # of the slots
_PAGE_SLOTS: Final = 256
_PAGE: Final = _PAGE_SLOTS * _SLOT.size
MIN_BITS: Final = 17  # of the number of slots


class Seen:
    """The table of one log. Used under the log's lock."""

    def __init__(self, path: Path, min_bits: int = MIN_BITS) -> None:
        self._path, self._min_bits = path, min_bits
        self._bits, self.covered = self._header()

    def find(self, leaves: Sequence[bytes]) -> list[list[int]]:
        """Of each leaf hash the entries that may have it; to be compared."""
        if not self.covered:
            return [[] for _ in leaves]
        with (
            files.opened(self._path, os.O_RDONLY) as file,
            mmap(file, 0, access=ACCESS_READ) as data,
            memoryview(data)[_BEGIN:] as part,
            part.cast("Q") as table,
        ):
            return [self._probe(table, _mark(leaf)) for leaf in leaves]

    def add(self, leaves: Sequence[bytes]) -> None:
        """Cover these entries too, which are the next ones, and put that on the disk.

        Raises:
            OSError: they could not be written; the table covers what it covered before.
        """
        total = self.covered + len(leaves)
        if not self.covered or total * 10 > (7 << self._bits):
            self._grow(total)
        marks = sorted((_mark(leaf), index + 1) for index, leaf in enumerate(leaves, self.covered))
        with files.opened(self._path, os.O_RDWR) as file:
            self._fill(file, marks)
            os.fsync(file)
            os.pwrite(file, _header(self._bits, total), 0)
            os.fsync(file)
        self.covered = total

    def forget(self) -> None:
        """Begin anew: it covers nothing."""
        self._path.unlink(missing_ok=True)
        self._bits, self.covered = 0, 0

    def _probe(self, table: memoryview, mark: int) -> list[int]:
        """The entries of that mark in the taken slots from the mark's own on, up to the first empty one."""
        found, mask = [], (1 << self._bits) - 1
        place = mark >> (64 - self._bits)
        while above := table[2 * place + 1]:
            if table[2 * place] == mark:
                found.append(above - 1)
            place = (place + 1) & mask
        return found

    def _fill(self, file: int, marks: list[tuple[int, int]]) -> None:
        """Put each of these, ascending, into the first empty slot from its own on, a page of the file at a time."""
        shift, mask = 64 - self._bits, (1 << self._bits) - 1
        at, data = -1, memoryview(bytearray(_PAGE)).cast("Q")
        for mark, above in marks:
            place = mark >> shift
            while True:
                if place // _PAGE_SLOTS != at:
                    if at >= 0:
                        os.pwrite(file, data, _BEGIN + at * _PAGE)
                    at = place // _PAGE_SLOTS
                    data = memoryview(bytearray(os.pread(file, _PAGE, _BEGIN + at * _PAGE))).cast("Q")
                slot = 2 * (place % _PAGE_SLOTS)
                if not data[slot + 1]:
                    data[slot], data[slot + 1] = mark, above
                    break
                if data[slot + 1] == above and data[slot] == mark:
                    break  # a crash came between the slots and the header
                place = (place + 1) & mask
        os.pwrite(file, data, _BEGIN + at * _PAGE)

    def _grow(self, total: int) -> None:
        """A table with room for twice as many, with what the old one has."""
        bits = max((total * 10 // 7).bit_length(), self._min_bits)
        table = bytearray(_SLOT.size << bits)
        mask = (1 << bits) - 1
        for mark, above in self._slots():
            place = mark >> (64 - bits)
            while _SLOT.unpack_from(table, _SLOT.size * place)[1]:
                place = (place + 1) & mask
            _SLOT.pack_into(table, _SLOT.size * place, mark, above)
        changed = files.make_folders(self._path.parent, self._path.parent.parent)
        head = _header(bits, self.covered)
        files.write_parts([(self._path, head + bytes(_BEGIN - len(head)) + table)])
        files.rename_parts([self._path])
        files.sync_folder(*changed, self._path.parent)
        self._bits = bits

    def _slots(self) -> Iterator[tuple[int, int]]:
        if self.covered:
            with files.opened(self._path, os.O_RDONLY) as file:
                data = files.read_range(file, _BEGIN, _BEGIN + (_SLOT.size << self._bits))
            for mark, above in _SLOT.iter_unpack(data):
                if 0 < above <= self.covered:
                    yield mark, above

    def _header(self) -> tuple[int, int]:
        """Size and extent of the table on the disk; one that is not there, or not right, covers nothing."""
        try:
            with files.opened(self._path, os.O_RDONLY) as file:
                head = os.pread(file, _HEADER.size, 0)
                size = os.fstat(file).st_size
        except OSError:
            return 0, 0
        if len(head) < _HEADER.size:
            return 0, 0
        magic, bits, covered, _ = _HEADER.unpack(head)
        is_ours = magic == _MAGIC and bits < 48 and head == _header(bits, covered)
        return (bits, covered) if is_ours and size == _BEGIN + (_SLOT.size << bits) else (0, 0)


def _mark(leaf: bytes) -> int:
    return int.from_bytes(leaf[:8], "big")


def _header(bits: int, covered: int) -> bytes:
    return _HEADER.pack(_MAGIC, bits, covered, sha256(_MAGIC + b"%d %d" % (bits, covered)).digest()[:8])
