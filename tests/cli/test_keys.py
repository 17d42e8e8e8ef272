"""`assay keys`: made for their user, trusted by name, revoked after a state of a log."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from tests.support.signing_world import ALICE, BOB

from assay.api.signing import ADVICE
from assay.ledger.note import checkpoint_of
from assay.ledger.signing import public_pem
from assay.receipts.signing import LogHead

HEAD = LogHead("example.org/receipts", 7, bytes(range(32)))


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder, and a working folder beside it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "config" / "assay"


@pytest.fixture
def trusting(config: Path, call: Any) -> Path:
    """A user who trusts alice."""
    Path("alice.pub.pem").write_bytes(public_pem(ALICE.public))
    assert call("keys", "trust", "alice.pub.pem", "--name", "alice").code == 0
    return config / "trust.json"


def test_a_key_is_made_in_the_users_folder_and_nobody_trusts_it(call: Any, config: Path) -> None:
    found = call("keys", "new", "--name", "ci")
    assert (found.code, found.err) == (0, "")
    first, *lines = found.out.splitlines()
    assert lines == [
        f"private: {config}/keys/ci.pem (only you can read it)",
        f"public:  {config}/keys/ci.pub.pem",
        ADVICE,
        f'whoever checks its signatures: assay keys trust {config}/keys/ci.pub.pem --name "…"',
    ]
    assert stat.S_IMODE((config / "keys" / "ci.pem").stat().st_mode) == 0o600
    shown = call("keys", "show", str(config / "keys" / "ci.pub.pem"))
    assert shown.out == f"{first}\n"
    assert call("keys", "show", str(config / "keys" / "ci.pub.pem"), "--json").documents == [{"keyid": first[4:]}]
    assert call("keys", "show").out.endswith("no key is trusted, so no signature counts\n")
    again = call("keys", "new", "--name", "ci", "--json")
    assert (again.code, again.documents[0]["error"]["code"]) == (2, "key.exists")


def test_a_key_is_made_where_it_is_wanted(call: Any, config: Path, tmp_path: Path) -> None:
    (made,) = call("keys", "new", "--out", str(tmp_path / "k.pem"), "--json").documents
    assert (made["private"], made["public"]) == (str(tmp_path / "k.pem"), str(tmp_path / "k.pub.pem"))
    assert len(made["keyid"]) == 64
    assert not config.exists()


def test_a_key_in_a_work_tree_needs_force(call: Any, config: Path) -> None:
    Path(".git").mkdir()
    found = call("keys", "new", "--out", "k.pem")
    assert found.code == 2
    assert "an agent that works there could sign with it" in found.err
    assert call("keys", "new", "--out", "k.pem", "--force").code == 0


@pytest.mark.parametrize("name", ["", "../x", ".hidden", "a/b", "x" * 65])
def test_a_name_that_is_no_file_name_is_refused(call: Any, config: Path, name: str) -> None:
    found = call("keys", "new", "--name", name, "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, "key.file")


def test_without_a_home_the_folder_is_asked_for(call: Any, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative/is/to/be/ignored")
    monkeypatch.setenv("HOME", str(config))
    (made,) = call("keys", "new", "--json").documents
    assert made["private"] == str(config / ".config" / "assay" / "keys" / "assay.pem")

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    found = call("keys", "new", "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, "key.folder")


def test_a_trusted_key_is_shown(call: Any, trusting: Path) -> None:
    found = call("keys", "show")
    assert (found.code, found.err) == (0, "")
    assert found.out.splitlines()[0] == f"trust file: {trusting}"
    assert found.out.splitlines()[2].split() == ["alice", ALICE.keyid, "counts"]
    (document,) = call("keys", "show", "--json").documents
    assert document["warnings"] == []
    assert document["keys"] == json.loads(trusting.read_bytes())["keys"]


@pytest.mark.parametrize(
    ("public", "name", "code"),
    [
        pytest.param(ALICE.public, "alice again", "trust.key", id="the same key"),
        pytest.param(BOB.public, "alice", "trust.name", id="the same name"),
        pytest.param(BOB.public, "a\nb", "trust.name", id="no name"),
    ],
)
def test_a_key_and_a_name_are_trusted_once(call: Any, trusting: Path, public: bytes, name: str, code: str) -> None:
    before = trusting.read_bytes()
    Path("other.pub.pem").write_bytes(public_pem(public))
    found = call("keys", "trust", "other.pub.pem", "--name", name, "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, code)
    assert trusting.read_bytes() == before


def test_trust_has_an_end(call: Any, trusting: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.api.signing.MAX_KEYS", 1)
    Path("bob.pub.pem").write_bytes(public_pem(BOB.public))
    found = call("keys", "trust", "bob.pub.pem", "--name", "bob", "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, "trust.shape")


@pytest.mark.parametrize("wanted", ["alice", ALICE.keyid, ALICE.keyid[:8]])
def test_a_key_is_revoked_after_a_checkpoint(call: Any, trusting: Path, wanted: str) -> None:
    Path("checkpoint").write_bytes(checkpoint_of(HEAD, [BOB]).note)
    found = call("keys", "revoke", wanted, "--after", "checkpoint")
    assert (found.code, found.err) == (0, "")
    assert "(alice): revoked; counts in example.org/receipts below entry 7" in found.out
    after = json.loads(trusting.read_bytes())["keys"][0]["revoked"]["after"]
    assert (after["origin"], after["size"]) == ("example.org/receipts", 7)
    again = call("keys", "revoke", wanted, "--after", "none", "--json")
    assert (again.code, again.documents[0]["error"]["code"]) == (2, "trust.revoked")


def test_a_key_without_a_log_is_revoked_for_good(call: Any, trusting: Path) -> None:
    (document,) = call("keys", "revoke", "alice", "--after", "none", "--json").documents
    assert document["key"]["revoked"] == {"after": None}
    assert call("keys", "show").out.splitlines()[2].split() == ["alice", ALICE.keyid, "revoked"]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        pytest.param("bob", "trust.not_found", id="a name that nobody has"),
        pytest.param(ALICE.keyid[:7], "trust.not_found", id="too few digits"),
    ],
)
def test_a_key_that_is_not_there_is_not_revoked(call: Any, trusting: Path, wanted: str, code: str) -> None:
    found = call("keys", "revoke", wanted, "--after", "none", "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, code)
    assert "there are: `alice`" in found.err


def test_a_name_that_is_anothers_id_stands_for_nobody(call: Any, trusting: Path) -> None:
    Path("bob.pub.pem").write_bytes(public_pem(BOB.public))
    assert call("keys", "trust", "bob.pub.pem", "--name", ALICE.keyid).code == 0
    found = call("keys", "revoke", ALICE.keyid, "--after", "none")
    assert found.code == 2
    assert "several keys" in found.err


def test_what_is_no_checkpoint_revokes_nothing(call: Any, trusting: Path) -> None:
    before = trusting.read_bytes()
    Path("checkpoint").write_text("yesterday\n", encoding="utf-8")
    found = call("keys", "revoke", "alice", "--after", "checkpoint", "--json")
    assert (found.code, found.documents[0]["error"]["code"]) == (2, "log.checkpoint")
    assert trusting.read_bytes() == before


def test_a_trust_file_in_the_checkout_gives_a_warning(call: Any, trusting: Path) -> None:
    Path(".git").mkdir()
    mine = ("--trust", "trust.json")
    found = call("keys", "trust", "alice.pub.pem", "--name", "alice", *mine)
    assert found.code == 0
    assert found.err.startswith("warning: trust file `trust.json` lies in the checkout")
    assert call("keys", "show", *mine).err == found.err
    (document,) = call("keys", "show", *mine, "--json").documents
    assert len(document["warnings"]) == 1
    assert call("keys", "show").err == ""
    assert call("keys", "show", "--trust", "nothing.json", "--json").code == 2


def test_help_shows_an_example_and_says_where_to_sign(call: Any) -> None:
    for command in ("new", "show", "trust", "revoke"):
        assert f"Example:\n    assay keys {command}" in call("keys", command, "--help").out
    text = " ".join(call("keys", "new", "--help").out.split())
    assert "Sign in CI, not in the workspace of an agent" in text
