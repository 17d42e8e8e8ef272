"""Letterbox: the bytes of a private file to what a receipt withholds, or a refusal (spec/receipt.md §2)."""

from __future__ import annotations

import re
from typing import Final

from assay.kernel.errors import InputError
from assay.receipts.private import MAX_KEPT_BYTES, SALT_BYTES
from assay.receipts.withheld import WITHHELD, Said, Withheld
from assay.wire.strict import StrictReader

_READER: Final = StrictReader(InputError, "withheld", "the file of what is withheld", 4 * MAX_KEPT_BYTES)
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*").fullmatch
_STATES: Final = ("VALUE", "INSUFFICIENT", "CONFLICT", "NO_ENTITY")


def parse_withheld(data: bytes) -> Withheld:
    """What these bytes keep. Does not look at their digest: whoever has the receipt does.

    Raises:
        InputError: `withheld.…`: they keep nothing of the sort.
    """
    document = _object(_READER.read(data), {"withheld", "said", "established"})
    if document["withheld"] != WITHHELD:
        raise _bad(f"is no `{WITHHELD}`")
    said = document["said"]
    if not isinstance(said, list):
        raise _bad("has no list `said`")
    established = document["established"]
    state = established.get("state") if isinstance(established, dict) else None
    if state not in _STATES:
        raise _bad("has no state")
    word = "value" if state == "VALUE" else "reason"
    found = _object(established, {"salt", "state", word})
    text = found[word]
    if not isinstance(text, str):
        raise _bad(f"has a `{word}` that is no text")
    return Withheld(tuple(map(_said, said)), _salt(found["salt"]), str(state), text)


def _said(item: object) -> Said:
    found = _object(item, {"step", "salt", "data"})
    step = found["step"]
    if type(step) is not int or step < 0:
        raise _bad("has a step that is no count")
    return Said(step, _salt(found["salt"]), _bytes(found["data"]))


def _salt(item: object) -> bytes:
    salt = _bytes(item)
    if len(salt) != SALT_BYTES:
        raise _bad(f"has a salt that is not {SALT_BYTES} bytes")
    return salt


def _bytes(item: object) -> bytes:
    if not isinstance(item, str) or _HEX(item) is None:
        raise _bad("has bytes that are not in hexadecimal")
    return bytes.fromhex(item)


def _object(item: object, keys: set[str]) -> dict[str, object]:
    if not isinstance(item, dict) or item.keys() != keys:
        raise _bad("has an object that needs exactly " + ", ".join(f"`{key}`" for key in sorted(keys)))
    return item


def _bad(what: str) -> InputError:
    return InputError("withheld.shape", f"the file of what is withheld {what}; see spec/receipt.md §2")
