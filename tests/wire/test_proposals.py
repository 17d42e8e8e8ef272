"""The two paths of the letterbox agree, and hostile bytes give a code (spec/verification.md §2)."""

import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import assay_ref

from assay.kernel.states import INSUFFICIENT_EVIDENCE, AssertValue, Malformed, Proposal
from assay.wire import proposals
from assay.wire.proposals import NotExact, parse_proposal

# Pieces of JSON that meet each other in every order: what the usual shape is made of, and what breaks it.
PIECES = [
    *('{"state":"VALUE","value":', '"142"}', "142}", "true}", "null}", "[1]}", '{"n":"1","unit":"m"}}', "1.5}", "-0}"),
    *(
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\t",
        "\n",
        '"state"',
        '"VALUE"',
        '"value"',
        '"a"',
        '"',
        "\\",
        "\\u0031",
        "\\ud800",
    ),
    *("1", "-", ".", "e", "0", "true", "false", "null", "NaN", "é", "😀", "\x00", "\x1f", "\x7f", "\ufeff"),
]
pieces = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def seen(proposal: Proposal) -> object:
    """A proposal as something that can be compared: types of numbers and booleans too."""
    return repr(proposal.raw) if isinstance(proposal, AssertValue) and not _inexact(proposal.raw) else _class(proposal)


def _inexact(raw: object) -> bool:
    return isinstance(raw, NotExact)


def _class(proposal: Proposal) -> object:
    return proposal if isinstance(proposal, Malformed) else type(getattr(proposal, "raw", proposal))


def slowly(text: str) -> Proposal:
    """The same, without the usual shapes."""
    data = text.encode()
    return proposals.TOO_LONG if len(data) > proposals.MAX_BYTES else proposals.read_any(text)


@given(pieces)
def test_both_paths_agree_on_pieces_of_json(text: str) -> None:
    assert seen(parse_proposal(text.encode())) == seen(slowly(text))


@given(st.sampled_from(sorted(assay_ref.KINDS)), st.integers(0, 2**40), st.integers(0, 200), st.sampled_from(PIECES))
def test_both_paths_agree_one_edit_from_a_proposal(name: str, seed: int, at: int, piece: str) -> None:
    text = assay_ref.case(random.Random(seed), name, "exact").proposal.decode()
    for edited in (text, text[:at] + piece + text[at:], text[:at] + text[at + 1 :]):
        assert seen(parse_proposal(edited.encode())) == seen(slowly(edited))


@given(st.text(max_size=30), st.sampled_from(['{"state":"VALUE","value":"%s"}', '{"state":"VALUE","value":["%s"]}']))
def test_both_paths_agree_on_any_text(text: str, shape: str) -> None:
    document = shape % text.replace("%", "")
    assert seen(parse_proposal(document.encode())) == seen(slowly(document))


@given(pieces)
def test_letterbox_equals_the_reference(text: str) -> None:
    proposal = parse_proposal(text.encode())
    if isinstance(proposal, Malformed):
        with pytest.raises(assay_ref.Faulty) as raised:
            assay_ref.read_proposal(text.encode())
        assert proposal.code in raised.value.codes
        return
    state, raw = assay_ref.read_proposal(text.encode())
    assert isinstance(proposal, AssertValue) is (state == "VALUE")
    assert not isinstance(proposal, AssertValue) or _same(proposal.raw, raw)


def _same(ours: object, theirs: assay_ref.Json) -> bool:
    if isinstance(theirs, assay_ref.Num):
        return str(ours) == theirs.token if type(ours) is int else isinstance(ours, NotExact)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(_same, ours, theirs))
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and list(ours) == list(theirs) and all(map(_same, ours.values(), theirs.values()))
    return type(ours) is type(theirs) and ours == theirs


@pytest.mark.parametrize(
    ("data", "raw"),
    [
        pytest.param(b'{"state":"VALUE","value":"142"}', "142", id="a text"),
        pytest.param(b'{"state": "VALUE", "value": 142}', 142, id="an integer"),
        pytest.param(b' {"state":"VALUE","value":true} ', True, id="true"),
        pytest.param(b'{"state":"VALUE" ,"value":false}', False, id="false"),
        pytest.param(b'{"state":"VALUE","value":null}', None, id="null"),
        pytest.param(b'{"state":"VALUE","value":["1",{"a":[]}]}', ["1", {"a": []}], id="a composite"),
        pytest.param(b'{"value":"\\u0031","state":"VALUE"}', "1", id="the slow path"),
        pytest.param(b'{"state":"VALUE","value":{"n":"1"} }', {"n": "1"}, id="space before the end"),
        pytest.param('{"state":"VALUE","value":"µ"}'.encode(), "µ", id="beyond ASCII"),
        pytest.param(b'{"state":"VALUE","value":"\\ud83d\\ude00"}', "😀", id="a pair of escapes"),
        pytest.param(b'{"state":"VALUE","value":["\\u00e9\\n"]}', ["é\n"], id="escapes in a composite"),
        pytest.param(b'{"state":"VALUE","value":%s}' % (b"9" * 100), 10**100 - 1, id="a hundred digits"),
        pytest.param(b'{"state":"VALUE","value":[-%s]}' % (b"9" * 100), [1 - 10**100], id="a hundred digits inside"),
    ],
)
def test_reads_a_value_exactly(data: bytes, raw: object) -> None:
    proposal = parse_proposal(data)
    assert isinstance(proposal, AssertValue)
    assert repr(proposal.raw) == repr(raw)


