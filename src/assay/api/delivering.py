"""Desk: a delivery in the terms of its receipt (spec/receipt.md §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Final

from assay.api.wiring import verifier
from assay.gate.deliver import Attempt, Delivery, word_of
from assay.gate.trust import Walked
from assay.kernel.first_pass import RULE, RULE_SHA256
from assay.kernel.grade import Failed
from assay.receipts.deliveries import DeliveryResult, Extracted, Interpreter, KeptBest, NamedTask, Ran, Tried
from assay.sandbox import base
from assay.suite.render import checks_sha256, render, suite_sha256
from assay.suite.spec import SuiteSpec
from assay.wire.gate_tasks import GateTask

MICRO: Final = 1_000_000  # canonical bytes hold no fractions, so seconds are told in millionths

Digest = tuple[str, bool]  # of a run's private file, and whether it is kept


def delivery_result(  # noqa: PLR0913 (one caller, by name)
    spec: SuiteSpec,
    delivery: Delivery,
    *,
    outcome: tuple[str, int | None, str],
    task: GateTask | None,
    labels: Sequence[tuple[str, Extracted | None]],
    digests: Sequence[Sequence[Digest]],
    limits: base.Limits,
    kept_best: KeptBest | None,
    trusted: Walked,
) -> DeliveryResult:
    """What the receipt binds. `labels` and `digests` are one for each attempt, in order; `labels` may be longer."""
    seen = _isolations(delivery)
    tried = zip(delivery.attempts, labels, digests, strict=False)
    return DeliveryResult(
        outcome=outcome[0],
        position=outcome[1],
        reason=outcome[2],
        entry_point=spec.entry_point,
        preamble=spec.preamble,
        suite_sha256=suite_sha256(spec),
        program_sha256=render(spec).program_sha256,
        checks_sha256=checks_sha256(spec),
        rule=RULE,
        rule_sha256=RULE_SHA256,
        tried=tuple(_tried(attempt, *label, files) for attempt, label, files in tried),
        isolation={name: isolation_document(found) for name, found in seen.items()},
        limits=limits_document(limits),
        interpreter=_interpreter(list(seen.values())),
        task=NamedTask(task.task, task.entry_point or "", task.sha256) if task is not None else None,
        delivered_sha256=sha256(delivery.source).hexdigest() if delivery.source is not None else "",
        kept_best=kept_best,
        gauge=trusted.gauge,
        strength=trusted.strength,
        verifier=verifier(),
    )


def isolation_document(isolation: base.Isolation) -> dict[str, object]:
    """What held while candidates ran in one interpreter; texts and whole numbers."""
    return {
        "level": str(isolation.level) if isolation.level is not None else None,
        "properties": {name: str(standing) for name, standing in isolation.properties.items()},
        "backend": isolation.backend,
        "kernel": isolation.kernel,
        "machine": isolation.machine,
        "python": isolation.python,
        "implementation": isolation.implementation,
        "hash_seed": isolation.hash_seed,
        "landlock_abi": isolation.landlock_abi,
        "started_as_root": isolation.started_as_root,
        "baseline_memory_bytes": isolation.baseline_memory_bytes,
    }


def limits_document(limits: base.Limits) -> dict[str, object]:
    """The limits of a run in whole numbers: seconds that may be fractions as `_us`."""
    found: dict[str, object] = {}
    for name, limit in asdict(limits).items():
        if isinstance(limit, float):
            found[f"{name.removesuffix('_s')}_us"] = _micro(limit)
        else:
            found[name] = limit
    return found


def _micro(seconds: float) -> int:
    return round(seconds * MICRO)


def _isolations(delivery: Delivery) -> dict[str, base.Isolation]:
    """Of the first runs and of the second ones; every run of one kind is in an interpreter with one seed."""
    found: dict[str, base.Isolation] = {}
    for attempt in delivery.attempts:
        for name, report in zip(("first", "again"), attempt.reports, strict=False):
            found[name] = report.isolation
    return found


def _interpreter(seen: Sequence[base.Isolation]) -> Interpreter | None:
    if not seen:
        return None
    return Interpreter(seen[0].implementation, seen[0].python, tuple(one.hash_seed for one in seen))


def _tried(attempt: Attempt, model: str, extracted: Extracted | None, digests: Sequence[Digest]) -> Tried:
    grade = attempt.grade
    how, case = (str(grade.how), grade.first_failing_case) if isinstance(grade, Failed) else ("", None)
    runs = enumerate(zip(attempt.reports, digests, strict=True))
    return Tried(
        attempt.candidate_sha256,
        word_of(grade),
        how,
        case,
        model,
        extracted,
        tuple(_ran(report.usage, digest, again=number > 0) for number, (report, digest) in runs),
    )


def _ran(usage: base.Usage, digest: Digest, *, again: bool) -> Ran:
    return Ran(
        again,
        _micro(usage.cpu_s),
        _micro(usage.wall_s),
        usage.peak_memory_bytes,
        usage.output_bytes,
        digest[0],
        digest[1],
    )
