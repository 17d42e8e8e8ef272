"""Pipes: the bounds beyond which a pack is refused rather than read (spec/pack.md §2)."""

from __future__ import annotations

from typing import Final

MAX_TABLE_BYTES: Final = 512 * 2**20  # of one table, decompressed
MAX_RAW_BYTES: Final = 2**30  # of one raw file, decompressed
MAX_DESCRIPTOR_BYTES: Final = 2**20
MAX_LOCK_BYTES: Final = 16 * 2**20
MAX_ROWS: Final = 5_000_000  # of one table
MAX_CELL: Final = 65_536  # characters; vocabularies are the longest
MAX_POLYMER: Final = 1_000_000  # letters
MAX_TEXT: Final = 1_024  # characters of a raw spelling, a title, a reason
MAX_NAME: Final = 128  # characters of an identifier, an argument, a word
HASHED_BYTES: Final = 64 * 2**20  # up to this size altogether, opening hashes every file
