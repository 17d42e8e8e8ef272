"""Pipes: what to do where this machine does not give the sandbox. Texts only; what is missing was found by acting."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Final

_APPARMOR: Final = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_MOST: Final = Path("/proc/sys/user/max_user_namespaces")
_CLONE: Final = Path("/proc/sys/kernel/unprivileged_userns_clone")
# The warm interpreter keeps its own from number 100 on, beyond those that a candidate may have.
OPEN_FILES: Final = 128
_USUAL_FILES: Final = 1024
_ELSEWHERE: Final = "run `assay` in a Linux virtual machine or container on an x86-64 processor"


def unsupported(system: str, machine: str) -> str | None:
    """Why there is no back-end for this system and processor, and what to use instead; None where there is one."""
    if system != "Linux":
        return f"no sandbox for {system}: it has nothing that holds a hostile candidate; {_ELSEWHERE}"
    if machine not in ("x86_64", "AMD64"):
        return f"no sandbox for the processor {machine}: the table of system calls is that of x86-64; {_ELSEWHERE}"
    return None


def short_of_files(most: int) -> str | None:
    """Why a slot cannot be opened under this limit on open files, and what mends it; None where it can."""
    if most == resource.RLIM_INFINITY or most >= OPEN_FILES:
        return None
    return f"the limit on open files is {most}, a slot needs {OPEN_FILES}; raise it: `ulimit -n {_USUAL_FILES}`"


def remedy(problem: str) -> str:
    """The problem with the line that mends it, where one is known."""
    if "unshare" in problem or "namespace" in problem or "`view`" in problem:
        return f"{problem}; {for_namespaces()}"
    if "landlock" in problem:
        return f"{problem}; boot with `lsm=landlock,…`, or use a kernel of at least 5.13"
    if "Too many open files" in problem:
        return f"{problem}; raise the limit on open files: `ulimit -n {_USUAL_FILES}`"
    if "cannot read" in problem:
        return f"{problem}; use an interpreter outside a private folder"
    return problem


def for_namespaces(apparmor: Path = _APPARMOR, most: Path = _MOST, clone: Path = _CLONE) -> str:
    """The line that opens user namespaces here: the first switch that is found off."""
    if _read(apparmor) == "1":
        return "as root: `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
    if _read(most) == "0":
        return "as root: `sysctl -w user.max_user_namespaces=10000`"
    if _read(clone) == "0":
        return "as root: `sysctl -w kernel.unprivileged_userns_clone=1`"
    return "in a container: start it with the seccomp profile data/sandbox/container-seccomp.json"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
