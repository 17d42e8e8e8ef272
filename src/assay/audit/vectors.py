"""Workshop: run vectors against the kernel (spec/verification.md §6); what differs from what they require is named."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from assay.floor.settle import settle
from assay.kernel.errors import InvalidKind, InvalidVectors
from assay.kernel.kinds import Kind, PolymerKind
from assay.kernel.states import Conflict, Determined, EpistemicState, Insufficient, NoEntity
from assay.kernel.values import Value
from assay.kernel.verdict import Reject
from assay.kernel.verify import verify
from assay.wire.kinds import parse_kind
from assay.wire.proposals import parse_proposal, read_constant, read_inexact, read_integer

VERDICTS: Final = ("ACCEPT", "REJECT", "INVALID_VECTOR")
FORMS: Final = ("proposal", "proposal_hex", "proposal_repeat", "proposal_count")
MAX_GENERATED: Final = 64 * 2**20
MAX_TIMES: Final = 2**26
_STATES: Final[dict[str, EpistemicState]] = {
    "INSUFFICIENT": Insufficient(),
    "CONFLICT": Conflict(),
    "NO_ENTITY": NoEntity(),
}


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A vector whose verdict, or code where it names one, is not the required one. Codes are empty but for refusals."""

    line: int
    vector: str
    required: str
    got: str
    required_code: str
    got_code: str


@dataclass(frozen=True, slots=True)
class VectorReport:
    """How many vectors of each verdict were run, and which did not give what they require."""

    accepted: int
    rejected: int
    invalid: int
    mismatches: tuple[Mismatch, ...]

    @property
    def total(self) -> int:
        """All vectors run."""
        return self.accepted + self.rejected + self.invalid


class _Twice:
    """Stands for an object with the same key twice: no kind, no state, no value."""


def run_vectors(lines: Iterable[bytes]) -> VectorReport:
    """Run each line; empty lines are skipped.

    Raises:
        InvalidVectors: a line is no vector; the message names its number.

    Source: spec/verification.md §6.
    """
    counts = dict.fromkeys(VERDICTS, 0)
    mismatches = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        vector = _read(line, number)
        name, required, code = (str(vector[key]) for key in ("id", "verdict", "code"))
        got, got_code = decide(vector["kind"], vector["established"], _proposal(vector, number))
        counts[got] += 1
        if got != required or (code and code != got_code):
            mismatches.append(Mismatch(number, name, required, got, code, got_code))
    return VectorReport(counts["ACCEPT"], counts["REJECT"], counts["INVALID_VECTOR"], tuple(mismatches))


def decide(kind: object, established: object, proposal: bytes) -> tuple[str, str]:
    """Verdict, and the code of a refusal, of one vector; kind and established state as a JSON reader made them."""
    try:
        parsed = parse_kind(kind)
    except InvalidKind:
        return "INVALID_VECTOR", ""
    state = _established(parsed, established)
    if state is None:
        return "INVALID_VECTOR", ""
    verdict = verify(parsed, state, parse_proposal(proposal))
    return ("REJECT", verdict.code) if isinstance(verdict, Reject) else ("ACCEPT", "")


def read_json(text: str) -> object:
    """What `decide` takes of a text: numbers exact, an object with a key twice as one that is no kind and no state.

    Raises:
        ValueError: the text is not one JSON value.
        RecursionError: it is nested too deeply to be one of ours.
    """
    return _DECODER.decode(text)


def _established(kind: Kind, document: object) -> EpistemicState | None:
    if isinstance(kind, PolymerKind) or type(document) is not dict:
        return None
    state = document.get("state")
    if state == "VALUE" and document.keys() == {"state", "value"}:
        value = settle(kind, document["value"])
        return Determined(value) if isinstance(value, Value) else None
    return _STATES.get(state) if type(state) is str and len(document) == 1 else None


