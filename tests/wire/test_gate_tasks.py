"""The document that names a task to the gate: strict, and the same digest however it was given (spec/suite.md §12)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from assay.wire.gate_tasks import REFUSALS, GateTask, InvalidGateTask, parse_gate_task

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "suite.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "task"),
    [
        pytest.param('{"task":"add","entry_point":"add"}', GateTask("add", "add"), id="a task"),
        pytest.param('{"task":"echo"}', GateTask("echo", None), id="a program"),
        pytest.param('{"task":"echo","entry_point":null}', GateTask("echo", None), id="a program, said"),
        pytest.param('{"id":"H/0","entry_point":"f","tol":1e-6}', GateTask("H/0", "f"), id="a line of a bank"),
        pytest.param('{"id":"APPS/1","entry_point":""}', GateTask("APPS/1", None), id="a bank's program"),
        pytest.param(
            '{"task":"total","entry_point":"sum"}', GateTask("total", "sum"), id="a built-in's name, declared"
        ),
    ],
)
def test_what_names_a_task(text: str, task: GateTask) -> None:
    assert parse_gate_task(text) == task


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param("[]", "shape", id="a list"),
        pytest.param("{", "json", id="no JSON"),
        pytest.param(b"\xff", "encoding", id="no UTF-8"),
        pytest.param('{"task":"a","task":"b"}', "duplicate_key", id="two tasks"),
        pytest.param('{"task":"\\ud800"}', "surrogate", id="half a character"),
        pytest.param('{"task":' + "[" * 20 + "]" * 20 + "}", "depth", id="deep"),
        pytest.param("{}", "missing", id="nothing"),
        pytest.param('{"task":"a","entry-point":"f"}', "unknown_key", id="a slip of the pen"),
        pytest.param('{"task":"a","id":"b"}', "unknown_key", id="two names"),
        pytest.param('{"task":"a","x":1,"y":2}', "unknown_key", id="two unknown keys"),
        pytest.param('{"task":1}', "type", id="a number"),
        pytest.param('{"task":""}', "type", id="empty"),
        pytest.param('{"task":"a","entry_point":""}', "entry_point", id="an empty name"),
        pytest.param('{"task":"a","entry_point":"os.system"}', "entry_point", id="a path of names"),
        pytest.param('{"task":"a","entry_point":"__import__"}', "entry_point", id="two underscores"),
        pytest.param('{"task":"a","entry_point":"lambda"}', "entry_point", id="a keyword"),
        pytest.param('{"task":"a","entry_point":"f\\n"}', "entry_point", id="a line break"),
        pytest.param('{"task":"a","entry_point":1}', "entry_point", id="a number for a name"),
        pytest.param(b" " * (16 << 20) + b"{}", "too_long", id="too long"),
    ],
)
def test_what_names_none(data: str | bytes, code: str) -> None:
    with pytest.raises(InvalidGateTask) as caught:
        parse_gate_task(data)
    assert caught.value.code == f"gate_task.{code}"
    assert caught.value.code in REFUSALS


def test_one_task_has_one_digest() -> None:
    spaced = parse_gate_task(json.dumps({"entry_point": "f", "task": "t"}, indent=2))
    assert spaced.sha256 == parse_gate_task('{"id":"t","entry_point":"f","hidden":[]}').sha256
    assert spaced.sha256 != parse_gate_task('{"task":"t"}').sha256


def test_every_refusal_is_on_the_pages() -> None:
    section = PAGE.split("\n## 12. ")[1]
    assert dict(re.findall(r"^\| `(gate_task\.[a-z_]+)` \| (.*?) \|$", section, re.MULTILINE)) == REFUSALS
