"""Pipes, guest side: the layers around the zygote, put on once (docs/adr/0023); those of each child are in steps.py."""

# Runs in the zygote alone, where no coverage tool is: the probe and tests/sandbox look from inside.

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import Final

from assay.sandbox.guest import landlock, root
from assay.sandbox.guest.syscalls import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    PR_SET_DUMPABLE,
    prctl,
    unshare,
)

NOBODY: Final = 65_534
_OUTER: Final = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS


@dataclass(frozen=True, slots=True)
class Layers:
    """Which layers are on. All of them, but for level B and for tests that show what a layer is for."""

    namespaces: bool
    landlock: bool
    seccomp: bool


def give_up_root(uid: int) -> None:  # pragma: no cover
    """Become a user that is nobody on the host. Limits on tasks do not hold for uid 0, so root may not stay root."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def enter_namespaces(uid: int, readable: list[str]) -> None:  # pragma: no cover
    """Move this process into its namespaces and its root; its next child is the first process of the PID namespace."""
    host = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    as_root = os.geteuid() == 0
    if as_root:
        unshare(_OUTER)
        _name_host()
        root.build(readable)
        give_up_root(uid)
        # A process that changed its user may not write its own maps unless it says that it may be looked at.
        prctl(PR_SET_DUMPABLE, 1)
    user, group = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | (0 if as_root else _OUTER))
    for name, text in (("setgroups", "deny"), ("uid_map", f"{NOBODY} {user} 1"), ("gid_map", f"{NOBODY} {group} 1")):
        # The old root is gone, its /proc is still held open.
        place = os.open(f"self/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=host)
        os.write(place, text.encode())
        os.close(place)
    if not as_root:
        _name_host()
        root.build(readable)
    os.close(host)


def _name_host() -> None:  # pragma: no cover
    socket.sethostname("candidate")


def allowed(layers: Layers, readable: list[str]) -> list[tuple[str, int]]:  # pragma: no cover
    """What Landlock grants: reading the library, and writing in the private folder where there is one."""
    granted = [(path, landlock.READ) for path in root.DEVICES]
    granted.append(("/dev/null", landlock.WRITE_FILE))
    if layers.namespaces:
        granted += [(path, landlock.READ) for path in readable]
        granted.append((root.WORK, landlock.WORK))
        return granted
    # Without a root of its own, what is masked there has to be left out here: entry by entry, since rules only add.
    hidden = root.masked(readable)
    for path in readable:
        if any(mask.startswith(path + "/") for mask in hidden):
            granted += [(entry.path, landlock.READ) for entry in os.scandir(path) if entry.path not in hidden]
        else:
            granted.append((path, landlock.READ))
    return granted
