"""Pipes: from a folder to an immutable snapshot, or a refusal; nothing half-loaded (spec/pack.md §8; docs/adr/0014)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.floor.evidence import Opened
from assay.packs.csvtable import Table, read_table
from assay.packs.declarations import Declarations, declare
from assay.packs.descriptor import DESCRIPTOR, Descriptor, parse_descriptor
from assay.packs.files import FileRecord, decompressed, read_file, record_of, size_of
from assay.packs.limits import HASHED_BYTES, MAX_DESCRIPTOR_BYTES, MAX_LOCK_BYTES, MAX_RAW_BYTES, MAX_TABLE_BYTES
from assay.packs.lock import LOCK, RULES, Lock, differs, parse_lock
from assay.packs.refusal import refusal, shown
from assay.packs.rows import COLUMNS, canonical_row, snapshot_digest
from assay.packs.statements import check_statements
from assay.packs.stores.memory import MemorySnapshot

Progress = Callable[[str, int, int], None]  # what is being done, how much of it is done, of how much


def silent(what: str, done: int, total: int) -> None:
    """The progress that tells nobody."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A pack's tables and declarations, and the record of each file that was read."""

    root: Path
    descriptor: Descriptor
    tables: Mapping[str, Table]
    declared: Declarations
    files: Mapping[str, FileRecord]
    raw: tuple[str, ...]  # paths of the raw files that sources or resources name


def open_pack(path: Path, progress: Progress = silent) -> MemorySnapshot:
    """The snapshot of the pack in the folder.

    Tables are always hashed. Raw files are hashed too where the pack is small or has no lock; `opened` says which.
    With a lock under the present rules whose digests match, rows are not validated again.

    Raises:
        InvalidPack: the first thing that spec/pack.md refuses.
    """
    contents = read_contents(path)
    lock = read_lock(contents.root)
    if lock is None:
        hash_raw(contents, progress)
        validate(contents, progress)
        return _snapshot(contents, digest_of(contents, progress), Opened.HASHED)
    compare(contents, lock)
    opened = check_raw(contents, lock, progress)
    if lock.rules == RULES:
        return _snapshot(contents, lock.snapshot, opened)
    validate(contents, progress)
    digest = digest_of(contents, progress)
    if digest != lock.snapshot:
        raise refusal(
            "digest", f"the rows' digest is {digest[:19]}…, the lock names {lock.snapshot[:19]}…", "lock the pack again"
        )
    return _snapshot(contents, digest, opened)


def read_contents(path: Path) -> Contents:
    """The tables of a pack, with headers and declarations checked; facts and aliases are not looked into.

    Raises:
        InvalidPack: a file, header or declaration that is refused.
    """
    root = Path(path)
    files: dict[str, FileRecord] = {}
    data = read_file(root, DESCRIPTOR, MAX_DESCRIPTOR_BYTES)
    files[DESCRIPTOR] = record_of(data)
    descriptor = parse_descriptor(data)
    tables: dict[str, Table] = {}
    for name, resource in descriptor.tables.items():
        data = read_file(root, resource.path, MAX_TABLE_BYTES)
        record = record_of(data)
        _compare_resource(resource.path, record, resource.bytes, resource.sha256)
        files[resource.path] = record
        tables[name] = read_table(
            name, resource.path, decompressed(resource.path, data, MAX_TABLE_BYTES), COLUMNS[name]
        )
    declared = declare(tables)
    raw = {source.file for source in declared.sources.values() if source.file}
    raw.update(resource.path for resource in descriptor.others)
    return Contents(root, descriptor, tables, declared, files, tuple(sorted(raw)))


def read_lock(root: Path) -> Lock | None:
    """The pack's lock, or None where it has none."""
    if not os.path.lexists(root / LOCK):
        return None
    return parse_lock(read_file(root, LOCK, MAX_LOCK_BYTES))


def compare(contents: Contents, lock: Lock) -> None:
    """Refuse a pack of which a file that was read, or the list of files, is not what the lock records."""
    for name, record in contents.files.items():
        recorded = lock.files.get(name)
        if recorded is None:
            raise refusal("lock", f"{shown(name)} is not in the lock", "lock the pack again, if the file belongs to it")
        if recorded != record:
            raise differs(name, record, recorded, "the lock")
    known = {*contents.files, *contents.raw}
    for name in lock.files:
        if name not in known:
            raise refusal("lock", f"the lock names {shown(name)}, which the pack does not", "lock the pack again")
    for name in contents.raw:
        if name not in lock.files:
            raise refusal("lock", f"{shown(name)} is not in the lock", "lock the pack again, if the file belongs to it")


def hash_raw(contents: Contents, progress: Progress = silent) -> dict[str, FileRecord]:
    """The records of all raw files, compared with what sources and resources say of them."""
    total = sum(size_of(contents.root, name) for name in contents.raw)
    stated = {resource.path: resource for resource in contents.descriptor.others}
    found: dict[str, FileRecord] = {}
    done = 0
    for name in contents.raw:
        record = record_of(read_file(contents.root, name, MAX_RAW_BYTES))
        done += record.bytes
        progress("hashing", done, total)
        if name in stated:
            _compare_resource(name, record, stated[name].bytes, stated[name].sha256)
        found[name] = record
    for source in contents.declared.sources.values():
        if source.file:
            recorded = FileRecord(int(source.bytes), source.sha256)
            if found[source.file] != recorded:
                raise differs(source.file, found[source.file], recorded, f"source `{source.source}`")
    return found


def validate(contents: Contents, progress: Progress = silent) -> None:
    """Refuse the first fact, quarantined row or alias that is wrong."""
    total = sum(len(contents.tables[name]) for name in ("facts", "quarantine", "aliases") if name in contents.tables)
    check_statements(contents.tables, contents.declared, lambda done: progress("checking rows", done, total))


def digest_of(contents: Contents, progress: Progress = silent) -> str:
    """The digest of the pack's canonical rows."""
    rows: list[bytes] = []
    total = sum(len(table) for table in contents.tables.values())
    for name, table in contents.tables.items():
        rows.extend(canonical_row(name, table.row(index)) for index in range(len(table)))
        progress("digesting rows", len(rows), total)
    return snapshot_digest(rows)


def check_raw(
    contents: Contents, lock: Lock, progress: Progress = silent, *, hashed_bytes: int = HASHED_BYTES
) -> Opened:
    """Hash the raw files against the lock where the pack is small; where it is large, compare sizes only."""
    sizes = {name: size_of(contents.root, name) for name in contents.raw}
    read = sum(record.bytes for record in contents.files.values())
    if read + sum(sizes.values()) <= hashed_bytes:
        for name, record in hash_raw(contents, progress).items():
            if record != lock.files[name]:
                raise differs(name, record, lock.files[name], "the lock")
        return Opened.HASHED
    for name, size in sizes.items():
        if size != lock.files[name].bytes:
            raise refusal(
                "digest", f"{shown(name)} has {size} bytes, the lock names {lock.files[name].bytes}", "restore the file"
            )
    return Opened.RECORDED


def _compare_resource(path: str, record: FileRecord, size: int | None, sha256: str) -> None:
    if (size is not None and size != record.bytes) or (sha256 and sha256 != record.sha256):
        recorded = FileRecord(size if size is not None else record.bytes, sha256 or record.sha256)
        raise differs(path, record, recorded, DESCRIPTOR)


def _snapshot(contents: Contents, digest: str, opened: Opened) -> MemorySnapshot:
    return MemorySnapshot(contents.descriptor.name, digest, opened, contents.tables, contents.declared)
