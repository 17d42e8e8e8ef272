"""The README shows what happens: its Python runs, its commands print that, and the demo ends as it says."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from assay.interfaces.cli import app
from assay.interfaces.cli.demo import CLAIMS
from assay.interfaces.cli.demo_code import TITLES

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE: list[str] = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
OUTCOME = re.compile(r"^     (accepted: derived|accepted: unaided|unresolved|navigation failure)", re.MULTILINE)


def _block(command: str) -> str:
    return next(block for block in CONSOLE if block.startswith((f"$ {command}\n…", f"$ {command}\nrun")))


def test_python_examples_give_what_is_shown() -> None:
    text = re.sub(r"^```.*$", "", README, flags=re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner(verbose=False).run(example)
    assert result.attempted > 0
    assert result.failed == 0


def test_commands_print_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    tried = 0
    for block in CONSOLE:
        command, _, shown = block.partition("\n")
        program, *arguments = shlex.split(command.removeprefix("$ "))
        if program != "assay":
            continue
        app.run(arguments)
        assert shown.strip() in capsys.readouterr().out
        tried += 1
    assert tried > 0


def test_the_demo_has_the_titles_outcomes_and_table_that_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = _block("make demo")
    app.run(["demo", "--model", "scripted", "--receipts", str(tmp_path)])
    printed = capsys.readouterr().out
    titles = re.findall(r"^\d\. .*$", shown, re.MULTILINE)
    assert len(titles) >= 2
    for title in titles:
        assert title in printed
        assert title.partition(". ")[2] in {*(claim.title for claim in CLAIMS), *TITLES}
    # Who walked differs; the words of an outcome and the columns of the table do not.
    assert set(OUTCOME.findall(shown)) <= set(OUTCOME.findall(printed))
    header = re.compile(r"^ +proposed +refused +accepted +false acceptances$", re.MULTILINE)
    assert header.search(shown)
    assert header.search(printed)
    row = re.compile(r"^the \w+ +\d+ +\d+ +\d+ +0$", re.MULTILINE)
    assert row.search(shown)
    assert row.search(printed)


def test_the_lines_of_make_test_are_those_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    lines = [line for line in _block("make test").splitlines()[1:] if line != "…"]
    assert lines
    for line in lines:
        assert f'@echo "{line}"' in makefile
