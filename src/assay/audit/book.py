"""Workshops: the book of accepted claims: what stands, and whether it still holds (spec/receipt.md §11; docs/adr/0036).

Pure. Refusals are not in it, and it does not say what the evidence establishes now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from assay.audit.terms import state_word
from assay.floor.oracle import Established, establish
from assay.floor.store import Snapshot
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError, InvalidTask
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.receipts.predicates import BLANK, CLAIM_RESULT
from assay.receipts.statement import digest_of
from assay.wire.proposals import parse_proposal
from assay.wire.receipts import ReadReceipt, read_line
from assay.wire.tasks import task_from

HOLDS: Final = "holds"
UNKNOWN: Final = "unknown"
VALUE_CHANGED: Final = "value_changed"
NEVER_FOLLOWED: Final = "never_followed"
CANNOT_BE_ASKED: Final = "cannot_be_asked"
# Which assertions a state accepts (spec/verification.md §4).
_ACCEPTS: Final[dict[str, frozenset[str]]] = {
    "VALUE": frozenset({"VALUE"}),
    "INSUFFICIENT": frozenset({"INSUFFICIENT_EVIDENCE"}),
    "CONFLICT": frozenset({"CONFLICT_NOT_RESOLVED"}),
    "NO_ENTITY": frozenset({"NO_ENTITY", "INSUFFICIENT_EVIDENCE"}),
}


@dataclass(frozen=True, slots=True)
class Current:
    """Whether the claim would be accepted now, and why not.

    `word` is `holds`, `unknown`, `value_changed`, `now_value`, `now_insufficient`, `now_conflict`, `now_no_entity`,
    `never_followed` or `cannot_be_asked`. `reason` is the code of the state's reason; `sources` is what became of the
    sources of the claim: (source, `superseded`, `retracted`, `gone` or `other_bytes`).
    """

    word: str
    reason: str = ""
    sources: tuple[tuple[str, str], ...] = ()

    @property
    def still_stands(self) -> bool:
        """Whether nothing is known that speaks against the claim."""
        return self.word in {HOLDS, UNKNOWN}


@dataclass(frozen=True, slots=True)
class Claim:
    """One acceptance: what was asserted, where it stands in the log, who signed it, and whether it stands.

    `value` is the canonical text of an asserted VALUE, else empty; `replaced_by` the index of the acceptance of the
    same task that stands in its place; `signed_by` what the trust file calls the keys whose signatures count.
    """

    index: int
    receipt_sha256: str
    task: Mapping[str, object]
    entity: str
    property_name: str
    state: str
    value: str
    reason: str
    how: str
    snapshot: str
    pins: tuple[tuple[str, str], ...]  # (source, digest of its bytes) of every fact used
    asserted: Mapping[str, object]
    is_private: bool
    signed_by: tuple[str, ...] = ()
    replaced_by: int | None = None
    current: Current = field(default=Current(UNKNOWN))

    @property
    def stands(self) -> bool:
        """Whether it is the latest acceptance of its task; that it still holds is said by `current`."""
        return self.replaced_by is None


@dataclass(frozen=True, slots=True)
class Book:
    """The accepted claims of a log, in its order, and how many acceptances are not in it because nobody counts them."""

    claims: tuple[Claim, ...]
    left_out: int = 0

    def standing(self) -> tuple[Claim, ...]:
        """The claims that stand: of each task the latest acceptance, unless it is known that it holds no more."""
        return tuple(claim for claim in self.claims if claim.stands and claim.current.still_stands)

    def fallen(self) -> tuple[Claim, ...]:
        """The latest acceptance of each task whose claim would not be accepted on the pack that was given."""
        return tuple(claim for claim in self.claims if claim.stands and not claim.current.still_stands)

    def of(self, entity: str, property_name: str = "") -> tuple[Claim, ...]:
        """Every claim on the entity, as its task writes it, replaced ones too; on one property where it is named."""
        found = (claim for claim in self.claims if claim.entity == entity)
        return tuple(claim for claim in found if not property_name or claim.property_name == property_name)


# What the signatures of a receipt are worth: the names of the keys that count; None: the reader does not count it.
Count = Callable[[bytes, ReadReceipt], tuple[str, ...] | None]


def everybody(_: bytes, __: ReadReceipt) -> tuple[str, ...]:
    """Count every receipt, signed or not: whoever asks trusts who wrote the log."""
    return ()


def book_of(lines: Iterable[bytes], count: Count = everybody, snapshot: Snapshot | None = None) -> Book:
    """The book of the lines of a log. Lines that are no receipt of an acceptance are passed over.

    With a snapshot each claim that stands is decided again on it.
    """
    kept: list[Claim] = []
    left_out = 0
    for index, line in enumerate(lines):
        try:
            read = read_line(line)
        except InputError:
            continue
        claim = _claim(index, line, read)
        if claim is None:
            continue
        names = count(line, read)
        if names is None:
            left_out += 1
        else:
            kept.append(replace(claim, signed_by=names))
    latest = {_key(claim): claim.index for claim in kept}
    return Book(tuple(_entered(claim, latest[_key(claim)], snapshot) for claim in kept), left_out)


def _entered(claim: Claim, latest: int, snapshot: Snapshot | None) -> Claim:
    if claim.index != latest:
        return replace(claim, replaced_by=latest)
    return claim if snapshot is None else replace(claim, current=now(snapshot, claim))


def _key(claim: Claim) -> object:
    # Two blanked identifiers may be two persons: such a claim replaces none.
    return claim.index if claim.is_private else canonical(claim.task)


def now(snapshot: Snapshot, claim: Claim) -> Current:
    """Whether the claim, as it was asserted, would be accepted on the snapshot.

    Where it would not, the state's word and reason are said, and never the value that is established.
    """
    if claim.is_private:
        return Current(UNKNOWN, "private")
    try:
        established = establish(snapshot, task_from(claim.task))
    except InvalidTask as refusal:
        return Current(CANNOT_BE_ASKED, refusal.code, _sources(snapshot, claim))
    proposal = parse_proposal(canonical(claim.asserted))
    if isinstance(verify(established.kind, established.state, proposal), Accept):
        return Current(HOLDS)
    word = NEVER_FOLLOWED if snapshot.digest == claim.snapshot else _word(claim, established)
    return Current(word, established.reason, _sources(snapshot, claim))


def _word(claim: Claim, established: Established) -> str:
    state = state_word(established.state)
    return VALUE_CHANGED if state == claim.state == "VALUE" else f"now_{state.lower()}"


def _sources(snapshot: Snapshot, claim: Claim) -> tuple[tuple[str, str], ...]:
    found = {name: _fate(snapshot, name, digest) for name, digest in claim.pins}
    return tuple((name, fate) for name, fate in sorted(found.items()) if fate)


def _fate(snapshot: Snapshot, name: str, digest: str) -> str:
    source = snapshot.source(name)
    if source is None:
        return "gone"
    if source.status == "retracted":
        return "retracted"
    if snapshot.successors(name):
        return "superseded"
    return "" if source.sha256 == digest else "other_bytes"


def _claim(index: int, line: bytes, read: ReadReceipt) -> Claim | None:
    """The acceptance that a receipt records; None where it records none, or contradicts itself."""
    predicate = read.document["predicate"]
    if read.document["predicateType"] != CLAIM_RESULT or not isinstance(predicate, dict):
        return None
    task, asserted, established = (_object(predicate, name) for name in ("task", "asserted", "established"))
    if predicate.get("outcome") != "accepted":
        return None
    state, value = asserted.get("state"), established.get("value", "")
    if state not in _ACCEPTS.get(str(established.get("state")), ()) or not isinstance(value, str):
        return None
    named: dict[str, object] = {"task": task, "state": state} | ({"value": value} if state == "VALUE" else {})
    if read.document["subject"] != [{"name": "claim", "digest": {"sha256": digest_of(named)}}]:
        return None
    snapshot = predicate.get("snapshot")
    facts = predicate.get("facts")
    return Claim(
        index=index,
        receipt_sha256=sha256(line).hexdigest(),
        task=task,
        entity=_text(predicate, "entity"),
        property_name=_text(predicate, "property"),
        state=str(state),
        value=value,
        reason=_text(established, "reason"),
        how=_text(predicate, "how"),
        snapshot=_text(snapshot, "digest"),
        pins=tuple((_text(pin, "source"), _text(pin, "sha256")) for pin in (facts if isinstance(facts, list) else ())),
        asserted=asserted,
        is_private=BLANK in canonical(task).decode(),
    )


def _object(document: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = document.get(name)
    return found if isinstance(found, dict) else {}


def _text(document: object, name: str) -> str:
    found = document.get(name) if isinstance(document, dict) else None
    return found if isinstance(found, str) else ""
