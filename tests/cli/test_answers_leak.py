"""What a model may be handed holds no digest from which it could guess what is expected."""

from __future__ import annotations

import itertools
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.support.in_process import InProcess

from assay.api import sandboxes
from assay.suite.render import checks_sha256, suite_sha256
from assay.wire.suites import parse_suite

CASES = 4


def _suite(bits: tuple[bool, ...]) -> str:
    cases = [{"args": f"({at},)", "returns": str(bit)} for at, bit in enumerate(bits)]
    cases.append({"args": "('x',)", "raises": "TypeError"})
    return json.dumps({"suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "f", "cases": cases})


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sandboxes, "open_slot", lambda *_: InProcess())
    Path("S.json").write_text(_suite((True, False, False, True)))
    Path("right.py").write_text("def f(a):\n    return a in (0, 3) if a != 'x' else a + 1\n")
    Path("a.py").write_text("def f(a):\n    return True\n")
    return [
        "gate",
        "check",
        "--suite",
        "S.json",
        "--entry-point",
        "f",
        "--candidate",
        "a.py",
        "--reference",
        "right.py",
    ]


def _guessed(text: str) -> bool:
    """Whether a digest of any suite of this form stands in the text."""
    for bits in itertools.product((True, False), repeat=CASES):
        spec = parse_suite(_suite(bits), "f")
        if suite_sha256(spec) in text or checks_sha256(spec) in text:
            return True
    return False


def test_a_kept_draft_and_the_text_for_a_model_hold_no_digest_of_the_suite(call: Any, check: list[str]) -> None:
    done = call(*check, "--keep-best", "best.py", "--for-model", "--junit", "j.xml")
    assert done.code == 3
    assert not _guessed(done.out + Path("best.py").read_text() + Path("j.xml").read_text())
    (told,) = call(*check, "--json").documents
    assert not _guessed(json.dumps(told["tried"]))
    # These are asked for, and for the suite's owner.
    assert _guessed(told["checks_sha256"])
    assert _guessed(told["suite_sha256"])


def test_no_record_tells_which_exception_is_expected(call: Any, check: list[str]) -> None:
    call(*check, "--receipts", "kept")
    (told,) = call(*check, "--json").documents
    texts = json.dumps(told) + Path("kept/receipts.jsonl").read_text()
    source = b"def f(*args, **kwargs):\n    raise TypeError()\n"
    assert sha256(source).hexdigest() not in texts
    assert "TypeError" not in texts
    assert [one["sha256"] for one in told["gauge"]["stubs"]] == [None] * 4
