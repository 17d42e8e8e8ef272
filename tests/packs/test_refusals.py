"""What spec/pack.md §4 refuses, a named row a refusal: code, and the words that name the place."""

# ruff: noqa: E501 - a refusal is one row, so that the rows can be read as a list

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.packs.making import Tables, cells, fact, prop, row, source, tables, write_pack

from assay.kernel.errors import InvalidPack
from assay.packs.loader import open_pack
from assay.packs.patterns import pattern_fault

Change = Callable[[Tables], object]


def test_the_pack_that_the_changes_start_from_opens(tmp_path: Path) -> None:
    assert open_pack(write_pack(tmp_path / "pack")).digest.startswith("sha256:")


def put(table: str, index: int, **new: str) -> Change:
    return lambda content: content[table][index].update(new)


def add(table: str, line: dict[str, str]) -> Change:
    return lambda content: content[table].append(line)


def mill(name: str, **cells_: str) -> Change:
    return add("facts", fact("n1", "bridge:MILL", name, **{"source": "map-2", **cells_}))


ROWS = [
    # facts: values of each kind
    pytest.param(mill("arches", value="3.0"), "pack.value", "facts.csv line 17 fact `n1`", id="a fraction is no integer"),
    pytest.param(mill("arches", value="03"), "pack.value", "value.grammar", id="a leading zero"),
    pytest.param(mill("arches", value=" 3"), "pack.value", "white space", id="padding"),
    pytest.param(mill("arches", value="٣"), "pack.value", "integer", id="Arabic-Indic digits"),
    pytest.param(mill("arches", value="9" * 101), "pack.value", "too_long", id="an over-long number"),
    pytest.param(mill("arches", value=""), "pack.value", "blank", id="a blank is no fact"),
    pytest.param(mill("slope", value="NaN"), "pack.value", "decimal", id="not a number"),
    pytest.param(mill("slope", value="Infinity"), "pack.value", "decimal", id="infinity"),
    pytest.param(mill("slope", value="1e999"), "pack.value", "too_long", id="an exponent beyond the grammar"),
    pytest.param(mill("slope", value="-0"), "pack.value", "grammar", id="negative zero"),
    pytest.param(mill("slope", value="-1"), "pack.value", "missing", id="a missing token is no fact"),
    pytest.param(mill("slope", value="3", raw="n/a"), "pack.value", "missing", id="a missing token as the raw spelling"),
    pytest.param(mill("material", value="wood"), "pack.value", "vocabulary", id="a word outside the vocabulary"),
    pytest.param(mill("material", value="Stone"), "pack.value", "vocabulary", id="case counts in a vocabulary"),
    pytest.param(mill("name", value="mill"), "pack.value", "CURIE", id="an identifier without its prefix"),
    pytest.param(mill("name", value="other:mill"), "pack.value", "prefix", id="an identifier of another prefix"),
    pytest.param(mill("open", value="yes"), "pack.value", "true", id="a boolean in other words"),
    pytest.param(mill("built", value="1850-02-30"), "pack.value", "YYYY-MM-DD", id="a day that does not exist"),
    pytest.param(mill("sequence", value="MVLs"), "pack.value", "letters", id="a lower-case residue"),
    pytest.param(mill("sequence", value="M" * 1_000_001), "pack.size", "1000000", id="an absurd sequence"),
    pytest.param(mill("tags", value="older"), "pack.value", "vocabulary", id="a set's member outside the vocabulary"),
    pytest.param(mill("arches", value="3", lower="1"), "pack.value", "bounds", id="a value beside bounds"),
    pytest.param(mill("lanes", value="1"), "pack.value", "beside", id="an interval with a value"),
    pytest.param(mill("lanes", lower="1", upper="2", bounds="[["), "pack.value", "bounds", id="unknown bounds"),
    pytest.param(mill("lanes", bounds="()"), "pack.value", "says nothing", id="an interval without any bound"),
    pytest.param(mill("lanes", lower="1", bounds="[]"), "pack.value", "unbounded", id="an unbounded side that is closed"),
    pytest.param(mill("lanes", lower="2", upper="1", bounds="[]"), "pack.value", "without members", id="bounds crossed"),
    pytest.param(mill("lanes", lower="2", upper="2", bounds="[)"), "pack.value", "without members", id="half-open and empty"),
    pytest.param(mill("lanes", lower="1.5", upper="2", bounds="[]"), "pack.value", "bound", id="a fraction as an integer's bound"),
    pytest.param(mill("slope", lower="1", bounds="[)"), "pack.value", "cut off", id="a cut-off decimal with one end"),
    pytest.param(mill("slope", lower="1", upper="2", bounds="[]"), "pack.value", "cut off", id="a cut-off decimal that is closed"),
    pytest.param(mill("slope", lower="2", upper="1", bounds="[)"), "pack.value", "without members", id="a cut-off decimal crossed"),
    pytest.param(mill("slope", lower="1", upper="2", bounds="(]"), "pack.value", "above zero", id="a cut-off decimal mirrored above zero"),
    pytest.param(mill("slope", lower="-2", upper="-1", bounds="[)"), "pack.value", "below zero", id="a cut-off decimal not mirrored below zero"),
    pytest.param(mill("slope", lower="-1", upper="1", bounds="(]"), "pack.value", "above zero", id="a cut-off decimal across zero"),
    pytest.param(mill("lanes", lower="1", upper="2", bounds="()"), "pack.value", "without members", id="no integer between open bounds"),
    pytest.param(mill("lanes", lower="1", upper="1", bounds="(]"), "pack.value", "without members", id="no integer in a half-open point"),
    # facts: units and uncertainty
    pytest.param(mill("span", value="5", unit="furlong"), "pack.unit", "m, km", id="an unknown unit"),
    pytest.param(mill("span", value="5"), "pack.unit", "m, km", id="a quantity without its unit"),
    pytest.param(mill("span", value="5", unit="s"), "pack.unit", "m, km", id="a unit of another dimension"),
    pytest.param(mill("arches", value="5", unit="m"), "pack.unit", "without units", id="a unit where there is none"),
    pytest.param(mill("reach", lower="5", bounds="[)"), "pack.unit", "m, km", id="an interval without its unit"),
    pytest.param(mill("span", value="5", unit="m", uncertainty="-1", uncertainty_kind="standard"), "pack.uncertainty", "negative", id="a negative uncertainty"),
    pytest.param(mill("span", value="5", unit="m", uncertainty="1"), "pack.uncertainty", "kind", id="an uncertainty without its kind"),
    pytest.param(mill("span", value="5", unit="m", uncertainty="1", uncertainty_kind="exact"), "pack.uncertainty", "exact", id="exact with a number"),
    pytest.param(mill("span", value="5", unit="m", uncertainty="x", uncertainty_kind="k=2"), "pack.uncertainty", "decimal", id="an uncertainty that is no number"),
    pytest.param(mill("span", value="5", unit="m", uncertainty="1", uncertainty_kind="asymmetric"), "pack.uncertainty", "two", id="one-sided asymmetric"),
    pytest.param(mill("span", value="5", unit="m", uncertainty="1", uncertainty_kind="1 sigma"), "pack.word", "asymmetric", id="an unknown uncertainty kind"),
    pytest.param(mill("arches", value="5", uncertainty="1", uncertainty_kind="standard"), "pack.uncertainty", "integer", id="an uncertain integer"),
    pytest.param(mill("span", value="0.869", unit="m"), "pack.implausible", "plausible range 1 to 5000 m", id="below the plausible range"),
    pytest.param(mill("span", value="5.1", unit="km"), "pack.implausible", "5.1 km", id="above it, in another unit"),
    # facts: the frame
    pytest.param(mill("length", value="8"), "pack.origin", "computed", id="a fact of a computed property"),
    pytest.param(mill("height", value="8"), "pack.dangling", "height", id="an undeclared property"),
    pytest.param(mill("arches", value="5", source="map-9"), "pack.dangling", "map-9", id="an undeclared source"),
    pytest.param(mill("arches", value="5", asserted_by="map-9"), "pack.dangling", "asserted_by", id="an undeclared witness"),
    pytest.param(mill("open", value="true", condition="spring"), "pack.word", "summer, winter", id="a word outside a dimension"),
    pytest.param(mill("open", value="true", referent="deck"), "pack.word", "none is declared", id="a dimension that is not declared"),
    pytest.param(mill("open", value="true", definition="legal"), "pack.word", "definition", id="another that is not declared"),
    pytest.param(mill("arches", value="5", method="guessed"), "pack.word", "predicted", id="an unknown method"),
    pytest.param(mill("arches", value="5", rank="best"), "pack.word", "deprecated", id="an unknown rank"),
    pytest.param(mill("arches", value="5", argument=" x"), "pack.cell", "argument", id="a padded argument"),
    pytest.param(mill("arches", value="5", raw="5" * 1025), "pack.size", "1024", id="an over-long raw spelling"),
    pytest.param(put("facts", 0, entity="mill"), "pack.cell", "CURIE", id="an entity that is no CURIE"),
    pytest.param(put("facts", 0, entity="bridge:" + "M" * 128), "pack.cell", "CURIE", id="an over-long entity"),
    pytest.param(put("facts", 0, fact_id="f 1"), "pack.cell", "fact_id", id="a fact_id with a space"),
    pytest.param(put("facts", 1, fact_id="f1"), "pack.duplicate", "line 3", id="a fact_id twice"),
    pytest.param(put("facts", 1, locator=""), "pack.locator", "needed", id="no locator into the source's file"),
    pytest.param(put("facts", 0, locator="bytes=0-1"), "pack.locator", "file", id="a locator without a file"),
    pytest.param(put("facts", 1, locator="page 3"), "pack.locator", "bytes=START-END", id="a locator in no form"),
    pytest.param(put("facts", 1, locator="bytes=5-5"), "pack.locator", "bytes=START-END", id="an empty range"),
    pytest.param(put("facts", 1, locator="bytes=5-9+7-11"), "pack.locator", "bytes=START-END", id="ranges that overlap"),
    pytest.param(mill("arches", value="4", source="map-1"), "pack.key", "line 4", id="two values under one key"),
    pytest.param(mill("arches", value="3", source="map-1"), "pack.key", "one key", id="one value twice under one key"),
    pytest.param(mill("name", value="bridge.name:mill", source="map-1"), "pack.key", "one key", id="a member twice"),
    # quarantine
    pytest.param(put("quarantine", 0, reason=""), "pack.cell", "quarantine.csv line 2", id="a row set aside without a reason"),
    pytest.param(put("quarantine", 0, source="map-9"), "pack.dangling", "map-9", id="a row set aside of an undeclared source"),
    pytest.param(put("quarantine", 0, fact_id="f1"), "pack.duplicate", "quarantine.csv line 2", id="a fact_id in both tables"),
    # aliases
    pytest.param(put("aliases", 0, entity="bridge:NONE"), "pack.dangling", "states nothing", id="a dangling alias"),
    pytest.param(put("aliases", 0, source="map-9"), "pack.dangling", "map-9", id="an alias of an undeclared source"),
    pytest.param(put("aliases", 0, kind="nickname"), "pack.word", "approved", id="an unknown alias kind"),
    pytest.param(put("aliases", 0, entity=""), "pack.cell", "deleted", id="an alias to nothing that is not deleted"),
    pytest.param(put("aliases", 1, entity="bridge:MILL"), "pack.cell", "deleted", id="a deleted alias that leads somewhere"),
    pytest.param(put("aliases", 0, entity="mill"), "pack.cell", "CURIE", id="an alias to no CURIE"),
    pytest.param(put("aliases", 0, alias="bridge:MILL"), "pack.cell", "other than the entity", id="an alias to itself"),
    pytest.param(put("aliases", 0, alias=""), "pack.cell", "1 to 256", id="an empty alias"),
    pytest.param(put("aliases", 0, locator="bytes=0-1"), "pack.locator", "file", id="an alias with a locator into nothing"),
    pytest.param(put("aliases", 3, locator="somewhere"), "pack.locator", "bytes", id="an alias with a locator in no form"),
    pytest.param(lambda content: content["aliases"].append(content["aliases"][0]), "pack.duplicate", "line 6", id="an alias row twice"),
    # sources
    pytest.param(add("sources", source("map-1")), "pack.duplicate", "sources.csv line 6", id="a source twice"),
    pytest.param(add("sources", source("map 3")), "pack.cell", "source `map 3`", id="a source's name with a space"),
    pytest.param(add("sources", source("map-3", supersedes="map-1")), "pack.fork", "map-2", id="a fork of supersession"),
    pytest.param(put("sources", 0, supersedes="map-2"), "pack.cycle", "cycle", id="a cycle of supersession"),
    pytest.param(put("sources", 0, copied_from="copy"), "pack.cycle", "cycle", id="a cycle of copies"),
    pytest.param(put("sources", 0, supersedes="map-0"), "pack.dangling", "another source", id="a dangling supersedes"),
    pytest.param(put("sources", 0, supersedes="map-1"), "pack.dangling", "another source", id="a source that supersedes itself"),
    pytest.param(put("sources", 3, copied_from="map-0"), "pack.dangling", "another source", id="a dangling copied_from"),
    pytest.param(put("sources", 0, status="old"), "pack.word", "retracted", id="an unknown status"),
    pytest.param(put("sources", 0, coverage="most"), "pack.word", "complete", id="an unknown coverage"),
    pytest.param(put("sources", 0, credible="true"), "pack.word", "yes, no", id="a boolean cell in other words"),
    pytest.param(put("sources", 1, namespaces=""), "pack.cell", "complete coverage", id="complete coverage of nothing"),
    pytest.param(put("sources", 1, namespaces="b ridge"), "pack.cell", "prefixes", id="a namespace that is no prefix"),
    pytest.param(put("sources", 1, namespaces="bridge|bridge"), "pack.cell", "different", id="a list that names one twice"),
    pytest.param(put("sources", 1, namespaces="bridge||x"), "pack.cell", "non-empty", id="a list with an empty member"),
    pytest.param(put("sources", 0, date="1999-13"), "pack.cell", "YYYY", id="a month that does not exist"),
    pytest.param(put("sources", 0, title="t" * 1025), "pack.cell", "1024", id="an over-long title"),
    pytest.param(put("sources", 0, bytes="5"), "pack.cell", "file", id="a size without a file"),
    pytest.param(put("sources", 0, sha256="0" * 64), "pack.cell", "file", id="a digest without a file"),
    pytest.param(put("sources", 2, sha256="A" * 64), "pack.cell", "lower case", id="a digest in upper case"),
    pytest.param(put("sources", 2, bytes="1e3"), "pack.cell", "size", id="a size that is no integer"),
    pytest.param(put("sources", 2, sha256="0" * 64), "pack.digest", "source `table`", id="a raw file's digest that differs"),
    pytest.param(put("sources", 2, bytes="1"), "pack.digest", "1 bytes", id="a raw file's size that differs"),
    pytest.param(put("sources", 2, file="table.tsv"), "pack.path", "raw/", id="a raw file beside the tables"),
    pytest.param(put("sources", 2, file="raw/../../table.tsv"), "pack.path", "leaves the pack", id="a raw file outside the pack"),
    pytest.param(put("sources", 2, file="/etc/hostname"), "pack.path", "leaves the pack", id="an absolute path"),
    pytest.param(put("sources", 2, file="raw/none.tsv"), "pack.missing", "raw/none.tsv", id="a raw file that is not there"),
    # properties
    pytest.param(add("properties", prop("span", "integer")), "pack.duplicate", "properties.csv line 14", id="a property twice"),
    pytest.param(add("properties", prop("two words", "integer")), "pack.cell", "property", id="a property's name with a space"),
    pytest.param(put("properties", 1, kind="number"), "pack.word", "integer", id="an unknown kind"),
    pytest.param(put("properties", 4, element="category"), "pack.word", "integer, decimal", id="an interval of words"),
    pytest.param(put("properties", 1, element="integer"), "pack.word", "element", id="an element where there is none"),
    pytest.param(put("properties", 0, cardinality="many"), "pack.cell", "cardinality", id="many quantities"),
    pytest.param(put("properties", 11, cardinality="one"), "pack.cell", "cardinality", id="a set of cardinality one"),
    pytest.param(put("properties", 2, vocabulary=""), "pack.word", "closed vocabulary", id="a category without vocabulary"),
    pytest.param(put("properties", 1, vocabulary="x"), "pack.word", "closed vocabulary", id="an integer with vocabulary"),
    pytest.param(put("properties", 2, vocabulary="brick|" + "x" * 129), "pack.cell", "grammar", id="a word that is too long"),
    pytest.param(put("properties", 3, prefix="a b"), "pack.cell", "grammar", id="a prefix outside the grammar"),
    pytest.param(put("properties", 1, prefix="bridge"), "pack.cell", "identifier", id="a prefix of an integer"),
    pytest.param(put("properties", 2, label="stone"), "pack.cell", "label", id="a label of a category"),
    pytest.param(put("properties", 0, units="m|furlong"), "pack.unit", "furlong", id="a unit that is not declared"),
    pytest.param(put("properties", 1, units="m"), "pack.unit", "quantities", id="an integer with units"),
    pytest.param(put("properties", 0, units="", unit=""), "pack.unit", "at least one", id="a quantity without units"),
    pytest.param(put("properties", 0, unit="s"), "pack.unit", "own units", id="a canonical unit that is not accepted"),
    pytest.param(put("properties", 0, unit=""), "pack.unit", "plausible range", id="a plausible range without its unit"),
    pytest.param(put("properties", 0, plausible_min="low"), "pack.number", "decimal", id="a plausible bound that is no number"),
    pytest.param(put("properties", 0, plausible_max="1e401"), "pack.number", "decimal", id="one beyond the grammar"),
    pytest.param(put("properties", 0, plausible_min="6000"), "pack.number", "below", id="plausible bounds crossed"),
    pytest.param(put("properties", 0, competing="season"), "pack.word", "dimensions", id="an unknown dimension competes"),
    pytest.param(put("properties", 0, competing="condition"), "pack.word", "dimensions", id="an undeclared dimension competes"),
    pytest.param(put("properties", 0, prefer="map-9"), "pack.dangling", "sources", id="an undeclared source is preferred"),
    pytest.param(put("properties", 7, computed_by=""), "pack.cell", "derivation", id="computed by nothing"),
    pytest.param(put("properties", 1, computed_by="count(sequence)"), "pack.cell", "derivation", id="stated and computed"),
    pytest.param(put("properties", 7, computed_by="count_residues(letters)"), "pack.dangling", "declared", id="computed from nothing"),
    pytest.param(put("properties", 7, origin="guessed"), "pack.word", "stated, computed", id="an unknown origin"),
    # units and namespaces
    pytest.param(add("units", row("units", unit="m", dimension="length", factor="2")), "pack.duplicate", "units.csv line 5", id="a unit twice"),
    pytest.param(add("units", row("units", unit=" x", dimension="length", factor="2")), "pack.cell", "unit", id="a padded unit"),
    pytest.param(put("units", 0, dimension=""), "pack.cell", "dimension", id="a unit without dimension"),
    pytest.param(put("units", 0, factor="0"), "pack.number", "positive", id="a factor of zero"),
    pytest.param(put("units", 0, factor="-1"), "pack.number", "positive", id="a negative factor"),
    pytest.param(put("units", 0, factor="1/0"), "pack.number", "positive", id="a factor over zero"),
    pytest.param(put("units", 0, factor="0.1.2"), "pack.number", "positive", id="a factor that is no number"),
    pytest.param(put("units", 0, factor="1e100"), "pack.number", "units.csv line 2: factor `1e100`; unit `m` needs", id="a factor that the kernel does not admit"),
    pytest.param(put("units", 0, factor="1e60"), "pack.number", "60 digits", id="a factor of 61 digits"),
    pytest.param(put("units", 0, factor="1e-60"), "pack.number", "60 digits", id="a divisor of 61 digits"),
    pytest.param(put("units", 0, offset="-1e60"), "pack.number", "offset `-1e60`; unit `m` needs", id="an offset of 61 digits"),
    pytest.param(put("units", 0, offset="x"), "pack.number", "offset", id="an offset that is no number"),
    pytest.param(add("namespaces", row("namespaces", namespace="bridge", case="exact", private="no")), "pack.duplicate", "namespaces.csv line 3", id="a namespace twice"),
    pytest.param(put("namespaces", 0, namespace="b ridge"), "pack.cell", "prefix", id="a namespace with a space"),
    pytest.param(put("namespaces", 0, case="lower"), "pack.word", "exact, upper", id="an unknown case rule"),
    pytest.param(put("namespaces", 0, pattern="("), "pack.cell", "regular expression", id="a pattern that does not compile"),
    pytest.param(put("namespaces", 0, pattern="a{99999999999}"), "pack.cell", "namespaces.csv line 2", id="a pattern with a repetition that is too large"),
    pytest.param(put("namespaces", 0, pattern="(?i)(?L)a"), "pack.cell", "regular expression", id="a pattern with flags that exclude each other"),
    pytest.param(put("namespaces", 0, version="-"), "pack.word", "version", id="an unknown version mark"),
    pytest.param(put("namespaces", 0, version=".", version_property="edition"), "pack.dangling", "version_property", id="a version property that is not declared"),
    pytest.param(put("namespaces", 0, private="maybe"), "pack.word", "yes, no", id="a private cell in other words"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "words"), ROWS)
