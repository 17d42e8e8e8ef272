"""Pipes: the kit that every back-end has to pass: hostile candidates are held, right ones work, nothing is left behind.

    python -m assay.sandbox.conformance --level A data/attacks/sandbox.toml

It needs nothing but the standard library, so that it also runs as another user and under another interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import socket
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from assay.sandbox.base import (
    Call,
    Calls,
    Candidate,
    Exited,
    Input,
    Inputs,
    Level,
    Limits,
    NotAValue,
    Printed,
    Program,
    Raised,
    Returned,
    RunReport,
    Sandbox,
    SandboxUnavailable,
    TooLarge,
)
from assay.sandbox.opening import open_slot
from assay.suite import guestcodec, wirecodec

ENTRY_POINT: Final = "attack"
HELD: Final = "held"
# A stuck attack ends before a person gives up; on a busy machine a right one has time enough.
LIMITS: Final = Limits(wall_s=20.0)
# Where a candidate that got out could write, and what the attacks and the probe call their files. Other programs write
# there as well, so other names say nothing.
_PLACES: Final = ("/", "/tmp", "/var/tmp", "/dev/shm", "/w")  # noqa: S108 - looked at only
_OURS: Final = re.compile(r"(?:[fd][0-9]+|c|link|mine|\.assay.*)\Z")


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile candidate, or, where only `held` is right and it does what honest code does, a control.

    One with `prints` is a program: it is given `stdin` and has to print exactly that.
    """

    name: str
    prop: str
    source: str
    ends: frozenset[str]
    limits: Limits
    stdin: str = ""
    prints: str | None = None
    level: Level = Level.B  # the weakest at which it can be asked for


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an attack: one word, whether that is right, and a line for a person."""

    name: str
    word: str
    right: bool
    detail: str


def codec_source() -> str:
    """The guest codec's text, as a sandbox loads it."""
    return Path(guestcodec.__file__).read_text(encoding="utf-8")


def read_attacks(path: Path) -> tuple[Attack, ...]:
    """The attacks and controls of a data file."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(_attack(row, document.get("prelude", "")) for row in document["attack"])


def _attack(row: dict[str, Any], prelude: str) -> Attack:
    own = {name: row[name] for name in ("cpu_s", "wall_s") if name in row}
    ends = frozenset({HELD, *row.get("ends", ())})
    limits = replace(LIMITS, **own)
    return Attack(
        row["id"],
        row["property"],
        prelude + row["code"],
        ends,
        limits,
        row.get("stdin", ""),
        row.get("prints"),
        Level(row.get("level", "B")),
    )


def judge(attack: Attack, report: RunReport) -> Outcome:
    """Whether the sandbox held; an answer that is not text of ours is no `held`."""
    detail = report.ending.detail
    if report.ending.how is not None:
        word = report.ending.how.value
    else:
        match report.observations:
            case (Returned(_, payload),):
                tree = wirecodec.decode(payload)
                text = tree[1] if tree is not None and tree[0] == "s" and isinstance(tree[1], str) else None
                word = "unreadable" if text is None else text.partition(" ")[0]
                detail = text or detail
            case (Raised(_, names, name),):
                word, detail = "memory" if "MemoryError" in names else "exception", name
            case (NotAValue(_, name),):
                word, detail = "not_a_value", name
            case (TooLarge(_, limit),):
                word, detail = "too_large", limit
            case (Printed(_, stdout, stderr),):
                word = HELD if stdout == (attack.prints or "").encode() else "wrong_value"
                detail = repr(stdout[:100] + stderr[-100:])
            case (Exited(),):
                word = "exit"
            case _:
                word = "nothing"
    return Outcome(attack.name, word, word in attack.ends, detail[:200])


@dataclass(slots=True)
class Canaries:
    """What an attack that got out would touch: a TCP port, an abstract socket, a file, all of the judge's."""

    tcp: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    local: socket.socket = field(default_factory=lambda: socket.socket(socket.AF_UNIX))
    name: str = field(default_factory=lambda: "canary-" + secrets.token_hex(8))

    def __post_init__(self) -> None:
        self.local.bind("\0" + self.name)
        self.local.listen()
        for listener in (self.tcp, self.local):
            listener.setblocking(False)

    def put_into(self, source: str) -> bytes:
        """The source with the canaries' names in it."""
        port = str(self.tcp.getsockname()[1])
        here = str(Path(__file__).resolve())
        return source.replace("@PORT@", port).replace("@ABSTRACT@", self.name).replace("@CANARY@", here).encode()

    def touched(self) -> list[str]:
        """Which of them somebody came to."""
        found = []
        for what, listener in (("the TCP port", self.tcp), ("the abstract socket", self.local)):
            try:
                listener.accept()[0].close()
            except BlockingIOError:
                continue
            found.append(what)
        return found

    def close(self) -> None:
        """Close them."""
        self.tcp.close()
        self.local.close()


