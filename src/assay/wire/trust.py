"""Letterbox: whose signatures count: the trust file (spec/receipt.md §9)."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable
from typing import Final

from assay.kernel.errors import InputError
from assay.receipts.signing import KEY_BYTES, SPKI_PREFIX, LogHead, Revoked, TrustedKey, spki_of
from assay.wire.strict import StrictReader

TRUST: Final = "assay.trust/1"
MAX_TRUST_BYTES: Final = 1 << 20
MAX_KEYS: Final = 1000
MAX_NAME: Final = 64
ROOT_BYTES: Final = 32

_MAX_SIZE: Final = 2**53 - 1
_READER: Final = StrictReader(InputError, "trust", "the trust file", MAX_TRUST_BYTES)
_ORIGIN: Final = re.compile(r"[^\s+]{1,200}").fullmatch


def parse_trust(data: bytes) -> tuple[TrustedKey, ...]:
    """The keys of a trust file, in its order.

    Raises:
        InputError: it is none; the codes are those of spec/receipt.md §9.
    """
    document = _object(_READER.read(data), {"trust", "keys"}, "it")
    if document["trust"] != TRUST:
        raise _refuse("version", f"is of another version than `{TRUST}`; write it again with `assay keys trust`")
    keys = document["keys"]
    if not isinstance(keys, list) or len(keys) > MAX_KEYS:
        raise _refuse("shape", f"has no list of at most {MAX_KEYS} `keys`")
    read = tuple(_key(one) for one in keys)
    for words in ([key.keyid for key in read], [key.name for key in read]):
        if len(set(words)) != len(words):
            raise _refuse("key", "has the same key or the same name twice; keep one")
    return read


def trust_bytes(keys: Iterable[TrustedKey]) -> bytes:
    """The trust file of these keys, for people to read: indented, keys of objects sorted, a line feed at the end."""
    document = {"trust": TRUST, "keys": [key_document(key) for key in keys]}
    return (json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def key_document(key: TrustedKey) -> dict[str, object]:
    """One key, as the trust file has it."""
    return {
        "keyid": key.keyid,
        "name": key.name,
        "spki": b64encode(spki_of(key.public)).decode(),
        "revoked": None if key.revoked is None else {"after": _head_document(key.revoked.after)},
    }


def name_of(text: object) -> str:
    """The name of a key: 1 to 64 printable characters.

    Raises:
        InputError: `trust.name`.
    """
    if not isinstance(text, str) or not 0 < len(text) <= MAX_NAME or not text.isprintable() or text != text.strip():
        raise InputError("trust.name", f"the name of a key is no text of 1 to {MAX_NAME} printable characters")
    return text


def _key(item: object) -> TrustedKey:
    document = _object(item, {"keyid", "name", "spki", "revoked"}, "a key")
    spki = _base64(document["spki"])
    if len(spki) != len(SPKI_PREFIX) + KEY_BYTES or not spki.startswith(SPKI_PREFIX):
        raise _refuse(
            "key", "has a key that is no Ed25519 SubjectPublicKeyInfo in base64; add it with `assay keys trust`"
        )
    key = TrustedKey(spki.removeprefix(SPKI_PREFIX), name_of(document["name"]), _revoked(document["revoked"]))
    if document["keyid"] != key.keyid:
        raise _refuse("key", "has a key under the id of another; add it anew with `assay keys trust`")
    return key


def _revoked(item: object) -> Revoked | None:
    if item is None:
        return None
    after = _object(item, {"after"}, "`revoked`")["after"]
    if after is None:
        return Revoked(None)
    document = _object(after, {"origin", "size", "root"}, "`after`")
    head = _head(document["origin"], document["size"], document["root"])
    if head is None:
        raise _refuse(
            "head", "has a state of a log that is none: `origin` text without space, `size` count, `root` base64"
        )
    return Revoked(head)


def _head(origin: object, size: object, root: object) -> LogHead | None:
    digest = _base64(root)
    # type(), for a truth value is no count
    if (
        not isinstance(origin, str)
        or _ORIGIN(origin) is None
        or not origin.isprintable()
        or type(size) is not int
        or not 0 <= size <= _MAX_SIZE
    ):
        return None
    return LogHead(origin, size, digest) if len(digest) == ROOT_BYTES else None


def _head_document(head: LogHead | None) -> dict[str, object] | None:
    if head is None:
        return None
    return {"origin": head.origin, "size": head.size, "root": b64encode(head.root).decode()}


def _base64(text: object) -> bytes:
    """The bytes; none for what is not their one spelling."""
    if not isinstance(text, str):
        return b""
    try:
        data = b64decode(text, validate=True)
    except (Base64Error, ValueError):
        return b""
    return data if b64encode(data).decode() == text else b""


def _object(item: object, keys: set[str], name: str) -> dict[str, object]:
    if not isinstance(item, dict) or item.keys() != keys:
        wanted = ", ".join(f"`{key}`" for key in sorted(keys))
        raise _refuse("shape", f"is not as it has to be: {name} needs exactly {wanted}")
    return item


def _refuse(code: str, what: str) -> InputError:
    return InputError(f"trust.{code}", f"the trust file {what}")