def test_a_row_that_is_wrong_is_refused(tmp_path: Path, change: Change, code: str, words: str) -> None:
    content = tables()
    change(content)
    pack = write_pack(tmp_path / "pack", content)
    with pytest.raises(InvalidPack) as refused:
        open_pack(pack)
    message = str(refused.value)
    assert refused.value.code == code, message
    assert words in message
    assert "\n" not in message
    assert "; " in message, "what was found; what is needed"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(mill("lanes", lower="1", upper="3", bounds="()"), id="one integer between open bounds"),
        pytest.param(mill("lanes", lower="2", bounds="()"), id="no upper bound"),
        pytest.param(
            mill("slope", lower="-2", upper="-1", bounds="(]", method="measured"), id="a cut-off decimal below zero"
        ),
        pytest.param(
            mill("slope", lower="0", upper="1", bounds="[)", method="measured"), id="a cut-off decimal at zero"
        ),
        pytest.param(put("units", 2, factor="9" * 60), id="a factor of 60 digits"),
        pytest.param(put("namespaces", 0, pattern="[[a]"), id="a pattern of which Python warns"),
        pytest.param(put("namespaces", 0, pattern="(a+)+b"), id="a pattern that would be slow to match"),
    ],
)
def test_what_stands_beside_a_refusal_opens(tmp_path: Path, change: Change) -> None:
    content = tables()
    change(content)
    open_pack(write_pack(tmp_path / "pack", content))


