"""Every shared attack on the verifier that has a truth and a proposal: no wrong value accepted, no true one refused.

Attacks that need no snapshot run as verify calls here; identifier and pin attacks also run as tasks on that very
text, without the extra key. Receipt, log and race attacks wait for the receipts that they attack.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source

from assay.floor.oracle import establish
from assay.floor.settle import settle
from assay.floor.task import Selector, Task
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DecimalKind,
    IntegerKind,
    IntervalKind,
    Kind,
    QuantityKind,
    SetKind,
    Unit,
)
from assay.kernel.states import (
    AssertValue,
    Conflict,
    Determined,
    EpistemicState,
    Insufficient,
    NoEntity,
)
from assay.kernel.values import Value
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.wire.proposals import parse_proposal

RECORDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "attacks" / "fact.jsonl"

pytestmark = pytest.mark.skipif(not RECORDS.exists(), reason="the shared attacks are not on this machine")

TENTH = Unit((1, 10**10))
UNITS = {
    "m": Unit(),
    "mm": Unit((1, 1000)),
    "µm": Unit((1, 10**6)),
    "μm": Unit((1, 10**6)),
    "Å": TENTH,
    "Da": Unit(),
    "kDa": Unit((1000, 1)),
    "B": Unit(),
    "kB": Unit((1000, 1)),
    "kiB": Unit((1024, 1)),
    "K": Unit(),
    "degC": Unit((1, 1), (27315, 100)),
    "degF": Unit((5, 9), (45967, 180)),
}
DIMENSIONS = (("m", "mm", "µm", "μm", "Å"), ("Da", "kDa"), ("B", "kB", "kiB"), ("K", "degC", "degF"))


def _records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORDS.read_text().splitlines()] if RECORDS.exists() else []


def _decidable() -> list[dict[str, Any]]:
    return [row for row in _records() if row["form"] in ("value", "json_text", "generated") and _is_proposal(row)]


def _is_proposal(row: dict[str, Any]) -> bool:
    # An operation call on another entity is a navigation attack, tried with the session.
    return not (isinstance(row["proposal"], dict) and "op" in row["proposal"])


def _quantity(truth: dict[str, Any] | None, *, uncertainty: bool) -> QuantityKind:
    name = truth["unit"] if truth else "kDa"
    names = next(group for group in DIMENSIONS if name in group)
    return QuantityKind(tuple((unit, UNITS[unit]) for unit in names), uncertainty=uncertainty)


def _kind(row: dict[str, Any]) -> Kind:
    truth = row["truth"].get("value")
    match row["task_kind"]:
        case "int" | "value":
            return IntegerKind() if not isinstance(truth, str) else DecimalKind()
        case "bool":
            return BooleanKind()
        case "decimal":
            return DecimalKind()
        case "categorical":
            return CategoryKind(frozenset({truth, "ligase", "STRASSE", "kinase"}))
        case "set":
            return SetKind(CategoryKind(frozenset({"A", "B", "C"})))
        case "interval":
            return IntervalKind(DecimalKind())
        case "quantity":
            return _quantity(truth, uncertainty=False)
        case _:
            return _quantity(truth, uncertainty=True)


def _established(row: dict[str, Any], kind: Kind) -> EpistemicState | None:
    truth = row["truth"]
    match truth["state"]:
        case "INSUFFICIENT":
            return Insufficient()
        case "CONFLICT":
            return Conflict()
        case "NO_ENTITY":
            return NoEntity()
    raw = truth["value"]
    if row["task_kind"] == "interval":
        left = raw.get("closed", "both") in ("left", "both")
        raw = {"lo": raw["lo"], "hi": raw["hi"], "lo_closed": left, "hi_closed": "closed" not in raw}
    value = settle(kind, raw)
    # Evidence that denotes nothing (Infinity) never becomes a state: the loader refuses it.
    return Determined(value) if isinstance(value, Value) else None


def _bytes(row: dict[str, Any]) -> bytes:
    proposal = row["proposal"]
    if row["form"] == "json_text":
        return str(proposal).encode("utf-8", "surrogatepass")
    if row["form"] == "generated":
        if "keys" in proposal:
            keys = ",".join(f'"k{i}":1' for i in range(proposal["keys"]))
            return ('{"state":"VALUE","value":142,' + keys + "}").encode()
        text = proposal["repeat"] * proposal["times"]
        return text.encode() if proposal["repeat"] == "[" else json.dumps({"state": "VALUE", "value": text}).encode()
    return json.dumps(proposal).encode()


@pytest.mark.parametrize("row", _decidable(), ids=lambda row: f"{row['id']} {row['kind']}")
def test_attack_gets_its_verdict(row: dict[str, Any]) -> None:
    kind = _kind(row)
    established = _established(row, kind)
    if established is None:
        assert row["kind"].startswith("nonfinite"), "only non-finite evidence may have no state"
        return
    verdict = verify(kind, established, parse_proposal(_bytes(row)))
    assert isinstance(verdict, Accept) is (row["right_verdict"] == "ACCEPT")


SNAPSHOT = RowSnapshot(
    [
        fact("uniprot:P69905", "sequence", "A" * 142),
        fact("uniprot:P68871", "sequence", "A" * 147),
    ],
    [source("s")],
    [prop("sequence", "polymer"), prop("length", "integer", computed_by="count_residues(sequence)")],
)


@pytest.mark.parametrize(
    "row",
    [row for row in _records() if row["kind"].startswith(("id.", "pin.")) and isinstance(row["proposal"], dict)],
    ids=lambda row: f"{row['id']} {row['kind']}",
)
def test_identifier_attack_as_a_task_on_that_very_text(row: dict[str, Any]) -> None:
    proposal = dict(row["proposal"])
    written = proposal.pop("entity", None) or proposal.pop("pin", None) or "uniprot:OLD123"
    established = establish(SNAPSHOT, Task("value", Selector(str(written), "length")))
    verdict = verify(established.kind, established.state, AssertValue(proposal["value"]))
    assert not isinstance(verdict, Accept)


def test_every_shared_record_is_tried_or_named() -> None:
    waiting = {"receipt", "log", "card", "sequence", "python_object"}
    assert {row["form"] for row in _records()} <= {"value", "json_text", "generated"} | waiting
