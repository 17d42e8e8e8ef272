"""Desk: a receipt in plain words, for people: what was asked, what came of it, on what, and who says so."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from assay.receipts.deliveries import DELIVERY_RESULT
from assay.receipts.predicates import CLAIM_RESULT
from assay.wire.receipts import ReadReceipt

MOST: Final = 8  # steps, facts or attempts that are shown of each


def headline(receipt: ReadReceipt) -> str:
    """The receipt on one line. Nothing in it has been checked; whatever it says is what stands in it."""
    predicate: Any = receipt.document["predicate"]
    match receipt.document["predicateType"]:
        case kind if kind == CLAIM_RESULT:
            code = f" ({_text(predicate, 'code')})" if predicate.get("code") else ""
            about = f"{_text(predicate, 'property') or 'which one'} of {_text(predicate, 'entity') or 'given numbers'}"
            return f"{_text(predicate, 'outcome')}{code}: {about}{_answer(predicate)}"
        case kind if kind == DELIVERY_RESULT:
            tried = predicate.get("tried")
            count = len(tried) if isinstance(tried, list) else 0
            task = predicate.get("task") or {}
            name = _text(task, "task") or _text(predicate.get("suite") or {}, "entry_point") or "a program"
            return f"{_text(predicate, 'outcome')}: {name[:60].splitlines()[0]}, {count} tried"
        case _:
            return f"a receipt of sort {_shown(receipt.document['predicateType'])}"


def lines(receipt: ReadReceipt) -> Iterator[str]:
    """The receipt on one screen."""
    predicate: Any = receipt.document["predicate"]
    yield headline(receipt)
    match receipt.document["predicateType"]:
        case kind if kind == CLAIM_RESULT:
            yield from _claim(predicate)
        case kind if kind == DELIVERY_RESULT:
            yield from _delivery(predicate)
    subject: Any = receipt.document["subject"]
    yield f"about: {subject[0]['name']} sha256:{subject[0]['digest']['sha256']}"
    if receipt.envelope is None:
        yield "signed: no; who can write the file can write such a receipt"
    else:
        keys = ", ".join(one.keyid[:16] + "…" for one in receipt.envelope.signatures)
        yield f"signed: in the name of {keys}; `assay receipt verify` says whether it is theirs"


def _claim(predicate: Mapping[str, Any]) -> Iterator[str]:
    yield f"asked: {_shown(predicate.get('task'))}"
    yield f"evidence: pack {_text(predicate.get('snapshot'), 'digest')}"
    steps = predicate.get("trajectory")
    for number, step in enumerate(_some(steps), 1):
        yield f"{number}. {_step(step)}"
    yield from _more(steps)
    if predicate.get("outcome") == "accepted":
        by = _text(predicate, "derived_by")
        yield f"how: derived by {by}" if by else "how: unaided; no operation had returned it"
        facts = predicate.get("facts")
        for fact in _some(facts):
            yield f"rests on: {_text(fact, 'fact')} in {_text(fact, 'source')}, {_text(fact, 'locator')}"
        yield from _more(facts)
    elif "withheld" in predicate:
        yield "withheld: what was proposed and what is established; only the holder of the private files can show it"
    yield from _who(predicate)
    yield f"proposed by: {_text(predicate.get('proposer'), 'name')} (as it was named, unchecked)"


def _delivery(predicate: Mapping[str, Any]) -> Iterator[str]:
    suite = predicate.get("suite")
    yield f"suite: {_text(suite, 'entry_point') or 'of a program'}, sha256:{_text(suite, 'suite_sha256')}"
    tried = predicate.get("tried")
    for number, one in enumerate(_some(tried), 1):
        how = _text(one, "how")
        case = one.get("first_failing_case")
        where = f" at case index {_shown(case)}" if case is not None else ""
        grade = f"{_text(one, 'grade')}{f', {how}' if how else ''}{where}"
        yield f"{number}. candidate {_text(one, 'candidate_sha256')[:16]}…: {grade}"
    if predicate.get("reason"):
        yield f"reason: {_text(predicate, 'reason')}"
    for name in ("gauge", "strength"):
        found = predicate.get(name)
        yield f"{name}: {found if isinstance(found, str) else 'measured; its record is in the receipt'}"
    isolation = predicate.get("isolation")
    first = isolation.get("first") if isinstance(isolation, dict) else None
    yield f"isolation: level {_text(first, 'level') or 'none: nothing ran'}"
    yield "private: what was observed; only the holder of the private files can show it"
    yield from _who(predicate)


def _who(predicate: Mapping[str, Any]) -> Iterator[str]:
    found = predicate.get("verifier")
    if isinstance(found, dict):
        yield f"decided by: assay {_text(found, 'package')}, kernel sha256:{_text(found, 'kernel_sha256')[:16]}…"


def _step(step: Mapping[str, Any]) -> str:
    match step.get("step"):
        case "submit":
            code = _text(step, "code")
            value = f" {_shown(step['value'])}" if "value" in step else _size(step)
            return f"proposed {_text(step, 'asserted')}{value}: {f'refused, {code}' if code else 'accepted'}"
        case "perform":
            result = step.get("result")
            found = f", which returned {_shown(result.get('value', result.get('state')))}" if result else ""
            return f"performed {_text(step, 'call')}{found}"
        case _:
            return f"said something that no card offers ({_text(step, 'reason')})"


def _size(step: Mapping[str, Any]) -> str:
    return f" (withheld: {_shown(step['type'])} of length {_shown(step.get('length'))})" if "type" in step else ""


def _answer(predicate: Mapping[str, Any]) -> str:
    found = predicate.get("established")
    if predicate.get("outcome") != "accepted" or not isinstance(found, dict):
        return ""
    return (
        f" is {_shown(found['value'])}" if "value" in found else f": {_text(found, 'state')}, {_text(found, 'reason')}"
    )


def _some(items: object) -> list[Mapping[str, Any]]:
    return [one for one in items[:MOST] if isinstance(one, dict)] if isinstance(items, list) else []


def _more(items: object) -> Iterator[str]:
    if isinstance(items, list) and len(items) > MOST:
        yield f"   … and {len(items) - MOST} more"


def _text(document: object, name: str) -> str:
    found = document.get(name) if isinstance(document, dict) else None
    return _shown(found) if found is not None else ""


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= 200 else text[:199] + "…"
