"""Library: the kind of a task's answer, and the checks that a task must pass to be opened (docs/reference/tasks.md)."""

from __future__ import annotations

from collections.abc import Iterable

from assay.floor.evidence import PropertySpec, UnitRow
from assay.floor.readings import kernel_unit
from assay.floor.sides import NUMBERS, check_reserved
from assay.floor.store import Snapshot
from assay.floor.task import (
    AGREEMENTS,
    DERIVATIONS,
    RELATIONS,
    TASK_CLASSES,
    Around,
    Given,
    Selector,
    Task,
)
from assay.floor.wording import clean
from assay.kernel.errors import InvalidTask
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    IdentifierKind,
    IntegerKind,
    IntervalKind,
    Kind,
    PolymerKind,
    QuantityKind,
    SetKind,
    Unit,
)

MASS_UNIT = "Da"
MAX_POSITION_DIGITS = 9
_NAMED = 12  # units in a message
_QUOTED = 60  # characters of a user's text in a message


def answer_kind(snapshot: Snapshot, task: Task) -> Kind:
    """The kind that the task's answer has in this snapshot.

    Raises:
        InvalidTask: the task asks what its class, its property or the pack cannot mean.
    """
    if task.task_class not in TASK_CLASSES:
        raise InvalidTask("task.class", f"unknown task class; one of {', '.join(TASK_CLASSES)} is needed")
    check_releases(snapshot, task)
    kind = _kind_of_class(snapshot, task)
    _check_wishes(task, kind)
    return kind


def _check_wishes(task: Task, kind: Kind) -> None:
    """Refuse a unit, grid or uncertainty that the answer cannot have: to ignore it would answer another question."""
    number = kind.of if isinstance(kind, (SetKind, IntervalKind)) else kind
    if task.unit and not isinstance(kind, (QuantityKind, IntervalKind)):
        raise InvalidTask("task.unit", "the answer is no quantity; leave `unit` out")
    if task.grid is not None and not isinstance(number, (DecimalKind, QuantityKind)):
        raise InvalidTask("task.grid", "the answer is no decimal number; leave `grid` out")
    if task.uncertainty and not isinstance(kind, QuantityKind):
        raise InvalidTask("task.uncertainty", "the answer is no quantity; leave `uncertainty` out")


def _kind_of_class(snapshot: Snapshot, task: Task) -> Kind:
    match task.task_class:
        case "compare":
            _both(task, "compare")
            if task.relation and task.relation not in RELATIONS:
                raise InvalidTask("task.relation", f"unknown relation; one of {', '.join(RELATIONS)} is needed")
            return BooleanKind() if task.relation else CategoryKind(frozenset(RELATIONS))
        case "within":
            _both(task, "within")
            return BooleanKind()
        case "agree":
            if not isinstance(task.subject, Selector):
                raise InvalidTask("task.sides", "`agree` needs an entity and a property")
            return CategoryKind(frozenset(AGREEMENTS))
        case "identify":
            if not isinstance(task.subject, Selector):
                raise InvalidTask("task.sides", "`identify` needs an entity")
            spec = _spec(snapshot, task)
            if spec is not None and spec.kind != "identifier":
                raise InvalidTask("task.property", "`identify` needs an identifier property, or none")
            return IdentifierKind(spec.prefix if spec is not None else "")
        case "count":
            return _count_kind(snapshot, task)
        case "convert":
            return _convert_kind(snapshot, task)
        case "interval":
            return _interval_kind(snapshot, task)
        case "derive":
            return _derived_kind(snapshot, task)
        case _:
            return _value_kind(snapshot, task)


def check_releases(snapshot: Snapshot, task: Task) -> None:
    """Refuse releases that the pack does not hold: a typing slip is not an absence."""
    for selector in selectors(task):
        for name in selector.releases:
            if snapshot.source(name) is None:
                raise InvalidTask(
                    "task.release",
                    f"release {_quoted(name)} is not a source of this pack; `assay pack show` lists them",
                )


def selectors(task: Task) -> tuple[Selector, ...]:
    """Every selector of the task, subject first."""
    sides: Iterable[object] = (task.subject, task.other)
    found = [side.of if isinstance(side, Around) else side for side in sides]
    return tuple(side for side in found if isinstance(side, Selector))


