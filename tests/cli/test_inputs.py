"""What a command may read: each name that blocked it, filled the memory, or got a riddle for an answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.support import trial_world

from assay.interfaces.cli import INTERRUPTED, codes, inputs
from assay.kernel.errors import InputError

ASSAY = str(Path(sys.executable).with_name("assay"))
SUITE = {
    "suite": "assay.suite/1",
    "dialect": "python-call/1",
    "entry_point": "add",
    "cases": [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}],
}
CHECK = ("gate", "check", "--entry-point", "add")
GIVEN = ("--suite", "S.json", "--candidate", "a.py")
BANKS = ("--bank", "B", "--pool", "P")


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("S.json").write_text(json.dumps(SUITE))
    Path("a.py").write_text("def add(a, b):\n    return a + b\n")
    trial_world.write(Path("B"), trial_world.task("T/0"))
    trial_world.write(Path("P"), trial_world.entry("T/0", "f = abs"))
    os.mkfifo("pipe")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((*CHECK, "--candidate", "a.py", "--suite", "pipe"), id="suite"),
        pytest.param((*CHECK, "--suite", "S.json", "--candidate", "pipe"), id="candidate"),
        pytest.param((*CHECK, "--suite", "S.json", "--reply", "pipe"), id="reply"),
        pytest.param((*CHECK, *GIVEN, "--reference", "pipe"), id="reference"),
        pytest.param((*CHECK, *GIVEN, "--reference", "a.py", "--stub", "pipe"), id="stub"),
        pytest.param((*CHECK[:2], *GIVEN, "--task", "pipe"), id="task"),
        pytest.param((*CHECK, *GIVEN, "--key", "pipe", "--receipts", "kept"), id="key"),
        pytest.param((*CHECK, *GIVEN, "--keep-best", "pipe"), id="keep best"),
        pytest.param(("suite", "digest", "pipe"), id="digest"),
        pytest.param(("suite", "render", "pipe"), id="render"),
        pytest.param(("suite", "from-asserts", "pipe"), id="from-asserts"),
        pytest.param(("suite", "from-bank", "pipe", "--out", "o"), id="from-bank"),
        pytest.param(("suite", "attacks", "--bank", "pipe"), id="attacks"),
        pytest.param(("suite", "gauge", "--suite", "S.json", "--reference", "pipe"), id="gauge"),
        pytest.param(("suite", "strength", "--suite", "S.json", "--reference", "pipe"), id="strength"),
        pytest.param(("trial", "run", "--out", "o", "--bank", "pipe", "--pool", "P"), id="bank"),
        pytest.param(("trial", "run", "--out", "o", "--bank", "B", "--pool", "pipe"), id="pool"),
        pytest.param(("trial", "score", "--out", "o", *BANKS, "--gt", "pipe"), id="gt"),
        pytest.param(("trial", "samples", "--out", "o", *BANKS[:3], "pipe", "--format", "evalplus"), id="samples"),
        pytest.param(("vectors", "run", "pipe"), id="vectors"),
        pytest.param(("verify", "--pack", "minimal", "--batch", "pipe"), id="batch"),
        pytest.param(("receipt", "verify", "pipe"), id="receipt"),
        pytest.param(("keys", "show", "--trust", "pipe"), id="trust"),
        pytest.param(("keys", "trust", "pipe", "--name", "n"), id="public key"),
        pytest.param(("keys", "revoke", "k", "--after", "pipe"), id="checkpoint"),
    ],
)
def test_a_pipe_that_nobody_writes_to_blocks_nothing(call: Any, arguments: tuple[str, ...]) -> None:
    done = call(*arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "`pipe`: is a pipe and no plain file; name a" in done.err


def test_a_candidate_without_an_end_is_not_read(call: Any) -> None:
    done = call(*CHECK, "--suite", "S.json", "--candidate", "/dev/zero")
    assert (done.code, done.err) == (
        2,
        "error: file `/dev/zero`: is a device and no plain file; name a plain file, or redirect it to `/dev/stdin`\n",
    )


@pytest.mark.parametrize("option", ["--candidate", "--reply"])
def test_a_candidate_of_any_length_is_not_read_whole(call: Any, option: str) -> None:
    with Path("long.py").open("wb") as file:
        file.truncate(1 << 40)  # a hole
    done = call(*CHECK, "--suite", "S.json", option, "long.py")
    assert (done.code, done.err) == (2, "error: file `long.py`: it has more than 1 MiB; give a shorter one\n")
    assert call(*CHECK, "--candidate", "a.py", "--suite", "long.py").code == 2


def test_what_the_shell_hands_over_is_read() -> None:
    def run(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)

    plain = run(f"{ASSAY} suite digest S.json")
    assert plain.returncode == 0
    for command in ("suite digest <(cat S.json)", "suite digest /dev/stdin < S.json"):
        assert run(f"{ASSAY} {command}").stdout == plain.stdout
    assert run(f"cat S.json | {ASSAY} suite digest /dev/stdin").stdout == plain.stdout
    twice = run(f"{ASSAY} trial run --bank <(cat B) --pool P --out o")
    assert (twice.returncode, "it is read more than once" in twice.stderr) == (2, True)


def test_what_came_to_stand_there_meanwhile_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = os.stat("S.json")  # noqa: PTH116 -- what is replaced below
    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", lambda *_, **__: plain)
        with pytest.raises(InputError, match="is a pipe"):
            inputs.read_file("pipe")


@pytest.mark.parametrize("command", ["digest", "render"])
def test_a_byte_order_mark_is_named(call: Any, command: str) -> None:
    Path("S.json").write_bytes(b"\xef\xbb\xbf" + Path("S.json").read_bytes())
    done = call("suite", command, "S.json")
    assert (done.code, done.err) == (
        2, "error: the suite begins with a byte-order mark, which no JSON does; save it as UTF-8 without one\n"
    )  # fmt: skip


INTERRUPTING = """
import os, signal, sys
from assay.interfaces.cli import main

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
if {name!r} == "the end":
    import atexit
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["assay", "suite", "digest", "S.json"]
main()
"""


@pytest.mark.parametrize("name", ["click", "assay.interfaces.cli.suite", "pydantic", "the end"])
def test_an_interrupt_while_modules_are_loaded_is_one_line(name: str) -> None:
    source = INTERRUPTING.format(name=name)
    run = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (130, "\nerror: interrupted\n")
    assert INTERRUPTED == codes.INTERRUPTED


def test_whoever_turned_interrupts_off_is_not_interrupted() -> None:
    source = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + INTERRUPTING.format(name="click")
    run = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")
