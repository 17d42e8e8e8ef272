"""Checkpoints are C2SP signed notes: others' keys and signatures are read, and there is one spelling."""

from __future__ import annotations

from base64 import b64decode, b64encode

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from assay.kernel.errors import InputError
from assay.ledger import note, tree
from assay.receipts.signing import LogHead, keyid_of

# The verifier key and the signature that golang.org/x/mod/sumdb/note shows in its documentation.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_SAID = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=",
)
HEAD = LogHead("example.org/log", 3, tree.leaf_hash(b"three"))


class Key:
    """A signer of a fixed seed."""

    def __init__(self, seed: int) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)

    @property
    def public(self) -> bytes:
        return self._key.public_key().public_bytes_raw()

    @property
    def keyid(self) -> str:
        return keyid_of(self.public)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def check(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def test_a_key_and_a_signature_of_others_are_understood() -> None:
    name, public = note.parse_verifier_key(PETER)
    text, signature = PETER_SAID
    raw = b64decode(signature)
    assert (name, raw[:4]) == ("PeterNeumann", note.key_id(name, public))
    assert check(public, raw[4:], text.encode())
    assert note.verifier_key(name, public) == PETER


def test_the_example_of_the_page_on_checkpoints_is_read() -> None:
    text = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9n"
        "To+zyWE+xeMcTOAYQ8=\n"
    ).encode()
    found = note.parse_checkpoint(text)
    assert (found.head.origin, found.head.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert [one.name for one in found.signatures] == ["example.com/behind-the-sofa"]
    assert len(found.signatures[0].signature) == 64
    assert found.note == text


def test_an_unsigned_checkpoint_is_its_text() -> None:
    plain = note.checkpoint_of(HEAD)
    assert plain.note == f"example.org/log\n3\n{b64encode(HEAD.root).decode()}\n".encode()
    assert note.parse_checkpoint(plain.note) == plain
    assert note.signed_by(plain, Key(1).public, check) is None


def test_signed_by_two_and_checked_by_the_keys_that_one_has() -> None:
    signed = note.checkpoint_of(HEAD, [Key(1), Key(2)])
    again = note.parse_checkpoint(signed.note)
    assert again == signed
    assert [note.signed_by(again, Key(seed).public, check) for seed in (1, 2, 3)] == [True, True, None]


def test_a_signature_over_another_state_is_wrong() -> None:
    signed = note.checkpoint_of(HEAD, [Key(1)]).note
    forged = note.parse_checkpoint(signed.replace(b"\n3\n", b"\n4\n"))
    assert note.signed_by(forged, Key(1).public, check) is False


def test_a_short_signature_in_the_name_of_a_key_is_wrong() -> None:
    public = Key(1).public
    name = HEAD.origin
    line = b64encode(note.key_id(name, public) + b"x").decode()
    found = note.parse_checkpoint(note.checkpoint_of(HEAD).note + f"\n\u2014 {name} {line}\n".encode())
    assert note.signed_by(found, public, check) is False


def test_a_signature_under_another_name_is_not_the_logs() -> None:
    signed = note.checkpoint_of(HEAD, [Key(1)]).note
    dash = "\u2014 ".encode()
    found = note.parse_checkpoint(signed.replace(dash + b"example.org/log", dash + b"example.org/other"))
    assert note.signed_by(found, Key(1).public, check) is None


ROOT = b64encode(HEAD.root).decode()
GOOD = f"example.org/log\n3\n{ROOT}\n"
LINE = "\u2014 a " + b64encode(b"12345").decode() + "\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("\n", id="a line feed"),
        pytest.param("example.org/log\n3\n", id="no root"),
        pytest.param(GOOD[:-1], id="no line feed at the end"),
        pytest.param(GOOD + "more\n", id="an extension line"),
        pytest.param(GOOD + "\n", id="an empty line and no signature"),
        pytest.param(GOOD + "\n" + LINE[:-1], id="a signature that is broken off"),
        pytest.param(GOOD + "\n" + LINE * 17, id="more signatures than anybody needs"),
        pytest.param(GOOD + "\n" + LINE.replace("\u2014", "-"), id="a hyphen"),
        pytest.param(GOOD + "\n\u2014 a MTIz\n", id="a signature shorter than a key id"),
        pytest.param(GOOD + "\n\u2014  MTIzNDU=\n", id="no name"),
        pytest.param(GOOD + "\n\u2014 a MTIzNDV=\n", id="base64 in another spelling"),
        pytest.param(GOOD.replace("\n3\n", "\n03\n"), id="a leading zero"),
        pytest.param(GOOD.replace("\n3\n", "\n-3\n"), id="a sign"),
        pytest.param(GOOD.replace("\n3\n", "\n\u0663\n"), id="a digit of another script"),
        pytest.param(GOOD.replace("\n3\n", "\n" + "9" * 20 + "\n"), id="more than there are bytes"),
        pytest.param(GOOD.replace("\n3\n", "\n0\n"), id="an empty log with a root"),
        pytest.param(GOOD.replace("example.org/log", "two words"), id="a space in the name"),
        pytest.param(GOOD.replace("example.org/log", "a+b"), id="a plus in the name"),
        pytest.param(GOOD.replace("example.org/log", "a\x07b"), id="a bell in the name"),
        pytest.param(GOOD.replace(ROOT, ROOT[:-5] + "="), id="a root of another length"),
        pytest.param(GOOD.replace(ROOT, "!" * 44), id="no base64"),
        pytest.param(GOOD.replace("\n", "\r\n"), id="other line ends"),
        pytest.param(GOOD + "x" * 70_000, id="too long"),
    ],
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(InputError) as caught:
        note.parse_checkpoint(text.encode())
    assert caught.value.code == "log.checkpoint"


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(InputError):
        note.parse_checkpoint(b"\xff" + GOOD.encode())


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_what_is_read_is_written_again_or_refused(data: bytes) -> None:
    try:
        found = note.parse_checkpoint(data)
    except InputError:
        return
    assert found.note == data


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("PeterNeumann", id="a name alone"),
        pytest.param(PETER.replace("c74f20a3", "c74f20a4"), id="another key id"),
        pytest.param(PETER.replace("Peter", "Paul"), id="another name"),
        pytest.param(PETER.replace("+ARpc", "+AhpcJ"), id="another length"),
        pytest.param(PETER.replace("+AR", "+Ah"), id="another algorithm"),
        pytest.param(PETER[:-1] + "!", id="no base64"),
    ],
)
def test_what_is_no_verifier_key(text: str) -> None:
    with pytest.raises(InputError) as caught:
        note.parse_verifier_key(text)
    assert caught.value.code == "log.key"
