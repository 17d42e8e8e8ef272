"""Workshops: stored candidates of tasks, one JSON object a line (docs/reference/trial.md)."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Final

from assay.experiments.trials.samples import is_sample, sample_of
from assay.kernel.errors import InputError

MAX_LINE: Final = 64 * 1_048_576
NO_PROMPTS: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Stored:
    """One candidate as it was executed: its program, who wrote it, and its place among its task's."""

    sample: int
    model: str
    code: str


def read_pool(path: Path, prompts: Mapping[str, str] = NO_PROMPTS) -> Mapping[str, tuple[Stored, ...]]:
    """The candidates of each task, in the order of `sample`; a name that ends in `.gz` is unpacked.

    A file of samples, a candidate a line, is known by its first line; `prompts` of the bank stand before completions.

    Raises:
        InputError: a line is none of a pool's, or a task has two lines; the line is named.
        OSError: the file cannot be read.
    """
    found: dict[str, tuple[Stored, ...]] = {}
    of_samples: bool | None = None
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
        number = 0
        while line := _line(lines.readline, number := number + 1):
            if not line.strip():
                continue
            try:
                document = json.loads(line)
            except (ValueError, RecursionError):
                raise _refusal(number, "is no JSON object") from None
            if of_samples is None:
                of_samples = is_sample(document)
            if of_samples:
                _add(found, document, prompts, number)
                continue
            try:
                task, candidates = _entry(document)
            except (KeyError, TypeError):
                raise _refusal(number, "has no `id`, or candidates without `sample` and `code`") from None
            if task in found:
                raise _refusal(number, f"names the task `{task}` again")
            if len({one.sample for one in candidates}) < len(candidates):
                raise _refusal(number, "has two candidates with one `sample`")
            found[task] = candidates
    return found


def _add(found: dict[str, tuple[Stored, ...]], document: object, prompts: Mapping[str, str], number: int) -> None:
    """Put the sample of the line behind those of its task."""
    try:
        one = sample_of(document, prompts)
    except TypeError:
        raise _refusal(number, "has no `task_id`, or neither `completion` nor `solution`") from None
    earlier = found.get(one.task, ())
    found[one.task] = (*earlier, Stored(len(earlier), one.model, one.code))


def _line(readline: Callable[[int], bytes], number: int) -> bytes:
    try:
        line = readline(MAX_LINE + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise _refusal(number, "cannot be unpacked") from None
    if len(line) > MAX_LINE:
        raise _refusal(number, "has more than 64 MiB")
    return line


def _entry(found: object) -> tuple[str, tuple[Stored, ...]]:
    if not isinstance(found, dict) or type(found["id"]) is not str or type(found["candidates"]) is not list:
        raise TypeError
    return found["id"], tuple(sorted(map(_stored, found["candidates"]), key=attrgetter("sample")))


def _stored(found: Mapping[str, object]) -> Stored:
    sample, model, code = found["sample"], found.get("model"), found["code"]
    if type(sample) is not int or type(code) is not str:
        raise TypeError
    return Stored(sample, model if isinstance(model, str) else "", code)


def _refusal(number: int, what: str) -> InputError:
    return InputError("pool.shape", f"line {number} of the pool {what}; see docs/reference/trial.md for the form")
