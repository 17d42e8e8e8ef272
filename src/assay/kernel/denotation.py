"""Bedrock: from a raw value to the canonical text of a kind, or a refusal (spec/verification.md §3; docs/adr/0002)."""

from __future__ import annotations

from collections.abc import Callable

from assay.kernel import kinds as k
from assay.kernel import numbers, tokens
from assay.kernel import verdict as v
from assay.kernel.tokens import Denoted

_QUANTITY = frozenset({"n", "unit"})
_WITH_UNCERTAINTY = frozenset({"n", "u", "unit"})
_INTERVAL = frozenset({"lo", "hi", "lo_closed", "hi_closed"})
SEPARATOR = "\x1f"  # in no canonical text: words hold no control characters


def _object(raw: object, keys: frozenset[str]) -> dict[str, object] | v.Reject:
    if type(raw) is not dict:
        return v.TYPE
    if len(raw) != len(keys):
        return v.KEYS
    for key in raw:
        # Exact type first: a str subclass could answer `==` as it likes.
        if type(key) is not str or key not in keys:
            return v.KEYS
    return raw


def _quantity(kind: k.QuantityKind, raw: object) -> Denoted:
    fields = _object(raw, _WITH_UNCERTAINTY if kind.uncertainty else _QUANTITY)
    if isinstance(fields, v.Reject):
        return fields
    name = fields["unit"]
    if type(name) is not str:
        return v.TYPE
    unit = kind.unit(name)
    if unit is None:
        return v.TOO_LONG if len(name) > k.MAX_TOKEN else v.UNIT
    scanned = tokens.scan(fields["n"])
    if isinstance(scanned, v.Reject):
        return scanned
    base = numbers.to_base(numbers.ratio(scanned), unit)
    if kind.grid is not None and not _is_on_grid(kind, name, scanned, base):
        return v.OFF_GRID
    if not kind.uncertainty:
        return f"{base[0]}/{base[1]}"
    scanned = tokens.scan(fields["u"])
    if isinstance(scanned, v.Reject):
        return scanned
    if scanned[0]:
        return v.NEGATIVE_UNCERTAINTY
    num, den = numbers.ratio(scanned)
    spread = numbers.reduce(num * unit.factor[0], den * unit.factor[1])
    return f"{base[0]}/{base[1]};{spread[0]}/{spread[1]}"


def _is_on_grid(kind: k.QuantityKind, name: str, scanned: tokens.Scanned, base: numbers.Ratio) -> bool:
    unit = kind.unit(kind.grid_unit)
    if unit is None or name == kind.grid_unit:
        return tokens.on_grid(kind.grid, scanned[1], scanned[2])
    return numbers.is_on(kind.grid, numbers.from_base(base, unit))


def _interval(kind: k.IntervalKind, raw: object) -> Denoted:
    fields = _object(raw, _INTERVAL)
    if isinstance(fields, v.Reject):
        return fields
    left, right = fields["lo_closed"], fields["hi_closed"]
    if type(left) is not bool or type(right) is not bool:
        return v.TYPE
    low, high = _bound(kind.of, fields["lo"], 0 if left else 1), _bound(kind.of, fields["hi"], 0 if right else -1)
    if isinstance(low, v.Reject):
        return low
    if isinstance(high, v.Reject):
        return high
    (first, start), (last, end) = low, high
    if isinstance(kind.of, k.IntegerKind):
        left, right = start is not None, end is not None
    if start is not None and end is not None:
        order = start[0] * end[1] - end[0] * start[1]
        if order > 0 or (order == 0 and not (left and right)):
            return v.EMPTY_INTERVAL
    return f"{'[' if left else '('}{first},{last}{']' if right else ')'}"


_Bound = tuple[str, numbers.Ratio | None]


def _bound(of: k.IntegerKind | k.DecimalKind, raw: object, inside: int) -> _Bound | v.Reject:
    # `inside` is the step from an open bound into the interval; 0 for a closed one.
    if raw is None:
        return ("", None) if inside else v.EMPTY_INTERVAL
    if isinstance(of, k.DecimalKind):
        parts = tokens.scan(raw)
        if isinstance(parts, v.Reject):
            return parts
        text = tokens.written(of.grid, parts)
        return text if isinstance(text, v.Reject) else (text, numbers.ratio(parts))
    text = tokens.integer(of, raw)
    if isinstance(text, v.Reject):
        return text
    # Integers: an open bound is the next one inside, closed.
    whole = int(text) + inside
    return str(whole) if inside else text, (whole, 1)


def _set(kind: k.SetKind, raw: object) -> Denoted:
    if type(raw) is not list:
        return v.TYPE
    if len(raw) > k.MAX_MEMBERS:
        return v.TOO_LONG
    inner, of = DENOTE[type(kind.of)], kind.of
    texts = [inner(of, member) for member in tuple(raw)]
    words = [text for text in texts if type(text) is str]
    if len(words) != len(texts):
        return next(text for text in texts if type(text) is not str)
    # By canonical text: numbers can be made to collide under their hash, texts cannot at this cost.
    if len(set(words)) != len(words):
        return v.DUPLICATE
    words.sort()
    return SEPARATOR.join([*words, ""])


def _polymer(kind: k.PolymerKind, raw: object) -> Denoted:
    return v.TYPE


# A literal table, keyed by exact type; each function takes its own kind.
DENOTE: dict[type, Callable[..., Denoted]] = {
    k.IntegerKind: tokens.integer,
    k.BooleanKind: tokens.boolean,
    k.CategoryKind: tokens.category,
    k.IdentifierKind: tokens.identifier,
    k.DecimalKind: tokens.decimal,
    k.DateKind: tokens.date,
    k.QuantityKind: _quantity,
    k.IntervalKind: _interval,
    k.SetKind: _set,
    k.PolymerKind: _polymer,
}


def denote(kind: k.Kind, raw: object) -> Denoted:
    """The canonical text that `raw` denotes in `kind`, or the refusal that says why it denotes none. Never raises."""
    return DENOTE[type(kind)](kind, raw)
