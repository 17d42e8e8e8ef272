"""Pipes: `pack.lock.json`: what was validated, by digest (spec/pack.md §8; docs/adr/0014)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assay.packs.descriptor import parse_json
from assay.packs.files import FileRecord
from assay.packs.refusal import refusal, shown

LOCK: Final = "pack.lock.json"
RULES: Final = "assay.pack/1"
_HEX: Final = re.compile(r"[0-9a-f]{64}").fullmatch


@dataclass(frozen=True, slots=True)
class Lock:
    """The files of a pack by path, the digest of its canonical rows, and the rules under which it was validated."""

    rules: str
    snapshot: str
    files: Mapping[str, FileRecord]
    rows: Mapping[str, int]


def lock_bytes(lock: Lock) -> bytes:
    """The lock as a file: JSON, keys sorted, two spaces."""
    document = {
        "files": {name: {"bytes": record.bytes, "sha256": record.sha256} for name, record in lock.files.items()},
        "rows": dict(lock.rows),
        "rules": lock.rules,
        "snapshot": lock.snapshot,
    }
    return (json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def parse_lock(data: bytes) -> Lock:
    """The lock of the bytes.

    Raises:
        InvalidPack: the file is not a lock; without it, the pack is validated anew at opening.
    """
    document = parse_json(LOCK, data)
    files, rows = document.get("files"), document.get("rows")
    rules, snapshot = document.get("rules"), document.get("snapshot")
    if (
        set(document) != {"files", "rows", "rules", "snapshot"}
        or not isinstance(files, dict)
        or not isinstance(rows, dict)
        or not isinstance(rules, str)
        or not isinstance(snapshot, str)
        or not snapshot.startswith("sha256:")
        or _HEX(snapshot[7:]) is None
        or not all(type(count) is int for count in rows.values())
    ):
        raise _bad()
    return Lock(rules, snapshot, {name: _record(item) for name, item in files.items()}, rows)


def differs(name: str, found: FileRecord, recorded: FileRecord, who: str) -> Exception:
    """The refusal of a file whose digest is not the recorded one."""
    what = f"{shown(name)}: sha256 is {found.sha256[:12]}… ({found.bytes} bytes)"
    return refusal(
        "digest",
        f"{what}, {who} names {recorded.sha256[:12]}… ({recorded.bytes} bytes)",
        "restore the file, or record the change on purpose",
    )


def _record(item: object) -> FileRecord:
    if not isinstance(item, dict) or set(item) != {"bytes", "sha256"}:
        raise _bad()
    size, digest = item["bytes"], item["sha256"]
    if type(size) is not int or not isinstance(digest, str) or _HEX(digest) is None:
        raise _bad()
    return FileRecord(size, digest)


def _bad() -> Exception:
    return refusal(
        "lock",
        f"{LOCK} is not a lock",
        "build or lock the pack again, or remove the file to have every row validated at opening",
    )