def quantity_kind(
    snapshot: Snapshot, task: Task, accepted: tuple[str, tuple[str, ...]], *, declared: str = "", affine: bool = True
) -> QuantityKind:
    """A quantity that accepts these units of one dimension, on the task's grid.

    The grid is in the task's unit or in the `declared` one, never in the unit that a fact happens to have: the code of
    a refusal would tell it (docs/adr/0006).
    """
    dimension, names = accepted
    # In the order of the names: an answer is spelled in the first unit that can hold it.
    rows = {row.unit: kernel_unit(row) for row in snapshot.units_of(dimension)}
    units = tuple((name, rows[name] if affine else _factor_only(rows[name])) for name in names if name in rows)
    grid_unit = (task.unit or declared) if task.grid is not None else ""
    if task.grid is not None and not grid_unit:
        raise InvalidTask("task.unit", "a grid needs the unit that it is in; name `unit`")
    if not units or (grid_unit and grid_unit not in names):
        raise _unit_refused(task.unit, _declared_units(snapshot, _spec(snapshot, task)))
    return QuantityKind(units, task.grid, grid_unit, uncertainty=task.uncertainty)


def spellings(snapshot: Snapshot, name: str, spec: PropertySpec | None = None) -> tuple[str, tuple[str, ...]]:
    """The dimension of a unit, and all spellings that mean exactly that unit, the asked one first."""
    row = _unit(snapshot, name, spec)
    same = [
        other.unit
        for other in snapshot.units_of(row.dimension)
        if kernel_unit(other) == kernel_unit(row) and other.unit != name
    ]
    return row.dimension, (name, *same)


def _factor_only(unit: Unit) -> Unit:
    # A difference of temperatures has no offset: 10 degC apart is 10 K apart.
    return Unit(unit.factor)


def _unit(snapshot: Snapshot, name: str, spec: PropertySpec | None = None) -> UnitRow:
    row = snapshot.unit(name)
    if row is None:
        raise _unit_refused(name, _declared_units(snapshot, spec))
    return row


def _unit_refused(found: str, accepted: tuple[str, ...]) -> InvalidTask:
    """The refusal of a unit: what was found and what is declared to be accepted, never what facts have."""
    start = f"the task's unit: found {_quoted(found)}" if found else "the task's unit: found none"
    if not accepted:
        return InvalidTask("task.unit", f"{start}, which the pack does not declare; see `assay pack show`")
    named = ", ".join(map(_quoted, accepted[:_NAMED]))
    more = f" and {len(accepted) - _NAMED} more, see `assay pack show`" if len(accepted) > _NAMED else ""
    return InvalidTask("task.unit", f"{start}, accepted {named}{more}")


def _declared_units(snapshot: Snapshot, spec: PropertySpec | None) -> tuple[str, ...]:
    """The units that the property declares; all of its own unit's dimension where it lists none."""
    if spec is None or spec.units:
        return spec.units if spec is not None else ()
    own = snapshot.unit(spec.unit) if spec.unit else None
    return tuple(row.unit for row in snapshot.units_of(own.dimension)) if own is not None else ()


def _quoted(text: str) -> str:
    """A user's text in backticks, shortened, nothing in it able to end the quotation or the line."""
    return f"`{clean(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + '…')}`"


def _both(task: Task, name: str) -> None:
    if task.other is None or isinstance(task.subject, Around):
        raise InvalidTask("task.sides", f"`{name}` needs two sides")


def _spec(snapshot: Snapshot, task: Task) -> PropertySpec | None:
    if not isinstance(task.subject, (Selector, Around)):
        return None
    return snapshot.property_spec(task.property) if task.property else None


def _value_kind(snapshot: Snapshot, task: Task) -> Kind:
    if not isinstance(task.subject, Selector) or not task.property:
        raise InvalidTask("task.sides", f"`{task.task_class}` needs an entity and a property")
    spec = _spec(snapshot, task)
    if spec is None:
        # A property that nobody declares: the state is INSUFFICIENT, and proposals are read as plain numbers.
        return DecimalKind(task.grid)
    if task.task_class == "category" and spec.kind != "category":
        raise InvalidTask("task.property", "`category` needs a property with a closed vocabulary")
    return property_kind(snapshot, task, spec)


def property_kind(snapshot: Snapshot, task: Task, spec: PropertySpec) -> Kind:
    """The kind of a property's value under the task's unit and grid."""
    kind = _scalar_kind(snapshot, task, spec, spec.kind)
    if spec.cardinality == "many" and not isinstance(kind, (QuantityKind, IntervalKind, SetKind, PolymerKind)):
        return SetKind(kind)
    return kind


