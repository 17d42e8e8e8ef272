"""Desk: hints for the owner of the evidence: why there is no answer, and which declared name may have been meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Final

from assay.api.recording import proof_of
from assay.api.revealing import Revealed, revealed
from assay.api.wiring import pack_path
from assay.floor.answers import selectors
from assay.floor.oracle import Established, establish
from assay.floor.shape import shape_of
from assay.floor.store import Snapshot
from assay.floor.task import Selector, Task
from assay.floor.wording import clean
from assay.kernel.errors import InvalidTask
from assay.packs import loader

NAMED: Final = 12
_QUOTED: Final = 60


def explained(pack: str | Path, snapshot: Snapshot, task: Task) -> tuple[Revealed, tuple[str, ...]]:
    """Establish the task and say everything, with hints where there is no value; `pack` is where the snapshot is from.

    Raises:
        InvalidTask: the task cannot be asked of this pack.
    """
    with naming_releases(pack):
        found = establish(snapshot, task)
    return revealed(proof_of(found)), tuple(_hints(pack, snapshot, found))


@contextmanager
def naming_releases(pack: str | Path) -> Iterator[None]:
    """Add the pack's releases to the refusal of a release that it does not have."""
    try:
        yield
    except InvalidTask as fault:
        if fault.code != "task.release":
            raise
        releases, _ = _declared(pack_path(pack))
        raise InvalidTask(fault.code, f"{fault}; its releases are {_listed(releases)}") from None


@lru_cache(maxsize=4)
def _declared(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sources with a file (all, where none has one), and the properties, that the pack declares; sorted."""
    declared = loader.read_contents(path).declared
    releases = sorted(source.source for source in declared.sources.values() if source.file)
    return tuple(releases or sorted(declared.sources)), tuple(sorted(declared.properties))


def _hints(pack: str | Path, snapshot: Snapshot, found: Established) -> Iterator[str]:
    reason = found.reason
    if reason == "no_property":
        for name in dict.fromkeys(side.property for side in selectors(found.task)):
            if name and snapshot.property_spec(name) is None:
                yield _no_property(name, _declared(pack_path(pack))[1])
    elif reason == "unknown":
        for side in selectors(found.task):
            yield from _no_prefix(snapshot, side)
    elif reason == "under_specified":
        fields = dict.fromkeys(name for side in shape_of(snapshot, found.task).sides for name in side.fields)
        if fields:
            yield f"the rows differ in {_listed(fields)}; name it in the task"
    elif reason == "quarantined":
        rows = found.evidence.quarantined.values()
        for why in dict.fromkeys(why for held in rows for _, why in held):
            yield f"a row was set aside: {clean(why)}"


def _no_property(name: str, declared: tuple[str, ...]) -> str:
    near = get_close_matches(name, declared, n=3)
    return f"no property of this name: {_quoted(name)}" + (f"; did you mean {_listed(near, ' or ')}" if near else "")


def _no_prefix(snapshot: Snapshot, side: Selector) -> Iterator[str]:
    declared = [rules.namespace for rules in snapshot.namespaces()]
    prefix, colon, _ = side.entity.partition(":")
    written = [text for rules in snapshot.namespaces() for text in rules.strip]
    known = (colon and prefix in declared) or any(side.entity.startswith(text) for text in written)
    if declared and not known:
        named = _listed(f"{name}:" for name in declared)
        yield f"{_quoted(side.entity)} begins with no prefix that the pack declares: {named}"


def _listed(names: Iterable[str], joint: str = ", ") -> str:
    every = list(names)
    more = f" and {len(every) - NAMED} more" if len(every) > NAMED else ""
    return joint.join(map(_quoted, every[:NAMED])) + more


def _quoted(text: str) -> str:
    return f"`{clean(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + '…')}`"
