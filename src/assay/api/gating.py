"""Desk: candidates against a suite, with the sandbox of this machine: one call, one outcome, one receipt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import Final

from assay.gate.deliver import Attempt, Bench, Delivery, Void, deliver, word_of
from assay.kernel.canonical import canonical
from assay.kernel.first_pass import RULE, RULE_SHA256, Delivered
from assay.kernel.grade import Failed
from assay.receipts.deliveries import DeliveryResult, Tried, delivery_statement
from assay.sandbox import base
from assay.sandbox.opening import open_slot
from assay.suite.render import checks_sha256, render, suite_sha256
from assay.suite.spec import SuiteSpec, bind
from assay.wire.suites import parse_suite

DELIVERED: Final = "DELIVERED"
REFUSED: Final = "REFUSED"
VOID: Final = "VOID"


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What the gate decided: `DELIVERED` at a position from 1, `REFUSED`, or `VOID` for a fault of ours."""

    outcome: str
    position: int | None
    reason: str
    attempts: tuple[Attempt, ...]
    source: bytes | None
    receipt: bytes
    document: dict[str, object]


def check(  # noqa: PLR0913 (each is one choice of the caller, by name)
    suite: bytes | str,
    entry_point: str | None,
    candidates: Iterable[bytes],
    *,
    level: base.Level = base.Level.A,
    limits: base.Limits | None = None,
    on_attempt: Callable[[Attempt], None] = lambda _: None,
) -> GateOutcome:
    """Deliver the first of at most five candidates that passes the suite, or refuse.

    `entry_point` is the task's function; a suite for another one is refused before anything runs, as is one that is
    empty or cannot be read.

    Raises:
        InvalidSuite: with a stable code.
    """
    spec = bind(parse_suite(suite, entry_point), entry_point)
    bench = Bench(partial(open_slot, guest_codec(), level))
    try:
        delivery = deliver(spec, candidates, bench, limits or base.Limits(), on_attempt)
    finally:
        bench.close()
    return _outcome(spec, delivery)


def guest_codec() -> str:
    """The source of the codec that runs beside a candidate."""
    return (files("assay.suite") / "guestcodec.py").read_text(encoding="utf-8")


def _outcome(spec: SuiteSpec, delivery: Delivery) -> GateOutcome:
    outcome, position, reason = REFUSED, None, ""
    if isinstance(delivery.outcome, Delivered):
        outcome, position = DELIVERED, delivery.outcome.position
    elif isinstance(delivery.outcome, Void):
        outcome, reason = VOID, delivery.outcome.reason
    program = render(spec)
    reports = [report for attempt in delivery.attempts for report in attempt.reports]
    result = DeliveryResult(
        outcome=outcome,
        position=position,
        reason=reason,
        entry_point=spec.entry_point,
        preamble=spec.preamble,
        suite_sha256=suite_sha256(spec),
        program_sha256=program.program_sha256,
        checks_sha256=checks_sha256(spec),
        rule=RULE,
        rule_sha256=RULE_SHA256,
        tried=tuple(_tried(attempt) for attempt in delivery.attempts),
        isolation=_isolation(reports[0].isolation) if reports else {},
        delivered_sha256=sha256(delivery.source).hexdigest() if delivery.source is not None else "",
    )
    document: dict[str, object] = {
        "outcome": outcome,
        "position": position,
        "reason": reason,
        "tried": [
            {"grade": one.grade, "first_failing_case": one.first_failing_case, "how": one.how or None}
            for one in result.tried
        ],
        "suite_sha256": result.suite_sha256,
        "program_sha256": result.program_sha256,
        "checks_sha256": result.checks_sha256,
        "isolation": result.isolation,
    }
    receipt = canonical(delivery_statement(result))
    return GateOutcome(outcome, position, reason, delivery.attempts, delivery.source, receipt, document)


def _tried(attempt: Attempt) -> Tried:
    grade = attempt.grade
    how, case = (str(grade.how), grade.first_failing_case) if isinstance(grade, Failed) else ("", None)
    return Tried(attempt.candidate_sha256, word_of(grade), how, case)


def _isolation(isolation: base.Isolation) -> dict[str, object]:
    return {
        "level": str(isolation.level) if isolation.level is not None else None,
        "properties": {name: str(standing) for name, standing in isolation.properties.items()},
        "backend": isolation.backend,
        "kernel": isolation.kernel,
        "machine": isolation.machine,
        "python": isolation.python,
        "landlock_abi": isolation.landlock_abi,
        "started_as_root": isolation.started_as_root,
        "baseline_memory_bytes": isolation.baseline_memory_bytes,
        # Seconds may be fractions, and canonical bytes hold none.
        "limits": {name: str(limit) for name, limit in asdict(isolation.limits).items()},
    }
