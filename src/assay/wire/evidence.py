"""Letterbox: the rows that establishing a state looked up, as one private file, and back (spec/receipt.md §2).

Whoever holds the file can establish the state again without the pack (floor/trail.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Final, TypeVar

from assay.floor.evidence import Alias, Fact, Namespace, Opened, PropertySpec, Source, UnitRow
from assay.floor.task import Task
from assay.floor.trail import EvidenceSlice
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.receipts.private import MAX_KEPT_BYTES
from assay.wire.strict import StrictReader
from assay.wire.tasks import task_document, task_from

EVIDENCE: Final = "assay.evidence/1"
_READER: Final = StrictReader(InputError, "evidence", "the file of evidence", 4 * MAX_KEPT_BYTES)
_SALT: Final = re.compile(r"(?:[0-9a-f]{64})?").fullmatch
_DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}").fullmatch
_ONE: Final[dict[str, type[Any]]] = {"property_specs": PropertySpec, "sources": Source, "units": UnitRow}
_COLUMNS: Final = {
    row: attrgetter(*(field.name for field in fields(row)))
    for row in (Fact, Alias, Namespace, PropertySpec, Source, UnitRow)
}
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, repr=False)
class KeptEvidence:
    """A task and every row that was looked up for it."""

    task: Task
    evidence: EvidenceSlice


def evidence_bytes(task: Task, held: EvidenceSlice, salt: bytes = b"") -> bytes:
    """The file, in canonical bytes. Every look-up is `[its arguments, what it found]`, a row the list of its cells."""
    rows: dict[str, object] = {
        "facts": [[list(key), _rows(found)] for key, found in held.facts.items()],
        "quarantined": [
            [list(key), [[_cells(fact), why] for fact, why in found]] for key, found in held.quarantined.items()
        ],
        "aliases": [[key, _rows(found)] for key, found in held.aliases.items()],
        "units_of": [[key, _rows(found)] for key, found in held.units_of.items()],
        "presence": [[key, list(found)] for key, found in held.presence.items()],
        "properties_of": [[key, list(found)] for key, found in held.properties_of.items()],
        "successors": [[key, list(found)] for key, found in held.successors.items()],
        "namespaces": [[key, _row(found)] for key, found in held.namespaces.items()],
        "all_namespaces": [_rows(found) for found in held.all_namespaces],
    }
    for name in _ONE:
        rows[name] = [[key, _row(found)] for key, found in getattr(held, name).items()]
    return canonical(
        {
            "evidence": EVIDENCE,
            "salt": salt.hex(),
            "task": task_document(task),
            "snapshot": {"digest": held.digest, "opened": held.opened.value},
            "rows": rows,
        }
    )


def parse_evidence(data: bytes) -> KeptEvidence:
    """The task and the rows of the file. Does not look at its digest: whoever has the receipt does.

    Raises:
        InputError: `evidence.…`, or the task in it is none.
    """
    document = _object(_READER.read(data), {"evidence", "salt", "task", "snapshot", "rows"})
    if document["evidence"] != EVIDENCE or _SALT(_text(document["salt"])) is None:
        raise _bad(f"is no `{EVIDENCE}`")
    snapshot = _object(document["snapshot"], {"digest", "opened"})
    digest, opened = _text(snapshot["digest"]), snapshot["opened"]
    if _DIGEST(digest) is None or opened not in {each.value for each in Opened}:
        raise _bad("names no snapshot")
    names = {field.name for field in fields(EvidenceSlice)} - {"digest", "opened"}
    rows = _object(document["rows"], names)
    held = EvidenceSlice(
        digest,
        Opened(opened),
        facts=_table(rows["facts"], _pair, _each(_of(Fact))),
        quarantined=_table(rows["quarantined"], _pair, _each(_quarantined)),
        presence=_table(rows["presence"], _text, _each(_text)),
        properties_of=_table(rows["properties_of"], _text, _each(_text)),
        aliases=_table(rows["aliases"], _text, _each(_of(Alias))),
        property_specs=_table(rows["property_specs"], _text, _perhaps(PropertySpec)),
        sources=_table(rows["sources"], _text, _perhaps(Source)),
        successors=_table(rows["successors"], _text, _each(_text)),
        units=_table(rows["units"], _text, _perhaps(UnitRow)),
        units_of=_table(rows["units_of"], _text, _each(_of(UnitRow))),
        namespaces=_table(rows["namespaces"], _text, _perhaps(Namespace)),
        all_namespaces=[_each(_of(Namespace))(item) for item in _list(rows["all_namespaces"])],
    )
    return KeptEvidence(task_from(document["task"]), held)


def _cells(row: Any) -> tuple[object, ...]:  # noqa: ANN401 -- a row of any of the tables
    found: tuple[object, ...] = _COLUMNS[type(row)](row)
    return found


def _rows(found: tuple[Any, ...]) -> list[object]:
    return [_cells(one) for one in found]


def _row(found: Any) -> object:  # noqa: ANN401 -- a row of any of the tables
    return None if found is None else _cells(found)


def _table(item: object, key: Callable[[object], Any], read: Callable[[object], _T]) -> dict[Any, _T]:
    found: dict[Any, _T] = {}
    for entry in _list(item):
        pair = _list(entry)
        if len(pair) != 2:
            raise _bad("has a look-up that is no pair")
        name = key(pair[0])
        if name in found:
            raise _bad("has one look-up twice")
        found[name] = read(pair[1])
    return found


def _each(read: Callable[[object], _T]) -> Callable[[object], tuple[_T, ...]]:
    return lambda item: tuple(read(one) for one in _list(item))


def _perhaps(row: type[_T]) -> Callable[[object], _T | None]:
    read = _of(row)
    return lambda item: None if item is None else read(item)


def _of(row: type[_T]) -> Callable[[object], _T]:
    """Read a row of that table: as many cells as it has columns, each of its type."""
    cells = [_CELLS[str(field.type)] for field in fields(row)]  # type: ignore[arg-type]

    def read(item: object) -> _T:
        found = _list(item)
        if len(found) != len(cells):
            raise _bad("has a row with too few cells or too many")
        return row(*(cell(one) for cell, one in zip(cells, found, strict=True)))

    return read


def _quarantined(item: object) -> tuple[Fact, str]:
    pair = _list(item)
    if len(pair) != 2:
        raise _bad("has a quarantined row without its reason")
    return _of(Fact)(pair[0]), _text(pair[1])


def _pair(item: object) -> tuple[str, str]:
    found = [_text(one) for one in _list(item)]
    if len(found) != 2:
        raise _bad("has a look-up of facts that is not of an entity and a property")
    return found[0], found[1]


def _texts(item: object) -> tuple[str, ...]:
    return tuple(_text(one) for one in _list(item))


def _text(item: object) -> str:
    if type(item) is not str:
        raise _bad("has something else where a text is needed")
    return item


def _flag(item: object) -> bool:
    if type(item) is not bool:
        raise _bad("has something else where true or false is needed")
    return item


def _list(item: object) -> list[object]:
    if type(item) is not list:
        raise _bad("has something else where a list is needed")
    return item


def _object(item: object, keys: set[str]) -> Mapping[str, object]:
    if not isinstance(item, dict) or item.keys() != keys:
        raise _bad("has an object that needs exactly " + ", ".join(f"`{key}`" for key in sorted(keys)))
    return item


def _bad(what: str) -> InputError:
    return InputError("evidence.shape", f"the file of evidence {what}; see spec/receipt.md §2")


_CELLS: Final[dict[str, Callable[[object], Any]]] = {"str": _text, "tuple[str, ...]": _texts, "bool": _flag}
