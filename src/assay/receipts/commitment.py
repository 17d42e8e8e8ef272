"""Library: commit to a suite's gauge, and reveal it (spec/suite.md §13; docs/adr/0036). Pure data.

The commitment is the digest of a private file that holds a nonce. Who has not the file learns that something was
gauged; who is shown the nonce, beside the gauge's record, can compute the digest again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.kernel.canonical import canonical
from assay.receipts.deliveries import DELIVERY_RESULT
from assay.receipts.statement import digest_of, statement

GAUGE_COMMITMENT: Final = "urn:assay:gauge-commitment:v0.1"
OPENING: Final = "assay.gauge-commitment/1"
SUBJECT: Final = "commitment"
NONCE_BYTES: Final = 32
FIELD: Final = "commitment"  # of the predicate of a delivery

NOT_COMMITTED: Final = "not_committed"  # the delivery names no commitment
BEFORE: Final = "committed_before"  # it opens, and stands before the delivery
AFTER: Final = "committed_after"  # it opens, and does not stand before the delivery
DOES_NOT_OPEN: Final = "does_not_open"  # nonce and gauge give another digest, or the entry is another
UNKNOWN: Final = "unknown"  # it opens; the entries of the log were not given


@dataclass(frozen=True, slots=True, repr=False)
class Opening:
    """What is committed to: a suite, its function (empty: a program), its gauge's digest, and 32 random bytes."""

    nonce: bytes
    suite_sha256: str
    entry_point: str
    gauge_sha256: str

    @property
    def data(self) -> bytes:
        """The bytes of the private file; its name is their SHA-256, the commitment."""
        return canonical(
            {
                "commitment": OPENING,
                "nonce": self.nonce.hex(),
                "suite_sha256": self.suite_sha256,
                "entry_point": self.entry_point,
                "gauge_sha256": self.gauge_sha256,
            }
        )

    @property
    def sha256(self) -> str:
        """The commitment."""
        return sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Revealed:
    """Where the commitment of a delivery stands, and the nonce that opens it."""

    opening: Opening
    origin: str
    index: int


def commitment_statement(commitment: str) -> dict[str, object]:
    """The Statement that is logged; it names neither the suite nor the gauge."""
    return statement(SUBJECT, commitment, GAUGE_COMMITMENT, {})


def revealing(document: Mapping[str, object], revealed: Revealed) -> dict[str, object]:
    """The Statement of a delivery with its commitment revealed. Nothing else in it is changed."""
    predicate = document["predicate"]
    assert isinstance(predicate, dict)  # noqa: S101 -- a delivery's, as we made it
    field = {
        "sha256": revealed.opening.sha256,
        "nonce": revealed.opening.nonce.hex(),
        "origin": revealed.origin,
        "index": revealed.index,
    }
    return {**document, "predicate": {**predicate, FIELD: field}}


def commitment_of(document: Mapping[str, object]) -> str | None:
    """The commitment that a logged Statement is; None: it is none."""
    if document.get("predicateType") != GAUGE_COMMITMENT:
        return None
    subject = document.get("subject")
    match subject:
        case [{"name": "commitment", "digest": {"sha256": str(digest)}}]:
            return digest
        case _:
            return None


def check_commitment(
    delivery: Mapping[str, object],
    delivered_at: int | None = None,
    entry: Mapping[str, object] | None = None,
) -> str:
    """What is to be said of the commitment of a delivery: one of the words above.

    `delivery` and `entry` are Statements; `entry` is the one at the index that the delivery names, in the log of that
    origin, and `delivered_at` the delivery's index there. That both stand in that log, the caller checks.

    Source: spec/suite.md §13.
    """
    predicate = delivery.get("predicate")
    if delivery.get("predicateType") != DELIVERY_RESULT or not isinstance(predicate, dict) or FIELD not in predicate:
        return NOT_COMMITTED
    named = predicate[FIELD]
    opening = _opening(named, predicate.get("gauge"), predicate.get("suite"))
    if opening is None or opening.sha256 != named["sha256"]:
        return DOES_NOT_OPEN
    if entry is None or delivered_at is None:
        return UNKNOWN
    if commitment_of(entry) != opening.sha256:
        return DOES_NOT_OPEN
    return BEFORE if named["index"] < delivered_at else AFTER


def _opening(named: object, gauge: object, suite: object) -> Opening | None:
    """The opening that the receipt's own fields make; None where they contradict one another."""
    if not isinstance(named, dict) or not isinstance(gauge, dict) or not isinstance(suite, dict):
        return None
    record = {name: value for name, value in gauge.items() if name != "gauge_sha256"}
    match named, gauge:
        case (
            {"sha256": str(), "nonce": str(nonce), "origin": str(), "index": int(index)},
            {"suite_sha256": str(digest), "entry_point": str(function), "gauge_sha256": str(gauged)},
        ) if len(named) == 4 and index >= 0 and type(index) is int:
            if digest != suite.get("suite_sha256") or gauged != digest_of(record) or gauge.get("holds") is not True:
                return None
            try:
                raw = bytes.fromhex(nonce)
            except ValueError:
                return None
            return Opening(raw, digest, function, gauged) if raw.hex() == nonce and len(raw) == NONCE_BYTES else None
        case _:
            return None
