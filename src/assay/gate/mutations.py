"""Halls: the small mistakes that mutants are made of: one node of a syntax tree to those that may stand in its place.

Source: spec/suite.md §10.
"""

from __future__ import annotations

import ast
from typing import Final

# What takes the place of an operator.
_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
_COMPARISONS: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.GtE, ast.LtE),
    ast.LtE: (ast.Gt, ast.Lt),
    ast.Gt: (ast.LtE, ast.GtE),
    ast.GtE: (ast.Lt, ast.Gt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_NOT_COMMUTING: Final = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
_PAIRS: Final = (
    ("min", "max"),
    ("any", "all"),
    ("lower", "upper"),
    ("islower", "isupper"),
    ("startswith", "endswith"),
    ("lstrip", "rstrip"),
    ("find", "rfind"),
    ("floor", "ceil"),
    ("appendleft", "append"),
)
_OPPOSITES: Final = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1]) if one != "append"}


def changes(node: ast.AST) -> list[ast.AST]:
    """The nodes that may stand in the place of this one, each a mutant; none of a node that is left alone."""
    match node:
        case ast.expr():
            return _of_expression(node)
        case ast.comprehension():
            return _comprehension(node)
        case ast.If() | ast.While():
            return [type(node)(test, node.body, node.orelse) for test in _negated(node.test)]
        case ast.AugAssign():
            return _augmented(node)
        case ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.Raise() | ast.Assert() | ast.Delete():
            return [ast.Pass()]
        case ast.Return():
            return _return(node)
        case ast.Break():
            return [ast.Continue()]
        case ast.Continue():
            return [ast.Break()]
        case _:
            return []


def _of_expression(node: ast.expr) -> list[ast.AST]:
    match node:
        case ast.Compare():
            return _comparison(node)
        case ast.BinOp():
            return _binary(node)
        case ast.BoolOp(op, values):
            return [ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)]
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return [node.operand]
        case ast.Constant():
            return _constant(node)
        case ast.IfExp(test, body, orelse):
            return [ast.IfExp(other, body, orelse) for other in _negated(test)]
        case ast.Call():
            return _call(node)
        case ast.Slice():
            return _slice(node)
        case ast.Subscript():
            return _subscript(node)
        case _:
            return []


def _comparison(node: ast.Compare) -> list[ast.AST]:
    return [
        ast.Compare(node.left, [*node.ops[:at], new(), *node.ops[at + 1 :]], node.comparators)
        for at, op in enumerate(node.ops)
        for new in _COMPARISONS[type(op)]
    ]


def _binary(node: ast.BinOp) -> list[ast.AST]:
    found: list[ast.AST] = []
    if (new := _ARITHMETIC.get(type(node.op))) is not None:
        found.append(ast.BinOp(node.left, new(), node.right))
    if isinstance(node.op, _NOT_COMMUTING):
        found.append(ast.BinOp(node.right, node.op, node.left))
    return found


def _augmented(node: ast.AugAssign) -> list[ast.AST]:
    new = _ARITHMETIC.get(type(node.op))
    return ([ast.AugAssign(node.target, new(), node.value)] if new is not None else []) + [ast.Pass()]


def _constant(node: ast.Constant) -> list[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        return [ast.Constant(not value)]
    if isinstance(value, int):
        return [ast.Constant(value + 1), _less(value)]
    if isinstance(value, float):
        return [ast.Constant(value + 1)]
    if isinstance(value, str):
        return [ast.Constant("" if value else "x")]
    return []


def _less(value: int) -> ast.expr:
    return ast.Constant(value - 1) if value else ast.UnaryOp(ast.USub(), ast.Constant(1))


def _negated(test: ast.expr) -> list[ast.expr]:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return [operand]
        case ast.Compare(ops=[_]):
            return []  # its own negation is the same mutant
        case _:
            return [ast.UnaryOp(ast.Not(), test)]


def _comprehension(node: ast.comprehension) -> list[ast.AST]:
    return [
        ast.comprehension(node.target, node.iter, [*node.ifs[:at], other, *node.ifs[at + 1 :]], node.is_async)
        for at, one in enumerate(node.ifs)
        for other in _negated(one)
    ]


def _return(node: ast.Return) -> list[ast.AST]:
    match node.value:
        case None | ast.Constant(value=None):
            return []
        case _:
            return [ast.Return(ast.Constant(None))]


def _call(node: ast.Call) -> list[ast.AST]:
    match node.func:
        case ast.Name(id="range"):
            return [
                ast.Call(node.func, [*node.args[:at], moved, *node.args[at + 1 :]], node.keywords)
                for at, bound in enumerate(node.args)
                for moved in _moved(bound)
            ]
        case ast.Name(id=name) if name in _OPPOSITES:
            return [ast.Call(ast.Name(_OPPOSITES[name], ast.Load()), node.args, node.keywords)]
        case ast.Attribute(value=owner, attr=name) if name in _OPPOSITES:
            return [ast.Call(ast.Attribute(owner, _OPPOSITES[name], ast.Load()), node.args, node.keywords)]
        case _:
            return []


def _slice(node: ast.Slice) -> list[ast.AST]:
    found: list[ast.AST] = [ast.Slice(moved, node.upper, node.step) for moved in _moved(node.lower)]
    found.extend(ast.Slice(node.lower, moved, node.step) for moved in _moved(node.upper))
    return found


def _subscript(node: ast.Subscript) -> list[ast.AST]:
    return [ast.Subscript(node.value, moved, node.ctx) for moved in _moved(node.slice)[:1]]


def _moved(bound: ast.expr | None) -> list[ast.expr]:
    """One more and one less; nothing where a constant in it changes so already, or where no number can be."""
    match bound:
        case None | ast.Constant() | ast.UnaryOp(operand=ast.Constant()) | ast.Starred() | ast.Slice() | ast.Tuple():
            return []
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant()):
            return []
        case _:
            return [ast.BinOp(bound, op, ast.Constant(1)) for op in (ast.Add(), ast.Sub())]
