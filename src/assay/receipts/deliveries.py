"""Library: the predicate of a delivery (spec/receipt.md §3): what was tried, under which suite, rule and isolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.receipts.statement import statement

DELIVERY_RESULT: Final = "urn:assay:delivery-result:v0.1"


@dataclass(frozen=True, slots=True)
class Tried:
    """One candidate: its digest, its grade, and how it failed; no observation stands in a receipt."""

    candidate_sha256: str
    grade: str
    how: str
    first_failing_case: int | None


@dataclass(frozen=True, slots=True)
class DeliveryResult:
    """What a delivery receipt binds; `isolation` and `limits` are documents of texts and whole numbers."""

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
    isolation: dict[str, object]
    delivered_sha256: str = ""
    gauge: str = "not run (no reference)"


def delivery_predicate(result: DeliveryResult) -> dict[str, object]:
    """The predicate as a document of texts, whole numbers and lists."""
    return {
        "signed": False,
        "outcome": result.outcome,
        "position": result.position,
        "reason": result.reason,
        "suite": {
            "entry_point": result.entry_point,
            "preamble": result.preamble,
            "suite_sha256": result.suite_sha256,
            "program_sha256": result.program_sha256,
            "checks_sha256": result.checks_sha256,
        },
        "rule": {"text": result.rule, "sha256": result.rule_sha256},
        "gauge": result.gauge,
        "tried": [
            {
                "candidate_sha256": one.candidate_sha256,
                "grade": one.grade,
                "how": one.how or None,
                "first_failing_case": one.first_failing_case,
            }
            for one in result.tried
        ],
        "isolation": result.isolation,
    }


def delivery_statement(result: DeliveryResult) -> dict[str, object]:
    """The Statement: its subject is what was delivered, else the suite, never a refused candidate."""
    if result.delivered_sha256:
        return statement("delivered", result.delivered_sha256, DELIVERY_RESULT, delivery_predicate(result))
    return statement("suite", result.suite_sha256, DELIVERY_RESULT, delivery_predicate(result))
