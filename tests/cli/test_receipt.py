"""`assay receipt verify` and `show`: facts apart, exit codes by what was asked, one screen a receipt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.gate_world import SUITE, TASK, gate
from tests.support.recheck_world import signed
from tests.support.signing_world import ALICE, EVE, TRUSTED

from assay import api
from assay.api import checking, gating, showing
from assay.audit import recheck as audit
from assay.kernel.canonical import canonical
from assay.kernel.errors import Fault, InputError
from assay.ledger.log import lines
from assay.receipts.envelope import seal
from assay.receipts.signing import Signer
from assay.receipts.statement import statement
from assay.wire.receipts import read_line
from assay.wire.trust import trust_bytes
from assay.wire.withdrawn import Withdrawal, WithdrawalList, parse_withdrawn

TASKS = {
    "length": '{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}',
    "deleted": '{"class":"value","entity":"uniprot:I8FBX0","property":"canonical_length"}',
}
RIGHT, WRONG = '{"state":"VALUE","value":"142"}', '{"state":"VALUE","value":"146"}'


def keep(folder: Path, *proposals: tuple[str, str], signer: Signer | None = None) -> None:
    pack = api.open_pack("proteins")
    for name, text in proposals:
        private: list[bytes] = []
        found = api.verify(pack, api.parse_task(TASKS[name]), text, private=private.append)
        api.keep(folder, found.receipt, signer, private)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of two claims and a delivery, with private files."""
    folder = tmp_path / "r"
    keep(folder, ("length", RIGHT), ("length", WRONG))
    gating.keep(folder, gate([b"wrong", b"right"]))
    (tmp_path / "suite.json").write_text(SUITE, encoding="utf-8")
    return folder


@pytest.fixture
def trust(tmp_path: Path) -> Path:
    file = tmp_path / "trust.json"
    file.write_bytes(trust_bytes(TRUSTED))
    return file


def one(folder: Path, index: int, name: str = "one.json") -> str:
    """One line of the ledger in a file of its own, without a line feed."""
    file = folder.parent / name
    file.write_bytes(list(lines(folder / "receipts.jsonl"))[index])
    return str(file)


def counts(found: Any) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = found.documents[-1]["counts"]
    return {name: {word: count for word, count in each.items() if count} for name, each in table.items()}


def test_a_log_is_summed_up_fact_by_fact(call: Any, log: Path) -> None:
    found = call("receipt", "verify", str(log), "--json")
    assert found.code == 0
    assert counts(found) == {
        "authentic": {"unknown": 3},
        "re-derives": {"not possible": 3},
        "re-runs": {"unknown": 3},
        "current": {"unknown": 3},
    }
    assert found.documents[-1]["included"]["answer"] == "yes"
    suite = str(log.parent / "suite.json")
    asked = ("--pack", "proteins", "--suite", suite, "--private", str(log / "private"))
    found = call("receipt", "verify", str(log), "--json", *asked)
    assert found.code == 0
    assert counts(found)["re-derives"] == {"yes": 3}
    assert counts(found)["current"] == {"yes": 3}
    plain = call("receipt", "verify", str(log), *asked)
    assert plain.code == 0
    assert "re-derives  3    0   0        0\n" in plain.out
    assert plain.out.endswith("withdrawn verifiers: none, by the list of 2026-11-30\n")


