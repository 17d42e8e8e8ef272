"""The program on the page about gating does what the page says: every grade is made again from what was kept."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from tests.docs.test_commands import BLOCK, DOCS, steps
from tests.support.sandbox_here import needs_sandbox

from assay.interfaces.cli import app

PAGE = (DOCS / "how-to" / "gate-candidates.md").read_text(encoding="utf-8")


@needs_sandbox
def test_grades_are_made_again_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = list(BLOCK.finditer(PAGE))
    for block in blocks:
        if block["title"]:
            (tmp_path / block["title"]).write_text(block["body"], encoding="utf-8")
    commands = [command for block in blocks if block["language"] == "console" for command, _ in steps(block["body"])]
    app.run(shlex.split(commands[-1])[1:])
    (program,) = (block["body"] for block in blocks if block["language"] == "python" and not block["title"])
    capsys.readouterr()
    exec(program, {})  # noqa: S102 - our own page
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["failed", "passed"]
    assert [line.split()[1].partition("(")[0] for line in printed] == ["Failed", "Passed"]
