"""Opening: what the digest depends on, what the lock is trusted with, and what the snapshot answers."""

import gzip
import json
import random
import shutil
from pathlib import Path

import pytest
from tests.packs.making import RAW, tables, write_pack

from assay.floor.evidence import Opened
from assay.floor.store import Snapshot
from assay.kernel.errors import InvalidPack
from assay.packs import loader
from assay.packs.build import lock_pack
from assay.packs.check import check_pack
from assay.packs.csvtable import write_table
from assay.packs.loader import open_pack
from assay.packs.lock import LOCK
from assay.packs.rows import COLUMNS
from assay.packs.show import show_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_pack(tmp_path / "pack")


@pytest.fixture
def snapshot(pack: Path) -> Snapshot:
    return open_pack(pack)


def test_the_digest_does_not_depend_on_how_tables_are_written(pack: Path, tmp_path: Path) -> None:
    digest = open_pack(pack).digest
    rng = random.Random(7)
    for trial in range(5):
        content = tables()
        other = write_pack(tmp_path / f"pack-{trial}", content)
        for name, rows in content.items():
            rng.shuffle(rows)
            columns = list(COLUMNS[name])
            rng.shuffle(columns)
            data = write_table(columns, [[line[column] for column in columns] for line in rows])
            (other / f"{name}.csv").write_bytes(data.replace(b"\n", b"\r\n") if trial % 2 else data)
        assert open_pack(other).digest == digest


def test_the_digest_does_not_depend_on_compression_or_the_descriptor(pack: Path) -> None:
    digest = open_pack(pack).digest
    facts = pack / "facts.csv"
    (pack / "facts.csv.gz").write_bytes(gzip.compress(facts.read_bytes()))
    facts.unlink()
    text = (pack / "datapackage.json").read_text().replace("facts.csv", "facts.csv.gz").replace("A small", "Another")
    (pack / "datapackage.json").write_text(text)
    assert open_pack(pack).digest == digest


def test_an_empty_raw_spelling_is_that_of_the_value(tmp_path: Path) -> None:
    content = tables()
    for line in content["facts"]:
        line["raw"] = line["raw"] or line["value"]
    spelt = open_pack(write_pack(tmp_path / "spelt", content))
    short = open_pack(write_pack(tmp_path / "short"))
    assert spelt.digest == short.digest
    assert short.facts("bridge:MILL", "arches")[0].raw == "3"


CHANGES = [
    pytest.param("facts", "raw", "12.50", id="facts"),
    pytest.param("quarantine", "reason", "another reason", id="quarantine"),
    pytest.param("sources", "title", "x", id="sources"),
    pytest.param("aliases", "kind", "alias", id="aliases"),
    pytest.param("properties", "plausible_max", "6000", id="properties"),
    pytest.param("units", "note", "x", id="units"),
    pytest.param("namespaces", "pattern", "x", id="namespaces"),
]


@pytest.mark.parametrize(("table", "column", "text"), CHANGES)
def test_every_table_is_in_the_digest(pack: Path, tmp_path: Path, table: str, column: str, text: str) -> None:
    content = tables()
    content[table][0][column] = text
    assert open_pack(write_pack(tmp_path / "other", content)).digest != open_pack(pack).digest


def test_a_lock_spares_the_rows_and_keeps_the_digest(pack: Path) -> None:
    before = open_pack(pack)
    lock = lock_pack(pack)
    after = open_pack(pack)
    assert (after.digest, after.opened) == (before.digest, Opened.HASHED)
    assert lock.snapshot == after.digest
    # Locked again, on purpose.
    assert lock_pack(pack).snapshot == lock.snapshot


LOCKED_CHANGES = [
    pytest.param("facts.csv", "pack.digest", id="a table"),
    pytest.param("units.csv", "pack.digest", id="a small table"),
    pytest.param("datapackage.json", "pack.digest", id="the descriptor"),
    pytest.param("raw/table.tsv", "pack.digest", id="a raw file"),
]


