"""Bedrock: the kinds of answer, with all that denotation needs (spec/verification.md §3; docs/adr/0002)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.kernel.errors import InvalidKind

MAX_DIGITS = 100
MAX_EXPONENT = 400
MAX_TOKEN = 128
MAX_MEMBERS = 256

_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,126}")


@dataclass(frozen=True, slots=True)
class Decimals:
    """The multiples of 10^-places."""

    places: int

    def __post_init__(self) -> None:
        _check_count(self.places, 0, "decimals")


@dataclass(frozen=True, slots=True)
class Significant:
    """The numbers of at most `figures` significant digits."""

    figures: int

    def __post_init__(self) -> None:
        _check_count(self.figures, 1, "significant")


Grid = Decimals | Significant | None


@dataclass(frozen=True, slots=True)
class Unit:
    """Number in the base unit = n · factor + offset, exactly; each a ratio of integers (n, d), d > 0."""

    factor: tuple[int, int] = (1, 1)
    offset: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        if self.factor[0] <= 0 or self.factor[1] <= 0 or self.offset[1] <= 0:
            raise InvalidKind("kind.unit", "a unit's factor is not positive; give it as an exact positive ratio")


@dataclass(frozen=True, slots=True)
class IntegerKind:
    """Whole numbers; the label (residue, entry) is for people and never proposed."""

    label: str = ""


@dataclass(frozen=True, slots=True)
class BooleanKind:
    """True or false, in JSON's own words only."""


@dataclass(frozen=True, slots=True)
class CategoryKind:
    """A word of a closed vocabulary."""

    vocabulary: frozenset[str]

    def __post_init__(self) -> None:
        if not self.vocabulary:
            raise InvalidKind("kind.vocabulary", "the vocabulary is empty; a category needs at least one word")
        for word in self.vocabulary:
            _check_word(word, "vocabulary")


@dataclass(frozen=True, slots=True)
class IdentifierKind:
    """A CURIE; with a prefix, only of that prefix."""

    prefix: str = ""

    def __post_init__(self) -> None:
        if self.prefix and _PREFIX.fullmatch(self.prefix) is None:
            raise InvalidKind("kind.prefix", "the prefix is not of the form [A-Za-z][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class DecimalKind:
    """Finite decimal numbers on a grid."""

    grid: Grid = None


@dataclass(frozen=True, slots=True)
class QuantityKind:
    """A number with one of the named units, and its standard uncertainty where the task asks for it."""

    units: tuple[tuple[str, Unit], ...]
    grid: Grid = None
    grid_unit: str = ""
    uncertainty: bool = False

    def __post_init__(self) -> None:
        names = [name for name, _ in self.units]
        if not names or len(set(names)) != len(names):
            raise InvalidKind("kind.units", "a quantity needs at least one unit, each named once")
        for name in names:
            _check_word(name, "units")
        if (self.grid is None) != (not self.grid_unit) or (self.grid_unit and self.grid_unit not in names):
            raise InvalidKind("kind.grid", "a quantity's grid names one of its units, and only a grid does")

    def unit(self, name: str) -> Unit | None:
        """The unit of that exact spelling, or None."""
        for known, unit in self.units:
            if known == name:
                return unit
        return None


@dataclass(frozen=True, slots=True)
class DateKind:
    """A day of the Gregorian calendar, years 0001 to 9999."""


@dataclass(frozen=True, slots=True)
class IntervalKind:
    """The numbers between two bounds of one number kind."""

    of: IntegerKind | DecimalKind


ScalarKind = IntegerKind | BooleanKind | CategoryKind | IdentifierKind | DecimalKind | DateKind


@dataclass(frozen=True, slots=True)
class SetKind:
    """At most 256 different values of one scalar kind."""

    of: ScalarKind


@dataclass(frozen=True, slots=True)
class PolymerKind:
    """A sequence of letters: evidence only, never an answer."""


Kind = ScalarKind | QuantityKind | IntervalKind | SetKind | PolymerKind


def _check_count(value: int, least: int, what: str) -> None:
    if type(value) is not int or not least <= value <= MAX_DIGITS:
        raise InvalidKind("kind.grid", f"`{what}` is not a whole number from {least} to {MAX_DIGITS}")


def _check_word(word: str, what: str) -> None:
    printable = all(ch >= " " and not "\x7f" <= ch <= "\x9f" and not "\ud800" <= ch <= "\udfff" for ch in word)
    if not 1 <= len(word) <= MAX_TOKEN or not printable or word != word.strip(" \t"):
        raise InvalidKind("kind.word", f"a word of `{what}` is empty, too long, padded or holds control characters")