@pytest.mark.parametrize("number", ["1.5", "1.0", "1e2", "-0", "-0.0", "1E400", "0e0", "1" + "0" * 99 + ".0"])
@pytest.mark.parametrize("shape", ['{"state":"VALUE","value":%s}', '{"value":%s,"state":"VALUE"}'])
def test_number_that_no_kind_admits_is_no_number_any_more(number: str, shape: str) -> None:
    proposal = parse_proposal((shape % number).encode())
    assert isinstance(proposal, AssertValue)
    assert isinstance(proposal.raw, NotExact)


@pytest.mark.parametrize("shape", ['{"state":"VALUE","value":%s}', '{"value":%s,"state":"VALUE"}'])
@pytest.mark.parametrize("digits", [101, 102, 4000])
def test_number_beyond_every_bound_is_never_made(shape: str, digits: int) -> None:
    for sign in ("", "-"):
        proposal = parse_proposal((shape % (sign + "1" * digits)).encode())
        assert isinstance(proposal, AssertValue)
        assert isinstance(proposal.raw, int)
        assert abs(proposal.raw) >= 10**100


def test_abstentions_are_one_object_each() -> None:
    assert parse_proposal(b'{"state":"INSUFFICIENT_EVIDENCE"}') is INSUFFICIENT_EVIDENCE


def test_reader_written_in_python_would_take_digits_of_other_scripts() -> None:
    assert isinstance(proposals.read_integer("１４２"), NotExact)
    assert isinstance(proposals.read_inexact("１.５"), NotExact)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"[" * 4096, "parse.depth", id="opened and never closed"),
        pytest.param(b'{"a":' * 800, "parse.depth", id="objects in objects"),
        pytest.param(b"]" + b"[]" * 2047, "parse.json", id="closed before it was opened, then flat"),
        pytest.param(b"[" * 8 + b"]" * 8 + b"[" * 9, "parse.depth", id="deep at the end"),
        pytest.param(b'"' + b"\\" * 4000, "parse.json", id="backslashes without end"),
        pytest.param(b'["' + b'","[' * 900, "parse.json", id="brackets in texts"),
        pytest.param(b'{"state":"VALUE","value":"' + b"x" * 4000, "parse.json", id="a text without end"),
        pytest.param(b'{"state":"VALUE","value":[[[[[[[[1]]]]]]]]}', "parse.depth", id="nine levels"),
        pytest.param(b'{"state":"VALUE","value":[1,}', "parse.json", id="a broken composite"),
        pytest.param(b'{"state":"VALUE","value":[NaN]}', "parse.json", id="a constant in a composite"),
        pytest.param(
            b'{"state":"VALUE","value":{"a":1,"a":1}}', "parse.duplicate_key", id="a key twice in a composite"
        ),
        pytest.param(b'{"state":"VALUE","value":["\\ud800"]}', "parse.surrogate", id="half a pair in a composite"),
        pytest.param(b'{"state":"VALUE","value":{"\\ud800":1}}', "parse.surrogate", id="half a pair in a key"),
        pytest.param(b'{"state":"VALUE","value":[1],"x":1}', "proposal.shape", id="a key behind a composite"),
        pytest.param(b'{"state":"VALUE","value":[1]', "parse.json", id="cut off behind a composite"),
        pytest.param(b'{"state":"VALUE","value":[1]}}', "parse.json", id="a brace too many"),
        pytest.param(b'{"state":"VALUE","value":1,"value":1}', "parse.duplicate_key", id="a key twice"),
    ],
)
def test_hostile_bytes_have_a_code(data: bytes, code: str) -> None:
    assert parse_proposal(data) == Malformed(code)


def test_codes_do_not_depend_on_the_stack_that_is_left() -> None:
    def at(depth: int) -> Proposal:
        return at(depth - 1) if depth else parse_proposal(b"[" * 4096)

    assert at(sys.getrecursionlimit() // 2) == Malformed("parse.depth")
