"""Pipes: Ed25519, by a library: keys in PEM, a signer, and the check of a signature (spec/receipt.md §8)."""

# ruff: noqa: PLC0415 -- loading the library costs 30 ms, and most commands neither sign nor check

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.kernel.errors import InputError
from assay.receipts.signing import keyid_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


@dataclass(frozen=True, slots=True)
class Ed25519Signer:
    """Signs with one private key, which no `repr` shows."""

    public: bytes
    _key: Ed25519PrivateKey = field(repr=False, compare=False)

    @property
    def keyid(self) -> str:
        """The id of the key."""
        return keyid_of(self.public)

    def sign(self, message: bytes) -> bytes:
        """The 64 bytes of the signature."""
        return self._key.sign(message)


def is_signature(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the signature is that of the public key over the message; bytes that are none are simply not."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def new_signer() -> Ed25519Signer:
    """A new key, from the operating system's randomness."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _signer(Ed25519PrivateKey.generate())


def private_pem(signer: Ed25519Signer) -> bytes:
    """The private key in PKCS #8, PEM, without a passphrase."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return signer._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())  # noqa: SLF001 -- its own module


def public_pem(public: bytes) -> bytes:
    """The public key as SubjectPublicKeyInfo in PEM."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = Ed25519PublicKey.from_public_bytes(public)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def signer_of(pem: bytes) -> Ed25519Signer:
    """The signer of a private key in PEM.

    Raises:
        InputError: `key.format`: it is none, of another algorithm, or behind a passphrase. The bytes are not repeated.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(pem, password=None)
    except TypeError:
        raise InputError(
            "key.format", "the private key has a passphrase; give one without, that only you can read"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError("key.format", "the file holds no Ed25519 private key in PEM; make one with `assay keys new`")
    return _signer(key)


def public_of(pem: bytes) -> bytes:
    """The 32 bytes of a public key in PEM.

    Raises:
        InputError: `key.format`: it is none. A private key is refused too: it has no business where one is trusted.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        found = "a private key" if b"PRIVATE KEY" in pem else "no Ed25519 public key in PEM"
        raise InputError("key.format", f"the file holds {found}; give the public one, `NAME.pub.pem`")
    return key.public_bytes_raw()


def _signer(key: Ed25519PrivateKey) -> Ed25519Signer:
    return Ed25519Signer(key.public_key().public_bytes_raw(), key)
