"""Every command that keeps receipts signs them with the key that it is given; without one it says: unsigned."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.sandbox_here import missing
from tests.support.signing_world import ALICE, TRUSTED

from assay import api
from assay.api import signing
from assay.ledger.signing import private_pem
from assay.wire.receipts import ReadReceipt, read_line

TASK = '{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}'
RIGHT, WRONG = '{"state":"VALUE","value":"142"}', '{"state":"VALUE","value":"146"}'
ADD = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "python-call/1",
        "entry_point": "add",
        "cases": [{"args": "(1, 2)", "returns": "3"}],
    }
)


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A key of the user's, and a working folder with what the commands read."""
    monkeypatch.delenv(signing.KEY_VARIABLE, raising=False)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("add.json").write_text(ADD, encoding="utf-8")
    Path("add.py").write_text("def add(a, b):\n    return a + b\n", encoding="utf-8")
    items = [{"id": str(n), "task": json.loads(TASK), "proposal": text} for n, text in enumerate((RIGHT, WRONG))]
    Path("batch.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in items), encoding="utf-8")
    path = tmp_path / "alice.pem"
    path.write_bytes(private_pem(ALICE))
    path.chmod(0o600)
    return str(path)


def kept(folder: str = "r") -> list[ReadReceipt]:
    return [read_line(line) for line in (Path(folder) / "receipts.jsonl").read_bytes().splitlines()]


def signed_by_alice(found: ReadReceipt) -> bool:
    return found.envelope is not None and signing.whose(found.envelope, TRUSTED).counted == (ALICE.keyid,)


COMMANDS = [
    pytest.param(("verify", "--pack", "proteins", "--task", TASK, "--proposal", RIGHT), 1, id="verify"),
    pytest.param(("verify", "--pack", "proteins", "--task", TASK, "--proposal", WRONG), 1, id="verify, rejected"),
    pytest.param(("verify", "--pack", "proteins", "--batch", "batch.jsonl"), 2, id="verify --batch"),
    pytest.param(("ask", TASK, "--model", "none"), 1, id="ask"),
    pytest.param(
        ("gate", "check", "--suite", "add.json", "--entry-point", "add", "--candidate", "add.py"), 1, id="gate"
    ),
]


@pytest.mark.parametrize(("command", "count"), COMMANDS)
@pytest.mark.parametrize("how", ["--key", "environment", "no key"])
def test_receipts_are_signed_with_the_key_that_is_given(  # noqa: PLR0917 -- fixtures and columns
    call: Any, key: str, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], count: int, how: str
) -> None:
    if command[0] == "gate" and missing():
        pytest.skip(f"no sandbox of level A here: {missing()}")
    if how == "environment":
        monkeypatch.setenv(signing.KEY_VARIABLE, key)
    given = ("--key", key) if how == "--key" else ()
    found = call(*command, "--receipts", "r", *given, stdin=b"142\n")
    assert found.code in {0, 3}, found.err
    read = kept()
    assert len(read) == count
    assert [signed_by_alice(one) for one in read] == [how != "no key"] * count
    assert [one.envelope is None for one in read] == [how == "no key"] * count
    assert not any("signed" in dict(one.document)["predicate"] for one in read)  # type: ignore[operator]


def test_people_and_programs_are_told_whether_it_is_signed(call: Any, key: str) -> None:
    asked = ("verify", "--pack", "proteins", "--task", TASK, "--proposal", RIGHT)
    walk = ("ask", TASK, "--model", "none")
    bare, mine = ("--receipts", "bare"), ("--receipts", "r", "--key", key)
    assert call(*asked, *bare).out.endswith("receipt: bare/receipts.jsonl (unsigned)\n")
    assert call(*asked, *mine).out.endswith(f"(signed by {ALICE.keyid[:16]}…)\n")
    assert call(*asked, "--json", *bare).documents[0]["signed_by"] is None
    assert call(*asked, "--json", *mine).documents[0]["signed_by"] == ALICE.keyid
    assert "receipts.jsonl (unsigned)" in call(*walk, *bare, stdin=b"142\n").out
    assert call(*walk, "--json", *mine, stdin=b"142\n").documents[-1]["signed_by"] == ALICE.keyid


def test_the_demo_signs_too(call: Any, key: str) -> None:
    found = call("demo", "--model", "scripted", "--receipts", "r", "--key", key, "--json")
    assert found.code in {0, 1}
    *_, counts, checked, _ = found.documents
    assert counts["signed_by"] == ALICE.keyid
    assert checked["facts"]["authentic"]["yes"] == checked["receipts"], "trusted by who holds the key, for this check"
    assert all(signed_by_alice(one) for one in kept())


def test_a_key_that_would_sign_nothing_is_a_mistake(call: Any, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("verify", "--pack", "proteins", "--task", TASK, "--proposal", RIGHT)
    found = call(*asked, "--key", key)
    assert (found.code, found.out) == (2, "")
    assert "--key is given without --receipts" in found.err
    monkeypatch.setenv(signing.KEY_VARIABLE, key)
    assert call(*asked).code == 0


@pytest.mark.parametrize("command", ["verify", "gate", "ask"])
def test_a_key_that_cannot_be_used_stops_before_anything_is_decided(call: Any, key: str, command: str) -> None:
    Path(key).chmod(0o644)
    asked = {
        "verify": ("verify", "--pack", "proteins", "--task", TASK, "--proposal", RIGHT),
        "gate": ("gate", "check", "--suite", "add.json", "--entry-point", "add", "--candidate", "add.py"),
        "ask": ("ask", TASK, "--model", "none"),
    }[command]
    found = call(*asked, "--receipts", "r", "--key", key)
    assert (found.code, found.out) == (2, "")
    assert f"`chmod 600 {key}`" in found.err
    assert not Path("r").exists()


def test_a_key_in_the_checkout_gives_a_warning(call: Any, key: str) -> None:
    Path(".git").mkdir()
    Path(key).rename("alice.pem")
    asked = ("verify", "--pack", "proteins", "--task", TASK, "--proposal", RIGHT, "--receipts", "r")
    found = call(*asked, "--key", "alice.pem")
    assert found.code == 0
    assert found.err.startswith("warning: private key `alice.pem` lies in the checkout")


def test_programs_sign_too(key: str) -> None:
    found = api.verify(api.open_pack("proteins"), api.parse_task(TASK), RIGHT)
    assert api.keep("r", found.receipt, api.signer(key)) == Path("r") / "receipts.jsonl"
    api.keep("bare", found.receipt)
    (signed,), (bare,) = kept(), kept("bare")
    assert (signed_by_alice(signed), bare.envelope) == (True, None)
    assert signed.statement == bare.statement == found.receipt
