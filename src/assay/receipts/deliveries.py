"""Library: the predicate of a delivery (spec/receipt.md §3): what was tried, under which suite, rule and isolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.receipts.predicates import Verifier, verifier_document
from assay.receipts.statement import statement

DELIVERY_RESULT: Final = "urn:assay:delivery-result:v0.1"


@dataclass(frozen=True, slots=True)
class NamedTask:
    """The task as it was named to us: its text or id, its function, and the digest of the two."""

    task: str
    entry_point: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """How code was taken out of a model's reply: the digest of the reply's bytes, and the rule that found the code."""

    raw_sha256: str
    rule: str


@dataclass(frozen=True, slots=True)
class Ran:
    """One run of a candidate: what it used, and the salted digest of what was observed; no observation."""

    again: bool
    cpu_us: int
    wall_us: int
    peak_memory_bytes: int
    output_bytes: int
    observations_sha256: str
    observations_kept: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """One candidate: its digest, where it came from, its grade, how it failed, and its one or two runs."""

    candidate_sha256: str
    grade: str
    how: str
    first_failing_case: int | None
    model: str = ""  # a label as given, never trusted
    extracted: Extracted | None = None
    runs: tuple[Ran, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptBest:
    """A refused draft that was written all the same, marked in its first line as not accepted."""

    candidate_sha256: str
    passed: int
    of: int
    file_sha256: str


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What the candidates ran under; a hash seed for each of the two warm interpreters."""

    implementation: str
    version: str
    hash_seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """What a delivery receipt binds; `isolation` and `limits` are documents of texts and whole numbers.

    INVARIANT: `delivered_sha256` is there if and only if the outcome is DELIVERED, and then `kept_best` is not.
    """

    outcome: str
    position: int | None
    reason: str
    entry_point: str
    preamble: str
    suite_sha256: str
    program_sha256: str
    checks_sha256: str
    rule: str
    rule_sha256: str
    tried: tuple[Tried, ...]
    isolation: dict[str, object]  # of each interpreter, by `first` and `again`
    limits: dict[str, object]
    interpreter: Interpreter | None = None  # None: no candidate ran
    task: NamedTask | None = None
    delivered_sha256: str = ""
    kept_best: KeptBest | None = None
    # The record of spec/suite.md §10, or a text that says why there is none.
    gauge: str | dict[str, object] = "not run (no reference)"
    strength: str | dict[str, object] = "not measured"
    verifier: Verifier | None = None


def delivery_predicate(result: DeliveryResult) -> dict[str, object]:
    """The predicate as a document of texts, whole numbers and lists."""
    found: dict[str, object] = {
        "outcome": result.outcome,
        "position": result.position,
        "reason": result.reason,
        "task": _task(result.task),
        "suite": {
            "entry_point": result.entry_point,
            "preamble": result.preamble,
            "suite_sha256": result.suite_sha256,
            "program_sha256": result.program_sha256,
            "checks_sha256": result.checks_sha256,
        },
        "rule": {"text": result.rule, "sha256": result.rule_sha256},
        "gauge": result.gauge,
        "strength": result.strength,
        "tried": [_tried(one) for one in result.tried],
        "interpreter": _interpreter(result.interpreter),
        "limits": result.limits,
        "isolation": result.isolation,
        "delivered_sha256": result.delivered_sha256 or None,
        "kept_best": _kept_best(result.kept_best),
    }
    if result.verifier is not None:
        found["verifier"] = verifier_document(result.verifier)
    return found


def delivery_statement(result: DeliveryResult) -> dict[str, object]:
    """The Statement: its subject is what was delivered, else the task, else the suite; never a refused candidate."""
    predicate = delivery_predicate(result)
    if result.delivered_sha256:
        return statement("delivered", result.delivered_sha256, DELIVERY_RESULT, predicate)
    if result.task is not None:
        return statement("task", result.task.sha256, DELIVERY_RESULT, predicate)
    return statement("suite", result.suite_sha256, DELIVERY_RESULT, predicate)


def _task(task: NamedTask | None) -> dict[str, object] | None:
    if task is None:
        return None
    return {"task": task.task, "entry_point": task.entry_point or None, "sha256": task.sha256}


def _tried(one: Tried) -> dict[str, object]:
    return {
        "candidate_sha256": one.candidate_sha256,
        "model": one.model or None,
        "extracted": one.extracted and {"raw_sha256": one.extracted.raw_sha256, "rule": one.extracted.rule},
        "grade": one.grade,
        "how": one.how or None,
        "first_failing_case": one.first_failing_case,
        "runs": [_ran(run) for run in one.runs],
    }


def _ran(run: Ran) -> dict[str, object]:
    return {
        "again": run.again,
        "cpu_us": run.cpu_us,
        "wall_us": run.wall_us,
        "peak_memory_bytes": run.peak_memory_bytes,
        "output_bytes": run.output_bytes,
        "observations_sha256": run.observations_sha256,
        "observations_kept": run.observations_kept,
    }


def _interpreter(found: Interpreter | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "implementation": found.implementation,
        "version": found.version,
        "hash_seeds": list(found.hash_seeds),
    }


def _kept_best(kept: KeptBest | None) -> dict[str, object] | None:
    if kept is None:
        return None
    return {
        "candidate_sha256": kept.candidate_sha256,
        "passed": kept.passed,
        "of": kept.of,
        "file_sha256": kept.file_sha256,
    }
