"""What a newcomer met with `assay gate check`: each find is a test, named after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Call
from tests.support.add_world import CHECK, REPLY, RIGHT, SUITE, WRONG, write
from tests.support.sandbox_here import needs_sandbox

from assay import api
from assay.api.counting import counted
from assay.api.data import pages_beside


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)


@needs_sandbox
def test_review_a_sixth_candidate_is_said_not_to_have_been_tried(call: Call) -> None:
    six = [word for at in range(6) for word in ("--candidate", "worse.py" if at < 5 else "right.py")]
    done = call(*CHECK, *six)
    assert done.code == 3
    assert "not tried: right.py (at most 5 are tried)\n" in done.out
    assert call(*CHECK, *six, "--json").documents[0]["not_tried"] == ["right.py"]


@needs_sandbox
def test_review_the_receipt_line_says_whether_it_is_signed(call: Call) -> None:
    done = call(*CHECK, "--candidate", "right.py", "--receipts", "kept")
    assert done.out.splitlines()[-1] == f"receipt: {Path('kept', 'receipts.jsonl')} (unsigned)"
    (told,) = call(*CHECK, "--candidate", "right.py", "--receipts", "kept", "--json").documents
    assert (told["receipts"], told["signed_by"]) == (str(Path("kept", "receipts.jsonl")), None)
    assert "receipts" not in call(*CHECK, "--candidate", "right.py", "--json").documents[0]


@needs_sandbox
def test_review_python_is_taken_before_the_shell_and_a_person_is_told(call: Call) -> None:
    Path("two.md").write_bytes(b"```bash\npip install x\n```\n```python3\n" + RIGHT + b"```\n")
    done = call(*CHECK, "--reply", "two.md")
    assert (done.code, done.out.splitlines()[1]) == (0, "   took block 2 of 2 (tagged python3)")
    done = call(*CHECK, "--candidate", "two.md")
    assert (done.code, "with --reply" in done.out) == (3, True)
    (told,) = call(*CHECK, "--reply", "two.md", "--json").documents
    assert told["tried"][0]["note"] == "took block 2 of 2 (tagged python3)"


@needs_sandbox
def test_review_a_candidate_may_come_on_standard_input_once(call: Call) -> None:
    assert call(*CHECK, "--candidate", "-", stdin=RIGHT).out == "1. -: passed, twice\nDELIVERED -\n"
    assert call(*CHECK, "--reply", "-", "--out", "add.py", stdin=REPLY).code == 0
    assert Path("add.py").read_bytes() == RIGHT
    done = call(*CHECK, "--reply", "-", "--candidate", "-", stdin=REPLY)
    assert (done.code, "`-` is given more than once" in done.err) == (2, True)


@needs_sandbox
def test_review_a_suite_of_programs_tests_no_function(call: Call) -> None:
    Path("P.json").write_text(
        '{"suite":"assay.suite/1","dialect":"stdin-stdout/1","cases":[{"stdin":"","stdout":["1"]}]}'
    )
    done = call("gate", "check", "--suite", "P.json", "--entry-point", "main", "--candidate", "right.py")
    assert (done.code, "the suite tests programs, which have no function, and `main`" in done.err) == (2, True)


@needs_sandbox
def test_review_a_suite_may_be_gauged_by_its_task(call: Call) -> None:
    for command in ("gauge", "strength"):
        done = call("suite", command, "--suite", "S.json", "--task", "T.json", "--reference", "right.py")
        assert done.code == 0
        done = call("suite", command, "--suite", "S.json", "--reference", "right.py")
        assert "give the task (`--task`) or the name of its function (`--entry-point`)" in done.err


@needs_sandbox
def test_review_what_was_printed_in_place_of_a_return_is_told(call: Call) -> None:
    Path("prints.py").write_bytes(b"def add(a, b):\n    print(a + b)\n")
    done = call(*CHECK, "--candidate", "prints.py")
    assert "     came     None; the run printed 4 bytes\n" in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        (*CHECK, "--candidate", "right.py", "--receipts", "S.json"),
        ("trial", "run", "--bank", "T.json", "--pool", "right.py", "--out", "S.json"),
        ("suite", "from-bank", "T.json", "--out", "S.json"),
    ],
)
def test_review_a_plain_file_in_place_of_a_folder_is_a_usage_error(call: Call, arguments: tuple[str, ...]) -> None:
    done = call(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "`S.json` is no folder; name a folder" in done.err


def test_review_the_pages_that_messages_name_are_where_the_help_says(call: Call) -> None:
    lines = call("--help").out.splitlines()
    folder = Path(lines[next(at for at, line in enumerate(lines) if line.startswith("Pages that")) + 1].strip())
    assert (folder / "spec" / "suite.md").is_file()
    assert (folder / "docs" / "reference" / "tasks.md").is_file()


def test_pages_lie_in_the_package_where_it_is_installed(tmp_path: Path) -> None:
    package = tmp_path / "site" / "assay"
    package.mkdir(parents=True)
    assert pages_beside(package) == tmp_path
    (package / "_pages").mkdir()
    assert pages_beside(package) == package / "_pages"


@needs_sandbox
def test_review_the_documented_surface_offers_the_gate() -> None:
    outcome = api.check(SUITE, "add", [WRONG.decode(), "\ud800", RIGHT])
    assert (outcome.outcome, outcome.position, outcome.source) == ("DELIVERED", 3, RIGHT)
    folder = Path("kept")
    path = api.keep_outcome(folder, outcome)
    tried = json.loads(path.read_text())["predicate"]["tried"]
    runs = [run["observations_sha256"] for run in tried[2]["runs"]]
    kept = [api.bound((folder / "private" / f"{run}.json").read_bytes(), run) for run in runs]
    assert str(type(api.regrade(api.parse_suite(SUITE), kept)).__name__) == "Passed"


def test_review_one_of_something_is_no_plural() -> None:
    assert [counted(at, "entry", "entries") for at in (0, 1)] == ["0 entries", "1 entry"]
    assert counted(2, "task") == "2 tasks"
