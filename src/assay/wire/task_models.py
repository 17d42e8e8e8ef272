"""Letterbox: the flat JSON form of every task class, as strict models (docs/reference/tasks.md)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

MAX_TEXT: Final = 512
MAX_RELEASES: Final = 64


def _no_controls(text: str) -> str:
    # A line break in a name could forge a line of a log or a card.
    if any(ch < " " or "\x7f" <= ch <= "\x9f" or ch in "\u2028\u2029" for ch in text):
        raise ValueError("control characters")
    return text


Text = Annotated[str, StringConstraints(max_length=MAX_TEXT), AfterValidator(_no_controls)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT), AfterValidator(_no_controls)]
Number = Annotated[str, StringConstraints(max_length=MAX_TEXT)] | int


class Strict(BaseModel):
    """No coercion, no unknown field."""

    # Built when first used: a command reads one class of task, not all of them.
    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)


class GridModel(Strict):
    """`{"decimals": 3}` or `{"significant": 4}`; which of them is there is checked by the reader."""

    decimals: int | None = None
    significant: int | None = None


class SelectorModel(Strict):
    """Which facts are asked for."""

    entity: Name
    property: Text = ""
    argument: Text = ""
    referent: Text = ""
    condition: Text = ""
    definition: Text = ""
    method: Text = ""
    release: Text = ""
    releases: Annotated[list[Name], Field(max_length=MAX_RELEASES)] = []


class NumberModel(Strict):
    """`{"n": "1", "unit": "cal_th"}`."""

    n: Number
    unit: Text = ""


class BoundsModel(Strict):
    """`{"lo", "hi", "lo_closed", "hi_closed", "unit"}`."""

    lo: Number | None
    hi: Number | None
    lo_closed: bool
    hi_closed: bool
    unit: Text = ""


class GivenNumber(Strict):
    """A number that the task itself gives."""

    given: NumberModel


class GivenBounds(Strict):
    """An interval that the task itself gives."""

    given: BoundsModel


class AroundModel(Strict):
    """k standard uncertainties around a value."""

    around: SelectorModel
    k: Number = "1"


def _kind_of_side(value: object) -> str:
    if isinstance(value, dict) and "given" in value:
        return "given"
    return "around" if isinstance(value, dict) and "around" in value else "selector"


SideModel = Annotated[
    Annotated[SelectorModel, Tag("selector")] | Annotated[GivenNumber, Tag("given")], Discriminator(_kind_of_side)
]
RangeModel = Annotated[
    Annotated[SelectorModel, Tag("selector")]
    | Annotated[GivenBounds, Tag("given")]
    | Annotated[AroundModel, Tag("around")],
    Discriminator(_kind_of_side),
]
# Names that pydantic puts into an error's place and that are no fields of a task.
TAGS: Final = frozenset({"selector", "int", "constrained-str"})


class _Task(Strict):
    cls: str = Field(alias="class")
    id: Any = None  # only an echo for whoever wrote the task; no part of it


class _Selecting(_Task, SelectorModel):
    pass


class _Gridded(Strict):
    unit: Text = ""
    grid: GridModel | None = None


class ValueTask(_Selecting, _Gridded):
    """What the evidence states."""

    property: Name
    uncertainty: bool = False


class CategoryTask(_Selecting):
    """A word of a closed vocabulary."""

    property: Name


class CompareTask(_Task):
    """Less, equal or greater; or whether one of them holds."""

    left: SideModel
    right: SideModel
    relation: Text = ""
    k: Number = "2"
    central: bool = False


class WithinTask(_Task):
    """Whether a number lies in an interval."""

    value: SideModel
    interval: RangeModel
    k: Number = "2"
    central: bool = False


class IntervalTask(_Selecting, _Gridded):
    """An interval that the evidence states."""

    property: Name


class IntervalAroundTask(_Task, AroundModel, _Gridded):
    """The interval of k standard uncertainties around a value."""


class IdentifyTask(_Selecting):
    """Which entity an identifier leads to, or an identifier property."""


class ConvertTask(_Selecting, _Gridded):
    """A stated quantity in a named unit."""

    property: Name
    unit: Name
    uncertainty: bool = False


class ConvertGivenTask(_Task, GivenNumber, _Gridded):
    """A given quantity in a named unit."""

    unit: Name


class CountTask(_Selecting):
    """How many residues, letters or members."""

    property: Name


class DeriveTask(_Selecting, _Gridded):
    """A computed answer of the closed catalogue."""

    derivation: Literal["mass", "composition", "mature_length", "residue_at", "sum"]


class ArgmaxTask(_Selecting):
    """The member of a collection with the largest number."""

    derivation: Literal["argmax"]
    property: Name
    k: Number = "2"
    central: bool = False


class DifferenceTask(_Task, _Gridded):
    """Left minus right."""

    derivation: Literal["difference"]
    left: SideModel
    right: SideModel


class AgreeTask(_Selecting):
    """Whether independent sources agree."""

    property: Name
    k: Number = "2"
