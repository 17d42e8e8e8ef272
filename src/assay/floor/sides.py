"""Library: whether two sides can be compared at all, by what the pack declares (docs/reference/tasks.md)."""

from __future__ import annotations

from typing import Final

from assay.floor.store import Snapshot
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.kernel.errors import InvalidTask

NUMBERS: Final = ("integer", "decimal", "quantity")


def check_sides(snapshot: Snapshot, task: Task) -> None:
    """Refuse sides that cannot be compared, by what the pack declares and never by what its facts say."""
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