@pytest.mark.parametrize("pattern", ["(", "a{99999999999}", "(" * 90_000 + ")" * 90_000, b"("])
def test_a_pattern_that_does_not_compile_has_its_fault_in_words(pattern: str | bytes) -> None:
    assert pattern_fault(pattern)
    assert pattern_fault("a{2}") == ""


HEADER = cells("facts", [])
LINE = cells("facts", [tables()["facts"][0]]).split(b"\n")[1]

BYTES = [
    pytest.param(b"", "pack.truncated", id="an empty file"),
    pytest.param(HEADER + LINE, "pack.truncated", id="the last line without its end"),
    pytest.param(b"\xef\xbb\xbf" + HEADER, "pack.control", id="a byte-order mark"),
    pytest.param(HEADER + LINE.replace(b"12.5", b"12.5\0") + b"\n", "pack.control", id="a NUL byte"),
    pytest.param(HEADER + LINE.replace(b"12.5", b"12\r5") + b"\n", "pack.control", id="a bare carriage return"),
    pytest.param(HEADER + LINE.replace(b"12.5", "12\u2028".encode()) + b"\n", "pack.control", id="a line separator"),
    pytest.param(HEADER + LINE.replace(b"12.5", "12\u0085".encode()) + b"\n", "pack.control", id="a next-line control"),
    pytest.param(HEADER + LINE.replace(b"12.5", b"12\xff") + b"\n", "pack.encoding", id="bytes that are not UTF-8"),
    pytest.param(HEADER + LINE.replace(b"12.5", b'1"2"') + b"\n", "pack.quoting", id="a quote inside a bare cell"),
    pytest.param(HEADER + LINE.replace(b"12.5", b'"12"5') + b"\n", "pack.quoting", id="text after a closing quote"),
    pytest.param(HEADER + LINE.replace(b"12.5", b'"12') + b"\n", "pack.quoting", id="a quote that is not closed"),
    pytest.param(HEADER + LINE + b",\n", "pack.ragged", id="a cell too many"),
    pytest.param(HEADER + b"f1,bridge:MILL\n", "pack.ragged", id="cells too few"),
    pytest.param(HEADER + b"f1\n", "pack.ragged", id="a line of one cell"),
    pytest.param(HEADER + b"\n", "pack.ragged", id="a blank line"),
    pytest.param(HEADER.replace(b"argument", b"value"), "pack.column", id="a column twice"),
    pytest.param(HEADER.replace(b"argument", b"position"), "pack.column", id="an unknown column"),
    pytest.param(HEADER.replace(b",raw", b""), "pack.column", id="a missing column"),
    pytest.param(HEADER.replace(b"argument", b'"argument"x'), "pack.quoting", id="bad quoting in the header"),
]


