"""Desk: suites as files: their digests, their lines for a person, and those that a bank's tasks make."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.api.writing import put
from assay.gate.banks import BankTask, read_bank
from assay.kernel.canonical import canonical
from assay.kernel.errors import CanonicalError, Fault
from assay.suite import reading
from assay.suite.aspytest import pytest_lines
from assay.suite.frombank import NoSuite
from assay.suite.refusals import InvalidSuite, message
from assay.suite.render import checks_sha256, render, suite_sha256
from assay.suite.spec import SuiteSpec, document
from assay.wire.suites import parse_suite


def digests(suite: bytes | str, entry_point: str | None = None) -> dict[str, str]:
    """The three digests of a suite: all of it, what a candidate sees, what the judge compares with.

    Raises:
        InvalidSuite: with a stable code.
    """
    spec = parse_suite(suite, entry_point)
    return {
        "suite_sha256": suite_sha256(spec),
        "program_sha256": render(spec).program_sha256,
        "checks_sha256": checks_sha256(spec),
    }


def read_as_text(suite: bytes | str, entry_point: str | None = None) -> list[str]:
    """The suite as lines for a person; nothing runs them.

    Raises:
        InvalidSuite: with a stable code.
    """
    return reading.lines(parse_suite(suite, entry_point))


def read_as_pytest(suite: bytes | str, entry_point: str | None = None) -> list[str]:
    """The suite as the lines of a pytest file, for a person; the gate never runs them.

    Raises:
        InvalidSuite: with a stable code.
    """
    return pytest_lines(parse_suite(suite, entry_point))


@dataclass(frozen=True, slots=True)
class Converted:
    """What became of one task of a bank: the name of its file, or the reason why there is none."""

    id: str
    file: str
    reason: str
    typed_output: bool


def from_bank(
    bank: Path, out: Path, *, preamble: bool = False, ready: Callable[[Path], None] = lambda _: None
) -> Iterator[Converted]:
    """Write the suite of each task's visible cases into the folder, one at a time, and say what became of each.

    `ready` is asked about each file before it is written; the folder is there by then.

    Raises:
        InvalidSuite: the bank is none (`bank.json`, `bank.shape`), or names two tasks alike.
        Fault: a file cannot be written.
        OSError: the bank cannot be read.
    """
    taken: dict[str, str] = {}
    for task in read_bank(bank, preamble=preamble):
        data = _bytes(task)
        if isinstance(data, NoSuite):
            yield Converted(task.id, "", data.reason, task.typed_output)
            continue
        name = file_name(task.id)
        if name in taken:
            raise InvalidSuite(
                "bank.shape", message("bank.shape", f"the tasks `{taken[name]}` and `{task.id}` have one file name")
            )
        taken[name] = task.id
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            reason = (fault.strerror or "cannot be written").lower()
            raise Fault("fault.output", f"folder `{out}`: {reason}; name another") from None
        ready(out / name)
        put(out / name, data)
        yield Converted(task.id, name, "", task.typed_output)


def file_name(task: str) -> str:
    """A plain name of a file for the task: whatever is no ASCII letter, digit, `.`, `_` or `-` becomes `_`."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", task)[:120]
    return f"{'_' if plain[:1] in {'', '.', '-'} else ''}{plain}.json"


def _bytes(task: BankTask) -> bytes | NoSuite:
    """The file of the task's visible suite, read back once: a file that no gate would take is not written."""
    if isinstance(task.visible, NoSuite):
        return task.visible
    spec: SuiteSpec = task.visible
    try:
        canonical(document(spec))
        data = (json.dumps(document(spec), indent=1) + "\n").encode()
        parse_suite(data, spec.entry_point or None)
    except (InvalidSuite, CanonicalError) as fault:
        return NoSuite(str(fault))
    return data
