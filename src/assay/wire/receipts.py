"""Letterbox: one line of receipts to what it holds: a signed envelope, or a bare Statement (spec/receipt.md §6, §7).

Every line has one spelling: what is read is written again and compared with the bytes that came.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assay.kernel.canonical import canonical
from assay.kernel.errors import CanonicalError, InputError
from assay.receipts.envelope import MAX_SIGNATURES, PAYLOAD_TYPE, Envelope, Signature
from assay.receipts.statement import STATEMENT
from assay.wire.strict import StrictReader

MAX_LINE_BYTES: Final = 16 << 20

_ENVELOPE: Final = {"payload", "payloadType", "signatures"}
_STATEMENT: Final = {"_type", "subject", "predicateType", "predicate"}
_READER: Final = StrictReader(InputError, "receipt", "the receipt", MAX_LINE_BYTES)
_DIGEST: Final = re.compile(r"[0-9a-f]{64}").fullmatch


@dataclass(frozen=True, slots=True)
class ReadReceipt:
    """A receipt as it was read; whether a signature of it is right has not been looked at.

    INVARIANT: `statement` are the canonical bytes of `document`, and the payload of `envelope` where there is one.
    """

    statement: bytes
    document: Mapping[str, object]
    envelope: Envelope | None  # None: it is unsigned


def read_line(data: bytes) -> ReadReceipt:
    """The receipt that these bytes are, without the line feed.

    Raises:
        InputError: they are none; the codes are those of spec/receipt.md §6. No part of them is repeated.
    """
    document = _canonical(data, "the line")
    if not isinstance(document, dict):
        raise _refuse("shape", "is no object; give an envelope or a Statement")
    if document.keys() == _ENVELOPE:
        envelope = _envelope(document)
        return ReadReceipt(envelope.payload, _statement(envelope.payload, "its payload"), envelope)
    if document.keys() == _STATEMENT:
        return ReadReceipt(data, _statement_of(document), None)
    raise _refuse("shape", "is neither an envelope nor a Statement, each with exactly its fields; give one of them")


def _envelope(document: Mapping[str, object]) -> Envelope:
    if document["payloadType"] != PAYLOAD_TYPE:
        raise _refuse("payload_type", f"is an envelope of another payload type; only `{PAYLOAD_TYPE}` is read")
    signatures = document["signatures"]
    if not isinstance(signatures, list) or not 0 < len(signatures) <= MAX_SIGNATURES:
        raise _refuse("signatures", f"has no list of 1 to {MAX_SIGNATURES} signatures")
    read = tuple(_signature(one) for one in signatures)
    if len({one.keyid for one in read}) != len(read):
        raise _refuse("signatures", "has two signatures under one key id; one of them is not that key's")
    return Envelope(_bytes(document["payload"]), read)


def _signature(document: object) -> Signature:
    if not isinstance(document, dict) or document.keys() != {"keyid", "sig"}:
        raise _refuse("signatures", "has a signature that is not exactly `keyid` and `sig`")
    keyid = document["keyid"]
    if not isinstance(keyid, str) or _DIGEST(keyid) is None:
        raise _refuse("signatures", "has a key id that is no SHA-256 in 64 hexadecimal digits")
    return Signature(keyid, _bytes(document["sig"]))


def _bytes(text: object) -> bytes:
    if not isinstance(text, str):
        raise _refuse("base64", "has a payload or a signature that is no text; it is base64")
    try:
        data = b64decode(text, validate=True)
    except (Base64Error, ValueError):
        data = b""
    # The last digit of base64 can hold bits that mean nothing: only the spelling without them is read.
    if not data or b64encode(data).decode() != text:
        raise _refuse("base64", "has a payload or a signature in no base64, or not in its one spelling, or empty")
    return data


def _statement(payload: bytes, name: str) -> Mapping[str, object]:
    document = _canonical(payload, name)
    if not isinstance(document, dict) or document.keys() != _STATEMENT:
        raise _refuse("statement", "holds a payload that is no Statement v1 with exactly its fields")
    return _statement_of(document)


def _statement_of(document: Mapping[str, object]) -> Mapping[str, object]:
    subject = document["subject"]
    if (
        document["_type"] != STATEMENT
        or not isinstance(document["predicateType"], str)
        or not isinstance(document["predicate"], dict)
        or not isinstance(subject, list)
        or len(subject) != 1
        or not _is_subject(subject[0])
    ):
        raise _refuse("statement", "is no Statement v1 of one subject with a SHA-256")
    return document


def _is_subject(subject: object) -> bool:
    if not isinstance(subject, dict) or subject.keys() != {"name", "digest"} or not isinstance(subject["name"], str):
        return False
    digest = subject["digest"]
    if not isinstance(digest, dict) or digest.keys() != {"sha256"}:
        return False
    return isinstance(digest["sha256"], str) and _DIGEST(digest["sha256"]) is not None


def _canonical(data: bytes, name: str) -> object:
    document = _READER.read(data)
    try:
        again = canonical(document)
    except CanonicalError:
        again = b""  # a number with a point, or a large one: no canonical bytes hold it
    if again != data:
        raise _refuse(
            "spelling", f"is spelled otherwise than it was written: {name} is not canonical; give it as it was"
        )
    return document


def _refuse(code: str, what: str) -> InputError:
    return InputError(f"receipt.{code}", f"the receipt {what}")
