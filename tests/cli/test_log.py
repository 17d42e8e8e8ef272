"""`assay log`: begin, show, verify, prove, anchor; each fact on its own line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from assay.ledger.log import append, append_all
from assay.ledger.reading import LogFiles
from assay.ledger.tree import is_consistent, is_included, leaf_hash

ENTRIES = [b'{"entry":%d}' % i for i in range(300)]


@pytest.fixture
def folder(tmp_path: Path, call: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    place = tmp_path / "receipts"
    assert call("log", "init", str(place), "--origin", "example.org/log").code == 0
    append_all(place, ENTRIES)
    return place


def kept(folder: Path, name: str = "kept.txt") -> Path:
    """Keep the checkpoint elsewhere."""
    path = folder.parent / name
    path.write_bytes((folder / "checkpoint").read_bytes())
    return path


def facts(out: str) -> dict[str, str]:
    """Return the lines that begin with the name of a fact."""
    return {line.partition(": ")[0]: line.partition(": ")[2] for line in out.splitlines() if ": " in line}


def test_init_adopts_what_is_there(tmp_path: Path, call: Any) -> None:
    (tmp_path / "receipts.jsonl").write_bytes(b"one\ntwo\none\n")
    assert call("log", "init", str(tmp_path), "--origin", "a").out == "log a: 2 entries, unsigned\n"
    again = call("log", "init", str(tmp_path), "--json")
    assert again.code == 2
    assert again.documents[0]["error"]["code"] == "log.exists"


def test_init_says_so_to_programs(tmp_path: Path, call: Any) -> None:
    (document,) = call("log", "init", str(tmp_path / "deep" / "log"), "--json").documents
    assert document["size"] == 0
    assert document["origin"].startswith("assay/")
    (tmp_path / "file").write_bytes(b"")
    found = call("log", "init", str(tmp_path / "file" / "log"))
    assert (found.code, found.err) == (
        1,
        f"error: folder `{tmp_path}/file/log`: not a directory; name another for the receipts\n",
    )


def test_show(folder: Path, call: Any) -> None:
    shown = call("log", "show", str(folder)).out.splitlines()
    assert shown[0].startswith("log example.org/log: 300 entries, root ")
    assert shown[1] == "unsigned"
    assert call("log", "show", str(folder), "17").out == '{"entry":17}\n'
    (document,) = call("log", "show", str(folder), "--json").documents
    assert (document["size"], document["signatures"], document["verifier_keys"]) == (300, 0, [])
    found = call("log", "show", str(folder), "300")
    assert (found.code, found.out) == (2, "")
    assert found.err == f"error: log `{folder}` has no entry 300: it has 300, and the first is 0\n"


def test_a_right_log_verifies_and_its_completeness_is_unknown(folder: Path, call: Any) -> None:
    found = call("log", "verify", str(folder))
    assert found.code == 0
    assert found.out.splitlines() == [
        "log example.org/log: 300 entries",
        "negative control: 6 forged logs refused",
        "hashes: hold",
        "tree: gives the root of the checkpoint",
        "repeated: none",
        "checkpoint: unsigned",
        "completeness: unknown (a log that was cut looks like this one; give a checkpoint that you kept: --checkpoint)",
        "nothing speaks against the log",
    ]


@pytest.mark.parametrize("option", ["--checkpoint", "--from"])
def test_it_goes_on_from_what_was_kept(folder: Path, call: Any, option: str) -> None:
    first = kept(folder)
    append(folder, b"more")
    found = call("log", "verify", str(folder), option, str(first), option, "-", stdin=first.read_bytes())
    assert (found.code, facts(found.out)["completeness"]) == (0, "the log goes on from every checkpoint that you gave")


def test_what_is_wrong_is_said_each_as_its_own_fact(folder: Path, call: Any) -> None:
    first = kept(folder)
    path = folder / "receipts.jsonl"
    right = path.read_bytes()

    path.write_bytes(right.replace(b'{"entry":7}', b'{"entry":8}'))
    found = call("log", "verify", str(folder))
    assert found.code == 3
    assert facts(found.out)["hashes"] == "CHANGED: entry 7"
    assert found.out.endswith("the log DOES NOT verify\n")

    path.write_bytes(b"".join(reversed(right.splitlines(keepends=True))))
    found = facts(call("log", "verify", str(folder)).out)
    assert found["hashes"].startswith("IN ANOTHER ORDER: entries 0, 1, 2, 3, 4, 5, 6, 7 and 2")

    path.write_bytes(right[:600])
    found = facts(call("log", "verify", str(folder), "--checkpoint", str(first)).out)
    assert found["entries"].startswith("MISSING: the file has 4")
    assert found["completeness"].startswith("TRUNCATED")

    path.write_bytes(right + b"half")
    (folder / "tile/0/000").unlink()
    found = call("log", "verify", str(folder))
    assert (found.code, facts(found.out)["behind the checkpoint"]) == (3, "4 bytes that were never acknowledged")
    assert facts(found.out)["tiles"].startswith("DAMAGED: tile/0/000;")


def test_another_log_in_its_place_shows_against_what_was_kept(folder: Path, call: Any) -> None:
    first = kept(folder)
    shutil.rmtree(folder)
    call("log", "init", str(folder), "--origin", "example.org/log")
    append_all(folder, [b"forged", *ENTRIES[1:]])
    assert call("log", "verify", str(folder)).code == 0
    found = call("log", "verify", str(folder), "--checkpoint", str(first))
    assert (found.code, facts(found.out)["completeness"][:6]) == (3, "FORKED")
    (document,) = call("log", "verify", str(folder), "--checkpoint", str(first), "--json").documents
    assert (document["verifies"], document["tree_holds"], document["completeness"]) == (False, True, "forked")
    assert document["held"][0]["finding"] == "forked"
    assert (
        call("log", "prove", str(folder), "--since", str(first), "--json").documents[0]["error"]["code"] == "log.fork"
    )
    shutil.rmtree(folder)
    call("log", "init", str(folder), "--origin", "example.org/other")
    found = call("log", "verify", str(folder), "--checkpoint", str(first))
    assert facts(found.out)["completeness"].startswith("OTHER LOG")


def test_the_root_alone_is_wrong(folder: Path, call: Any) -> None:
    path = folder / "checkpoint"
    head = LogFiles(folder).checkpoint().head
    path.write_bytes(path.read_bytes().replace(b"\n300\n", b"\n299\n"))
    assert head.size == 300
    found = facts(call("log", "verify", str(folder)).out)
    assert found["hashes"] == "do not show which entry was changed"
    assert found["tree"] == "DOES NOT give the root of the checkpoint"


def test_whose_checkpoint_it_is(tmp_path: Path, call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder, key = str(tmp_path / "log"), tmp_path / "ci.pem"
    call("keys", "new", "--out", str(key))
    said = call("log", "init", folder, "--origin", "example.org/log", "--key", str(key))
    assert said.out.startswith("log example.org/log: 0 entries, signed by ")
    assert facts(call("log", "verify", folder).out)["checkpoint"] == "signed by no key that you trust"
    assert call("log", "show", folder).out.endswith("signed by no key that you trust\n")
    call("keys", "trust", str(key.with_suffix(".pub.pem")), "--name", "our CI")
    assert facts(call("log", "verify", folder).out)["checkpoint"] == "signed by our CI"
    assert "signed by a key that you trust: example.org/log+" in call("log", "show", folder).out
    assert call("log", "verify", folder, "--signed").code == 0
    nobodys = call("log", "verify", folder, "--signed", "--trust", str(tmp_path / "config" / "assay" / "gone.json"))
    assert nobodys.code == 2
    path = tmp_path / "log" / "checkpoint"
    other = call("log", "init", str(tmp_path / "b"), "--origin", "example.org/other", "--key", str(key))
    assert other.code == 0
    text, _, signed = path.read_bytes().partition(b"\n\n")
    stolen = (tmp_path / "b" / "checkpoint").read_bytes().partition(b"\n\n")[2].split(b" ")[2]
    raw = signed.split(b" ")
    path.write_bytes(text + b"\n\n" + b" ".join([*raw[:2], raw[2][:6] + stolen[6:]]))
    found = call("log", "verify", folder)
    assert (found.code, facts(found.out)["checkpoint"]) == (3, "WRONG SIGNATURE in the name of our CI")


def test_a_log_that_has_to_be_signed_and_is_not(folder: Path, call: Any) -> None:
    found = call("log", "verify", str(folder), "--signed")
    assert found.code == 3
    assert found.out.endswith("the log DOES NOT verify: no key that you trust signed it\n")
    assert call("log", "verify", str(folder), "--signed", "--json").code == 3


def test_proofs_are_for_others_to_check(folder: Path, call: Any) -> None:
    first = kept(folder)
    append_all(folder, [b"more", b"and more"])
    (proof,) = call("log", "prove", str(folder), "17").documents
    hashes = [bytes.fromhex(one) for one in proof["hashes"]]
    root = bytes.fromhex(proof["root_sha256"])
    assert is_included(leaf_hash(b'{"entry":17}'), proof["index"], proof["size"], hashes, root)
    assert proof["checkpoint"] == (folder / "checkpoint").read_text(encoding="utf-8")
    (proof,) = call("log", "prove", str(folder), "--since", str(first)).documents
    hashes = [bytes.fromhex(one) for one in proof["hashes"]]
    old = bytes.fromhex(proof["old"]["root_sha256"])
    assert is_consistent(300, 302, hashes, old, bytes.fromhex(proof["root_sha256"]))
    for wrong in ((), ("17", "--since", str(first))):
        found = call("log", "prove", str(folder), *wrong)
        assert (found.code, found.err[:13]) == (2, "error: give e")


def test_a_checkpoint_is_kept_once(folder: Path, call: Any, tmp_path: Path) -> None:
    note = (folder / "checkpoint").read_text(encoding="utf-8")
    out = tmp_path / "anchor.txt"
    said = call("log", "checkpoint", str(folder), "--out", str(out))
    assert (said.code, out.read_text(encoding="utf-8")) == (0, note)
    assert said.out == f"checkpoint of example.org/log, 300 entries: {out}\n"
    assert call("log", "checkpoint", str(folder)).out == note
    assert call("log", "checkpoint", str(folder), "--json").documents[0]["checkpoint"] == note
    again = call("log", "checkpoint", str(folder), "--out", str(out))
    assert (again.code, out.read_text(encoding="utf-8")) == (2, note)
    assert "may be a checkpoint that was kept" in again.err
    assert call("log", "checkpoint", str(folder), "--out", str(tmp_path / "no" / "x")).err.endswith(
        "no such file or directory; name another\n"
    )


@pytest.mark.parametrize("command", [("show",), ("verify",), ("prove", "0"), ("checkpoint",)])
def test_where_there_is_no_log(tmp_path: Path, call: Any, command: tuple[str, ...]) -> None:
    found = call("log", command[0], str(tmp_path), *command[1:])
    assert found.code == 2
    assert "holds no log: it has no `checkpoint`" in found.err


def test_what_was_kept_has_to_be_a_checkpoint(folder: Path, call: Any) -> None:
    found = call("log", "verify", str(folder), "--checkpoint", str(folder / "receipts.jsonl"))
    assert found.code == 2
    assert found.err.startswith(f"error: `{folder}/receipts.jsonl`: what was given is no checkpoint")
    assert call("log", "verify", str(folder), "--checkpoint", "gone").code == 2


def test_a_receipt_that_a_command_kept_is_in_the_log(tmp_path: Path, call: Any) -> None:
    task = '{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}'
    for value in ("142", "143", "142"):
        proposal = json.dumps({"state": "VALUE", "value": value})
        call("verify", "--pack", "proteins", "--task", task, "--proposal", proposal, "--receipts", str(tmp_path))
    assert "log assay/" in call("log", "verify", str(tmp_path)).out
    assert LogFiles(tmp_path).checkpoint().head.size == 2  # to say the same twice is to say it once
