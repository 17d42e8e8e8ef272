"""Bad input: one line on standard error, the right exit code, no traceback, nothing repeated at length."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest

from assay.interfaces.cli import app

ARCHES = '{"class":"value","entity":"bridge:mill","property":"arches"}'
THREE = '{"state":"VALUE","value":"3"}'
PACK = ("--pack", "minimal")
ASSAY = str(Path(sys.executable).with_name("assay"))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(("prove",), "no such command 'prove'; see `assay --help`", id="unknown command"),
        pytest.param(("verify",), "missing option '--pack'; see `assay verify --help`", id="missing option"),
        pytest.param(
            ("verify", "--sure"), "no such option '--sure'; see `assay verify --help`", id="unknown option"
        ),
        pytest.param(
            ("verify", *PACK),
            "--task is missing; give --task and --proposal, or --batch",
            id="neither one nor many",
        ),
        pytest.param(
            ("verify", *PACK, "--task", ARCHES),
            "--proposal is missing; give --task and --proposal, or --batch",
            id="half of one",
        ),
        pytest.param(
            ("verify", *PACK, "--task", ARCHES, "--batch", "b.jsonl"),
            "--batch and --task are both given; keep one",
            id="one and many",
        ),
        pytest.param(
            ("verify", *PACK, "--task", "-", "--proposal", "-"),
            "both --task and --proposal are `-`; standard input can be only one of them",
            id="standard input twice",
        ),
        pytest.param(
            ("verify", *PACK, "--task", "gone.json", "--proposal", THREE),
            "file `gone.json`: no such file or directory",
            id="missing task file",
        ),
        pytest.param(
            ("verify", *PACK, "--task", "@gone.json", "--proposal", THREE),
            "file `gone.json`: no such file or directory",
            id="missing task file, marked",
        ),
        pytest.param(
            ("verify", *PACK, "--task", "a\x00b", "--proposal", THREE),
            "file `a\\x00b`: is no file name",
            id="a name that is none",
        ),
        pytest.param(
            ("verify", *PACK, "--batch", "."), "file `.`: is a directory", id="a folder as a batch"
        ),
        pytest.param(
            ("verify", *PACK, "--task", "", "--proposal", THREE),
            "the task is not one JSON value: fault at line 1 column 1",
            id="empty task",
        ),
        pytest.param(
            ("verify", *PACK, "--task", '{"class":"value","entity":"bridge:mill","property":"arches","x":1}',
             "--proposal", THREE),
            "`x` is no field of class `value`; see docs/reference/tasks.md",
            id="a field too many",
        ),
        pytest.param(
            ("verify", *PACK, "--task", ARCHES[:-1] + ',"release":"r"}', "--proposal", THREE),
            "release `r` is not a source of this pack; `assay pack show` lists them; "
            "its releases are `register-2024`, `survey-2025`",
            id="a release that the pack does not hold",
        ),
        pytest.param(
            ("establish", *PACK), "--task is missing; give --task, or --batch", id="nothing to establish"
        ),
        pytest.param(
            ("vectors", "run", "gone.jsonl"), "file `gone.jsonl`: no such file or directory", id="missing vectors"
        ),
        pytest.param(
            ("ask", "--model", "none", "--attempts", "0", ARCHES),
            "invalid value for '--attempts': 0 is not in the range 1<=x<=100; see `assay ask --help`",
            id="no attempts",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_two(call: Any, arguments: tuple[str, ...], line: str) -> None:
    found = call(*arguments)
    assert (found.code, found.out, found.err) == (2, "", f"error: {line}\n")


def test_an_unknown_pack_names_the_shipped_ones(call: Any) -> None:
    found = call("verify", "--pack", "atlantis", "--task", ARCHES, "--proposal", THREE)
    assert found.code == 2
    assert found.err.startswith("error: pack `atlantis`: no such folder, and no shipped pack; shipped are: ")
    assert found.err.count("\n") == 1


def test_a_folder_that_is_no_pack_is_one_line(call: Any, tmp_path: Path) -> None:
    found = call("pack", "check", str(tmp_path))
    assert (found.code, found.err.count("\n")) == (2, 1)


def test_with_json_an_error_is_json_as_well(call: Any) -> None:
    found = call("verify", *PACK, "--task", "[]", "--proposal", THREE, "--json")
    assert found.documents == [
        {
            "error": {
                "code": "task.shape",
                "message": "the task is a list; an object with a `class` is needed",
                "exit": 2,
            }
        }
    ]
    assert found.err == "error: the task is a list; an object with a `class` is needed\n"
    assert call("verify", "--json").documents[0]["error"]["code"] == "usage"


def test_a_hostile_argument_is_neither_repeated_nor_obeyed(call: Any) -> None:
    found = call("\x1b[2J" + "z" * 100_000)
    assert found.code == 2
    assert "\x1b" not in found.err
    assert len(found.err) < 700
    found = call("verify", "--pack", "\x1b[31m\n" + "y" * 100_000, "--task", ARCHES, "--proposal", THREE)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert "\x1b" not in found.err


@pytest.mark.parametrize("task", ["[" * 100_000, '{"class":' + "9" * 70_000 + "}", '{"a":1,"a":2}', "\ud800"])
def test_hostile_tasks_are_one_short_line(call: Any, task: str) -> None:
    found = call("verify", *PACK, "--task", "@-" if task == "\ud800" else task, "--proposal", THREE)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert len(found.err) < 200


def test_help_is_help(call: Any) -> None:
    found = call("--help")
    assert found.code == 0
    assert [line.split()[0] for line in found.out.split("Commands:\n")[1].split("\n\n")[0].splitlines()] == list(
        app.COMMANDS
    )


@pytest.mark.parametrize("name", list(app.COMMANDS))
def test_every_command_has_help_with_an_example(call: Any, name: str) -> None:
    command = app.COMMANDS[name][1]()
    names = [[name, inner] for inner in getattr(command, "commands", {})] or [[name]]
    for path in names:
        found = call(*path, "--help")
        assert found.code == 0
        assert f"Example:\n    assay {' '.join(path)}" in found.out
        assert "--json" in found.out


def test_the_table_of_commands_says_what_the_commands_say() -> None:
    for line, make in app.COMMANDS.values():
        assert (make().help or "").splitlines()[0] == line


GROUPS = [name for name, (_, make) in app.COMMANDS.items() if isinstance(make(), click.Group)]


@pytest.mark.parametrize("group", ["", *GROUPS])
def test_review_a_command_of_commands_alone_prints_its_help_whole(call: Any, group: str) -> None:
    words = (group,) if group else ()
    done = call(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err == call(*words, "--help").out
    assert "\\n" not in done.err


def test_the_version_is_said(call: Any) -> None:
    assert call("--version").out == "0.1.0\n"


def test_what_was_not_foreseen_is_one_line_without_its_words(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Any:
        raise KeyError("918273645546")

    monkeypatch.setitem(app.COMMANDS, "verify", ("", broken))
    found = call("verify", "--json")
    assert found.code == 1
    assert found.err == "error: unexpected KeyError; `assay --debug …` shows where\n"
    assert "918273645546" not in found.out
    with pytest.raises(KeyError):
        call("--debug", "verify")


def test_an_interrupt_is_one_line(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> Any:
        raise KeyboardInterrupt

    monkeypatch.setitem(app.COMMANDS, "verify", ("", interrupted))
    assert call("verify").err.strip() == "error: interrupted"
    assert call("verify").code == 130


def process(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the installed command."""
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True, check=False, timeout=120, **more)


