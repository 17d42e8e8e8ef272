"""A trial whose folder is full, read-only or in use: one clear line, nothing lost, and it goes on afterwards."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.support import kill_world as world

from assay.api.examining import examine
from assay.experiments.trials.store import RESULTS, SUMMARY
from assay.sandbox.base import Level

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or examine().best is not Level.A,
    reason="level A is not reached here; `assay sandbox doctor` says why",
)
# A mount namespace of the test's own: what it mounts is nobody else's, and is gone with it.
APART = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]


def script(folder: Path, *lines: str) -> tuple[list[int], str]:
    """Run lines of shell in which `$OUT` is mounted and `$TRIAL` is the command; exit codes and what it said."""
    if shutil.which("unshare") is None or subprocess.run([*APART, "true"], check=False, capture_output=True).returncode:
        pytest.skip("no mount namespace of one's own here")
    given = world.files(folder, 8, hanging=False)
    out = folder / "out"
    out.mkdir()
    trial = world.Trial(given, out, folder / "temporary", is_command=True)
    begin = f"OUT={shlex.quote(str(out))}; TRIAL={shlex.quote(shlex.join(trial.command()))}"
    text = "\n".join((begin, *lines, f"cp -r $OUT {shlex.quote(str(folder / 'kept'))}"))
    done = subprocess.run([*APART, "sh", "-c", text], cwd=world.ROOT, check=True, capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()], done.stderr


def ids(folder: Path) -> list[str]:
    return sorted(json.loads(line)["id"] for line in (folder / RESULTS).read_bytes().splitlines())


def test_a_full_disk_is_one_line_and_with_room_the_trial_goes_on(tmp_path: Path) -> None:
    codes, said = script(
        tmp_path,
        "mount -t tmpfs -o size=12k tmpfs $OUT",  # three pages: the plan takes one, the results outgrow two
        "$TRIAL > /dev/null; echo $?",
        "mount -o remount,size=1m $OUT",
        "wc -l < $OUT/results.jsonl",
        "$TRIAL > /dev/null; echo $?",
    )
    # Which file it is that finds no room hangs on how small the results are.
    found = re.fullmatch(r"error: `(.*)/[a-z.]+`: no space left on device; name another folder\n", said)
    assert found is not None
    assert found[1] == f"{tmp_path}/out"
    full, kept, whole = codes
    assert (full, whole) == (1, 0)
    assert 0 < kept <= 8
    assert ids(tmp_path / "kept") == sorted(f"T/{at}" for at in range(8))
    summary = json.loads((tmp_path / "kept" / SUMMARY).read_bytes())
    assert (summary["tasks"], summary["void"]["count"]) == (8, 0)


def test_a_folder_that_is_read_only_is_one_line(tmp_path: Path) -> None:
    codes, said = script(
        tmp_path, "mount -t tmpfs -o ro tmpfs $OUT", "$TRIAL > /dev/null; echo $?", "ls -A $OUT | wc -l"
    )
    assert said == f"error: `{tmp_path}/out`: read-only file system; name another folder\n"
    assert codes == [1, 0]


def test_a_folder_that_is_in_use_is_refused_and_the_trial_in_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    with world.nothing_left(tmp_path / "temporary"):
        given = world.files(tmp_path, 8, hanging=False)
        first = world.Trial(given, tmp_path / "out", tmp_path / "temporary", is_command=True)
        first.begin()
        until = time.monotonic() + 60
        while not first.finished() and not first.is_over() and time.monotonic() < until:
            time.sleep(0.02)
        assert first.process is not None
        first.process.send_signal(signal.SIGSTOP)  # it must not be over before the second one looks
        second = world.Trial(given, tmp_path / "out", tmp_path / "temporary", is_command=True)
        second.begin()
        assert second.end() == 2
        assert second.log == [b"error: folder `%s`: another trial writes to it; wait for it\n" % bytes(first.out)]
        first.process.send_signal(signal.SIGCONT)
        assert first.end() == 0, first.log
    assert ids(first.out) == sorted(f"T/{at}" for at in range(8))
