"""The pages do what they show: files are written, commands run, and what they print is compared.

A block that is opened with `title=NAME` is a file. In a `console` block a line `$ assay …` is a command, and what
follows is its output, where `…` stands for anything; before a pipe, `printf '…'` is what is typed. `>>>` lines are
doctests. Blocks of a page run in order, in one folder.
"""

import doctest
import io
import re
import shlex
from pathlib import Path

import pytest
from tests.support.sandbox_here import missing

from assay.interfaces.cli import app, codes

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(?P<language>\w+)(?: title=(?P<title>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "```console" in page.read_text(encoding="utf-8")]
DOCTESTS = [page for page in sorted(DOCS.rglob("*.md")) if "\n>>> " in page.read_text(encoding="utf-8")]


def steps(body: str) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with the output shown."""
    shown: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            shown.append((line.removeprefix("$ "), []))
        else:
            shown[-1][1].append(line)
    return [(command, "\n".join(output)) for command, output in shown]


def keys(command: str) -> str:
    """Return what `printf '…'` prints before a pipe; without one, nothing."""
    return shlex.split(command)[1].replace(r"\n", "\n") if command else ""


def is_like(shown: str, printed: str) -> bool:
    """Tell whether the printed text is the one shown, `…` standing for anything, lines included."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(DOCS))) for page in PAGES])
def test_commands_print_what_is_shown(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if "$ assay gate check" in page.read_text(encoding="utf-8") and (reason := missing()):
        pytest.skip(f"no sandbox of level A here: {reason}")
    monkeypatch.chdir(tmp_path)
    for block in BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["title"]:
            (tmp_path / block["title"]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block["title"]).write_text(block["body"], encoding="utf-8")
        for command, shown in steps(block["body"]) if block["language"] == "console" else ():
            typed, _, piped = command.rpartition(" | ")
            program, *arguments = shlex.split(piped)
            assert program == "assay", "only our own commands are run"
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(keys(typed).encode()), encoding="utf-8"))
            code = app.run(arguments)
            printed = capsys.readouterr()
            assert code in {codes.OK, codes.NO}, printed.err
            assert is_like(shown, printed.out), f"{command}\n{printed.out}"


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(DOCS))) for page in DOCTESTS])
def test_python_examples_give_what_is_shown(page: Path) -> None:
    # A fence ends the output before it, as a blank line does.
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if "api.check(" in text and (reason := missing()):
        pytest.skip(f"no sandbox of level A here: {reason}")
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(verbose=False).run(example)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize(
    ("shown", "printed", "like"),
    [
        pytest.param("a\nb", "a\nb\n", True, id="the same"),
        pytest.param("digest …\nb", "digest 12\nb", True, id="a part left open"),
        pytest.param("a\n…\nd", "a\nb\nc\nd", True, id="lines left open"),
        pytest.param("a.c", "abc", False, id="no pattern but …"),
        pytest.param("a", "a\nb", False, id="more was printed"),
    ],
)
def test_shown_and_printed_are_compared(shown: str, printed: str, like: bool) -> None:
    assert is_like(shown, printed) is like
