"""Library: what one receipt says of one claim: the predicate ClaimResult v0.1 (spec/receipt.md §2). Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.receipts.withheld import Bound

CLAIM_RESULT: Final = "urn:assay:claim-result:v0.1"
BLANK: Final = "<private>"

_WORDS: Final[dict[type, str]] = {
    str: "text",
    bool: "boolean",
    int: "integer",
    list: "list",
    dict: "object",
    type(None): "null",
}
_EXACT: Final = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Pin:
    """Where a fact stands: its source, the digest of the source's bytes, and the place in them."""

    fact: str
    source: str
    sha256: str
    locator: str


@dataclass(frozen=True, slots=True)
class RuleApplied:
    """One rule of the derivation: its name, what came of it, and the facts that it looked at."""

    rule: str
    result: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Submitted:
    """One proposal: the state that it asserts, its raw value, and the code of its refusal (empty: accepted)."""

    asserted: str  # VALUE, one of the abstentions, or MALFORMED
    code: str
    raw: object = None
    data: bytes = b""  # as it came, for the private side alone; empty: it did not come as bytes


@dataclass(frozen=True, slots=True, repr=False)
class Performed:
    """One operation: the call as its card wrote it, the state it showed, and the raw value of a VALUE."""

    call: str
    state: str
    raw: object = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A choice that no card offered: the reason of the navigation failure, and how long the text was."""

    reason: str
    length: int
    data: bytes = b""


Step = Submitted | Performed | Refused


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """What was accepted: the assertion as it came, and the state that the evidence establishes."""

    asserted: str
    raw: object
    state: str
    text: str  # canonical text of a VALUE
    reason: str  # of a state without a value


@dataclass(frozen=True, slots=True)
class Verifier:
    """Who decided: the version of the package and of the specification, and the digest of the kernel's source."""

    package: str
    specification: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Proposer:
    """Who proposed, as it was named to us: nothing here is checked. Digests are empty where there was no model."""

    name: str
    prompts_sha256: str = ""
    transcript_sha256: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class ClaimResult:
    """Everything that a receipt says of one ended session, or of one proposal that was verified alone.

    INVARIANT: `answer` is there if and only if the outcome is `accepted`.
    """

    task: dict[str, object]
    entity: str
    property: str
    outcome: str  # accepted, rejected, unresolved, navigation_failure
    code: str  # of the refusal, or the reason of the end; empty for accepted
    snapshot: str
    opened: str
    how: str  # derived, unaided; empty unless accepted
    derived_by: str
    trajectory: tuple[Step, ...]
    verifier: Verifier
    proposer: Proposer
    facts: tuple[Pin, ...] = ()
    rules: tuple[RuleApplied, ...] = ()
    looked_up: int = 0  # how many rows of facts were looked up, and the digest of all of them
    looked_up_sha256: str = ""
    answer: Answer | None = None
    private: tuple[str, ...] = ()  # identifiers of persons, blanked wherever they stand
    bound: Bound | None = None  # private files, and commitments to what is in them


def claim_predicate(result: ClaimResult) -> dict[str, object]:
    """The predicate of the result: of anything but an acceptance without values, state, facts and rules.

    A refused session's receipt may be read by a model that tries again: what the evidence says stays out of it.
    """
    answer = result.answer
    said = dict(result.bound.said) if result.bound is not None else {}
    predicate: dict[str, object] = {
        "task": result.task,
        "entity": result.entity,
        "property": result.property,
        "outcome": result.outcome,
        "code": result.code,
        "snapshot": {"digest": result.snapshot, "opened": result.opened},
        "trajectory": [
            _step(step, said.get(number, ""), shown=answer is not None) for number, step in enumerate(result.trajectory)
        ],
        "attempts": sum(isinstance(step, Submitted) for step in result.trajectory),
        "operations": sum(isinstance(step, Performed) for step in result.trajectory),
        "verifier": verifier_document(result.verifier),
        "proposer": {
            "name": result.proposer.name,
            "prompts_sha256": result.proposer.prompts_sha256,
            "transcript_sha256": result.proposer.transcript_sha256,
        },
    }
    if result.bound is not None:
        predicate |= _bound(result.bound)
    if answer is None:
        predicate["withheld"] = ["asserted", "established", "facts", "rules", "values"]
        return predicate
    predicate["how"] = result.how
    predicate["derived_by"] = result.derived_by
    predicate["asserted"] = _assertion(answer.asserted, answer.raw)
    predicate["established"] = _established(answer)
    predicate["facts"] = [
        {"fact": pin.fact, "source": pin.source, "sha256": pin.sha256, "locator": pin.locator} for pin in result.facts
    ]
    predicate["looked_up"] = {"rows": result.looked_up, "sha256": result.looked_up_sha256}
    predicate["rules"] = [
        {"rule": rule.rule, "result": rule.result, "facts": list(rule.facts)} for rule in result.rules
    ]
    return predicate


