"""Canonical bytes: golden, equal to another implementation of RFC 8785, and refused where they would not be exact."""

from types import MappingProxyType
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from assay.kernel.canonical import canonical
from assay.kernel.errors import CanonicalError

EXACT = 2**53 - 1
documents = st.recursive(
    st.none() | st.booleans() | st.integers(-EXACT, EXACT) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(documents)
def test_bytes_equal_rfc8785(document: Any) -> None:
    assert canonical(document) == rfc8785.dumps(document)


@given(documents)
def test_bytes_do_not_depend_on_the_order_of_keys(document: Any) -> None:
    def reversed_keys(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: reversed_keys(value[key]) for key in reversed(value)}
        return [reversed_keys(item) for item in value] if isinstance(value, list) else value

    assert canonical(reversed_keys(document)) == canonical(document)


@pytest.mark.parametrize(
    ("document", "golden"),
    [
        pytest.param({}, b"{}", id="an empty object"),
        pytest.param({"b": [1, -2, None], "a": {"y": 2, "x": 3}}, b'{"a":{"x":3,"y":2},"b":[1,-2,null]}', id="sorted"),
        pytest.param((1, "a"), b'[1,"a"]', id="a tuple is an array"),
        pytest.param(MappingProxyType({"k": 1}), b'{"k":1}', id="any mapping is an object"),
        pytest.param('\x00\x1f"\\/\b\f\n\r\t\x7f', b'"\\u0000\\u001f\\"\\\\/\\b\\f\\n\\r\\t\x7f"', id="escapes"),
        pytest.param("µé€😀", '"µé€😀"'.encode(), id="everything else as UTF-8"),
        pytest.param({"\ue000": 1, "😀": 2}, '{"😀":2,"\ue000":1}'.encode(), id="sorted by UTF-16, not by code point"),
        pytest.param(EXACT, b"9007199254740991", id="the largest exact integer"),
        pytest.param(-EXACT, b"-9007199254740991", id="the smallest"),
    ],
)  # fmt: skip
def test_golden_bytes(document: object, golden: bytes) -> None:
    assert canonical(document) == golden


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(1.0, id="a float"),
        pytest.param({"a": [0.5]}, id="a float inside"),
        pytest.param(float("nan"), id="not a number"),
        pytest.param(EXACT + 1, id="an integer that a float could not hold"),
        pytest.param(-EXACT - 1, id="a negative one"),
        pytest.param({1: "a"}, id="a key that is a number"),
        pytest.param({None: "a"}, id="a key that is null"),
        pytest.param("\ud800", id="a lone surrogate"),
        pytest.param({"\ud800": 1}, id="a lone surrogate in a key"),
        pytest.param({1}, id="a set"),
        pytest.param(b"a", id="bytes"),
        pytest.param(type("Str", (str,), {})("a"), id="a subclass"),
    ],
)
def test_what_has_no_canonical_bytes(document: object) -> None:
    with pytest.raises(CanonicalError) as raised:
        canonical(document)
    assert raised.value.code == "fault.canonical"
