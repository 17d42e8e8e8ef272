"""Halls: a task as one plain question, in words that the worked examples of `prompts` share."""

from __future__ import annotations

from typing import Final

from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.floor.wording import clean
from assay.kernel.kinds import CategoryKind, IntegerKind, Kind

_ORDERS: Final = {"less": "less than", "equal": "equal to", "greater": "greater than"}


def question(task: Task, kind: Kind) -> str:
    """The task in one sentence; `kind` is the kind of its answer.

    Every text of the task is cleaned: it cannot end a line. Grid and k are left out: they bind the answer, and are in
    the task that a card shows.
    """
    left, right = _side(task.subject), _side(task.other)
    match task.task_class:
        case "compare" if task.relation:
            return f"Is {left} {_ORDERS[task.relation]} {right}?"
        case "compare":
            return f"Is {left} less than, equal to or greater than {right}?"
        case "within":
            return f"Is {left} inside the interval {right}?"
        case "interval":
            return f"Which interval is {left}{_unit(task)}?"
        case "identify" if not task.property:
            return f"Which identifier does {left} lead to?"
        case "agree":
            return f"Do the sources agree on {left}?"
        case "count":
            return _count(task, kind)
        case "derive":
            return _derive(task)
        case _ if isinstance(kind, CategoryKind) and isinstance(task.subject, Selector):
            return f"Which {_words(task.property)} has {_entity(task.subject)}{_at(task.subject)}?"
        case _:
            return f"What is {left}{_unit(task)}?"


def _count(task: Task, kind: Kind) -> str:
    side = task.subject
    if isinstance(side, Selector) and isinstance(kind, IntegerKind) and kind.label == "residue":
        letter = f"{clean(side.argument)} " if side.argument else ""
        return f"How many {letter}residues does {_entity(side)} have{_named(side)}?"
    return f"How many members does {_side(side)} have?"


def _derive(task: Task) -> str:
    side = task.subject
    if task.derivation == "difference" or not isinstance(side, Selector):
        return f"What is the difference of {_side(side)} and {_side(task.other)}{_unit(task)}?"
    entity, argument = _entity(side), clean(side.argument)
    match task.derivation:
        case "mass":
            return f"What is the mass of the sequence of {entity}{_named(side)}{_unit(task)}?"
        case "composition":
            return f"How many {argument} atoms does {entity} have{_named(side)}?"
        case "mature_length":
            return f"How long is the mature chain of {entity}{_named(side)}?"
        case "residue_at":
            return f"Which residue stands at position {argument} of {entity}{_named(side)}?"
        case "sum":
            return f"What is the sum of the {_words(task.property)} of all members of {entity}?"
        case _:
            return f"Which member of {entity} has the largest {_words(task.property)}?"


def _side(side: Selector | Given | GivenInterval | Around | None) -> str:
    match side:
        case Selector():
            of = f"the {_words(side.property)} of " if side.property else ""
            return f"{of}{_entity(side)}{_at(side)}"
        case Around(of, k):
            return f"{clean(k)} uncertainties around {_side(of)}"
        case Given(n, unit):
            return clean(f"{n} {unit}".strip())
        case GivenInterval(low, high, _, _, unit):
            return clean(f"{low or 'anything'} to {high or 'anything'} {unit}".strip())
        case None:
            return "nothing"


def _at(side: Selector) -> str:
    return (f" at {clean(side.argument)}" if side.argument else "") + _named(side)


def _named(side: Selector) -> str:
    """The selectors in brackets; nothing where none is named."""
    named = [side.referent, side.condition, side.definition, side.method, *side.releases]
    texts = [clean(text) for text in named if text]
    return f" ({', '.join(texts)})" if texts else ""


def _entity(side: Selector) -> str:
    return clean(side.entity)


def _unit(task: Task) -> str:
    return f", in {clean(task.unit)}" if task.unit else ""


def _words(name: str) -> str:
    return clean(name).replace("_", " ")
