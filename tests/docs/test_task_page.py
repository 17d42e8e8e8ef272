"""The page of tasks is true: its examples give what it shows, and it explains every reason that the code can give."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assay import api
from assay.floor.store import Snapshot

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "tasks.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(line) for line in re.findall(r'^\{"pack".*\}$', PAGE, re.MULTILINE)]


@cache
def opened(name: str) -> Snapshot:
    """Return the shipped pack, opened once."""
    return api.open_pack(name)


def given(pack: str, task: dict[str, Any]) -> dict[str, Any]:
    """Return what the pack gives to the task, in the page's words."""
    try:
        found = api.establish(opened(pack), api.parse_task(json.dumps(task)))
    except api.InputError as refusal:
        return {"refused": refusal.code}
    if found.state == "VALUE":
        return {"state": found.state, "value": found.value}
    return {"state": found.state, "reason": found.reason}


@pytest.mark.parametrize(
    "example", [pytest.param(one, id=f"{number}-{one['task']['class']}") for number, one in enumerate(EXAMPLES)]
)
def test_every_example_gives_what_is_shown(example: dict[str, Any]) -> None:
    shown = {key: value for key, value in example.items() if key not in ("pack", "task")}
    assert given(example["pack"], example["task"]) == shown


def test_every_line_that_shows_a_task_names_its_pack() -> None:
    assert len(EXAMPLES) == sum(block.count('"class"') for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))


def explained(state: str) -> set[str]:
    """Return the reasons in the first column of the state's table."""
    table = PAGE.split(f"\n| {state} |")[1].split("\n\n")[0]
    return set(re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE))


def test_the_page_explains_the_reasons_of_the_code() -> None:
    floor = [file.read_text(encoding="utf-8") for file in (ROOT / "src" / "assay" / "floor").rglob("*.py")]

    def named(pattern: str) -> set[str]:
        return {reason for text in floor for reason in re.findall(pattern, text)}

    absent = named(r'Unknown\("([a-z_]+)"') | named(r'no_entity=True, reason="([a-z_]+)"')
    unsettled = named(r'Insufficient\("([a-z_]+)"') | named(r'no_entity=False, reason="([a-z_]+)"')
    unsettled |= {"truncated", "compatible_not_equal"}  # chosen between, in `settle_readings`
    assert explained("NO_ENTITY") == absent
    assert explained("INSUFFICIENT") == unsettled
