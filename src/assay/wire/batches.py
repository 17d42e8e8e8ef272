"""Letterbox: one line of a batch to an item; a bad line is an item with its fault, so that the rest can go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.floor.task import Task
from assay.kernel.errors import InputError
from assay.wire.strict import StrictReader, has_surrogate, word_for
from assay.wire.tasks import task_from

MAX_LINE_BYTES: Final = 1 << 20


class InvalidLine(InputError):
    """A line that is no item of a batch."""


_READER: Final = StrictReader(InvalidLine, "line", "the line", MAX_LINE_BYTES)
MAX_ID: Final = 256


@dataclass(frozen=True, slots=True)
class Item:
    """One line: what it is called, and what it asks; or why it asks nothing.

    `proposal` is the text as it came, half surrogate pairs included: whether it is a proposal is decided later.
    """

    number: int
    id: str | int | None
    task: Task | None = None
    proposal: str = ""
    fault: InputError | None = None


def parse_item(data: bytes | None, number: int, *, with_proposal: bool) -> Item:
    """The item of a line; never raises. None stands for a line beyond the bound.

    A line without an `id` is called by its number.
    """
    name: str | int | None = None
    try:
        if data is None:
            raise InvalidLine("line.too_long", f"the line has more than {MAX_LINE_BYTES} bytes")
        document = _READER.read(data, surrogates=True)
        if type(document) is not dict:
            raise InvalidLine("line.shape", f"the line is {word_for(document)}; an object is needed")
        name = _id(document.get("id", number))
        # One file serves both commands: where nothing is decided, its proposals are not looked at.
        known = ("id", "task", "proposal")
        extra = [key for key in document if key not in known]
        if extra:
            raise InvalidLine("line.field", f"the line has a field beyond {', '.join(f'`{key}`' for key in known)}")
        return Item(number, name, _task(document), _proposal(document) if with_proposal else "")
    except InputError as fault:
        return Item(number, name, fault=fault)


def _id(value: object) -> str | int:
    if type(value) is int and abs(value) < 2**53:
        return value
    if type(value) is str and len(value) <= MAX_ID:
        return value
    raise InvalidLine("line.id", f"`id` is {word_for(value)}; a text of at most {MAX_ID} characters is needed")


def _task(document: dict[str, object]) -> Task:
    if "task" not in document:
        raise InvalidLine("line.missing", "`task` is missing")
    task = document["task"]
    if has_surrogate(task):
        raise InvalidLine("line.surrogate", "`task` holds half a surrogate pair; write whole characters")
    return task_from(task)


def _proposal(document: dict[str, object]) -> str:
    proposal = document.get("proposal")
    if type(proposal) is not str:
        found = word_for(proposal) if "proposal" in document else "missing"
        raise InvalidLine("line.proposal", f"`proposal` is {found}; the text that was proposed is needed")
    return proposal
