"""From recipe and raw files to a pack: what is mapped, set aside, refused, and what a kill leaves."""

# ruff: noqa: E501 - a case is one row, so that the rows can be read as a list

import gzip
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay.kernel.errors import Fault, InvalidPack
from assay.packs.build import BuildReport, build_pack
from assay.packs.check import check_pack
from assay.packs.loader import open_pack
from assay.packs.lock import LOCK

UNITS = "unit,dimension,factor,offset,note\nK,temperature,1,,\ndegC,temperature,1,273.15,\n"
NAMES = "cas,name\n110-82-7,cyclohexane\n96-37-7,methylcyclopentane\n85-01-8,phenanthrene\n"
TABLE = """cas\tname\tTc\tu\tsynonyms\tcode
110-82-7\tmethylcyclopentane\t532.7\t0.2\t\t1
96-37-7\tcyclohexane\t553.8\t0.2\t\t1
85-01-8\tPhenanthrene\t0.869\t-1\tphen|ravatite\t12
7732-18-5\twater\t647.096\t(exact)\toxidane\t3
71-43-2\tbenzene\t-1\t-1\t\t11
64-17-5\tethanol\tca. 514\t-1\t\t
"""
RECIPE = """
[pack]
name = "chemistry"
title = "Critical temperatures"
description = "A test's pack."
created = "2026-01-01T00:00:00Z"
licences = ["CC0-1.0"]
raw = "raw"
units = "units.csv"

[[property]]
property = "critical_temperature"
kind = "quantity"
unit = "K"
units = ["K", "degC"]
plausible_min = "4"
plausible_max = "5000"

[[property]]
property = "group"
kind = "category"
vocabulary = "*"

[[namespace]]
namespace = "cas"
strip = ["CAS:"]

[[source]]
source = "handbook"
title = "A handbook"
file = "table.tsv"
[[source.read]]
connector = "table"
key = ["cas"]
entity = "cas:{cas}"
where = { cas = ".*" }
words = { code = { 12 = "2B" } }
[[source.read.fact]]
property = "critical_temperature"
column = "Tc"
number = true
missing = ["-1"]
unit = "{name|after:nothing}"
units = { methylcyclopentane = "K", cyclohexane = "K", Phenanthrene = "K", water = "K", ethanol = "K" }
uncertainty = "u"
uncertainty_words = { "(exact)" = "exact" }
methods = { exact = "defined" }
[[source.read.fact]]
property = "group"
column = "code"
decode = { 1 = "1", 11 = "2A", 12 = "2B", 3 = "3" }
[[source.read.alias]]
column = "synonyms"
split = "|"
kind = "alias"
[[source.read.label]]
column = "name"
identifier = "cas"
table = "names.csv"
key = "cas"
name = "name"

[[source]]
source = "cited"
title = "A source without a file"
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    folder = tmp_path / "recipes"
    (folder / "raw").mkdir(parents=True)
    (folder / "units.csv").write_text(UNITS)
    (folder / "names.csv").write_text(NAMES)
    (folder / "raw" / "table.tsv").write_text(TABLE)
    (folder / "recipe.toml").write_text(RECIPE)
    return folder / "recipe.toml"


def build(recipe: Path, text: str | None = None) -> BuildReport:
    if text is not None:
        recipe.write_text(text)
    return build_pack(recipe, recipe.parents[1] / "pack", replace_old=True)


def test_a_table_becomes_a_pack_that_opens_and_checks(recipe: Path) -> None:
    told: list[str] = []
    out = recipe.parents[1] / "pack"
    report = build_pack(recipe, out, lambda what, _done, _total: told.append(what))
    snapshot = open_pack(out)
    assert snapshot.digest == report.digest
    assert check_pack(out).is_sound
    assert report.rows["facts"] == 4
    [water] = snapshot.facts("cas:7732-18-5", "critical_temperature")
    assert (water.value, water.unit, water.uncertainty_kind, water.method) == ("647.096", "K", "exact", "defined")
    assert water.locator == "row=cas:7732-18-5;column=Tc"
    [group] = snapshot.facts("cas:85-01-8", "group")
    assert (group.value, group.raw) == ("2B", "12")
    assert {alias.entity for word in ("phen", "ravatite") for alias in snapshot.aliases(word)} == {"cas:85-01-8"}
    spec = snapshot.property_spec("group")
    assert spec is not None
    assert spec.vocabulary == ("2A", "2B", "3"), "the words that the facts use"
    document = json.loads((out / "datapackage.json").read_text())
    assert document["licenses"] == [{"name": "CC0-1.0"}]
    assert "reading sources" in told


def test_what_must_not_count_is_set_aside_with_a_reason(recipe: Path) -> None:
    report = build(recipe)
    snapshot = open_pack(recipe.parents[1] / "pack")
    assert report.set_aside == {"label": 4, "implausible": 1, "value": 1}
    reasons = {
        entity: reason
        for entity in ("cas:110-82-7", "cas:96-37-7", "cas:85-01-8", "cas:64-17-5")
        for _, reason in snapshot.quarantined(entity, "critical_temperature")
    }
    assert "label `methylcyclopentane` contradicts identifier `110-82-7`" in reasons["cas:110-82-7"]
    assert "label `cyclohexane` contradicts" in reasons["cas:96-37-7"]
    assert "0.869 K is outside the plausible range 4 to 5000 K" in reasons["cas:85-01-8"]
    assert "not a decimal" in reasons["cas:64-17-5"]
    assert snapshot.facts("cas:110-82-7", "critical_temperature") == ()


def test_blanks_and_missing_tokens_give_no_fact(recipe: Path) -> None:
    build(recipe)
    snapshot = open_pack(recipe.parents[1] / "pack")
    assert snapshot.facts("cas:71-43-2", "critical_temperature") == ()
    assert snapshot.quarantined("cas:71-43-2", "critical_temperature") == ()
    assert snapshot.facts("cas:64-17-5", "group") == ()


def test_building_twice_gives_the_same_bytes(recipe: Path, tmp_path: Path) -> None:
    build_pack(recipe, tmp_path / "one")
    build_pack(recipe, tmp_path / "two")
    names = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)


def test_large_tables_are_compressed(recipe: Path) -> None:
    rows = "".join(f"{number}-00-0\tx\t{number}\t0.1\t\t1\n" for number in range(100, 2100))
    (recipe.parent / "raw" / "table.tsv").write_text(TABLE + rows)
    report = build(recipe, RECIPE.replace('ethanol = "K"', 'ethanol = "K", x = "K"'))
    out = recipe.parents[1] / "pack"
    assert gzip.decompress((out / "facts.csv.gz").read_bytes()).startswith(b"fact_id,")
    assert open_pack(out).digest == report.digest
    assert check_pack(out).is_sound


PATTERN = """
[[source.read]]
connector = "pattern"
pattern = '^(?P<cas>[^\\t\\n]+)\\t(?P<name>[^\\t\\n]+)\\t(?P<Tc>[0-9. ]+)\\t(?P<more>x)?'
entity = "cas:{cas}"
[[source.read.fact]]
property = "critical_temperature"
column = "Tc"
number = true
unit = "K"
[[source.read.alias]]
column = "name"
kind = "approved"
where = { cas = "7732.*" }
[[source.read.alias]]
column = "name"
kind = "alias"
entity = "cas:elsewhere"
[[source.read.alias]]
column = "cas"
kind = "deleted"
alias = "CAS:{}"
"""


def pattern_recipe() -> str:
    head, _, tail = RECIPE.partition("[[source.read]]")
    return head + PATTERN + tail[tail.index("[[source]]") :]


def test_a_pattern_finds_cells_by_their_bytes(recipe: Path) -> None:
    report = build(recipe, pattern_recipe().replace('vocabulary = "*"', 'vocabulary = ["1"]'))
    snapshot = open_pack(recipe.parents[1] / "pack")
    [water] = snapshot.facts("cas:7732-18-5", "critical_temperature")
    start = TABLE.encode().index(b"647.096")
    assert water.locator == f"bytes={start}-{start + 7}"
    assert [alias.kind for alias in snapshot.aliases("water")] == ["approved"]
    assert report.dangling_aliases > 0
    assert snapshot.aliases("CAS:110-82-7")[0].entity == ""


FASTA = """
[[source]]
source = "proteome"
title = "A proteome"
file = "p.fasta"
[[source.read]]
connector = "fasta"
entity = "uniprot:{accession}"
where = { db = "sp" }
[[source.read.fact]]
property = "sequence"
column = "sequence"
[[source.read.fact]]
property = "gene"
column = "GN"
value = "gene:{}"
[[source.read.alias]]
column = "name"
kind = "entry_name"
alias = "uniprot.name:{}"
"""
PROTEINS = """
[[property]]
property = "sequence"
kind = "polymer"
[[property]]
property = "gene"
kind = "identifier"
prefix = "gene"
"""


def test_fasta_headers_are_taken_apart(recipe: Path) -> None:
    fasta = ">sp|P69905|HBA_HUMAN Hemoglobin α OS=Homo sapiens OX=9606 GN=HBA1 PE=1 SV=2\nMVLS\nPADK\n>other one\nAC\n"
    (recipe.parent / "raw" / "p.fasta").write_text(fasta)
    head, _, _ = RECIPE.partition("[[property]]")
    build(recipe, head.replace('units = "units.csv"', "") + PROTEINS + FASTA)
    snapshot = open_pack(recipe.parents[1] / "pack")
    [sequence] = snapshot.facts("uniprot:P69905", "sequence")
    [gene] = snapshot.facts("uniprot:P69905", "gene")
    assert (sequence.value, gene.value) == ("MVLSPADK", "gene:HBA1")
    start, end = (int(place) for place in gene.locator.removeprefix("bytes=").split("-"))
    assert fasta.encode()[start:end] == b"HBA1", "after a header with a letter of two bytes"
    assert snapshot.presence("uniprot:other") == ()


RECIPES = [
    pytest.param("x = [", "TOML", id="no TOML"),
    pytest.param("", "pack; a table is needed", id="no pack"),
    pytest.param("[pack]\nname = 'x'\ntitle = 'x'\n", "raw", id="no raw folder"),
    pytest.param("pack = 5", "pack", id="a pack that is no table"),
    pytest.param(RECIPE.replace("[[property]]", "[property]", 1).split("[[property]]")[0], "list of tables", id="a property that is no list"),
    pytest.param(RECIPE.replace('title = "Critical', 'subtitle = "x"\ntitle = "Critical'), "unknown key", id="an unknown key"),
    pytest.param(RECIPE.replace('key = ["cas"]', "key = 5"), "needed", id="a key of another type"),
    pytest.param(RECIPE.replace('key = ["cas"]', 'key = ["id"]'), "no key column", id="a key column that is not there"),
    pytest.param(RECIPE.replace('plausible_min = "4"', "plausible_min = 4"), "a text", id="a number where a text is needed"),
    pytest.param(RECIPE.replace('connector = "table"', 'connector = "excel"'), "unknown connector", id="an unknown connector"),
    pytest.param(RECIPE.replace('entity = "cas:{cas}"', 'entity = "cas:{id}"'), "no column", id="an entity of an unknown column"),
    pytest.param(RECIPE.replace('file = "table.tsv"', 'file = "none.tsv"'), "no file", id="a file that is not there"),
    pytest.param(RECIPE.replace('units = "units.csv"', 'units = "none.csv"'), "cannot be read", id="units that are not there"),
    pytest.param(RECIPE.replace('name = "name"\n', ""), "label", id="a label rule without its name"),
    pytest.param(RECIPE.replace('property = "critical_temperature"\ncolumn', 'property = "Tc"\ncolumn'), "not declared", id="a property that is not declared"),
    pytest.param(RECIPE.replace('unit = "{name|after:nothing}"', 'unit = "furlong"'), "furlong", id="a unit that is not declared"),
    pytest.param(RECIPE.replace('key = ["cas"]', 'key = ["u"]'), "several places", id="a key that finds several rows"),
    pytest.param(RECIPE.replace("decode = { 1", 'method = "guessed"\ndecode = { 1'), "method", id="an unknown method"),
    pytest.param(RECIPE.replace('column = "Tc"', 'column = "tc"'), "no column `tc`", id="a fact of an unknown column"),
    pytest.param(RECIPE.replace('column = "synonyms"', 'column = "x"'), "no column `x`", id="an alias of an unknown column"),
    pytest.param(RECIPE.replace('{ cas = ".*" }', '{ cas = "(" }'), "regular expression", id="a condition that does not compile"),
    pytest.param(RECIPE.replace('"names.csv"', '"none.csv"'), "cannot be read", id="a label table that is not there"),
    pytest.param(RECIPE.replace('key = "cas"', 'key = "id"'), "columns of the table", id="a label table without its key"),
    pytest.param(RECIPE.replace('"table.tsv"', '"../names.csv"'), "leaves the pack", id="a raw file outside the raw folder"),
    pytest.param(RECIPE.replace("words = { code = { 12", "words = { code = 5 } #"), "texts", id="words that are no table"),
    pytest.param(RECIPE.replace("number = true", "number = 1"), "true or false", id="a flag that is none"),
    pytest.param(RECIPE.replace("number = true", "significant = true\nnumber = true"), "whole number", id="a count that is none"),
    pytest.param(pattern_recipe().replace("'^(?P<cas>", "'^(?P<cas"), "regular expression", id="a pattern that does not compile"),
    pytest.param(pattern_recipe().replace("'^(?P<cas>", "'^none(?P<cas>"), "no match", id="a pattern without a match"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), RECIPES)
def test_a_recipe_that_is_wrong_is_refused_and_leaves_nothing(recipe: Path, text: str, words: str) -> None:
    before = sorted(recipe.parents[1].iterdir())
    with pytest.raises(InvalidPack) as refused:
        build(recipe, text)
    assert words in str(refused.value)
    assert sorted(recipe.parents[1].iterdir()) == before


TABLES = [
    pytest.param("table.tsv", b"a\xff\n", "UTF-8", id="a table that is not UTF-8"),
    pytest.param("table.tsv", b"", "no header", id="an empty table"),
    pytest.param("table.tsv", b"cas\tcas\n", "column twice", id="a column twice"),
    pytest.param("table.tsv", b"cas\tname\n1\n", "1 cells", id="a ragged table"),
    pytest.param("table.tsv", b'cas\tname\n1\t"x"y\n', "line 2", id="a badly quoted table"),
    pytest.param("table.txt", b"cas\n1\n", "named neither", id="a table without a delimiter in its name"),
]


@pytest.mark.parametrize(("name", "data", "words"), TABLES)
def test_a_raw_table_that_is_wrong_is_refused(recipe: Path, name: str, data: bytes, words: str) -> None:
    (recipe.parent / "raw" / name).write_bytes(data)
    with pytest.raises(InvalidPack, match=words):
        build(recipe, RECIPE.replace("table.tsv", name))


@pytest.mark.parametrize("data", [b"MVLS\n", b">x\n\xff\n", b">\xff\nM\n"])
def test_a_file_that_is_no_fasta_is_refused(recipe: Path, data: bytes) -> None:
    (recipe.parent / "raw" / "p.fasta").write_bytes(data)
    head, _, _ = RECIPE.partition("[[property]]")
    with pytest.raises(InvalidPack, match="FASTA"):
        build(recipe, head + PROTEINS + FASTA)


def test_a_recipe_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidPack, match="cannot be read"):
        build_pack(tmp_path / "none.toml", tmp_path / "pack")


def test_a_read_that_maps_nothing_is_refused(recipe: Path) -> None:
    text = RECIPE.replace("[[source.read.fact]]", "[[source.read.fakt]]", 1)
    with pytest.raises(InvalidPack, match="unknown key"):
        build(recipe, text)


def test_an_old_pack_is_replaced_only_when_asked(recipe: Path) -> None:
    out = recipe.parents[1] / "pack"
    build_pack(recipe, out)
    with pytest.raises(InvalidPack) as refused:
        build_pack(recipe, out)
    assert refused.value.code == "pack.exists"
    (out / LOCK).unlink()
    build_pack(recipe, out, replace_old=True)
    assert (out / LOCK).is_file()
    assert sorted(path.name for path in recipe.parents[1].iterdir()) == ["pack", "recipes"]


@pytest.mark.parametrize("descriptor", [None, b"{}", b'{"name":"a-data-package","resources":[]}'])
def test_a_folder_that_is_no_pack_is_never_replaced(recipe: Path, descriptor: bytes | None) -> None:
    out = recipe.parents[1] / "pack"
    (out / "sub").mkdir(parents=True)
    (out / "sub" / "thesis.txt").write_text("years of work")
    if descriptor is not None:
        (out / "datapackage.json").write_bytes(descriptor)
    with pytest.raises(InvalidPack, match="only a pack is replaced") as refused:
        build_pack(recipe, out, replace_old=True)
    assert refused.value.code == "pack.exists"
    assert (out / "sub" / "thesis.txt").read_text() == "years of work"
    assert sorted(path.name for path in recipe.parents[1].iterdir()) == ["pack", "recipes"]


def test_a_file_is_never_replaced(recipe: Path) -> None:
    out = recipe.parents[1] / "pack"
    out.write_text("years of work")
    with pytest.raises(InvalidPack, match="only a pack is replaced"):
        build_pack(recipe, out, replace_old=True)
    assert out.read_text() == "years of work"


@pytest.mark.parametrize("there", [True, False])
def test_a_symbolic_link_is_never_replaced(recipe: Path, *, there: bool) -> None:
    real = recipe.parents[1] / "real"
    if there:
        build_pack(recipe, real)
    out = recipe.parents[1] / "pack"
    out.symlink_to(real)
    with pytest.raises(InvalidPack, match="symbolic link"):
        build_pack(recipe, out, replace_old=True)
    assert out.is_symlink()
    assert not list(recipe.parents[1].glob(".pack*"))


def test_what_comes_to_stand_there_while_a_build_runs_is_not_swept_away(recipe: Path) -> None:
    out = recipe.parents[1] / "pack"

    def told(what: str, _done: int, _total: int) -> None:
        if what == "hashing" and not out.exists():
            out.mkdir()
            (out / "thesis.txt").write_text("years of work")

    with pytest.raises(InvalidPack, match="only a pack is replaced"):
        build_pack(recipe, out, told, replace_old=True)
    assert (out / "thesis.txt").is_file()


def test_a_pattern_of_a_recipe_that_cannot_be_compiled_is_refused(recipe: Path) -> None:
    with pytest.raises(InvalidPack, match="too large"):
        build(recipe, RECIPE.replace('cas = ".*"', 'cas = "a{99999999999}"'))


def test_a_folder_that_a_killed_build_left_is_named(recipe: Path) -> None:
    left = recipe.parents[1] / ".pack.building"
    left.mkdir()
    with pytest.raises(InvalidPack, match="one was killed"):
        build(recipe)
    assert left.is_dir()


def test_a_full_disk_leaves_nothing(recipe: Path) -> None:
    """A limit on file size stands for the full disk: the write fails in the middle of a table."""
    program = (
        "import resource, signal, sys\nfrom pathlib import Path\n"
        "from assay.kernel.errors import Fault\nfrom assay.packs.build import build_pack\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (900, 900))\n"
        "try:\n    build_pack(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "except Fault as fault:\n    print(fault.code, fault)\n"
    )
    out = recipe.parents[1] / "pack"
    run = subprocess.run(
        [sys.executable, "-c", program, str(recipe), str(out)], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("fault.disk ")
    assert run.stdout.count("\n") == 1
    assert [path.name for path in recipe.parents[1].iterdir()] == ["recipes"]


def test_a_fault_of_the_disk_is_a_fault(recipe: Path) -> None:
    out = recipe.parents[1] / "file" / "pack"
    out.parent.write_text("a file where a folder is needed")
    with pytest.raises(Fault, match="make room or choose another"):
        build_pack(recipe, out)


def test_a_kill_in_the_middle_leaves_the_old_pack_or_the_new_one(recipe: Path) -> None:
    """Killed at many moments, the place holds a whole pack or none, and what opens has one of two digests."""
    out = recipe.parents[1] / "pack"
    old = build(recipe).digest
    rows = "".join(f"{number}-00-0\tx\t{number}\t0.1\t\t1\n" for number in range(100, 700))
    (recipe.parent / "raw" / "table.tsv").write_text(TABLE + rows)
    recipe.write_text(RECIPE.replace('ethanol = "K"', 'ethanol = "K", x = "K"'))
    program = (
        "import sys\nfrom pathlib import Path\nfrom assay.packs.build import build_pack\n"
        "def told(what, done, total):\n    print(what, flush=True)\n"
        "print(build_pack(Path(sys.argv[1]), Path(sys.argv[2]), told, replace_old=True).digest, flush=True)\n"
    )
    seen = set()
    for wait_s in (0.0, 0.01, 0.02, 0.04, 0.08, 0.16):
        for left in (".pack.building", ".pack.replaced"):
            if (out.parent / left).exists():
                (out.parent / left).rename(out.parent / f"left-{len(list(out.parent.iterdir()))}")
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(recipe), str(out)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait_s)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        digest = open_pack(out).digest
        assert check_pack(out).is_sound
        seen.add(digest)
    new = build_pack(recipe, recipe.parents[1] / "whole").digest
    assert seen <= {old, new}
    assert old in seen
