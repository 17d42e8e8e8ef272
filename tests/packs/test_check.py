"""`pack check` finds what opening takes on trust: a spelling that is not where its locator says."""

# ruff: noqa: E501 - a case is one row, so that the rows can be read as a list

from pathlib import Path

import pytest
from tests.packs.making import RAW, Row, fact, row, tables, write_pack

from assay.packs.check import check_locators, check_pack
from assay.packs.loader import read_contents
from assay.packs.locators import ByteRanges, TableCell, bytes_locator, cell_locator, parse_locator


def problems(folder: Path, *facts: Row, aliases: tuple[Row, ...] = ()) -> list[str]:
    content = tables()
    content["facts"] = [content["facts"][0], *facts]
    content["aliases"] = [line for line in content["aliases"] if not line["locator"]] + list(aliases)
    content["quarantine"] = []
    return check_locators(read_contents(write_pack(folder / "pack", content)))[1]


def cell(value: str, raw: str, name: str = "arches", **cells: str) -> Row:
    locator = cells.pop("locator", "row=name:mill;column=value")
    return fact("c1", "bridge:STATION", name, value=value, raw=raw, locator=locator, source="table", **cells)


SOUND = [
    pytest.param(cell("12.5", "12.5", "span", unit="m"), id="a number as it is spelt"),
    pytest.param(cell("13", "12.5", "span", unit="m"), id="a number rounded to its last digit"),
    pytest.param(cell("stone", "12.5", "material"), id="a category that was decoded"),
    pytest.param(cell("bridge.name:mill", "mill", "name", locator="row=name:mill;column=name"), id="an identifier's local part"),
    pytest.param(cell("old", "4", "tags", locator="row=name:station;column=value"), id="a set's category"),
]  # fmt: skip


@pytest.mark.parametrize("line", SOUND)
def test_a_spelling_that_is_there_is_found(tmp_path: Path, line: Row) -> None:
    assert problems(tmp_path, line) == []


UNSOUND = [
    pytest.param(cell("12.7", "12.7", "span", unit="m"), "holds `12.5`", id="another spelling"),
    pytest.param(cell("12.6", "12.5", "span", unit="m"), "does not follow", id="a value that does not follow"),
    pytest.param(cell("12", "12.", "span", unit="m"), "holds", id="a part of the spelling"),
    pytest.param(cell("14", "12.5", "span", unit="m"), "does not follow", id="a value off by more than its last digit"),
    pytest.param(cell("3", "stone", locator="row=name:mill;column=name"), "holds `mill`", id="a word for a number"),
    pytest.param(cell("3", "mill", locator="row=name:mill;column=name"), "does not follow", id="a number from a word"),
    pytest.param(cell("bridge.name:mule", "mill", "name", locator="row=name:mill;column=name"), "does not follow", id="another identifier"),
    pytest.param(cell("4", "4", locator="row=name:none;column=value"), "nowhere", id="a row that is not there"),
    pytest.param(cell("4", "4", locator="row=none:mill;column=value"), "nowhere", id="a key column that is not there"),
    pytest.param(cell("4", "4", locator="row=name:mill;column=none"), "nowhere", id="a column that is not there"),
    pytest.param(cell("4", "4", locator="bytes=0-999"), "nowhere", id="bytes beyond the end"),
    pytest.param(cell("4", "4", locator="bytes=0-4"), "holds `name`", id="other bytes"),
    pytest.param(cell("MV", "", "sequence", locator="bytes=0-4"), "sequence", id="another sequence"),
    pytest.param(cell("", "12.5", "lanes", lower="12", upper="13", bounds="[]"), "does not follow", id="bounds from elsewhere"),
    pytest.param(cell("", "12.5", "slope", lower="12.5", upper="12.6", bounds="[)"), "does not follow", id="cut off, but not in the source"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words"), UNSOUND)
def test_a_spelling_that_is_not_there_is_a_problem(tmp_path: Path, line: Row, words: str) -> None:
    [problem] = problems(tmp_path, line)
    assert problem.startswith("facts.csv line 3: ")
    assert words in problem


def alias(text: str, locator: str) -> Row:
    return row("aliases", alias=text, entity="bridge:MILL", kind="alias", source="table", locator=locator)


def test_aliases_are_looked_up_too(tmp_path: Path) -> None:
    sound = (alias("mill", "row=name:mill;column=name"), alias("x:station", "bytes=21-28"))
    [problem] = problems(tmp_path, aliases=(*sound, alias("mule", "row=name:mill;column=name")))
    assert "alias `mule` is not at" in problem


def test_problems_end_at_a_hundred(tmp_path: Path) -> None:
    lines = [{**cell("7", "7"), "fact_id": f"c{number}", "argument": str(number)} for number in range(150)]
    assert len(problems(tmp_path, *lines)) == 100


def test_a_locked_pack_says_which_raw_file_changed(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    report = check_pack(pack)
    assert (report.locked, report.is_sound, report.locators) == (False, True, 2)
    assert report.rows["facts"] == 15


def test_progress_is_told_of_locators(tmp_path: Path) -> None:
    content = tables()
    line = cell("12.5", "12.5", "slope")
    content["facts"] = [{**line, "fact_id": f"c{number}", "argument": str(number)} for number in range(1000)]
    content["aliases"] = []
    told: list[tuple[str, int, int]] = []
    found = check_locators(read_contents(write_pack(tmp_path / "pack", content)), lambda *at: told.append(at))
    assert found == (1000, [])
    assert told == [("reading locators", 1000, 1000)]


@pytest.mark.parametrize(
    ("text", "locator"),
    [
        ("bytes=0-4", ByteRanges(((0, 4),))),
        ("bytes=0-4+9-12", ByteRanges(((0, 4), (9, 12)))),
        ("row=id:5;column=Tc", TableCell((("id", "5"),), "Tc")),
        ("row=id:HGNC:5;row=set:a%3Bb;column=a%3Ab c", TableCell((("id", "HGNC:5"), ("set", "a;b")), "a:b c")),
        ("row=id:;column=x", TableCell((("id", ""),), "x")),
    ],
)
def test_a_locator_is_read_and_written(text: str, locator: ByteRanges | TableCell) -> None:
    assert parse_locator(text) == locator
    match locator:
        case ByteRanges(ranges):
            assert bytes_locator(*ranges) == text
        case TableCell(keys, column):
            assert cell_locator(keys, column) == text


@pytest.mark.parametrize(
    "text",
    ["", "bytes=", "bytes=4-4", "bytes=5-4", "bytes=00-4", "bytes=-1-4", "bytes=0-4+3-5", "bytes=0-9" + "9" * 20, "row=id:5", "column=x", "row=id;column=x", "line=5", "bytes=٠-٤"],
)  # fmt: skip
def test_what_is_no_locator_is_none(text: str) -> None:
    assert parse_locator(text) is None


def test_the_raw_table_of_these_tests() -> None:
    assert RAW[21:28] == b"station"[:7]
