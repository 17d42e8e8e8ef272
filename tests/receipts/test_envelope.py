"""Envelopes: exactly the signed bytes count, under exactly the keys that the reader trusts."""

import json
from base64 import b64decode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.signing_world import ALICE, BOB, EVE, PAYLOAD, TRUSTED, signer

from assay.kernel.canonical import canonical
from assay.ledger.note import checkpoint_of
from assay.ledger.signing import is_signature
from assay.receipts.envelope import PAYLOAD_TYPE, Envelope, Signature, Signed, envelope_bytes, pae, seal, signed_by
from assay.receipts.signing import LogHead, Revoked, TrustedKey, keyid_of, spki_of

HEAD = LogHead("example.org/receipts", 5, bytes(32))


def signature(by: int, payload: bytes = PAYLOAD, name: int | None = None) -> Signature:
    """A signature by one key, under its own id or in the name of another."""
    one = signer(by)
    return Signature(signer(name or by).keyid, one.sign(pae(payload)))


def test_the_bytes_that_are_signed_are_those_of_dsse() -> None:
    assert (
        pae(b"hello world", "http://example.com/HelloWorld")
        == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    assert pae(b"") == b"DSSEv1 28 application/vnd.in-toto+json 0 "


def test_the_envelope_holds_the_payload_byte_for_byte_on_one_line() -> None:
    data = seal(PAYLOAD, ALICE)
    read = json.loads(data)
    assert data == canonical(read)
    assert b"\n" not in data
    assert b64decode(read["payload"]) == PAYLOAD
    assert read["payloadType"] == PAYLOAD_TYPE
    assert [one["keyid"] for one in read["signatures"]] == [ALICE.keyid]


def test_a_key_id_is_the_digest_of_the_standard_form_of_the_key() -> None:
    # The key of RFC 8032, section 7.1, test 1; the id is what `openssl pkey -pubin -outform DER | sha256sum` prints.
    public = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    assert len(spki_of(public)) == 44
    assert keyid_of(public) == "06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9"


@pytest.mark.parametrize(
    ("signatures", "expected", "authentic"),
    [
        pytest.param((signature(1),), Signed((ALICE.keyid,), (), (), ()), True, id="one that is trusted"),
        pytest.param((signature(3),), Signed((), (), (), (EVE.keyid,)), False, id="one that nobody trusts"),
        pytest.param(
            (signature(3), signature(2)), Signed((BOB.keyid,), (), (), (EVE.keyid,)), True, id="a stranger does no harm"
        ),
        pytest.param(
            (signature(1), signature(2)), Signed((ALICE.keyid, BOB.keyid), (), (), ()), True, id="two that are trusted"
        ),
        pytest.param(
            (signature(1), signature(3, name=2)),
            Signed((ALICE.keyid,), (), (BOB.keyid,), ()),
            False,
            id="a right one does not outweigh one that is forged",
        ),
        pytest.param((signature(3, name=1),), Signed((), (), (ALICE.keyid,), ()), False, id="in another's name"),
        pytest.param((signature(1, b"{}"),), Signed((), (), (ALICE.keyid,), ()), False, id="over another payload"),
        pytest.param(
            (Signature(ALICE.keyid, ALICE.sign(PAYLOAD)),), Signed((), (), (ALICE.keyid,), ()), False, id="over no type"
        ),
        pytest.param(
            (Signature(ALICE.keyid, ALICE.sign(pae(PAYLOAD, "text/plain"))),),
            Signed((), (), (ALICE.keyid,), ()),
            False,
            id="over another type",
        ),
        pytest.param((Signature(ALICE.keyid, b""),), Signed((), (), (ALICE.keyid,), ()), False, id="no signature"),
        pytest.param(
            (Signature(ALICE.keyid, signature(1).sig + b"\0"),),
            Signed((), (), (ALICE.keyid,), ()),
            False,
            id="too long",
        ),
        pytest.param((), Signed((), (), (), ()), False, id="none at all"),
    ],
)
def test_which_signatures_count(signatures: tuple[Signature, ...], expected: Signed, authentic: bool) -> None:
    found = signed_by(Envelope(PAYLOAD, signatures), TRUSTED, is_signature)
    assert found == expected
    assert found.is_authentic is authentic


def test_who_trusts_nobody_finds_nothing_authentic() -> None:
    found = signed_by(Envelope(PAYLOAD, (signature(1),)), (), is_signature)
    assert found == Signed((), (), (), (ALICE.keyid,))


@pytest.mark.parametrize(
    ("revoked", "logged", "authentic"),
    [
        pytest.param(None, False, True, id="not revoked"),
        pytest.param(Revoked(HEAD), True, True, id="shown to be from before"),
        pytest.param(Revoked(HEAD), False, False, id="not shown to be"),
        pytest.param(Revoked(None), True, False, id="no log to be shown in"),
    ],
)
def test_a_revoked_key_counts_for_what_was_logged_before(
    revoked: Revoked | None, logged: bool, authentic: bool
) -> None:
    asked: list[LogHead] = []

    def is_logged(head: LogHead) -> bool:
        asked.append(head)
        return logged

    keys = (TrustedKey(ALICE.public, "alice", revoked),)
    found = signed_by(Envelope(PAYLOAD, (signature(1),)), keys, is_signature, is_logged)
    assert found.is_authentic is authentic
    assert found.revoked == (() if authentic else (ALICE.keyid,))
    assert asked == ([HEAD] if revoked == Revoked(HEAD) else [])
    lone = signed_by(Envelope(PAYLOAD, (signature(1),)), keys, is_signature)
    assert lone.is_authentic is (revoked is None)


def test_of_a_forged_signature_in_a_revoked_name_no_log_is_asked() -> None:
    keys = (TrustedKey(ALICE.public, "alice", Revoked(HEAD)),)
    found = signed_by(Envelope(PAYLOAD, (signature(3, name=1),)), keys, is_signature, lambda _: True)
    assert found == Signed((), (), (ALICE.keyid,), ())


@given(st.integers(0, 8 * len(PAYLOAD) - 1))
def test_any_flipped_bit_of_the_payload_is_refused(bit: int) -> None:
    assert not _authentic(Envelope(_flipped(PAYLOAD, bit), (signature(1),)))


@given(st.integers(0, 8 * 64 - 1))
def test_any_flipped_bit_of_the_signature_is_refused(bit: int) -> None:
    right = signature(1)
    assert not _authentic(Envelope(PAYLOAD, (replace(right, sig=_flipped(right.sig, bit)),)))


@given(st.integers(0, 8 * 32 - 1))
def test_any_flipped_bit_of_the_trusted_key_is_refused(bit: int) -> None:
    keys = (TrustedKey(_flipped(ALICE.public, bit), "alice"),)
    found = signed_by(Envelope(PAYLOAD, (signature(1),)), keys, is_signature)
    assert found == Signed((), (), (), (ALICE.keyid,))
    # Under the right id too: whoever answers for ids might be wrong.
    assert not is_signature(keys[0].public, signature(1).sig, pae(PAYLOAD))


@given(st.integers(0, 8 * len(PAYLOAD_TYPE) - 1))
def test_any_flipped_bit_of_the_type_is_refused(bit: int) -> None:
    kind = _flipped(PAYLOAD_TYPE.encode(), bit).decode("latin-1")
    assert not is_signature(ALICE.public, signature(1).sig, pae(PAYLOAD, kind))


@given(st.binary(max_size=80), st.binary(max_size=80))
def test_no_signature_is_right_for_two_payloads(one: bytes, other: bytes) -> None:
    assert (pae(one) == pae(other)) is (one == other)


@given(st.binary(max_size=40), st.binary(max_size=70), st.binary(max_size=10))
def test_bytes_that_are_no_key_or_signature_are_simply_not_right(public: bytes, sig: bytes, message: bytes) -> None:
    assert is_signature(public, sig, message) is False


def test_a_checkpoint_signed_by_the_same_key_is_no_receipt_and_the_other_way_round() -> None:
    note = checkpoint_of(HEAD, [ALICE])
    (line,) = note.signatures
    text = note.text.encode()
    assert is_signature(ALICE.public, line.signature, text)
    assert not _authentic(Envelope(text, (Signature(ALICE.keyid, line.signature),)))
    assert not is_signature(ALICE.public, signature(1).sig, text)
    # What a receipt signs begins with a word and a space; an origin, in the first line of a checkpoint, has none.
    assert b" " in pae(PAYLOAD).split(b"\n")[0]


def test_signatures_of_several_are_written_in_order() -> None:
    data = envelope_bytes(Envelope(PAYLOAD, (signature(2), signature(1))))
    assert [one["keyid"] for one in json.loads(data)["signatures"]] == [BOB.keyid, ALICE.keyid]


def _authentic(envelope: Envelope) -> bool:
    return signed_by(envelope, TRUSTED, is_signature).is_authentic


def _flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