def test_what_was_asked_and_is_not_there_ends_with_one(call: Any, log: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = call("receipt", "verify", str(log), "--private", str(tmp_path / "empty"))
    assert found.code == 1
    assert "0: accepted: canonical_length of uniprot:P69905 is 142: re-derives: not possible (private: " in found.out
    # Who gave no folder of private files asked nothing of it.
    assert call("receipt", "verify", str(log), "--pack", "proteins").code == 0
    assert call("receipt", "verify", one(log, 0), "--pack", "minimal").code == 3
    assert call("receipt", "verify", str(log), "--private", str(tmp_path / "none")).code == 2


def test_a_single_receipt_has_a_line_for_each_fact(call: Any, log: Path) -> None:
    found = call("receipt", "verify", one(log, 0), "--pack", "proteins")
    assert found.code == 0
    assert found.out.splitlines()[1:5] == [
        "  authentic: unknown (unsigned: who can write the file can write a receipt)",
        "  re-derives: yes (decided again from the pack that it names)",
        "  re-runs: unknown (a claim runs no program)",
        "  current: yes (its pack is the one given)",
    ]
    (document,) = call("receipt", "verify", one(log, 2), "--json").documents
    assert (document["sort"], document["outcome"]) == ("delivery", "DELIVERED")
    assert document["withdrawn"] == {"date": "2026-11-30", "versions": 0}


def test_trust_asks_whose_it_is(call: Any, log: Path, trust: Path, tmp_path: Path) -> None:
    unsigned = one(log, 0)
    assert call("receipt", "verify", unsigned, "--trust", str(trust)).code == 3
    receipt = Path(unsigned).read_bytes()
    file = tmp_path / "signed.json"
    for signer, code, word in ((ALICE, 0, "yes (signed by `alice`"), (EVE, 3, "no (signed by key ")):
        file.write_bytes(seal(receipt, signer))
        found = call("receipt", "verify", str(file), "--trust", str(trust))
        assert found.code == code
        assert f"  authentic: {word}" in found.out
    forged = json.loads(seal(receipt, EVE))
    forged["signatures"][0]["keyid"] = ALICE.keyid
    file.write_bytes(canonical(forged))
    found = call("receipt", "verify", str(file), "--trust", str(trust))
    assert (found.code, "bad signature" in found.out) == (3, True)


def test_a_revoked_key_counts_for_what_its_log_held(call: Any, tmp_path: Path) -> None:
    keep(tmp_path / "r", ("length", RIGHT), signer=ALICE)
    (tmp_path / "anchored").write_bytes((tmp_path / "r" / "checkpoint").read_bytes())
    keep(tmp_path / "r", ("deleted", '{"state":"NO_ENTITY"}'), signer=ALICE)
    trust = tmp_path / "trust.json"
    trust.write_bytes(trust_bytes(TRUSTED))
    revoke = ("keys", "revoke", "alice", "--after", str(tmp_path / "anchored"), "--trust", str(trust))
    assert call(*revoke).code == 0
    found = call("receipt", "verify", str(tmp_path / "r"), "--trust", str(trust), "--json")
    before, after, _ = found.documents
    assert before["facts"]["authentic"]["code"] == "trusted"
    assert after["facts"]["authentic"]["code"] == "revoked"
    assert found.code == 3
    alone = call("receipt", "verify", one(tmp_path / "r", 0), "--trust", str(trust))
    assert "revoked, and not shown to be from before" in alone.out


def test_a_log_that_was_cut_shows_against_a_checkpoint(call: Any, log: Path, tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.write_bytes((log / "checkpoint").read_bytes())
    assert call("receipt", "verify", str(log), "--checkpoint", str(held)).code == 0
    other = tmp_path / "other"
    keep(other, ("length", RIGHT))
    found = call("receipt", "verify", str(other), "--checkpoint", str(held))
    assert (found.code, "included: no (" in found.out) == (3, True)
    file = log / "receipts.jsonl"
    file.write_bytes(file.read_bytes().replace(b"P69905", b"P69906", 1))
    found = call("receipt", "verify", str(log))
    assert (found.code, "included: no (the log does not hold" in found.out) == (3, True)
    assert call("receipt", "verify", one(log, 0), "--checkpoint", str(held)).code == 2


def test_lines_that_are_none_are_counted_and_end_with_two(call: Any, log: Path, tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_bytes((log / "receipts.jsonl").read_bytes() + b"nonsense\n{}\n" + b"x" * 100)
    found = call("receipt", "verify", str(file))
    assert found.code == 2
    assert "6 receipts, 3 lines that are none" in found.out
    assert call("receipt", "verify", str(file), "--json").documents[3]["error"]["code"] == "receipt.json"
    file.write_bytes(b"nonsense")
    assert call("receipt", "verify", str(file)).code == 2
    file.write_bytes(b"")
    assert "holds no receipt" in call("receipt", "verify", str(file)).err
    assert call("receipt", "verify", str(tmp_path / "none")).code == 2
    assert call("receipt", "verify", str(file), "--suite", str(file)).code == 2
    assert call("receipt", "verify", str(file), "--candidate", str(file)).code == 2


def test_a_line_beyond_the_bound_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MAX_LINE_BYTES", 8)
    file = tmp_path / "f"
    file.write_bytes(b"x" * 30 + b"\nshort\n")
    found = list(checking.check_file(file, checking.given()))
    assert [one.fault is not None for one in found] == [True, True]
    assert checking.line_of(file, 1) == b"short"


def test_the_first_noes_are_told_before_what_could_not_be_looked_at(call: Any, log: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    receipts = list(lines(log / "receipts.jsonl"))
    lie = json.loads(receipts[0])
    lie["predicate"]["entity"] = "uniprot:P68871"
    file = tmp_path / "many.jsonl"
    file.write_bytes(b"\n".join([*receipts[:2] * 6, canonical(lie)]))
    found = call("receipt", "verify", str(file), "--pack", "proteins", "--private", str(tmp_path / "empty"))
    assert found.code == 3
    told = [line for line in found.out.splitlines() if "re-derives: " in line]
    assert len(told) <= 8
    assert told[0].startswith("12: accepted: canonical_length of uniprot:P68871 is 142: re-derives: no (")


def test_a_delivery_is_run_again(call: Any, tmp_path: Path) -> None:
    if not gating_works():
        pytest.skip("no sandbox of level A here")
    source = b"def f(x):\n    if x == 3:\n        raise ValueError\n    return 'secret one' if x == 1 else 2\n"
    (tmp_path / "a.py").write_bytes(source)
    (tmp_path / "suite.json").write_text(SUITE, encoding="utf-8")
    gating.keep(tmp_path / "r", gating.check(SUITE, None, [source], task=TASK))
    asked = ("--suite", str(tmp_path / "suite.json"), "--candidate", str(tmp_path / "a.py"), "--rerun")
    found = call("receipt", "verify", one(tmp_path / "r", 0), *asked)
    assert (found.code, "  re-runs: yes (1 of its 1 candidates" in found.out) == (0, True)


def gating_works() -> bool:
    from assay.api.examining import examine  # noqa: PLC0415
    from assay.sandbox.base import Level  # noqa: PLC0415

    return examine().best is Level.A


# show


def test_show_is_for_people(call: Any, log: Path) -> None:
    shown = [call("receipt", "show", str(log), "--index", str(index)) for index in range(3)]
    assert all(found.code == 0 and len(found.out.splitlines()) <= 24 for found in shown)
    assert shown[0].out.startswith("accepted: canonical_length of uniprot:P69905 is 142\n")
    assert "146" not in shown[1].out
    assert "1. candidate " in shown[2].out
    assert call("receipt", "show", one(log, 0), "--json").documents[0]["predicateType"] == "urn:assay:claim-result:v0.1"
    assert call("receipt", "show", str(log)).code == 2
    assert call("receipt", "show", str(log), "--index", "9").code == 2


def test_show_tells_of_everything_that_a_receipt_can_hold() -> None:
    steps: list[object] = [
        {"step": "perform", "call": "read()", "result": {"state": "VALUE", "value": {"n": "1"}}},
        {"step": "perform", "call": "read()"},
        {"step": "navigation_failure", "reason": "no_choice"},
        *[{"step": "submit", "asserted": "NO_ENTITY", "code": "x"}] * 9,
    ]
    claim: dict[str, object] = {
        "outcome": "accepted",
        "trajectory": steps,
        "established": {"state": "NO_ENTITY", "reason": "deleted"},
        "facts": 1,
    }
    text = "\n".join(
        showing.lines(read_line(canonical(statement("task", "0" * 64, "urn:assay:claim-result:v0.1", claim))))
    )
    assert 'which returned {"n":"1"}' in text
    assert "… and 4 more" in text
    assert "NO_ENTITY, deleted" in text
    assert "no card offers (no_choice)" in text
    void: dict[str, object] = {
        "outcome": "VOID",
        "reason": "no namespaces",
        "tried": [],
        "gauge": {"x": 1},
        "strength": "not measured",
    }
    text = "\n".join(
        showing.lines(read_line(canonical(statement("task", "0" * 64, "urn:assay:delivery-result:v0.1", void))))
    )
    assert "reason: no namespaces" in text
    assert "gauge: measured" in text
    other = read_line(signed(statement("task", "0" * 64, "urn:x:y", {})))
    assert next(showing.lines(other)) == "a receipt of sort urn:x:y"
    assert "in the name of" in list(showing.lines(other))[-1]
    assert checking.sort_of(other) == "other"
    facts = audit.recheck(other, checking.given())
    assert facts["re-derives"].code == "other_sort"


# Withdrawn verifiers


def test_what_a_withdrawn_verifier_decided_is_stale(call: Any, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = json.loads(Path(one(log, 0)).read_bytes())["predicate"]["verifier"]["package"]
    listed = WithdrawalList("2027-01-01", (Withdrawal(version, "", "2027-01-01", "it read fractions as integers"),))
    monkeypatch.setattr(checking, "withdrawn", lambda: listed)
    for index in (0, 2):
        found = call("receipt", "verify", one(log, index), "--pack", "proteins")
        assert found.code == 3
        assert "  current: no (stale: its verifier was withdrawn on 2027-01-01: it read fractions" in found.out
        assert found.out.endswith("withdrawn verifiers: 1, by the list of 2027-01-01\n")


def test_the_shipped_list_is_empty_and_dated() -> None:
    assert checking.withdrawn() == WithdrawalList("2026-11-30", ())


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"withdrawn": "assay.withdrawn/2", "date": "2026-11-30", "versions": []},
        {"withdrawn": "assay.withdrawn/1", "date": "today", "versions": []},
        {"withdrawn": "assay.withdrawn/1", "date": "2026-11-30", "versions": {}},
        {"withdrawn": "assay.withdrawn/1", "date": "2026-11-30", "versions": [{}]},
        {
            "withdrawn": "assay.withdrawn/1",
            "date": "2026-11-30",
            "versions": [{"package": "", "kernel_sha256": "", "since": "", "why": ""}],
        },
    ],
)
def test_what_is_no_list_is_refused(document: object) -> None:
    with pytest.raises(InputError) as refusal:
        parse_withdrawn(canonical(document))
    assert refusal.value.code == "withdrawn.shape"


def test_a_kernel_can_be_withdrawn_whatever_the_version() -> None:
    row = {"package": "", "kernel_sha256": "a", "since": "2026-12-01", "why": "w"}
    found = parse_withdrawn(canonical({"withdrawn": "assay.withdrawn/1", "date": "2026-12-01", "versions": [row]}))
    assert found.find("0.1.0", "a") is not None
    assert found.find("0.1.0", "b") is None


def test_a_missing_list_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "data_dir", lambda: tmp_path)
    with pytest.raises(Fault, match="withdrawal list"):
        checking.withdrawn()