def attempt(sandbox: Sandbox, attack: Attack, canaries: Canaries, *, again: bool = False) -> Outcome:
    """Run one attack and judge what came of it."""
    if attack.prints is None:
        program: Program = Calls(ENTRY_POINT, (Call(0, guestcodec.encode(((), {}, ""))),))
    else:
        program = Inputs((Input(0, attack.stdin.encode()),))
    report = sandbox.run(Candidate(canaries.put_into(attack.source)), program, attack.limits, again=again)
    outcome = judge(attack, report)
    touched = canaries.touched()
    if touched:
        return replace(outcome, right=False, detail=f"it reached {' and '.join(touched)}")
    return outcome


def children() -> set[int]:
    """Processes of ours and of theirs, as far as /proc tells."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (OSError, UnicodeDecodeError):
                continue
            parents[int(entry.name)] = int(fields[1])
    ours = {os.getpid()}
    while found := {process for process, parent in parents.items() if parent in ours and process not in ours}:
        ours |= found
    return ours - {os.getpid()}


def surroundings() -> dict[str, set[str]]:
    """What a run could leave on the host: processes, mounts, files, shared memory."""
    return {
        "processes": {str(process) for process in children()},
        "mounts": set(Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()),
        "files": {str(path) for place in _PLACES for path in _entries(Path(place)) if _OURS.match(path.name)},
        "segments": set(Path("/proc/sysvipc/shm").read_text(encoding="utf-8").splitlines()[1:]),
    }


def _entries(place: Path) -> Iterable[Path]:
    try:
        return list(place.iterdir())
    except OSError:
        return []


def left_over(before: dict[str, set[str]]) -> dict[str, list[str]]:
    """What is there now and was not before."""
    now = surroundings()
    return {what: sorted(now[what] - before[what]) for what in now if now[what] - before[what]}


def run_kit(level: Level, attacks: Sequence[Attack]) -> dict[str, Any]:
    """Open a slot at this level, try everything in it, close it, and look around."""
    before = surroundings()
    canaries = Canaries()
    try:
        sandbox = open_slot(codec_source(), level)
        try:
            outcomes = [attempt(sandbox, attack, canaries) for attack in attacks]
            isolation = sandbox.isolation[0]
        finally:
            sandbox.close()
    finally:
        canaries.close()
    return {
        "level": str(isolation.level),
        "python": isolation.python,
        "uid": os.geteuid(),
        "tried": len(outcomes),
        "held": sum(outcome.right for outcome in outcomes),
        "wrong": [[outcome.name, outcome.word, outcome.detail] for outcome in outcomes if not outcome.right],
        "left": left_over(before),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what held as JSON; 0 where everything did, 1 where something did not."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--level", choices=[str(level) for level in Level], default="A")
    parser.add_argument("--only", default="", help="the name of one attack, or `quick`: those without limits of time")
    parser.add_argument("attacks", type=Path, nargs="+")
    given = parser.parse_args(arguments)
    level = Level(given.level)
    attacks = [
        attack
        for path in given.attacks
        for attack in read_attacks(path)
        if (level is Level.A or attack.level is level)
        and (given.only in ("", attack.name) or (given.only == "quick" and attack.limits == LIMITS))
    ]
    try:
        found = run_kit(level, attacks)
    except SandboxUnavailable as error:
        found = {"unavailable": str(error)}
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0 if found.get("held") == len(attacks) and not found.get("left") else 1


if __name__ == "__main__":
    sys.exit(main())
