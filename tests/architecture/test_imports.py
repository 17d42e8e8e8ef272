"""The house stands: contracts kept, the kernel alone on the standard library, files of a readable size."""

import io
import json
import subprocess
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
KERNEL = SRC / "assay" / "kernel"

LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(source: str) -> int:
    """Return how many lines carry code: blank lines, comments and docstrings are not counted."""
    lines: set[int] = set()
    statement: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            statement.append(token)
        elif token.type in {tokenize.NEWLINE, tokenize.ENDMARKER}:
            if any(part.type != tokenize.STRING for part in statement):
                lines.update(line for part in statement for line in range(part.start[0], part.end[0] + 1))
            statement = []
    return len(lines)


def test_code_lines_counts_code_alone() -> None:
    source = (
        '"""Says.\n\nMore.\n"""\n\n# comment\nx = (\n    1,\n)\n\n\ndef f() -> int:\n    """One."""\n    return x[0]\n'
    )
    assert code_lines(source) == 5


def test_import_contracts_are_kept() -> None:
    program = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    run = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_contracts_are_not_softened() -> None:
    """No contract may carry an exception list: an exception is how a staircase becomes a slide."""
    assert "ignore_imports" not in (ROOT / ".importlinter").read_text(encoding="utf-8")


def test_the_kernel_loads_itself_and_the_standard_library_only() -> None:
    program = (
        "import json, sys\n"
        f"sys.path.insert(0, {str(SRC)!r})\n"
        "import assay.kernel.verify\n"
        "print(json.dumps(sorted(sys.modules)))\n"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    loaded: list[str] = json.loads(run.stdout)
    standard = sys.stdlib_module_names | set(sys.builtin_module_names) | {"__main__"}
    ours = {name for name in loaded if name in {"assay", "assay.kernel"} or name.startswith("assay.kernel.")}
    foreign = [name for name in loaded if name not in ours and name.split(".")[0] not in standard]
    assert "assay.kernel.verify" in loaded
    assert foreign == []


def test_the_kernel_has_at_most_a_thousand_lines_of_code() -> None:
    sizes = {path.name: code_lines(path.read_text(encoding="utf-8")) for path in KERNEL.rglob("*.py")}
    assert sum(sizes.values()) <= 1000, sizes


def test_no_file_outgrows_its_reader() -> None:
    too_long = {
        str(path.relative_to(SRC)): lines
        for path in SRC.rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > (200 if KERNEL in path.parents else 400)
    }
    assert too_long == {}


def test_every_room_says_where_it_stands() -> None:
    silent = [
        str(path.relative_to(SRC))
        for path in (SRC / "assay").rglob("__init__.py")
        if not path.read_text(encoding="utf-8").startswith('"""')
    ]
    assert silent == []


def test_a_room_says_that_it_is_not_built_exactly_while_it_is_empty() -> None:
    wrong = []
    for door in (SRC / "assay").rglob("*/__init__.py"):
        is_empty = {path.name for path in door.parent.iterdir()} <= {"__init__.py", "__pycache__"}
        if is_empty is not ("ot built yet" in door.read_text(encoding="utf-8")):
            wrong.append(str(door.parent.relative_to(SRC)))
    assert wrong == []