def verifier_document(verifier: Verifier) -> dict[str, object]:
    """Who decided, as every receipt has it."""
    return {
        "package": verifier.package,
        "specification": verifier.specification,
        "kernel_sha256": verifier.sha256,
    }


def claim_document(task: dict[str, object], answer: Answer) -> dict[str, object]:
    """What was accepted, in one spelling: the task, the assertion, and the canonical text of a value."""
    document: dict[str, object] = {"task": task, "state": answer.asserted}
    if answer.asserted == "VALUE":
        document["value"] = answer.text
    return document


def blanked(document: object, names: tuple[str, ...]) -> object:
    """The document with every one of the names replaced, wherever it stands in a text."""
    if isinstance(document, str):
        for name in names:
            document = document.replace(name, BLANK)
        return document
    if isinstance(document, dict):
        return {key: blanked(item, names) for key, item in document.items()}
    return [blanked(item, names) for item in document] if isinstance(document, list) else document


def _assertion(state: str, raw: object) -> dict[str, object]:
    return {"state": state, "value": _plain(raw)} if state == "VALUE" else {"state": state}


def _established(answer: Answer) -> dict[str, object]:
    if answer.state == "VALUE":
        return {"state": answer.state, "value": answer.text}
    return {"state": answer.state, "reason": answer.reason}


def _bound(bound: Bound) -> dict[str, object]:
    private: dict[str, object] = {"evidence_sha256": bound.evidence_sha256, "evidence_kept": bound.evidence_kept}
    if not bound.withheld_sha256:
        return {"private": private}
    private |= {"withheld_sha256": bound.withheld_sha256, "withheld_kept": bound.withheld_kept}
    return {"private": private, "established_commitment": bound.established}


def _step(step: Step, commitment: str, *, shown: bool) -> dict[str, object]:
    committed: dict[str, object] = {"commitment": commitment} if commitment else {}
    if isinstance(step, Submitted):
        entry: dict[str, object] = {"step": "submit", "asserted": step.asserted, "code": step.code}
        if step.asserted == "VALUE":
            entry |= {"value": _plain(step.raw)} if shown else _size(step.raw)
        elif step.asserted == "MALFORMED" and step.data:
            entry |= _written(step.data)
        return entry | committed
    if isinstance(step, Performed):
        entry = {"step": "perform", "call": step.call}
        if shown:
            entry["result"] = _assertion(step.state, step.raw)
        return entry
    return {"step": "navigation_failure", "reason": step.reason, "type": "text", "length": step.length, **committed}


def _written(data: bytes) -> dict[str, object]:
    """Of raw input that is no proposal: its type and length, never a part of it."""
    try:
        return {"type": "text", "length": len(data.decode())}
    except UnicodeDecodeError:
        return {"type": "bytes", "length": len(data)}


def _size(raw: object) -> dict[str, object]:
    kind = type(raw)
    length = len(raw) if kind in (str, list, dict) else len(str(raw)) if kind is int else 0  # type: ignore[arg-type]
    return {"type": _WORDS.get(kind, "number"), "length": length}


def _plain(raw: object) -> object:
    """The raw value as canonical bytes can hold it: a large integer as text, a number of no kind as its type."""
    kind = type(raw)
    if kind is str:
        # A proposal made in Python may hold half a surrogate pair, which has no bytes.
        return raw.encode("utf-8", "backslashreplace").decode()  # type: ignore[attr-defined]
    if kind is list:
        return [_plain(item) for item in raw]  # type: ignore[attr-defined]
    if kind is dict:
        return {str(_plain(key)): _plain(item) for key, item in raw.items()}  # type: ignore[attr-defined]
    if kind is int and not -_EXACT <= raw <= _EXACT:  # type: ignore[operator]
        return str(raw)
    return raw if kind in _WORDS else {"type": "number"}
