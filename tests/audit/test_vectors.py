"""Vectors: the four forms of proposal, what makes one unusable, and lines that are none (spec/verification.md §6)."""

import json
import tracemalloc
from typing import Any

import pytest

from assay.audit import vectors
from assay.audit.vectors import Mismatch, run_vectors
from assay.kernel.errors import InvalidVectors

GOOD: dict[str, Any] = {
    "id": "one",
    "kind": {"kind": "integer"},
    "established": {"state": "VALUE", "value": "142"},
    "proposal": '{"state":"VALUE","value":142}',
    "verdict": "ACCEPT",
}


def line(**changes: Any) -> bytes:
    vector = {**GOOD, **changes}
    return json.dumps({key: value for key, value in vector.items() if value is not ...}).encode()


def test_counts_and_mismatches() -> None:
    report = run_vectors(
        [
            line(),
            b"",
            b"  \n",
            line(id="two", established={"state": "CONFLICT"}),
            line(id="three", proposal="x", verdict="REJECT", code="parse.json"),
            line(id="four", proposal="x", verdict="REJECT", code="parse.depth", note="wrong on purpose"),
            line(id="five", kind={"kind": "polymer"}),
        ]
    )
    assert (report.total, report.accepted, report.rejected, report.invalid) == (5, 1, 3, 1)
    assert report.mismatches == (
        Mismatch(4, "two", "ACCEPT", "REJECT", "", "value.not_equal"),
        Mismatch(6, "four", "REJECT", "REJECT", "parse.depth", "parse.json"),
        Mismatch(7, "five", "ACCEPT", "INVALID_VECTOR", "", ""),
    )


def repeat(times: Any, unit: str = " ", **changes: Any) -> dict[str, Any]:
    return {"prefix": '{"state":"VALUE","value":142', "unit": unit, "times": times, "suffix": "}", **changes}


def count(times: Any, template: str = "{i}", sep: str = ",", **changes: Any) -> dict[str, Any]:
    rule = {"prefix": '{"state":"VALUE","value":[', "template": template, "sep": sep, "times": times, "suffix": "]}"}
    return {**rule, **changes}


@pytest.mark.parametrize(
    ("form", "code"),
    [
        pytest.param({"proposal_hex": b'{"state":"VALUE","value":142}'.hex()}, None, id="hexadecimal"),
        pytest.param({"proposal_hex": "ff"}, "parse.encoding", id="bytes that are no text"),
        pytest.param({"proposal": '{"state":"VALUE","value":"\ud800"}'}, "parse.encoding", id="a lone surrogate"),
        pytest.param({"proposal_repeat": repeat(0)}, None, id="repeated never"),
        pytest.param({"proposal_repeat": repeat(100)}, None, id="repeated"),
        pytest.param({"proposal_repeat": repeat(5000)}, "parse.too_long", id="repeated too often"),
        pytest.param({"proposal_count": count(0)}, "value.type", id="counted never"),
        pytest.param({"proposal_count": count(300)}, "value.type", id="counted"),
        pytest.param({"proposal_count": count(5000)}, "parse.too_long", id="counted beyond one chunk"),
        pytest.param({"proposal_count": count(3, "1")}, "value.type", id="counted without a count"),
    ],
)
def test_forms_of_proposal(form: dict[str, Any], code: str | None) -> None:
    changes = {"proposal": ..., **form, "verdict": "REJECT" if code else "ACCEPT"}
    report = run_vectors([line(**changes, **({"code": code} if code else {}))])
    assert report.mismatches == ()


def test_counted_members_are_each_number_once() -> None:
    members = {"state": "VALUE", "value": list(range(200))}
    vector = line(
        kind={"kind": "set", "of": {"kind": "integer"}}, established=members, proposal=..., proposal_count=count(200)
    )
    assert run_vectors([vector]).mismatches == ()


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"kind": {"kind": "polymer"}}, id="a polymer"),
        pytest.param({"kind": {"kind": "number"}}, id="an invalid kind"),
        pytest.param({"kind": None}, id="no kind"),
        pytest.param({"established": {"state": "VALUE", "value": "142.0"}}, id="a value without a denotation"),
        pytest.param({"established": {"state": "VALUE", "value": 142.0}}, id="a float"),
        pytest.param({"established": {"state": "VALUE"}}, id="no value"),
        pytest.param({"established": {"state": "CONFLICT", "value": 1}}, id="a value too many"),
        pytest.param({"established": {"state": "UNKNOWN"}}, id="no such state"),
        pytest.param({"established": {"state": []}}, id="a state that is no text"),
        pytest.param({"established": "VALUE"}, id="no object"),
    ],
)
def test_unusable_vectors(changes: dict[str, Any]) -> None:
    report = run_vectors([line(**changes, verdict="INVALID_VECTOR")])
    assert report.mismatches == ()
    assert report.invalid == 1


def test_key_twice_in_a_kind_makes_it_invalid() -> None:
    twice = line(verdict="INVALID_VECTOR").replace(b'{"kind": "integer"}', b'{"kind": "integer", "kind": "integer"}')
    assert run_vectors([twice]).mismatches == ()


