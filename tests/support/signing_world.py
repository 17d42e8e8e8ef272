"""Keys and receipts for tests of envelopes: keys are made of fixed bytes, and nobody may trust them elsewhere."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from assay.kernel.canonical import canonical
from assay.ledger.signing import Ed25519Signer
from assay.receipts.signing import TrustedKey
from assay.receipts.statement import statement


def signer(number: int) -> Ed25519Signer:
    """The signer of one of 256 keys."""
    key = Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)
    return Ed25519Signer(key.public_key().public_bytes_raw(), key)


ALICE, BOB, EVE = signer(1), signer(2), signer(3)
TRUSTED = (TrustedKey(ALICE.public, "alice"), TrustedKey(BOB.public, "bob"))


def document(predicate: dict[str, object] | None = None) -> dict[str, Any]:
    """A Statement."""
    return statement("task", "0" * 64, "urn:assay:claim-result:v0.1", predicate or {"outcome": "rejected"})


PAYLOAD = canonical(document())
