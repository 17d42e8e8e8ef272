"""Library: the operations valid for a task, each with the question it stands for (spec/card.md §3; docs/adr/0017).

A function of task and evidence shape alone. No text of a call is ever read back: what is performed is the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, assert_never

from assay.floor.shape import EvidenceShape, SideShape
from assay.floor.signatures import OperationCall
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.floor.wording import clean
from assay.kernel.kinds import Decimals, Grid

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SourcesOf:
    """The question which sources have rows for a side of the task."""

    side: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A call that a card may show, and the question it stands for. `answers`: that question is the task itself."""

    call: OperationCall
    asks: Task | SourcesOf
    answers: bool = False


def offers(task: Task, shape: EvidenceShape) -> tuple[Offer, ...]:
    """Every operation that is valid for the task; the one that stands for the task itself comes first."""
    found: dict[str, Offer] = {}
    for offer in _each(task, shape):
        # Two entities that differ beyond what is shown would give one text twice: the first is kept.
        found.setdefault(offer.call.text, offer)
    return tuple(found.values())


def summary(task: Task) -> Pairs:
    """What the task names, as pairs of name and cleaned text."""
    named = [("class", task.task_class), ("derivation", task.derivation), *_arguments(task)]
    return tuple((name, text) for name, text in named if text)


def _each(task: Task, shape: EvidenceShape) -> Iterator[Offer]:
    name = _answering(task, shape.sides[0] if shape.sides else None)
    yield Offer(_call(name, _arguments(task)), task, answers=True)
    for index, side in enumerate(shape.sides):
        yield from _about(task, side, index)
    if task.other is not None:
        sides = iter(shape.sides)
        for item in (task.subject, task.other):
            if isinstance(item, (Selector, Around)):
                yield from _reading(item, next(sides))


def _about(task: Task, side: SideShape, index: int) -> Iterator[Offer]:
    """What can be asked about one selector, whatever its property's kind."""
    asked = side.selector
    bare = Selector(asked.entity, releases=asked.releases)
    yield Offer(_call("look_up_entity", _pairs(bare)), Task("identify", bare))
    if side.rows:
        yield Offer(_call("list_sources", _pairs(asked)), SourcesOf(index))
    if len(side.sources) > 1 and task.task_class != "agree" and task.derivation in ("", "difference"):
        whole = replace(asked, argument="") if side.kind == "polymer" else asked
        yield Offer(_call("compare_sources", _pairs(whole)), Task("agree", whole))


def _reading(item: Selector | Around, side: SideShape) -> Iterator[Offer]:
    """The operation that reads one of two sides; a sequence is never read out."""
    if isinstance(item, Around):
        yield Offer(_call("read_interval", _side_pairs(item)), Task("interval", item))
    elif side.kind != "polymer":
        yield Offer(_call(_value_reader(side), _pairs(item)), Task("value", item))


_BY_CLASS: Final = {
    "category": "look_up_category",
    "compare": "compare_values",
    "within": "check_interval",
    "interval": "read_interval",
    "convert": "convert_unit",
    "agree": "compare_sources",
}
_BY_DERIVATION: Final = {
    "mass": "compute_mass",
    "composition": "compute_composition",
    "mature_length": "compute_mature_length",
    "residue_at": "residue_at",
    "difference": "difference",
    "sum": "sum_members",
    "argmax": "largest_member",
}
_BY_COMPUTATION: Final = {"count_residues": "count_residues", "mature_length": "compute_mature_length"}
# What an operation calls the argument of its property.
_ARGUMENT: Final = {"count_residues": "letter", "compute_composition": "element", "residue_at": "position"}


def _answering(task: Task, side: SideShape | None) -> str:
    """The operation that stands for the task itself."""
    match task.task_class:
        case "derive":
            return _BY_DERIVATION[task.derivation]
        case "identify" if not task.property:
            return "resolve_identifier"
        case "count":
            return "count_residues" if side is not None and side.kind == "polymer" else "count_members"
        case "value" | "identify":
            return "read_value" if side is None else _value_reader(side)
        case name:
            return _BY_CLASS[name]


def _value_reader(side: SideShape) -> str:
    if side.computation in _BY_COMPUTATION:
        return _BY_COMPUTATION[side.computation]
    if side.kind == "category" and side.cardinality != "many":
        return "look_up_category"
    return "read_interval" if side.kind == "interval" else "read_value"


def _call(name: str, pairs: Iterable[tuple[str, str]]) -> OperationCall:
    called = _ARGUMENT.get(name, "argument")
    return OperationCall(name, tuple((called if key == "argument" else key, text) for key, text in pairs))


def _arguments(task: Task) -> Pairs:
    """Everything that the task names, but for its class and derivation."""
    named = (
        *_side_pairs(task.subject),
        *_side_pairs(task.other, "other_"),
        ("relation", task.relation),
        ("unit", clean(task.unit)),
        ("grid", _grid_text(task.grid)),
        ("uncertainty", "yes" if task.uncertainty else ""),
        ("k", clean(task.k) if task.k != "2" else ""),
        ("central", "yes" if task.central else ""),
    )
    return tuple((name, text) for name, text in named if text)


def _side_pairs(side: Selector | Given | GivenInterval | Around | None, prefix: str = "") -> Pairs:
    match side:
        case Selector():
            return _pairs(side, prefix)
        case Around(of, k):
            return (*_pairs(of, prefix), (f"{prefix}around", clean(f"{k} u")))
        case Given(n, unit):
            return ((f"{prefix}given", clean(f"{n} {unit}".strip())),)
        case GivenInterval(low, high, low_closed, high_closed, unit):
            ends = f"{'[' if low_closed else '('}{low or ''}, {high or ''}{']' if high_closed else ')'} {unit}"
            return ((f"{prefix}given", clean(ends.strip())),)
        case None:
            return ()
        case _:
            assert_never(side)


def _pairs(selector: Selector, prefix: str = "") -> Pairs:
    named = (
        ("entity", selector.entity),
        ("property", selector.property),
        ("argument", selector.argument),
        ("referent", selector.referent),
        ("condition", selector.condition),
        ("definition", selector.definition),
        ("method", selector.method),
        ("releases", " + ".join(selector.releases)),
    )
    return tuple((prefix + name, clean(text)) for name, text in named if text)


def _grid_text(grid: Grid) -> str:
    if grid is None:
        return ""
    return f"{grid.places} decimals" if isinstance(grid, Decimals) else f"{grid.figures} significant"
