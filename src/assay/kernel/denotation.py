"""Bedrock: from a raw value to the canonical text of a kind, or a refusal (spec/verification.md §3; docs/adr/0002)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from assay.kernel import numbers, tokens
from assay.kernel.kinds import (
    MAX_MEMBERS,
    MAX_TOKEN,
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
)
from assay.kernel.tokens import Denoted
from assay.kernel.verdict import (
    DUPLICATE,
    EMPTY_INTERVAL,
    KEYS,
    NEGATIVE_UNCERTAINTY,
    OFF_GRID,
    TOO_LONG,
    TYPE,
    UNIT,
    Reject,
)

_QUANTITY: Final = frozenset({"n", "unit"})
_WITH_UNCERTAINTY: Final = frozenset({"n", "u", "unit"})
_INTERVAL: Final = frozenset({"lo", "hi", "lo_closed", "hi_closed"})
SEPARATOR: Final = "\x1f"  # in no canonical text: words hold no control characters


def denote(kind: Kind, raw: object) -> Denoted:
    """The canonical text that `raw` denotes in `kind`, or the refusal that says why it denotes nothing. Never raises."""
    return _DENOTE[type(kind)](kind, raw)


def _object(raw: object, keys: frozenset[str]) -> dict[str, object] | Reject:
    if type(raw) is not dict:
        return TYPE
    if len(raw) != len(keys):
        return KEYS
    for key in raw:
        # Exact type first: a str subclass could answer `==` as it likes.
        if type(key) is not str or key not in keys:
            return KEYS
    return raw


def _quantity(kind: QuantityKind, raw: object) -> Denoted:
    fields = _object(raw, _WITH_UNCERTAINTY if kind.uncertainty else _QUANTITY)
    if type(fields) is not dict:
        return fields
    name = fields["unit"]
    if type(name) is not str:
        return TYPE
    if len(name) > MAX_TOKEN:
        return TOO_LONG
    unit = kind.unit(name)
    if unit is None:
        return UNIT
    scanned = tokens.scan(fields["n"])
    if type(scanned) is not tuple:
        return scanned
    number = numbers.ratio(scanned)
    base = number if unit.factor == (1, 1) and not unit.offset[0] else numbers.to_base(number, unit)
    if kind.grid is not None and not _on_unit_grid(kind, name, number, base):
        return OFF_GRID
    text = f"{base[0]}/{base[1]}"
    if not kind.uncertainty:
        return text
    scanned = tokens.scan(fields["u"])
    if type(scanned) is not tuple:
        return scanned
    if scanned[0]:
        return NEGATIVE_UNCERTAINTY
    spread = numbers.reduce(*_scale(numbers.ratio(scanned), unit.factor))
    return f"{text};{spread[0]}/{spread[1]}"


def _scale(number: numbers.Ratio, factor: numbers.Ratio) -> numbers.Ratio:
    return number[0] * factor[0], number[1] * factor[1]


def _on_unit_grid(kind: QuantityKind, name: str, number: numbers.Ratio, base: numbers.Ratio) -> bool:
    unit = kind.unit(kind.grid_unit)
    if unit is None or name == kind.grid_unit:
        return numbers.is_on(kind.grid, number)
    return numbers.is_on(kind.grid, numbers.from_base(base, unit))


def _interval(kind: IntervalKind, raw: object) -> Denoted:
    fields = _object(raw, _INTERVAL)
    if type(fields) is not dict:
        return fields
    texts: list[str] = []
    ends: list[numbers.Ratio | None] = []
    closed: list[bool] = []
    for side in ("lo", "hi"):
        flag, bound = fields[side + "_closed"], fields[side]
        if type(flag) is not bool:
            return TYPE
        closed.append(flag)
        if bound is None:
            if flag:
                return EMPTY_INTERVAL
            texts.append("")
            ends.append(None)
            continue
        text = denote(kind.of, bound)
        if type(text) is not str:
            return text
        scanned = tokens.scan(bound)
        end = numbers.ratio(scanned) if type(scanned) is tuple else None
        if end is not None and type(kind.of) is IntegerKind and not flag:
            # Integers: an open bound is the next one inside, closed.
            end = (end[0] + (1 if side == "lo" else -1), 1)
            text, closed[-1] = str(end[0]), True
        texts.append(text)
        ends.append(end)
    low, high = ends
    if low is not None and high is not None:
        order = low[0] * high[1] - high[0] * low[1]
        if order > 0 or (order == 0 and not (closed[0] and closed[1])):
            return EMPTY_INTERVAL
    return f"{'[' if closed[0] else '('}{texts[0]},{texts[1]}{']' if closed[1] else ')'}"


def _set(kind: SetKind, raw: object) -> Denoted:
    if type(raw) is not list:
        return TYPE
    if len(raw) > MAX_MEMBERS:
        return TOO_LONG
    inner, of = _DENOTE[type(kind.of)], kind.of
    texts = [inner(of, member) for member in tuple(raw)]
    words = [text for text in texts if type(text) is str]
    if len(words) != len(texts):
        return next(text for text in texts if type(text) is not str)
    # By canonical text: numbers can be made to collide under their hash, texts cannot at this cost.
    if len(set(words)) != len(words):
        return DUPLICATE
    words.sort()
    return SEPARATOR.join([*words, ""])


def _polymer(kind: PolymerKind, raw: object) -> Denoted:
    return TYPE


# A literal table, keyed by exact type; each function takes its own kind.
_DENOTE: Final[dict[type, Callable[[Any, object], Denoted]]] = {
    IntegerKind: tokens.integer,
    BooleanKind: tokens.boolean,
    CategoryKind: tokens.category,
    IdentifierKind: tokens.identifier,
    DecimalKind: tokens.decimal,
    DateKind: tokens.date,
    QuantityKind: _quantity,
    IntervalKind: _interval,
    SetKind: _set,
    PolymerKind: _polymer,
}
