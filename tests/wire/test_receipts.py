"""A line of receipts is read as it was written, or refused with a code; every line has one spelling."""

import json
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.signing_world import ALICE, BOB, PAYLOAD, TRUSTED, document

from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.ledger.signing import is_signature
from assay.receipts.envelope import seal, signed_by
from assay.wire.receipts import MAX_LINE_BYTES, read_line

LINE = seal(PAYLOAD, ALICE)


def envelope(**changes: object) -> bytes:
    """The canonical envelope with other fields."""
    return canonical({**json.loads(LINE), **changes})


def around(payload: bytes) -> bytes:
    """A rightly signed envelope around any bytes."""
    return seal(payload, ALICE)


def statement(**changes: object) -> bytes:
    """A bare Statement with other fields."""
    return canonical({**document(), **changes})


def encoded(data: bytes) -> str:
    return b64encode(data).decode()


ONE: dict[str, Any] = json.loads(LINE)["signatures"][0]
SUBJECT: dict[str, Any] = document()["subject"][0]


def test_an_envelope_gives_its_payload_and_its_signatures() -> None:
    found = read_line(LINE)
    assert found.statement == PAYLOAD
    assert found.document == document()
    assert found.envelope is not None
    assert signed_by(found.envelope, TRUSTED, is_signature).is_authentic


def test_a_bare_statement_is_unsigned() -> None:
    found = read_line(PAYLOAD)
    assert (found.statement, found.document, found.envelope) == (PAYLOAD, document(), None)


