"""Pipes: from a recipe and raw files to a pack, checked and then moved to its place whole (spec/pack.md §9)."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.floor.evidence import Source
from assay.kernel.errors import Fault, InvalidPack
from assay.packs import loader
from assay.packs.check import check_locators
from assay.packs.connectors.base import RawFile, Statement
from assay.packs.connectors.mapping import map_row
from assay.packs.connectors.tabular import Row, read_fasta_rows, read_pattern_rows, read_table_rows
from assay.packs.connectors.uniprot import dated, read_uniprot
from assay.packs.csvtable import read_table, write_table
from assay.packs.descriptor import DESCRIPTOR, parse_descriptor
from assay.packs.draft import Cells, Draft
from assay.packs.files import FileRecord, check_relative, decompressed, read_file, record_of
from assay.packs.limits import MAX_DESCRIPTOR_BYTES, MAX_RAW_BYTES
from assay.packs.loader import Progress, silent
from assay.packs.lock import LOCK, RULES, Lock, lock_bytes
from assay.packs.recipe import PackRule, ReadRule, Recipe, SourceRule, read_recipe
from assay.packs.refusal import refusal, shown
from assay.packs.rows import COLUMNS

GZIP_FROM = 256 * 1024  # bytes of a table from which it is compressed
TITLES = {
    "facts": "What each source states, a row a statement",
    "sources": "Documents and releases, and what they supersede",
    "aliases": "Other identifiers that lead to an entity",
    "properties": "What is stated of entities, and how it may be compared",
    "quarantine": "Statements set aside, with the reason",
    "units": "Units as exact factors of a dimension's base",
    "namespaces": "How identifiers of a prefix may be written",
}


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What was built: rows by table, rows set aside by reason (label, value, implausible), aliases that led nowhere."""

    name: str
    digest: str
    rows: Mapping[str, int]
    set_aside: Mapping[str, int]
    dangling_aliases: int
    locators: int


def build_pack(recipe_path: Path, out: Path, progress: Progress = silent, *, replace_old: bool = False) -> BuildReport:
    """Build the pack of the recipe into the folder `out`, which must not exist unless it may be replaced.

    Only a pack is ever replaced: no other folder, no file, no symbolic link.

    Everything is written to a folder beside `out`, validated and checked there, and renamed at the end: whoever looks
    sees the old pack or the new one, never half of one.

    Raises:
        InvalidPack: the recipe, a raw file or the result is refused; nothing is left behind.
        Fault: the pack could not be written; nothing is left behind.
    """
    recipe = read_recipe(recipe_path)
    _check_place(out, replace_old=replace_old)
    draft = _gather(recipe, progress)
    rows = draft.tables(recipe.properties, recipe.namespaces, _units(recipe))
    files = _files(recipe.pack, rows, draft.raw)
    building = out.parent / f".{out.name}.building"
    try:
        building.mkdir(parents=True)
    except FileExistsError:
        found = f"{shown(str(building))} is there: another build runs, or one was killed"
        raise refusal("exists", found, "wait for it, or remove the folder") from None
    except OSError as error:
        raise _disk_fault(building, error) from None
    try:
        for name, data in files.items():
            (building / name).parent.mkdir(parents=True, exist_ok=True)
            _write_file(building / name, data)
        lock, locators = _seal(building, progress)
        # Building takes time: what has come to stand there since is not swept away either.
        _check_place(out, replace_old=replace_old)
        _publish(building, out)
    except BaseException as error:
        shutil.rmtree(building, ignore_errors=True)
        if isinstance(error, OSError):
            raise _disk_fault(building, error) from None
        raise
    return BuildReport(recipe.pack.name, lock.snapshot, lock.rows, dict(draft.reasons), draft.dangling, locators)


def lock_pack(path: Path, progress: Progress = silent) -> Lock:
    """Validate the pack and write its lock: what a hand-written pack does once, so that opening is fast.

    Raises:
        InvalidPack: the first thing that spec/pack.md refuses.
    """
    lock = _validated(path, progress)
    target = path / LOCK
    beside = path / f".{LOCK}.new"
    _write_file(beside, lock_bytes(lock))
    beside.replace(target)
    return lock


