"""The wire between guest and host: exact types both ways, and hostile bytes give None (spec/suite.md §5)."""

import enum
import math
import random
from collections import Counter, OrderedDict, defaultdict, namedtuple
from typing import Any, NamedTuple

import pytest

from assay.suite import guestcodec, trees, wirecodec
from assay.suite.guestcodec import NotAValue

Point = namedtuple("Point", "x y")  # noqa: PYI024 - both ways of making one are candidates' habits


class Pair(NamedTuple):
    left: int
    right: int


class Colour(enum.IntEnum):
    RED = 3


VALUES = [
    pytest.param(None, b"N", id="none"),
    pytest.param(True, b"T", id="true is no integer"),
    pytest.param(False, b"F", id="false"),
    pytest.param(0, b"i0;", id="zero"),
    pytest.param(-255, b"i-ff;", id="integers as hex"),
    pytest.param(1.5, b"f1.5;", id="float by its shortest digits"),
    pytest.param(-0.0, b"f-0.0;", id="the sign of zero travels"),
    pytest.param(math.inf, b"finf;", id="infinity"),
    pytest.param(math.nan, b"fnan;", id="nan"),
    pytest.param(5e-324, b"f5e-324;", id="the least float"),
    pytest.param(2j, b"c0.0,2.0;", id="complex"),
    pytest.param("é", b"s2:\xc3\xa9", id="text, counted in bytes"),
    pytest.param("\ud800", b"s3:\xed\xa0\x80", id="half a surrogate pair"),
    pytest.param("x\n{", b"s3:x\n{", id="no character frames"),
    pytest.param(b"\x00;", b"b2:\x00;", id="bytes"),
    pytest.param([1, (2,)], b"l2:i1;t1:i2;", id="list and tuple differ"),
    pytest.param(set(), b"e0:", id="the empty set"),
    pytest.param({"b", "a"}, b"e2:s1:as1:b", id="sets are sorted"),
    pytest.param(frozenset({1}), b"z1:i1;", id="frozenset"),
    pytest.param({"b": 1, "a": [2]}, b"d2:s1:al1:i2;s1:bi1;", id="dicts are sorted by key"),
    pytest.param(Counter("aab"), b"~Counter;d2:s1:ai2;s1:bi1;", id="a Counter is demoted by name"),
    pytest.param(OrderedDict(b=1, a=2), b"~OrderedDict;d2:s1:ai2;s1:bi1;", id="an OrderedDict"),
    pytest.param(defaultdict(int, {1: 2}), b"~defaultdict;d1:i1;i2;", id="a defaultdict"),
    pytest.param(Point(1, 2), b"~namedtuple;t2:i1;i2;", id="a namedtuple"),
    pytest.param(Pair(1, 2), b"~namedtuple;t2:i1;i2;", id="a typing.NamedTuple"),
    pytest.param(Colour.RED, b"~IntEnum;i3;", id="an IntEnum"),
    pytest.param([Point(1, 2)], b"l1:~namedtuple;t2:i1;i2;", id="demoted inside a list"),
]


@pytest.mark.parametrize(("value", "wire"), VALUES)
def test_a_value_has_one_spelling(value: object, wire: bytes) -> None:
    assert guestcodec.encode(value) == wire
    assert wirecodec.decode(wire) is not None


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


def cycle() -> list[object]:
    value: list[object] = []
    value.append(value)
    return value


def laughs() -> list[object]:
    value: list[object] = [0] * 10
    for _ in range(8):
        value = [value] * 10
    return value


class Text(str):
    __slots__ = ()


class Triple(tuple[int, ...]):
    __slots__ = ()


