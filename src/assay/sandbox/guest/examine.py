"""Pipes, guest side: tries what a sandbox is made of, part by part, each in a process of its own (for `doctor`)."""

# Runs in an interpreter of its own, where no coverage tool is: tests/sandbox reads what it prints.

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Final

from assay.sandbox.guest import landlock
from assay.sandbox.guest.seccomp import Filter
from assay.sandbox.guest.syscalls import (
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    MS_PRIVATE,
    MS_REC,
    PR_SET_NO_NEW_PRIVS,
    mount,
    prctl,
    unshare,
)


def _namespace(kind: int) -> Callable[[], object]:  # pragma: no cover
    """In a user namespace where one is not root, since that is how a plain user has the others."""
    return lambda: unshare(kind if os.geteuid() == 0 or kind == CLONE_NEWUSER else kind | CLONE_NEWUSER)


def _mount() -> None:  # pragma: no cover
    _namespace(CLONE_NEWNS)()
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    mount("tmpfs", "/tmp", "tmpfs", 0, "size=4k")  # noqa: S108 - in a mount namespace of its own


def _seccomp() -> None:  # pragma: no cover
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    Filter().install()
    try:
        os.fork()
    except PermissionError:
        return
    raise OSError(errno.EPROTO, "the filter let a fork through")


def _landlock() -> None:  # pragma: no cover
    version = landlock.abi()
    if not version:
        raise OSError(errno.ENOSYS, "this kernel has none")
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    landlock.restrict(landlock.ruleset(version, []))
    try:
        os.listdir("/")  # noqa: PTH208 - one call of the kernel
    except PermissionError:
        return
    raise OSError(errno.EPROTO, "the ruleset let a folder be read")


def _clock() -> None:  # pragma: no cover
    time.clock_gettime((~os.getpid() << 3) | 2)


TRIED: Final[dict[str, Callable[[], object]]] = {
    "user namespace": _namespace(CLONE_NEWUSER),
    "mount namespace": _namespace(CLONE_NEWNS),
    "PID namespace": _namespace(CLONE_NEWPID),
    "network namespace": _namespace(CLONE_NEWNET),
    "IPC namespace": _namespace(CLONE_NEWIPC),
    "UTS namespace": _namespace(CLONE_NEWUTS),
    "mount of a tmpfs": _mount,
    "seccomp filter": _seccomp,
    "Landlock": _landlock,
    "pidfd": lambda: os.pidfd_open(os.getpid()),
    "memory file": lambda: os.memfd_create("x"),
    "process clock": _clock,
}


def attempt(act: Callable[[], object]) -> str:  # pragma: no cover
    """An empty text where the act went through in a child, else why not."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            act()
            said = b""
        except BaseException as error:  # noqa: BLE001 - the reason is the result
            said = str(error).encode()
        os.write(writer, said)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        said = pipe.read()
    status = os.waitpid(child, 0)[1]
    return said.decode("utf-8", "replace") or ("" if status == 0 else f"the process died with status {status}")


def main() -> None:  # pragma: no cover
    """Print what was tried and what came of it as one JSON object."""
    found = {name: attempt(act) for name, act in TRIED.items()}
    sys.stdout.write(json.dumps({"tried": found, "landlock": landlock.abi()}))
