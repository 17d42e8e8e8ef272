"""Bedrock: canonical bytes, the float-free subset of RFC 8785 (docs/adr/0007); a test holds it equal to `rfc8785`."""

from __future__ import annotations

import json
from collections.abc import Mapping

from assay.kernel.errors import CanonicalError

MAX_INTEGER = 2**53 - 1


def canonical(value: object) -> bytes:
    """The canonical JSON bytes of objects, arrays, texts, booleans, null and integers below 2^53.

    Raises:
        CanonicalError: a float, a larger integer, a key that is no text, a lone surrogate, any other type.
    """
    ordered = _ordered(value)
    try:
        return json.dumps(ordered, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        raise CanonicalError("fault.canonical", "a text holds a lone surrogate; it has no canonical bytes") from None


def _ordered(value: object) -> object:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is int:
        if -MAX_INTEGER <= value <= MAX_INTEGER:  # type: ignore[operator]
            return value
        raise CanonicalError("fault.canonical", "an integer is beyond 2^53; large numbers travel as text")
    if isinstance(value, Mapping):
        keys = list(value)
        if not all(type(key) is str for key in keys):
            raise CanonicalError("fault.canonical", "a key is not a text")
        # RFC 8785 §3.2.3 sorts by UTF-16 code units, not by code points.
        keys.sort(key=_utf16)
        return {key: _ordered(value[key]) for key in keys}
    if kind is list or kind is tuple:
        return [_ordered(item) for item in value]  # type: ignore[attr-defined]
    raise CanonicalError("fault.canonical", f"a {kind.__name__} has no canonical bytes; numbers travel as text")


def _utf16(key: str) -> str | bytes:
    return key.encode("utf-16-be", "surrogatepass")
