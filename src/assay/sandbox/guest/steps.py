"""Pipes, guest side: what isolates a child, as a list of kernel calls that is drawn up before the fork (docs/adr/0023).

A list, since it can be read from top to bottom, and since each page that a child writes to is copied: walking a list
that lies ready touches a third of the pages that as many functions do.
"""

# Walked in children of the zygote alone, where no coverage tool is: the probe and tests/sandbox look from inside.

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from dataclasses import dataclass
from typing import Final

from assay.sandbox.guest import root
from assay.sandbox.guest.layers import Layers
from assay.sandbox.guest.seccomp import Filter
from assay.sandbox.guest.syscalls import (
    CLONE_NEWNS,
    LIBC,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    PR_SET_PDEATHSIG,
    PR_SET_SECCOMP,
    SECCOMP_MODE_FILTER,
    SYS_CLOSE_RANGE,
    SYS_LANDLOCK_RESTRICT,
)

CHANNEL: Final = 3
# What most systems have. Under an inherited "unlimited", recursion would end by memory here and by depth there.
_STACK: Final = 8 << 20
_UNLIMITED: Final = 2**64 - 1
_DUP2, _CHDIR, _MKDIR, _SETSID, _CAPSET = 33, 80, 83, 112, 126
_PRCTL, _MOUNT, _UNSHARE, _PRLIMIT = 157, 165, 272, 302
_CAPABILITIES: Final = struct.pack("Ii", 0x2008_0522, 0)
_NONE: Final = bytes(24)

# Number and six arguments; a pointer is the address of bytes that are kept beside the list.
Step = tuple[int, int, int, int, int, int, int]

# A function object of its own: `LIBC.syscall` takes arguments as they come, this one 64-bit integers alone.
_call = LIBC["syscall"]
_call.argtypes = [ctypes.c_long] * 7
_call.restype = ctypes.c_long


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one child may use."""

    memory: int
    cpu: int
    file: int
    folder: int
    inodes: int
    files: int
    tasks: int


@dataclass(frozen=True, slots=True)
class Shared:
    """What is the same for all children of a zygote."""

    layers: Layers
    rules: int
    filter: Filter
    memory: int


class Plan:
    """The steps of a child with these bounds, but for the numbers of its descriptors."""

    def __init__(self, shared: Shared, bounds: Bounds) -> None:
        self.bounds = bounds
        self._kept: list[ctypes.Array[ctypes.c_char]] = []
        layers = shared.layers
        self._before = [_step(_PRCTL, PR_SET_PDEATHSIG, signal.SIGKILL)]
        # Signals to a process group cross PID namespaces.
        self._before.append(_step(_SETSID))
        self._after: list[Step] = []
        if layers.namespaces:
            self._before += self._folder(bounds)
            self._after.append(_step(_CAPSET, self._at(_CAPABILITIES), self._at(_NONE)))
        if layers.landlock:
            self._after.append(_step(SYS_LANDLOCK_RESTRICT, shared.rules))
        self._after.append(_step(SYS_CLOSE_RANGE, CHANNEL + 1, 0xFFFF_FFFF))
        self._after += [self._limit(kind, most) for kind, most in _limits(shared, bounds)]
        if layers.seccomp:
            self._after.append(_step(_PRCTL, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, shared.filter.address))

    def _at(self, data: bytes) -> int:
        """The address of bytes that stay where they are."""
        self._kept.append(ctypes.create_string_buffer(data, len(data)))
        return ctypes.addressof(self._kept[-1])

    def _folder(self, bounds: Bounds) -> list[Step]:
        """A mount namespace of its own and in it an empty folder of its own, where the child is then."""
        kind = self._at(b"tmpfs\0")
        place = self._at(root.FOLDER.encode() + b"\0")
        home = self._at(root.HOME.encode() + b"\0")
        options = self._at(f"size={bounds.folder},nr_inodes={bounds.inodes},mode=700\0".encode())
        return [
            _step(_UNSHARE, CLONE_NEWNS),
            _step(_MOUNT, kind, place, kind, MS_NOSUID | MS_NODEV | MS_NOEXEC, options),
            _step(_MKDIR, home, 0o700),
            _step(_CHDIR, home),
        ]

    def _limit(self, kind: int, most: int) -> Step:
        """Lower a limit for good; where a container's own is lower still, that one stands."""
        hard = resource.getrlimit(kind)[1]
        least = min(most, _UNLIMITED if hard == resource.RLIM_INFINITY else hard)
        return _step(_PRLIMIT, 0, kind, self._at(struct.pack("QQ", least, least)))

    def steps(self, channel: int, stdin: int, stdout: int, stderr: int) -> list[Step]:
        """All steps. INVARIANT: what arrives has numbers from 3 on, so 0, 1, 2 and then 3 overwrite nothing needed."""
        places = enumerate((stdin, stdout, stderr, channel))
        return [*self._before, *(_step(_DUP2, old, new) for new, old in places if old != new), *self._after]


def _step(number: int, *arguments: int) -> Step:
    one, two, three, four, five, six = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    return number, one, two, three, four, five, six


def _limits(shared: Shared, bounds: Bounds) -> list[tuple[int, int]]:
    wanted = [
        (resource.RLIMIT_CPU, bounds.cpu),
        (resource.RLIMIT_FSIZE, bounds.file),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, bounds.files),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 64),
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_AS, shared.memory + bounds.memory),
    ]
    if shared.layers.namespaces:
        # Counted per user namespace. Without one, a limit would count the user's other programs.
        wanted.append((resource.RLIMIT_NPROC, bounds.tasks))
    return wanted


def walk(steps: list[Step]) -> None:  # pragma: no cover
    """Take every step.

    Raises:
        OSError: one was refused; the child must then end.
    """
    for step in steps:
        if _call(*step) == -1:
            number = ctypes.get_errno()
            raise OSError(number, f"call {step[0]}{step[1:]}: {os.strerror(number)}")