def test_off_the_grid_is_put_on_it() -> None:
    kind = {"kind": "decimal", "grid": {"decimals": 1}}
    established = {"state": "VALUE", "value": "1.25"}
    assert (
        run_vectors([line(kind=kind, established=established, proposal='{"state":"VALUE","value":"1.2"}')]).accepted
        == 1
    )


@pytest.mark.parametrize(
    "form",
    [
        {"proposal_count": count(4096, "{i}" + "x" * 200_000)},
        {"proposal_count": count(2**26, "{i}" * 9000)},
        {"proposal_count": count(4096, "x" * 200_000)},
        {"proposal_count": count(4096, "{i}", "x" * 200_000)},
        {"proposal_repeat": repeat(4096, "x" * 200_000)},
    ],
)
def test_a_proposal_that_is_too_large_is_refused_before_it_is_built(form: dict[str, Any]) -> None:
    data = line(proposal=..., **form)
    tracemalloc.start()
    try:
        with pytest.raises(InvalidVectors, match="64 MiB"):
            run_vectors([data])
        assert tracemalloc.get_traced_memory()[1] < 4 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("times", [0, 1, 2, 9, 10, 11, 99, 100, 101, 4095, 4096, 4097, 10_001])
@pytest.mark.parametrize("template", [b"{i}", b"{i}{i}x", b"{{i}}", b"{i", b"", b"abc"])
@pytest.mark.parametrize("sep", [b"", b", "])
def test_the_size_that_is_computed_is_the_size_that_is_built(times: int, template: bytes, sep: bytes) -> None:
    counted = b"{i}" in template
    built = vectors._counted(template, sep, times) if counted else vectors._repeated(template, sep, times)
    assert vectors._size(template, sep, times, counted=counted) == len(built)
    assert built == sep.join(template.replace(b"{i}", str(i).encode()) for i in range(times))


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        pytest.param(b"\xff", "not UTF-8", id="bytes"),
        pytest.param(b"{", "not one JSON value", id="cut off"),
        pytest.param(b"{} {}", "not one JSON value", id="two documents"),
        pytest.param(b"[" * 100_000, "not one JSON value", id="too deep"),
        pytest.param(b'{"a": NaN}', "not one JSON value", id="NaN"),
        pytest.param(b"[]", "not a JSON object", id="an array"),
        pytest.param(b'{"id": "a", "id": "a"}', "not a JSON object with each key once", id="a key twice"),
        pytest.param(line(id=...), "no `id`", id="no id"),
        pytest.param(line(kind=...), "no `kind`", id="no kind"),
        pytest.param(line(established=...), "no `established`", id="no established state"),
        pytest.param(line(verdict=...), "no `verdict`", id="no verdict"),
        pytest.param(line(verdict="accept"), "`verdict` is none of", id="another verdict"),
        pytest.param(line(verdict=["ACCEPT"]), "`verdict` is none of", id="a list of verdicts"),
        pytest.param(line(id=[]), "`id` is not", id="an id that is a list"),
        pytest.param(line(code=1), "`code` is not a text", id="a code that is a number"),
        pytest.param(line(proposal=...), "0 forms of proposal", id="no proposal"),
        pytest.param(line(proposal_hex="00"), "2 forms of proposal", id="two proposals"),
        pytest.param(line(proposal=1), "`proposal` is not a text", id="a proposal that is no text"),
        pytest.param(line(proposal=..., proposal_hex="0"), "not hexadecimal", id="half a byte"),
        pytest.param(line(proposal=..., proposal_repeat=[]), "has not exactly", id="no rule"),
        pytest.param(line(proposal=..., proposal_repeat=repeat(1, sep="")), "has not exactly", id="a further key"),
        pytest.param(line(proposal=..., proposal_repeat=repeat(1, prefix=1)), "has not exactly", id="no text"),
        pytest.param(line(proposal=..., proposal_repeat=repeat(-1)), "`times` is not", id="a negative number"),
        pytest.param(line(proposal=..., proposal_repeat=repeat(1.0)), "`times` is not", id="a float"),
        pytest.param(line(proposal=..., proposal_repeat=repeat(True)), "`times` is not", id="true"),
        pytest.param(line(proposal=..., proposal_repeat=repeat(2**26 + 1)), "`times` is not", id="too many times"),
        pytest.param(line(proposal=..., proposal_repeat=repeat(2**26, "ab")), "64 MiB", id="too much repeated"),
        pytest.param(line(proposal=..., proposal_count=count(2**26, "{i}" * 9000)), "64 MiB", id="too much counted"),
    ],
)
def test_line_that_is_no_vector_is_an_error_with_its_number(data: bytes, fault: str) -> None:
    with pytest.raises(InvalidVectors) as raised:
        run_vectors([line(), b"", data])
    assert str(raised.value).startswith("line 3 is no vector: ")
    assert fault in str(raised.value)
    assert raised.value.code == "vectors.line"
