"""`assay pack` and `assay vectors`: reports for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RECIPE = """
[pack]
name = "ponds"
title = "Ponds"
raw = "."

[[property]]
property = "islands"
kind = "integer"
label = "island"

[[namespace]]
namespace = "pond"
pattern = 'P[0-9]+'

[[source]]
source = "list"
title = "A list"
version = "1"
date = "2026-01-01"
licence = "CC0-1.0"
file = "list.csv"
[[source.read]]
connector = "table"
key = ["pond"]
entity = "pond:{pond}"
[[source.read.fact]]
property = "islands"
column = "islands"
"""


def recipe(folder: Path) -> Path:
    """Write a recipe of one table and return its path."""
    (folder / "list.csv").write_text("pond,islands\nP1,2\nP2,0\n", encoding="utf-8")
    (folder / "ponds.toml").write_text(RECIPE, encoding="utf-8")
    return folder / "ponds.toml"


def test_a_pack_is_built_checked_and_asked(call: Any, tmp_path: Path) -> None:
    out = tmp_path / "ponds"
    found = call("pack", "build", str(recipe(tmp_path)), str(out), "--json")
    assert (found.code, found.err) == (0, "")
    (report,) = found.documents
    assert (report["pack"], report["rows"]["facts"], report["locators"]) == ("ponds", 2, 2)
    (checked,) = call("pack", "check", str(out), "--json").documents
    assert (checked["digest"], checked["locked"], checked["problems"]) == (report["digest"], True, [])
    task = '{"class":"value","entity":"pond:P1","property":"islands"}'
    assert call("verify", "--pack", str(out), "--task", task, "--proposal", '{"state":"VALUE","value":2}').code == 0


def test_a_pack_that_is_there_is_replaced_only_on_purpose(call: Any, tmp_path: Path) -> None:
    arguments = ("pack", "build", str(recipe(tmp_path)), str(tmp_path / "ponds"))
    found = call(*arguments)
    assert found.code == 0
    assert found.out.startswith(f"pack ponds in {tmp_path / 'ponds'}\ndigest sha256:")
    assert call(*arguments).code == 2
    assert call(*arguments, "--replace").code == 0


def test_a_check_says_what_holds(call: Any) -> None:
    found = call("pack", "check", "minimal")
    assert found.code == 0
    assert found.out.splitlines()[0] == "pack minimal"
    assert found.out.splitlines()[-1] == "everything holds"


def test_a_pack_with_another_spelling_in_its_file_ends_with_three(call: Any, tmp_path: Path) -> None:
    call("pack", "build", str(recipe(tmp_path)), str(tmp_path / "ponds"))
    facts = tmp_path / "ponds" / "facts.csv"
    text = facts.read_text(encoding="utf-8")
    assert call("pack", "check", str(tmp_path / "ponds")).code == 0
    facts.write_text(text.replace(",2,", ",3,"), encoding="utf-8")
    assert call("pack", "check", str(tmp_path / "ponds")).code in (2, 3)


def test_conflicts_are_a_table(call: Any) -> None:
    found = call("pack", "conflicts", "minimal")
    assert (found.code, found.err) == (0, "")
    head, row, count = found.out.splitlines()
    assert head.split() == ["entity", "property", "at", "standing", "who", "says", "what"]
    assert row.split() == ["bridge:station", "arches", "stands", "5", "(register-2024),", "4", "(survey-2025)"]
    assert count == "1 keys where facts disagree"


def test_conflicts_are_json(call: Any) -> None:
    (document,) = call("pack", "conflicts", "minimal", "--json").documents
    assert (document["entity"], document["property"], document["standing"]) == ("bridge:station", "arches", "stands")
    assert document["statements"][0] == {"source": "register-2024", "raw": "5", "unit": ""}


def test_a_pack_without_conflicts_says_so(call: Any, tmp_path: Path) -> None:
    call("pack", "build", str(recipe(tmp_path)), str(tmp_path / "ponds"))
    assert call("pack", "conflicts", str(tmp_path / "ponds")).out == "0 keys where facts disagree\n"


def vector(name: str, verdict: str, proposal: str = '{"state":"VALUE","value":"142"}', **more: str) -> str:
    """Return one vector of the kind integer."""
    document = {
        "id": name,
        "kind": {"kind": "integer"},
        "established": {"state": "VALUE", "value": "142"},
        "proposal": proposal,
        "verdict": verdict,
    }
    return json.dumps(document | more)


def test_vectors_that_hold_end_with_zero(call: Any, tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text("\n".join([vector("a", "ACCEPT"), "", vector("b", "REJECT", "142")]))
    found = call("vectors", "run", str(path), "--json")
    assert found.code == 0
    (report,) = found.documents
    assert (report["total"], report["mismatches"], report["accepted"], report["rejected"]) == (2, 0, 1, 1)
    assert call("vectors", "run", str(path)).out == "2 vectors, 0 mismatches\n"


def test_vectors_that_differ_are_named_and_end_with_three(call: Any, tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text("\n".join([vector("a", "REJECT"), vector("b", "REJECT", "142", code="value.type")]))
    found = call("vectors", "run", str(path))
    assert found.code == 3
    assert found.out == (
        "line 1 a: requires REJECT, got ACCEPT\n"
        "line 2 b: requires REJECT value.type, got REJECT proposal.shape\n"
        "2 vectors, 2 mismatches\n"
    )
    (report,) = call("vectors", "run", str(path), "--json").documents
    assert report["mismatches"] == 2
    assert report["differing"][0]["id"] == "a"


def test_a_long_list_of_differences_is_cut_for_people(call: Any, tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    path.write_text("\n".join(vector(str(i), "REJECT") for i in range(25)))
    assert call("vectors", "run", str(path)).out.splitlines()[-2:] == ["… and 5 more", "25 vectors, 25 mismatches"]


def test_vectors_come_from_standard_input_too(call: Any) -> None:
    assert call("vectors", "run", "-", stdin=vector("a", "ACCEPT").encode()).code == 0


def test_a_line_that_is_no_vector_is_bad_input(call: Any) -> None:
    found = call("vectors", "run", "-", stdin=b"{}\n")
    assert (found.code, found.err.count("\n")) == (2, 1)


def test_what_a_pack_holds_is_shown(call: Any) -> None:
    found = call("pack", "show", "minimal")
    assert (found.code, found.err) == (0, "")
    lines = found.out.splitlines()
    assert lines[0].startswith("pack minimal 1: ")
    assert lines[2] == "2 entities, 5 facts, 2 sources, 2 properties"
    assert "arches    integer   4      stated         0" in lines
    assert any(line.startswith("register-2024 ") and "2024-01-31  CC0-1.0  partial   current" in line for line in lines)
    (document,) = call("pack", "show", "minimal", "--json").documents
    assert document["entities"] == 2


def test_a_long_table_is_cut_for_people(call: Any) -> None:
    out = call("pack", "show", "proteins").out
    assert "(--json has all)" in out
    assert len(out.splitlines()) < 120


def test_the_raw_spelling_that_left_its_file_is_a_problem(call: Any, tmp_path: Path) -> None:
    call("pack", "build", str(recipe(tmp_path)), str(tmp_path / "ponds"))
    facts = tmp_path / "ponds" / "facts.csv"
    text = facts.read_text(encoding="utf-8")
    facts.write_text(text.replace(",2,", ",3,").replace(",2\n", ",3\n"), encoding="utf-8")
    (tmp_path / "ponds" / "pack.lock.json").unlink()
    descriptor = json.loads((tmp_path / "ponds" / "datapackage.json").read_text(encoding="utf-8"))
    for resource in descriptor["resources"]:
        resource.pop("hash", None)
        resource.pop("bytes", None)
    (tmp_path / "ponds" / "datapackage.json").write_text(json.dumps(descriptor), encoding="utf-8")
    found = call("pack", "check", str(tmp_path / "ponds"))
    assert found.code == 3
    assert "problem: " in found.out
    assert found.out.splitlines()[-1] == "1 problems"
    assert "(there is no lock)" in found.out
