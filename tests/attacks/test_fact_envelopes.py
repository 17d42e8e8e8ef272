"""The shared attacks on receipts that a signature, or the form of a receipt, has to stop; each as it would be tried."""

from __future__ import annotations

import hmac
import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.support.signing_world import ALICE, EVE, TRUSTED, signer

from assay import api
from assay.api import signing
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.ledger.signing import private_pem
from assay.receipts.envelope import pae, seal
from assay.wire.receipts import read_line

RECORDS = Path(__file__).resolve().parents[3] / "shared" / "data" / "attacks" / "fact.jsonl"
TASK = '{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}'

# Left for the log and for the checker of whole receipts: nothing in one envelope could stop them.
LEFT = {"receipt.truncated_log"}


def claim(text: str, task: str = TASK) -> bytes:
    """The receipt of a proposal, as it was decided."""
    return api.verify(api.open_pack("proteins"), api.parse_task(task), text).receipt


ACCEPTED = claim('{"state":"VALUE","value":"142"}')
REJECTED = claim('{"state":"VALUE","value":"146"}')


def counts(line: bytes) -> bool:
    """Whether a reader that trusts alice and bob takes the line for a receipt of theirs."""
    try:
        found = read_line(line)
    except InputError:
        return False
    return found.envelope is not None and signing.whose(found.envelope, TRUSTED).is_authentic


def altered(line: bytes, **changes: object) -> bytes:
    """The envelope with another predicate, under the old signature."""
    read = json.loads(line)
    document: dict[str, Any] = json.loads(read_line(line).statement)
    document["predicate"] |= changes
    return canonical({**read, "payload": b64encode(canonical(document)).decode()})


def predicate(line: bytes) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(read_line(line).statement)["predicate"]
    return found


def keys_of(document: object) -> set[str]:
    """Every key of every object inside."""
    if isinstance(document, dict):
        return set(document).union(*map(keys_of, document.values()))
    return set().union(*map(keys_of, document)) if isinstance(document, list) else set()


SIGNED = seal(ACCEPTED, ALICE)
REFUSAL = seal(REJECTED, ALICE)


def test_the_control_counts() -> None:
    assert counts(SIGNED)
    assert counts(REFUSAL)
    assert not counts(ACCEPTED), "unsigned"


@pytest.mark.skipif(not RECORDS.exists(), reason="the shared attacks are not on this machine")
def test_every_shared_attack_on_receipts_is_here_or_named_as_left() -> None:
    kinds = {json.loads(line)["kind"] for line in RECORDS.read_text(encoding="utf-8").splitlines()}
    ours = {name.removeprefix("test_receipt_") for name in globals() if name.startswith("test_receipt_")}
    assert {f"receipt.{name}" for name in ours} | LEFT == {kind for kind in kinds if kind.startswith("receipt.")}


def test_receipt_cross_entity() -> None:
    """What is claimed of which entity is inside the signed bytes: another entity is another signature."""
    assert predicate(SIGNED)["entity"] == "uniprot:P69905"
    assert not counts(altered(SIGNED, entity="uniprot:P68871"))
    other = claim('{"state":"VALUE","value":"147"}', TASK.replace("P69905", "P68871"))
    assert json.loads(other)["subject"] != json.loads(ACCEPTED)["subject"]


def test_receipt_cross_task() -> None:
    assert predicate(SIGNED)["property"] == "canonical_length"
    assert not counts(altered(SIGNED, property="mass"))
    for field in ("task", "entity", "property", "snapshot", "asserted", "established", "outcome"):
        assert field in predicate(SIGNED)
        assert not counts(altered(SIGNED, **{field: "x"}))


def test_receipt_reject_as_accept() -> None:
    assert predicate(REFUSAL)["outcome"] == "rejected"
    assert not counts(altered(REFUSAL, outcome="accepted"))
    read = json.loads(REFUSAL)
    for beside in ({"verdict": "ACCEPT"}, {"outcome": "accepted"}, {"predicate": {"outcome": "accepted"}}):
        assert not counts(canonical({**read, **beside}))
    # The signature of an acceptance under the payload of a rejection.
    assert not counts(canonical({**read, "signatures": json.loads(SIGNED)["signatures"]}))


def test_receipt_noncanonical() -> None:
    document = json.loads(ACCEPTED)
    for other in (
        json.dumps(document).encode(),
        json.dumps(document, separators=(",", ":"), sort_keys=False, ensure_ascii=True).encode() + b" ",
        ACCEPTED.replace(b'"attempts":1', b'"attempts":1.0'),
        ACCEPTED.replace(b'"attempts":1', b'"attempts":1e0'),
    ):
        assert other != ACCEPTED
        assert not counts(canonical({**json.loads(SIGNED), "payload": b64encode(other).decode()}))
        assert not counts(seal(other, ALICE)), "though it is rightly signed"


def test_receipt_alg_none() -> None:
    read = json.loads(SIGNED)
    message = pae(ACCEPTED)
    mac = hmac.new(ALICE.public, message, sha256).digest()
    for sig in (b"", bytes(64), mac, mac + mac, ALICE.public + bytes(32)):
        forged = [{"keyid": ALICE.keyid, "sig": b64encode(sig).decode()}]
        assert not counts(canonical({**read, "signatures": forged}))
    assert not counts(canonical({**read, "alg": "none"}))
    assert not counts(canonical({**read, "signatures": [{**read["signatures"][0], "alg": "none"}]}))
    assert not counts(canonical({**read, "signatures": []}))


def test_receipt_default_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No key is found by itself and none is made in passing: what nobody named does not sign, and is not trusted."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv(signing.KEY_VARIABLE, raising=False)
    signing.new_key()
    api.keep(tmp_path / "r", ACCEPTED)
    assert (tmp_path / "r" / "receipts.jsonl").read_bytes() == ACCEPTED + b"\n"
    assert signing.trusted() == ()
    for number in range(16):
        assert not counts(seal(ACCEPTED, signer(number))) or number in {1, 2}


def test_receipt_clock() -> None:
    """There is no time in what is signed, so none can be in the future; and none would be read."""
    assert not {"time", "date", "at", "expires", "not_before", "signed_at"} & keys_of(json.loads(ACCEPTED))
    assert counts(SIGNED)
    assert not counts(altered(SIGNED, signed_at="2999-01-01"))


def test_a_receipt_of_a_stranger_does_not_count_whatever_it_says(tmp_path: Path) -> None:
    assert not counts(seal(ACCEPTED, EVE))
    renamed = json.loads(seal(ACCEPTED, EVE))
    renamed["signatures"][0]["keyid"] = ALICE.keyid
    assert not counts(canonical(renamed))
    key = tmp_path / "shared.pem"
    key.write_bytes(private_pem(ALICE))
    key.chmod(0o644)
    with pytest.raises(InputError, match="so it may be anybody's"):
        signing.signer(key)


def test_a_replayed_receipt_is_the_same_bytes() -> None:
    """A second presentation can be seen by who keeps the first: equal walks signed by one key give one line."""
    assert seal(ACCEPTED, ALICE) == SIGNED
    assert claim('{"state":"VALUE","value":"142"}') == ACCEPTED