class Lying(Point):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Meta(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise SystemExit(0)


class Unnamed(metaclass=Meta):
    pass


@pytest.mark.parametrize(
    ("value", "how", "detail"),
    [
        pytest.param(object(), "not_a_value", "object", id="any other type"),
        pytest.param(Text("a"), "not_a_value", "Text", id="a str subclass"),
        pytest.param(Lying(1, 2), "not_a_value", "Lying", id="a subclass of a namedtuple"),
        pytest.param(Triple((1, 2)), "not_a_value", "Triple", id="a tuple subclass without fields"),
        pytest.param(range(3), "not_a_value", "range", id="a range"),
        pytest.param(iter([1]), "not_a_value", "list_iterator", id="an iterator"),
        pytest.param(Unnamed(), "not_a_value", "Unnamed", id="a metaclass cannot answer for the name"),
        pytest.param([{1: object()}], "not_a_value", "object", id="deep inside"),
        pytest.param({float("nan"), float("nan")}, "not_a_value", "a set that holds nan twice", id="two nans in a set"),
        pytest.param(
            {float("nan"): 1, float("nan"): 2}, "not_a_value", "a dict that has nan as a key twice", id="two nan keys"
        ),
        pytest.param(cycle(), "too_large", "nested deeper than 64", id="a cycle"),
        pytest.param(nested(65), "too_large", "nested deeper than 64", id="65 deep"),
        pytest.param({1: nested(64)}, "too_large", "nested deeper than 64", id="64 deep in a dict"),
        pytest.param(eval("{1:" * 65 + "1" + "}" * 65), "too_large", "nested deeper than 64", id="65 dicts"),  # noqa: S307
        pytest.param(laughs(), "too_large", "more than 100,000 nodes", id="a billion laughs"),
        pytest.param([0] * 100_000, "too_large", "more than 100,000 nodes", id="too many nodes"),
        pytest.param(1 << 16_384, "too_large", "an integer of more than 16,384 bits", id="a long integer"),
        pytest.param("a" * 1_048_576, "too_large", "more than 1 MiB", id="a long text"),
        pytest.param("a" * 2_000_000, "too_large", "more than 1 MiB", id="a longer text"),
        pytest.param(b"a" * 2_000_000, "too_large", "more than 1 MiB", id="long bytes"),
    ],
)
def test_what_does_not_travel_says_why(value: object, how: str, detail: str) -> None:
    with pytest.raises(NotAValue) as caught:
        guestcodec.encode(value)
    assert (caught.value.how, caught.value.detail) == (how, detail)


def test_the_limits_themselves_travel() -> None:
    for value in (nested(64), (1 << 16_384) - 1, [0] * 99_999, "a" * 1_048_567):
        assert wirecodec.decode(guestcodec.encode(value)) is not None


def test_guest_and_host_have_one_table_of_limits() -> None:
    for name in ("MAX_DEPTH", "MAX_NODES", "MAX_BITS", "MAX_BYTES"):
        assert getattr(guestcodec, name) == getattr(trees, name)


@pytest.mark.parametrize(
    "wire",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"NN", id="two values"),
        pytest.param(b"N\n", id="something after the value"),
        pytest.param(b"X", id="an unknown tag"),
        pytest.param(b"i01;", id="a leading zero"),
        pytest.param(b"i-0;", id="minus nothing"),
        pytest.param(b"iFF;", id="capital hex digits"),
        pytest.param(b"i" + b"1" * 4_097 + b";", id="a long integer"),
        pytest.param(b"f1;", id="a float without its point"),
        pytest.param(b"f1.50;", id="a float with a spare digit"),
        pytest.param(b"f1e999;", id="infinity under another name"),
        pytest.param(b"f1..5;", id="no float"),
        pytest.param(b"f-nan;", id="a nan with a sign"),
        pytest.param(b"c1.0,2;", id="half a complex number"),
        pytest.param(b"c1.0;", id="no second half"),
        pytest.param(b"s2:a", id="a text that is cut off"),
        pytest.param(b"s1:\xff", id="a text that is not UTF-8"),
        pytest.param(b"s2:\xc0\x80", id="an overlong form"),
        pytest.param(b"s01:a", id="a length with a leading zero"),
        pytest.param(b"s9999999:a", id="a length beyond the message"),
        pytest.param(b"l2:N", id="a list that is cut off"),
        pytest.param(b"l99999:N", id="a count beyond the message"),
        pytest.param(b"l1:" * 65 + b"N", id="65 deep"),
        pytest.param(b"l100000:" + b"N" * 100_000, id="too many nodes"),
        pytest.param(b"l2:" + 2 * (b"l60000:" + b"N" * 60_000), id="too many nodes in parts"),
        pytest.param(b"e1:l0:", id="a list in a set"),
        pytest.param(b"z1:t1:t1:l0:", id="a list in a tuple in a frozenset"),
        pytest.param(b"z1:~Counter;d0:", id="a Counter in a frozenset"),
        pytest.param(b"d1:e0:N", id="a set as a key"),
        pytest.param(b"e2:Ti1;", id="a set of True and 1"),
        pytest.param(b"e2:f1.0;i1;", id="a set of 1.0 and 1"),
        pytest.param(b"z2:t1:Tt1:i1;", id="a frozenset of (True,) and (1,)"),
        pytest.param(b"d2:i1;Nf1.0;N", id="a dict with 1 and 1.0 as keys"),
        pytest.param(b"l1:l1:e2:NN", id="deep inside"),
        pytest.param(b"~Counter;N", id="a Counter that is none"),
        pytest.param(b"~IntEnum;T", id="an IntEnum that is true"),
        pytest.param(b"~namedtuple;l0:", id="a namedtuple that is a list"),
        pytest.param(b"~Counter;~Counter;d0:", id="demoted twice"),
        pytest.param(b"~deque;l0:", id="an unknown demotion"),
        pytest.param(b"-" * 200_000 + b"1\n", id="a long chain of minus signs"),
        pytest.param(b"N" * 1_048_577, id="more than 1 MiB"),
    ],
)
def test_bytes_that_no_honest_guest_writes_are_no_value(wire: bytes) -> None:
    assert wirecodec.decode(wire) is None


