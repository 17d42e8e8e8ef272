"""A receipt from its parts to canonical bytes, against building the same Statement by hand and calling `rfc8785`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import rfc8785

from assay.receipts.predicates import Answer, ClaimResult, Performed, Pin, Proposer, RuleApplied, Submitted, Verifier
from assay.receipts.statement import claim_statement, digest_of, receipt

ROUNDS, EACH = 15, 400
FLOOR = 0.5
TASK: dict[str, object] = {"class": "value", "entity": "uniprot:P69905", "property": "canonical_length"}
SHA = "1d3f" * 16


def parts() -> ClaimResult:
    """Return what one accepted session leaves behind: three proposals, one operation, two facts, four rules."""
    call = "count_residues(entity=uniprot:P69905, property=canonical_length)"
    return ClaimResult(
        task=TASK,
        entity="uniprot:P69905",
        property="canonical_length",
        outcome="accepted",
        code="",
        snapshot="sha256:" + SHA,
        opened="recorded",
        how="derived",
        derived_by=call,
        trajectory=(
            Submitted("VALUE", "value.not_equal", "146"),
            Submitted("VALUE", "value.grammar", "about 141"),
            Performed(call, "VALUE", "142"),
            Submitted("VALUE", "", "142"),
        ),
        verifier=Verifier("0.1.0", "assay.verification/1", SHA),
        proposer=Proposer("SmolLM2-135M-Instruct", SHA, SHA),
        facts=tuple(Pin(f"f{i}", "uniprot-2012_07", SHA, f"bytes {i}00-{i}99") for i in range(1, 3)),
        rules=tuple(RuleApplied(rule, "1 fact", ("f1",)) for rule in ("select", "supersede", "divide", "equal")),
        looked_up=2,
        looked_up_sha256=SHA,
        answer=Answer("VALUE", "142", "VALUE", "142", ""),
    )


def by_hand(result: ClaimResult) -> bytes:
    """Return the same bytes as somebody without this package would make them: a dict, then `rfc8785`."""
    answer = result.answer
    assert answer is not None  # noqa: S101 -- the parts above hold one
    steps: list[dict[str, Any]] = []
    for step in result.trajectory:
        if isinstance(step, Submitted):
            steps.append({"step": "submit", "asserted": step.asserted, "code": step.code, "value": step.raw})
        elif isinstance(step, Performed):
            steps.append(
                {"step": "perform", "call": step.call, "result": {"state": step.state, "value": step.raw}},
            )
    claim: dict[str, Any] = {"task": result.task, "state": "VALUE", "value": answer.text}
    document: dict[str, Any] = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "claim", "digest": {"sha256": digest_of(claim)}}],
        "predicateType": "urn:assay:claim-result:v0.1",
        "predicate": {
            "task": result.task,
            "entity": result.entity,
            "property": result.property,
            "outcome": result.outcome,
            "code": result.code,
            "snapshot": {"digest": result.snapshot, "opened": result.opened},
            "trajectory": steps,
            "attempts": 3,
            "operations": 1,
            "verifier": {
                "package": result.verifier.package,
                "specification": result.verifier.specification,
                "kernel_sha256": result.verifier.sha256,
            },
            "proposer": {
                "name": result.proposer.name,
                "prompts_sha256": result.proposer.prompts_sha256,
                "transcript_sha256": result.proposer.transcript_sha256,
            },
            "how": result.how,
            "derived_by": result.derived_by,
            "asserted": {"state": "VALUE", "value": answer.raw},
            "established": {"state": "VALUE", "value": answer.text},
            "facts": [
                {"fact": pin.fact, "source": pin.source, "sha256": pin.sha256, "locator": pin.locator}
                for pin in result.facts
            ],
            "looked_up": {"rows": result.looked_up, "sha256": result.looked_up_sha256},
            "rules": [{"rule": r.rule, "result": r.result, "facts": list(r.facts)} for r in result.rules],
        },
    }
    return rfc8785.dumps(document)


def rate(work: Callable[[], object]) -> float:
    """Return how often a second the work is done."""
    begin = time.perf_counter()
    for _ in range(EACH):
        work()
    return EACH / (time.perf_counter() - begin)


def measure(rounds: int = ROUNDS) -> float:
    """Return the median ratio of our rate to the other, the two taken in turn."""
    result = parts()
    ours, theirs = receipt(result), by_hand(result)
    if ours != theirs or ours != rfc8785.dumps(claim_statement(result)):  # type: ignore[arg-type]
        raise SystemExit("benchmarks/receipt.py: the two ways give different bytes; mend one of them")
    ratios = []
    for _ in range(rounds):
        mine = rate(lambda: receipt(result))
        ratios.append(mine / rate(lambda: by_hand(result)))
    return statistics.median(ratios)


def run() -> None:
    """Print the ratio beside what is asked of it."""
    ratio = measure()
    print(f"receipt: bytes of a Statement, ratio to dict + rfc8785: {ratio:.2f} (at least {FLOOR})")


if __name__ == "__main__":
    run()