@pytest.mark.parametrize(
    ("proposal", "code"),
    [(THREE, 0), ('{"state":"VALUE","value":"4"}', 3), ("nonsense", 3)],
)
def test_the_installed_command_ends_with_the_verdict(proposal: str, code: int) -> None:
    run = process("verify", *PACK, "--task", ARCHES, "--proposal", proposal)
    assert (run.returncode, run.stderr) == (code, "")


def test_the_installed_command_refuses_in_one_line() -> None:
    run = process("verify", *PACK, "--task", "{", "--proposal", THREE)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "error: the task is not one JSON value: fault at line 1 column 2\n"


def test_a_full_disk_is_a_fault(tmp_path: Path) -> None:
    script = f'ulimit -f 0; exec {ASSAY} verify --pack minimal --task "$0" --proposal "$1" --receipts "$2"'
    run = subprocess.run(
        ["/bin/sh", "-c", script, ARCHES, THREE, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == (1, "")
    said = f"folder `{tmp_path}/private`: file too large; observations could not be kept, name another folder"
    assert run.stderr == f"error: {said}\n"
    assert not (tmp_path / "receipts.jsonl").exists()


def test_a_terminal_without_utf8_gets_escapes() -> None:
    more = {"env": {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}}
    run = process("verify", *PACK, "--task", ARCHES.replace("mill", "Å…"), "--proposal", "x", **more)
    assert (run.returncode, run.stderr) == (3, "")
    assert "\\xc5" in run.stdout


def test_a_reader_that_closes_the_pipe_is_no_traceback(tmp_path: Path) -> None:
    line = json.dumps({"task": json.loads(ARCHES), "proposal": THREE})
    (tmp_path / "batch.jsonl").write_text("\n".join([line] * 20_000))
    command = [ASSAY, "verify", *PACK, "--batch", str(tmp_path / "batch.jsonl"), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait(timeout=60) == 141


def test_ctrl_c_is_one_line(tmp_path: Path) -> None:
    command = [ASSAY, "verify", *PACK, "--batch", "-", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdin.write((json.dumps({"task": json.loads(ARCHES), "proposal": THREE}) + "\n").encode())
        run.stdin.flush()
        time.sleep(2.5)
        run.send_signal(signal.SIGINT)
        # The line feed before it ends the line on which a terminal shows ^C.
        assert run.stderr.read() == b"\nerror: interrupted\n"
        assert run.wait(timeout=60) == 130


def test_the_entry_point_ends_the_process_with_the_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["assay", "--version"])
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert (ended.value.code, capsys.readouterr().out) == (0, "0.1.0\n")
    monkeypatch.setattr(sys, "argv", ["assay", "prove"])
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == 2


CLAIM = ("verify", *PACK, "--task", ARCHES, "--proposal", THREE)
FULL = "error: output cannot be written: no space left on device; make room or send it elsewhere\n"


def shell(redirection: str, *arguments: str, unbuffered: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command with a stream that is closed or full."""
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$@" {redirection}', ASSAY, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )


@pytest.mark.parametrize("arguments", [("--help",), CLAIM])
def test_a_closed_standard_output_is_one_line(arguments: tuple[str, ...]) -> None:
    found = shell(">&-", *arguments)
    assert (found.returncode, found.stderr) == (
        1,
        "error: standard output is closed; send it to a file or to /dev/null\n",
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [("--help",), CLAIM, (*CLAIM, "--json")])
def test_a_full_standard_output_is_one_line(arguments: tuple[str, ...], unbuffered: str) -> None:
    found = shell(">/dev/full", *arguments, unbuffered=unbuffered)
    assert (found.returncode, found.stderr) == (1, FULL)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_an_error_with_a_full_standard_output_keeps_its_code() -> None:
    found = shell(">/dev/full", "verify", "--json")
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "<&- 2>&-"])
def test_a_standard_error_that_takes_nothing_changes_no_code(redirection: str) -> None:
    assert shell(redirection, "prove").returncode == 2
    assert shell(redirection, *CLAIM).returncode == 0


def test_a_closed_standard_input_is_one_line() -> None:
    found = shell("<&-", "verify", *PACK, "--task", "-", "--proposal", THREE)
    assert (found.returncode, found.stderr) == (
        2,
        "error: standard input is closed; name a file instead of `-`, or open it\n",
    )


@pytest.mark.parametrize("unbuffered", [True, False])
def test_a_stream_that_fills_up_is_a_fault(monkeypatch: pytest.MonkeyPatch, *, unbuffered: bool) -> None:
    with (
        Path("/dev/full").open("w", buffering=1, encoding="utf-8") as out,
        Path("/dev/full").open("w", buffering=1, encoding="utf-8") as err,
        monkeypatch.context() as patched,
    ):
        out.reconfigure(line_buffering=unbuffered)
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "stderr", err)
        assert app.run(CLAIM) == 1
        assert app.run(["verify", "--json"]) == 2


def test_a_closed_standard_output_ends_the_process_with_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", None)
        with pytest.raises(SystemExit) as ended:
            app.main()
    assert (ended.value.code, capsys.readouterr().err.count("\n")) == (1, 1)


def test_the_package_of_the_command_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "assay.interfaces.cli", "--version"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "0.1.0\n")
