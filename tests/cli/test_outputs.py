"""What a command may write over: each attack that destroyed a file once, by its name."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.support import trial_world
from tests.support.in_process import InProcess

from assay.api import sandboxes, wiring, writing
from assay.experiments.trials.store import Folder
from assay.experiments.trials.summary import summarise
from assay.interfaces.cli import outputs
from assay.kernel.errors import Fault, InputError, LedgerFault

SUITE = {
    "suite": "assay.suite/1",
    "dialect": "python-call/1",
    "entry_point": "add",
    "cases": [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}],
}
RIGHT = b"def add(a, b):\n    return a + b\n"
WRONG = b"def add(a, b):\n    return 3\n"
CHECK = ("gate", "check", "--suite", "S.json", "--entry-point", "add", "--candidate", "a.py")
ASSAY = str(Path(sys.executable).with_name("assay"))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sandboxes, "open_slot", lambda *_: InProcess())
    Path("S.json").write_text(json.dumps(SUITE))
    Path("a.py").write_bytes(RIGHT)
    Path("asr.py").write_text("assert add(1, 2) == 3\n")


def _device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError:
        pytest.skip("devices can be made by root alone")


def _socket(path: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as made:
        made.bind(str(path))


def _link_to_pipe(path: Path) -> None:
    os.mkfifo("pipe")
    path.symlink_to("pipe")


WRITERS = {
    "junit": (*CHECK, "--junit"),
    "out": (*CHECK, "--force", "--out"),
    "keep-best": (*CHECK, "--keep-best"),
    "from-asserts": ("suite", "from-asserts", "asr.py", "--out"),
    "samples": ("trial", "samples", "--bank", "S.json", "--pool", "a.py", "--format", "evalplus", "--out"),
    "page": ("receipt", "page", "kept", "--out"),
    "report": ("trial", "report", "tk", "--out"),
    "report-svg": ("trial", "report", "tk", "--svg"),
}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (_device, "a device"),
        (os.mkfifo, "a pipe"),
        (_socket, "a socket"),
        (Path.mkdir, "a folder"),
        (_link_to_pipe, "a pipe"),
    ],
)
def test_a_device_is_not_replaced_by_a_file(call: Any, writer: str, made: Callable[[Path], None], kind: str) -> None:
    with Folder(Path("tk"), {}) as trial:
        trial.write("summary.json", summarise([], not_in_pool=0))
    place = Path("place")
    made(place)
    before = place.lstat()
    done = call(*WRITERS[writer], "place")
    assert (done.code, done.out) == (2, "")
    assert f"`place`: is {kind} and no plain file; name another file\n" in done.err
    assert os.path.samestat(place.lstat(), before)


@pytest.mark.parametrize("options", [("--force", "--out"), ("--junit",)])
@pytest.mark.parametrize("name", ["/dev/stdout", "/proc/self/fd/2"])
def test_a_link_to_a_standard_stream_is_not_unlinked(tmp_path: Path, options: tuple[str, ...], name: str) -> None:
    # Never these names themselves: a link of our own stands for the one in /dev.
    link = tmp_path / "stream"
    link.symlink_to(name)
    command = [ASSAY, *CHECK, *options, "stream"]
    piped = subprocess.run(command, capture_output=True, check=False, timeout=60)
    with (tmp_path / "log").open("wb") as log:
        into_file = subprocess.run(command, stdout=log, stderr=log, check=False, timeout=60)
    assert (piped.returncode, into_file.returncode, link.is_symlink()) == (2, 2, True)
    assert b"is a pipe and no plain file" in piped.stderr
    assert "is a standard stream of this command" in (tmp_path / "log").read_text()


@pytest.mark.parametrize("option", ["--out", "--junit", "--keep-best"])
def test_a_link_is_written_through_and_stays(call: Any, option: str) -> None:
    Path("a.py").write_bytes(WRONG if option == "--keep-best" else RIGHT)
    Path("link").symlink_to("target")
    call(*CHECK, option, "link")
    assert Path("link").is_symlink()
    first = Path("target").read_bytes()
    assert first
    Path("target").chmod(0o640)
    if option == "--out":
        assert call(*CHECK, option, "link").code == 2
        Path("target").write_bytes(b"old")
    call(*CHECK, option, "link", "--force")
    assert Path("link").is_symlink()
    assert len(Path("target").read_bytes()) == len(first)
    if option != "--out":
        assert stat.S_IMODE(Path("target").stat().st_mode) == 0o640


def test_a_link_to_a_stale_delivery_does_not_survive_a_refusal(call: Any) -> None:
    Path("target").write_bytes(RIGHT)
    Path("link").symlink_to("target")
    Path("a.py").write_bytes(WRONG)
    assert call(*CHECK, "--out", "link", "--force").code == 3
    assert (Path("link").is_symlink(), Path("target").exists()) == (True, False)


@pytest.mark.parametrize(
    "more",
    [
        ("--receipts", "kept", "--junit", "kept/receipts.jsonl"),
        ("--receipts", "kept", "--out", "kept/receipts.jsonl", "--force"),
        ("--receipts", "kept", "--out", "kept/private", "--force"),
        ("--receipts", "kept", "--junit", "kept/new.xml"),
        ("--receipts", "kept", "--junit", "also/receipts.jsonl"),
        ("--receipts", "new/deep", "--junit", "new"),
        ("--receipts", "kept", "--suite", "kept/receipts.jsonl"),
        ("--key", "k.pem", "--receipts", "kept", "--junit", "k.pem"),
        ("--key", "k.pem", "--receipts", "kept", "--out", "k.pem", "--force"),
        ("--reference", "a.py", "--stub", "asr.py", "--junit", "asr.py"),
        ("--reply", "asr.py", "--junit", "asr.py"),
        ("--junit", "S.json"),
        ("--junit", "hard"),
        ("--out", "d/x", "--junit", "dl/x"),
        ("--out", "d/x", "--keep-best", "dl/x"),
        ("--out", "x", "--junit", "d/../x"),
    ],
)
def test_receipts_and_keys_and_inputs_are_not_written_over(call: Any, more: tuple[str, ...]) -> None:
    assert call("keys", "new", "--out", "k.pem", "--force").code == 0
    assert call(*CHECK, "--receipts", "kept").code == 0
    Path("also").symlink_to("kept")
    Path("d").mkdir()
    Path("dl").symlink_to("d")
    Path("hard").hardlink_to("S.json")
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    done = call(*CHECK, *more)
    assert done.code == 2, done
    assert done.err.count("\n") == 1
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_a_converter_does_not_write_over_its_input(call: Any) -> None:
    done = call("suite", "from-asserts", "asr.py", "--out", "asr.py")
    assert (done.code, done.err) == (
        2, "error: --out: `asr.py` is another file of this command too; name one of its own\n"
    )  # fmt: skip
    assert Path("asr.py").read_text() == "assert add(1, 2) == 3\n"


def test_a_bank_is_not_written_over_by_its_suites(call: Any) -> None:
    Path("out").mkdir()
    bank = trial_world.write(Path("out/T.json"), trial_world.task("T"))
    before = bank.read_bytes()
    assert call("suite", "from-bank", str(bank), "--out", "out").code == 2
    assert bank.read_bytes() == before


def test_a_trial_writes_over_no_results_and_no_pool(call: Any) -> None:
    with Folder(Path("tk"), {"version": "1"}) as trial:
        trial.write("summary.json", summarise([], not_in_pool=0))
    before = Path("tk/results.jsonl").read_bytes()
    for more in (("--out", "tk/results.jsonl"), ("--svg", "tk/summary.json"), ("--out", "X", "--svg", "X")):
        done = call("trial", "report", "tk", *more)
        assert (done.code, "another file of this command" in done.err) == (2, True), done
    assert call("trial", "report", "tk", "--svg", "tk/report.html").code == 2
    assert Path("tk/results.jsonl").read_bytes() == before
    bank = str(trial_world.write(Path("b.jsonl"), trial_world.task("T/0")))
    pool = str(trial_world.write(Path("p.jsonl"), trial_world.entry("T/0", "f = abs")))
    given = ("--bank", bank, "--pool", pool)
    assert call("trial", "samples", *given, "--format", "evalplus", "--out", pool).code == 2
    Path("tk/results.jsonl").write_bytes(Path(pool).read_bytes())
    for word in ("run", "score"):
        assert call("trial", word, "--bank", bank, "--pool", "tk/results.jsonl", "--out", "tk").code == 2
        assert call("trial", word, "--bank", "n/trial.json", "--pool", pool, "--out", "n").code == 2
    assert not Path("n").exists()


def test_a_batch_is_not_the_file_of_its_receipts(call: Any) -> None:
    Path("kept").mkdir()
    Path("kept/receipts.jsonl").write_bytes(b"")
    done = call("verify", "--pack", "minimal", "--batch", "kept/receipts.jsonl", "--receipts", "kept")
    assert (done.code, "--receipts: `kept/receipts.jsonl` is another file" in done.err) == (2, True)


def test_a_checkpoint_is_not_put_into_the_log(call: Any) -> None:
    assert call("log", "init", "kept", "--origin", "o").code == 0
    assert call("log", "checkpoint", "kept", "--out", "kept/private").code == 2
    assert not Path("kept/private").exists()


def test_a_page_is_not_put_into_the_log_that_it_shows(call: Any) -> None:
    assert call("log", "init", "kept", "--origin", "o").code == 0
    before = Path("kept/receipts.jsonl").read_bytes()
    assert call("receipt", "page", "kept", "--out", "kept/receipts.jsonl").code == 2
    assert Path("kept/receipts.jsonl").read_bytes() == before


def test_a_trust_file_that_is_a_link_stays_one(call: Any) -> None:
    assert call("keys", "new", "--out", "k.pem", "--force").code == 0
    Path("link").symlink_to("trust.json")
    assert call("keys", "trust", "k.pub.pem", "--name", "n", "--trust", "link").code == 0
    assert Path("link").is_symlink()
    assert json.loads(Path("trust.json").read_text())


def test_a_closed_stream_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(_: int) -> os.stat_result:
        raise OSError(9, "Bad file descriptor")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fstat", closed)
        outputs.ready(outputs.given(out=Path("S.json")))
    outputs.ready(outputs.given(out=Path("S.json")))


def test_names_that_no_file_can_have_are_compared_all_the_same() -> None:
    assert outputs.is_same(Path("a\x00"), Path("a\x00"))
    assert not outputs.is_same(Path("a\x00"), Path("b"))
    with pytest.raises(InputError, match="is no file name"):
        outputs.ready(outputs.given(out=Path("a\x00")))


def test_a_folder_that_nobody_may_write_to_is_found_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(
        InputError, match=r"--out: file `out\.py`: the folder .* cannot be written to; name another file"
    ):
        outputs.ready(outputs.given(out=Path("out.py")))
    Path("kept/private").mkdir(parents=True)
    monkeypatch.setattr(os, "access", lambda path, _: Path(path).name == "kept")
    with pytest.raises(LedgerFault, match="`private` in it cannot be written to"):
        wiring.receipts_file("kept")


def test_a_pack_does_not_replace_the_folder_of_its_recipe(call: Any) -> None:
    Path("p").mkdir()
    Path("p/r.toml").write_bytes(b"")
    done = call("pack", "build", "p/r.toml", "p", "--replace")
    assert (done.code, done.err) == (2, "error: OUT: `p` holds `p/r.toml`, which is read; name another\n")


@pytest.mark.parametrize("option", ["--out", "--junit", "--keep-best"])
@pytest.mark.parametrize("name", ["newname/", ".", "/", "..", "d/.", "", "a\x00b", "n" * 300, "loop"])
def test_a_name_of_a_folder_is_no_file(call: Any, option: str, name: str) -> None:
    Path("loop").symlink_to("loop")
    done = call(*CHECK, option, name)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "unexpected" not in done.err
    assert not Path("newname").exists()


def test_the_longest_name_is_written(call: Any) -> None:
    assert call(*CHECK, "--out", "n" * 255).code == 0
    assert Path("n" * 255).read_bytes() == RIGHT


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("receipts.jsonl", Path.mkdir),
        ("receipts.jsonl", os.mkfifo),
        ("receipts.jsonl", lambda path: path.symlink_to("/nowhere")),
        ("private", Path.touch),
        ("private", lambda path: path.symlink_to("/tmp")),  # noqa: S108 -- only a link
        ("checkpoint", os.mkfifo),
        ("tile", Path.touch),
        ("index", Path.touch),
    ],
)
def test_a_folder_of_receipts_is_looked_at_before_anything_runs(
    call: Any, name: str, made: Callable[[Path], None]
) -> None:
    Path("kept").mkdir()
    made(Path("kept", name))
    done = call(*CHECK, "--receipts", "kept", "--out", "out.py")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert f"folder `kept`: `{name}` in it is no " in done.err
    assert not Path("out.py").exists()


@pytest.mark.parametrize(("folder", "code"), [("a.py", 2), ("a.py/kept", 1), ("pipe", 2)])
def test_receipts_that_cannot_be_kept_are_found_before_anything_runs(call: Any, folder: str, code: int) -> None:
    os.mkfifo("pipe")
    Path("out.py").write_bytes(b"old")
    done = call(*CHECK, "--receipts", folder, "--out", "out.py", "--force")
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert f"`{folder}`" in done.err
    assert Path("out.py").read_bytes() == b"old"


def test_what_comes_to_stand_there_meanwhile_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Fault, match="is a pipe and no plain file"):
        writing.put(tmp_path / "pipe", b"data")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    (tmp_path / "old").write_bytes(b"old")
    with pytest.raises(Fault, match="nothing was written"):
        writing.put(tmp_path / "old", b"data")
    assert (tmp_path / "old").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
