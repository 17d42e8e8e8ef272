"""`assay gate check` as it is typed: what is read, in which order, what is written, and what never is."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.cli.conftest import Call
from tests.support.add_world import CHECK, RIGHT, WORSE, WRONG, write
from tests.support.sandbox_here import needs_sandbox

from assay.api import wiring
from assay.kernel.errors import LedgerFault


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)


def _last_receipt(folder: str = "kept") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(folder, "receipts.jsonl").read_text().splitlines()[-1])
    return found["predicate"]  # type: ignore[no-any-return]


@needs_sandbox
def test_candidates_and_replies_are_tried_in_the_order_in_which_they_are_typed(call: Call) -> None:
    mixed = ("--reply", "reply.md", "--candidate", "wrong.py", "--model", "m", "--receipts", "kept")
    done = call(*CHECK, *mixed)
    assert (done.code, done.out) == (
        0,
        "\n".join(  # noqa: FLY002 - a line a line
            [
                "1. reply.md: passed, twice",
                "not tried: wrong.py (one has passed)",
                "DELIVERED reply.md",
                "receipt: kept/receipts.jsonl (unsigned)\n",
            ]
        ),
    )
    done = call(*CHECK, "--candidate=wrong.py", "--reply=reply.md", "--model", "a", "--model", "b", *mixed[-2:])
    assert done.out.splitlines()[-2] == "DELIVERED reply.md"
    receipt = _last_receipt()
    assert [(one["model"], bool(one["extracted"])) for one in receipt["tried"]] == [("a", False), ("b", True)]
    assert receipt["task"]["task"] == "add two numbers"
    assert [len(one["runs"]) for one in receipt["tried"]] == [1, 2]
    private = sorted(Path("kept", "private").iterdir())
    assert len(private) == 5
    assert {stat.S_IMODE(path.stat().st_mode) for path in private} == {0o600}
    assert stat.S_IMODE(Path("kept", "private").stat().st_mode) == 0o700


@needs_sandbox
def test_what_is_delivered_is_written_byte_for_byte(call: Call) -> None:
    done = call(*CHECK, "--reply", "reply.md", "--out", "add.py", "--keep-best", "best.py", "--junit", "j.xml")
    assert done.code == 0
    assert Path("add.py").read_bytes() == RIGHT
    assert not Path("best.py").exists()
    assert ET.parse("j.xml").getroot().attrib["failures"] == "0"  # noqa: S314 - our own bytes


@needs_sandbox
def test_a_refusal_tells_the_person_and_keeps_the_best_draft(call: Call) -> None:
    drafts = ("--candidate", "worse.py", "--candidate", "wrong.py")
    done = call(*CHECK, *drafts, "--out", "add.py", "--keep-best", "best.py", "--receipts", "kept", "--junit", "j.xml")
    assert done.code == 3
    lines = done.out.splitlines()
    assert lines[:2] == [
        "1. worse.py: failed, wrong_value at case index 0 (1 of 2)",
        "2. wrong.py: failed, wrong_value at case index 1 (2 of 2)",
    ]
    assert lines[-7:-1] == [
        "2. wrong.py:",
        "   case index 1 (2 of 2): add(2, 2)",
        "     expected is 4 [typed]",
        "     came     3",
        "kept in best.py, not accepted: wrong.py passed 1 of 2",
        "REFUSED",
    ]
    assert not Path("add.py").exists()
    first, _, rest = Path("best.py").read_bytes().partition(b"\n")
    assert re.fullmatch(rb"# NOT ACCEPTED by assay: passed 1 of 2 cases of program [0-9a-f]{64}", first)
    assert rest == WRONG
    assert (_last_receipt()["kept_best"]["passed"], _last_receipt()["kept_best"]["of"]) == (1, 2)
    assert b"is 4" not in Path("j.xml").read_bytes()
    # Our own draft may be replaced.
    assert call(*CHECK, "--candidate", "worse.py", "--keep-best", "best.py", "--receipts", "kept").code == 3
    assert Path("best.py").read_bytes().endswith(WORSE)


@needs_sandbox
def test_a_model_is_told_no_expected_value(call: Call) -> None:
    done = call(*CHECK, "--candidate", "wrong.py", "--for-model")
    assert (done.code, done.out) == (3, "attempt 1:\n  case index 1 (2 of 2): gave a wrong value\nREFUSED\n")
    (told,) = call(*CHECK, "--candidate", "wrong.py", "--json").documents
    assert told["tried"][0]["feedback"] == "case index 1 (2 of 2): gave a wrong value"
    assert told["tried"][0]["cases"] == [{"case": 1, "how": "wrong_value", "asked": "add(2, 2)", "came": "3"}]
    (told,) = call(*CHECK, "--candidate", "wrong.py", "--json", "--show-expected").documents
    assert told["tried"][0]["cases"][0]["expected"] == "is 4 [typed]"


@needs_sandbox
def test_a_stale_file_does_not_survive_a_refusal(call: Call) -> None:
    Path("add.py").write_bytes(RIGHT)
    assert call(*CHECK, "--candidate", "wrong.py", "--out", "add.py").code == 2
    assert Path("add.py").read_bytes() == RIGHT
    assert call(*CHECK, "--candidate", "wrong.py", "--out", "add.py", "--force").code == 3
    assert not Path("add.py").exists()


@needs_sandbox
def test_a_receipt_that_cannot_be_kept_is_a_fault_and_the_outcome_is_still_told(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Path:
        raise LedgerFault("fault.ledger", "ledger `kept`: no space left on device; nothing was written")

    monkeypatch.setattr(wiring, "keep", full)
    done = call(*CHECK, "--candidate", "right.py", "--receipts", "kept", "--out", "add.py")
    assert done.code == 1
    assert done.out.splitlines()[-1] == "DELIVERED right.py"
    assert done.err == "error: ledger `kept`: no space left on device; nothing was written\n"
    # Nothing is handed over of which no receipt was kept.
    assert not Path("add.py").exists()
    done = call(*CHECK, "--candidate", "wrong.py", "--receipts", "kept", "--keep-best", "best.py", "--json")
    assert (done.code, done.documents[0]["outcome"]) == (1, "REFUSED")
    assert done.documents[1]["error"]["code"] == "fault.ledger"
    assert not Path("best.py").exists()
    done = call(*CHECK, "--candidate", "wrong.py", "--receipts", "kept", "--keep-best", "best.py")
    assert "kept in" not in done.out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(("--candidate", "wrong.py", "--entry-point", "add"), "keep one", id="task and entry point"),
        pytest.param((), "no candidate is given", id="no candidate"),
        pytest.param(("--candidate", "gone.py"), "file `gone.py`: no such file", id="a candidate that is not there"),
        pytest.param(
            ("--candidate", "wrong.py", "--model", "a", "--model", "b"),
            "--model is given 2 times for 1",
            id="two labels",
        ),
        pytest.param(("--candidate", "wrong.py", "--model", "a\nb"), "label of a model", id="a label of two lines"),
        pytest.param(("--candidate", "wrong.py", "--model", ""), "label of a model", id="an empty label"),
        pytest.param(("--candidate", "wrong.py", "--out", "right.py"), "--out: `right.py` is there", id="out is there"),
        pytest.param(("--candidate", "wrong.py", "--out", "gone/add.py"), "`gone` is no folder", id="no folder"),
        pytest.param(
            ("--candidate", "wrong.py", "--out", "wrong.py", "--force"), "is another file of", id="out is a candidate"
        ),
        pytest.param(
            ("--candidate", "wrong.py", "--out", "S.json", "--force"), "is another file of", id="out is the suite"
        ),
        pytest.param(
            ("--candidate", "wrong.py", "--out", "kept", "--force"), "is a folder and no plain", id="out is a folder"
        ),
        pytest.param(
            ("--candidate", "wrong.py", "--keep-best", "right.py"), "no draft that was kept by us", id="a file of yours"
        ),
        pytest.param(
            ("--candidate", "wrong.py", "--keep-best", "kept"), "is a folder and no plain", id="a folder of yours"
        ),
        pytest.param(
            ("--candidate", "wrong.py", "--keep-best", "a.py", "--out", "a.py"), "is another file of", id="both in one"
        ),
        pytest.param(("--candidate", "wrong.py", "--keep-best", "gone/a.py"), "is no folder", id="no folder for it"),
        pytest.param(("--candidate", "wrong.py", "--junit", "wrong.py"), "is another file of", id="junit over a draft"),
        pytest.param(("--candidate", "wrong.py", "--for-model", "--show-expected"), "both given", id="for a model"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_runs(call: Call, arguments: tuple[str, ...], line: str) -> None:
    Path("kept").mkdir()
    done = call(*CHECK, *arguments)
    assert (done.code, done.out) == (2, "")
    assert line in done.err
    assert (Path("wrong.py").read_bytes(), Path("right.py").read_bytes()) == (WRONG, RIGHT)


def test_neither_task_nor_entry_point_is_refused(call: Call) -> None:
    done = call("gate", "check", "--suite", "S.json", "--candidate", "wrong.py")
    assert (done.code, done.err) == (
        2,
        "error: no task names a function; give the task (`--task`) or the name of its function (`--entry-point`)\n",
    )


def test_a_task_for_another_function_touches_no_file(call: Call) -> None:
    Path("T.json").write_text('{"task":"sub","entry_point":"sub"}')
    Path("add.py").write_bytes(b"old")
    done = call(*CHECK, "--candidate", "wrong.py", "--out", "add.py", "--force", "--json")
    assert done.documents[0]["error"]["code"] == "suite.entry_point_mismatch"
    assert Path("add.py").read_bytes() == b"old"
