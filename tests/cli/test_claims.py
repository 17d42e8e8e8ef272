"""`assay claims`: what stands, and what no longer holds, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.packs import making

LENGTH = {"class": "value", "entity": "bridge:one", "property": "arches"}


def pack(folder: Path, number: str, **source: str) -> Path:
    return making.write_pack(
        folder,
        {
            "sources": [making.source("old", **source)],
            "facts": [making.fact("f1", "bridge:one", "arches", value=number, source="old")],
            "properties": [making.prop("arches", "integer")],
        },
    )


@pytest.fixture
def receipts(tmp_path: Path, call: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "receipts"
    for text in ("3", " 3", "4"):
        call(
            *("verify", "--pack", str(pack(tmp_path / f"pack{text}", "3")), "--task", json.dumps(LENGTH)),
            *("--proposal", json.dumps({"state": "VALUE", "value": text}), "--receipts", str(folder)),
        )
    return folder


def test_list_and_show(receipts: Path, call: Any) -> None:
    found = call("claims", "list", "--receipts", str(receipts))
    assert (found.code, found.out) == (
        0,
        "1  bridge:one arches: VALUE 3 (unaided)\n1 stand, 1 were replaced by a later acceptance of the same task\n",
    )
    shown = call("claims", "show", "bridge:one", "arches", "--receipts", str(receipts))
    assert shown.code == 0
    lines = [line.strip() for line in shown.out.splitlines()]
    assert lines[0] == "0  bridge:one arches: VALUE 3 (unaided)"
    assert lines[4:6] == ["current: unknown", "replaced by entry 1"]
    assert lines[-1] == "stands"


def test_what_no_longer_holds_ends_with_3(receipts: Path, call: Any, tmp_path: Path) -> None:
    same = call("claims", "list", "--receipts", str(receipts), "--pack", str(tmp_path / "pack3"))
    assert (same.code, same.out.splitlines()[1]) == (0, "  holds")
    later = pack(tmp_path / "later", "7", status="retracted")
    found = call("claims", "list", "--receipts", str(receipts), "--pack", str(later))
    assert found.code == 3
    assert found.out.splitlines()[1:] == [
        "  NO LONGER HOLDS: the evidence decides nothing (no_admitted_fact); source old: retracted",
        "0 stand, 1 no longer hold, 1 were replaced by a later acceptance of the same task",
    ]
    assert call("claims", "show", "bridge:one", "--receipts", str(receipts), "--pack", str(later)).code == 3


def test_programs_get_every_fact(receipts: Path, call: Any, tmp_path: Path) -> None:
    later = pack(tmp_path / "later", "7")
    (document,) = call("claims", "list", "--receipts", str(receipts), "--pack", str(later), "--json").documents
    assert document["current"] == {"word": "value_changed", "reason": "", "sources": []}
    assert (document["task"], document["state"], document["value"]) == (LENGTH, "VALUE", "3")
    assert (document["signed_by"], document["stands"], document["replaced_by"]) == ([], True, None)
    first, second = call("claims", "show", "bridge:one", "--receipts", str(receipts), "--json").documents
    assert (first["replaced_by"], second["stands"]) == (1, True)


def test_with_trust_unsigned_receipts_are_left_out_and_counted(receipts: Path, call: Any, tmp_path: Path) -> None:
    (tmp_path / "trust.json").write_text('{"trust":"assay.trust/1","keys":[]}')
    found = call("claims", "list", "--receipts", str(receipts), "--trust", str(tmp_path / "trust.json"))
    assert (found.code, found.out) == (0, "0 stand, 2 are left out: no key that you trust signed them\n")


def test_what_is_not_there_is_said(receipts: Path, call: Any, tmp_path: Path) -> None:
    found = call("claims", "show", "bridge:two", "arches", "--receipts", str(receipts))
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("error: no accepted claim on `bridge:two` and `arches`; ")
    none = call("claims", "list", "--receipts", str(tmp_path / "nowhere"), "--json")
    assert (none.code, none.documents[0]["error"]["code"]) == (2, "log.missing")
