"""`assay receipt page`: a file, or one line that says why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.api import logs
from assay.ledger.log import append_all


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    logs.begin(tmp_path / "receipts")
    append_all(tmp_path / "receipts", [b'{"entry":%d}' % i for i in range(5)])
    return tmp_path / "receipts"


def test_the_page_is_written(folder: Path, call: Any, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    found = call("receipt", "page", str(folder), "--out", str(out))
    assert (found.code, found.out) == (0, f"page: {out}\n")
    whole = out.read_text("utf-8")
    (document,) = call("receipt", "page", str(folder), "--out", str(out), "--limit", "2", "--json").documents
    assert document == {"page": str(out), "bytes": out.stat().st_size}
    assert '"first":3' in out.read_text("utf-8")
    assert '"first":0' in whole


def test_where_none_can_be_written(folder: Path, call: Any, tmp_path: Path) -> None:
    found = call("receipt", "page", str(folder), "--out", str(tmp_path / "no" / "page.html"), "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, "output.file")
    found = call("receipt", "page", str(tmp_path / "gone"), "--out", str(tmp_path / "page.html"), "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, "log.missing")
