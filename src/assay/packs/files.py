"""Pipes: bytes of a pack's files, read once, from inside the pack only (spec/pack.md §2).

INVARIANT: what is hashed is what is parsed: a file is read into memory once; one that changes meanwhile is refused.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assay.packs.refusal import refusal, shown

CHUNK = 2**20
OnChunk = Callable[[int], None]  # told how many bytes were read, after each chunk


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file's size and sha256, as 64 hexadecimal digits."""

    bytes: int
    sha256: str


def check_relative(name: str) -> str:
    """The path as it is, if it stays inside the pack: parts of ordinary characters, no `..`, no root, no drive."""
    path = PurePosixPath(name)
    odd = not name or "\\" in name or ":" in name or not name.isprintable() or len(name) > 255
    if odd or path.is_absolute() or str(path) != name or any(part in (".", "..") for part in path.parts):
        raise refusal(
            "path",
            f"the path {shown(name)} leaves the pack or is unusual",
            "name a file inside the pack, as `raw/x.csv`",
        )
    return name


def read_file(root: Path, name: str, limit: int, on_chunk: OnChunk = lambda _: None) -> bytes:
    """The bytes of a regular file inside the pack.

    Raises:
        InvalidPack: a path that leaves the pack, a symbolic link, no regular file, too large, or changed meanwhile.
    """
    descriptor = _open_inside(root, name)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise refusal("file", f"{shown(name)} is not a regular file", "put the file itself there")
        if before.st_size > limit:
            raise refusal(
                "size", f"{shown(name)} has {before.st_size} bytes", f"at most {limit} are read; split the pack"
            )
        chunks: list[bytes] = []
        total = 0
        # No further than the size at the start: a writer that keeps pace must not keep us reading.
        while total <= before.st_size and (chunk := os.read(descriptor, CHUNK)):
            chunks.append(chunk)
            total += len(chunk)
            on_chunk(len(chunk))
        after = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if total != before.st_size or _mark(before) != _mark(after):
        raise refusal(
            "changed", f"{shown(name)} changed while it was read", "open the pack again when nothing writes to it"
        )
    return b"".join(chunks)


def size_of(root: Path, name: str) -> int:
    """The size of a regular file inside the pack, without reading it."""
    descriptor = _open_inside(root, name)
    try:
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def record_of(data: bytes) -> FileRecord:
    """Size and sha256 of the bytes."""
    return FileRecord(len(data), hashlib.sha256(data).hexdigest())


def decompressed(name: str, data: bytes, limit: int) -> bytes:
    """The bytes, gunzipped where the name ends in `.gz`; one gzip member after the other, bounded."""
    if not name.endswith(".gz"):
        return data
    parts: list[bytes] = []
    total, rest = 0, data
    try:
        while rest:
            inflater = zlib.decompressobj(wbits=31)
            part = inflater.decompress(rest, limit - total + 1)
            total += len(part)
            if total > limit:
                raise refusal("size", f"{shown(name)} unpacks to more than {limit} bytes", "split the pack")
            if not inflater.eof:
                raise refusal("gzip", f"{shown(name)} ends inside a gzip stream", "restore the whole file")
            parts.append(part)
            rest = inflater.unused_data
    except zlib.error:
        raise refusal("gzip", f"{shown(name)} is not in gzip format", "compress it again or drop `.gz`") from None
    return b"".join(parts)


def _mark(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _open_inside(root: Path, name: str) -> int:
    """A descriptor of the file, reached without following any symbolic link below the root."""
    parts = PurePosixPath(check_relative(name)).parts
    try:
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise refusal(
            "missing", f"the pack {shown(str(root))} cannot be opened ({error.strerror})", "name a pack's folder"
        ) from None
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        # O_NONBLOCK: a named pipe must not make the reader wait; it is refused as no regular file.
        return os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        link = (root / name).is_symlink() or any((root / parent).is_symlink() for parent in PurePosixPath(name).parents)
        what = "is or lies behind a symbolic link" if link else f"cannot be opened ({error.strerror})"
        raise refusal(
            "link" if link else "missing", f"{shown(name)} {what}", "put the file itself into the pack"
        ) from None
    finally:
        os.close(folder)
