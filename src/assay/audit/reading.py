"""Workshops: the fields of a predicate, taken out with their types; what is none is a finding, not an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from assay.audit.facts import Contradiction

_T = TypeVar("_T")


def item(document: object, name: str, kind: type[_T]) -> _T:
    """The field of exactly that type.

    Raises:
        Contradiction: it is missing, or of another type.
    """
    found = document.get(name) if isinstance(document, Mapping) else None
    if type(found) is not kind:
        raise Contradiction(f"`{name}` is missing or of another type")
    return found


def perhaps(document: object, name: str, kind: type[_T]) -> _T | None:
    """The field of that type, or None where it is null.

    Raises:
        Contradiction: it is missing, or of another type.
    """
    if isinstance(document, Mapping) and name in document and document[name] is None:
        return None
    return item(document, name, kind)


def objects(document: object, name: str) -> list[dict[str, object]]:
    """The list of objects under that name.

    Raises:
        Contradiction: it is none.
    """
    found = item(document, name, list)
    if not all(type(one) is dict for one in found):
        raise Contradiction(f"`{name}` holds something that is no object")
    return found


def subject(document: Mapping[str, object]) -> tuple[str, str]:
    """Name and SHA-256 of the one subject of a Statement that a letterbox has read."""
    (one,) = item(document, "subject", list)
    return item(one, "name", str), item(item(one, "digest", dict), "sha256", str)
