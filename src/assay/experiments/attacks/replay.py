"""Workshops: every attempt on every task of a bank, through the reader of `gate check`, then the gauge; counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from assay.experiments.attacks.forgeries import ATTEMPTS, HONEST, Attempt, Ground
from assay.experiments.attacks.leftovers import Left
from assay.experiments.attacks.paper import PAPER
from assay.gate.banks import BankTask, read_bank
from assay.gate.deliver import Bench
from assay.gate.gauge import gauge
from assay.gate.strength import strength
from assay.kernel.errors import InputError
from assay.sandbox import base
from assay.suite.dialects import PYTHON_CALL
from assay.suite.refusals import InvalidSuite
from assay.suite.render import render
from assay.suite.spec import SuiteSpec, bind, document
from assay.wire.suites import parse_suite

SHORT: Final = 3  # cases: enough to be told from the first alone, and seventy attempts are read faster
MUTANTS: Final = 10  # of each reference: it is the mean over tasks that counts
PRECONDITION: Final = (
    "These figures hold only where the need can be written as executable acceptance tests or as pinned evidence; "
    "where it cannot, nothing here verifies it."
)


@dataclass(slots=True)
class Row:
    """One attempt over the tasks of a bank: refused on reading by code, read, and of those gauged what came of it."""

    attempt: Attempt
    tried: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    read: int = 0
    gauged: int = 0
    gauge_refused: Counter[str] = field(default_factory=Counter)
    accepted: int = 0
    mutants: int = 0
    killed: int = 0

    def document(self) -> dict[str, object]:
        """The row as JSON."""
        return {
            "family": self.attempt.family,
            "attempt": self.attempt.name,
            "tried": self.tried,
            "refused_on_reading": dict(sorted(self.refused.items())),
            "read": self.read,
            "gauged": self.gauged,
            "refused_by_gauge": dict(sorted(self.gauge_refused.items())),
            "accepted_by_gauge": self.accepted,
            "mutants": self.mutants,
            "killed": self.killed,
            "if_read": self.attempt.if_read if self.read else "",
        }


@dataclass(frozen=True, slots=True)
class Target:
    """A task that is attacked, and the reference that gauges."""

    ground: Ground
    reference: str | None


def targets(bank: Path, on_task: Callable[[int], None] = lambda _: None) -> tuple[list[Target], int]:
    """The tasks of a bank that ask for a function and have cases, and how many have none of either.

    Raises:
        InputError: the file is no bank, or has no such task.
        OSError: it cannot be read.
    """
    found, others = [], 0
    for task in read_bank(bank):
        ground = _ground(task)
        if ground is None:
            others += 1
        else:
            found.append(Target(ground, task.reference))
        on_task(len(found) + others)
    if not found:
        raise InputError("bank.shape", "no task of the bank asks for a function; give one with the dialect `call`")
    return found, others


def _ground(task: BankTask) -> Ground | None:
    parts = [part for part in (task.visible, task.hidden) if isinstance(part, SuiteSpec)]
    if not parts or parts[0].dialect != PYTHON_CALL or not isinstance(task.visible, SuiteSpec):
        return None
    whole = SuiteSpec(parts[0].dialect, parts[0].entry_point, tuple(one for part in parts for one in part.questions))
    found = document(whole)
    return Ground(whole.entry_point, found, {**found, "cases": _cases(found)[:SHORT]})


def _cases(found: Mapping[str, object]) -> Sequence[object]:
    cases = found["cases"]
    assert isinstance(cases, list)  # noqa: S101 - the canonical document has it
    return cases


def replay(  # noqa: PLR0913 (each is one choice of the caller, by name)
    found: Sequence[Target],
    bench: Bench | None,
    limits: base.Limits,
    *,
    gauged: int,
    attempts: Sequence[Attempt] = ATTEMPTS,
    on_step: Callable[[int, int], None] = lambda _, __: None,
) -> list[Row]:
    """Try every attempt on every task; gauge what is read, on `gauged` tasks evenly spaced, where there is a bench.

    Raises:
        SandboxUnavailable: our own fault, twice.
    """
    rows = [Row(attempt) for attempt in attempts]
    chosen = {at * len(found) // gauged for at in range(gauged)} if 0 < gauged < len(found) else set(range(len(found)))
    total = len(found) * len(rows)
    for number, target in enumerate(found):
        for at, row in enumerate(rows):
            on_step(number * len(rows) + at, total)
            spec = _read(row, target)
            if spec is not None and bench is not None and number in chosen and target.reference is not None:
                _gauge(row, spec, target.reference.encode(), bench, limits)
    on_step(total, total)
    return rows


def _read(row: Row, target: Target) -> SuiteSpec | None:
    """Hand the bytes to the reader of `gate check`, with the task's function; nothing but a refusal may come back."""
    row.tried += 1
    entry_point = target.ground.entry_point
    try:
        spec = bind(parse_suite(row.attempt.build(target.ground), entry_point), entry_point)
        render(spec)
    except InvalidSuite as fault:
        row.refused[fault.code] += 1
        return None
    row.read += 1
    return spec


def _gauge(row: Row, spec: SuiteSpec, reference: bytes, bench: Bench, limits: base.Limits) -> None:
    row.gauged += 1
    seen = gauge(spec, reference, bench, limits)
    if seen.holds:
        row.accepted += 1
        # What the gauge does not stop is measured: how many small mistakes of the reference such a suite sees.
        reach = strength(spec, reference, bench, limits, most=MUTANTS)
        row.mutants += reach.generated
        row.killed += reach.killed
        return
    passing = [one.name for one in seen.stubs if not one.is_told]
    row.gauge_refused[f"stub `{passing[0]}` passes" if passing else "reference fails"] += 1


def table(rows: Sequence[Row], left: Sequence[Left], *, without: int) -> dict[str, object]:
    """The whole of a replay as JSON, the paper's figures beside it."""
    return {
        "tasks": rows[0].tried if rows else 0,
        "not_attacked": without,
        "attempts": [row.document() for row in rows],
        "candidates": [{"leaves": one.name, "contained": one.is_contained} for one in left],
        "paper": {family: [asdict(one) for one in found] for family, found in PAPER.items()},
        "precondition": PRECONDITION,
    }


def is_stopped(rows: Sequence[Row]) -> bool:
    """Whether every attempt that no suite should be able to say was refused on reading, on every task."""
    return all(not row.read for row in rows if row.attempt.family != HONEST and not row.attempt.if_read)