def _read(line: bytes, number: int) -> dict[str, object]:
    """The fields of a vector, `code` always among them."""
    try:
        vector = read_json(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise _error(number, "not UTF-8") from None
    except (ValueError, RecursionError):
        raise _error(number, "not one JSON value") from None
    if type(vector) is not dict:
        raise _error(number, "not a JSON object with each key once")
    for key in ("id", "kind", "established", "verdict"):
        if key not in vector:
            raise _error(number, f"no `{key}`")
    if type(vector["id"]) not in (str, int):
        raise _error(number, "`id` is not a text or a whole number")
    if vector["verdict"] not in VERDICTS:
        raise _error(number, f"`verdict` is none of {', '.join(VERDICTS)}")
    if type(vector.setdefault("code", "")) is not str:
        raise _error(number, "`code` is not a text")
    return vector


def _proposal(vector: dict[str, object], number: int) -> bytes:
    forms = [form for form in FORMS if form in vector]
    if len(forms) != 1:
        raise _error(number, f"{len(forms)} forms of proposal; needs exactly one of {', '.join(FORMS)}")
    form, given = forms[0], vector[forms[0]]
    if form in ("proposal", "proposal_hex"):
        if type(given) is not str:
            raise _error(number, f"`{form}` is not a text")
        try:
            return given.encode("utf-8", "surrogatepass") if form == "proposal" else bytes.fromhex(given)
        except ValueError:
            raise _error(number, "`proposal_hex` is not hexadecimal") from None
    keys = ("prefix", "unit", "suffix") if form == "proposal_repeat" else ("prefix", "template", "sep", "suffix")
    if type(given) is not dict or given.keys() != {*keys, "times"} or not all(type(given[key]) is str for key in keys):
        raise _error(number, f"`{form}` has not exactly the texts {', '.join(keys)} and `times`")
    times = given["times"]
    if type(times) is not int or not 0 <= times <= MAX_TIMES:
        raise _error(number, f"`times` is not a whole number from 0 to {MAX_TIMES}")
    prefix, unit, *sep, suffix = (given[key].encode("utf-8", "surrogatepass") for key in keys)
    counted = form == "proposal_count" and b"{i}" in unit
    joint = b"".join(sep)
    # The size is known before anything is built: what is refused takes no memory.
    if len(prefix) + _size(unit, joint, times, counted=counted) + len(suffix) > MAX_GENERATED:
        raise _error(number, "the generated proposal is longer than 64 MiB")
    middle = _counted(unit, joint, times) if counted else _repeated(unit, joint, times)
    return bytes(prefix + middle + suffix)


def _size(unit: bytes, sep: bytes, times: int, *, counted: bool) -> int:
    """How many bytes `times` units are, with what separates them; of a counted one, with a number for each `{i}`."""
    if not times:
        return 0
    size = len(unit) * times + len(sep) * (times - 1)
    if counted:
        places = unit.count(b"{i}")
        size += places * (_digits(times) - len(b"{i}") * times)
    return size


def _digits(times: int) -> int:
    """How many digits the numbers from 0 to `times` - 1 have together."""
    total, least, digits = 1, 1, 1
    while least < times:
        total += (min(least * 10, times) - least) * digits
        least, digits = least * 10, digits + 1
    return total


def _repeated(unit: bytes, sep: bytes, times: int) -> bytes:
    return (unit + sep) * (times - 1) + unit if times else b""


def _counted(template: bytes, sep: bytes, times: int) -> bytes:
    found = bytearray()
    for start in range(0, times, 4096):
        numbers = range(start, min(start + 4096, times))
        found += (sep if start else b"") + sep.join([template.replace(b"{i}", b"%d" % i) for i in numbers])
    return bytes(found)


def _error(number: int, fault: str) -> InvalidVectors:
    return InvalidVectors("vectors.line", f"line {number} is no vector: {fault}")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | _Twice:
    document = dict(pairs)
    return document if len(document) == len(pairs) else _Twice()


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=read_integer,
    parse_float=read_inexact,
    parse_constant=read_constant,
)
