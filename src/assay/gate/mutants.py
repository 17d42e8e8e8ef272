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
MAX_SOURCE: Final = 32_768
WRITTEN: Final = 4  # times as many changes are written out as mutants run: a long program has many thousands


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


@dataclass(frozen=True, slots=True)
class _Change:
    """One node in the place of another, somewhere in the statement of the program at `at`, which is `own` alone."""

    at: int
    own: ast.Module
    place: _Place
    old: ast.AST
    new: ast.AST

    def written(self) -> str:
        """The statement with the change."""
        self.place.put(self.new)
        text = ast.unparse(self.own)
        self.place.put(self.old)
        return text


def mutants(source: bytes, *, most: int = MOST, is_module: bool = True) -> Mutants:
    """At most `most` mutants of the source, evenly spaced in the order of its tree; `is_module`: no main program.

    Raises:
        CannotMutate: the source is too long, or is no program.
    """
    if len(source) > MAX_SOURCE:
        raise CannotMutate(f"the source has more than {MAX_SOURCE // 1024} KiB")
    try:
        alone = [ast.Module([statement], []) for statement in _parsed(source).body]
        parts = [ast.unparse(own) for own in alone]
        changed = [
            _Change(at, own, place, old, new)
            for at, own in enumerate(alone)
            for place, old in _places(own, is_module=is_module)
            for new in changes(old)
        ]
        found = list(_distinct(parts, spaced(changed, WRITTEN * most)))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        raise CannotMutate(f"the source is no program that can be parsed here: {type(fault).__name__}") from None
    texts = ("\n".join([*parts[:at], text, *parts[at + 1 :]]) for at, text in spaced(found, most))
    return Mutants("\n".join(parts), tuple(texts), len(changed))


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


def _distinct(parts: Sequence[str], changed: Iterable[_Change]) -> Iterator[tuple[int, str]]:
    """Each changed statement with its place, once, if it compiles; one statement alone, for that is faster."""
    seen = set(enumerate(parts))
    for change in changed:
        found = change.at, change.written()
        if found not in seen and _compiles(found[1]):
            yield found
        seen.add(found)


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
