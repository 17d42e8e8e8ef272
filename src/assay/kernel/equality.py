"""Bedrock: when an observed value equals an expected one (spec/suite.md §4; docs/adr/0021).

Values are trees of texts, so that nothing of a candidate's is ever called, hashed or coerced here. Each equality is a
fold of trees, and two values are equal when their folds are the same tree.
"""

from __future__ import annotations

from assay.kernel import numbers, tokens
from assay.kernel.errors import InputError
from assay.kernel.records import Record

# A kind and what it holds. Leaves: N T F (none, true, false; "") i (hex) f (repr) c ("re,im") s (text) b (Latin-1).
# Containers: l t e z d (list, tuple, set, frozenset, dict); a dict holds p, pairs of key and value; "~Counter" and the
# like hold the one plain value that a guest made of a subclass. INVARIANT: sets are sorted, nothing is deeper than 64.
Tree = tuple[str, "str | tuple[Tree, ...]"]


class Typed(Record):
    """Same type and same bits at every depth; nan is nan, -0.0 is not 0.0, the order of a dict says nothing."""


class Python(Record):
    """Python's `==` between exact built-in types."""


class Approx(Record):
    """Python's `==`, or real numbers within abs + rel·|expected|, element by element; bounds are decimal texts."""

    __slots__ = ("absolute", "bounds", "relative", "same_type")
    __match_args__ = ("absolute", "relative", "same_type")

    def __init__(self, absolute: str, relative: str, same_type: bool) -> None:  # noqa: FBT001 - fields in order
        spread, share = tokens.scan(absolute), tokens.scan(relative)
        if isinstance(spread, tuple) and isinstance(share, tuple) and not spread[0] and not share[0]:
            self.absolute, self.relative, self.same_type = absolute, relative, same_type
            self.bounds = (*numbers.ratio(spread), *numbers.ratio(share))
        else:
            raise InputError("suite.tolerance", "a tolerance is no decimal text, negative, or out of bounds")


class AsSet(Record):
    """List, tuple, set or frozenset of hashables, compared as sets under Python's `==`."""


class Multiset(Record):
    """List, tuple, set or frozenset, compared without regard to order under Python's `==`."""


Equality = Typed | Python | Approx | AsSet | Multiset


def equal(equality: Equality, expected: Tree, observed: Tree) -> bool:
    """Whether the observed value is the expected one under the named equality. Total; source: spec/suite.md §4."""
    match equality:
        case Typed():
            return typed(expected) == typed(observed)
        case Approx():
            if equality.same_type and _type(expected) != _type(observed):
                return python(expected, "<nan") == python(observed, ">nan")
            return _near(equality.bounds, expected, observed)
        case Python():
            return python(expected, "<nan") == python(observed, ">nan")
        case AsSet() | Multiset():
            left, right = _members(equality, expected, "<nan"), _members(equality, observed, ">nan")
            return left is not None and left == right
    return False


def typed(tree: Tree) -> Tree:
    """The tree with the pairs of dicts sorted; a demoted value keeps its name, so it equals no plain one."""
    kind, held = tree
    if isinstance(held, str):
        return tree
    parts = [typed(part) for part in held]
    return kind, tuple(sorted(parts) if kind in {"e", "z", "d"} else parts)


def python(tree: Tree, nan: str) -> Tree:
    """The tree under Python's `==` of exact built-in types; `nan` stands for nan, so that the two sides can differ."""
    kind, held = tree
    if isinstance(held, str):
        return _number(kind, held, nan)
    parts = [python(part, nan) for part in held]
    if kind in {"e", "z", "d"}:
        return "d" if kind == "d" else "e", tuple(sorted(parts))
    return parts[0] if kind[0] == "~" else (kind, tuple(parts))


def _number(kind: str, text: str, nan: str) -> Tree:
    """The leaf; a number as "n" with one spelling for each value, so that True, 1, 1.0 and 1+0j are one."""
    if kind in {"T", "F"}:
        return "n", "1" if kind == "T" else "0"
    if kind == "f":
        return "n", _real(text, nan)
    if kind == "c":
        real, imaginary = (_real(part, nan) for part in text.split(","))
        return "n", real if imaginary == "0" else f"{real},{imaginary}"
    return "n" if kind == "i" else kind, text