def _scalar_kind(snapshot: Snapshot, task: Task, spec: PropertySpec, name: str) -> Kind:
    match name:
        case "integer":
            return IntegerKind(spec.label)
        case "boolean":
            return BooleanKind()
        case "category":
            return CategoryKind(frozenset(spec.vocabulary))
        case "identifier":
            return IdentifierKind(spec.prefix)
        case "decimal":
            return DecimalKind(task.grid)
        case "date":
            return DateKind()
        case "quantity":
            return quantity_kind(snapshot, task, accepted_units(snapshot, task, spec), declared=spec.unit)
        case "interval":
            return _interval_kind(snapshot, task)
        case "set":
            inner = _scalar_kind(snapshot, task, spec, spec.element)
            if isinstance(inner, (QuantityKind, IntervalKind, SetKind, PolymerKind)):
                raise InvalidTask("task.property", "a set of that kind cannot be asked")
            return SetKind(inner)
        case _:
            raise InvalidTask("task.property", "a sequence is evidence, never an answer; ask what is computed from it")


def accepted_units(snapshot: Snapshot, task: Task, spec: PropertySpec) -> tuple[str, tuple[str, ...]]:
    """The dimension and the units in which the property may be answered: the task's, else the declared one's.

    A property such as `value` of a constant declares units of several dimensions and none as its own: there the task
    names one. It is never taken from the facts: the code of a refusal would tell what they say (docs/adr/0006).
    """
    name = task.unit or spec.unit or _only_kind_of_unit(snapshot, spec)
    if not name:
        return "", ()
    row = _unit(snapshot, name, spec)
    names = [other.unit for other in snapshot.units_of(row.dimension) if not spec.units or other.unit in spec.units]
    return row.dimension, tuple(sorted(names, key=lambda unit: unit != name))


def _only_kind_of_unit(snapshot: Snapshot, spec: PropertySpec) -> str:
    if len({_unit(snapshot, name).dimension for name in spec.units}) > 1:
        raise InvalidTask("task.unit", "the property has units of several kinds and none of its own; name `unit`")
    return next(iter(spec.units), "")


def _count_kind(snapshot: Snapshot, task: Task) -> Kind:
    spec = _spec(snapshot, task)
    if not isinstance(task.subject, Selector):
        raise InvalidTask("task.sides", "`count` needs an entity and a property")
    if spec is None:
        return IntegerKind()
    if spec.kind == "polymer":
        letter = task.subject.argument
        if letter and not (len(letter) == 1 and letter.isascii() and letter.isupper()):
            raise InvalidTask("task.argument", "the letter to count is one capital letter, or none to count all")
        return IntegerKind("residue")
    if spec.cardinality == "many" and not task.subject.argument:
        return IntegerKind(spec.label or "entry")
    raise InvalidTask("task.property", "`count` needs a sequence or a property of cardinality many")


def _convert_kind(snapshot: Snapshot, task: Task) -> Kind:
    if not task.unit or isinstance(task.subject, Around):
        raise InvalidTask("task.unit", "`convert` needs a unit and an entity's property or a given number")
    dimension, names = spellings(snapshot, task.unit, _spec(snapshot, task))
    if isinstance(task.subject, Given):
        if _unit(snapshot, task.subject.unit).dimension != dimension:
            raise InvalidTask("task.unit", "the given number's unit is of another dimension than the task's")
    else:
        spec = _spec(snapshot, task)
        if spec is not None and spec.kind != "quantity":
            raise InvalidTask("task.property", "`convert` needs a quantity")
    return quantity_kind(snapshot, task, (dimension, names))


def _interval_kind(snapshot: Snapshot, task: Task) -> Kind:
    if isinstance(task.subject, Given):
        raise InvalidTask("task.sides", "`interval` needs an entity and a property")
    spec = _spec(snapshot, task)
    if isinstance(task.subject, Selector) and spec is not None and spec.kind != "interval":
        raise InvalidTask("task.property", "`interval` needs an interval property, or `around` a value")
    if not task.unit and spec is not None and spec.units:
        raise InvalidTask("task.unit", "an interval is answered without a unit, so the task names it; name `unit`")
    if spec is not None and spec.kind == "interval" and spec.element == "integer":
        return IntervalKind(IntegerKind(spec.label))
    return IntervalKind(DecimalKind(task.grid))


