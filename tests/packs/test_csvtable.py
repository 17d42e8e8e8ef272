"""Strict CSV: laws on all input, and the places where the standard library's reader is lenient."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.kernel.errors import InvalidPack
from assay.packs.csvtable import join_line, read_table, split_line, split_lines, write_table

CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff"), max_size=12)
SPICY = st.text(st.sampled_from('ab",  '), max_size=14)


@given(st.lists(CELL, min_size=1, max_size=6))
def test_what_is_written_is_read_back(cells: list[str]) -> None:
    assert split_line(join_line(cells)) == cells


@given(st.lists(st.tuples(CELL, CELL), max_size=6))
def test_a_written_table_is_read_back(rows: list[tuple[str, str]]) -> None:
    table = read_table("t", "t.csv", write_table(("x", "y"), rows), ("x", "y"))
    assert [table.row(index) for index in range(len(table))] == rows
    assert table.column("y") == [second for _, second in rows]


@given(SPICY)
def test_what_is_accepted_means_what_every_csv_reader_reads(line: str) -> None:
    cells = split_line(line)
    if cells is not None and line:
        assert next(csv.reader(io.StringIO(line), strict=True)) == cells


@given(SPICY)
def test_what_is_accepted_has_one_writing_up_to_needless_quotes(line: str) -> None:
    cells = split_line(line)
    if cells is not None:
        assert split_line(join_line(cells)) == cells


@pytest.mark.parametrize(
    "line",
    [
        pytest.param('a"b,c', id="a quote inside a bare cell"),
        pytest.param(' "a",b', id="a space before a quote"),
        pytest.param('"a" ,b', id="a space after a quote"),
        pytest.param('"a"b,c', id="text after a closing quote"),
        pytest.param('"a', id="a quote that is not closed"),
        pytest.param('a,""b"', id="quotes out of pairs"),
    ],
)
def test_bad_quoting_is_no_line(line: str) -> None:
    assert split_line(line) is None


def test_columns_may_stand_in_any_order() -> None:
    table = read_table("t", "t.csv", b"y,x\n1,2\n", ("x", "y"))
    assert table.row(0) == ("2", "1")
    assert table.column("x") == ["2"]


def test_line_ends_of_either_kind_are_read_alike() -> None:
    assert split_lines("t.csv", b"a,b\r\n1,2\r\n") == split_lines("t.csv", b"a,b\n1,2\n")


def test_a_column_of_a_ragged_table_names_the_row() -> None:
    table = read_table("t", "t.csv", b"x,y\n1,2\n3\n", ("x", "y"))
    with pytest.raises(InvalidPack, match="line 3") as refused:
        table.column("y")
    assert refused.value.code == "pack.ragged"
    quoted = read_table("t", "t.csv", b'x,y\n1,"2\n', ("x", "y"))
    with pytest.raises(InvalidPack, match="line 2"):
        quoted.column("y")


def test_harmless_characters_beside_the_refused_ones_pass() -> None:
    assert split_lines("t.csv", "é\u00a0–β\n".encode()) == ["é\u00a0–β"]
