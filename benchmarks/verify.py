"""Speed of one verdict against strict pydantic on the same JSON, as ratios within one run (above 1 we are faster).

The mix is canonical, padded, wrong and malformed proposals in equal parts; from bytes, and typed (as a JSON reader made
them). Pydantic gets, for each kind, the strict model that its documentation would advise: patterns, literals, white
space stripped. Rounds of both sides alternate and are compared one by one, in CPU time, so that a busy machine counts
little.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from decimal import Decimal
from statistics import median
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, create_model

from assay.floor.settle import settle
from assay.kernel.kinds import Kind
from assay.kernel.states import AssertValue, Determined, EpistemicState
from assay.kernel.values import Value
from assay.kernel.verify import verify
from assay.wire.kinds import parse_kind
from assay.wire.proposals import parse_proposal

ROUNDS = 151
REPEATS = 6
DOCUMENTS = 16


def stripped(pattern: str) -> Any:  # noqa: ANN401 - an annotated type has no name of its own
    """The type of a text whose outer white space does not count."""
    return Annotated[str, StringConstraints(strip_whitespace=True, pattern=pattern, max_length=128)]


DIGITS = stripped(r"^(-?[1-9][0-9]{0,99}|0)$")


class Amount(BaseModel):
    """A quantity."""

    model_config = ConfigDict(strict=True, extra="forbid")
    n: stripped(r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$")  # type: ignore[valid-type]
    unit: Literal["m", "mm"]


class Range(BaseModel):
    """An interval."""

    model_config = ConfigDict(strict=True, extra="forbid")
    lo: DIGITS | None  # type: ignore[valid-type]
    hi: DIGITS | None  # type: ignore[valid-type]
    lo_closed: bool
    hi_closed: bool


class Mix(NamedTuple):
    """One kind: its JSON object, the type that pydantic is given, values of each sort, and the bars (bytes, typed)."""

    kind: dict[str, object]
    model: Any
    canonical: object
    padded: object
    wrong: object
    malformed: tuple[object, ...]
    from_bytes: float
    typed: float | None


UNITS = {"m": {"factor": "1"}, "mm": {"factor": "0.001"}}
TEN = [f"GO:{i:07}" for i in range(10)]
MIXES = {
    "integer": Mix({"kind": "integer"}, int, 142, 142, 143, (142.0, "1_42", True, None), 0.8, 3.0),
    "integer text": Mix({"kind": "integer"}, DIGITS, "142", " 142 ", "143", ("142.0", "1_42", "+142", True), 0.8, 1.5),
    "boolean": Mix({"kind": "boolean"}, bool, True, True, False, (1, "true", None, "yes"), 0.8, 3.0),
    "category": Mix(
        {"kind": "category", "vocabulary": ["less", "equal", "greater"]},
        Literal["less", "equal", "greater"],
        *("less", " less", "greater", ("Less", "smaller", 1, None)),
        *(0.8, 3.0),
    ),
    "identifier": Mix(
        {"kind": "identifier", "prefix": "uniprot"},
        stripped(r"^uniprot:[!-~]+$"),
        *("uniprot:P69905", " uniprot:P69905 ", "uniprot:P68871", ("P69905", "uniprot: P69905", "chebi:1", 1)),
        *(0.8, 1.5),
    ),
    "date": Mix(
        {"kind": "date"},
        stripped(r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
        *("2024-02-29", " 2024-02-29 ", "2024-02-28", ("2023-02-29", "2024-2-29", "29.02.2024", 20240229)),
        *(0.8, 1.5),
    ),
    "decimal": Mix(
        {"kind": "decimal", "grid": {"decimals": 2}},
        Annotated[Decimal, Field(decimal_places=2, strict=False)],
        *("142.35", " 142.35 ", "142.36", ("142.355", "142,35", "+142.35", None)),
        *(0.5, 0.7),
    ),
    "quantity": Mix(
        {"kind": "quantity", "units": UNITS},
        Amount,
        {"n": "9.0", "unit": "mm"},
        {"n": " 0.009 ", "unit": "m"},
        {"n": "9.1", "unit": "mm"},
        ({"n": "9.0"}, {"n": "9,0", "unit": "mm"}, {"n": "9.0", "unit": "cm"}, "9.0 mm"),
        *(0.3, None),
    ),
    "interval": Mix(
        {"kind": "interval", "of": {"kind": "integer"}},
        Range,
        {"lo": "10", "hi": "20", "lo_closed": True, "hi_closed": True},
        {"lo": " 10 ", "hi": " 21", "lo_closed": True, "hi_closed": False},
        {"lo": "10", "hi": "19", "lo_closed": True, "hi_closed": True},
        (
            {"lo": "10", "hi": "20", "lo_closed": True},
            {"lo": "x", "hi": "20", "lo_closed": True, "hi_closed": True},
            {"lo": "20", "hi": "10", "lo_closed": True, "hi_closed": True},
            "10-20",
        ),
        *(0.3, None),
    ),
    "set of ten": Mix(
        {"kind": "set", "of": {"kind": "identifier", "prefix": "GO"}},
        list[stripped(r"^GO:[!-~]+$")],  # type: ignore[misc]
        TEN,
        [f" {word} " for word in reversed(TEN)],
        [*TEN[:9], "GO:9999999"],
        ([*TEN[:9], TEN[0]], [*TEN[:9], "go:1"], [*TEN[:9], 1], " ".join(TEN)),
        *(0.2, None),
    ),
}


def documents(mix: Mix) -> list[bytes]:
    """Sixteen proposals: four canonical, four padded, four wrong, four malformed."""
    good = [json.dumps({"state": "VALUE", "value": value}).encode() for value in (mix.canonical, mix.padded, mix.wrong)]
    if mix.canonical == mix.padded:  # nothing in the value can be padded: the JSON is
        good[1] = good[1].replace(b": ", b" : ").replace(b"}", b" }")
    bad = [json.dumps({"state": "VALUE", "value": value}).encode() for value in mix.malformed]
    bad[-1] = good[0][:-2]  # one of the four is cut off
    return [*good * 4, *bad]


def ratio(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """The median over the rounds of their time divided by ours, and the median of ours in seconds for one call."""
    ratios, times = [], []
    for _ in range(ROUNDS):
        mine, other = (seconds(side) for side in (ours, theirs))
        ratios.append(other / mine)
        times.append(mine)
    return median(ratios), median(times)


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    for _ in range(REPEATS):
        call()
    return (time.process_time() - start) / REPEATS


def question(mix: Mix) -> tuple[Kind, EpistemicState]:
    kind = parse_kind(mix.kind)
    value = settle(kind, mix.canonical)
    if not isinstance(value, Value):
        raise TypeError("the canonical value of a mix has no denotation")
    return kind, Determined(value)


def from_bytes(mix: Mix) -> tuple[float, float]:
    kind, state = question(mix)
    proposals = documents(mix)
    model = model_of(mix)

    def ours() -> None:
        for data in proposals:
            verify(kind, state, parse_proposal(data))

    def theirs() -> None:
        for data in proposals:
            try:
                model.model_validate_json(data)
            except ValidationError:
                continue

    return ratio(ours, theirs)


def typed(mix: Mix) -> tuple[float, float]:
    kind, state = question(mix)
    values = [*[mix.canonical, mix.padded, mix.wrong] * 4, *mix.malformed]
    proposals = [AssertValue(value) for value in values]
    dicts = [{"state": "VALUE", "value": value} for value in values]
    model = model_of(mix)

    def ours() -> None:
        for proposal in proposals:
            verify(kind, state, proposal)

    def theirs() -> None:
        for document in dicts:
            try:
                model.model_validate(document)
            except ValidationError:
                continue

    return ratio(ours, theirs)


def model_of(mix: Mix) -> type[BaseModel]:
    return create_model(
        "Proposal", __config__=ConfigDict(strict=True, extra="forbid"), state=Literal["VALUE"], value=mix.model
    )


def run() -> None:
    print(f"{'verdicts, ratio to strict pydantic':36}  from bytes          typed")
    for name, mix in MIXES.items():
        ratios, times = zip(from_bytes(mix), typed(mix), strict=True)
        figures = [
            f"{ratio:5.2f} (at least {bar})"
            for ratio, bar in zip(ratios, (mix.from_bytes, mix.typed), strict=True)
            if bar
        ]
        each = " and ".join(f"{seconds / DOCUMENTS * 1e6:.1f}" for seconds in times)
        print(f"  {name:14} {each:>12} µs each  {'   '.join(figures)}")


if __name__ == "__main__":
    run()
