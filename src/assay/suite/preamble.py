"""Library: what may stand in front of a candidate: imports, functions, constants (spec/suite.md §2; docs/adr/0031).

A preamble is program text in the candidate's process. One that runs on its own could put the right function in the
place of every candidate's, or look at the candidate first: code in the suite again.
"""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

from assay.suite.names import MODULES, is_built_in

MAX_CHARACTERS: Final = 65_536
_COOKIE: Final = re.compile(r"(?:[^\n\r]*[\n\r]+)?[^\n\r]*coding[:=]").match
# What an annotation is made of: reading a name or indexing it by others calls nothing that a preamble brings.
_ANNOTATIONS: Final = (
    ast.Constant, ast.Tuple, ast.List, ast.Load, ast.Name, ast.Attribute, ast.Subscript,
)  # fmt: skip
_UNHASHABLE: Final = (ast.List, ast.Set, ast.Dict)


def fault_of(text: str, entry_point: str) -> str:
    """Why this is no preamble, in words; empty where it is one."""
    if text and not text.endswith("\n"):
        return "it does not end with a line feed"
    if len(text) > MAX_CHARACTERS:
        return "it has more than 65,536 characters"
    if _COOKIE(text):
        # It would change what the bytes mean, those of the candidate too.
        return "it names an encoding"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            # What only the compiler sees, such as `break` outside a loop. Nothing of it runs.
            compile(tree, "preamble.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "it is no Python by itself"
    for at, statement in enumerate(tree.body):
        fault = _statement(statement, entry_point, is_first=at == 0)
        if fault:
            return f"line {statement.lineno} {fault}"
    return ""


def _statement(statement: ast.stmt, entry_point: str, *, is_first: bool) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())) if is_first:
            return ""
        case ast.Import(names=names):
            foreign = [one.name for one in names if one.name not in MODULES]
            return _foreign(foreign) or _bound([one.asname or one.name.partition(".")[0] for one in names], entry_point)
        case ast.ImportFrom(module=module, names=names, level=level):
            foreign = [] if level == 0 and module in MODULES else ["." * level + (module or "")]
            return _foreign(foreign) or _bound([one.asname or one.name.partition(".")[0] for one in names], entry_point)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            if not _constant(value):
                return "assigns what is no constant"
            return _bound([name], entry_point)
        case ast.FunctionDef(name=name, args=given, decorator_list=[]):
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
            every += [one for one in (given.vararg, given.kwarg) if one is not None]
            notes = [one.annotation for one in every] + [statement.returns]
            defaults = [*given.defaults, *(one for one in given.kw_defaults if one is not None)]
            if not all(map(_constant, defaults)):
                return "has a default that is no constant"
            if not all(_annotation(one) for one in notes if one is not None):
                return "has an annotation that computes"
            return _bound([name], entry_point)
    return "does something: only imports, plain functions and constants may stand there"


def _bound(names: list[str], entry_point: str) -> str:
    for name in names:
        if name == "*":
            return "imports all that a module has"
        if is_built_in(name) or name == entry_point or name.startswith("__"):
            return f"binds `{name[:40]}`"
    return ""


def _foreign(names: list[str]) -> str:
    return f"imports `{names[0][:40]}`, which is no module of spec/suite.md §8" if names else ""


def _constant(node: ast.expr) -> bool:
    """Whether an expression is a constant that can be made: `-"a"` and `{[]: 1}` are written like one and raise."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return _signed_number(node)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(map(_constant, parts))
        case ast.Set(elts=parts):
            return all(_constant(part) and _hashable(part) for part in parts)
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and _constant(key) and _hashable(key) for key in keys) and all(
                map(_constant, values)
            )
    return False


def _signed_number(node: ast.expr) -> bool:
    # A loop: a chain of signs may be longer than the stack.
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex)


def _hashable(node: ast.expr) -> bool:
    return not any(isinstance(part, _UNHASHABLE) for part in ast.walk(node))


def _annotation(node: ast.expr) -> bool:
    return _constant(node) or all(isinstance(part, _ANNOTATIONS) for part in ast.walk(node))
