"""Desk: commit to a suite's gauge before there is a candidate, and reveal it in the delivery (spec/suite.md §13)."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from assay.api import wiring
from assay.api.gating import PRIVATE, GateOutcome
from assay.gate.gauge import Gauge
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.ledger import private as private_files
from assay.ledger.reading import LogFiles
from assay.receipts.commitment import NONCE_BYTES, Opening, Revealed, commitment_of, commitment_statement, revealing
from assay.receipts.envelope import seal
from assay.receipts.signing import Signer
from assay.suite.render import suite_sha256
from assay.suite.spec import SuiteSpec
from assay.wire.receipts import read_line
from assay.wire.strict import StrictReader

_NONCES: Final[Callable[[], bytes]] = partial(secrets.token_bytes, NONCE_BYTES)
_MAX_BYTES: Final = 1 << 12
_READER: Final = StrictReader(InputError, "commitment", "the private file of the commitment", _MAX_BYTES)
_INDEX: Final = re.compile(r"[0-9]{1,15}").fullmatch


@dataclass(frozen=True, slots=True)
class Committed:
    """Where a commitment stands, and the digest by which it is named."""

    sha256: str
    origin: str
    index: int


def commit(
    folder: str | Path, gauge: Gauge, signer: Signer | None = None, nonces: Callable[[], bytes] = _NONCES
) -> Committed:
    """Log a commitment to the gauge; what opens it goes into the folder's `private/` before.

    Raises:
        InvalidSuite: `suite.gauge`: the gauge does not hold, so there is nothing to commit to.
        LedgerFault: it could not be kept.
    """
    gauge.require()
    opening = Opening(nonces(), gauge.suite_sha256, gauge.entry_point, gauge.sha256)
    statement = canonical(commitment_statement(opening.sha256))
    path = wiring.keep(folder, statement, signer, [opening.data])
    files = LogFiles(path.parent)
    index = files.find(seal(statement, signer) if signer is not None else statement)
    assert index is not None  # noqa: S101 -- it was acknowledged
    return Committed(opening.sha256, files.checkpoint().head.origin, index)


def find(folder: str | Path, named: str, suite: SuiteSpec) -> Revealed:
    """The commitment of that index or digest in the log of the folder, opened; it has to be to this suite.

    Raises:
        InputError: `commitment.none`, `commitment.suite`, `log.missing`, `log.index`, `private.missing`.
    """
    files = LogFiles(Path(folder))
    head = files.checkpoint().head
    index, digest = _place(files, head.size, named)
    document = _READER.read(private_files.read(Path(folder) / PRIVATE, digest))
    opening = _opening(document)
    if opening is None or opening.sha256 != digest:
        raise InputError(
            "commitment.none", f"private file `{digest}` opens no commitment; name the folder where it was made"
        )
    if (opening.suite_sha256, opening.entry_point) != (suite_sha256(suite), suite.entry_point):
        raise InputError(
            "commitment.suite", f"commitment `{named}` is to another suite; give the suite that was committed to"
        )
    return Revealed(opening, head.origin, index)


def reveal(outcome: GateOutcome, revealed: Revealed) -> GateOutcome:
    """The outcome with the commitment revealed in its receipt; a void reveals nothing, for nothing was gauged."""
    document = json.loads(outcome.receipt)
    if not isinstance(document["predicate"]["gauge"], dict):
        return outcome
    return replace(outcome, receipt=canonical(revealing(document, revealed)))


def _place(files: LogFiles, size: int, named: str) -> tuple[int, str]:
    """Index and digest of the commitment."""
    if _INDEX(named):
        digest = commitment_of(read_line(files.entry(int(named), size)).document)
        if digest is None:
            raise InputError(
                "commitment.none", f"entry {named} is no commitment; `assay suite commit` prints its index"
            )
        return int(named), digest
    for index in range(size):
        try:
            digest = commitment_of(read_line(files.entry(index, size)).document)
        except InputError:
            continue
        if digest is not None and digest == named:
            return index, digest
    raise InputError("commitment.none", f"the log has no commitment `{named}`; give its index, or the whole digest")


def _opening(document: object) -> Opening | None:
    match document:
        case {
            "nonce": str(nonce),
            "suite_sha256": str(suite),
            "entry_point": str(function),
            "gauge_sha256": str(gauge),
        }:
            try:
                return Opening(bytes.fromhex(nonce), suite, function, gauge)
            except ValueError:
                return None
        case _:
            return None
