"""Pipes, pure: checkpoints as C2SP signed notes with Ed25519 (spec/log.md §4).

Signing and checking are given from outside. A checkpoint that nobody signed is the note's text
alone; the text of a signed one is the same bytes.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.kernel.errors import InputError
from assay.ledger.tree import EMPTY, HASH_BYTES
from assay.receipts.signing import KEY_BYTES, SIGNATURE_BYTES, Check, LogHead, Signer

ED25519: Final = b"\x01"
ID_BYTES: Final = 4
MAX_BYTES: Final = 65_536
MAX_SIGNATURES: Final = 16
_DASH: Final = "\u2014 "
_ORIGIN: Final = re.compile(r"[^\s+]{1,200}").fullmatch
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}").fullmatch


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One signature line as it came; nothing has been checked."""

    name: str
    key_id: bytes  # 4 bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A state of a log, as it was read: its head, the text that was signed, and the signature lines."""

    head: LogHead
    text: str
    signatures: tuple[NoteSignature, ...] = ()

    @property
    def note(self) -> bytes:
        """The bytes of the file."""
        lines = [f"{_DASH}{one.name} {b64encode(one.key_id + one.signature).decode()}\n" for one in self.signatures]
        return "".join([self.text, *(["\n"] if lines else []), *lines]).encode()


def is_origin(text: str) -> bool:
    """Whether a log may be called so: 1 to 200 printable characters, none of them a space or a plus."""
    return _ORIGIN(text) is not None and text.isprintable()


def key_id(name: str, public: bytes) -> bytes:
    """The four bytes by which a note names an Ed25519 key: they are a hint, and identify nobody."""
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:ID_BYTES]


def verifier_key(name: str, public: bytes) -> str:
    """The key as tools for notes take it: name, key id, and base64 of the algorithm and the key."""
    return f"{name}+{key_id(name, public).hex()}+{b64encode(ED25519 + public).decode()}"


def parse_verifier_key(text: str) -> tuple[str, bytes]:
    """The name and the public key of a verifier key.

    Raises:
        InputError: `log.key`: it is none, or not of Ed25519, or its key id is another.
    """
    name, _, rest = text.strip().partition("+")
    given, _, data = rest.partition("+")
    try:
        raw = b64decode(data, validate=True)
    except (Error, ValueError):
        raw = b""
    if not is_origin(name) or raw[:1] != ED25519 or len(raw) != 1 + KEY_BYTES:
        raise InputError("log.key", "what was given is no verifier key; it has the form NAME+KEYID+BASE64, of Ed25519")
    if given != key_id(name, raw[1:]).hex():
        raise InputError("log.key", f"verifier key of `{name}`: its key id is not that of its key; copy it again")
    return name, raw[1:]


def checkpoint_of(head: LogHead, signers: Iterable[Signer] = ()) -> Checkpoint:
    """The checkpoint of that state; each signer signs it under the name of the log."""
    text = f"{head.origin}\n{head.size}\n{b64encode(head.root).decode()}\n"
    signatures = tuple(
        NoteSignature(head.origin, key_id(head.origin, one.public), one.sign(text.encode())) for one in signers
    )
    return Checkpoint(head, text, signatures)


def parse_checkpoint(data: bytes) -> Checkpoint:
    """The checkpoint of these bytes; they have one spelling, and every other is refused.

    Raises:
        InputError: `log.checkpoint`: they are none.
    """
    try:
        whole = data.decode() if len(data) <= MAX_BYTES else ""
    except UnicodeDecodeError:
        whole = ""
    text, found, signed = whole.rpartition("\n\n")
    text, lines = (text + "\n", signed.split("\n")) if found else (whole, [""])
    body = text.split("\n")
    # INVARIANT: three lines and no extension: what stood in one would be signed, and nobody would have checked it.
    if len(body) != 4 or body[3] or lines.pop() or len(lines) > MAX_SIGNATURES or bool(found) != bool(lines):
        raise _refused("it has the three lines origin, size and root, and signatures after an empty line")
    origin, size, root = body[:3]
    if not is_origin(origin) or not _SIZE(size):
        raise _refused("its first line is a name without spaces and its second a number")
    head = LogHead(origin, int(size), _exact(root, HASH_BYTES))
    if head.size == 0 and head.root != EMPTY:
        raise _refused("the root of an empty log is the hash of nothing")
    return Checkpoint(head, text, tuple(_signature(line) for line in lines))


def signed_by(checkpoint: Checkpoint, public: bytes, check: Check) -> bool | None:
    """Whether that key signed it under the log's name; None if nothing says so, False if what says so is wrong."""
    name = checkpoint.head.origin
    named = [one for one in checkpoint.signatures if (one.name, one.key_id) == (name, key_id(name, public))]
    if not named:
        return None
    message = checkpoint.text.encode()
    return all(len(one.signature) == SIGNATURE_BYTES and check(public, one.signature, message) for one in named)


def _signature(line: str) -> NoteSignature:
    name, _, data = line.removeprefix(_DASH).partition(" ")
    raw = _exact(data)
    if not line.startswith(_DASH) or not is_origin(name) or len(raw) <= ID_BYTES:
        raise _refused("a signature is a dash, a name and base64")
    return NoteSignature(name, raw[:ID_BYTES], raw[ID_BYTES:])


def _exact(text: str, length: int | None = None) -> bytes:
    """The bytes of base64 in its one spelling."""
    try:
        raw = b64decode(text, validate=True)
    except (Error, ValueError):
        raw = b""
    if b64encode(raw).decode() != text or (length is not None and len(raw) != length):
        raise _refused("hashes and signatures are base64 in its one spelling")
    return raw


def _refused(needed: str) -> InputError:
    return InputError("log.checkpoint", f"what was given is no checkpoint: {needed}; name a log's file `checkpoint`")
