"""Workshops: the receipt of a claim made again on a ground, to be compared with the one that was given.

Every code, state, fact, rule and digest comes out of the evidence by the code that decides. What no evidence can say is
taken over from the receipt: spec/receipt.md §10 lists it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

from assay.audit.facts import Contradiction, NotPossible, differences
from assay.audit.reading import item, objects
from assay.audit.terms import answer_of, looked_up, pins_of, private_names, rules_of, state_word
from assay.floor.cards import NOT_DERIVED
from assay.floor.evidence import Opened
from assay.floor.offers import Offer
from assay.floor.operations.perform import run
from assay.floor.oracle import Established
from assay.floor.store import Snapshot
from assay.kernel import states
from assay.kernel.canonical import canonical
from assay.kernel.states import AssertValue, Determined, Proposal
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.receipts.predicates import BLANK, ClaimResult, Performed, Proposer, Refused, Step, Submitted, Verifier
from assay.receipts.private import MAX_KEPT_BYTES
from assay.receipts.statement import claim_statement
from assay.receipts.withheld import Bound, Withheld, withheld_bytes
from assay.wire.evidence import evidence_bytes
from assay.wire.proposals import parse_proposal
from assay.wire.tasks import task_document

_ABSTENTIONS: Final[dict[str, Proposal]] = {
    "INSUFFICIENT_EVIDENCE": states.INSUFFICIENT_EVIDENCE,
    "CONFLICT_NOT_RESOLVED": states.CONFLICT_NOT_RESOLVED,
    "NO_ENTITY": states.NO_ENTITY,
}


@dataclass(frozen=True, slots=True, repr=False)
class Ground:
    """What a claim is decided on again: its state, the offers of the pack where one was given, what was withheld."""

    established: Established
    snapshot: Snapshot | None
    offered: tuple[Offer, ...]
    withheld: Withheld | None


def unlike(document: Mapping[str, object], ground: Ground) -> list[str]:
    """Where the receipt, made again on that ground, differs from the one that was given."""
    return differences(dict(document), _again(document, ground))


def stands(document: Mapping[str, object], ground: Ground) -> bool:
    """Whether the decision would be the same on that ground, which need not be the one of the day.

    Raises:
        Contradiction, NotPossible: it cannot be made.
    """
    predicate = item(document, "predicate", dict)
    steps, verdicts = _steps(objects(predicate, "trajectory"), replace(ground, snapshot=None))
    if item(predicate, "outcome", str) == "accepted":
        return verdicts[-1:] == [True] and bool(steps)
    return not any(verdicts)


def _again(document: Mapping[str, object], ground: Ground) -> dict[str, object]:
    """The Statement as this verifier makes it. What no evidence can say is taken over (spec/receipt.md §10)."""
    predicate = item(document, "predicate", dict)
    established = ground.established
    steps, verdicts = _steps(objects(predicate, "trajectory"), ground)
    outcome = item(predicate, "outcome", str)
    if outcome == "accepted":
        outcome = "accepted" if verdicts and verdicts[-1] else "rejected"
    elif any(verdicts):
        outcome = "accepted"
    snapshot, verifier, proposer = (item(predicate, name, dict) for name in ("snapshot", "verifier", "proposer"))
    code = item(predicate, "code", str)
    result = ClaimResult(
        task=task_document(established.task),
        entity=established.task.entity,
        property=established.task.property,
        outcome=outcome,
        code=steps[0].code if outcome == "rejected" and isinstance(steps[0], Submitted) else code,
        snapshot=established.evidence.digest,
        opened=item(snapshot, "opened", str),
        how="",
        derived_by="",
        trajectory=tuple(steps),
        verifier=Verifier(*(item(verifier, name, str) for name in ("package", "specification", "kernel_sha256"))),
        proposer=Proposer(*(item(proposer, name, str) for name in ("name", "prompts_sha256", "transcript_sha256"))),
        private=private_names(established),
        bound=_bound(predicate, ground, is_shown=outcome == "accepted"),
    )
    last = steps[-1] if steps else None
    if outcome == "accepted" and isinstance(last, Submitted):
        call = _derived_by(predicate, steps, ground)
        read = looked_up(established)
        result = replace(
            result,
            how="derived" if call else "unaided",
            derived_by=call,
            facts=pins_of(established),
            rules=rules_of(established),
            looked_up=read.rows,
            looked_up_sha256=read.sha256,
            answer=answer_of(established, last.asserted, last.raw),
        )
    made: dict[str, Any] = json.loads(canonical(claim_statement(result)))
    for step, written in zip(made["predicate"]["trajectory"], objects(predicate, "trajectory"), strict=True):
        if step.get("asserted") == "MALFORMED" and "type" not in step:  # its words are not there
            step.update({name: written[name] for name in ("type", "length") if name in written})
    return made


def _steps(written: list[dict[str, object]], ground: Ground) -> tuple[list[Step], list[bool]]:
    """The steps with their codes made again, and for each submit whether it is accepted."""
    said = {one.step: one.data for one in ground.withheld.said} if ground.withheld is not None else {}
    steps: list[Step] = []
    verdicts: list[bool] = []
    for number, step in enumerate(written):
        match step["step"]:
            case "perform":
                steps.append(_performed(step, ground))
            case "navigation_failure":
                data = said.get(number, b"")
                length = len(data.decode(errors="replace")) if data else item(step, "length", int)
                steps.append(Refused(item(step, "reason", str), length, data))
            case _:
                made, accepted = _submitted(step, said.get(number), ground)
                steps.append(made)
                verdicts.append(accepted)
    return steps, verdicts


def _submitted(step: dict[str, object], data: bytes | None, ground: Ground) -> tuple[Submitted, bool]:
    word, code = item(step, "asserted", str), item(step, "code", str)
    raw: object = None
    if word in _ABSTENTIONS:
        proposal = _ABSTENTIONS[word]
    elif word == "VALUE" and data is not None:
        proposal = _proposal(data)
        if not isinstance(proposal, AssertValue):
            return Submitted("MALFORMED", code, None, data), False
        raw = proposal.raw
    elif word == "VALUE" and "value" in step and not _is_blank(step["value"]):
        raw = step["value"]
        proposal = parse_proposal(canonical({"state": "VALUE", "value": raw}))
        if raw == {"type": "number"} or not isinstance(proposal, AssertValue):
            return Submitted(word, code, raw), False  # it stands for a number that the receipt cannot hold
    elif word == "MALFORMED":
        if data is None and "commitment" in step and "value" not in step and ground.withheld is None:
            raise _withheld_words()
        return Submitted(word, _malformed(code, data), None, data or b""), False
    elif word == "VALUE" and "commitment" not in step and step.get("type") == "number":
        return Submitted(word, code, object()), False  # a program handed it over, and no receipt can hold it
    elif word == "VALUE":
        raise _withheld_words()
    else:
        raise Contradiction("a step asserts a word that is none")
    if code == NOT_DERIVED:  # a policy refused it, and nobody asked the evidence
        return Submitted(word, code, raw, data or b""), False
    verdict = verify(ground.established.kind, ground.established.state, proposal)
    accepted = isinstance(verdict, Accept)
    return Submitted(word, "" if isinstance(verdict, Accept) else verdict.code, raw, data or b""), accepted


def _withheld_words() -> NotPossible:
    return NotPossible("private", "private: what was proposed is withheld; give --private with its file")


def _malformed(code: str, data: bytes | None) -> str:
    """The code of what is no proposal; in a session it came out of longer words, and is taken over."""
    found = parse_proposal(data) if data is not None else None
    return found.code if isinstance(found, states.Malformed) and code.startswith("parse.") else code or "parse.json"


def _proposal(data: bytes) -> Proposal:
    found = parse_proposal(data)
    if isinstance(found, states.Malformed) and found.code == "parse.too_long":
        # A value that a program handed over as an object, with no bytes to count.
        value = json.loads(data)["value"]
        return AssertValue(value)
    return found


def _performed(step: dict[str, object], ground: Ground) -> Performed:
    call = item(step, "call", str)
    offer = next((one for one in ground.offered if one.call.text == call), None)
    if ground.snapshot is not None and BLANK not in call:
        if offer is None:
            raise Contradiction("it performed what no card of its task offers")
        result = run(ground.snapshot, ground.established.task, offer)
        return Performed(call, result.state, result.raw)
    shown = step.get("result")
    if not isinstance(shown, dict):
        return Performed(call, "")
    return Performed(call, item(shown, "state", str), shown.get("value"))


def _derived_by(predicate: Mapping[str, object], steps: Sequence[Step], ground: Ground) -> str:
    """The first call that had returned what was accepted; without the pack, the one that is named if it could be it."""
    answering = {offer.call.text for offer in ground.offered if offer.answers}
    returned = [
        step.call
        for step in steps
        if isinstance(step, Performed)
        and (ground.snapshot is None or BLANK in step.call or step.call in answering)
        and _returns(step, ground.established)
    ]
    named = item(predicate, "derived_by", str)
    if ground.snapshot is None or BLANK in named:
        return named if named in returned else ""
    return returned[0] if returned else ""


def _returns(step: Performed, established: Established) -> bool:
    """Whether the operation showed the established state."""
    if step.state == "VALUE":
        proposal: Proposal | None = AssertValue(step.raw)
    else:
        proposal = _ABSTENTIONS.get(step.state)
    return proposal is not None and isinstance(verify(established.kind, established.state, proposal), Accept)


def _bound(predicate: Mapping[str, object], ground: Ground, *, is_shown: bool) -> Bound | None:
    """What the receipt has to hold of its private files; of those that are not there, what it does hold."""
    if "private" not in predicate:
        return None  # of a version that kept none
    written: Any = item(predicate, "private", dict)
    names = private_names(ground.established)
    digest, is_kept = item(written, "evidence_sha256", str), item(written, "evidence_kept", bool)
    if is_shown and not names:
        opened = Opened(item(item(predicate, "snapshot", dict), "opened", str))
        held = replace(ground.established.evidence, opened=opened)
        data = evidence_bytes(ground.established.task, held)
        return Bound(sha256(data).hexdigest(), len(data) <= MAX_KEPT_BYTES)
    bound = Bound(digest, is_kept, item(written, "withheld_sha256", str), item(written, "withheld_kept", bool))
    withheld = ground.withheld
    if withheld is None:
        steps = enumerate(objects(predicate, "trajectory"))
        said = tuple((number, item(step, "commitment", str)) for number, step in steps if "commitment" in step)
        return replace(bound, said=said, established=item(predicate, "established_commitment", str))
    state = ground.established.state
    text = state.value.text if isinstance(state, Determined) else ground.established.reason
    right = replace(withheld, state=state_word(state), text=text)
    data = withheld_bytes(right)
    return replace(
        bound,
        withheld_sha256=sha256(data).hexdigest(),
        withheld_kept=len(data) <= MAX_KEPT_BYTES,
        said=tuple((one.step, one.commitment) for one in withheld.said),
        established=right.commitment,
    )


def _is_blank(value: object) -> bool:
    return BLANK.encode() in canonical({"value": value})
