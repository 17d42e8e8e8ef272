"""Library: answers derived from several facts: a closed catalogue with a proof path (docs/reference/tasks.md).

Masses come from composition and atomic masses in the pack, never from constants in code.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from assay.floor.agreement import exceeds
from assay.floor.computations import chain_length, letter_at
from assay.floor.decide import Agreed, Decision, Undecided, decide
from assay.floor.measures import Measured, first_undecided, measure, merged_spread, task_k
from assay.floor.points import exact_point
from assay.floor.ratios import less, minus, plus, times
from assay.floor.readings import EXACT, Reading
from assay.floor.selection import Missing, locate
from assay.floor.store import Snapshot
from assay.floor.supersession import current
from assay.floor.task import Given, Selector, Side, Task
from assay.floor.trail import Trail
from assay.kernel.denotation import SEPARATOR
from assay.kernel.errors import InvalidTask
from assay.kernel.numbers import Ratio, reduce
from assay.kernel.states import Conflict, Insufficient, NoEntity

# The names that a pack gives to what a mass needs (spec/pack.md §7).
SEQUENCE: Final = "sequence"
CHAIN: Final = "chain"
ATOMS: Final = "atoms"
ATOMIC_MASS: Final = "atomic_mass"
MEMBER: Final = "member"
WATER: Final = "residue:water"
ELEMENTS: Final = ("C", "H", "N", "O", "S", "Se")
# Reasons why a residue has no row for an element: it has none of it, or is no residue at all.
_ABSENT: Final = frozenset({"no_fact", "no_property"})
_SCALES: Final = ("average", "monoisotopic")


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived number in the base unit, or a derived text."""

    number: Ratio | None = None
    text: str = ""
    dimension: str = ""


def derive(snapshot: Snapshot, task: Task, trail: Trail) -> Derived | Decision:
    """The derived answer, or the state that says why there is none."""
    subject = task.subject
    assert isinstance(subject, Selector)
    match task.derivation:
        case "mass":
            return _mass(snapshot, subject, trail)
        case "composition":
            return _composition(snapshot, subject, trail)
        case "mature_length":
            chain = _chain(snapshot, subject)
            if not isinstance(chain, Selector):
                return chain
            return decide(snapshot, chain, exact_point, trail, (CHAIN, chain_length))
        case "residue_at":
            position = int(subject.argument)
            sequence = replace(subject, property=subject.property or SEQUENCE, argument="")
            return decide(snapshot, sequence, exact_point, trail, (sequence.property, letter_at(position)))
        case "difference":
            return _difference(snapshot, task, subject, trail)
        case "sum":
            return _sum(snapshot, subject, trail)
        case _:
            return _argmax(snapshot, task, subject, trail)


def _chain(snapshot: Snapshot, subject: Selector) -> Selector | Undecided:
    """The chain that the argument names; the only one, where none is named and one is stated."""
    referent = "" if subject.referent == "mature" else subject.referent
    chain = replace(subject, property=CHAIN, referent=referent, definition="")
    entity = locate(snapshot, subject)
    if subject.argument or isinstance(entity, Missing):
        return chain
    rows = current(snapshot, snapshot.facts(entity, CHAIN), entity.partition(":")[0], subject.releases)
    names = {fact.argument for fact in rows}
    if len(names) > 1:
        return Insufficient("under_specified")
    return replace(chain, argument=names.pop()) if names else chain


