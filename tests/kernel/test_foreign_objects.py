"""P10: only objects that a JSON reader makes have a denotation, and no method of a proposed object is called."""

from typing import Any, NoReturn

import pytest

from assay.kernel.denotation import denote
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    IdentifierKind,
    IntegerKind,
    IntervalKind,
    Kind,
    QuantityKind,
    SetKind,
    Unit,
)
from assay.kernel.verdict import Reject

KINDS: dict[str, Kind] = {
    "integer": IntegerKind(),
    "boolean": BooleanKind(),
    "category": CategoryKind(frozenset({"kinase", "142"})),
    "identifier": IdentifierKind(),
    "prefixed": IdentifierKind("uniprot"),
    "date": DateKind(),
    "decimal": DecimalKind(),
    "quantity": QuantityKind((("m", Unit()),)),
    "with u": QuantityKind((("m", Unit()),), uncertainty=True),
    "interval": IntervalKind(IntegerKind()),
    "interval of decimal": IntervalKind(DecimalKind()),
    "set": SetKind(IntegerKind()),
    "set of words": SetKind(CategoryKind(frozenset({"kinase"}))),
}


class Called(Exception):
    """A method of a proposed object was called."""


def _trap(*_: Any, **__: Any) -> NoReturn:
    raise Called


ASKED = (
    "__eq__ __ne__ __hash__ __lt__ __le__ __gt__ __ge__ __bool__ __len__ __iter__ __contains__ __getitem__ __str__"
    " __repr__ __int__ __index__ __float__ __neg__ __abs__ __add__ __mod__ __format__ strip lstrip rstrip keys items"
    " values get startswith isascii isprintable encode"
)
TRAPS = dict.fromkeys(ASKED.split(), _trap)


def liar(base: type, value: object) -> Any:
    """An object of a subclass of `base` that raises whenever it is asked for anything."""
    return type("Liar", (base,), TRAPS)(value)


LIARS = {
    "int": liar(int, 142),
    "str": liar(str, "142"),
    "word": liar(str, "kinase"),
    "curie": liar(str, "uniprot:P69905"),
    "float": liar(float, 142.0),
    "list": liar(list, [142]),
    "dict": liar(dict, {"n": "1", "unit": "m"}),
    "tuple": liar(tuple, (142,)),
    "object": type("Liar", (), TRAPS)(),
    "bytes": b"142",
    "complex": 142 + 0j,
    "set": {142},
    "class": int,
    "function": _trap,
    "ellipsis": ...,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lie", LIARS)
def test_foreign_object_has_no_denotation_and_is_asked_nothing(kind: str, lie: str) -> None:
    found = denote(KINDS[kind], LIARS[lie])
    assert type(found) is Reject
    assert found.code == "value.type"


@pytest.mark.parametrize("lie", LIARS)
@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        pytest.param("quantity", lambda lie: {"n": lie, "unit": "m"}, id="as a number"),
        pytest.param("quantity", lambda lie: {"n": "1", "unit": lie}, id="as a unit"),
        pytest.param("with u", lambda lie: {"n": "1", "unit": "m", "u": lie}, id="as an uncertainty"),
        pytest.param("interval", lambda lie: {"lo": lie, "hi": 200, "lo_closed": True, "hi_closed": True}, id="lo"),
        pytest.param("interval", lambda lie: {"lo": 1, "hi": 2, "lo_closed": lie, "hi_closed": True}, id="a flag"),
        pytest.param(
            "interval of decimal", lambda lie: {"lo": 1, "hi": lie, "lo_closed": True, "hi_closed": True}, id="hi"
        ),
        pytest.param("set", lambda lie: [1, lie], id="as a member"),
        pytest.param("set of words", lambda lie: [lie], id="as the member"),
    ],
)
def test_foreign_object_inside_is_asked_nothing(kind: str, shape: Any, lie: str) -> None:
    assert denote(KINDS[kind], shape(LIARS[lie])) == Reject("value.type")


class Everything(str):
    """A key that claims to be every key."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("unit")


def test_key_that_equals_every_key_is_no_key() -> None:
    assert denote(KINDS["quantity"], {"n": "1", Everything("x"): "m"}) == Reject("value.keys")


class Int(int):
    """An honest subclass is foreign too: its text could change between check and use."""


def test_honest_subclasses_are_foreign_too() -> None:
    assert denote(IntegerKind(), Int(142)) == Reject("value.type")
    assert denote(DecimalKind(), Int(142)) == Reject("value.type")
    assert denote(SetKind(IntegerKind()), type("List", (list,), {})([142])) == Reject("value.type")
    assert denote(KINDS["quantity"], type("Dict", (dict,), {})({"n": "1", "unit": "m"})) == Reject("value.type")


def test_floats_of_every_sort_have_no_denotation() -> None:
    for kind in KINDS.values():
        for number in (0.0, -0.0, 142.0, 142.5, float("nan"), float("inf"), 1e400):
            assert denote(kind, number) == Reject("value.type")
