"""Library: a file of assertions to a suite, and what of it no suite says (spec/suite.md §11; docs/adr/0031).

A straight line of statements is followed, with what its names stand for; nothing is run, nothing is guessed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assay.kernel.equality import Tree
from assay.suite.asserts import FALSE, TRUE, Forms, Found, Scope, is_constant
from assay.suite.dialects import PYTHON_CALL
from assay.suite.refusals import InvalidSuite, message
from assay.suite.rows import Repeated, Row, loop, parameters, rows
from assay.suite.sourcetext import Source, Unsaid, loaded, stored
from assay.suite.spec import Question, SuiteSpec

CHECK: Final = "check"
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_BLOCKS: Final[dict[type[ast.stmt], str]] = {
    ast.For: "a loop",
    ast.While: "a loop",
    ast.If: "a condition",
    ast.Try: "a `try`",
    ast.With: "a `with`",
    ast.Match: "a `match`",
    ast.ClassDef: "a class",
    ast.FunctionDef: "a function inside",
}


@dataclass(frozen=True, slots=True)
class Remark:
    """An assertion that became no case: its line from 1, its text on one line, and why."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class FromAsserts:
    """A file's suite (None: nothing became a case), what could not be said, and what checks nothing."""

    entry_point: str | None
    suite: SuiteSpec | None
    left_out: tuple[Remark, ...]
    idle: tuple[Remark, ...]


def from_asserts(data: bytes, entry_point: str | None = None) -> FromAsserts:
    """The suite of a file of assertions.

    Raises:
        InvalidSuite: `asserts.*`: the file cannot be read, or it does not tell which function it is about.

    Source: spec/suite.md §11.
    """
    source = Source(data)
    walk = _Walk(source, entry_point)
    walk.run()
    declared = _declared(source.tree)
    name = entry_point or _entry_point(walk.found, declared)
    owner = next(iter(declared), name)
    questions: list[Question] = []
    for node, one in walk.found:
        if (one.name or owner) == name:
            questions.append(one.question)
        else:
            walk.leave(node, f"it calls `{one.name or owner}`, not `{name}`")
    for node, called in walk.bare:
        if (called or owner) == name:
            walk.leave(node, "a call alone checks only that nothing is raised")
    suite = SuiteSpec(PYTHON_CALL, name, tuple(questions)) if name is not None and questions else None
    return FromAsserts(name, suite, _in_order(walk.left_out), _in_order(walk.idle))


def _declared(tree: ast.Module) -> list[str]:
    """The names that `check` is called with, where the file defines it."""
    if not any(isinstance(one, ast.FunctionDef) and one.name == CHECK for one in tree.body):
        return []
    found: dict[str, None] = {}
    for part in ast.walk(tree):
        match part:
            case ast.Call(func=ast.Name(id="check"), args=[ast.Name(id=name)]):
                found[name] = None
    return list(found)


def _entry_point(found: Sequence[tuple[ast.stmt, Found]], declared: Sequence[str]) -> str | None:
    names = list(dict.fromkeys([*declared, *(one.name for _, one in found if one.name is not None)]))
    if len(names) > 1:
        shown = ", ".join(f"`{name[:40]}`" for name in names[:5])
        raise _refusal(f"the assertions call {shown}{' and more' if len(names) > 5 else ''}")
    if found and not names:
        raise _refusal("nothing tells what `check` is called with")
    return names[0] if names else None


def _refusal(found: str) -> InvalidSuite:
    return InvalidSuite("asserts.entry_point", message("asserts.entry_point", found))


def _in_order(found: list[Remark]) -> tuple[Remark, ...]:
    return tuple(sorted(found, key=lambda one: one.line))


