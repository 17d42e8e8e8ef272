"""Workshops: the folder of a trial: what is tried, and one line for each task that is finished.

Only one process writes. A line is on the disk before its task counts as finished; a line that was cut short is taken
away when the trial is taken up again, so nothing is lost but what was under way, and nothing counts twice.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from assay.experiments.trials.task import Result, document, result_of
from assay.kernel.errors import Fault, InputError

PLAN: Final = "trial.json"
RESULTS: Final = "results.jsonl"
SUMMARY: Final = "summary.json"
SCORE: Final = "assay.score/1"  # what the plan of scores without a gate says that it is


class Folder:
    """An open trial. `results` are those that were finished, in the order in which they were."""

    def __init__(self, path: Path, plan: Mapping[str, object]) -> None:
        """Take up the trial in the folder, or begin it.

        Raises:
            InputError: the folder holds another trial, something else, or is in use.
            Fault: it cannot be written.
        """
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            # Without a buffer: what could not be written must not be tried again when the file is closed.
            self._file = (path / RESULTS).open("a+b", buffering=0)
        except OSError as fault:
            raise _unwritable(path, fault) from None
        try:
            self._lock()
            self._agree(plan)
            self.results = self._take_up()
        except BaseException:
            self._file.close()
            raise

    def append(self, result: Result) -> None:
        """Keep a finished task: on return it is on the disk.

        Raises:
            Fault: it is not.
        """
        try:
            line = memoryview(json.dumps(document(result), separators=(",", ":")).encode() + b"\n")
            while line:
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as fault:
            raise _unwritable(self.path / RESULTS, fault) from None
        self.results = list(unique([*self.results, result]))

    def write(self, name: str, found: object) -> None:
        """Put a JSON document into the folder, whole or not at all.

        Raises:
            Fault: it cannot be written.
        """
        self.write_bytes(name, (json.dumps(found, indent=1) + "\n").encode())

    def write_bytes(self, name: str, data: bytes) -> None:
        """Put a file into the folder, whole or not at all.

        Raises:
            Fault: it cannot be written.
        """
        whole = self.path / name
        part = whole.with_name(f".{name}.part")
        try:
            with part.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(whole)
        except OSError as fault:
            raise _unwritable(whole, fault) from None

    def close(self) -> None:
        """Let others take up the trial."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError("trial.in_use", f"folder `{self.path}`: another trial writes to it; wait for it") from None

    def _agree(self, plan: Mapping[str, object]) -> None:
        path = self.path / PLAN
        if not path.exists():
            if self._file.seek(0, os.SEEK_END):
                raise InputError("trial.folder", f"folder `{self.path}`: it has results and no plan; name another")
            self.write(PLAN, plan)
            return
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError):
            found = None
        if not isinstance(found, dict):
            raise InputError("trial.folder", f"folder `{self.path}`: its `{PLAN}` cannot be read; name another")
        differing = [key for key in {**plan, **found} if found.get(key) != plan.get(key)]
        if differing:
            raise InputError(
                "trial.folder", f"folder `{self.path}`: it holds a trial with another `{differing[0]}`; name another"
            )

    def _take_up(self) -> list[Result]:
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            self._file.truncate(len(whole))
        return list(unique(map(self._result, whole.splitlines(), range(1, whole.count(b"\n") + 1))))

    def _result(self, line: bytes, number: int) -> Result:
        try:
            return result_of(json.loads(line))
        except (ValueError, TypeError, KeyError):
            raise InputError(
                "trial.folder", f"folder `{self.path}`: line {number} of `{RESULTS}` is no result; name another"
            ) from None


@dataclass(frozen=True, slots=True)
class Finished:
    """A trial that has its figures, as it lies in its folder; nothing here has been checked but its form as JSON."""

    plan: Mapping[str, Any]
    results: tuple[Result, ...]
    summary: Mapping[str, Any]


def finished(path: Path) -> Finished:
    """Read a trial and write nothing.

    Raises:
        InputError: there is no trial in the folder, it has no figures yet, or one of its files cannot be read.
    """
    plan, summary = (_read(path, name) for name in (PLAN, SUMMARY))
    try:
        lines = (path / RESULTS).read_bytes().splitlines()
        return Finished(plan, tuple(unique(result_of(json.loads(line)) for line in lines)), summary)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise _unlike(path, RESULTS) from None


def _read(path: Path, name: str) -> Mapping[str, Any]:
    try:
        found = json.loads((path / name).read_bytes())
    except FileNotFoundError:
        raise InputError(
            "trial.folder",
            f"folder `{path}`: it has no `{name}`; give the folder of a finished trial, or run its command again",
        ) from None
    except (OSError, ValueError, RecursionError):
        raise _unlike(path, name) from None
    if not isinstance(found, dict):
        raise _unlike(path, name)
    return found


def _unlike(path: Path, name: str) -> InputError:
    return InputError("trial.folder", f"folder `{path}`: its `{name}` is none of a trial's; run the trial again")


def unique(results: Iterable[Result]) -> Iterable[Result]:
    """One result of each task: the first that is not void, else the last. What was void may be tried again."""
    found: dict[str, Result] = {}
    for result in results:
        if result.id not in found or found[result.id].void:
            found[result.id] = result
    return found.values()


def _unwritable(path: Path, fault: OSError) -> Fault:
    return Fault("fault.output", f"`{path}`: {(fault.strerror or 'cannot be written').lower()}; name another folder")
