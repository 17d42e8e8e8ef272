"""Halls: programs that differ from a given one by one small change of its syntax tree (spec/suite.md §10).

The source is parsed and compiled here and never executed: that is for the sandbox.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from assay.gate.mutations import changes

MOST: Final = 60
MAX_SOURCE: Final = 65_536
_WRITTEN: Final = 1_000  # changes that are written out: a long program has many thousands


class CannotMutate(Exception):
    """The source is no program that can be changed; the message says why."""


@dataclass(frozen=True, slots=True)
class Mutants:
    """The source in the written form of its syntax tree, the mutants in that form, and how many changes there were."""

    source: str
    texts: tuple[str, ...]
    possible: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node hangs: a field of its parent, and for a list the index."""

    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def mutants(source: bytes, *, most: int = MOST, is_module: bool = True) -> Mutants:
    """At most `most` mutants of the source, evenly spaced in the order of its tree; `is_module`: no main program.

    Raises:
        CannotMutate: the source is too long, or is no program.
    """
    if len(source) > MAX_SOURCE:
        raise CannotMutate("the source has more than 64 KiB")
    try:
        tree = _parsed(source)
        whole = ast.unparse(tree)
        places = [(place, old, new) for place, old in _places(tree, is_module=is_module) for new in changes(old)]
        texts = list(_distinct(whole, _written(tree, spaced(places, _WRITTEN))))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        raise CannotMutate(f"the source is no program that can be parsed here: {type(fault).__name__}") from None
    return Mutants(whole, tuple(spaced(texts, most)), len(places))


Item = TypeVar("Item")


def spaced(items: Sequence[Item], most: int) -> list[Item]:
    """At most so many of the items, evenly spaced, from the first on."""
    if len(items) <= most:
        return list(items)
    return [items[at * len(items) // most] for at in range(most)]


def _parsed(source: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a parser thinks of a comparison is no matter here
        return ast.parse(source)


def _written(tree: ast.Module, places: Iterable[tuple[_Place, ast.AST, ast.AST]]) -> Iterator[str]:
    for place, old, new in places:
        place.put(new)
        text = ast.unparse(tree)
        place.put(old)
        yield text


def _distinct(whole: str, texts: Iterable[str]) -> Iterator[str]:
    seen = {whole}
    for text in texts:
        if text not in seen and _compiles(text):
            yield text
        seen.add(text)


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


# Fields whose change is no change of what the program does, or none that can be written.
_SKIPPED: Final = frozenset({"annotation", "returns", "type_comment", "ctx", "op", "ops", "format_spec", "type_params"})


def _places(node: ast.AST, *, is_module: bool) -> Iterator[tuple[_Place, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED:
            continue
        for at, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _is_left_alone(child, is_module=is_module):
                continue
            yield _Place(node, field, at if isinstance(value, list) else None), child
            yield from _places(child, is_module=is_module)


def _is_left_alone(child: ast.AST, *, is_module: bool) -> bool:
    match child:
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return is_module
        case ast.Expr(value=ast.Constant()):
            return True
        case _:
            return False
