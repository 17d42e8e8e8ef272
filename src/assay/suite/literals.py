"""Library: literal text to a tree and back (spec/suite.md §3). An iterative reader of our own: nothing is evaluated.

The text may come from a stranger. What is written in a suite is in the same bounds as what a guest may send.
"""

from __future__ import annotations

import re
from typing import Final

from assay.kernel.equality import Tree
from assay.suite.refusals import InvalidLiteral, message
from assay.suite.trees import (
    MAX_BITS,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    has_equal_members,
    has_unhashable_member,
)

_MAX_DECIMAL_DIGITS: Final = 4_933  # those of 2^16384
_MAX_FLOAT_CHARACTERS: Final = 1_000
_PART: Final = 600  # an interpreter may be set to read no more than 640 digits at once

_DIGITS: Final = "[0-9](?:_?[0-9])*+"
_TOKEN: Final = re.compile(
    rf"""[ \t\r\n\f]*+(?:
      (?P<string>(?P<prefix>[rR][bB]|[bB][rR]|[rRbBuU])?(?:
          '''(?P<long1>(?:[^\\'\r]|\\[^\r]|'(?!''))*+)''' | \"\"\"(?P<long2>(?:[^\\"\r]|\\[^\r]|"(?!""))*+)\"\"\"
        | (?!'{{3}}|\"{{3}})(?:'(?P<short1>(?:[^\\'\r\n]|\\[^\r])*+)' | "(?P<short2>(?:[^\\"\r\n]|\\[^\r])*+)") ))
    | (?P<based>0[xX](?:_?[0-9a-fA-F])++|0[oO](?:_?[0-7])++|0[bB](?:_?[01])++)
    | (?P<number>(?:(?:{_DIGITS})?\.{_DIGITS}|{_DIGITS}\.?)(?:[eE][+-]?{_DIGITS})?)(?P<imaginary>[jJ])?
    | (?P<name>[A-Za-z_][A-Za-z_0-9]*+)
    | (?P<mark>[()\[\]{{}},:+-])
    | (?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
).match
_INTEGER: Final = re.compile(r"0(?:_?0)*|[1-9](?:_?[0-9])*").fullmatch
_ESCAPE: Final = re.compile(
    r"""\\(?:(?P<same>['"\\])|(?P<letter>[abfnrtv])|(?P<octal>[0-7]{1,3})|(?P<line>\n)
    |x(?P<byte>[0-9a-fA-F]{2})|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})|(?P<other>.))""",
    re.VERBOSE | re.DOTALL,
)
_LETTERS: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS: Final[dict[str, Tree]] = {
    "None": ("N", ""),
    "True": ("T", ""),
    "False": ("F", ""),
    "nan": ("f", "nan"),
    "inf": ("f", "inf"),
}
_CLOSES: Final = {"(": ")", "[": "]", "{": "}", "set": ")", "frozenset": ")"}


def read(text: str) -> Tree:
    """The tree of a literal; a dict keeps the order of its keys, a set is sorted.

    Raises:
        InvalidLiteral: the text is no literal, or beyond the limits; the code says which.

    Source: spec/suite.md §3.
    """
    return _Reader(text).read()


class _Frame:
    """An open bracket: what it is, what it holds so far, and whether a comma or a colon has made up its mind."""

    __slots__ = ("comma", "items", "opener", "pairs")

    def __init__(self, opener: str) -> None:
        self.opener = opener
        self.items: list[Tree] = []
        self.comma = False
        self.pairs: bool | None = None


class _Reader:
    """One pass over one text."""

    __slots__ = ("_at", "_depth", "_nodes", "_stack", "_text", "_unordered")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._nodes = 0
        self._depth = 0
        self._stack: list[_Frame] = []
        self._unordered = False

    def read(self) -> Tree:
        if len(self._text) > MAX_BYTES or len(self._text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
            raise self._refusal("too_large", "the literal has more than 1 MiB")
        while True:
            tree = self._value()
            while tree is not None:
                if not self._stack:
                    return self._whole(tree)
                tree = self._placed(tree)

    def _whole(self, tree: Tree) -> Tree:
        if self._next()["end"] is None:
            raise self._refusal("syntax", f"the literal is over at character {self._at}, and more follows")
        if self._unordered and has_unhashable_member(tree):
            raise self._refusal("unhashable", "a set or a dict's keys hold a list, a set or a dict")
        if self._unordered and has_equal_members(tree):
            raise self._refusal("duplicate", "a set or a dict's keys hold two equal values")
        return tree

    def _value(self) -> Tree | None:
        """The next scalar or closed container; None where a bracket was opened."""
        token = self._next()
        if (mark := token["mark"]) is not None:
            if mark in "([{":
                self._open(mark)
                return None
            if mark in ")]}":
                return self._closed(mark)
            if mark in "+-":
                return self._signed(mark)
        if (name := token["name"]) is not None:
            return self._named(name)
        if token["string"] is not None:
            return self._string(token)
        if token["number"] is not None or token["based"] is not None:
            return self._number("", token)
        raise self._refusal("syntax", f"no value begins at character {self._at}")

    def _placed(self, tree: Tree) -> Tree | None:
        """Put a value into the open bracket; the container, where that closes it."""
        frame = self._stack[-1]
        frame.items.append(tree)
        frame.comma = False
        mark = self._next()["mark"]
        if frame.opener == "{":
            if frame.pairs is None:
                frame.pairs = mark == ":"
            if frame.pairs and len(frame.items) % 2:
                if mark == ":":
                    return None
                raise self._refusal("syntax", f"a key has no value at character {self._at}")
        if mark == ",":
            frame.comma = True
            return None
        if mark is not None and mark in ")]}":
            return self._closed(mark)
        raise self._refusal("syntax", f"a comma or a closing bracket is missing at character {self._at}")

    def _open(self, opener: str) -> None:
        self._depth += opener in "([{"
        if self._depth > MAX_DEPTH:
            raise self._refusal("too_deep", "the literal has more than 64 brackets inside each other")
        self._stack.append(_Frame(opener))

    def _closed(self, mark: str) -> Tree:
        frame = self._stack.pop() if self._stack else _Frame(mark)
        unfinished = frame.pairs and len(frame.items) % 2
        if _CLOSES.get(frame.opener) != mark or unfinished:
            raise self._refusal("syntax", f"`{mark}` closes nothing at character {self._at}")
        self._depth -= frame.opener in "([{"
        items = frame.items
        match frame.opener:
            case "(" if len(items) == 1 and not frame.comma:
                return items[0]
            case "(" | "[":
                return self._counted("t" if mark == ")" else "l", tuple(items))
            case "{":
                return self._braces(frame)
            case opener:
                return self._converted(opener, items)

    def _braces(self, frame: _Frame) -> Tree:
        items = frame.items
        self._unordered = True
        if frame.pairs or not items:
            pairs = tuple(("p", (items[index], items[index + 1])) for index in range(0, len(items), 2))
            return self._counted("d", pairs)
        return self._counted("e", tuple(sorted(items)))

    def _converted(self, opener: str, items: list[Tree]) -> Tree:
        """`set(…)` and `frozenset(…)`, of nothing or of one list, tuple or set."""
        self._unordered = True
        kind = "e" if opener == "set" else "z"
        if not items:
            return self._counted(kind, ())
        inner, held = items[0]
        if len(items) > 1 or inner not in {"l", "t", "e"} or isinstance(held, str):
            raise self._refusal("syntax", f"`{opener}(…)` takes one list, tuple or set at character {self._at}")
        return kind, tuple(sorted(held))

    def _named(self, name: str) -> Tree | None:
        if name in _WORDS:
            return self._counted(*_WORDS[name])
        if name in {"set", "frozenset"} and self._next()["mark"] == "(":
            self._open(name)
            return None
        raise self._refusal("name", f"the literal has a name at character {self._at}")

    def _signed(self, sign: str) -> Tree:
        token = self._next()
        if token["name"] == "inf":
            return self._counted("f", "-inf" if sign == "-" else "inf")
        if token["number"] is None and token["based"] is None:
            raise self._refusal("syntax", f"a sign stands before no number at character {self._at}")
        return self._number(sign, token)

    def _number(self, sign: str, token: re.Match[str]) -> Tree:
        minus = "-" if sign == "-" else ""
        if token["imaginary"] is not None:
            zero = "-0.0" if minus else "0.0"
            return self._counted("c", f"{zero},{self._float(minus, token['number'])}")
        if (based := token["based"]) is not None:
            whole: int | None = int(based.replace("_", ""), 0)
        else:
            whole = self._decimal(token["number"])
        if whole is not None and whole.bit_length() > MAX_BITS:
            raise self._refusal("too_large", "an integer has more than 16,384 bits")
        ahead = _TOKEN(self._text, self._at)
        if ahead is not None and ahead["mark"] in {"+", "-"}:
            return self._complex(minus, token, whole, ahead["mark"])
        if whole is None:
            return self._counted("f", self._float(minus, token["number"]))
        return self._counted("i", f"{-whole if minus else whole:x}")

    def _complex(self, minus: str, token: re.Match[str], whole: int | None, sign: str) -> Tree:
        self._next()
        second = self._next()
        if second["imaginary"] is None:
            raise self._refusal("syntax", f"a sum is no literal at character {self._at}")
        # As `-0` is the integer 0, the real part of `-0+1j` has no sign, and that of `-0.0+1j` has.
        real = self._float("" if whole == 0 else minus, token["number"] or str(whole))
        imaginary = self._float("-" if sign == "-" else "", second["number"])
        return self._counted("c", f"{real},{imaginary}")

    def _decimal(self, text: str) -> int | None:
        """The integer of a decimal token; None where it is a float's."""
        if not text.replace("_", "").isdigit():
            return None
        if _INTEGER(text) is None:
            raise self._refusal("syntax", f"an integer has a leading zero at character {self._at}")
        digits = text.replace("_", "")
        if len(digits) > _MAX_DECIMAL_DIGITS:
            raise self._refusal("too_large", "an integer has more than 16,384 bits")
        whole = 0
        for start in range(0, len(digits), _PART):
            part = digits[start : start + _PART]
            whole = whole * 10 ** len(part) + int(part)
        return whole

    def _float(self, minus: str, text: str) -> str:
        if len(text) > _MAX_FLOAT_CHARACTERS:
            raise self._refusal("too_large", "a float has more than 1,000 characters")
        return repr(float(minus + text.replace("_", "")))

    def _string(self, token: re.Match[str]) -> Tree:
        kind, parts = "", []
        while True:
            prefix = (token["prefix"] or "").lower()
            body = next(part for part in token.group("long1", "long2", "short1", "short2") if part is not None)
            own = "b" if "b" in prefix else "s"
            if kind not in {"", own}:
                raise self._refusal("syntax", f"bytes and text stand side by side at character {self._at}")
            kind = own
            if kind == "b" and not body.isascii():
                raise self._refusal("syntax", f"bytes hold a character beyond ASCII before character {self._at}")
            parts.append(body if "r" in prefix or "\\" not in body else self._unescaped(kind, body))
            ahead = _TOKEN(self._text, self._at)
            if ahead is None or ahead["string"] is None:
                return self._counted(kind, "".join(parts))
            token = self._next()

    def _unescaped(self, kind: str, body: str) -> str:
        def one(found: re.Match[str]) -> str:
            if (same := found["same"]) is not None:
                return same
            if (letter := found["letter"]) is not None:
                return _LETTERS[letter]
            if found["line"] is not None:
                return ""
            if (octal := found["octal"]) is not None and int(octal, 8) <= 0xFF:
                return chr(int(octal, 8))
            if (byte := found["byte"]) is not None:
                return chr(int(byte, 16))
            code = int(found["four"] or found["eight"] or "110000", 16)
            if kind == "b" or code > 0x10FFFF:
                raise self._refusal("escape", f"an unknown escape stands before character {self._at}")
            return chr(code)

        return _ESCAPE.sub(one, body)

    def _counted(self, kind: str, held: str | tuple[Tree, ...]) -> Tree:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise self._refusal("too_large", "the literal has more than 100,000 nodes")
        return kind, held

    def _next(self) -> re.Match[str]:
        token = _TOKEN(self._text, self._at)
        if token is None:
            raise self._refusal("syntax", f"nothing that a literal is made of stands at character {self._at}")
        self._at = token.end()
        return token

    def _refusal(self, code: str, found: str) -> InvalidLiteral:
        return InvalidLiteral(f"literal.{code}", message(f"literal.{code}", found))


def write(tree: Tree) -> str:
    """The one literal text of a tree; `read` of it is the tree again.

    A demoted value is written with its name around it, and a complex number with a nan part as a call: these are for
    people, and not read back.
    """
    kind, held = tree
    if isinstance(held, str):
        return _leaf(kind, held)
    parts = [write(part) for part in held]
    inside = ", ".join(parts)
    match kind:
        case "l":
            return f"[{inside}]"
        case "t":
            return f"({inside},)" if len(parts) == 1 else f"({inside})"
        case "p":
            return ": ".join(parts)
        case "e" | "d":
            return f"{{{inside}}}" if parts or kind == "d" else "set()"
        case "z":
            return f"frozenset({{{inside}}})" if parts else "frozenset()"
        case demoted:
            return f"{demoted[1:]}({inside})"


def _leaf(kind: str, text: str) -> str:
    match kind:
        case "N" | "T" | "F":
            return {"N": "None", "T": "True", "F": "False"}[kind]
        case "i":
            whole = int(text, 16)
            return str(whole) if whole.bit_length() <= 1_024 else hex(whole)
        case "f":
            return text.replace("inf", "1e999")
        case "s":
            return ascii(text)
        case "b":
            return repr(text.encode("latin-1"))
        case _:
            return _complex_text(*text.split(","))


def _complex_text(real: str, imaginary: str) -> str:
    if "nan" in {real, imaginary}:
        return f"complex({real}, {imaginary})"
    part = imaginary.replace("inf", "1e999")
    if real == ("-0.0" if part[0] == "-" else "0.0"):
        return f"{part}j"
    return f"{real.replace('inf', '1e999')}{'' if part[0] == '-' else '+'}{part}j"
