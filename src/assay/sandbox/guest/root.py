"""Pipes, guest side: the read-only root that candidates see: libraries, three devices and a folder."""

# Runs in the zygote alone, where no coverage tool is: tests/sandbox asks candidates what they can see.
# Without pathlib: every module loaded here costs each candidate copied pages.
# ruff: noqa: PTH102, PTH103, PTH106, PTH112, PTH118, PTH119, PTH120, PTH123, PTH211

from __future__ import annotations

import os
import os.path
from collections.abc import Iterable, Iterator
from typing import Final

from assay.sandbox.guest.syscalls import (
    MS_BIND,
    MS_NOATIME,
    MS_NODEV,
    MS_NODIRATIME,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_RELATIME,
    MS_REMOUNT,
    detach,
    mount,
    pivot_root,
)

DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/urandom")
# The private folder is mounted one level down: a Landlock rule on the parent then holds for every candidate's folder.
WORK: Final = "/w"
FOLDER: Final = "/w/d"
# In it, where a candidate begins, and what a program is given (guest/programs.py).
HOME: Final = "/w/d/home"
INPUT: Final = "/w/d/input"
_INPUTS: Final = ("/dev/stdin", "/dev/fd/0")
_BASE: Final = "/tmp"  # noqa: S108 - covered by a tmpfs of this mount namespace before anything is written
_OLD: Final = ".old"
_EMPTY: Final = "/.empty"
# Installed packages lie inside the library's folder; what is installed on a machine is no business of a candidate.
_PACKAGES: Final = ("site-packages", "dist-packages")


def library_folder() -> str:
    """The folder of the standard library."""
    return os.path.dirname(os.path.realpath(os.__file__))


def mapped_folders() -> Iterator[str]:
    """The folders of the shared libraries that this process has mapped, those of the standard library left out."""
    ours = library_folder() + "/"
    with open("/proc/self/maps", encoding="utf-8") as lines:
        for line in lines:
            fields = line.split(maxsplit=5)
            path = fields[5].strip() if len(fields) == 6 else ""
            if path.startswith("/") and ".so" in os.path.basename(path) and not path.startswith(ours):
                yield os.path.dirname(path)


def folders() -> list[str]:
    """The folders that candidates may read, none inside another."""
    found: list[str] = []
    for path in sorted({library_folder(), *mapped_folders()}):
        if not any(path == kept or path.startswith(kept + "/") for kept in found):
            found.append(path)
    return found


def masked(readable: Iterable[str]) -> list[str]:
    """The folders of installed packages that lie inside the readable ones."""
    library = library_folder()
    places = (library, os.path.join(os.path.dirname(library), "python3"))
    found = (os.path.join(place, name) for place in places for name in _PACKAGES)
    return [path for path in found if os.path.isdir(path) and any(path.startswith(kept + "/") for kept in readable)]


def _read_only(path: str, *, device: bool) -> None:  # pragma: no cover
    """Remount a bind read-only; flags that the outer namespace has locked must be repeated."""
    flags = os.statvfs(path).f_flag
    keep = flags & (MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME | MS_NODIRATIME)
    # The number by which statvfs says relatime is another one than mount's.
    keep |= MS_RELATIME if flags & 4096 else 0
    mount(None, path, None, MS_REMOUNT | MS_BIND | MS_RDONLY | keep | (0 if device else MS_NOSUID))


def _bind(source: str, path: str, *, device: bool) -> None:  # pragma: no cover
    mount(source, path, None, MS_BIND | (0 if device else MS_REC))
    _read_only(path, device=device)


def build(readable: list[str]) -> None:  # pragma: no cover
    """Replace the root of this mount namespace; nothing of the former one stays reachable.

    Raises:
        OSError: a step was refused; its text names it.
    """
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    hidden = masked(readable)
    # Opened before the base is covered, so that a library below /tmp is found as well.
    sources = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in (*readable, *DEVICES)}
    mount("tmpfs", _BASE, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,nr_inodes=4096,mode=755")
    os.makedirs(_BASE + _EMPTY, mode=0o555)
    os.makedirs(_BASE + FOLDER, mode=0o755)
    for path, descriptor in sources.items():
        target, device = _BASE + path, path in DEVICES
        os.makedirs(os.path.dirname(target) if device else target, mode=0o755, exist_ok=True)
        if device:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
        _bind(f"/proc/self/fd/{descriptor}", target, device=device)
        os.close(descriptor)
    for path in _INPUTS:
        os.makedirs(os.path.dirname(_BASE + path), mode=0o755, exist_ok=True)
        os.symlink(INPUT, _BASE + path)
    for path in hidden:
        _bind(_BASE + _EMPTY, _BASE + path, device=False)
    os.mkdir(f"{_BASE}/{_OLD}")
    os.chdir(_BASE)
    pivot_root(".", _OLD)
    os.chdir("/")
    detach("/" + _OLD)
    os.rmdir("/" + _OLD)
    mount(None, "/", None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
