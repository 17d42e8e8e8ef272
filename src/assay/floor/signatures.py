"""Library: the operations by name, and what a call looks like (spec/card.md §3). Names only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.floor.wording import quoted


@dataclass(frozen=True, slots=True)
class OperationCall:
    """An operation and its arguments, as a card shows them: cleaned texts, compared and never parsed."""

    name: str
    arguments: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The call in one line; two calls of one card have different texts."""
        return f"{self.name}({', '.join(f'{name}={quoted(text)}' for name, text in self.arguments)})"


@dataclass(frozen=True, slots=True)
class NavigationFailure:
    """A choice that is not on the card: nothing was performed, and nothing was put in its place."""

    reason: str


@dataclass(frozen=True, slots=True)
class Signature:
    """What an operation takes and gives; `establishes` says whether its result can be a task's own answer."""

    name: str
    parameters: tuple[str, ...]
    gives: str
    establishes: bool = True


def is_call(call: object) -> bool:
    """Whether this is a call of plain texts, so that comparing it runs no code of a stranger's class."""
    return (
        type(call) is OperationCall
        and type(call.name) is str
        and type(call.arguments) is tuple
        and all(
            type(pair) is tuple and len(pair) == 2 and type(pair[0]) is str and type(pair[1]) is str
            for pair in call.arguments
        )
    )


def _selector(prefix: str = "", argument: str = "argument") -> tuple[str, ...]:
    names = ("entity", "property", argument, "referent", "condition", "definition", "method", "releases")
    return tuple(prefix + name for name in names)


_OF: Final = _selector()
_SIDE: Final = (*_OF, "given")
_OTHER: Final = (*_selector("other_"), "other_given", "other_around")
_FORM: Final = ("unit", "grid", "uncertainty")
_DECIDING: Final = ("k", "central")

SIGNATURES: Final[dict[str, Signature]] = {
    signature.name: signature
    for signature in (
        Signature("read_value", (*_OF, *_FORM), "the value of a property"),
        Signature("look_up_category", _OF, "the word of a property with a closed vocabulary"),
        Signature(
            "read_interval",
            (*_OF, "around", *_FORM),
            "the bounds of an interval, or of k uncertainties around a value",
        ),
        Signature(
            "count_residues",
            (*_selector(argument="letter"), *_FORM),
            "the number of letters of a sequence, or of one letter in it",
        ),
        Signature(
            "compute_mature_length", (*_OF, *_FORM), "the number of residues from the start of the chain to its end"
        ),
        Signature("count_members", _OF, "the number of members of a set"),
        Signature(
            "compare_values",
            (*_SIDE, *_OTHER, "relation", *_DECIDING),
            "the order of two numbers, or whether a relation holds",
        ),
        Signature("check_interval", (*_SIDE, *_OTHER, *_DECIDING), "whether a number lies inside an interval"),
        Signature("resolve_identifier", _OF, "the entity that an identifier leads to"),
        Signature("convert_unit", (*_SIDE, *_FORM), "a quantity in the named unit"),
        Signature("compute_mass", (*_OF, *_FORM), "the mass from the composition and the atomic masses"),
        Signature(
            "compute_composition", (*_selector(argument="element"), *_FORM), "the number of atoms of one element"
        ),
        Signature("residue_at", (*_selector(argument="position"), *_FORM), "the letter at a position, counted from 1"),
        Signature("difference", (*_SIDE, *_OTHER, *_FORM), "the left number minus the right one"),
        Signature("sum_members", (*_OF, *_FORM), "the sum of a property over the members of a collection"),
        Signature("largest_member", (*_OF, *_DECIDING), "the member with the largest number"),
        Signature("compare_sources", (*_OF, "k"), "whether the independent sources agree"),
        Signature(
            "look_up_entity",
            ("entity", "releases"),
            "whether the evidence holds the entity, and under which identifier",
            establishes=False,
        ),
        Signature("list_sources", _OF, "the names of the sources that have rows of the property", establishes=False),
    )
}
