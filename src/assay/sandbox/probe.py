"""Pipes: what a slot was seen to refuse, as properties, and which level that is (docs/adr/0026)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import assay
from assay.sandbox.base import (
    Candidate,
    Input,
    Inputs,
    Level,
    Limits,
    Printed,
    RunReport,
    SandboxUnavailable,
    Standing,
)
from assay.sandbox.guest import acts
from assay.sandbox.linux.endings import FORBIDDEN_CALL

Run = Callable[[Candidate, Inputs, Limits], RunReport]

# What each property means is in docs/reference/sandbox.md; acts are named after the property that they try.
OF_ACTS: Final = (
    "files",
    "writes",
    "folder",
    "processes",
    "view",
    "threads",
    "network",
    "privileges",
    "kernel",
    "ipc",
    "memory",
    "output",
    "limits",
    "environment",
    "descriptors",
    "library",
)
PROPERTIES: Final = (*OF_ACTS, "signals", "descendants", "time")
# What level B does without: a folder to write in, a PID namespace, a count of threads.
WITHOUT_IN_B: Final = frozenset({"folder", "view", "threads", "descendants"})
# More than a candidate may start, fewer than would hurt where nothing stops it.
_SPARE_THREADS: Final = 4
_SIGNALLER: Final = b"import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
_PROBE_LIMITS: Final = Limits()


@dataclass(frozen=True, slots=True)
class Findings:
    """What the probe saw in one interpreter of a slot."""

    properties: Mapping[str, Standing]
    open_acts: tuple[str, ...]
    hashed: str

    @property
    def level(self) -> Level | None:
        """The strongest level that was reached, if any."""
        missing = {name for name in PROPERTIES if self.properties[name] is not Standing.ENFORCED}
        if not missing:
            return Level.A
        return Level.B if missing <= WITHOUT_IN_B else None


def short_of(level: Level, found: Findings) -> str | None:
    """What keeps the findings from this level, in one line; None where they reach it."""
    if found.level is Level.A or found.level is level:
        return None
    missing = [name for name in PROPERTIES if found.properties[name] is not Standing.ENFORCED]
    if level is Level.B:
        missing = [name for name in missing if name not in WITHOUT_IN_B]
    short = ", ".join(f"`{name}` is {found.properties[name]}" for name in missing)
    acts = ", ".join(f"`{act}`" for act in found.open_acts[:3])
    return f"level {level} is not reached: {short}" + (f" (the probe got through with {acts})" if acts else "")


def probe(run: Run) -> Findings:
    """Run the hostile candidate of our own and say what held.

    Raises:
        SandboxUnavailable: it could not be run, or ended in a way that shows nothing.
    """
    limits = _PROBE_LIMITS
    given = {
        "canary": str(Path(assay.__file__).resolve()),
        "folder": limits.folder_bytes,
        "threads": limits.threads + _SPARE_THREADS,
        "cpu": limits.cpu_backstop_s,
        "output": limits.output_bytes,
    }
    source = Path(acts.__file__).read_bytes()
    report = run(Candidate(source), Inputs((Input(0, json.dumps(given).encode() + b"\n"),)), limits)
    match report.observations:
        case (Printed(_, stdout, _),) if report.ending.how is None:
            said = stdout.decode("utf-8", "replace")
        case _:
            raise SandboxUnavailable(
                "sandbox.probe",
                f"the probe ended by `{report.ending.how}` ({report.ending.detail}); see `assay sandbox doctor`",
            )
    signals = run(Candidate(_SIGNALLER), Inputs((Input(0, b""),)), limits)
    return read(said, signalled=signals.ending.detail == FORBIDDEN_CALL)


def read(said: str, *, signalled: bool) -> Findings:
    """The findings in the probe's lines. What was not tried, or not said in a known form, did not hold."""
    held: dict[str, list[bool]] = {name: [] for name in OF_ACTS}
    open_acts: list[str] = []
    hashed = ""
    for line in said.splitlines():
        act, _, rest = line.partition(" ")
        word = rest.partition(" ")[0]
        name = act.partition(".")[0]
        if act == "hash.text":
            hashed = word
        elif name in held:
            held[name].append(word == "held")
            if word != "held":
                open_acts.append(f"{act} {rest}")
    properties = {name: _standing(tried) for name, tried in held.items()}
    properties["signals"] = Standing.ENFORCED if signalled else Standing.ABSENT
    # Whatever a candidate made dies with its PID namespace; without one, it is the refusal to fork that leaves nobody.
    if properties["view"] is Standing.ENFORCED:
        properties["descendants"] = Standing.ENFORCED
    else:
        properties["descendants"] = (
            Standing.PARTIAL if properties["processes"] is Standing.ENFORCED else Standing.ABSENT
        )
    # Kept by the judge; that its limits kill is shown by the conformance kit, not waited for at each start.
    properties["time"] = Standing.ENFORCED if properties["limits"] is Standing.ENFORCED else Standing.PARTIAL
    return Findings(properties, tuple(open_acts), hashed)


def _standing(tried: list[bool]) -> Standing:
    if tried and all(tried):
        return Standing.ENFORCED
    return Standing.PARTIAL if any(tried) else Standing.ABSENT
