"""Bedrock: when an observed value equals an expected one (spec/suite.md §4; docs/adr/0021).

Values are trees of texts, so that nothing of a candidate's is ever called, hashed or coerced here. Each equality is a
fold of trees, and two values are equal when their folds are the same tree.
"""

from __future__ import annotations

# A kind and what it holds. Leaves: N T F (none, true, false; "") i (hex) f (repr) c ("re,im") s (text) b (Latin-1).
# Containers: l t e z d (list, tuple, set, frozenset, dict); a dict holds p, pairs of key and value; "~Counter" and the
# like hold the one plain value that a guest made of a subclass. INVARIANT: sets are sorted, nothing is deeper than 64.
Tree = tuple[str, "str | tuple[Tree, ...]"]


def typed(tree: Tree) -> Tree:
    """The tree with dict pairs sorted: same type, same bits; -0.0 is not 0.0, nan is nan, a demoted value is itself."""
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
