"""Letterbox: the bytes of a task to a Task, and back to its one document (docs/reference/tasks.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from assay.floor.task import (
    DERIVATIONS,
    RELATIONS,
    TASK_CLASSES,
    Around,
    Given,
    GivenInterval,
    Selector,
    Task,
)
from assay.kernel import tokens
from assay.kernel.errors import InvalidKind, InvalidTask
from assay.kernel.kinds import Decimals, Grid, Significant
from assay.wire import task_models as models
from assay.wire.strict import StrictReader, word_for

MAX_TASK_BYTES: Final = 65_536
_READER: Final = StrictReader(InvalidTask, "task", "the task", MAX_TASK_BYTES)

_PAIRS: Final = {"compare": ("left", "right"), "within": ("value", "interval")}


def parse_task(data: bytes | str) -> Task:
    """The task that these bytes are. Whether a pack can answer it is decided when it is opened, not here.

    Raises:
        InvalidTask: the bytes are no task; one line names the field and what it needs.

    Source: docs/reference/tasks.md.
    """
    return task_from(_READER.read(data))


def task_from(document: object) -> Task:
    """The task of a document that a strict reader made; see `parse_task`."""
    if type(document) is not dict:
        raise InvalidTask("task.shape", f"the task is {word_for(document)}; an object with a `class` is needed")
    model = _model_for(document)
    try:
        parsed = model.model_validate(document)
    except ValidationError as fault:
        raise _refusal(fault, str(document["class"])) from None
    return _TASKS[model](parsed)


def task_document(task: Task) -> dict[str, object]:
    """The one document of a task: fields that say nothing are left out. `task_from` of it is the task again."""
    document: dict[str, object] = {"class": task.task_class}
    pair = _PAIRS.get(task.task_class) or (("left", "right") if task.derivation == "difference" else None)
    if task.derivation:
        document["derivation"] = task.derivation
    if pair is not None:
        document[pair[0]] = _side_document(task.subject)
        document[pair[1]] = _side_document(task.other)
    else:
        document.update(_side_document(task.subject))
    if task.relation:
        document["relation"] = task.relation
    if task.unit:
        document["unit"] = task.unit
    if task.grid is not None:
        document["grid"] = _grid_document(task.grid)
    if task.k != "2":
        document["k"] = task.k
    if task.central:
        document["central"] = True
    if task.uncertainty:
        document["uncertainty"] = True
    return document


def _model_for(document: Mapping[str, object]) -> type[models.Strict]:
    name = document.get("class")
    if type(name) is not str or name not in TASK_CLASSES:
        found = "missing" if "class" not in document else "no task class"
        raise InvalidTask("task.class", f"`class` is {found}; one of {', '.join(TASK_CLASSES)} is needed")
    if name == "interval":
        return models.IntervalAroundTask if "around" in document else models.IntervalTask
    if name == "convert":
        return models.ConvertGivenTask if "given" in document else models.ConvertTask
    if name == "derive":
        derivation = document.get("derivation")
        if type(derivation) is not str or derivation not in DERIVATIONS:
            found = "missing" if "derivation" not in document else "no derivation"
            raise InvalidTask("task.derivation", f"`derivation` is {found}; one of {', '.join(DERIVATIONS)} is needed")
        return _DERIVING.get(derivation, models.DeriveTask)
    return _MODELS[name]


def _refusal(fault: ValidationError, task_class: str) -> InvalidTask:
    """The first fault as one line; a misspelled field is named before the one that it leaves missing."""
    errors = fault.errors(include_url=False, include_context=False)
    error = min(errors, key=lambda found: _RANK.get(found["type"], 1))
    place, value = f"`{_place(error['loc'])}`", error["input"]
    match error["type"]:
        case "extra_forbidden":
            code, what = "field", f"is no field of class `{task_class}`; see docs/reference/tasks.md"
        case "missing":
            code, what = "missing", f"is missing; class `{task_class}` needs it"
        case "string_too_short":
            code, what = "missing", f"is empty; class `{task_class}` needs it"
        case "string_too_long":
            code, what = "too_long", f"has {len(value)} characters; at most {models.MAX_TEXT} are admitted"
        case "too_long":
            code, what = "too_long", f"has too many entries; at most {models.MAX_RELEASES} are admitted"
        case "value_error":
            code, what = "text", "holds control characters; write printable text"
        case kind:
            code, what = "type", f"is {word_for(value)}; {_need(kind)} is needed"
    return InvalidTask(f"task.{code}", f"{place} {what}")


# A misspelled field comes first, then what is wrong, then what is missing.
_RANK: Final = {"extra_forbidden": 0, "missing": 2}


def _need(kind: str) -> str:
    for start, need in (("string", "a text"), ("bool", "true or false"), ("list", "a list"), ("int", "a whole number")):
        if kind.startswith(start):
            return need
    return "an object"


def _place(loc: Sequence[int | str]) -> str:
    """The field's path; what a stranger wrote is cut and escaped, what pydantic added is left out."""
    names: list[str] = []
    for part in loc:
        name = str(part)
        if name in models.TAGS or (name in ("given", "around") and names[-1:] == [name]):
            continue
        names.append(name)
    text = ".".join(names).encode("unicode_escape").decode("ascii").replace("`", "'")
    return text if len(text) <= 60 else text[:57] + "…"


