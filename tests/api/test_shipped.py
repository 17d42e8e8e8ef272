"""The shipped tasks and drafts are those of the bank and the pool, byte for byte."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from assay.api.data import data_dir
from assay.api.shipped import FOLDER, shipped_tasks
from assay.suite.frombank import from_bank
from assay.suite.spec import SuiteSpec
from assay.wire.gate_tasks import parse_gate_task
from assay.wire.suites import parse_suite

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared banks and pools are not on this machine")


def line_of(path: Path, name: str) -> dict[str, Any]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        found: dict[str, Any] = next(one for one in map(json.loads, lines) if one["id"] == name)
    return found


def test_each_has_a_suite_for_its_function_and_five_drafts() -> None:
    for one in shipped_tasks():
        task = parse_gate_task(one.task)
        assert task.task == one.name
        assert parse_suite(one.suite, task.entry_point).entry_point == task.entry_point
        assert len(one.drafts) == 5


def test_the_notice_names_sources_and_licences() -> None:
    notice = (data_dir() / FOLDER / "NOTICE.md").read_text(encoding="utf-8")
    for words in ("Copyright (c) OpenAI", "Copyright (c) Microsoft Corporation", "MIT licence", "openai/human-eval"):
        assert words in notice


@shared
def test_the_drafts_are_the_pool_s() -> None:
    for one in shipped_tasks():
        entry = line_of(SHARED / "pools" / "pool_he_codegen16b_t0.8.jsonl.gz", one.name)
        assert [draft.source for draft in one.drafts] == [draft["code"].encode() for draft in entry["candidates"][:5]]


@shared
def test_the_suites_are_the_bank_s() -> None:
    for one in shipped_tasks():
        wanted = from_bank(line_of(SHARED / "banks" / "humaneval.jsonl.gz", one.name))
        assert isinstance(wanted, SuiteSpec)
        assert parse_suite(one.suite, wanted.entry_point) == wanted
