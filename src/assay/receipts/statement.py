"""Library: a receipt as an in-toto Statement in canonical bytes (spec/receipt.md §1; docs/adr/0008).

It says what was decided, not who decided: that is the envelope's to say (envelope.py).
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from assay.kernel.canonical import canonical
from assay.receipts.predicates import CLAIM_RESULT, ClaimResult, blanked, claim_document, claim_predicate

STATEMENT: Final = "https://in-toto.io/Statement/v1"


def digest_of(document: object) -> str:
    """The SHA-256 of the document's canonical bytes, in hexadecimal."""
    return sha256(canonical(document)).hexdigest()


def statement(name: str, digest: str, predicate_type: str, predicate: dict[str, object]) -> dict[str, object]:
    """An in-toto Statement v1 of one subject."""
    return {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": {"sha256": digest}}],
        "predicateType": predicate_type,
        "predicate": predicate,
    }


def claim_statement(result: ClaimResult) -> dict[str, object]:
    """The Statement of one claim.

    The subject is the accepted claim; of everything else the task, never the candidate: a refused thing cannot be
    presented with a receipt that names it.
    """
    if result.answer is not None:
        name, named = "claim", claim_document(result.task, result.answer)
    else:
        name, named = "task", result.task
    predicate = claim_predicate(result)
    if result.private:
        # The digest of an identifier that can be guessed is that identifier: blank first, then hash.
        named = _blanked(named, result.private)
        predicate = _blanked(predicate, result.private)
    return statement(name, digest_of(named), CLAIM_RESULT, predicate)


def _blanked(document: dict[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {key: blanked(item, names) for key, item in document.items()}


def receipt(result: ClaimResult) -> bytes:
    """The canonical bytes of the claim's Statement: one line, no line break inside."""
    return canonical(claim_statement(result))
