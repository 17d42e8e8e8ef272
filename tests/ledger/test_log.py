"""The ledger: a line is kept whole or not at all, whoever dies, however many write, however full the disk."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.kernel.errors import LedgerFault
from assay.ledger.log import append, lines

WRITER = """
import sys
from pathlib import Path
from assay.ledger.log import append
name, count, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
for i in range(count):
    append(path, f"{name} {i} ".encode() + b"x" * 3000)
    print(i, flush=True)
"""


def writer(name: str, count: int, path: Path) -> "subprocess.Popen[bytes]":
    """Start a process that appends that many lines."""
    command = [sys.executable, "-c", WRITER, name, str(count), str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_lines_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    for line in (b"one", b"two", b""):
        append(path, line)
    assert list(lines(path)) == [b"one", b"two", b""]
    assert path.read_bytes() == b"one\ntwo\n\n"


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        append(tmp_path / "receipts.jsonl", b"one")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "receipts.jsonl").stat().st_mode) == 0o600


def test_no_file_holds_no_line(tmp_path: Path) -> None:
    assert list(lines(tmp_path / "receipts.jsonl")) == []


def test_a_line_break_inside_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerFault, match="line break"):
        append(tmp_path / "receipts.jsonl", b"one\ntwo")
    assert not (tmp_path / "receipts.jsonl").exists()


def test_an_unfinished_line_is_moved_aside_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    torn = b'{"half":' + b"y" * 200_000
    path.write_bytes(b"one\n" + torn)
    assert list(lines(path)) == [b"one"]
    append(path, b"two")
    assert path.read_bytes() == b"one\ntwo\n"
    side = tmp_path / "receipts.jsonl.torn"
    assert side.read_bytes() == torn + b"\n"
    assert stat.S_IMODE(side.stat().st_mode) == 0o600


def test_a_file_of_one_unfinished_line_is_emptied_first(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    path.write_bytes(b"half")
    append(path, b"one")
    path.write_bytes(path.read_bytes() + b"again")
    append(path, b"two")
    assert list(lines(path)) == [b"one", b"two"]
    assert (tmp_path / "receipts.jsonl.torn").read_bytes() == b"half\nagain\n"


def test_two_processes_tear_no_line(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    both = [writer("a", 60, path), writer("b", 60, path)]
    for process in both:
        process.communicate(timeout=60)
        assert process.returncode == 0
    kept = [line.split(b" ")[:2] for line in lines(path)]
    for name in (b"a", b"b"):
        assert [int(number) for who, number in kept if who == name] == list(range(60))
    assert not (tmp_path / "receipts.jsonl.torn").exists()


def test_a_killed_writer_loses_nothing_that_it_reported(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    for pause in (0.0, 0.004, 0.011, 0.023):
        process = writer("k", 100_000, path)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        reported = process.stdout.read().split()
        process.stdout.close()
        append(path, b"end")
        whole = list(lines(path))
        assert whole[-1] == b"end"
        assert all(line == b"end" or len(line.rsplit(b" ", 1)[1]) == 3000 for line in whole)
        last = max(int(line.split(b" ")[1]) for line in whole if line != b"end")
        assert last >= int(reported[-1] if reported else 0)
        path.unlink()


FULL = """
import resource, sys
from pathlib import Path
from assay.kernel.errors import LedgerFault
from assay.ledger.log import append
path = Path(sys.argv[1])
append(path, b"one")
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
try:
    append(path, b"x" * 50_000)
except LedgerFault as fault:
    print(fault.code, fault)
append(path, b"two")
"""


def test_a_full_disk_is_a_fault_and_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    run = subprocess.run([sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout == f"fault.ledger ledger `{path}`: file too large; nothing was written\n"
    assert path.read_bytes() == b"one\ntwo\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_no_space_left_is_told_in_one_line() -> None:
    with pytest.raises(LedgerFault, match="no space left on device; nothing was written"):
        append(Path("/dev/full"), b"one")


def test_a_folder_that_is_missing_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(LedgerFault, match="no such file or directory"):
        append(tmp_path / "gone" / "receipts.jsonl", b"one")


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(LedgerFault, match="is a directory"):
        list(lines(tmp_path))


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "receipts.jsonl"
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerFault, match="it is a link; give the file itself"):
        append(path, b"one")
    assert not (tmp_path / "elsewhere").exists()
