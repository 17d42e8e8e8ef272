"""Desk: a copy of a pack in which one piece of evidence is another: to show what rests on it."""

from __future__ import annotations

import gzip
import shutil
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from assay.api.wiring import open_pack, pack_path
from assay.floor.store import Snapshot
from assay.kernel.errors import Fault, InvalidPack
from assay.packs.descriptor import DESCRIPTOR
from assay.packs.lock import LOCK

FACTS: str = "facts.csv.gz"


@dataclass(frozen=True, slots=True)
class Altered:
    """The altered copy: how it was refused under the digests of the original, and opened under its own."""

    refused: str  # the code
    snapshot: Snapshot


def altered(pack: str | Path, folder: Path, old: bytes, new: bytes) -> Altered:
    """Copy the pack into a new folder, change these bytes of its facts, and open it; the pack itself stays as it is.

    Raises:
        Fault: the bytes do not stand there exactly once, or the copy was not refused.
    """
    copy = folder / "altered"
    shutil.copytree(pack_path(pack), copy)
    table = copy / FACTS
    before = table.read_bytes()
    facts = gzip.decompress(before)
    if facts.count(old) != 1:
        raise Fault("fault.demo", "the bytes to be changed do not stand exactly once in the facts; this is a bug here")
    after = gzip.compress(facts.replace(old, new), mtime=0)
    table.write_bytes(after)
    try:
        open_pack(copy)
    except InvalidPack as refusal:
        refused = refusal.code
    else:
        raise Fault("fault.demo", "a pack whose bytes were changed was opened under its old digest; this is a bug here")
    _record(copy / DESCRIPTOR, before, after)
    (copy / LOCK).unlink()
    return Altered(refused, open_pack(copy))


def _record(descriptor: Path, before: bytes, after: bytes) -> None:
    """Record the change, as somebody would who means it."""
    text = descriptor.read_text(encoding="utf-8")
    for old, new in ((_hash(before), _hash(after)), (f'"bytes": {len(before)}', f'"bytes": {len(after)}')):
        text = text.replace(old, new)
    descriptor.write_text(text, encoding="utf-8")


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()
