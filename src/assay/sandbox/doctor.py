"""Pipes: what this machine offers a sandbox and why, as data for `assay sandbox doctor` (docs/adr/0026).

It acts as a slot does and reports where a slot would refuse. Nothing is decided by version or configuration.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import assay
from assay.sandbox.base import Level, SandboxUnavailable, Standing
from assay.sandbox.linux.warm import PATIENCE_S, interpreter
from assay.sandbox.opening import LAYERS, open_layers
from assay.sandbox.probe import PROPERTIES, short_of
from assay.sandbox.remedies import remedy, unsupported

_BOOT: Final = "import sys; sys.path.insert(0, {!r}); from assay.sandbox.guest.examine import main; main()"


@dataclass(frozen=True, slots=True)
class Tried:
    """One thing that was tried: whether it went through, and why not."""

    name: str
    works: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Reached:
    """What came of opening a slot at a level: its properties, or the reason why there is none."""

    level: Level
    reached: bool
    properties: Mapping[str, Standing]
    open_acts: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Examination:
    """What this machine offers. `best` is the level that a slot reaches, None where nothing may run."""

    system: str
    machine: str
    kernel: str
    python: str
    as_root: bool
    landlock_abi: int
    tried: tuple[Tried, ...]
    levels: tuple[Reached, ...]

    @property
    def best(self) -> Level | None:
        """The strongest level that was reached."""
        return next((found.level for found in self.levels if found.reached), None)


def examine(codec: str, *, python: str | None = None) -> Examination:
    """Try every part and both levels; takes about two seconds and leaves nothing behind."""
    system, machine = platform.system(), platform.machine()
    used = python or interpreter()
    reason = unsupported(system, machine)
    if reason is not None:
        none = tuple(Reached(level, reached=False, properties={}, why=reason) for level in Level)
        return Examination(
            system, machine, platform.release(), used, as_root=False, landlock_abi=0, tried=(), levels=none
        )
    version, tried = _parts(used)
    levels = tuple(_level(codec, level, used) for level in Level)
    return Examination(
        system, machine, platform.release(), used, os.geteuid() == 0, landlock_abi=version, tried=tried, levels=levels
    )


def _parts(python: str) -> tuple[int, tuple[Tried, ...]]:
    package = str(Path(assay.__file__).resolve().parents[1])
    command = [python, "-s", "-P", "-S", "-B", "-c", _BOOT.format(package)]
    try:
        run = subprocess.run(  # noqa: S603 - our own interpreter, no shell
            command, env={"LC_ALL": "C.UTF-8"}, capture_output=True, timeout=PATIENCE_S, check=True, cwd="/"
        )
        found = json.loads(run.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return 0, (Tried("interpreter", works=False, why=f"`{python}`: {error}"),)
    parts = [
        Tried(name, works=not why, why=remedy(f"{name}: {why}") if why else "") for name, why in found["tried"].items()
    ]
    return found["landlock"], (Tried("interpreter", works=True), *parts)


def _level(codec: str, level: Level, python: str) -> Reached:
    try:
        slot, findings = open_layers(codec, LAYERS[level], python=python)
    except SandboxUnavailable as error:
        return Reached(level, reached=False, properties={}, why=str(error))
    slot.close()
    weakest = {name: _weaker(*(found.properties[name] for found in findings)) for name in PROPERTIES}
    acts = tuple(act for found in findings for act in found.open_acts)
    return Reached(
        level, all(short_of(level, found) is None for found in findings), weakest, tuple(dict.fromkeys(acts))
    )


def _weaker(first: Standing, second: Standing) -> Standing:
    order = (Standing.ABSENT, Standing.PARTIAL, Standing.ENFORCED)
    return min(first, second, key=order.index)
