"""Library: the wire codec's host side (spec/suite.md §5). What comes from a guest is hostile: read in one bounded pass.

No value of a candidate's is ever made here, so none is hashed, compared or printed: bytes become a tree of texts.
"""

from __future__ import annotations

import re
from typing import Final

from assay.kernel.equality import Tree
from assay.suite.trees import MAX_BYTES, MAX_DEPTH, MAX_HEX_DIGITS, MAX_NODES, is_sound

DEMOTED: Final = ("Counter", "OrderedDict", "defaultdict", "namedtuple", "IntEnum")
_DEMOTES: Final = {"Counter": "d", "OrderedDict": "d", "defaultdict": "d", "namedtuple": "t", "IntEnum": "i"}

_FLOAT: Final = rb"-?[0-9][0-9.e+-]{0,30}|-?inf|nan"
_TOKEN: Final = re.compile(
    rb"""(?P<word>[NTF])
    | i(?P<int>0|-?[1-9a-f][0-9a-f]{0,%d});
    | (?P<text>[sb])(?P<length>0|[1-9][0-9]{0,6}):
    | (?P<many>[ltezd])(?P<count>0|[1-9][0-9]{0,5}):
    | f(?P<float>%b);
    | c(?P<real>%b),(?P<imaginary>%b);
    | ~(?P<demoted>%b);"""
    % (MAX_HEX_DIGITS - 1, _FLOAT, _FLOAT, _FLOAT, "|".join(DEMOTED).encode()),
    re.VERBOSE,
).match


def decode(data: bytes) -> Tree | None:
    """The tree of one value's wire bytes, or None where no honest guest can have written them. Never raises.

    None is the candidate's fault (`protocol`), and so is a message beyond 1 MiB, which must not be read that far.
    """
    if len(data) > MAX_BYTES:
        return None
    # A frame for each open container: its kind, how many values it waits for, those that it has.
    frames: list[tuple[str, int, list[Tree]]] = []
    at, nodes, depth, unordered = 0, 0, 0, False
    while True:
        token = _TOKEN(data, at)
        if token is None:
            return None
        at = token.end()
        tree: Tree | None
        if (many := token["many"]) is not None:
            kind = many.decode()
            count = int(token["count"]) * (2 if kind == "d" else 1)
            unordered = unordered or kind in "ezd"
            nodes, depth = nodes + 1, depth + 1
            # Every value takes a byte at least, so a count beyond the bytes left is a lie.
            if depth > MAX_DEPTH or nodes > MAX_NODES or count > len(data) - at:
                return None
            if count:
                frames.append((kind, count, []))
                continue
            depth -= 1
            tree = (kind, ())
        elif (name := token["demoted"]) is not None:
            if frames and frames[-1][0][0] == "~":
                return None
            frames.append(("~" + name.decode(), 1, []))
            continue
        elif (text := token["text"]) is not None:
            start, at = at, at + int(token["length"])
            tree, nodes = _text(text, data[start:at], at <= len(data)), nodes + 1
        else:
            tree, nodes = _scalar(token), nodes + 1
        if tree is None or nodes > MAX_NODES:
            return None
        while frames:
            kind, count, held = frames[-1]
            held.append(tree)
            if len(held) < count:
                break
            frames.pop()
            if kind[0] == "~":
                if _DEMOTES[kind[1:]] != tree[0]:
                    return None
            else:
                depth -= 1
            tree = _closed(kind, held)
        if not frames:
            break
    return tree if at == len(data) and (not unordered or is_sound(tree)) else None


def _text(kind: bytes, part: bytes, complete: bool) -> Tree | None:  # noqa: FBT001 - one caller, one line away
    if not complete:
        return None
    if kind == b"b":
        return "b", part.decode("latin-1")
    try:
        return "s", part.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None


def _scalar(token: re.Match[bytes]) -> Tree | None:
    if (word := token["word"]) is not None:
        return word.decode(), ""
    if (digits := token["int"]) is not None:
        return "i", digits.decode()
    if (number := token["float"]) is not None:
        text = _float(number)
        return None if text is None else ("f", text)
    real, imaginary = _float(token["real"]), _float(token["imaginary"])
    return None if real is None or imaginary is None else ("c", f"{real},{imaginary}")


def _float(token: bytes) -> str | None:
    text = token.decode()
    try:
        return text if repr(float(text)) == text else None
    except ValueError:
        return None


def _closed(kind: str, held: list[Tree]) -> Tree:
    if kind == "d":
        held = [("p", (held[index], held[index + 1])) for index in range(0, len(held), 2)]
    return kind, tuple(sorted(held) if kind in "ezd" else held)


def encode(tree: Tree) -> bytes:
    """The wire bytes of a tree that the host wrote: a call's arguments. A dict keeps the order that the tree has."""
    out: list[bytes] = []
    _put(tree, out)
    return b"".join(out)


def _put(tree: Tree, out: list[bytes]) -> None:
    # Recursion is bounded: no tree is deeper than MAX_DEPTH.
    kind, held = tree
    if not isinstance(held, str):
        if kind != "p":
            out.append(b"%b%d:" % (kind.encode(), len(held)))
        for part in held:
            _put(part, out)
    elif kind in "sb":
        data = held.encode("utf-8", "surrogatepass") if kind == "s" else held.encode("latin-1")
        out.append(b"%b%d:%b" % (kind.encode(), len(data), data))
    else:
        out.append(f"{kind}{held};".encode() if held else kind.encode())
