"""Library: a file of Python as text and syntax tree, and the literals that stand in it. Parsed, never compiled or run.

The text may come from a stranger. Values are read by the reader of suites from the text itself, so a value has one
meaning wherever it stands (assay.suite.literals).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from assay.kernel.equality import Tree
from assay.suite.literals import read, write
from assay.suite.refusals import InvalidLiteral, InvalidSuite, message
from assay.suite.trees import MAX_BYTES

LONGEST: Final = 80
_COMMENT: Final = re.compile(
    r"""("{3}(?:[^\\"]|\\.|"(?!""))*+"{3}|'{3}(?:[^\\']|\\.|'(?!''))*+'{3}|"(?:[^\\"\n]|\\.)*+"|'(?:[^\\'\n]|\\.)*+')"""
    r"|\#[^\n]*",
    re.DOTALL,
)
_PARTS: Final = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.USub, ast.UAdd,
                 ast.Add, ast.Sub, ast.Load)  # fmt: skip
_KINDS: Final[dict[type[ast.AST], str]] = {
    ast.JoinedStr: "an f-string",
    ast.Attribute: "an attribute",
    ast.Subscript: "a subscript",
    ast.Starred: "a `*` before it",
    ast.Lambda: "a lambda",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
}
_SETS: Final = frozenset({"set", "frozenset"})
# Modules of which the forms know a function: to import them binds nothing else.
_MODULES: Final = frozenset({"math", "pytest", "unittest"})


class Unsaid(Exception):
    """What an assertion says that no suite can; the reason, in words. Caught where assertions are walked."""


class Source:
    """One parsed file: its tree, its text by place, and which names it binds, how often.

    Raises:
        InvalidSuite: `asserts.too_long`, `asserts.encoding`, `asserts.syntax`.
    """

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_BYTES:
            raise _refusal("asserts.too_long", "the file has more than 1 MiB")
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise _refusal("asserts.encoding", f"byte {fault.start} is no UTF-8") from None
        # As the parser does, so that its columns are ours.
        self._data = text.replace("\r\n", "\n").replace("\r", "\n").encode()
        self.tree = _parsed(self._data.decode())
        self._starts = [0, *(at + 1 for at, byte in enumerate(self._data) if byte == 0x0A)]
        self.bound = _bindings(self.tree)

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node, as it stands."""
        return self._data[self._begin(node) : self._end(node)].decode()

    def line(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node on one line, cut short; comments and long blanks are left out."""
        plain = " ".join(_COMMENT.sub(lambda found: found[1] or "", self.text(node)[: 8 * LONGEST]).split())
        return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"

    def literal(self, node: ast.expr, names: Mapping[str, Tree]) -> Tree:
        """The value of a literal, in which these names stand for values.

        Raises:
            Unsaid: it is no literal of spec/suite.md §3.
        """
        spots = list(self._names(node))
        begin = self._begin(node)
        data, size = self._data[begin : self._end(node)], 0
        for spot in sorted(spots, key=self._begin, reverse=True):
            if spot.id not in names:
                raise Unsaid(f"`{spot.id[:40]}` stands for no literal")
            # In brackets: `-x` of 1+2j must not become -1+2j.
            value = f"({write(names[spot.id])})".encode()
            size += len(value)
            if size > MAX_BYTES:
                raise Unsaid("what the names stand for is over 1 MiB")
            data = data[: self._begin(spot) - begin] + value + data[self._end(spot) - begin :]
        text = data.decode()
        if "#" in text:
            text = _COMMENT.sub(lambda found: found[1] or " ", text)
        try:
            return read(text)
        except InvalidLiteral as fault:
            raise Unsaid(f"{fault.code}: {str(fault).partition(';')[0]}") from None

    def _names(self, node: ast.expr) -> Iterator[ast.Name]:
        """The names in a literal; whatever is no part of one is refused."""
        callees: set[int] = set()
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                callee = part.func
                if not isinstance(callee, ast.Name) or callee.id not in _SETS or self.bound[callee.id] or part.keywords:
                    raise Unsaid(f"`{self.line(part)}` is a call, no literal")
                callees.add(id(callee))
            elif isinstance(part, ast.Name):
                if id(part) not in callees:
                    yield part
            elif not isinstance(part, _PARTS):
                raise Unsaid(f"it has {_KINDS.get(type(part), 'an expression')}, which is no literal")

    def _begin(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def stored(node: ast.AST) -> Iterator[str]:
    """Every name that a part of a file binds, as often as it does."""
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.partition(".")[0]
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
                yield from names


def loaded(node: ast.AST) -> set[str]:
    """Every name that a part of a file reads."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def _bindings(tree: ast.Module) -> Counter[str]:
    found = Counter(stored(tree))
    for part in ast.walk(tree):
        if isinstance(part, ast.Import):
            found.subtract(one.name for one in part.names if one.name in _MODULES and one.asname is None)
    return found


def _parsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            # An odd escape is no fault of the file, and warnings may be errors.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as fault:
        where = f"line {fault.lineno}: " if fault.lineno else ""
        raise _refusal("asserts.syntax", f"{where}{fault.msg}") from None
    except (ValueError, RecursionError, MemoryError):
        # The parser's own bounds: a null byte, or nesting beyond its stack.
        raise _refusal("asserts.syntax", "the file nests too deep, or holds a null byte") from None


def _refusal(code: str, found: str) -> InvalidSuite:
    return InvalidSuite(code, message(code, found))
