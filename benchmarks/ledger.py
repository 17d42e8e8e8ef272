"""The log beside a flat file: appending in batches, one proof, and computing everything again.

`python -m benchmarks.ledger --entries 1000000` is the full size: five gigabytes for as long as it runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from assay.ledger.checking import verify
from assay.ledger.log import Appender
from assay.ledger.reading import LogFiles
from assay.ledger.signing import is_signature, new_signer

ENTRIES, BATCH, BYTES = 51_200, 1024, 2048
APPEND_FLOOR, VERIFY_CEILING = 0.2, 10.0
TURN = 8  # batches that one side writes before it is the other's turn: the machine's load is shared
BLOCK = 1 << 20


def batch(number: int) -> list[bytes]:
    """Return the entries of one batch; each line has 2 KiB with its line feed, and none is like another."""
    found = []
    for index in range(number * BATCH, (number + 1) * BATCH):
        head = b'{"entry":%d,"filler":"%s' % (index, sha256(b"%d" % index).hexdigest().encode())
        found.append(head + b"x" * (BYTES - len(head) - 3) + b'"}')
    return found


def append_flat(file: int, entries: list[bytes]) -> None:
    """Hash the bytes and append them to the file, synced once."""
    data = b"\n".join([*entries, b""])
    sha256(data).digest()
    if os.write(file, data) != len(data):
        raise SystemExit("benchmarks/ledger.py: a short write; is the disk full?")
    os.fsync(file)


def append_both(folder: Path, flat: Path, batches: int) -> tuple[float, float]:
    """Append all batches to the log and to a flat file, in turns; the seconds of each."""
    ours = theirs = 0.0
    log = Appender(folder)
    file = os.open(flat, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        for first in range(0, batches, TURN):
            turn = [batch(number) for number in range(first, min(first + TURN, batches))]
            begin = time.perf_counter()
            for entries in turn:
                log.append(entries)
            middle = time.perf_counter()
            for entries in turn:
                append_flat(file, entries)
            ours += middle - begin
            theirs += time.perf_counter() - middle
            if sys.stderr.isatty():
                print(f"\r\x1b[Kappending {first * BATCH}/{batches * BATCH}", end="", file=sys.stderr, flush=True)
    finally:
        os.close(file)
    return ours, theirs


def hash_once(path: Path) -> float:
    """Return the seconds that reading the file and hashing its bytes takes."""
    begin, state = time.perf_counter(), sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            state.update(block)
    state.digest()
    return time.perf_counter() - begin


def signature_s() -> float:
    """Return the seconds that checking one signature over an entry takes."""
    signer, entry = new_signer(), batch(0)[0]
    signature = signer.sign(entry)
    begin = time.perf_counter()
    for _ in range(500):
        is_signature(signer.public, signature, entry)
    return (time.perf_counter() - begin) / 500


def most_tiles(folder: Path, size: int) -> int:
    """Return the most tiles that a proof reads, of proofs all over the log."""
    log = LogFiles(folder)
    places = {0, size - 1, size // 2, *range(0, size, max(size // 97, 1))}
    return max(log.prove(index).tiles_read for index in places)


def run(entries: int = ENTRIES, place: Path | None = None) -> None:
    """Print each figure beside what is asked of it."""
    batches = max(entries // BATCH, 1)
    size = batches * BATCH
    with tempfile.TemporaryDirectory(dir=place) as name:
        folder = Path(name) / "log"
        folder.mkdir()
        ours, theirs = append_both(folder, Path(name) / "flat", batches)
        (Path(name) / "flat").unlink()
        print(
            f"ledger: appending {size} entries of 2 KiB in batches of {BATCH}: {theirs / ours:.2f} of the rate of "
            f"hashing them into a flat file, {ours / batches * 1e3:.0f} ms a batch; at least {APPEND_FLOOR}"
        )
        tiles, bound = most_tiles(folder, size), 2 * levels(size)
        print(
            f"ledger: an inclusion proof reads at most {tiles} tiles; two for each of {levels(size)} levels is {bound}"
        )
        # In turns, best of three: what disturbs makes slower only.
        pairs = [(hash_once(folder / "receipts.jsonl"), _verify_s(folder)) for _ in range(3)]
        once, whole = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
        print(
            f"ledger: verifying hashes, tree and checkpoint takes {whole / once:.1f} times hashing the bytes once "
            f"({whole:.1f} s, {once:.1f} s); at most {VERIFY_CEILING:.0f}"
        )
        each = signature_s()
        print(
            f"ledger: checking a signature of each entry would be {each * size:.1f} s more ({each * 1e6:.0f} µs each)"
        )


def levels(size: int) -> int:
    """Return how many levels of tiles a log of that size has."""
    found = 1
    while size >> (8 * found):
        found += 1
    return found


def _verify_s(folder: Path) -> float:
    begin = time.perf_counter()
    if not verify(folder).verifies:
        raise SystemExit("benchmarks/ledger.py: the log does not verify")
    return time.perf_counter() - begin


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--place", type=Path, help="The folder in which the log is made for as long as it runs.")
    asked = parser.parse_args()
    run(asked.entries, asked.place)
