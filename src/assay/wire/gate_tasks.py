"""Letterbox: the document that names a task to the gate, or one line of a bank (spec/suite.md §12)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.suite.names import KEYWORDS
from assay.wire.strict import StrictReader, word_for

MAX_TASK_BYTES: Final = 16 << 20  # a line of a bank may carry its hidden cases
MAX_TEXT: Final = 65_536


class InvalidGateTask(InputError):
    """A document that names no task; `code` is a key of REFUSALS."""


REFUSALS: Final = {
    "gate_task.too_long": "give the task alone, or one line of a bank, at most 16 MiB",
    "gate_task.encoding": "save it as UTF-8",
    "gate_task.depth": "flatten it",
    "gate_task.json": "write one JSON object",
    "gate_task.duplicate_key": "keep one of the two",
    "gate_task.surrogate": "write whole characters",
    "gate_task.shape": 'write one JSON object: {"task":"…","entry_point":"NAME"}',
    "gate_task.missing": "add `task`, any text that names it, or give one line of a bank, which has an `id`",
    "gate_task.unknown_key": "remove it; a task has `task` and `entry_point`, and only a line of a bank has more",
    "gate_task.type": "`task` and `id` are texts of 1 to 65,536 characters",
    "gate_task.entry_point": "write the plain name of the task's function; leave it out where a program is asked for",
}

_READER: Final = StrictReader(InvalidGateTask, "gate_task", "the task", MAX_TASK_BYTES)
_NAME: Final = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]{0,127}").fullmatch


@dataclass(frozen=True, slots=True)
class GateTask:
    """What the task is called, and the function that it asks for; None: it asks for a program."""

    task: str
    entry_point: str | None

    @property
    def sha256(self) -> str:
        """The digest of the two, in canonical bytes: a line of a bank has that of the task that it names."""
        return sha256(canonical({"task": self.task, "entry_point": self.entry_point})).hexdigest()


def parse_gate_task(data: bytes | str) -> GateTask:
    """The task that these bytes name.

    Raises:
        InvalidGateTask: they name none; the code is a key of `REFUSALS`.

    Source: spec/suite.md §12.
    """
    found = _READER.read(data)
    if type(found) is not dict:
        raise _refusal("shape", f"the task is {word_for(found)}")
    if "task" not in found and "id" not in found:
        raise _refusal("missing", "the task has no name")
    # The rest of a bank's line is the bank's; in a task of its own, a key that we do not know is a mistake.
    if "task" in found and (extra := [key for key in found if key not in {"task", "entry_point"}]):
        raise _refusal("unknown_key", f"the task has {len(extra)} unknown {'key' if len(extra) == 1 else 'keys'}")
    key = "task" if "task" in found else "id"
    text = found[key]
    if type(text) is not str or not 0 < len(text) <= MAX_TEXT:
        raise _refusal("type", f"`{key}` is {word_for(text) if type(text) is not str else 'empty or too long'}")
    name = found.get("entry_point")
    # Banks write the missing function of a program as null or as an empty text.
    if name is None or (key == "id" and name == ""):
        return GateTask(text, None)
    if type(name) is not str or _NAME(name) is None or name in KEYWORDS:
        raise _refusal("entry_point", "`entry_point` is no plain name")
    return GateTask(text, name)


def _refusal(code: str, found: str) -> InvalidGateTask:
    return InvalidGateTask(f"gate_task.{code}", f"{found}; {REFUSALS[f'gate_task.{code}']}")
