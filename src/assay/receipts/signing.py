"""Library: who signs and who is trusted (spec/receipt.md §8, §9; docs/adr/0033). Pure; the arithmetic is given to it.

Receipts and checkpoints of a log are signed through the same protocol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
# Every Ed25519 SubjectPublicKeyInfo in DER is these twelve bytes and the key (RFC 8410).
SPKI_PREFIX: Final = bytes.fromhex("302a300506032b6570032100")

# Whether the signature (64 bytes) is that of the public key (32 bytes) over the message; False for anything else.
Check = Callable[[bytes, bytes, bytes], bool]


class Signer(Protocol):
    """Holds a private key and signs with it; the key itself cannot be had from here."""

    @property
    def public(self) -> bytes:
        """The 32 bytes of the Ed25519 public key."""
        ...

    @property
    def keyid(self) -> str:
        """`keyid_of(self.public)`."""
        ...

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the signature over the message."""
        ...


def spki_of(public: bytes) -> bytes:
    """The SubjectPublicKeyInfo of the key in DER, 44 bytes."""
    return SPKI_PREFIX + public


def keyid_of(public: bytes) -> str:
    """The key's id: SHA-256 of its SubjectPublicKeyInfo, in hexadecimal."""
    return sha256(spki_of(public)).hexdigest()


@dataclass(frozen=True, slots=True)
class LogHead:
    """One state of a log: its origin, how many entries it had, and the root of their tree (32 bytes)."""

    origin: str
    size: int
    root: bytes


@dataclass(frozen=True, slots=True)
class Revoked:
    """What of a revoked key still counts: only what the log held at `after`; None: nothing."""

    after: LogHead | None


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """A public key that its user trusts, and what they call whoever holds it."""

    public: bytes
    name: str
    revoked: Revoked | None = None

    @property
    def keyid(self) -> str:
        """The key's id, made from the key: nobody can say that it is another."""
        return keyid_of(self.public)