def test_what_the_predicate_says_of_signing_means_nothing() -> None:
    old = statement(predicate={"signed": False})
    assert read_line(old).envelope is None
    assert read_line(around(old)).envelope is not None
    lying = statement(predicate={"signed": True, "signatures": [ONE]})
    assert read_line(lying).envelope is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"", "json", id="nothing"),
        pytest.param(b"\xff", "encoding", id="no utf-8"),
        pytest.param(b"[]", "shape", id="a list"),
        pytest.param(b"{}", "shape", id="an empty object"),
        pytest.param(b"[" * 40 + b"]" * 40, "depth", id="nested deeply"),
        pytest.param(b'"\\ud800"', "surrogate", id="half a pair"),
        pytest.param(LINE + b"\n", "spelling", id="a line feed is not part of a line"),
        pytest.param(b" " + LINE, "spelling", id="a space before"),
        pytest.param(json.dumps(json.loads(LINE)).encode(), "spelling", id="spaces inside"),
        pytest.param(LINE.replace(b"/", b"\\/"), "spelling", id="an escape that means the same"),
        pytest.param(
            canonical(dict(sorted(json.loads(LINE).items()))).replace(
                b'"payloadType":"application/vnd.in-toto+json",', b""
            )[:-1]
            + b',"payloadType":"application/vnd.in-toto+json"}',
            "spelling",
            id="another order of keys",
        ),
        pytest.param(LINE[:-1] + b',"payload":"e30="}', "duplicate_key", id="a second payload"),
        pytest.param(LINE[:-1] + b',"p\\u0061yload":"e30="}', "duplicate_key", id="a second payload by an escape"),
        pytest.param(envelope(verdict="ACCEPT"), "shape", id="a field beside what is signed"),
        pytest.param(envelope(alg="none"), "shape", id="a word on the algorithm"),
        pytest.param(canonical({**document(), **json.loads(LINE)}), "shape", id="an envelope and a Statement in one"),
        pytest.param(envelope(payloadType="application/json"), "payload_type", id="another payload type"),
        pytest.param(envelope(payloadType="application/vnd.in-toto+JSON"), "payload_type", id="its letters otherwise"),
        pytest.param(envelope(payloadType=None), "payload_type", id="no payload type"),
        pytest.param(envelope(signatures=[]), "signatures", id="no signature"),
        pytest.param(envelope(signatures=[ONE] * 2), "signatures", id="one key id twice"),
        pytest.param(
            envelope(signatures=[{**ONE, "keyid": f"{n:064x}"} for n in range(9)]), "signatures", id="nine of them"
        ),
        pytest.param(envelope(signatures={"0": ONE}), "signatures", id="no list"),
        pytest.param(envelope(signatures=[ONE["sig"]]), "signatures", id="a signature that is no object"),
        pytest.param(envelope(signatures=[{**ONE, "alg": "none"}]), "signatures", id="a signature that names one"),
        pytest.param(envelope(signatures=[{"sig": ONE["sig"]}]), "signatures", id="no key id"),
        pytest.param(envelope(signatures=[{**ONE, "keyid": ""}]), "signatures", id="an empty key id"),
        pytest.param(envelope(signatures=[{**ONE, "keyid": ONE["keyid"].upper()}]), "signatures", id="upper case"),
        pytest.param(envelope(signatures=[{**ONE, "keyid": 7}]), "signatures", id="a number as key id"),
        pytest.param(envelope(signatures=[{**ONE, "sig": ""}]), "base64", id="an empty signature"),
        pytest.param(envelope(signatures=[{**ONE, "sig": 7}]), "base64", id="a number as signature"),
        pytest.param(envelope(payload=""), "base64", id="an empty payload"),
        pytest.param(envelope(payload="é"), "base64", id="no ASCII"),
        pytest.param(envelope(payload=encoded(PAYLOAD).rstrip("=") + "\n"), "base64", id="a line break in base64"),
        pytest.param(envelope(payload="ZR=="), "base64", id="bits that mean nothing"),
        pytest.param(envelope(payload="ZQ"), "base64", id="no padding"),
        pytest.param(envelope(payload="_-8="), "base64", id="the alphabet for addresses"),
        pytest.param(around(PAYLOAD + b"\n"), "spelling", id="a payload with a line feed"),
        pytest.param(around(PAYLOAD.replace(b":", b": ", 1)), "spelling", id="a payload with a space"),
        pytest.param(around(PAYLOAD[:-1] + b',"_type":"x"}'), "duplicate_key", id="a payload with a key twice"),
        pytest.param(around(b"[]"), "statement", id="a payload that is no object"),
        pytest.param(around(b'{"verdict":"ACCEPT"}'), "statement", id="a payload that is no Statement"),
        pytest.param(around(LINE), "statement", id="an envelope in an envelope"),
        pytest.param(around(b"1.5"), "spelling", id="a number with a point"),
        pytest.param(statement(predicate={"n": 2**53 - 1}).replace(b"91}", b"92}"), "spelling", id="a large number"),
        pytest.param(statement(_type="https://in-toto.io/Statement/v0.1"), "statement", id="another version"),
        pytest.param(statement(predicateType=7), "statement", id="a predicate type that is no text"),
        pytest.param(statement(predicate=[]), "statement", id="a predicate that is no object"),
        pytest.param(statement(subject=SUBJECT), "statement", id="a subject that is no list"),
        pytest.param(statement(subject=[]), "statement", id="no subject"),
        pytest.param(statement(subject=[SUBJECT, SUBJECT]), "statement", id="two subjects"),
        pytest.param(statement(subject=["x"]), "statement", id="a text as subject"),
        pytest.param(statement(subject=[{**SUBJECT, "uri": "x"}]), "statement", id="a subject with more"),
        pytest.param(statement(subject=[{**SUBJECT, "name": None}]), "statement", id="a subject without name"),
        pytest.param(statement(subject=[{**SUBJECT, "digest": "x"}]), "statement", id="a digest that is no object"),
        pytest.param(statement(subject=[{**SUBJECT, "digest": {"md5": "0" * 32}}]), "statement", id="another digest"),
        pytest.param(statement(subject=[{**SUBJECT, "digest": {"sha256": "0" * 63}}]), "statement", id="a short one"),
        pytest.param(statement(subject=[{**SUBJECT, "digest": {"sha256": 0}}]), "statement", id="a number as digest"),
    ],
)
def test_what_is_no_receipt_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InputError) as caught:
        read_line(data)
    assert caught.value.code == f"receipt.{code}"
    assert "\n" not in str(caught.value)


def test_a_line_that_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(InputError, match="bytes; at most") as caught:
        read_line(b" " * (MAX_LINE_BYTES + 1))
    assert caught.value.code == "receipt.too_long"


@given(st.integers(0, len(LINE) - 1), st.integers(1, 255))
def test_any_changed_byte_is_refused_or_not_authentic(place: int, mask: int) -> None:
    changed = LINE[:place] + bytes([LINE[place] ^ mask]) + LINE[place + 1 :]
    try:
        found = read_line(changed)
    except InputError:
        return
    assert found.envelope is not None
    assert not signed_by(found.envelope, TRUSTED, is_signature).is_authentic


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        read_line(data)


@given(st.dictionaries(st.text(), st.integers(-(2**53) + 1, 2**53 - 1) | st.text() | st.none() | st.booleans()))
def test_what_is_written_is_read(predicate: dict[str, Any]) -> None:
    try:
        payload = statement(predicate=predicate)
    except Exception:  # noqa: BLE001 -- text with half a pair has no bytes
        return
    assert read_line(payload).statement == payload
    found = read_line(seal(payload, BOB))
    assert found.statement == payload
    assert found.document["predicate"] == predicate
