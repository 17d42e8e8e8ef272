"""Library: literal rows over which assertions are repeated: simple loops, parameters of tests (spec/suite.md §11)."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from assay.kernel.equality import Tree
from assay.suite.sourcetext import Unsaid

Row = dict[str, Tree]


@dataclass(frozen=True, slots=True)
class Repeated:
    """Names, and the expression of a list whose members they stand for; `whole`: the one name for a whole member."""

    names: tuple[str, ...]
    table: ast.expr
    whole: bool


def loop(statement: ast.stmt) -> Repeated | None:
    """A loop in which nothing but assertions stand, over names; None for any other statement."""
    match statement:
        case ast.For(target=ast.Name(id=name), iter=table, body=body, orelse=[]):
            found = Repeated((name,), table, whole=True)
        case ast.For(target=ast.Tuple(elts=parts), iter=table, body=body, orelse=[]):
            names = tuple(part.id for part in parts if isinstance(part, ast.Name))
            if len(set(names)) != len(parts):
                return None
            found = Repeated(names, table, whole=False)
        case _:
            return None
    return found if all(isinstance(one, ast.Assert) for one in body) else None


def parameters(decorators: Sequence[ast.expr], arguments: Sequence[str]) -> Repeated | None:
    """The one `@pytest.mark.parametrize(names, rows)` of a test that has these arguments; None for anything else."""
    match decorators:
        case [
            ast.Call(
                func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="pytest"), attr="mark"), attr="parametrize"),
                args=[given, table],
                keywords=keywords,
            )
        ] if all(one.arg == "ids" for one in keywords):
            names, is_text = _names(given)
            if set(names) == set(arguments) and len(names) == len(arguments) > 0:
                return Repeated(names, table, whole=is_text and len(names) == 1)
    return None


def rows(repeated: Repeated, table: Tree) -> list[Row]:
    """What the names stand for, time after time.

    Raises:
        Unsaid: it is no list or tuple, or a member has not a part for each name.
    """
    kind, members = table
    if kind not in {"l", "t"} or isinstance(members, str):
        raise Unsaid("what is repeated over is no literal list or tuple")
    return [_row(repeated, member) for member in members]


def _row(repeated: Repeated, member: Tree) -> Row:
    if repeated.whole:
        return {repeated.names[0]: member}
    kind, parts = member
    if kind not in {"l", "t"} or isinstance(parts, str) or len(parts) != len(repeated.names):
        raise Unsaid("a row has not one value for each name")
    return dict(zip(repeated.names, parts, strict=True))


def _names(given: ast.expr) -> tuple[tuple[str, ...], bool]:
    match given:
        case ast.Constant(value=str(text)):
            return tuple(name for part in text.split(",") if (name := part.strip())), True
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return tuple(
                part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
            ), False
    return (), False
