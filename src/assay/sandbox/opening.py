"""Pipes: opens a worker's sandbox at the level that was asked for, or refuses and says what would mend it."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Mapping
from typing import Final

from assay.sandbox.base import (
    Candidate,
    Inputs,
    Isolation,
    Level,
    Limits,
    RunReport,
    SandboxUnavailable,
    Standing,
)
from assay.sandbox.linux.lane import Lane
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.linux.warm import Settings, Warm, interpreter
from assay.sandbox.probe import PROPERTIES, Findings, probe, short_of
from assay.sandbox.remedies import remedy, short_of_files, unsupported

HASH_SEEDS: Final = (0, 1)
# Between the ranges that systemd gives to greeters and to dynamic users: nobody's.
_FIRST_UID, _UIDS = 60_706, 478
LAYERS: Final[Mapping[Level, Mapping[str, bool]]] = {
    Level.A: {"namespaces": True, "landlock": True, "seccomp": True},
    Level.B: {"namespaces": False, "landlock": True, "seccomp": True},
}


def open_slot(codec: str, level: Level = Level.A, *, number: int = 0, python: str | None = None) -> LinuxSlot:
    """A worker's sandbox, seen to hold at `level`.

    `codec` is the source of the suite's guest codec; `number` tells the slots of one program apart; `python` is an
    interpreter outside any virtual environment, by default this one's.

    Raises:
        SandboxUnavailable: this machine does not give it; the message names the first thing that is missing.
    """
    slot, findings = open_layers(codec, LAYERS[level], number=number, python=python)
    for found in findings:
        short = short_of(level, found)
        if short is not None:
            slot.close()
            raise SandboxUnavailable("sandbox.level", remedy(short))
    return slot


def open_layers(
    codec: str, layers: Mapping[str, bool], *, number: int = 0, python: str | None = None
) -> tuple[LinuxSlot, tuple[Findings, Findings]]:
    """A slot with these layers and what the probe saw in it, whatever that is. For `doctor` and for tests of the probe.

    Raises:
        SandboxUnavailable: it does not start, or the probe cannot be run in it.
    """
    reason = unsupported(platform.system(), platform.machine())
    if reason is not None:
        raise SandboxUnavailable("sandbox.platform", reason)
    reason = short_of_files(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    if reason is not None:
        raise SandboxUnavailable("sandbox.start", reason)
    first, second = _warm(codec, layers, number, python or interpreter())
    slot = LinuxSlot((Lane(first), Lane(second)), (_isolation(first, None), _isolation(second, None)))
    try:
        findings = _examine(slot, again=False), _examine(slot, again=True)
    except BaseException:
        slot.close()
        raise
    if findings[0].hashed == findings[1].hashed:
        slot.close()
        raise SandboxUnavailable("sandbox.seed", "both warm interpreters hash alike; PYTHONHASHSEED has no effect here")
    slot.isolation = _isolation(first, findings[0]), _isolation(second, findings[1])
    return slot, findings


def _warm(codec: str, layers: Mapping[str, bool], number: int, python: str) -> tuple[Warm, Warm]:
    uid = _FIRST_UID + (os.getpid() + number) % _UIDS
    started: list[Warm] = []
    try:
        # Both are on their way before the first is waited for.
        started.extend(Warm.start(Settings(seed, uid, codec, layers, python)) for seed in HASH_SEEDS)
        for warm in started:
            warm.wait_ready()
    except SandboxUnavailable as error:
        for warm in started:
            warm.close()
        raise SandboxUnavailable(error.code, remedy(str(error))) from error
    return started[0], started[1]


def _examine(slot: LinuxSlot, *, again: bool) -> Findings:
    def run(candidate: Candidate, program: Inputs, limits: Limits) -> RunReport:
        return slot.run(candidate, program, limits, again=again)

    return probe(run)


def _isolation(warm: Warm, found: Findings | None) -> Isolation:
    return Isolation(
        level=found.level if found else None,
        properties=found.properties if found else dict.fromkeys(PROPERTIES, Standing.ABSENT),
        backend="linux",
        kernel=platform.release(),
        machine=platform.machine(),
        python=warm.facts["python"],
        landlock_abi=warm.facts["landlock"],
        started_as_root=os.geteuid() == 0,
        baseline_memory_bytes=warm.facts["memory"],
        hash_seed=warm.settings.seed,
        implementation=warm.facts["implementation"],
    )
