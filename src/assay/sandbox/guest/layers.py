"""Pipes, guest side: the layers of isolation: once for the zygote, then for each child (docs/adr/0023)."""

# Runs in the zygote and its children alone, where no coverage tool is: the probe and tests/sandbox look from inside.

from __future__ import annotations

import os
import resource
import signal
import socket
from dataclasses import dataclass
from typing import Final

from assay.sandbox.guest import landlock, root
from assay.sandbox.guest.seccomp import Filter
from assay.sandbox.guest.syscalls import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    close_from,
    drop_capabilities,
    mount,
    prctl,
    unshare,
)

NOBODY: Final = 65_534
CHANNEL: Final = 3
# What most systems have. Under an inherited "unlimited", recursion would end by memory here and by depth there.
_STACK: Final = 8 << 20
_OUTER: Final = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS


@dataclass(frozen=True, slots=True)
class Layers:
    """Which layers are on. All of them, but for level B and for tests that show what a layer is for."""

    namespaces: bool
    landlock: bool
    seccomp: bool


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
class Prepared:
    """What children need and what is the same for all of them."""

    layers: Layers
    rules: int
    filter: Filter
    memory: int


def give_up_root(uid: int) -> None:
    """Become a user that is nobody on the host. Limits on tasks do not hold for uid 0, so root may not stay root."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def enter_namespaces(uid: int, readable: list[str]) -> None:
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


def _name_host() -> None:
    socket.sethostname("candidate")


def allowed(layers: Layers, readable: list[str]) -> list[tuple[str, int]]:
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


def isolate(ready: Prepared, bounds: Bounds, descriptors: tuple[int, int, int, int]) -> None:
    """Put every layer around this child; `descriptors` are the channel, then what become 0, 1 and 2.

    Raises:
        OSError: a layer could not be put on; the child must then end.
    """
    channel, *streams = descriptors
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # Signals to a process group cross PID namespaces.
    os.setsid()
    if ready.layers.namespaces:
        unshare(CLONE_NEWNS)
        options = f"size={bounds.folder},nr_inodes={bounds.inodes},mode=700"
        mount("tmpfs", root.FOLDER, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)
        os.chdir(root.FOLDER)
    for number, descriptor in enumerate(streams):
        os.dup2(descriptor, number)
    os.dup2(channel, CHANNEL)
    if ready.layers.namespaces:
        drop_capabilities()
    if ready.layers.landlock:
        landlock.restrict(ready.rules)
    close_from(CHANNEL + 1)
    _limit(ready, bounds)
    if ready.layers.seccomp:
        ready.filter.install()


def _limit(ready: Prepared, bounds: Bounds) -> None:
    """Set hard limits; each is lowered only, so a container's own lower limit stands."""
    wanted = [
        (resource.RLIMIT_CPU, bounds.cpu),
        (resource.RLIMIT_FSIZE, bounds.file),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, bounds.files),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_SIGPENDING, 64),
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_AS, ready.memory + bounds.memory),
    ]
    if ready.layers.namespaces:
        # Counted per user namespace. Without one, a limit would count the user's other programs.
        wanted.append((resource.RLIMIT_NPROC, bounds.tasks))
    for kind, most in wanted:
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
