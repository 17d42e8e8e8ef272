"""Pipes, guest side: kernel calls that the standard library does not offer, through the C library."""

from __future__ import annotations

import ctypes
import os
from typing import Final

LIBC: Final = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS: Final = 0x0002_0000
CLONE_NEWUTS: Final = 0x0400_0000
CLONE_NEWIPC: Final = 0x0800_0000
CLONE_NEWUSER: Final = 0x1000_0000
CLONE_NEWPID: Final = 0x2000_0000
CLONE_NEWNET: Final = 0x4000_0000

MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_REMOUNT: Final = 32
MS_NOATIME: Final = 1 << 10
MS_NODIRATIME: Final = 1 << 11
MS_BIND: Final = 1 << 12
MS_REC: Final = 1 << 14
MS_PRIVATE: Final = 1 << 18
MS_RELATIME: Final = 1 << 21
MNT_DETACH: Final = 2

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_SECCOMP: Final = 22
PR_SET_NO_NEW_PRIVS: Final = 38
SECCOMP_MODE_FILTER: Final = 2

SYS_PIVOT_ROOT: Final = 155
SYS_CLOSE_RANGE: Final = 436
SYS_LANDLOCK_CREATE: Final = 444
SYS_LANDLOCK_ADD: Final = 445
SYS_LANDLOCK_RESTRICT: Final = 446

M_ARENA_MAX: Final = -8

LIBC.mount.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_char_p]
LIBC.umount2.argtypes = [ctypes.c_char_p, ctypes.c_int]
LIBC.unshare.argtypes = [ctypes.c_int]
LIBC.setns.argtypes = [ctypes.c_int, ctypes.c_int]
LIBC.prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
LIBC.syscall.restype = ctypes.c_long


def checked(what: str, result: int) -> int:  # pragma: no cover
    """The result of a call, unless it failed.

    Raises:
        OSError: it did; the text names the call.
    """
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def unshare(flags: int) -> None:  # pragma: no cover
    """Move into new namespaces."""
    checked("unshare", LIBC.unshare(flags))


def setns(fd: int, kind: int) -> None:  # pragma: no cover
    """Move into the namespace of a process."""
    checked("setns", LIBC.setns(fd, kind))


def prctl(option: int, value: int, extra: int = 0) -> None:  # pragma: no cover
    """Set a property of this process."""
    checked(f"prctl {option}", LIBC.prctl(option, value, extra, 0, 0))


def mount(
    source: str | None, target: str, kind: str | None, flags: int, data: str | None = None
) -> None:  # pragma: no cover
    """Mount, bind or remount."""
    encoded = [text.encode() if text is not None else None for text in (source, target, kind, data)]
    checked(f"mount {target}", LIBC.mount(*encoded[:3], flags, encoded[3]))


def pivot_root(new: str, old: str) -> None:  # pragma: no cover
    """Make one folder the root and hang the former root on another."""
    checked("pivot_root", LIBC.syscall(SYS_PIVOT_ROOT, new.encode(), old.encode()))


def detach(target: str) -> None:  # pragma: no cover
    """Unmount a tree now; files that are open stay usable."""
    checked(f"umount {target}", LIBC.umount2(target.encode(), MNT_DETACH))


def one_arena() -> None:  # pragma: no cover
    """Keep the C library from reserving 64 MiB of address space for each thread."""
    LIBC.mallopt(M_ARENA_MAX, 1)