def test_sets_and_dicts_are_sorted_whatever_the_guest_says() -> None:
    assert wirecodec.decode(b"e2:i2;i1;") == wirecodec.decode(b"e2:i1;i2;")
    assert wirecodec.decode(b"d2:i2;Ni1;N") == wirecodec.decode(b"d2:i1;Ni2;N")


@pytest.mark.parametrize(
    "value",
    [pytest.param(case.values[0], id=case.id) for case in VALUES if b"~" not in guestcodec.encode(case.values[0])],
)
def test_the_guest_reads_what_the_host_writes(value: object) -> None:
    wire = guestcodec.encode(value)
    tree = wirecodec.decode(wire)
    assert tree is not None
    assert wirecodec.encode(tree) == wire
    copy = guestcodec.decode(wire)
    assert type(copy) is type(value)
    assert guestcodec.encode(copy) == wire


def test_a_dict_of_arguments_keeps_its_order() -> None:
    assert list(guestcodec.decode(b"d2:s1:bi1;s1:ai2;")) == ["b", "a"]


def test_a_cyclic_and_a_changed_value_are_fresh_on_each_reading() -> None:
    first, second = guestcodec.decode(b"l1:l0:"), guestcodec.decode(b"l1:l0:")
    first[0].append(1)
    assert second == [[]]


def test_mangled_bytes_never_raise() -> None:
    dice = random.Random(7)
    whole = guestcodec.encode([1, {"a": (2.5, None, True)}, {b"x", 3j}, frozenset({"é"})])
    for _ in range(5_000):
        mangled = bytearray(whole)
        for _ in range(dice.randrange(1, 4)):
            mangled[dice.randrange(len(mangled))] = dice.choice(b"NTFifcsbltezd~0123456789:;-.,ae\x00\xff")
        tree = wirecodec.decode(bytes(mangled))
        assert tree is None or wirecodec.decode(wirecodec.encode(tree) if "~" not in repr(tree) else whole) is not None


@pytest.mark.parametrize(
    ("word", "value", "seen"),
    [
        ("value", [1], [1]),
        ("args", None, ([2], 3)),
        ("truth", [], False),
        ("found", None, False),
        ("found", False, False),
        ("found", 0, True),
        ("is_none", None, True),
        ("type_name", Unnamed(), "Unnamed"),
        ("length", "abc", 3),
    ],
)
def test_projections(word: str, value: object, seen: object) -> None:
    found = guestcodec.project(word, value, [[2], 3])
    assert type(found) is type(seen)
    assert found == seen
