"""Pipes: what the log does with files: one lock, writes that are whole or taken back, names that last.

INVARIANT: nothing here follows a link in place of a file, and every file is its owner's alone (0600).
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

MODE: Final = 0o600
FOLDER_MODE: Final = 0o700
PART: Final = ".part"
TORN: Final = ".torn"
_BLOCK: Final = 1 << 20
_AT_ONCE: Final = 8
_KEEP: Final = os.O_CLOEXEC | os.O_NOFOLLOW

# Told what is done, how much of it, and of how much (0: unknown).
Progress = Callable[[str, int, int], None]


def silent(what: str, done: int, total: int) -> None:
    """Tell nobody."""


@contextmanager
def locked(path: Path) -> Iterator[int]:
    """The file, opened for reading and appending, made if it is missing, and locked; released on every way out."""
    while True:
        is_new = not path.exists()
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _KEEP, MODE)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            # While we waited, another file may have been put in its place; its lock is the one that counts.
            if _is_at(path, file):
                if is_new:
                    os.fchmod(file, MODE)
                    sync_folder(path.parent)
                yield file
                return
        finally:
            os.close(file)  # gives the lock up


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """The file, opened with these flags, for its owner alone where it is made; closed on every way out."""
    file = os.open(path, flags | _KEEP, MODE)
    try:
        yield file
    finally:
        os.close(file)


def write_whole(file: int, data: bytes, end: int) -> None:
    """Write all of the data at the end of the file, and sync it; or take back what was written of it.

    Raises:
        OSError: it was taken back. Where even that failed, it is the unfinished rest that the next writer moves aside.
    """
    try:
        _write(file, data)
        os.fsync(file)
    except OSError:
        cut(file, end)
        raise


def cut(file: int, end: int) -> None:
    """Take back what was written behind that place, as far as the disk lets us."""
    with suppress(OSError):
        os.ftruncate(file, end)
        os.fsync(file)


def write_parts(parts: list[tuple[Path, bytes]], folders: Iterable[Path] = ()) -> None:
    """Write each beside its place, as NAME.part, and sync them; `rename_parts` puts them there.

    Folders that have to be synced before anything is renamed are synced at the same time.
    """
    files: list[int] = []
    try:
        files.extend(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for folder in folders)
        for path, data in parts:
            place = path.with_name(path.name + PART)
            files.append(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _KEEP, MODE))
            _write(files[-1], data)
        _sync_all(files)
    finally:
        for file in files:
            os.close(file)


def write_plain(path: Path, data: bytes) -> None:
    """Write the file as it comes: for what is checked when it is read, and can be made again."""
    with opened(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as file:
        _write(file, data)


def rename_parts(paths: list[Path]) -> None:
    """Put what was written beside these places into them."""
    for path in paths:
        path.with_name(path.name + PART).replace(path)


def make_folders(folder: Path, below: Path) -> set[Path]:
    """Make the folder and those between it and `below`; the folders whose content has changed, to be synced."""
    missing = []
    while folder != below and not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    # One by one: `parents=True` would make those between with another mode.
    for place in reversed(missing):
        place.mkdir(mode=FOLDER_MODE, exist_ok=True)
    return {place.parent for place in missing}


def remove_folder(folder: Path) -> None:
    """Take away a folder of plain files, if it is there; what cannot be taken away stays."""
    with suppress(OSError):
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()


def sync_folder(*folders: Path) -> None:
    """Make the names in the folders last as long as what they name."""
    write_parts([], folders)


def move_aside(path: Path, file: int, end: int) -> int:
    """Move what stands behind that place into NAME.torn, and cut it off; how many bytes that were."""
    size = os.fstat(file).st_size
    if size > end:
        with opened(path.with_name(path.name + TORN), os.O_WRONLY | os.O_CREAT | os.O_APPEND) as side:
            write_whole(side, read_range(file, end, size) + b"\n", os.fstat(side).st_size)
        os.ftruncate(file, end)
        os.fsync(file)
    return max(size - end, 0)


def read_range(file: int, start: int, stop: int) -> bytes:
    """The bytes from start to stop, or fewer where the file ends."""
    parts = []
    while start < stop:
        part = os.pread(file, min(stop - start, _BLOCK), start)
        if not part:
            break
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def whole_lines(file: int, start: int = 0) -> Iterator[bytes]:
    """The whole lines from there on, without their line feed; an unfinished last one is left out."""
    rest = b""
    while block := os.pread(file, _BLOCK, start):
        start += len(block)
        found = (rest + block).split(b"\n")
        rest = found.pop()
        yield from found


def reason_of(fault: OSError) -> str:
    """Why, in lower case."""
    if fault.errno == errno.ELOOP:
        return "it is a link; give the file itself"
    return (fault.strerror or "cannot be used").lower()


def _sync_all(places: list[int]) -> None:
    """Sync them at the same time: a journal that is asked several times at once writes once, four times as fast."""
    if len(places) == 1:
        os.fsync(places[0])
    elif places:
        # Imported here: it takes longer than the rest of this room, and most commands write nothing.
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        with ThreadPoolExecutor(min(len(places), _AT_ONCE)) as pool:
            for _ in pool.map(os.fsync, places):
                pass


def _write(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _is_at(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False