def _number(value: object, place: str, code: str) -> str:
    """A given number as text, in the kernel's decimal grammar."""
    if type(tokens.scan(value)) is not tuple:
        raise InvalidTask(code, f'`{place}` is not a decimal; write it as text, for example "1.5"')
    return value.strip(" \t") if isinstance(value, str) else str(value)


def _k(value: object, place: str = "k") -> str:
    text = _number(value, place, "task.k")
    if text.startswith("-"):
        raise InvalidTask("task.k", f"`{place}` is below zero; a number of standard uncertainties is needed")
    return text


def _grid(found: models.GridModel | None) -> Grid:
    if found is None:
        return None
    if (found.decimals is None) == (found.significant is None):
        raise InvalidTask("task.grid", "`grid` needs one of `decimals` and `significant`")
    try:
        return Decimals(found.decimals) if found.decimals is not None else Significant(found.significant or 0)
    except InvalidKind as fault:
        raise InvalidTask("task.grid", f"`grid`: {fault}") from None


def _releases(found: models.SelectorModel) -> tuple[str, ...]:
    if not found.releases:
        return (found.release,) if found.release else ()
    if found.release:
        raise InvalidTask("task.release", "both `release` and `releases` are given; keep one")
    if len(set(found.releases)) != len(found.releases):
        raise InvalidTask("task.release", "`releases` names a release twice; name each once")
    # Order says nothing, so the document of a task has one order.
    return tuple(sorted(found.releases))


def _selector(found: models.SelectorModel) -> Selector:
    return Selector(
        found.entity,
        found.property,
        found.argument,
        found.referent,
        found.condition,
        found.definition,
        found.method,
        _releases(found),
    )


def _around(found: models.AroundModel) -> Around:
    return Around(_selector(found.around), _k(found.k))


def _given(found: models.NumberModel, place: str) -> Given:
    return Given(_number(found.n, f"{place}.n", "task.given"), found.unit)


def _bounds(found: models.BoundsModel, place: str) -> GivenInterval:
    ends: list[str | None] = []
    for side, bound, closed in (("lo", found.lo, found.lo_closed), ("hi", found.hi, found.hi_closed)):
        if bound is None and closed:
            raise InvalidTask("task.given", f"`{place}.{side}` is null and called closed; an unbounded side is open")
        ends.append(None if bound is None else _number(bound, f"{place}.{side}", "task.given"))
    return GivenInterval(ends[0], ends[1], found.lo_closed, found.hi_closed, found.unit)


def _side(found: models.SelectorModel | models.GivenNumber, place: str) -> Selector | Given:
    if isinstance(found, models.GivenNumber):
        return _given(found.given, f"{place}.given")
    return _selector(found)


def _value(found: models.ValueTask | models.ConvertTask) -> Task:
    grid = _grid(found.grid)
    return Task(found.cls, _selector(found), unit=found.unit, grid=grid, uncertainty=found.uncertainty)


def _plain(found: models.CategoryTask | models.IdentifyTask | models.CountTask) -> Task:
    return Task(found.cls, _selector(found))


def _compare(found: models.CompareTask) -> Task:
    if found.relation and found.relation not in RELATIONS:
        raise InvalidTask("task.relation", f"`relation` is no relation; one of {', '.join(RELATIONS)} is needed")
    left, right = _side(found.left, "left"), _side(found.right, "right")
    return Task(found.cls, left, right, relation=found.relation, k=_k(found.k), central=found.central)


