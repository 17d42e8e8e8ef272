"""Letterbox: the list of verifier versions that were withdrawn (spec/receipt.md §10)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from assay.kernel.errors import InputError
from assay.wire.strict import StrictReader

WITHDRAWN: Final = "assay.withdrawn/1"
_READER: Final = StrictReader(InputError, "withdrawn", "the withdrawal list", 1 << 20)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}").fullmatch


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """One version that is withdrawn: of the package, or one kernel by digest; since when, and why."""

    package: str  # empty: any
    kernel_sha256: str  # empty: any
    since: str
    why: str


@dataclass(frozen=True, slots=True)
class WithdrawalList:
    """What was withdrawn as of a day."""

    date: str
    versions: tuple[Withdrawal, ...]

    def find(self, package: str, kernel_sha256: str) -> Withdrawal | None:
        """The withdrawal that covers this verifier, if one does."""
        for one in self.versions:
            if one.package in {"", package} and one.kernel_sha256 in {"", kernel_sha256}:
                return one
        return None


def parse_withdrawn(data: bytes) -> WithdrawalList:
    """The list.

    Raises:
        InputError: `withdrawn.…`: it is none.
    """
    document = _READER.read(data)
    if not isinstance(document, dict) or document.keys() != {"withdrawn", "date", "versions"}:
        raise _bad("needs exactly `withdrawn`, `date` and `versions`")
    versions, date = document["versions"], document["date"]
    if document["withdrawn"] != WITHDRAWN or not isinstance(date, str) or _DAY(date) is None:
        raise _bad(f"is no `{WITHDRAWN}` of a day")
    if not isinstance(versions, list):
        raise _bad("has no list of `versions`")
    return WithdrawalList(date, tuple(map(_withdrawal, versions)))


def _withdrawal(item: object) -> Withdrawal:
    names = ("package", "kernel_sha256", "since", "why")
    if not isinstance(item, dict) or item.keys() != set(names) or not all(type(item[name]) is str for name in names):
        raise _bad("has a version that is not exactly four texts: " + ", ".join(f"`{name}`" for name in names))
    if not item["package"] and not item["kernel_sha256"]:
        raise _bad("withdraws every version at once; name a package or a kernel")
    return Withdrawal(*(item[name] for name in names))


def _bad(what: str) -> InputError:
    return InputError("withdrawn.shape", f"the withdrawal list {what}; see spec/receipt.md §10")
