"""Pipes, guest side: Landlock rulesets: access to files, TCP, abstract sockets and signals, as the kernel has it."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from typing import Final

from assay.sandbox.guest.syscalls import (
    LIBC,
    SYS_LANDLOCK_ADD,
    SYS_LANDLOCK_CREATE,
    SYS_LANDLOCK_RESTRICT,
    checked,
)

WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_DIR: Final = 1 << 3
REMOVE_DIR: Final = 1 << 4
REMOVE_FILE: Final = 1 << 5
MAKE_DIR: Final = 1 << 7
MAKE_REG: Final = 1 << 8
REFER: Final = 1 << 13
TRUNCATE: Final = 1 << 14
IOCTL_DEV: Final = 1 << 15

_OF_FILES: Final = WRITE_FILE | READ_FILE | TRUNCATE
READ: Final = READ_FILE | READ_DIR
WORK: Final = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE

_FIRST_THIRTEEN: Final = (1 << 13) - 1
_TCP: Final = 3
_ABSTRACT_SOCKETS_AND_SIGNALS: Final = 3
_VERSION: Final = 1
_PATH_BENEATH: Final = 1


def abi() -> int:
    """The version of Landlock that the kernel has; 0 is none."""
    found: int = LIBC.syscall(SYS_LANDLOCK_CREATE, None, 0, _VERSION)
    return max(0, found)


def handled(version: int) -> int:
    """Every right on files that this version can refuse."""
    rights = _FIRST_THIRTEEN
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)):
        rights |= right if version >= since else 0
    return rights


def attributes(version: int) -> bytes:
    """The structure that asks this version to refuse all that it can."""
    full = struct.pack("QQQ", handled(version), _TCP, _ABSTRACT_SOCKETS_AND_SIGNALS)
    return full[: 24 if version >= 6 else 16 if version >= 4 else 8]


def ruleset(version: int, allowed: Iterable[tuple[str, int]]) -> int:  # pragma: no cover
    """A descriptor of a ruleset that refuses everything but these rights below these paths."""
    asked = attributes(version)
    rules = checked("landlock_create_ruleset", LIBC.syscall(SYS_LANDLOCK_CREATE, asked, len(asked), 0))
    for path, rights in allowed:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        granted = rights & handled(version)
        if not os.path.isdir(path):  # noqa: PTH112 - every module loaded here costs each candidate copied pages
            granted &= _OF_FILES
        rule = struct.pack("=Qi", granted, place)
        checked("landlock_add_rule", LIBC.syscall(SYS_LANDLOCK_ADD, rules, _PATH_BENEATH, rule, 0))
        os.close(place)
    return rules


def restrict(rules: int) -> None:  # pragma: no cover
    """Bind this process, and whatever it makes, to the ruleset."""
    checked("landlock_restrict_self", LIBC.syscall(SYS_LANDLOCK_RESTRICT, rules, 0))