def _derived_kind(snapshot: Snapshot, task: Task) -> Kind:
    if task.derivation not in DERIVATIONS or not isinstance(task.subject, Selector):
        if task.derivation in DERIVATIONS:
            raise InvalidTask("task.sides", "a derivation begins with an entity; a given number may stand second")
        raise InvalidTask("task.derivation", f"unknown derivation; one of {', '.join(DERIVATIONS)} is needed")
    match task.derivation:
        case "mass":
            check_reserved(snapshot)
            _only_fields(task, "mass", ("", "sequence"), ("referent", "definition", "argument"))
            mass = snapshot.property_spec("atomic_mass")
            dimension, names = spellings(snapshot, task.unit or MASS_UNIT, mass)
            if mass is not None and mass.unit and _unit(snapshot, mass.unit).dimension != dimension:
                raise InvalidTask("task.unit", "a mass is not answered in a unit of another dimension")
            if task.unit not in names:
                names = (*names, task.unit) if task.unit else names
            every = [row.unit for row in snapshot.units_of(dimension)]
            every = sorted(every, key=lambda unit: unit != (task.unit or MASS_UNIT))
            return quantity_kind(snapshot, task, (dimension, tuple(every)), declared=MASS_UNIT)
        case "composition":
            check_reserved(snapshot)
            _only_fields(task, "composition", ("", "sequence"), ("referent", "argument"))
            return IntegerKind("atom")
        case "mature_length":
            check_reserved(snapshot)
            _only_fields(task, "mature_length", ("", "chain"), ("argument",))
            return IntegerKind("residue")
        case "residue_at":
            _check_position(snapshot, task.subject)
            return CategoryKind(frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        case "argmax":
            spec = _spec(snapshot, task)
            if spec is not None and spec.kind not in NUMBERS:
                raise InvalidTask("task.property", "`argmax` needs a number property")
            return IdentifierKind()
        case _:
            if task.derivation == "difference":
                _both(task, "difference")
            spec = _spec(snapshot, task)
            if spec is None or spec.kind == "integer":
                return IntegerKind(spec.label if spec else "")
            if spec.kind == "decimal":
                return DecimalKind(task.grid)
            if task.derivation == "sum" and any(
                snapshot_unit.offset[0] for snapshot_unit in _all_units(snapshot, spec)
            ):
                raise InvalidTask("task.property", "numbers on scales with different zeros have no sum")
            if spec.kind != "quantity":
                raise InvalidTask("task.property", f"`{task.derivation}` needs a number property")
            accepted = accepted_units(snapshot, task, spec)
            return quantity_kind(snapshot, task, accepted, declared=spec.unit, affine=False)


def _check_position(snapshot: Snapshot, subject: Selector) -> None:
    position = subject.argument
    if not position.isascii() or not position.isdigit() or len(position) > MAX_POSITION_DIGITS:
        raise InvalidTask("task.argument", "`residue_at` needs a 1-based position as its argument")
    spec = snapshot.property_spec(subject.property) if subject.property else None
    if spec is not None and spec.kind != "polymer":
        raise InvalidTask("task.property", "`residue_at` looks into a sequence; name one, or no property")


def _all_units(snapshot: Snapshot, spec: PropertySpec) -> list[Unit]:
    return [kernel_unit(_unit(snapshot, name)) for name in spec.units]


def _only_fields(task: Task, name: str, properties: tuple[str, ...], fields: tuple[str, ...]) -> None:
    """Refuse what a derivation does not look at: a field that is named and ignored would answer another question."""
    assert isinstance(task.subject, Selector)
    named = {
        "argument": task.subject.argument,
        "referent": task.subject.referent,
        "condition": task.subject.condition,
        "definition": task.subject.definition,
        "method": task.subject.method,
    }
    for field, text in named.items():
        if text and field not in fields:
            raise InvalidTask("task.field", f"`{name}` does not take `{field}`; leave it out")
    if task.subject.property not in properties:
        raise InvalidTask("task.property", f"`{name}` is computed from `{properties[-1]}`; name that or no property")
    if name == "mass" and task.subject.argument and task.subject.referent != "mature":
        raise InvalidTask("task.argument", "only the mass of a `mature` chain takes the chain's name as argument")
