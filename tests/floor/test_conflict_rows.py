"""Decision 4 on real pairs of sources: every one of 52 rows of real conflicts gets the state that it names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source, unit

from assay.floor.oracle import establish, re_establish
from assay.floor.task import Selector, Task
from assay.kernel.kinds import Significant
from assay.kernel.states import Conflict, Determined, Insufficient

ROWS = Path(__file__).parent / "conflict_rows.jsonl"


def _rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in ROWS.read_text().splitlines()]


def _snapshot(row: dict[str, object]) -> RowSnapshot:
    facts, names = [], {}
    for item in row["facts"]:  # type: ignore[attr-defined]
        kind = "exact" if item["ukind"] == "exact" or item.get("u") == "0.0" else item["ukind"] if "u" in item else ""
        methods = ("measured", "defined", "computed")
        more = {
            "unit": f"x{item['fac']}" if not item.get("cat") and not item.get("integer") else "",
            "uncertainty": item.get("u", "") if kind not in ("", "exact") else "",
            "uncertainty_kind": kind,
            "condition": item.get("cond", ""),
            "referent": item.get("referent", ""),
            # A scale of radii is a definition; measured, defined and computed are methods.
            "definition": item["method"] if item.get("method") and item["method"] not in methods else "",
            "method": item["method"] if item.get("method") in methods else "stated",
        }
        facts.append(fact("x:e", "p", item["val"], item["src"], **more))
        names[item["src"]] = ""
    names |= dict(row["supersedes"])  # type: ignore[call-overload]
    first = row["facts"][0]  # type: ignore[index]
    vocabulary = tuple(item["val"] for item in row["facts"])  # type: ignore[attr-defined]
    if first.get("cat"):
        spec = prop("p", "category", vocabulary=vocabulary)
    elif first.get("integer"):
        spec = prop("p", "integer")
    else:
        competing = ("definition",) if row["task"].get("competing") else ()  # type: ignore[attr-defined]
        spec = prop("p", "quantity", unit="x1", competing=competing)
    units = [unit(f"x{factor}", "length", factor) for factor in ("1", "100", "1000")]
    return RowSnapshot(facts, [source(name, supersedes=old) for name, old in names.items()], [spec], units)


@pytest.mark.parametrize("row", _rows(), ids=lambda row: f"row {row['row']}: {row['table']}")
def test_state_of_shared_conflict_row(row: dict[str, object]) -> None:
    asked = row["task"]
    snapshot = _snapshot(row)
    releases = tuple(item["src"] for item in row["facts"]) if "releases" in asked else ()  # type: ignore[attr-defined,operator]
    figures = asked.get("grid_significant_figures")  # type: ignore[attr-defined]
    task = Task(
        "value",
        Selector("x:e", "p", releases=tuple(dict.fromkeys(releases))),
        grid=Significant(figures) if figures else None,
    )

    established = establish(snapshot, task)

    match established.state:
        case Determined():
            found = "VALUE"
        case Insufficient(reason):
            found = f"INSUFFICIENT {reason}"
        case Conflict():
            found = "CONFLICT"
        case _:
            found = "NO_ENTITY"
    assert found == row["state"]
    assert re_establish(established) == established.state
