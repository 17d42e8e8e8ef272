"""Bedrock: the kinds of answer, with all that denotation needs (spec/verification.md §3; docs/adr/0002)."""

from __future__ import annotations

import re

from assay.kernel.errors import InvalidKind
from assay.kernel.records import Record

MAX_DIGITS = 100
MAX_EXPONENT = 400
MAX_TOKEN = 128
MAX_MEMBERS = 256
# No number of a conversion then has more than 640 digits, from where on an interpreter may refuse to write it.
MAX_FACTOR = 10**60

_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,125}").fullmatch


class Decimals(Record):
    """The multiples of 10^-places."""

    __slots__ = __match_args__ = ("places",)

    def __init__(self, places: int) -> None:
        self.places = _count(places, 0, "decimals")


class Significant(Record):
    """The numbers of at most `figures` significant digits."""

    __slots__ = __match_args__ = ("figures",)

    def __init__(self, figures: int) -> None:
        self.figures = _count(figures, 1, "significant")


Grid = Decimals | Significant | None


class Unit(Record):
    """Number in the base unit = n · factor + offset, exactly; each a ratio of integers (n, d), d > 0."""

    __slots__ = __match_args__ = ("factor", "offset")

    def __init__(self, factor: tuple[int, int] = (1, 1), offset: tuple[int, int] = (0, 1)) -> None:
        if factor[0] <= 0 or factor[1] <= 0 or offset[1] <= 0:
            raise InvalidKind("kind.unit", "a unit's factor is not positive; give it as an exact positive ratio")
        if max(*factor, *map(abs, offset)) >= MAX_FACTOR:
            raise InvalidKind(
                "kind.unit", "a unit's factor or offset has more than 60 digits; choose a nearer base unit"
            )
        self.factor = factor
        self.offset = offset


class IntegerKind(Record):
    """Whole numbers; the label (residue, entry) is for people and never proposed."""

    __slots__ = __match_args__ = ("label",)

    def __init__(self, label: str = "") -> None:
        self.label = _word(label, "label") if label else ""


class BooleanKind(Record):
    """True or false, in JSON's own words only."""


class CategoryKind(Record):
    """A word of a closed vocabulary."""

    __slots__ = __match_args__ = ("vocabulary",)

    def __init__(self, vocabulary: frozenset[str]) -> None:
        if not vocabulary:
            raise InvalidKind("kind.vocabulary", "the vocabulary is empty; a category needs at least one word")
        self.vocabulary = frozenset(_word(word, "vocabulary") for word in vocabulary)


class IdentifierKind(Record):
    """A CURIE; with a prefix, only of that prefix."""

    __slots__ = ("prefix", "start")
    __match_args__ = ("prefix",)

    def __init__(self, prefix: str = "") -> None:
        if prefix and _PREFIX(prefix) is None:
            raise InvalidKind("kind.prefix", "the prefix is not of the form [A-Za-z][A-Za-z0-9._-]*, 126 at most")
        self.prefix = prefix
        self.start = prefix and prefix + ":"


class DecimalKind(Record):
    """Finite decimal numbers on a grid."""

    __slots__ = __match_args__ = ("grid",)

    def __init__(self, grid: Grid = None) -> None:
        self.grid = grid


class DateKind(Record):
    """A day of the Gregorian calendar, years 0001 to 9999."""


class PolymerKind(Record):
    """A sequence of letters: evidence only, never an answer."""


class QuantityKind(Record):
    """A number with one of the named units, and its standard uncertainty where the task asks for it."""

    __slots__ = __match_args__ = ("units", "grid", "grid_unit", "uncertainty")

    def __init__(  # a record takes its fields in order, flags too
        self,
        units: tuple[tuple[str, Unit], ...],
        grid: Grid = None,
        grid_unit: str = "",
        uncertainty: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        names = [_word(name, "units") for name, _ in units]
        if not names or len(set(names)) != len(names):
            raise InvalidKind("kind.units", "a quantity needs at least one unit, each named once")
        if (grid is None) != (not grid_unit) or (grid_unit and grid_unit not in names):
            raise InvalidKind("kind.grid", "a quantity's grid names one of its units, and only a grid does")
        self.units = units
        self.grid = grid
        self.grid_unit = grid_unit
        self.uncertainty = uncertainty

    def unit(self, name: str) -> Unit | None:
        """The unit of that exact spelling, or None."""
        for known, unit in self.units:
            if known == name:
                return unit
        return None


class IntervalKind(Record):
    """The numbers between two bounds of one number kind."""

    __slots__ = __match_args__ = ("of",)

    def __init__(self, of: IntegerKind | DecimalKind) -> None:
        self.of = of


ScalarKind = IntegerKind | BooleanKind | CategoryKind | IdentifierKind | DecimalKind | DateKind


class SetKind(Record):
    """At most 256 different values of one scalar kind."""

    __slots__ = __match_args__ = ("of",)

    def __init__(self, of: ScalarKind) -> None:
        self.of = of


Kind = ScalarKind | QuantityKind | IntervalKind | SetKind | PolymerKind


def _count(value: int, least: int, what: str) -> int:
    if type(value) is not int or not least <= value <= MAX_DIGITS:
        raise InvalidKind("kind.grid", f"`{what}` is not a whole number from {least} to {MAX_DIGITS}")
    return value


def _word(word: str, what: str) -> str:
    printable = all(ch >= " " and not "\x7f" <= ch <= "\x9f" and not "\ud800" <= ch <= "\udfff" for ch in word)
    if not 1 <= len(word) <= MAX_TOKEN or not printable or word != word.strip(" \t"):
        raise InvalidKind("kind.word", f"a word of `{what}` is empty, too long, padded or holds control characters")
    return word
