"""Library: one assertion to the cases that it means, by a closed list of forms (spec/suite.md §11; docs/adr/0031)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from assay.kernel.equality import AsSet, Equality, Multiset, Python, Tree, Typed
from assay.kernel.grade import Equals, Raises
from assay.suite.dialects import VALUE, approx
from assay.suite.names import ALIASES, EXCEPTIONS, is_built_in
from assay.suite.refusals import InvalidSuite
from assay.suite.sourcetext import Source, Unsaid, loaded
from assay.suite.spec import Call, Question

TRUE: Final[Tree] = ("T", "")
FALSE: Final[Tree] = ("F", "")
_NONE: Final[Tree] = ("N", "")
_WRAPPERS: Final = ("set", "sorted", "len", "bool")
_APPROX: Final = ("1e-6", "1e-12")  # pytest's own defaults
_CLOSE: Final = ("1e-9", "0")  # those of math.isclose


@dataclass(frozen=True, slots=True)
class Asked:
    """A call with literal arguments; `name` is None where it is the parameter of `check`."""

    name: str | None
    arguments: tuple[Tree, ...]
    keywords: Tree


@dataclass(frozen=True, slots=True)
class Found:
    """A case, and whose function it calls."""

    name: str | None
    question: Question


@dataclass(slots=True)
class Scope:
    """What names stand for at one place of a straight line of statements."""

    values: dict[str, Tree] = field(default_factory=dict)
    calls: dict[str, Asked] = field(default_factory=dict)
    alias: str = ""  # the parameter of `check`
    owner: str = ""  # `self`

    def forget(self, name: str) -> None:
        """The name was bound to something else."""
        self.values.pop(name, None)
        self.calls.pop(name, None)


class Forms:
    """Reads assertions of one file; `entry` is the task's function, where it is known before."""

    def __init__(self, source: Source, entry: str | None) -> None:
        self._source, self._entry = source, entry

    def asserted(self, test: ast.expr, scope: Scope) -> Iterator[Found]:
        """The cases of `assert test`.

        Raises:
            Unsaid: no case says that.
        """
        match test:
            case ast.BoolOp(op=ast.And(), values=parts):
                for part in parts:
                    yield from self.asserted(part, scope)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                yield self.truth(inner, scope, FALSE)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                yield self._compared(left, op, right, scope)
            case ast.Compare():
                raise Unsaid("a chain of comparisons has no counterpart")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr="isclose")):
                yield self._close(test, scope)
            case _:
                yield self.truth(test, scope, TRUE)

    def call(self, node: ast.expr, scope: Scope) -> Asked | None:
        """The call that the expression is, its arguments read; None where it is none of the entry point's."""
        if isinstance(node, ast.Name):
            return scope.calls.get(node.id)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not self.is_asked(node.func.id):
            return None
        arguments = tuple(self.value(one, scope) for one in node.args)
        pairs: list[Tree] = []
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Unsaid("it has a `**` before it, which is no literal")
            pairs.append(("p", (("s", keyword.arg), self.value(keyword.value, scope))))
        name = node.func.id
        return Asked(None if name == scope.alias else name, arguments, ("d", tuple(pairs)))

    def is_asked(self, name: str) -> bool:
        """Whether a call of this name may be one of the entry point."""
        return name == self._entry or not is_built_in(name) or self._source.bound[name] > 0

    def value(self, node: ast.expr, scope: Scope) -> Tree:
        """The value of a literal here. One that could be changed is used up.

        Raises:
            Unsaid: it is none.
        """
        names = loaded(node) & set(scope.values)
        found = self._source.literal(node, scope.values)
        for name in names:
            if not is_constant(scope.values[name]):
                # A function that was given it may have changed it.
                del scope.values[name]
        return found

    def truth(self, node: ast.expr, scope: Scope, expected: Tree) -> Found:
        """The case that asks whether the outcome counts as true."""
        return _found(self._needed(node, scope), "truth", expected, Python())

    def equal(self, left: ast.expr, right: ast.expr, scope: Scope) -> Found:
        """The case of two sides that are to be equal, either way round."""
        for one, other in ((left, right), (right, left)):
            wrapper, inner = self._wrapped(one)
            asked = self.call(inner, scope)
            if asked is not None:
                return self._sided(wrapper, asked, other, scope)
        raise Unsaid(self._nothing(left, right))

    def raised(self, kind: ast.expr, node: ast.expr, scope: Scope) -> Found:
        """The case of a call that is to raise this exception."""
        name = kind.id if isinstance(kind, ast.Name) and self._source.bound[kind.id] == 0 else ""
        name = ALIASES.get(name, name)
        if name not in EXCEPTIONS:
            raise Unsaid(f"`{self._source.line(kind)}` is not one built-in exception")
        if name == "MemoryError":
            raise Unsaid("a MemoryError is the end of a case and never an exception that was seen")
        asked = self._needed(node, scope)
        return Found(asked.name, Question(Call(asked.arguments, asked.keywords), Raises(name)))

    def same(self, node: ast.expr, other: ast.expr, scope: Scope, *, negated: bool = False) -> Found:
        """The case of `is`, of None, True or False."""
        expected = self.value(other, scope)
        if negated and expected == _NONE:
            return self.none(node, scope, FALSE)
        if negated or expected not in (_NONE, TRUE, FALSE):
            raise Unsaid("`is` has a counterpart for None, True and False, `is not` for None")
        return _found(self._needed(node, scope), VALUE, expected, Typed())

    def none(self, node: ast.expr, scope: Scope, expected: Tree) -> Found:
        """The case that asks whether the outcome is None."""
        return _found(self._needed(node, scope), "is_none", expected, Python())

    def counted(self, node: ast.expr, other: ast.expr, scope: Scope) -> Found:
        """The case of an outcome with the same members, equally often."""
        return _found(self._needed(node, scope), VALUE, self.value(other, scope), Multiset())

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr, scope: Scope) -> Found:
        match op:
            case ast.Eq():
                return self.equal(left, right, scope)
            case ast.Is() | ast.IsNot():
                wrapper, inner = self._wrapped(left)
                if wrapper == "bool" and isinstance(op, ast.Is):
                    return self._sided(wrapper, self._needed(inner, scope), right, scope)
                return self.same(left, right, scope, negated=isinstance(op, ast.IsNot))
            case ast.Lt() | ast.LtE() if self._is_call(left, "abs"):
                return self._near(left, right, scope, admits_bound=isinstance(op, ast.LtE))
            case _:
                raise Unsaid("only `==`, `is` and `abs(… - …) <` have a counterpart")

    def _sided(self, wrapper: str, asked: Asked, other: ast.expr, scope: Scope) -> Found:
        if wrapper == "" and _dotted(other) == "pytest.approx":
            return _found(asked, VALUE, *self._tolerance(other, 0, _APPROX, ("rel", "abs"), scope))
        if wrapper in {"set", "sorted"} and self._is_call(other, wrapper):
            assert isinstance(other, ast.Call)  # noqa: S101 - just seen
            return _found(asked, VALUE, self.value(other.args[0], scope), AsSet() if wrapper == "set" else Multiset())
        expected = self.value(other, scope)
        if wrapper == "sorted":
            raise Unsaid("the other side is not `sorted(…)` too")
        if wrapper == "set" and expected[0] not in {"e", "z"}:
            raise Unsaid("the other side is no set")
        observe = {"len": "length", "bool": "truth"}.get(wrapper, VALUE)
        return _found(asked, observe, expected, AsSet() if wrapper == "set" else Python())

    def _near(self, left: ast.expr, right: ast.expr, scope: Scope, *, admits_bound: bool) -> Found:
        inner = left.args[0] if isinstance(left, ast.Call) else left
        if not isinstance(inner, ast.BinOp) or not isinstance(inner.op, ast.Sub):
            raise Unsaid("in `abs(…)` stands no difference")
        for one, other in ((inner.left, inner.right), (inner.right, inner.left)):
            asked = self.call(one, scope)
            if asked is not None:
                expected, bound = self.value(other, scope), _number(self.value(right, scope))
                _number(expected)
                if bound < 0 or (bound == 0 and not admits_bound):
                    raise Unsaid("nothing is nearer than that")
                return _found(asked, VALUE, expected, _within(bound))
        raise Unsaid(self._nothing(inner.left, inner.right))

    def _close(self, test: ast.Call, scope: Scope) -> Found:
        if len(test.args) == 2:
            for one in (0, 1):
                asked = self.call(test.args[one], scope)
                if asked is not None:
                    given = self._tolerance(test, 1 - one, _CLOSE, ("rel_tol", "abs_tol"), scope)
                    return _found(asked, VALUE, *given)
        raise Unsaid("`math.isclose` compares no call with a literal")

    def _tolerance(
        self, node: ast.expr, at: int, usual: tuple[str, str], words: tuple[str, str], scope: Scope
    ) -> tuple[Tree, Equality]:
        """The value at this place of a call, and within how much of it: the larger of the two tolerances."""
        if not isinstance(node, ast.Call) or len(node.args) <= at:
            raise Unsaid("it names no value")
        if self._source.bound[_dotted(node).partition(".")[0]] > 0:
            raise Unsaid("the file binds the module's name to something else")
        given = {one.arg or "**": one.value for one in node.keywords}
        if not set(given) <= set(words) or len(node.args) > 2 - (words[0] == "rel"):
            raise Unsaid(f"only {words[0]} and {words[1]} have a counterpart")
        expected = self.value(node.args[at], scope)
        relative, absolute = (
            _number(self.value(given[word], scope)) if word in given else Decimal(text)
            for word, text in zip(words, usual, strict=True)
        )
        if min(relative, absolute) < 0:
            raise Unsaid("a tolerance is negative")
        if words[0] == "rel" and words[1] in given and words[0] not in given:
            relative = Decimal(0)
        return expected, _within(max(relative * abs(_number(expected)), absolute))

    def _needed(self, node: ast.expr, scope: Scope) -> Asked:
        asked = self.call(node, scope)
        if asked is None:
            raise Unsaid(self._nothing(node))
        return asked

    def _wrapped(self, node: ast.expr) -> tuple[str, ast.expr]:
        """The name around a call, if it is one that has a counterpart, and what is in it."""
        for word in _WRAPPERS:
            if self._is_call(node, word):
                assert isinstance(node, ast.Call)  # noqa: S101 - just seen
                return word, node.args[0]
        return "", node

    def _is_call(self, node: ast.expr, word: str) -> bool:
        match node:
            case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name == word != self._entry:
                return self._source.bound[word] == 0 and not isinstance(inner, ast.Starred)
        return False

    def _nothing(self, *nodes: ast.expr) -> str:
        """Why these sides ask nothing of the function."""
        for node in nodes:
            if isinstance(node, ast.Call):
                return f"`{self._source.line(node.func)}(…)` has no counterpart here"
        return "no call of the function stands where one is asked for"