def _check_place(out: Path, *, replace_old: bool) -> None:
    """Refuse a place where something stands that is not to be replaced, or that is no pack."""
    if not os.path.lexists(out):
        return
    if out.is_symlink():
        raise refusal("exists", f"{shown(str(out))} is a symbolic link", "name the folder itself")
    if not replace_old:
        raise refusal("exists", f"{shown(str(out))} is there already", "choose another folder or give `--replace`")
    try:
        parse_descriptor(read_file(out, DESCRIPTOR, MAX_DESCRIPTOR_BYTES))
    except InvalidPack:
        found = f"{shown(str(out))} is there and holds no {DESCRIPTOR} of a pack"
        raise refusal("exists", found, "only a pack is replaced; choose another folder") from None


def _gather(recipe: Recipe, progress: Progress) -> Draft:
    draft = Draft()
    folder = recipe.folder / recipe.pack.raw
    for done, (rule, source, data) in enumerate(planned := list(_planned(recipe, folder)), 1):
        if data is not None:
            draft.raw[source.file] = data
            file = RawFile(source.file, decompressed(source.file, data, MAX_RAW_BYTES))
            is_flat = any(read.connector == "uniprot" for read in rule.reads)
            draft.add([dated(file, source) if is_flat else source])
            for read in rule.reads:
                draft.add(_read(read, file, source))
        else:
            draft.add([source])
        progress("reading sources", done, len(planned))
    return draft


def _planned(recipe: Recipe, folder: Path) -> Iterator[tuple[SourceRule, Source, bytes | None]]:
    for rule in recipe.sources:
        if not rule.file:
            yield rule, _source(rule, rule.source, "", None), None
            continue
        check_relative(rule.file)
        names = sorted(path.relative_to(folder).as_posix() for path in folder.glob(rule.file) if path.is_file())
        if not names:
            raise refusal(
                "recipe",
                f"source {shown(rule.source)}: no file {shown(rule.file)}",
                f"it is looked for in {shown(str(folder))}",
            )
        for name in names:
            data = (folder / name).read_bytes()
            stem = Path(name).name.removesuffix(".gz").partition(".")[0]
            yield rule, _source(rule, rule.source.replace("{stem}", stem), f"raw/{name}", record_of(data)), data


def _source(rule: SourceRule, name: str, file: str, record: FileRecord | None) -> Source:
    return Source(
        name,
        rule.title,
        rule.version,
        rule.date,
        rule.url,
        rule.licence,
        file,
        str(record.bytes) if record is not None else "",
        record.sha256 if record is not None else "",
        rule.status,
        rule.succeeds.get(name, rule.supersedes),
        rule.copied_from,
        rule.coverage,
        rule.namespaces,
        credible=rule.credible,
    )


def _read(rule: ReadRule, file: RawFile, source: Source) -> Iterator[Statement]:
    if rule.connector == "uniprot":
        return read_uniprot(file, source)
    rows: Iterator[Row]
    match rule.connector:
        case "table":
            rows = read_table_rows(file, rule.key)
        case "pattern":
            rows = read_pattern_rows(file, rule.pattern)
        case "fasta":
            rows = read_fasta_rows(file)
        case _:
            raise refusal(
                "recipe", f"unknown connector {shown(rule.connector)}", "uniprot, fasta, table and pattern are known"
            )
    if rule.mapped is None:
        raise refusal(
            "recipe", f"a read of source `{source.source}` maps nothing", "name an entity and facts or aliases"
        )
    mapped = rule.mapped
    return (statement for row in rows for statement in map_row(mapped, row, source.source))


def _units(recipe: Recipe) -> list[Cells]:
    if not recipe.pack.units:
        return []
    path = recipe.folder / recipe.pack.units
    try:
        data = path.read_bytes()
    except OSError as error:
        raise refusal(
            "recipe", f"{shown(str(path))} cannot be read ({error.strerror})", "name a table of units"
        ) from None
    table = read_table("units", path.name, data, COLUMNS["units"])
    return [table.row(index) for index in range(len(table))]