def _letters(snapshot: Snapshot, subject: Selector, trail: Trail) -> str | Undecided:
    """The letters of the sequence, or of its chain where the referent is the mature form."""
    mature = subject.referent == "mature"
    whole = replace(subject, property=SEQUENCE, argument="", definition="", referent="" if mature else subject.referent)
    sequence = decide(snapshot, whole, exact_point, trail)
    if not isinstance(sequence, Agreed):
        return sequence
    letters = sequence.readings[0].text
    if not mature:
        return letters
    chain = _chain(snapshot, subject)
    if not isinstance(chain, Selector):
        return chain
    bounds = decide(snapshot, chain, exact_point, trail)
    if not isinstance(bounds, Agreed):
        return bounds
    ends = bounds.readings[0].ends
    if ends is None or ends[0] is None or ends[1] is None or bounds.readings[0].bounds not in ("", "[]"):
        return Insufficient("chain_not_bounded")
    start, end = ends[0][0], ends[1][0]
    if ends[0][1] != 1 or ends[1][1] != 1 or not 1 <= start <= end <= len(letters):
        return Insufficient("chain_not_bounded")
    trail.note("slice", f"residues {start} to {end}, 1-based, both included")
    return letters[start - 1 : end]


def _atoms(snapshot: Snapshot, letters: str, releases: tuple[str, ...], trail: Trail) -> Counter[str] | Undecided:
    """How many atoms of each element the residues and one water have."""
    total: Counter[str] = Counter()
    for name, count in sorted({**Counter(letters), WATER: 1}.items()):
        entity = name if name == WATER else f"residue:{name}"
        stated = False
        # Whatever the rows name, and not only the usual ones: an element left out would be a mass too small.
        for element in sorted({fact.argument for fact in snapshot.facts(entity, ATOMS)}):
            side = decide(snapshot, Selector(entity, ATOMS, element), exact_point, trail)
            if isinstance(side, Agreed):
                number = side.readings[0].number
                assert number is not None
                total[element] += count * number[0]
                stated = True
            elif isinstance(side, Conflict) or (isinstance(side, Insufficient) and side.reason not in _ABSENT):
                return side
        if not stated:
            # A letter without a composition (X, B, Z): its mass is not established.
            return Insufficient("no_composition")
    return total


def _mass(snapshot: Snapshot, subject: Selector, trail: Trail) -> Derived | Undecided:
    letters = _letters(snapshot, subject, trail)
    if not isinstance(letters, str):
        return letters
    if subject.definition not in _SCALES:
        return Insufficient("under_specified")
    atoms = _atoms(snapshot, letters, subject.releases, trail)
    if not isinstance(atoms, Counter):
        return atoms
    total: Ratio = (0, 1)
    dimension = ""
    for element, count in sorted(atoms.items()):
        if count == 0:
            continue
        mass = decide(
            snapshot, Selector(f"element:{element}", ATOMIC_MASS, definition=subject.definition), exact_point, trail
        )
        if not isinstance(mass, Agreed):
            # The sequence is known; what is missing is a mass, so the state is INSUFFICIENT, not NO_ENTITY.
            return mass if isinstance(mass, Conflict) else Insufficient("no_atomic_mass")
        number = mass.readings[0].number
        assert number is not None
        total, dimension = reduce(*plus(total, times((count, 1), number))), mass.readings[0].dimension
    trail.note(f"sum {subject.definition} atomic masses", f"{sum(atoms.values())} atoms, one water included")
    return Derived(total, dimension=dimension)


def _composition(snapshot: Snapshot, subject: Selector, trail: Trail) -> Derived | Undecided:
    if subject.argument not in ELEMENTS:
        raise InvalidTask("task.argument", f"`composition` counts one element: {', '.join(ELEMENTS)}")
    letters = _letters(snapshot, replace(subject, argument=""), trail)
    if not isinstance(letters, str):
        return letters
    atoms = _atoms(snapshot, letters, subject.releases, trail)
    return Derived((atoms[subject.argument], 1)) if isinstance(atoms, Counter) else atoms


def _difference(snapshot: Snapshot, task: Task, subject: Selector, trail: Trail) -> Derived | Undecided:
    other = task.other
    if not isinstance(other, (Selector, Given)):
        raise InvalidTask("task.sides", "`difference` needs a number as its second side")
    sides: tuple[Side, Side] = (subject, other)
    named = snapshot.unit(task.unit) if task.unit else None
    one, two = (measure(snapshot, side, trail, named.dimension if named is not None else "") for side in sides)
    missing = first_undecided(one, two)
    if missing is not None:
        return missing
    assert isinstance(one, Measured) and isinstance(two, Measured)
    if one.dimension != two.dimension:
        return Insufficient("different_dimensions")
    if one.number is None or two.number is None:
        raise InvalidTask("task.property", "`difference` needs numbers")
    trail.note("difference", "left minus right, exactly")
    return Derived(reduce(*minus(one.number, two.number)), dimension=one.dimension)