@pytest.mark.parametrize(("data", "code"), BYTES)
def test_a_table_that_is_no_strict_csv_is_refused(tmp_path: Path, data: bytes, code: str) -> None:
    pack = write_pack(tmp_path / "pack", facts=data)
    with pytest.raises(InvalidPack, match=r"facts\.csv") as refused:
        open_pack(pack)
    assert refused.value.code == code


RESOURCES = [{"name": name, "path": f"{name}.csv"} for name in ("facts", "sources", "properties")]


def descriptor(**changed: object) -> bytes:
    return json.dumps({"name": "small", "resources": RESOURCES, **changed}).encode()


def resource(**changed: object) -> bytes:
    return descriptor(resources=[{**RESOURCES[0], **changed}, *RESOURCES[1:]])


DESCRIPTORS = [
    pytest.param(b"{", "pack.json", id="no JSON"),
    pytest.param(b"[]", "pack.json", id="no object"),
    pytest.param(b"\xff", "pack.json", id="not UTF-8"),
    pytest.param(b"[" * 100_000, "pack.json", id="nested without end"),
    pytest.param(b'{"name":"a","name":"b"}', "pack.json", id="a key twice"),
    pytest.param(b'{"name":"a","x":NaN}', "pack.json", id="not a number"),
    pytest.param(b"x" * (2**20 + 1), "pack.size", id="an absurd size"),
    pytest.param(descriptor(name="Small Pack"), "pack.descriptor", id="a name with spaces"),
    pytest.param(descriptor(name=5), "pack.descriptor", id="a name that is no text"),
    pytest.param(descriptor(resources=[]), "pack.descriptor", id="no resources"),
    pytest.param(descriptor(resources=RESOURCES[1:]), "pack.descriptor", id="no facts"),
    pytest.param(descriptor(resources=["facts.csv"]), "pack.descriptor", id="a resource that is no object"),
    pytest.param(descriptor(resources=[*RESOURCES, RESOURCES[0]]), "pack.descriptor", id="a resource twice"),
    pytest.param(descriptor(resources=[*RESOURCES, {"name": "x", "path": "x.csv"}]), "pack.descriptor", id="an unknown table"),
    pytest.param(resource(path=["a.csv", "b.csv"]), "pack.descriptor", id="several paths"),
    pytest.param(resource(path="../facts.csv"), "pack.path", id="a table outside the pack"),
    pytest.param(resource(encoding="latin-1"), "pack.descriptor", id="another encoding"),
    pytest.param(resource(compression="zip"), "pack.descriptor", id="another compression"),
    pytest.param(resource(compression="gz"), "pack.descriptor", id="compression without the suffix"),
    pytest.param(resource(dialect={"delimiter": ";"}), "pack.descriptor", id="a dialect"),
    pytest.param(resource(bytes="12"), "pack.descriptor", id="a size that is no integer"),
    pytest.param(resource(hash="md5:0"), "pack.descriptor", id="a weak hash"),
    pytest.param(resource(hash="sha256:" + "0" * 64), "pack.digest", id="a digest that differs"),
    pytest.param(resource(bytes=1), "pack.digest", id="a size that differs"),
    pytest.param(resource(path="none.csv"), "pack.missing", id="a table that is not there"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "code"), DESCRIPTORS)
def test_a_descriptor_that_is_wrong_is_refused(tmp_path: Path, data: bytes, code: str) -> None:
    pack = write_pack(tmp_path / "pack", descriptor=data)
    with pytest.raises(InvalidPack) as refused:
        open_pack(pack)
    assert refused.value.code == code


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidPack, match="name a pack's folder"):
        open_pack(tmp_path / "nowhere")