def _real(text: str, nan: str) -> str:
    if text == "nan":
        return nan
    number = float(text)
    return f"{int(number):x}" if number.is_integer() else text


def _parts(tree: Tree) -> tuple[Tree, ...]:
    return () if isinstance(tree[1], str) else tree[1]


def _plain(tree: Tree) -> Tree:
    return _parts(tree)[0] if tree[0][0] == "~" else tree


def _type(tree: Tree) -> str:
    return "bool" if tree[0] in {"T", "F"} else tree[0]


def _near(bounds: tuple[int, int, int, int], expected: Tree, observed: Tree) -> bool:
    left, right = _plain(expected), _plain(observed)
    mine, yours = _parts(left), _parts(right)
    if left[0] == right[0] and left[0] in {"l", "t"}:
        return len(mine) == len(yours) and all(map(_near, [bounds] * len(mine), mine, yours))
    if left[0] == right[0] == "d":
        ours, theirs = _by_key(mine, "<nan"), _by_key(yours, ">nan")
        return [key for key, _ in ours] == [key for key, _ in theirs] and all(
            _near(bounds, one, two) for (_, one), (_, two) in zip(ours, theirs, strict=True)
        )
    return python(left, "<nan") == python(right, ">nan") or _within(bounds, left, right)


def _by_key(pairs: tuple[Tree, ...], nan: str) -> list[tuple[Tree, Tree]]:
    return sorted((python(key, nan), value) for key, value in map(_parts, pairs))


def _within(bounds: tuple[int, int, int, int], expected: Tree, observed: Tree) -> bool:
    """|observed − expected| ≤ abs + rel·|expected|, in exact arithmetic: no rounding, no overflow."""
    left, right = _ratio(*expected), _ratio(*observed)
    if left is None or right is None:
        return False
    (en, ed), (on, od), (an, ad, rn, rd) = left, right, bounds
    return abs(on * ed - en * od) * ad * rd <= od * (an * ed * rd + rn * abs(en) * ad)


def _ratio(kind: str, held: str | tuple[Tree, ...]) -> numbers.Ratio | None:
    """The exact ratio of a finite real number; None for anything else."""
    if isinstance(held, str):
        if kind in {"T", "F"}:
            return int(kind == "T"), 1
        if kind == "i":
            return int(held, 16), 1
        if kind == "f" and held not in {"nan", "inf", "-inf"}:
            return float(held).as_integer_ratio()
    return None


def _members(equality: AsSet | Multiset, tree: Tree, nan: str) -> list[Tree] | None:
    """The folded members in order, once each where they make a set; None where the value has none."""
    plain = _plain(tree)
    if plain[0] not in {"l", "t", "e", "z"}:
        return None
    found = sorted(python(part, nan) for part in _parts(plain))
    if isinstance(equality, Multiset):
        return found
    if not all(map(is_hashable, _parts(plain))):
        return None
    return [member for at, member in enumerate(found) if at == 0 or member != found[at - 1]]


def is_hashable(tree: Tree) -> bool:
    """Whether a Python set may hold the value."""
    if tree[0] in {"t", "~namedtuple"}:
        return all(map(is_hashable, _parts(tree)))
    return tree[0] not in {"l", "e", "d", "~Counter", "~OrderedDict", "~defaultdict"}


class Lines(Record):
    """Outputs equal line by line: outer white space is stripped, and white space at the end of each line."""


class Tokens(Record):
    """Outputs equal word by word: how much white space stands between them says nothing."""


Likeness = Lines | Tokens
_WHITE = " \t\n\r\f\v"


def printed(likeness: Likeness, text: str) -> list[str]:
    """What of a program's output counts: two outputs are alike when these lists are equal."""
    if isinstance(likeness, Lines):
        return [line.rstrip(_WHITE) for line in text.strip(_WHITE).split("\n")]
    return [word for word in text.translate(_BLANKS).split(" ") if word]


_BLANKS = str.maketrans(dict.fromkeys(_WHITE, " "))
