"""`assay verify` and `assay establish`: verdicts, batches, exit codes."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from assay.ledger.log import lines

ARCHES = '{"class":"value","entity":"bridge:mill","property":"arches"}'
THREE = '{"state":"VALUE","value":"3"}'
FOUR = '{"state":"VALUE","value":"4"}'
PACK = ("--pack", "minimal")


def line(name: object, proposal: object, task: object = None) -> str:
    """Return a line of a batch."""
    return json.dumps({"id": name, "task": json.loads(ARCHES) if task is None else task, "proposal": proposal})


def test_an_accepted_claim_is_said_in_one_line(call: Any) -> None:
    found = call("verify", *PACK, "--task", ARCHES, "--proposal", THREE)
    assert (found.code, found.out, found.err) == (0, "ACCEPT VALUE\n", "")


def test_a_rejected_claim_comes_with_its_card(call: Any) -> None:
    found = call("verify", *PACK, "--task", ARCHES, "--proposal", FOUR)
    assert found.code == 3
    first, *card = found.out.splitlines()
    assert first == "REJECT VALUE value.not_equal"
    assert card[0] == "  value.not_equal: this value does not follow from the pinned evidence"
    assert "you may: read_value(entity=bridge:mill, property=arches)" in found.out


def test_json_has_the_card_and_no_state(call: Any) -> None:
    found = call("verify", *PACK, "--task", ARCHES, "--proposal", FOUR, "--json")
    (document,) = found.documents
    assert (document["verdict"], document["asserted"], document["code"]) == ("REJECT", "VALUE", "value.not_equal")
    assert document["card"]["card"] == "assay.card/1"
    assert document.keys() == {"verdict", "asserted", "code", "card"}


def test_the_state_is_said_only_when_it_is_asked_for(call: Any) -> None:
    found = call("verify", *PACK, "--task", ARCHES, "--proposal", FOUR, "--json", "--reveal")
    (document,) = found.documents
    assert (document["state"], document["value"]) == ("VALUE", "3")
    found = call("verify", *PACK, "--task", ARCHES.replace("mill", "gone"), "--proposal", FOUR, "--reveal")
    assert "  state: NO_ENTITY\n  reason: unknown\n" in found.out


@pytest.mark.parametrize("form", ["@", ""])
def test_tasks_and_proposals_may_lie_in_files(call: Any, tmp_path: Path, form: str) -> None:
    (tmp_path / "task.json").write_text(ARCHES)
    (tmp_path / "proposal.json").write_text(THREE)
    task, proposal = f"{form}{tmp_path / 'task.json'}", f"@{tmp_path / 'proposal.json'}"
    assert call("verify", *PACK, "--task", task, "--proposal", proposal).code == 0


def test_either_may_come_from_standard_input(call: Any) -> None:
    assert call("verify", *PACK, "--task", "-", "--proposal", THREE, stdin=ARCHES.encode()).code == 0
    assert call("verify", *PACK, "--task", ARCHES, "--proposal", "-", stdin=THREE.encode()).code == 0


def test_what_is_no_json_is_a_proposal_all_the_same(call: Any) -> None:
    found = call("verify", *PACK, "--task", ARCHES, "--proposal", "three arches")
    assert (found.code, found.out.splitlines()[0]) == (3, "REJECT MALFORMED parse.json")


def test_receipts_are_kept_where_it_was_said(call: Any, tmp_path: Path) -> None:
    for proposal in (THREE, FOUR):
        call("verify", *PACK, "--task", ARCHES, "--proposal", proposal, "--receipts", str(tmp_path))
    path = tmp_path / "receipts.jsonl"
    assert [json.loads(kept)["predicate"]["outcome"] for kept in lines(path)] == ["accepted", "rejected"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    found = call("verify", *PACK, "--task", ARCHES, "--proposal", THREE, "--receipts", str(tmp_path), "--json")
    assert found.documents[0]["receipts"] == str(path)


def batch(call: Any, tmp_path: Path, *lines_in: str, more: tuple[str, ...] = ("--json",)) -> Any:
    """Return what the command says of these lines."""
    path = tmp_path / "batch.jsonl"
    path.write_text("\n".join(lines_in) + "\n", encoding="utf-8")
    return call("verify", *PACK, "--batch", str(path), *more)


def test_a_batch_of_accepted_claims_ends_with_zero(call: Any, tmp_path: Path) -> None:
    found = batch(call, tmp_path, line("a", THREE), line(2, ' {"state":"VALUE","value":" 3 "}'))
    assert found.code == 0
    assert found.documents == [
        {"id": "a", "verdict": "ACCEPT", "asserted": "VALUE", "code": ""},
        {"id": 2, "verdict": "ACCEPT", "asserted": "VALUE", "code": ""},
    ]


def test_one_rejection_ends_a_batch_with_three(call: Any, tmp_path: Path) -> None:
    found = batch(call, tmp_path, line("a", THREE), line("b", FOUR))
    assert found.code == 3
    assert [document["verdict"] for document in found.documents] == ["ACCEPT", "REJECT"]


def test_a_bad_line_is_told_and_the_rest_goes_on(call: Any, tmp_path: Path) -> None:
    broken = json.loads(ARCHES) | {"class": "category"}
    found = batch(call, tmp_path, "{", line("b", FOUR), line("c", THREE, broken), "", line("e", 5), line("f", THREE))
    assert found.code == 2
    assert found.err == ""
    assert [document.get("verdict", document.get("error", {}).get("code")) for document in found.documents] == [
        "line.json",
        "REJECT",
        "task.property",
        "line.proposal",
        "ACCEPT",
    ]
    assert found.documents[0] == {
        "id": None,
        "line": 1,
        "error": {"code": "line.json", "message": "the line is not one JSON value: fault at line 1 column 2"},
    }
    assert [document["line"] for document in found.documents if "error" in document] == [1, 3, 5]


def test_people_read_a_batch_too(call: Any, tmp_path: Path) -> None:
    found = batch(call, tmp_path, line("a", THREE), line("b", FOUR), "{", more=())
    assert found.out == "a ACCEPT VALUE\nb REJECT VALUE value.not_equal\n1 accepted, 1 rejected, 1 not looked at\n"
    assert found.err == "error: line 3: the line is not one JSON value: fault at line 1 column 2\n"


def test_a_batch_shows_states_only_when_asked(call: Any, tmp_path: Path) -> None:
    found = batch(call, tmp_path, line("a", FOUR), more=("--json", "--reveal"))
    assert found.documents == [
        {"id": "a", "verdict": "REJECT", "asserted": "VALUE", "code": "value.not_equal", "state": "VALUE", "value": "3"}
    ]


def test_a_batch_keeps_a_receipt_a_line(call: Any, tmp_path: Path) -> None:
    batch(call, tmp_path, line("a", FOUR), line("b", THREE), more=("--json", "--receipts", str(tmp_path)))
    assert len(list(lines(tmp_path / "receipts.jsonl"))) == 2


def test_a_receipt_that_cannot_be_kept_is_a_fault_and_no_verdict(call: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = batch(call, tmp_path, line("a", THREE), more=("--json", "--receipts", str(tmp_path / "file" / "kept")))
    assert found.code == 1
    assert found.documents[0]["error"]["code"] == "fault.ledger"
    assert "verdict" not in found.documents[0]


def test_a_batch_may_come_from_standard_input(call: Any) -> None:
    found = call("verify", *PACK, "--batch", "-", "--json", stdin=line("a", THREE).encode())
    assert found.documents[0]["verdict"] == "ACCEPT"


def test_a_line_beyond_the_bound_is_a_bad_line_and_is_not_held(call: Any, tmp_path: Path) -> None:
    found = batch(call, tmp_path, line("a", "9" * (3 << 20)), line("b", THREE))
    assert [document.get("verdict", document.get("error", {}).get("code")) for document in found.documents] == [
        "line.too_long",
        "ACCEPT",
    ]


def test_half_a_surrogate_pair_in_a_proposal_is_a_verdict(call: Any, tmp_path: Path) -> None:
    found = batch(call, tmp_path, line("a", "\ud800"))
    assert (found.code, found.documents[0]["code"]) == (3, "parse.encoding")


def test_the_owner_sees_state_value_rules_and_pins(call: Any) -> None:
    found = call("establish", *PACK, "--task", ARCHES)
    assert found.code == 0
    assert found.out.splitlines()[0] == "VALUE 3"
    assert "  rule equal: " in found.out
    assert "  fact b1 of register-2024" in found.out
    (document,) = call("establish", *PACK, "--task", ARCHES, "--json").documents
    assert (document["state"], document["reason"], document["value"]) == ("VALUE", "", "3")
    assert [pin["fact"] for pin in document["pins"]] == ["b1", "b2"]


def test_the_owner_sees_the_reason_where_there_is_no_value(call: Any) -> None:
    found = call("establish", *PACK, "--task", ARCHES.replace("mill", "station"))
    assert found.out.splitlines()[0] == "CONFLICT (incompatible)"


def establish_batch(call: Any, tmp_path: Path, *more: str) -> Any:
    path = tmp_path / "tasks.jsonl"
    task = json.loads(ARCHES)
    tasks = [
        {"id": "a", "task": task},
        {"id": "b", "task": {"class": "value"}},
        {"id": "c", "task": {**task, "entity": "x"}},
    ]
    path.write_text("\n".join(map(json.dumps, tasks)), encoding="utf-8")
    return call("establish", *PACK, "--batch", str(path), *more)


def test_many_tasks_are_established_a_line_each(call: Any, tmp_path: Path) -> None:
    found = establish_batch(call, tmp_path, "--json")
    assert found.code == 2
    assert [(document["id"], document.get("state")) for document in found.documents] == [
        ("a", "VALUE"),
        ("b", None),
        ("c", "NO_ENTITY"),
    ]
    assert found.documents[1]["error"]["code"] == "task.missing"


def test_people_read_many_tasks_too(call: Any, tmp_path: Path) -> None:
    found = establish_batch(call, tmp_path)
    assert (found.code, found.out) == (2, "a VALUE 3\nc NO_ENTITY (unknown)\n")
    assert found.err == "error: line 2: `entity` is missing; class `value` needs it\n"