@pytest.mark.parametrize(("name", "code"), LOCKED_CHANGES)
def test_one_changed_byte_under_a_lock_is_refused(pack: Path, name: str, code: str) -> None:
    lock_pack(pack)
    path = pack / name
    data = path.read_bytes()
    path.write_bytes(
        data.replace(b"12.5", b"12.6") if b"12.5" in data else data.replace(b"A ", b"B ").replace(b"1e3", b"2e3")
    )
    with pytest.raises(InvalidPack) as refused:
        open_pack(pack)
    assert refused.value.code == code
    assert path.name in str(refused.value)


def edited(pack: Path, **changes: object) -> None:
    document = json.loads((pack / LOCK).read_text())
    (pack / LOCK).write_text(json.dumps({**document, **changes}))


def test_a_lock_under_other_rules_has_the_rows_validated_anew(pack: Path) -> None:
    lock = lock_pack(pack)
    edited(pack, rules="assay.pack/0")
    assert open_pack(pack).digest == lock.snapshot
    edited(pack, rules="assay.pack/0", snapshot="sha256:" + "0" * 64)
    with pytest.raises(InvalidPack, match="rows' digest") as refused:
        open_pack(pack)
    assert refused.value.code == "pack.digest"


def test_a_lock_that_lists_other_files_is_refused(pack: Path) -> None:
    lock = lock_pack(pack)
    files = json.loads((pack / LOCK).read_text())["files"]
    edited(pack, files={**files, "raw/more.tsv": {"bytes": 1, "sha256": "0" * 64}})
    with pytest.raises(InvalidPack, match="which the pack does not"):
        open_pack(pack)
    for name in ("facts.csv", "raw/table.tsv"):
        edited(pack, files={key: value for key, value in files.items() if key != name})
        with pytest.raises(InvalidPack, match="is not in the lock"):
            open_pack(pack)
    assert set(files) == set(lock.files)


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[1]",
        b'{"files":{},"rows":{},"rules":"assay.pack/1","snapshot":"sha256:0"}',
        b'{"files":{},"rows":{"facts":1.5},"rules":"assay.pack/1","snapshot":"sha256:' + b"0" * 64 + b'"}',
        b'{"files":{"x":1},"rows":{},"rules":"assay.pack/1","snapshot":"sha256:' + b"0" * 64 + b'"}',
        b'{"files":{"x":{"bytes":"1","sha256":""}},"rows":{},"rules":"r","snapshot":"sha256:' + b"0" * 64 + b'"}',
    ],
)  # fmt: skip
def test_what_is_no_lock_is_refused(pack: Path, data: bytes) -> None:
    (pack / LOCK).write_bytes(data)
    with pytest.raises(InvalidPack) as refused:
        open_pack(pack)
    assert refused.value.code in ("pack.lock", "pack.json")


def test_a_lock_that_is_a_link_is_refused(pack: Path) -> None:
    (pack / LOCK).symlink_to(pack / "datapackage.json")
    with pytest.raises(InvalidPack) as refused:
        open_pack(pack)
    assert refused.value.code == "pack.link"


def test_a_large_pack_is_opened_on_its_sizes(pack: Path) -> None:
    contents = loader.read_contents(pack)
    lock = lock_pack(pack)
    assert loader.check_raw(contents, lock, hashed_bytes=10) is Opened.RECORDED
    assert loader.check_raw(contents, lock, hashed_bytes=10**6) is Opened.HASHED
    (pack / "raw" / "table.tsv").write_bytes(RAW.replace(b"12.5", b"12.6"))
    assert loader.check_raw(contents, lock, hashed_bytes=10) is Opened.RECORDED, "what `recorded` does not see"
    (pack / "raw" / "table.tsv").write_bytes(RAW + b"x")
    with pytest.raises(InvalidPack, match="the lock names"):
        loader.check_raw(contents, lock, hashed_bytes=10)


def test_check_takes_the_locks_word_for_nothing(pack: Path) -> None:
    lock_pack(pack)
    assert check_pack(pack).is_sound
    edited(pack, snapshot="sha256:" + "0" * 64)
    assert open_pack(pack).digest == "sha256:" + "0" * 64, "what opening does not see"
    report = check_pack(pack)
    assert [problem for problem in report.problems if "the lock names" in problem]