def is_constant(tree: Tree) -> bool:
    """Whether nothing can change the value: no list, set or dict is in it."""
    kind, held = tree
    return kind not in {"l", "e", "d"} and (isinstance(held, str) or all(map(is_constant, held)))


def _found(asked: Asked, observe: str, expected: Tree, equality: Equality) -> Found:
    if not isinstance(equality, Typed) and _has_nan(expected):
        raise Unsaid("nan equals nothing")
    return Found(asked.name, Question(Call(asked.arguments, asked.keywords, observe), Equals(expected, equality)))


def _has_nan(tree: Tree) -> bool:
    kind, held = tree
    return "nan" in held if isinstance(held, str) and kind in "fc" else any(
        _has_nan(part) for part in held if isinstance(part, tuple)
    )  # fmt: skip


def _number(tree: Tree) -> Decimal:
    """The decimal number that is written, or the shortest that the float is written as."""
    kind, held = tree
    if not isinstance(held, str) or kind not in "if" or "n" in held or len(held) > 200:
        raise Unsaid("a tolerance needs finite numbers")
    return Decimal(int(held, 16)) if kind == "i" else Decimal(held)


def _within(bound: Decimal) -> Equality:
    try:
        return approx(f"{bound:e}", "0", same_type=False)
    except InvalidSuite:
        raise Unsaid("the tolerance is out of its grammar") from None


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
            return f"{module}.{name}"
    return ""
