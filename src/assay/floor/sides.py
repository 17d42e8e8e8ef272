"""Library: whether two sides can be compared at all, by what the pack declares (docs/reference/tasks.md)."""

from __future__ import annotations

from typing import Final

from assay.floor.store import Snapshot
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.kernel.errors import InvalidTask

NUMBERS: Final = ("integer", "decimal", "quantity")

# The names that derivations read, and the kinds that they need (spec/pack.md §7).
_RESERVED: Final = {
    "sequence": ("polymer",),
    "chain": ("interval",),
    "atoms": ("integer",),
    "atomic_mass": ("quantity", "decimal"),
}


def check_reserved(snapshot: Snapshot) -> None:
    """Refuse a pack that declares the properties of a derivation otherwise than spec/pack.md §7 does."""
    for name, kinds in _RESERVED.items():
        spec = snapshot.property_spec(name)
        if spec is not None and (spec.kind not in kinds or spec.cardinality == "many"):
            raise InvalidTask("task.property", f"the pack declares `{name}` otherwise than a derivation needs it")


def check_sides(snapshot: Snapshot, task: Task) -> None:
    """Refuse sides that cannot be compared, by what the pack declares and never by what its facts say."""
    for side in (task.subject, task.other):
        if isinstance(side, Around) and _side_kind(snapshot, side.of) not in (*NUMBERS, ""):
            raise InvalidTask("task.property", "`around` needs a number property")
    second = task.other if task.task_class == "derive" and isinstance(task.other, Selector) else None
    if second is not None and _side_kind(snapshot, second) not in (*NUMBERS, ""):
        raise InvalidTask("task.property", "`difference` needs numbers")
    if task.task_class not in ("compare", "within"):
        return
    kinds = [_side_kind(snapshot, side) for side in (task.subject, task.other)]
    if task.task_class == "within":
        if kinds[1] in NUMBERS:
            raise InvalidTask("task.sides", "`within` needs an interval as its second side")
        if kinds[0] not in (*NUMBERS, ""):
            raise InvalidTask("task.sides", "`within` asks about a number")
        return
    if "interval" in kinds:
        raise InvalidTask("task.sides", "a side of a comparison is a number or a text, not an interval")
    texts = [kind not in (*NUMBERS, "") for kind in kinds]
    if any(texts) and (task.relation != "equal" or not all(texts)):
        raise InvalidTask("task.relation", "texts have no order; ask two of them with the relation `equal`")
    if any(texts) and len({_texts_of(snapshot, side) for side in (task.subject, task.other)}) > 1:
        raise InvalidTask("task.relation", "texts of different kinds or vocabularies cannot be compared")


def _texts_of(snapshot: Snapshot, side: object) -> object:
    """What two texts must share to be compared: kind, cardinality, vocabulary, prefix."""
    spec = snapshot.property_spec(side.property) if isinstance(side, Selector) else None
    return spec and (spec.kind, spec.element, spec.cardinality, spec.vocabulary, spec.prefix)


def _side_kind(snapshot: Snapshot, side: object) -> str:
    """The declared kind of a side; empty where the pack declares none."""
    if isinstance(side, Given):
        return "decimal"
    if isinstance(side, (GivenInterval, Around)):
        return "interval"
    spec = snapshot.property_spec(side.property) if isinstance(side, Selector) else None
    if spec is None:
        return ""
    return "set" if spec.cardinality == "many" else spec.kind
