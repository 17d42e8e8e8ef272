"""Library: what is kept, in private, of one run of a candidate (spec/receipt.md §3; docs/adr/0029). Pure data.

A passing candidate's observations are the expected values: these bytes are for the owner of the suite alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.kernel.canonical import canonical

OBSERVED: Final = "assay.observed/1"
SALT_BYTES: Final = 32
MAX_KEPT_BYTES: Final = 16 << 20  # of observations; a hostile candidate must not fill the judge's disk

RETURNED: Final = "returned"
RAISED: Final = "raised"
NOT_A_VALUE: Final = "not_a_value"
TOO_LARGE: Final = "too_large"
PRINTED: Final = "printed"
EXITED: Final = "exited"
WORDS: Final = (RETURNED, RAISED, NOT_A_VALUE, TOO_LARGE, PRINTED, EXITED)


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """What came of one case: the bytes of a value or an output as they came; of an exception, names only."""

    case: int
    what: str  # one of WORDS
    data: bytes = b""  # returned: wire bytes; printed: standard output
    names: tuple[str, ...] = ()  # raised: the built-in classes in the MRO, nearest first
    own: str = ""  # raised: the class's own name


@dataclass(frozen=True, slots=True, repr=False)
class ObservedRun:
    """One run: its cases in the order of asking, and how it ended (`how` empty: closed as agreed)."""

    salt: bytes
    candidate_sha256: str
    suite_sha256: str
    again: bool
    seen: tuple[Seen, ...]
    how: str = ""
    at: int | None = None

    @property
    def size(self) -> int:
        """How many bytes of observations there are; beyond MAX_KEPT_BYTES they are bound and not kept."""
        return sum(len(one.data) for one in self.seen)


def observed_bytes(run: ObservedRun) -> bytes:
    """The file of a run, in canonical bytes; its name is their SHA-256, which the receipt binds."""
    return canonical(
        {
            "observed": OBSERVED,
            "salt": run.salt.hex(),
            "candidate_sha256": run.candidate_sha256,
            "suite_sha256": run.suite_sha256,
            "again": run.again,
            "seen": [_seen(one) for one in run.seen],
            "ending": {"how": run.how or None, "at": run.at},
        }
    )


def _seen(one: Seen) -> dict[str, object]:
    found: dict[str, object] = {"case": one.case, "what": one.what}
    if one.what in {RETURNED, PRINTED}:
        found["data"] = one.data.hex()
    if one.what == RAISED:
        found["names"] = list(one.names)
        # A class may be named with half a surrogate pair, which has no bytes.
        found["own"] = one.own.encode("utf-8", "backslashreplace").decode()
    return found