def _within(found: models.WithinTask) -> Task:
    item = _side(found.value, "value")
    span: Selector | GivenInterval | Around
    match found.interval:
        case models.GivenBounds(given=given):
            span = _bounds(given, "interval.given")
        case models.AroundModel():
            span = _around(found.interval)
        case _:
            span = _selector(found.interval)
    return Task(found.cls, item, span, k=_k(found.k), central=found.central)


def _interval(found: models.IntervalTask) -> Task:
    return Task(found.cls, _selector(found), unit=found.unit, grid=_grid(found.grid))


def _interval_around(found: models.IntervalAroundTask) -> Task:
    return Task(found.cls, _around(found), unit=found.unit, grid=_grid(found.grid))


def _convert_given(found: models.ConvertGivenTask) -> Task:
    return Task(found.cls, _given(found.given, "given"), unit=found.unit, grid=_grid(found.grid))


def _derive(found: models.DeriveTask) -> Task:
    return Task(found.cls, _selector(found), derivation=found.derivation, unit=found.unit, grid=_grid(found.grid))


def _argmax(found: models.ArgmaxTask) -> Task:
    subject = _selector(found)
    return Task(found.cls, subject, derivation=found.derivation, k=_k(found.k), central=found.central)


def _difference(found: models.DifferenceTask) -> Task:
    left, right = _side(found.left, "left"), _side(found.right, "right")
    return Task(found.cls, left, right, derivation=found.derivation, unit=found.unit, grid=_grid(found.grid))


def _agree(found: models.AgreeTask) -> Task:
    return Task(found.cls, _selector(found), k=_k(found.k))


_MODELS: Final[dict[str, type[models.Strict]]] = {
    "value": models.ValueTask,
    "category": models.CategoryTask,
    "compare": models.CompareTask,
    "within": models.WithinTask,
    "identify": models.IdentifyTask,
    "count": models.CountTask,
    "agree": models.AgreeTask,
}
_DERIVING: Final[dict[str, type[models.Strict]]] = {
    "argmax": models.ArgmaxTask,
    "difference": models.DifferenceTask,
}
# A literal table: each function takes its own model.
_TASKS: Final[dict[type[models.Strict], Callable[[Any], Task]]] = {
    models.ValueTask: _value,
    models.CategoryTask: _plain,
    models.CompareTask: _compare,
    models.WithinTask: _within,
    models.IntervalTask: _interval,
    models.IntervalAroundTask: _interval_around,
    models.IdentifyTask: _plain,
    models.ConvertTask: _value,
    models.ConvertGivenTask: _convert_given,
    models.CountTask: _plain,
    models.DeriveTask: _derive,
    models.ArgmaxTask: _argmax,
    models.DifferenceTask: _difference,
    models.AgreeTask: _agree,
}


def _selector_document(selector: Selector) -> dict[str, object]:
    named: dict[str, object] = {
        "entity": selector.entity,
        "property": selector.property,
        "argument": selector.argument,
        "referent": selector.referent,
        "condition": selector.condition,
        "definition": selector.definition,
        "method": selector.method,
    }
    document = {name: text for name, text in named.items() if text}
    if len(selector.releases) == 1:
        document["release"] = selector.releases[0]
    elif selector.releases:
        document["releases"] = sorted(selector.releases)
    return document


def _side_document(side: Selector | Given | GivenInterval | Around | None) -> dict[str, object]:
    match side:
        case Selector():
            return _selector_document(side)
        case Given(n, unit):
            return {"given": {"n": n, "unit": unit} if unit else {"n": n}}
        case GivenInterval(lo, hi, lo_closed, hi_closed, unit):
            bounds = {"lo": lo, "hi": hi, "lo_closed": lo_closed, "hi_closed": hi_closed}
            return {"given": {**bounds, "unit": unit} if unit else bounds}
        case Around(of, k):
            return {"around": _selector_document(of), **({"k": k} if k != "1" else {})}
        case None:
            return {}


def _grid_document(grid: Decimals | Significant) -> dict[str, object]:
    return {"decimals": grid.places} if isinstance(grid, Decimals) else {"significant": grid.figures}
