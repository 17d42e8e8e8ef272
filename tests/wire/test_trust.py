"""The trust file is read strictly: whoever writes into it by hand learns what is wrong, and nothing is guessed."""

import json
from typing import Any

import pytest
from tests.support.signing_world import ALICE, BOB, TRUSTED

from assay.kernel.errors import InputError
from assay.receipts.signing import LogHead, Revoked, TrustedKey
from assay.wire.trust import MAX_KEYS, MAX_TRUST_BYTES, name_of, parse_trust, trust_bytes

HEAD = LogHead("example.org/receipts", 4096, bytes(range(32)))
KEYS = (
    TRUSTED[0],
    TrustedKey(BOB.public, "bob, who left", Revoked(HEAD)),
    TrustedKey(bytes(32), "nobody", Revoked(None)),
)
DOCUMENT: dict[str, Any] = json.loads(trust_bytes(KEYS))


def with_key(**changes: object) -> object:
    """The file with one key, some of whose fields are others."""
    return {**DOCUMENT, "keys": [{**DOCUMENT["keys"][1], **changes}]}


def with_head(**changes: object) -> object:
    """The file with one key that was revoked after another state."""
    return with_key(revoked={"after": {**DOCUMENT["keys"][1]["revoked"]["after"], **changes}})


def test_what_is_written_is_read() -> None:
    assert parse_trust(trust_bytes(KEYS)) == KEYS
    assert parse_trust(trust_bytes(())) == ()


def test_another_spelling_is_the_same_file() -> None:
    assert parse_trust(json.dumps(DOCUMENT).encode()) == KEYS


@pytest.mark.parametrize(
    ("document", "code"),
    [
        pytest.param([], "shape", id="a list"),
        pytest.param({"keys": []}, "shape", id="no version"),
        pytest.param({**DOCUMENT, "default": "alice"}, "shape", id="a field more"),
        pytest.param({**DOCUMENT, "trust": "assay.trust/2"}, "version", id="another version"),
        pytest.param({**DOCUMENT, "keys": {}}, "shape", id="keys that are no list"),
        pytest.param({**DOCUMENT, "keys": [None] * (MAX_KEYS + 1)}, "shape", id="too many keys"),
        pytest.param({**DOCUMENT, "keys": ["x"]}, "shape", id="a key that is a text"),
        pytest.param({**DOCUMENT, "keys": [DOCUMENT["keys"][0]] * 2}, "key", id="a key twice"),
        pytest.param(
            {**DOCUMENT, "keys": [DOCUMENT["keys"][0], {**DOCUMENT["keys"][1], "name": "alice"}]},
            "key",
            id="a name twice",
        ),
        pytest.param(with_key(note=""), "shape", id="a key with more"),
        pytest.param(with_key(keyid=ALICE.keyid), "key", id="the id of another key"),
        pytest.param(with_key(spki=DOCUMENT["keys"][0]["spki"]), "key", id="another key under the id"),
        pytest.param(with_key(spki=7), "key", id="a key that is a number"),
        pytest.param(with_key(spki="!"), "key", id="a key in no base64"),
        pytest.param(with_key(spki="AAAA"), "key", id="a key of another form"),
        pytest.param(with_key(spki=DOCUMENT["keys"][1]["spki"] + "AAAA"), "key", id="a key with bytes behind"),
        pytest.param(with_key(name=""), "name", id="no name"),
        pytest.param(with_key(name="a\nb"), "name", id="a name of two lines"),
        pytest.param(with_key(name="x" * 65), "name", id="a long name"),
        pytest.param(with_key(name=7), "name", id="a number as name"),
        pytest.param(with_key(revoked=True), "shape", id="revoked without a word on when"),
        pytest.param(with_key(revoked={"after": 7}), "shape", id="revoked after a number"),
        pytest.param(with_head(size=-1), "head", id="a size below zero"),
        pytest.param(with_head(size=True), "head", id="a truth value as size"),
        pytest.param(with_head(size="1"), "head", id="a text as size"),
        pytest.param(with_head(root="AAAA"), "head", id="a short root"),
        pytest.param(with_head(origin="a b"), "head", id="an origin with a space"),
        pytest.param(with_head(origin=""), "head", id="no origin"),
        pytest.param(with_head(origin=None), "head", id="an origin that is no text"),
    ],
)
def test_what_is_no_trust_file_is_refused(document: object, code: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_trust(json.dumps(document).encode())
    assert caught.value.code == f"trust.{code}"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"", "json", id="nothing"),
        pytest.param(b'{"trust":"assay.trust/1","keys":[],"keys":[]}', "duplicate_key", id="keys twice"),
        pytest.param(b" " * (MAX_TRUST_BYTES + 1), "too_long", id="too long"),
    ],
)
def test_bytes_that_two_readers_may_read_differently_are_refused(data: bytes, code: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_trust(data)
    assert caught.value.code == f"trust.{code}"


def test_a_name_is_what_people_can_read() -> None:
    assert name_of("continuous integration, 2026") == "continuous integration, 2026"
    with pytest.raises(InputError, match="printable"):
        name_of(" padded ")
