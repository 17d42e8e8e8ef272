"""Pipes: tables, patterns and FASTA as rows of named cells that know where they stand (spec/pack.md §9)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.packs.connectors.base import RawFile
from assay.packs.locators import bytes_locator, cell_locator
from assay.packs.patterns import pattern_fault
from assay.packs.refusal import refusal, shown


@dataclass(frozen=True, slots=True)
class Row:
    """A row's cells by column. It is found again by key columns, or by the byte at which each cell begins."""

    cells: Mapping[str, str]
    keys: tuple[tuple[str, str], ...] = ()
    starts: Mapping[str, int] | None = None

    def cell(self, column: str) -> str:
        """The cell of that column.

        Raises:
            InvalidPack: the recipe names a column that is not there.
        """
        if column not in self.cells:
            raise refusal("recipe", f"no column {shown(column)}", f"columns are {', '.join(self.cells)}")
        return self.cells[column]

    def locator(self, column: str, start: int, end: int) -> str:
        """Where `cells[column][start:end]` stands; a table's cell is named whole."""
        if self.starts is None:
            return cell_locator(self.keys, column)
        text = self.cells[column]
        first = self.starts[column] + len(text[:start].encode())
        return bytes_locator((first, first + len(text[start:end].encode())))


def delimiter_of(path: str) -> str:
    """The delimiter that a file's name declares: tab for `.tsv`, comma for `.csv`, compressed or not."""
    name = path.removesuffix(".gz")
    if name.endswith(".tsv"):
        return "\t"
    if name.endswith(".csv"):
        return ","
    raise refusal(
        "connector", f"{shown(path)} is named neither .csv nor .tsv", "name a delimited table after its delimiter"
    )


def table_rows(path: str, data: bytes) -> Iterator[dict[str, str]]:
    """The rows of a delimited raw table; lines that begin with `#` before the header are no part of it.

    Raises:
        InvalidPack: not UTF-8, no header, a column twice, or a row of another length than the header.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refusal(
            "connector", f"{shown(path)} is not UTF-8", "convert it and say so in the source's title"
        ) from None
    while text.startswith("#"):
        text = text.partition("\n")[2]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(path), strict=True)
    try:
        header = next(reader, [])
        if not header or len(set(header)) != len(header):
            raise refusal(
                "connector", f"{shown(path)} has no header or a column twice", "a table with named columns is needed"
            )
        for cells in reader:
            if len(cells) != len(header):
                raise refusal(
                    "connector",
                    f"{shown(path)} line {reader.line_num}: {len(cells)} cells",
                    f"the header has {len(header)}",
                )
            yield dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise refusal(
            "connector", f"{shown(path)} line {reader.line_num}: {error}", "a strictly quoted table is needed"
        ) from None


def read_table_rows(raw: RawFile, keys: Sequence[str]) -> Iterator[Row]:
    """The rows of a raw table, found again by their key columns."""
    for cells in table_rows(raw.path, raw.data):
        for key in keys:
            if key not in cells:
                raise refusal(
                    "recipe", f"{shown(raw.path)} has no key column {shown(key)}", f"columns are {', '.join(cells)}"
                )
        yield Row(cells, tuple((key, cells[key]) for key in keys))


def read_pattern_rows(raw: RawFile, pattern: str) -> Iterator[Row]:
    """A row for each match of the pattern in the text; its named groups are the cells."""
    fault = pattern_fault(pattern.encode())
    if fault:
        raise refusal(
            "recipe", f"pattern {shown(pattern)}: {fault}", "a regular expression with named groups is needed"
        )
    compiled = re.compile(pattern.encode(), re.MULTILINE)
    found = False
    for match in compiled.finditer(raw.data):
        found = True
        groups = {name: text for name, text in match.groupdict().items() if text is not None}
        cells = dict.fromkeys(compiled.groupindex, "") | {name: text.decode("utf-8") for name, text in groups.items()}
        yield Row(cells, starts={name: match.start(name) for name in cells})
    if not found:
        raise refusal(
            "connector", f"{shown(raw.path)}: no match of {shown(pattern)}", "correct the pattern or the file"
        )


def read_fasta_rows(raw: RawFile) -> Iterator[Row]:
    """A row for each entry: `id` (to the first space), `description`, `sequence`, and for UniProt headers their parts.

    The parts are `db`, `accession`, `name`, `OS`, `OX`, `GN`, `PE`, `SV`.
    """
    at, data = 0, raw.data
    if not data.startswith(b">"):
        raise refusal("connector", f"{shown(raw.path)} does not begin with `>`", "a FASTA file is needed")
    while at < len(data):
        line_end = data.find(b"\n", at)
        line_end = len(data) if line_end < 0 else line_end
        block_end = data.find(b"\n>", line_end)
        block_end = len(data) if block_end < 0 else block_end + 1
        block = data[line_end + 1 : block_end]
        try:
            cells, starts = _header(data[at + 1 : line_end].decode("utf-8").rstrip("\r"), at + 1)
            cells["sequence"], starts["sequence"] = "".join(block.decode("ascii").split()), line_end + 1
        except UnicodeDecodeError:
            found = f"{shown(raw.path)}: the entry at byte {at} is not plain text"
            raise refusal("connector", found, "a FASTA file is needed") from None
        yield FastaRow(cells, starts=starts, block=(line_end + 1, line_end + 1 + len(block)))
        at = block_end


@dataclass(frozen=True, slots=True)
class FastaRow(Row):
    """A row of a FASTA file: the sequence stands in a block of lines."""

    block: tuple[int, int] = (0, 0)

    def locator(self, column: str, start: int, end: int) -> str:
        """The block of a sequence whole; any other cell by its bytes."""
        return bytes_locator(self.block) if column == "sequence" else Row.locator(self, column, start, end)


_PART = re.compile(r" (OS|OX|GN|PE|SV)=(.*?)(?= (?:OS|OX|GN|PE|SV)=|$)")
_UNIPROT = re.compile(r"(sp|tr)\|([A-Z0-9-]+)\|(\S+)").match


def _header(header: str, start: int) -> tuple[dict[str, str], dict[str, int]]:
    identifier, _, description = header.partition(" ")
    spans = {"id": (0, len(identifier)), "description": (len(header) - len(description), len(header))}
    match = _UNIPROT(header)
    if match is not None:
        spans |= {"db": match.span(1), "accession": match.span(2), "name": match.span(3)}
    spans |= {part[1]: part.span(2) for part in _PART.finditer(header)}
    cells = dict.fromkeys(("db", "accession", "name", "OS", "OX", "GN", "PE", "SV"), "")
    cells |= {name: header[low:high] for name, (low, high) in spans.items()}
    places = dict.fromkeys(cells, start)
    places |= {name: start + len(header[:low].encode()) for name, (low, _) in spans.items()}
    return cells, places