class _Walk:
    """One walk over a file."""

    def __init__(self, source: Source, entry: str | None) -> None:
        self._source = source
        self._forms = Forms(source, entry)
        self.found: list[tuple[ast.stmt, Found]] = []
        self.bare: list[tuple[ast.stmt, str | None]] = []
        self.left_out: list[Remark] = []
        self.idle: list[Remark] = []

    def run(self) -> None:
        """Walk the module, then each function with what the whole module left behind."""
        functions: list[tuple[_Function, bool]] = []
        scope = Scope()
        self._block(self._module(functions), scope)
        constant = {
            name: value
            for name, value in scope.values.items()
            if is_constant(value) and self._source.bound[name] == 1
        }  # fmt: skip
        for function, is_method in functions:
            self._function(function, constant, is_method=is_method)

    def leave(self, node: ast.stmt, reason: str) -> None:
        """Note an assertion that no case says; one that is repeated is noted once."""
        found = Remark(node.lineno, self._source.line(node), reason)
        if found not in self.left_out:
            self.left_out.append(found)

    def _module(self, functions: list[tuple[_Function, bool]]) -> list[ast.stmt]:
        """The module's own statements in order; functions and methods are put aside."""
        body: list[ast.stmt] = []
        for statement in self._source.tree.body:
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    functions.append((statement, False))
                case ast.ClassDef(decorator_list=[], body=members):
                    functions.extend((one, True) for one in members if isinstance(one, _Function))
                    self._inside([one for one in members if not isinstance(one, _Function)], "a class")
                case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), body=main, orelse=[]):
                    body.extend(main)
                case _:
                    body.append(statement)
        return body

    def _function(self, function: _Function, constant: Mapping[str, Tree], *, is_method: bool) -> None:
        name, arguments = function.name, [one.arg for one in function.args.args]
        is_check = name == CHECK and not is_method and len(arguments) == 1
        asked = arguments[1:] if is_method else arguments
        repeated = parameters(function.decorator_list, asked) if self._source.bound["pytest"] == 0 else None
        if (function.decorator_list and repeated is None) or not (is_check or name.startswith("test")):
            why = "what a decorator governs" if function.decorator_list else f"`{name[:40]}`, which is no test"
            self._inside(function.body, why)
            return
        own = set(stored(function)) - {name}
        seen = {key: value for key, value in constant.items() if key not in own}
        try:
            given: list[Row] = [{}] if repeated is None else self._rows(repeated, Scope(dict(constant)))
        except Unsaid as fault:
            self._inside(function.body, f"a test whose parameters cannot be read: {fault}")
            return
        for row in given:
            scope = Scope({**seen, **row})
            scope.alias = arguments[0] if is_check else ""
            scope.owner = arguments[0] if is_method and arguments else ""
            self._block(function.body, scope)

    def _rows(self, repeated: Repeated, scope: Scope) -> list[Row]:
        return rows(repeated, self._forms.value(repeated.table, scope))

    def _loop(self, statement: ast.For, repeated: Repeated, scope: Scope) -> None:
        """A loop of assertions over a literal: all of its cases, or none."""
        found: list[tuple[ast.stmt, Found]] = []
        at: ast.stmt = statement.body[0]
        try:
            for row in self._rows(repeated, scope):
                for name in repeated.names:
                    scope.forget(name)
                scope.values.update(row)
                for at in statement.body:
                    assert isinstance(at, ast.Assert)  # noqa: S101 - the loop is one of assertions
                    found.extend((at, one) for one in self._forms.asserted(at.test, scope))
        except Unsaid as fault:
            self._inside(statement.body, f"a loop, of which line {at.lineno} has no counterpart: {fault}")
        else:
            self.found.extend(found)
        self._spoil(statement, scope)

    def _block(self, statements: Sequence[ast.stmt], scope: Scope) -> None:
        for at, statement in enumerate(statements):
            self._statement(statement, scope)
            if isinstance(statement, _LEAVES):
                self._inside(statements[at + 1 :], "what comes after the block was left")
                return

    def _statement(self, statement: ast.stmt, scope: Scope) -> None:
        match statement:
            case ast.Assert(test=test):
                if not any(isinstance(part, ast.Call | ast.Name | ast.Attribute) for part in ast.walk(test)):
                    self.idle.append(Remark(statement.lineno, self._source.line(statement), "it asks nothing"))
                    return
                self._take(statement, scope, lambda: list(self._forms.asserted(test, scope)))
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                self._bind(name, value, scope)
            case ast.With(items=[ast.withitem(context_expr=ast.Call() as context)], body=[ast.Expr(value=call)]) if (
                self._word(context, scope) in {"raises", "assertRaises"}
            ):
                self._take(statement, scope, lambda: [self._raises(context, call, scope)])
                if [one.arg for one in context.keywords] == ["match"]:
                    self.leave(
                        statement, "the case asks for the exception's class; what its message matches is not asked"
                    )
            case ast.Expr(value=ast.Call() as call) if self._word(call, scope).startswith("assert"):
                self._take(statement, scope, lambda: [self._method(call, scope)])
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name != CHECK and self._forms.is_asked(name):
                self.bare.append((statement, None if name == scope.alias else name))
                self._spoil(statement, scope)
            case ast.For() if (repeated := loop(statement)) is not None:
                self._loop(statement, repeated, scope)
            case _:
                self._inside([statement], _BLOCKS.get(type(statement), "another statement"))
                self._spoil(statement, scope)

    def _take(self, statement: ast.stmt, scope: Scope, read: Callable[[], list[Found]]) -> None:
        try:
            found = read()
        except Unsaid as fault:
            self.leave(statement, str(fault))
            self._spoil(statement, scope)
            return
        self.found.extend((statement, one) for one in found)

    def _bind(self, name: str, value: ast.expr, scope: Scope) -> None:
        try:
            asked = self._forms.call(value, scope) if isinstance(value, ast.Call) else None
            tree = self._forms.value(value, scope) if asked is None and not self._aliases(value, scope) else None
        except Unsaid:
            self._spoil(value, scope)
            asked, tree = None, None
        scope.forget(name)
        if asked is not None:
            scope.calls[name] = asked
        elif tree is not None:
            scope.values[name] = tree

    def _aliases(self, value: ast.expr, scope: Scope) -> bool:
        """Whether a second name would stand for what a first one can change; then neither counts any more."""
        shared = {one for one in loaded(value) if one in scope.values and not is_constant(scope.values[one])}
        for one in shared:
            scope.forget(one)
        return bool(shared)

    def _spoil(self, node: ast.AST, scope: Scope) -> None:
        """Forget what a part that is not understood binds, and what it may change."""
        for name in stored(node):
            scope.forget(name)
        for name in loaded(node):
            scope.calls.pop(name, None)
            if name in scope.values and not is_constant(scope.values[name]):
                scope.forget(name)

    def _raises(self, context: ast.Call, call: ast.expr, scope: Scope) -> Found:
        if len(context.args) != 1 or any(one.arg != "match" for one in context.keywords):
            raise Unsaid("only the class of an exception has a counterpart")
        return self._forms.raised(context.args[0], call, scope)

    def _method(self, call: ast.Call, scope: Scope) -> Found:
        if call.keywords or any(isinstance(one, ast.Starred) for one in call.args):
            raise Unsaid("its further arguments have no counterpart")
        match self._word(call, scope), call.args:
            case (("assertEqual" | "assertEquals"), [left, right, *_]):
                return self._forms.equal(left, right, scope)
            case "assertTrue", [test, *_]:
                found = list(self._forms.asserted(test, scope))
                if len(found) != 1:
                    raise Unsaid("it asks several things at once")
                return found[0]
            case "assertFalse", [test, *_]:
                return self._forms.truth(test, scope, FALSE)
            case ("assertIsNone" | "assertIsNotNone") as word, [test, *_]:
                return self._forms.none(test, scope, TRUE if word == "assertIsNone" else FALSE)
            case "assertCountEqual", [left, right, *_]:
                return self._forms.counted(left, right, scope)
            case word, _:
                raise Unsaid(f"`{word}` has no counterpart")

    def _word(self, call: ast.Call, scope: Scope) -> str:
        """The name of an assertion that `pytest` or a test's `self` offers; empty for any other call."""
        match call.func:
            case ast.Attribute(value=ast.Name(id="pytest"), attr="raises") if self._source.bound["pytest"] == 0:
                return "raises"
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == scope.owner != "":
                return name
        return ""

    def _inside(self, statements: Sequence[ast.stmt], what: str) -> None:
        """Note every assertion in what is not followed."""
        for statement in statements:
            for part in _asserting(statement):
                self.leave(part, f"it stands in {what}")


def _asserting(statement: ast.stmt) -> Iterator[ast.stmt]:
    for part in ast.walk(statement):
        match part:
            case ast.Assert():
                yield part
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name.startswith("assert"):
                yield part
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr=name)))]) if name in {
                "raises",
                "assertRaises",
            }:
                yield part