def test_progress_is_told(pack: Path) -> None:
    told: list[str] = []
    open_pack(pack, lambda what, _done, _total: told.append(what))
    assert {"hashing", "checking rows", "digesting rows"} <= set(told)


def test_facts_come_by_entity_and_property_in_canonical_order(snapshot: Snapshot) -> None:
    assert [fact.fact_id for fact in snapshot.facts("bridge:MILL", "slope")] == ["g3", "g5"]
    assert snapshot.facts("bridge:MILL", "height") == ()
    assert snapshot.facts("bridge:NONE", "span") == ()
    fact = snapshot.facts("bridge:MILL", "slope")[1]
    assert (fact.value, fact.lower, fact.upper, fact.raw) == ("", "8.314", "8.315", "8.314...")
    assert snapshot.facts("bridge:MILL", "material")[0].witness == "copy"


def test_quarantined_rows_are_apart_but_present(snapshot: Snapshot) -> None:
    [(fact, reason)] = snapshot.quarantined("bridge:STATION", "span")
    assert (fact.value, reason) == ("0.0", "implausible")
    assert [fact.fact_id for fact in snapshot.facts("bridge:STATION", "span")] == ["g6"]
    assert snapshot.presence("bridge:STATION") == ("map-1", "map-2")


def test_the_snapshot_answers_the_protocol(snapshot: Snapshot) -> None:
    assert snapshot.opened is Opened.HASHED
    assert snapshot.presence("bridge:MILL") == ("map-1", "map-2", "table")
    assert snapshot.presence("bridge:NONE") == ()
    assert "span" in snapshot.properties_of("bridge:MILL")
    assert snapshot.properties_of("bridge:NONE") == ()
    assert [alias.entity for alias in snapshot.aliases("mill")] == ["bridge:MILL"]
    assert snapshot.aliases("Mill") == ()
    spec = snapshot.property_spec("span")
    assert spec is not None
    assert (spec.units, spec.prefer) == (("m", "km"), ("map-2", "map-1"))
    assert snapshot.property_spec("height") is None
    source = snapshot.source("map-2")
    assert source is not None
    assert (source.namespaces, source.credible, source.coverage) == (("bridge",), True, "complete")
    assert snapshot.source("map-9") is None
    assert snapshot.successors("map-1") == ("map-2",)
    assert snapshot.successors("map-2") == ()
    unit = snapshot.unit("km")
    assert unit is not None
    assert unit.factor == "1e3"
    assert [row.unit for row in snapshot.units_of("length")] == ["km", "m"]
    namespace = snapshot.namespace("bridge")
    assert namespace is not None
    assert namespace.strip == ("br|", "urn:bridge:"), "a bar inside a list's member"
    assert snapshot.namespace("other") is None
    assert [row.namespace for row in snapshot.namespaces()] == ["bridge"]


def test_a_pack_of_three_tables_opens(tmp_path: Path) -> None:
    content = {name: rows for name, rows in tables().items() if name in ("facts", "sources", "properties")}
    content["properties"] = [line for line in content["properties"] if not line["units"]]
    content["facts"] = [line for line in content["facts"] if not line["unit"] and not line["locator"]]
    snapshot = open_pack(write_pack(tmp_path / "pack", content))
    assert snapshot.aliases("mill") == ()
    assert snapshot.quarantined("bridge:MILL", "span") == ()
    assert snapshot.namespaces() == ()


def test_show_says_what_a_pack_holds(pack: Path) -> None:
    shown = show_pack(pack)
    assert shown["name"] == "small"
    assert shown["entities"] == 2
    assert shown["locked"] is False
    assert json.loads(json.dumps(shown)) == shown
    shutil.rmtree(pack / "raw")
    with pytest.raises(InvalidPack):
        show_pack(pack)


def test_show_of_a_pack_without_quarantine(tmp_path: Path) -> None:
    content = tables()
    del content["quarantine"]
    assert show_pack(write_pack(tmp_path / "pack", content))["quarantine"] == []
