"""Halls: reads a bank of tasks, one JSON object a line, and makes the suites of each (spec/suite.md §9)."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assay.suite.frombank import HIDDEN, VISIBLE, NoSuite, from_bank, is_typed_output
from assay.suite.refusals import InvalidSuite, message
from assay.suite.spec import SuiteSpec

MAX_LINE: Final = 16 * 1_048_576


@dataclass(frozen=True, slots=True)
class BankTask:
    """One task. `hidden` scores deliveries afterwards and is never shown to whoever selects."""

    id: str
    bank: str
    entry_point: str | None
    prompt: str
    reference: str | None
    visible: SuiteSpec | NoSuite
    hidden: SuiteSpec | NoSuite
    typed_output: bool


def read_bank(path: Path, *, preamble: bool = False) -> Iterator[BankTask]:
    """The tasks of a bank, in its order, one at a time; a name that ends in `.gz` is unpacked.

    Raises:
        InvalidSuite: a line is no task (`bank.json`, `bank.shape`), or a literal of it is none; the line is named.
        OSError: the file cannot be read.
    """
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
        number = 0
        while line := _line(lines.readline, number := number + 1):
            try:
                yield _task(json.loads(line, parse_constant=_constant), preamble=preamble)
            except InvalidSuite as fault:
                raise InvalidSuite(fault.code, f"line {number}: {fault}") from None
            except (ValueError, RecursionError):
                raise _refusal("bank.json", f"line {number} is no JSON object") from None


def _line(readline: Callable[[int], bytes], number: int) -> bytes:
    try:
        line = readline(MAX_LINE + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise _refusal("bank.json", f"line {number} cannot be unpacked") from None
    if len(line) > MAX_LINE:
        raise _refusal("bank.json", f"line {number} has more than 16 MiB")
    return line


def _task(found: object, *, preamble: bool) -> BankTask:
    if not isinstance(found, dict) or type(found.get("id")) is not str:
        raise _refusal("bank.shape", "the task is no object with an `id`")
    task: Mapping[str, object] = found
    return BankTask(
        found["id"],
        _text(task, "bank") or "",
        _text(task, "entry_point"),
        _text(task, "prompt") or "",
        _text(task, "canonical"),
        from_bank(task, VISIBLE, preamble=preamble),
        from_bank(task, HIDDEN, preamble=preamble),
        is_typed_output(task),
    )


def _text(task: Mapping[str, object], key: str) -> str | None:
    value = task.get(key)
    return value if isinstance(value, str) else None


def _constant(token: str) -> None:
    raise ValueError(token)


def _refusal(code: str, found: str) -> InvalidSuite:
    return InvalidSuite(code, message(code, found))
