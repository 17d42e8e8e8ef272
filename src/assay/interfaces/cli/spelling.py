"""Doors: values and long lines as people read them."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import Final, TextIO

from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    Decimals,
    Grid,
    IdentifierKind,
    IntegerKind,
    IntervalKind,
    Kind,
    PolymerKind,
    QuantityKind,
    SetKind,
    Significant,
)

_NAMED: Final = 12
_NARROW: Final = 20  # a terminal that calls itself narrower is not believed


def spelled(value: object) -> str:
    """The value as JSON spells it; a text by itself stands without its quotation marks."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def wanted(kind: Kind) -> str:
    """The kind of answer that is wanted, by what is declared and what the task says."""
    match kind:
        case IntegerKind(label):
            return "a whole number" + (f" (of: {label})" if label else "")
        case BooleanKind():
            return "true or false"
        case CategoryKind(vocabulary):
            return f"one of the words {_listed(sorted(vocabulary))}"
        case IdentifierKind(prefix):
            return f"an identifier that begins with `{prefix}:`" if prefix else "an identifier, as `prefix:name`"
        case DecimalKind(grid):
            return f"a number{_on(grid, ' with ')}"
        case DateKind():
            return "a day, as 2024-01-31"
        case QuantityKind(units=units, grid=grid, grid_unit=unit, uncertainty=uncertainty):
            named = f"unit {unit}" if unit else f"one of the units {_listed([name for name, _ in units])}"
            if len(units) == 1:
                named = f"unit {units[0][0]}"
            spread = ", and its standard uncertainty, as `1.5 ± 0.1 unit`" if uncertainty else ""
            return f"a number with {named}{_on(grid, ' and ')}{spread}"
        case IntervalKind(of):
            return f'an interval, as {{"lo":"1","hi":"2","lo_closed":true,"hi_closed":true}}, each end {wanted(of)}'
        case SetKind(of):
            return f'a list, as ["…","…"], each member {wanted(of)}'
        case PolymerKind():
            return "a sequence"


def wrapped(text: str, stream: TextIO) -> str:
    """The line broken between words to the width of the terminal; as it is where the stream is none."""
    if not stream.isatty():
        return text
    width = max(shutil.get_terminal_size().columns, _NARROW)
    if len(text) <= width:
        return text
    margin = text[: len(text) - len(text.lstrip())][: _NARROW // 2]
    return textwrap.fill(
        text.lstrip(),
        width,
        initial_indent=margin,
        subsequent_indent=f"{margin}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _on(grid: Grid, joint: str) -> str:
    match grid:
        case Decimals(places):
            return f"{joint}{places} decimal{'' if places == 1 else 's'}"
        case Significant(figures):
            return f"{joint}{figures} significant digit{'' if figures == 1 else 's'}"
        case None:
            return ""


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
