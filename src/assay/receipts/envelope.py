"""Library: a receipt in its signed envelope, DSSE v1 (spec/receipt.md §7; docs/adr/0033). Pure: nothing is read here.

The algorithm is the reader's: an envelope names none, so none can be talked into another.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from assay.kernel.canonical import canonical
from assay.receipts.signing import SIGNATURE_BYTES, Check, LogHead, Signer, TrustedKey, keyid_of

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
MAX_SIGNATURES: Final = 8

# Whether the receipt is shown to be in that log, below its size and under its root.
IsLogged = Callable[[LogHead], bool]


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature as it came: whose it claims to be, and its bytes."""

    keyid: str
    sig: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """The payload's exact bytes, and one signature or more over them; nothing here has been checked."""

    payload: bytes
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class Signed:
    """What the signatures of one envelope are worth, by key id, in the order of the envelope."""

    counted: tuple[str, ...]  # right, of a trusted key
    revoked: tuple[str, ...]  # right, of a key that was revoked, and not shown to be from before
    wrong: tuple[str, ...]  # in the name of a trusted key, and not its signature
    unknown: tuple[str, ...]  # of no key in the trust set; not looked at

    @property
    def is_authentic(self) -> bool:
        """Whether a trusted key signed these bytes, and nothing was signed falsely in the name of another."""
        return bool(self.counted) and not self.wrong


def pae(payload: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """The bytes that are signed: type and payload, each with its length, so that no two envelopes have the same."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def seal(payload: bytes, signer: Signer) -> bytes:
    """The canonical bytes of an envelope around exactly these bytes: one line, no line break inside."""
    return envelope_bytes(Envelope(payload, (Signature(keyid_of(signer.public), signer.sign(pae(payload))),)))


def envelope_bytes(envelope: Envelope) -> bytes:
    """The envelope's one spelling."""
    return canonical(
        {
            "payload": b64encode(envelope.payload).decode(),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": one.keyid, "sig": b64encode(one.sig).decode()} for one in envelope.signatures],
        }
    )


def never_logged(_: LogHead) -> bool:
    """Nothing is known of any log: no signature of a revoked key counts."""
    return False


def signed_by(
    envelope: Envelope, trusted: Iterable[TrustedKey], check: Check, is_logged: IsLogged = never_logged
) -> Signed:
    """Whose signatures these are, by the keys that the reader trusts and no others.

    `is_logged` is asked only of a right signature of a revoked key.
    """
    keys = {key.keyid: key for key in trusted}
    message = pae(envelope.payload)
    found: dict[str, list[str]] = {"counted": [], "revoked": [], "wrong": [], "unknown": []}
    for one in envelope.signatures:
        key = keys.get(one.keyid)
        if key is None:
            word = "unknown"
        elif len(one.sig) != SIGNATURE_BYTES or not check(key.public, one.sig, message):
            word = "wrong"
        else:
            word = "counted" if _counts(key, is_logged) else "revoked"
        found[word].append(one.keyid)
    return Signed(*(tuple(found[word]) for word in ("counted", "revoked", "wrong", "unknown")))


def _counts(key: TrustedKey, is_logged: IsLogged) -> bool:
    if key.revoked is None:
        return True
    return key.revoked.after is not None and is_logged(key.revoked.after)
