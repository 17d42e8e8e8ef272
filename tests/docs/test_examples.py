"""What the pages show as a task is a task, and what they show as a proposal is one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.kernel.states import Malformed
from assay.wire.gate_tasks import parse_gate_task
from assay.wire.proposals import parse_proposal
from assay.wire.suites import parse_suite
from assay.wire.tasks import parse_task

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```jsonl?(?: title=\S+)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = sorted({ROOT / "README.md", *(ROOT / "docs").rglob("*.md")})


def documents() -> list[Any]:
    """Return every JSON document of the pages: a block is one, or each of its lines is."""
    found: list[Any] = []
    for page in PAGES:
        for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
            try:
                parts = [json.loads(block)]
            except json.JSONDecodeError:
                parts = [json.loads(line) for line in block.splitlines() if line.strip()]
            found += (pytest.param(part, id=f"{page.relative_to(ROOT)}-{number}-{i}") for i, part in enumerate(parts))
    return found


@pytest.mark.parametrize("document", documents())
def test_examples_are_what_they_claim_to_be(document: dict[str, Any]) -> None:
    task = document if "class" in document else document.get("task")
    if "suite" in document:
        parse_suite(json.dumps(document), document.get("entry_point"))
    elif "entry_point" in document:
        parse_gate_task(json.dumps(document))
    elif task is not None:
        parse_task(json.dumps(task))
    if "state" in document and "task" not in document:
        assert not isinstance(parse_proposal(json.dumps(document).encode()), Malformed)
