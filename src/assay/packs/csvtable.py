"""Pipes: CSV read strictly: every cell a string, one row a line, nothing guessed (spec/pack.md §3).

The standard library's reader is lenient where this must not be: it takes a quote inside a bare cell, text after a
closing quote, rows of any length and line breaks in cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.packs.limits import MAX_ROWS
from assay.packs.refusal import refusal, shown

_CELL = re.compile(r'"([^"]*(?:""[^"]*)*)"(?=,|\Z)|([^",]*)(?=,|\Z)')
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_CONTROL_BYTES = bytes([*range(10), *range(11, 32), 127])
_CONTROL_LEADS = (b"\xc2", b"\xe2\x80", b"\xef\xbb\xbf")  # how the others begin in UTF-8


@dataclass(frozen=True, slots=True)
class Table:
    """A table's lines, not yet split: `columns` in our order, `places` where each stands in the file."""

    name: str
    where: str
    columns: tuple[str, ...]
    places: tuple[int, ...]
    lines: tuple[str, ...]  # without the header; line i of these is line i + 2 of the file
    in_order: bool

    def __len__(self) -> int:
        return len(self.lines)

    def row(self, index: int) -> tuple[str, ...]:
        """The cells of a row in our column order.

        Raises:
            InvalidPack: bad quoting, or another number of cells than the header has.
        """
        cells = split_line(self.lines[index])
        if cells is None:
            raise refusal(
                "quoting", f"{self.at(index)}: bad quoting", 'quote a cell as "a ""b"" c" and nothing around it'
            )
        if len(cells) != len(self.columns):
            found = f"{self.at(index)}: {len(cells)} cells"
            raise refusal("ragged", found, f"the header has {len(self.columns)} columns; give each row as many")
        return tuple(cells) if self.in_order else tuple([cells[place] for place in self.places])

    def column(self, name: str) -> list[str]:
        """The cells of one column, row by row, without a look at what follows them in the line."""
        place = self.places[self.columns.index(name)]
        try:
            return [
                line.split(",", place + 1)[place] if '"' not in line else (split_line(line) or ())[place]
                for line in self.lines
            ]
        except IndexError:
            for index in range(len(self)):
                self.row(index)  # refuses the first row that has too few cells
            raise

    def at(self, index: int) -> str:
        """File and line of a row, for messages."""
        return f"{self.where} line {index + 2}"


def split_line(line: str) -> list[str] | None:
    """The cells of one line, or None where the quoting is bad."""
    if '"' not in line:
        return line.split(",")
    cells: list[str] = []
    at = 0
    while True:
        match = _CELL.match(line, at)
        if match is None:
            return None
        cells.append(match[2] if match[1] is None else match[1].replace('""', '"'))
        at = match.end()
        if at == len(line):
            return cells
        at += 1


def join_line(cells: Sequence[str]) -> str:
    """One line without its end; cells are quoted only where they must be."""
    return ",".join('"' + cell.replace('"', '""') + '"' if "," in cell or '"' in cell else cell for cell in cells)


def write_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The bytes of a table: LF line ends, UTF-8."""
    return "".join(join_line(cells) + "\n" for cells in (columns, *rows)).encode()


def read_table(name: str, where: str, data: bytes, columns: tuple[str, ...]) -> Table:
    """The table of the bytes; its header must name exactly the columns, in any order. Rows are split when asked for."""
    lines = split_lines(where, data)
    header = split_line(lines[0])
    if header is None:
        raise refusal("quoting", f"{where} line 1: bad quoting in the header", "write the column names bare")
    for column in header:
        if header.count(column) > 1:
            raise refusal("column", f"{where} line 1: column {shown(column)} stands twice", "keep one of them")
        if column not in columns:
            raise refusal(
                "column", f"{where} line 1: unknown column {shown(column)}", f"the columns are {', '.join(columns)}"
            )
    for column in columns:
        if column not in header:
            raise refusal("column", f"{where} line 1: no column `{column}`", f"the columns are {', '.join(columns)}")
    if len(lines) - 1 > MAX_ROWS:
        raise refusal("size", f"{where}: {len(lines) - 1} rows", f"at most {MAX_ROWS} are read; split the pack")
    places = tuple(header.index(column) for column in columns)
    return Table(name, where, columns, places, tuple(lines[1:]), places == tuple(range(len(columns))))


def split_lines(where: str, data: bytes) -> list[str]:
    """The lines of a UTF-8 text without their ends (LF or CRLF), each line ended.

    Raises:
        InvalidPack: not UTF-8, a byte-order mark, a control character, or a last line without its end.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refusal("encoding", f"{where} line {line}: bytes that are not UTF-8", "save the table as UTF-8") from None
    if b"\r" in data:
        text = text.replace("\r\n", "\n")
        data = text.encode()
    # Removing bytes is many times faster than a search with a pattern, and nearly every file is clean.
    clean = len(data.translate(None, _CONTROL_BYTES)) == len(data)
    clean = clean and (text.isascii() or not any(lead in data for lead in _CONTROL_LEADS))
    found = None if clean else _CONTROL.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        what = "a byte-order mark" if found[0] == "\ufeff" else f"the control character U+{ord(found[0]):04X}"
        raise refusal("control", f"{where} line {line}: {what}", "remove it; a cell is one line of plain text")
    if not text.endswith("\n"):
        raise refusal(
            "truncated", f"{where}: the last line has no end", "end the file with a line feed, if it is whole"
        )
    return text[:-1].split("\n")
