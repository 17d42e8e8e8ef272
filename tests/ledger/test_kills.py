"""Writers are killed at any byte: what they had acknowledged is in the log, once, and no line is torn."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.ledger.checking import verify
from assay.ledger.log import append, append_all, lines
from assay.ledger.reading import LogFiles

# Acknowledges with the index and the name of each entry, one line a batch, only after it was kept.
WRITER = """
import sys
from pathlib import Path
from assay.ledger.log import Appender
name, folder, batch = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
log, done = Appender(folder), 0
while True:
    names = [f"{name}-{done + i}" for i in range(batch)]
    kept = log.append([(f'{{"entry":"{one}","filler":"' + "x" * 1500 + '"}').encode() for one in names])
    sys.stdout.write(" ".join(f"{index}={one}" for index, one in zip(kept, names)) + "\\n")
    sys.stdout.flush()
    done += batch
"""


class Writer:
    """A process that appends until it is killed; what it acknowledged is in a file."""

    def __init__(self, name: str, folder: Path, batch: int, said: Path) -> None:
        self.said = said / f"{name}.txt"
        with self.said.open("wb") as out:
            command = [sys.executable, "-c", WRITER, name, str(folder), str(batch)]
            self._process = subprocess.Popen(command, stdout=out)

    def has_spoken(self) -> bool:
        assert self._process.poll() is None, "a writer ended by itself"
        return self.said.stat().st_size > 0

    def kill(self) -> list[tuple[int, str]]:
        """Kill it; what it acknowledged: index and name. A line that was broken off acknowledges nothing."""
        os.kill(self._process.pid, signal.SIGKILL)
        assert self._process.wait(timeout=60) == -signal.SIGKILL
        text = self.said.read_text(encoding="ascii")
        whole = text[: text.rfind("\n") + 1].split()
        return [(int(index), name) for index, _, name in (one.partition("=") for one in whole)]


def rounds(tmp_path: Path, kills: int, seed: int) -> None:
    """Four writers at a time, each killed at its own moment and replaced, until so many were killed."""
    rng = random.Random(seed)
    folder, said = tmp_path / "log", tmp_path / "said"
    folder.mkdir()
    said.mkdir()
    started = 0
    running: list[Writer] = []
    acknowledged: list[tuple[int, str]] = []

    def start() -> None:
        nonlocal started
        running.append(Writer(f"w{started}", folder, rng.choice((1, 1, 3, 40, 300)), said))
        started += 1

    for _ in range(4):
        start()
    for kill in range(kills):
        victim = running.pop(rng.randrange(len(running)))
        # Most die while they write; some before they have begun.
        waits = kill < 4 or rng.random() < 0.9
        while waits and not victim.has_spoken():
            time.sleep(0.005)
        time.sleep(rng.random() * 0.05)
        acknowledged += victim.kill()
        start()
        if kill % 10 == 5:
            holds(folder, acknowledged)
    for writer in running:
        acknowledged += writer.kill()
    assert len(acknowledged) > kills
    holds(folder, acknowledged)
    # The log goes on, and a retry after a lost answer is given the old index.
    whole = list(lines(folder / "receipts.jsonl"))[: LogFiles(folder).checkpoint().head.size]
    assert append(folder, whole[0]) == 0
    assert append_all(folder, [b'{"entry":"end"}', whole[-1]]) == [len(whole), len(whole) - 1]
    assert list(lines(folder / "receipts.jsonl")) == [*whole, b'{"entry":"end"}']
    assert verify(folder).verifies


def holds(folder: Path, acknowledged: list[tuple[int, str]]) -> None:
    """Check that the log verifies, and holds each acknowledged entry at its index, while others write."""
    found = verify(folder)
    assert found.verifies, found
    whole = list(lines(folder / "receipts.jsonl"))
    assert all(line.startswith(b'{"entry":"w') and line.endswith(b'x"}') for line in whole)
    for index, name in acknowledged:
        assert whole[index].startswith(f'{{"entry":"{name}",'.encode()), f"{name} was acknowledged as entry {index}"


def test_eight_kills_of_four_writers(tmp_path: Path) -> None:
    rounds(tmp_path, 8, seed=1)


@pytest.mark.slow
def test_two_hundred_kills_of_four_writers(tmp_path: Path) -> None:
    rounds(tmp_path, 200, seed=20)
