"""Letterbox: the bytes of a private file to the run that it keeps, or a refusal (spec/receipt.md §3)."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from assay.kernel.errors import InputError
from assay.kernel.grade import How
from assay.receipts import private
from assay.receipts.private import MAX_KEPT_BYTES, OBSERVED, SALT_BYTES, ObservedRun, Seen
from assay.suite.trees import MAX_CASES
from assay.wire.strict import StrictReader


class InvalidObserved(InputError):
    """A file that keeps no run: `observed.…`."""


# Bytes stand in hexadecimal; names of exceptions and the frame of 2,000 cases come on top.
_READER: Final = StrictReader(InvalidObserved, "observed", "the file of observations", 4 * MAX_KEPT_BYTES)
_HOWS: Final = frozenset(str(how) for how in How)

# The pattern is the letterbox's own dialect, in which `$` is the end of the text alone.
Hex = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{2})*$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Index = Annotated[int, Field(ge=0, lt=MAX_CASES)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)


class _Bytes(_Strict):
    case: Index
    what: Literal["returned", "printed"]
    data: Hex


class _Raised(_Strict):
    case: Index
    what: Literal["raised"]
    names: list[str]
    own: str


class _Word(_Strict):
    case: Index
    what: Literal["not_a_value", "too_large", "exited"]


class _Ending(_Strict):
    how: str | None
    at: Index | None


class _Observed(_Strict):
    observed: Literal["assay.observed/1"]
    salt: Annotated[str, StringConstraints(pattern=rf"^[0-9a-f]{{{2 * SALT_BYTES}}}$")]
    candidate_sha256: Digest
    suite_sha256: Digest
    again: bool
    seen: list[Annotated[_Bytes | _Raised | _Word, Field(discriminator="what")]]
    ending: _Ending


def parse_observed(data: bytes) -> ObservedRun:
    """The run that these bytes keep. Does not look at their digest: whoever has the receipt does.

    Raises:
        InvalidObserved: the bytes keep none.
    """
    document = _READER.read(data)
    if type(document) is not dict or document.get("observed") != OBSERVED:
        raise InvalidObserved("observed.version", f"the file of observations is no `{OBSERVED}`; give one that is")
    try:
        found = _Observed.model_validate(document)
    except ValidationError as fault:
        place = ".".join(str(part) for part in fault.errors()[0]["loc"])
        raise InvalidObserved(
            "observed.shape", f"the file of observations is no such file at `{place}`; see spec/receipt.md §3"
        ) from None
    if found.ending.how is not None and found.ending.how not in _HOWS:
        raise InvalidObserved("observed.shape", "`ending.how` is no word of spec/suite.md §6; see spec/receipt.md §3")
    return ObservedRun(
        bytes.fromhex(found.salt),
        found.candidate_sha256,
        found.suite_sha256,
        found.again,
        tuple(_seen(one) for one in found.seen),
        found.ending.how or "",
        found.ending.at,
    )


def _seen(one: _Bytes | _Raised | _Word) -> Seen:
    if isinstance(one, _Bytes):
        return Seen(one.case, one.what, bytes.fromhex(one.data))
    if isinstance(one, _Raised):
        return Seen(one.case, private.RAISED, names=tuple(one.names), own=one.own)
    return Seen(one.case, one.what)
