"""Library: the wire codec's guest side (spec/suite.md §5). One file, complete in itself: a sandbox loads its text.

Only exact built-in types are encoded, five kinds of subclass are demoted by name, everything else is no value. It runs
beside the candidate, so it decides nothing: whoever reads its bytes treats them as hostile (assay.suite.wirecodec).
"""

from collections import Counter, OrderedDict, defaultdict
from enum import IntEnum
from itertools import pairwise
from typing import Any

MAX_DEPTH = 64
MAX_NODES = 100_000
MAX_BITS = 16_384
MAX_BYTES = 1_048_576

# Read through the slots of `type` itself: a metaclass of the candidate's cannot answer in their place.
_name = type.__dict__["__name__"].__get__
_mro = type.__dict__["__mro__"].__get__
_bases = type.__dict__["__bases__"].__get__
_members = type.__dict__["__dict__"].__get__

_DICTS: dict[type, bytes] = {Counter: b"~Counter;", OrderedDict: b"~OrderedDict;", defaultdict: b"~defaultdict;"}
_SEQUENCES: dict[type, bytes] = {list: b"l", tuple: b"t", set: b"e", frozenset: b"z"}
_SETS = (set, frozenset)


class NotAValue(Exception):
    """The object does not travel; `how` is `not_a_value` or `too_large`, `detail` names the type or the limit."""

    def __init__(self, how: str, detail: str) -> None:
        self.how = how
        self.detail = detail[:120]


def encode(value: object) -> bytes:
    """The wire bytes of a value; equal values of one type have equal bytes, whatever order a set or dict was built in.

    Raises:
        NotAValue: a type that does not travel, or a value beyond the limits.
    """
    out: list[bytes] = []
    _put(value, 0, out, [0, 0])
    return b"".join(out)


def _put(value: Any, depth: int, out: list[bytes], spent: list[int]) -> None:  # noqa: ANN401
    kind = type(value)
    spent[0] += 1
    if spent[0] > MAX_NODES:
        raise NotAValue("too_large", "more than 100,000 nodes")
    if kind is int:
        if value.bit_length() > MAX_BITS:
            raise NotAValue("too_large", "an integer of more than 16,384 bits")
        _add(b"i%x;" % value, out, spent)
    elif kind is str:
        # "surrogatepass": a text may hold half a pair, and arrives as it is.
        data = value.encode("utf-8", "surrogatepass") if len(value) <= MAX_BYTES else bytes(MAX_BYTES)
        _add(b"s%d:%b" % (len(data), data), out, spent)
    elif value is None:
        _add(b"N", out, spent)
    elif kind is bool:
        _add(b"T" if value else b"F", out, spent)
    elif kind is float:
        _add(b"f%b;" % repr(value).encode(), out, spent)
    elif kind in _SEQUENCES:
        _put_sequence(value, kind, depth, out, spent)
    elif kind is dict:
        _put_pairs(value, depth, out, spent)
    elif kind is bytes:
        _add(b"b%d:%b" % (len(value), value if len(value) <= MAX_BYTES else bytes(MAX_BYTES)), out, spent)
    elif kind is complex:
        _add(b"c%b,%b;" % (repr(value.real).encode(), repr(value.imag).encode()), out, spent)
    else:
        _put_demoted(value, kind, depth, out, spent)


def _add(data: bytes, out: list[bytes], spent: list[int]) -> None:
    spent[1] += len(data)
    if spent[1] > MAX_BYTES:
        raise NotAValue("too_large", "more than 1 MiB")
    out.append(data)


def _put_sequence(value: Any, kind: type, depth: int, out: list[bytes], spent: list[int]) -> None:  # noqa: ANN401
    if depth >= MAX_DEPTH:
        raise NotAValue("too_large", "nested deeper than 64")
    _add(b"%b%d:" % (_SEQUENCES[kind], len(value)), out, spent)
    if kind not in _SETS:
        for item in value:
            _put(item, depth + 1, out, spent)
        return
    parts = sorted(_apart(item, depth + 1, spent) for item in value)
    if any(left == right for left, right in pairwise(parts)):
        raise NotAValue("not_a_value", "a set that holds nan twice")
    out.extend(parts)


def _put_pairs(value: Any, depth: int, out: list[bytes], spent: list[int]) -> None:  # noqa: ANN401
    if depth >= MAX_DEPTH:
        raise NotAValue("too_large", "nested deeper than 64")
    _add(b"d%d:" % dict.__len__(value), out, spent)
    # `dict.items`: what the dict holds, not what a subclass says that it holds.
    pairs = sorted((_apart(key, depth + 1, spent), _apart(item, depth + 1, spent)) for key, item in dict.items(value))
    if any(left[0] == right[0] for left, right in pairwise(pairs)):
        raise NotAValue("not_a_value", "a dict that has nan as a key twice")
    for pair in pairs:
        out.extend(pair)


def _apart(value: object, depth: int, spent: list[int]) -> bytes:
    out: list[bytes] = []
    _put(value, depth, out, spent)
    return b"".join(out)


def _put_demoted(value: Any, kind: type, depth: int, out: list[bytes], spent: list[int]) -> None:  # noqa: ANN401
    if kind in _DICTS:
        _add(_DICTS[kind], out, spent)
        _put_pairs(value, depth, out, spent)
        return
    bases = _bases(kind)
    if len(bases) == 1 and bases[0] is tuple:
        members = _members(kind)
        if "_fields" in members and "_make" in members and "__eq__" not in members:
            _add(b"~namedtuple;", out, spent)
            _put_sequence(tuple(tuple.__iter__(value)), tuple, depth, out, spent)
            return
    if any(base is IntEnum for base in _mro(kind)):
        _add(b"~IntEnum;", out, spent)
        _put(int.__add__(value, 0), depth, out, spent)
        return
    raise NotAValue("not_a_value", _name(kind))


def project(word: str, value: Any, arguments: Any) -> object:  # noqa: ANN401
    """What a call lets be seen of its outcome; raises what the candidate's own `__bool__` or `__len__` raises."""
    if word == "args":
        return tuple(arguments)
    if word == "truth":
        return bool(value)
    if word == "found":
        return value if type(value) is bool else value is not None
    if word == "is_none":
        return value is None
    if word == "type_name":
        return _name(type(value))
    if word == "length":
        return len(value)
    return value


def decode(data: bytes) -> Any:  # noqa: ANN401
    """A fresh value of the wire bytes of a call: bytes that the host wrote, so none of this is checked."""
    return _take(data, 0)[0]


def _take(data: bytes, at: int) -> tuple[Any, int]:
    tag = data[at : at + 1]
    at += 1
    if tag in b"NTF":
        return (None if tag == b"N" else tag == b"T"), at
    if tag in b"ifc":
        end = data.index(b";", at)
        text = data[at:end].decode()
        if tag == b"i":
            return int(text, 16), end + 1
        if tag == b"f":
            return float(text), end + 1
        real, imaginary = text.split(",")
        return complex(float(real), float(imaginary)), end + 1
    end = data.index(b":", at)
    count, at = int(data[at:end]), end + 1
    if tag in b"sb":
        part = data[at : at + count]
        return (part.decode("utf-8", "surrogatepass") if tag == b"s" else part), at + count
    if tag == b"d":
        pairs = {}
        for _ in range(count):
            key, at = _take(data, at)
            pairs[key], at = _take(data, at)
        return pairs, at
    items = []
    for _ in range(count):
        item, at = _take(data, at)
        items.append(item)
    return {b"l": list, b"t": tuple, b"e": set, b"z": frozenset}[tag](items), at