def _members(snapshot: Snapshot, subject: Selector, trail: Trail) -> tuple[str, ...] | Undecided:
    decision = decide(snapshot, Selector(subject.entity, MEMBER, releases=subject.releases), exact_point, trail)
    if not isinstance(decision, Agreed):
        return decision
    return tuple(member for member in decision.readings[0].text.split(SEPARATOR) if member)


def _each(snapshot: Snapshot, subject: Selector, trail: Trail) -> list[tuple[str, tuple[Reading, ...]]] | Undecided:
    members = _members(snapshot, subject, trail)
    if not isinstance(members, tuple):
        return members
    if not members:
        return Insufficient("no_members")
    found: list[tuple[str, tuple[Reading, ...]]] = []
    undecided: list[Undecided] = []
    entities = [locate(snapshot, replace(subject, entity=member)) for member in members]
    named = [entity for entity in entities if isinstance(entity, str)]
    if len(set(named)) != len(named):
        # Two members that are one entity: it is not counted twice.
        return Insufficient("member_twice")
    quiet = Trail()  # thousands of like steps say nothing; the rows themselves are in the slice
    for member in members:
        decision = decide(snapshot, replace(subject, entity=member), exact_point, quiet)
        if not isinstance(decision, Agreed):
            undecided.append(decision)
        elif decision.readings[0].number is None:
            raise InvalidTask("task.property", "`sum` and `argmax` need a number property")
        else:
            found.append((member, decision.readings))
    missing = first_undecided(*undecided)
    if isinstance(missing, NoEntity):
        return Insufficient("member_missing")
    if missing is not None:
        return missing
    trail.note("members", f"{len(members)} members, each decided")
    return found


def _sum(snapshot: Snapshot, subject: Selector, trail: Trail) -> Derived | Undecided:
    found = _each(snapshot, subject, trail)
    if not isinstance(found, list):
        return found
    if len({readings[0].dimension for _, readings in found}) != 1:
        return Insufficient("different_dimensions")
    total: Ratio = (0, 1)
    for _, readings in found:
        number = readings[0].number
        assert number is not None
        total = reduce(*plus(total, number))
    trail.note("sum", f"{len(found)} numbers, exactly")
    return Derived(total, dimension=found[0][1][0].dimension)


def _argmax(snapshot: Snapshot, task: Task, subject: Selector, trail: Trail) -> Derived | Undecided:
    found = _each(snapshot, subject, trail)
    if not isinstance(found, list):
        return found
    if len({readings[0].dimension for _, readings in found}) != 1:
        return Insufficient("different_dimensions")
    best_name, best = found[0]
    for name, readings in found[1:]:
        if less(_number(best), _number(readings)):
            best_name, best = name, readings
    top = _side(best)
    for name, readings in found:
        if name == best_name:
            continue
        gap = minus(_number(best), _number(readings))
        side = _side(readings)
        if gap[0] == 0:
            return Insufficient("tie")
        if not task.central and not exceeds(gap, side[:2], top[2:], task_k(task.k)):
            return Insufficient("not_separated")
    trail.note("argmax", f"largest of {len(found)}")
    return Derived(text=best_name)


def _number(readings: tuple[Reading, ...]) -> Ratio:
    number = readings[0].number
    assert number is not None
    return number


def _side(readings: tuple[Reading, ...]) -> tuple[Ratio | None, Ratio, Ratio | None, Ratio]:
    spread = EXACT if readings[0].text else merged_spread(readings)
    return spread.up, spread.half, spread.down, spread.half