def _files(pack: PackRule, rows: Mapping[str, list[Cells]], raw: Mapping[str, bytes]) -> dict[str, bytes]:
    """The pack's files by path, but for the lock."""
    files: dict[str, bytes] = {}
    resources: list[dict[str, object]] = []
    for name, columns in COLUMNS.items():
        data = write_table(columns, rows[name])
        path = f"{name}.csv" if len(data) < GZIP_FROM else f"{name}.csv.gz"
        files[path] = data if path.endswith(".csv") else gzip.compress(data, 9, mtime=0)
        resources.append(_table_resource(name, path, record_of(files[path])))
    for path, data in sorted(raw.items()):
        files[path] = data
        record = record_of(data)
        name = path.lower().replace("/", "-").replace("_", "-").replace(".", "-")
        resources.append({"name": name, "path": path, "bytes": record.bytes, "hash": f"sha256:{record.sha256}"})
    files[DESCRIPTOR] = _descriptor(pack, resources)
    return files


def _seal(folder: Path, progress: Progress) -> tuple[Lock, int]:
    """Validate what was written, read every locator, and write the lock; how many locators there are."""
    lock = _validated(folder, progress)
    locators, problems = check_locators(loader.read_contents(folder), progress)
    if problems:
        found = f"{len(problems)} locators do not hold, the first: {problems[0]}"
        raise refusal("locator", found, "correct the recipe")
    _write_file(folder / LOCK, lock_bytes(lock))
    return lock, locators


def _validated(folder: Path, progress: Progress) -> Lock:
    contents = loader.read_contents(folder)
    raw = loader.hash_raw(contents, progress)
    loader.validate(contents, progress)
    rows = {name: len(table) for name, table in contents.tables.items()}
    return Lock(RULES, loader.digest_of(contents, progress), {**contents.files, **raw}, rows)


def _descriptor(pack: PackRule, resources: list[dict[str, object]]) -> bytes:
    document: dict[str, object] = {"name": pack.name, "title": pack.title, "version": pack.version}
    if pack.description:
        document["description"] = pack.description
    if pack.created:
        document["created"] = pack.created
    if pack.licences:
        document["licenses"] = [{"name": name} for name in pack.licences]
    return (json.dumps({**document, "resources": resources}, indent=1, ensure_ascii=False) + "\n").encode()


def _table_resource(name: str, path: str, record: FileRecord) -> dict[str, object]:
    schema: dict[str, object] = {"fields": [{"name": column, "type": "string"} for column in COLUMNS[name]]}
    if name in _PRIMARY:
        schema["primaryKey"] = [_PRIMARY[name]]
    if name in ("facts", "quarantine"):
        references = (("source", "sources"), ("property", "properties"))
        schema["foreignKeys"] = [
            {"fields": [column], "reference": {"resource": other, "fields": [column]}} for column, other in references
        ]
    resource: dict[str, object] = {"name": name, "title": TITLES[name], "path": path, "format": "csv"}
    if path.endswith(".gz"):
        resource["compression"] = "gz"
    facts = {"mediatype": "text/csv", "encoding": "utf-8", "bytes": record.bytes, "hash": f"sha256:{record.sha256}"}
    return {**resource, **facts, "schema": schema}


_PRIMARY = {
    "facts": "fact_id", "sources": "source", "properties": "property", "quarantine": "fact_id", "units": "unit",
    "namespaces": "namespace",
}  # fmt: skip


def _write_file(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _disk_fault(folder: Path, error: OSError) -> Fault:
    reason = (error.strerror or "cannot be used").lower()
    return Fault("fault.disk", f"folder {shown(str(folder))}: {reason}; make room or choose another")


def _publish(building: Path, out: Path) -> None:
    """Move the finished folder to its place; an old pack steps aside first and is removed last."""
    old = out.parent / f".{out.name}.replaced"
    if out.exists():
        shutil.rmtree(old, ignore_errors=True)
        out.rename(old)
    building.rename(out)
    shutil.rmtree(old, ignore_errors=True)
