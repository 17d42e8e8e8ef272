"""Library: the limits of a value, one table for the spec, the reader and the wire, and what makes a tree a value.

A tree is a kind and what it holds (kernel/equality). Source: spec/suite.md §3.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from assay.kernel.equality import Tree, is_hashable, python

MAX_DEPTH: Final = 64
MAX_NODES: Final = 100_000
MAX_BITS: Final = 16_384
MAX_HEX_DIGITS: Final = MAX_BITS // 4
MAX_BYTES: Final = 1_048_576
MAX_CASES: Final = 2_000
MAX_SUITE_BYTES: Final = 4_194_304


def is_sound(tree: Tree) -> bool:
    """Whether a Python value of this tree can exist: sets and dict keys hashable, and no two of them equal.

    Equal by Python's rule, under which True, 1 and 1.0 are one member; nan is taken for equal to itself.
    """
    return not has_unhashable_member(tree) and not has_equal_members(tree)


def has_unhashable_member(tree: Tree) -> bool:
    """Whether a set or a dict's keys anywhere in the tree hold a list, a set or a dict."""
    waiting = [tree]
    while waiting:
        kind, held = waiting.pop()
        if isinstance(held, str):
            continue
        if kind in {"e", "z"} and not all(map(is_hashable, held)):
            return True
        if kind == "p" and not is_hashable(held[0]):
            return True
        waiting.extend(held)
    return False


def has_equal_members(tree: Tree) -> bool:
    """Whether a set anywhere in the tree holds two equal members, or a dict two equal keys."""
    # Folding sorts: equal members lie side by side.
    waiting = [python(tree, "nan")]
    while waiting:
        kind, held = waiting.pop()
        if isinstance(held, str):
            continue
        if kind == "e" and any(left == right for left, right in pairwise(held)):
            return True
        if kind == "d" and any(left[1][0] == right[1][0] for left, right in pairwise(held)):
            return True
        waiting.extend(held)
    return False
