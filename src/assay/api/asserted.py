"""Desk: files of assertions to suites, read back before anybody gets them (spec/suite.md §11)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from assay.suite.fromasserts import Remark, from_asserts
from assay.suite.spec import bind, document
from assay.wire.suites import parse_suite

__all__ = ["Asserted", "Remark", "convert"]


@dataclass(frozen=True, slots=True)
class Asserted:
    """What became of a file: its suite as bytes (None: no assertion became a case), how many cases, and what is left.

    `left_out` is what no case says, `idle` what asks nothing.
    """

    entry_point: str | None
    suite: bytes | None
    cases: int
    left_out: tuple[Remark, ...]
    idle: tuple[Remark, ...]


def convert(data: bytes, entry_point: str | None = None) -> Asserted:
    """The suite of a file of assertions; the file is parsed, never run.

    Raises:
        InvalidSuite: the file cannot be read or does not tell its function (`asserts.*`), or no gate would take the
            suite; a code of spec/suite.md §7.
    """
    found = from_asserts(data, entry_point)
    suite = None
    if found.suite is not None:
        suite = (json.dumps(document(found.suite), indent=1) + "\n").encode()
        bind(parse_suite(suite, found.entry_point), found.entry_point)
    cases = len(found.suite.questions) if found.suite is not None else 0
    return Asserted(found.entry_point, suite, cases, found.left_out, found.idle)
