"""Library: what the receipt of a claim withholds, kept in private (spec/receipt.md §2; docs/adr/0035). Pure data.

The receipt holds the digest of each value with its salt: a commitment. Without the salt it tells nothing, and one can
be opened without the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.kernel.canonical import canonical

WITHHELD: Final = "assay.withheld/1"


@dataclass(frozen=True, slots=True, repr=False)
class Said:
    """What was proposed or written at one step of the trajectory (from 0), byte for byte, and a salt of its own."""

    step: int
    salt: bytes
    data: bytes

    @property
    def commitment(self) -> str:
        """What the receipt holds in its place."""
        return sha256(canonical(_said(self))).hexdigest()


@dataclass(frozen=True, slots=True, repr=False)
class Withheld:
    """The private file of one receipt: what was said, and the established state with its value or reason."""

    said: tuple[Said, ...]
    salt: bytes
    state: str  # VALUE, INSUFFICIENT, CONFLICT, NO_ENTITY
    text: str  # canonical text of a VALUE, else the reason

    @property
    def commitment(self) -> str:
        """The digest of the established state with its salt."""
        return sha256(canonical(_established(self))).hexdigest()


@dataclass(frozen=True, slots=True)
class Bound:
    """What a receipt holds of its private files: digests, commitments by step, and whether they are small enough."""

    evidence_sha256: str
    evidence_kept: bool
    withheld_sha256: str = ""  # empty: nothing is withheld
    withheld_kept: bool = False
    said: tuple[tuple[int, str], ...] = ()
    established: str = ""


class PrivateFiles:
    """The private files of one receipt. Whoever reads them has the answer; `repr` tells nothing of it."""

    __slots__ = ("_files",)

    def __init__(self, *files: bytes) -> None:
        self._files = files

    def __iter__(self) -> Iterator[bytes]:
        """Give the bytes of each; its name is their digest."""
        return iter(self._files)

    def __repr__(self) -> str:
        return "PrivateFiles(<hidden>)"


def withheld_bytes(withheld: Withheld) -> bytes:
    """The file, in canonical bytes."""
    return canonical(
        {
            "withheld": WITHHELD,
            "said": [{"step": one.step, **_said(one)} for one in withheld.said],
            "established": _established(withheld),
        }
    )


def _said(one: Said) -> dict[str, object]:
    return {"salt": one.salt.hex(), "data": one.data.hex()}


def _established(withheld: Withheld) -> dict[str, object]:
    word = "value" if withheld.state == "VALUE" else "reason"
    return {"salt": withheld.salt.hex(), "state": withheld.state, word: withheld.text}
