"""Workshops: the tables of a trial for other tools: candidates, and candidates × cases, as packed CSV.

INVARIANT: nothing here knows a case, only its place; so no input, output or expectation can get into a table.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from assay.experiments.trials.task import Result, Scored

MATRIX: Final = "matrix.csv.gz"
CANDIDATES: Final = "candidates.csv.gz"
_CELLS: Final = ("task", "sample", "model", "case", "part", "right")
_ROWS: Final = (
    "task", "sample", "model", "place", "delivered", "visible", "visible_how", "right", "right_how", "hidden", "cases",
    "cases_right",
)  # fmt: skip

Row = tuple[object, ...]


def matrix(results: Iterable[Result], hidden_from: Mapping[str, int]) -> bytes:
    """A row for each candidate and case of what scored it; `hidden_from` is each task's first hidden case."""
    return packed(_CELLS, _cells(results, hidden_from))


def candidates(results: Iterable[Result]) -> bytes:
    """A row for each candidate."""
    return packed(_ROWS, (_row(result, at, one) for result in results for at, one in enumerate(result.candidates)))


def packed(head: Sequence[str], rows: Iterable[Row]) -> bytes:
    """The table as CSV, packed without a time: the same rows give the same bytes."""
    raw = io.BytesIO()
    with (
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file,
        # A name may have half of a surrogate pair, which UTF-8 has not.
        io.TextIOWrapper(file, encoding="utf-8", errors="backslashreplace", newline="") as text,
    ):
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
    return raw.getvalue()


def _cells(results: Iterable[Result], hidden_from: Mapping[str, int]) -> Iterator[Row]:
    for result in results:
        border = hidden_from[result.id]
        for one in result.candidates:
            for at, mark in enumerate(one.cases):
                part = "visible" if at < border else "hidden"
                yield result.id, one.sample, one.model, at, part, int(mark == "+")


def _row(result: Result, at: int, one: Scored) -> Row:
    return (
        result.id,
        one.sample,
        one.model,
        at + 1,
        int(result.position == at + 1),
        one.visible or "",
        one.visible_how or "",
        "" if one.truth is None else int(one.truth),
        one.truth_how or "",
        "" if one.hidden is None else int(one.hidden),
        len(one.cases),
        one.cases.count("+"),
    )
