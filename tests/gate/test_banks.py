"""Banks are read line by line, and a line that is no task is named (spec/suite.md §9)."""

import gzip
import json
from pathlib import Path

import pytest

from assay.gate.banks import MAX_LINE, read_bank
from assay.suite.frombank import NoSuite
from assay.suite.refusals import InvalidSuite
from assay.suite.spec import SuiteSpec

BANKS = Path(__file__).resolve().parents[3] / "shared" / "data" / "banks"

TASKS = [
    {
        "id": "T/0",
        "bank": "t",
        "dialect": "call",
        "entry_point": "f",
        "prompt": "import math\ndef f(): ...\n",
        "canonical": "def f(x): return x\n",
        "visible": [{"a": "(1,)", "e": "1"}],
        "hidden": [],
    },
    {"id": "T/1", "dialect": "stdin", "visible": [{"stdin": "", "e": [1]}], "hidden": [{"stdin": "1", "e": ["a"]}]},
]
LINES = "".join(json.dumps(task) + "\n" for task in TASKS).encode()


@pytest.mark.parametrize("name", ["bank.jsonl", "bank.jsonl.gz"])
def test_a_bank_is_read_packed_or_plain(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(LINES) if name.endswith(".gz") else LINES)
    call, program = read_bank(path, preamble=True)
    assert (call.id, call.bank, call.entry_point, call.typed_output) == ("T/0", "t", "f", False)
    assert call.reference == "def f(x): return x\n"
    assert call.prompt.startswith("import math")
    assert isinstance(call.visible, SuiteSpec)
    assert call.visible.preamble == "import math\n"
    assert call.hidden == NoSuite("no hidden case")
    assert (program.bank, program.entry_point, program.reference, program.typed_output) == ("", None, None, True)
    assert isinstance(program.hidden, SuiteSpec)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", "bank.json"),
        (b"\xff", "bank.json"),
        (b'{"id": NaN}', "bank.json"),
        (b"[" * 100_000, "bank.json"),
        (b"[]", "bank.shape"),
        (b"{}", "bank.shape"),
        (b'{"id": "T/2"}', "bank.shape"),
        (b'{"id":"T","dialect":"call","entry_point":"f","visible":[{"a":"(","e":"1"}],"hidden":[]}', "literal.syntax"),
    ],
)
def test_a_line_that_is_no_task_is_named(tmp_path: Path, line: bytes, code: str) -> None:
    path = tmp_path / "bank.jsonl"
    path.write_bytes(LINES + line + b"\n")
    tasks = read_bank(path)
    assert [next(tasks).id, next(tasks).id] == ["T/0", "T/1"]
    with pytest.raises(InvalidSuite, match=r"^line 3") as caught:
        next(tasks)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(gzip.compress(LINES)[:-12], id="cut short"),
        pytest.param(b"no gzip at all", id="no gzip at all"),
        pytest.param(gzip.compress(LINES)[:20] + b"x" * 40, id="overwritten"),
    ],
)
def test_a_file_that_cannot_be_unpacked_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bank.jsonl.gz"
    path.write_bytes(data)
    with pytest.raises(InvalidSuite) as caught:
        list(read_bank(path))
    assert caught.value.code == "bank.json"


def test_a_line_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "bank.jsonl.gz"
    path.write_bytes(gzip.compress(b" " * (MAX_LINE + 2)))
    with pytest.raises(InvalidSuite, match="16 MiB"):
        list(read_bank(path))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "with_case", "converted", "typed_output"),
    [
        ("humaneval", 164, 163, 0),
        ("humanevalplus", 164, 163, 0),
        ("mbpp", 967, 967, 0),
        ("mbppplus", 378, 378, 0),
        ("apps150_stdin", 116, 116, 60),
    ],
)
def test_the_shared_banks_convert(name: str, with_case: int, converted: int, typed_output: int) -> None:
    path = BANKS / f"{name}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"the shared bank {name} is not on this machine")
    tasks = list(read_bank(path))
    assert sum(task.visible != NoSuite("no visible case") for task in tasks) == with_case
    assert sum(isinstance(task.visible, SuiteSpec) for task in tasks) == converted >= 0.99 * with_case
    assert sum(task.typed_output for task in tasks) == typed_output
    # One set of kinds for what is seen and what scores: a hidden suite is missing only where there is no case.
    for task in tasks:
        if isinstance(task.hidden, NoSuite) and isinstance(task.visible, SuiteSpec):
            assert task.hidden == NoSuite("no hidden case")
