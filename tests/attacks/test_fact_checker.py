"""Shared attacks on receipts, logs, replays and races for the checker; a table says which test tries which."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st
from tests.snapshots import RowSnapshot, fact, prop, source
from tests.support.recheck_world import answers, decided, reader, signed
from tests.support.signing_world import ALICE
from tests.support.world import TASKS, WORLD

from assay import api
from assay.api import checking
from assay.floor.task import Selector, Task
from assay.kernel.canonical import canonical
from assay.receipts.envelope import seal
from assay.wire.receipts import read_line

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT.parent / "shared" / "data" / "attacks" / "fact.jsonl"
LENGTH = TASKS["length"][0]
FIVE, SIX = '{"state":"VALUE","value":"5"}', '{"state":"VALUE","value":"6"}'
ENVELOPES, HERE = "tests/attacks/test_fact_envelopes.py", "tests/attacks/test_fact_checker.py"
SESSIONS = "tests/runtime/test_session_attacks.py"

# Every shared record on receipts, cross-use, replay, logs and races, and the tests that try it.
COVERED: dict[str, list[tuple[str, str]]] = {
    "receipt.clock": [(ENVELOPES, "test_receipt_clock"), (HERE, "test_a_time_in_a_receipt_is_told_and_read_by_nobody")],
    "receipt.cross_entity": [(ENVELOPES, "test_receipt_cross_entity"), (HERE, "test_cross_use_is_told")],
    "receipt.cross_task": [(ENVELOPES, "test_receipt_cross_task"), (HERE, "test_cross_use_is_told")],
    "receipt.default_key": [(ENVELOPES, "test_receipt_default_key")],
    "receipt.reject_as_accept": [(ENVELOPES, "test_receipt_reject_as_accept"),
                                 (HERE, "test_a_rejection_is_no_acceptance")],
    "receipt.truncated_log": [("tests/cli/test_receipt.py", "test_a_log_that_was_cut_shows_against_a_checkpoint"),
                              (HERE, "test_a_cut_log_shows_against_a_held_checkpoint")],
    "receipt.noncanonical": [(ENVELOPES, "test_receipt_noncanonical")],
    "receipt.alg_none": [(ENVELOPES, "test_receipt_alg_none")],
    "inject.proposal_log": [(HERE, "test_a_proposal_forges_no_line")],
    "leak.log": [(HERE, "test_no_public_byte_of_a_refusal_depends_on_the_truth")],
    "race.two_accepts": [(HERE, "test_each_verdict_names_one_snapshot")],
    "toctou.update_between": [(HERE, "test_a_decision_on_other_evidence_is_told"), (SESSIONS, "")],
    "toctou.mutable_arg": [(SESSIONS, "")],
}  # fmt: skip


@pytest.mark.skipif(not RECORDS.exists(), reason="the shared attacks are not on this machine")
def test_every_shared_attack_of_these_families_is_tried() -> None:
    kinds = {json.loads(line)["kind"] for line in RECORDS.read_text(encoding="utf-8").splitlines()}
    families = {"receipt", "race", "toctou", "replay", "log"}
    asked = {kind for kind in kinds if kind.partition(".")[0] in families}
    # Subclasses of text and integer never reach a receipt: tests/runtime/test_session_attacks.py.
    assert asked - {"toctou.int_subclass", "toctou.str_subclass"} <= COVERED.keys()
    for tests in COVERED.values():
        for file, name in tests:
            assert f"def {name}" in (ROOT / file).read_text(encoding="utf-8")


def test_a_time_in_a_receipt_is_told_and_read_by_nobody() -> None:
    document = decided(LENGTH, FIVE).document
    document["predicate"]["signed_at"] = "2999-01-01"
    assert answers(signed(document), packs=(WORLD,))["re-derives"] == "no differs"


@pytest.mark.parametrize(
    "change",
    [
        {"entity": "p:B"},
        {"property": "mature"},
        {"task": {"class": "value", "entity": "p:B", "property": "length"}},
        {"task": {"class": "value", "entity": "p:A", "property": "mature"}},
        {"snapshot": {"digest": "sha256:" + "1" * 64, "opened": "hashed"}},
    ],
)
def test_cross_use_is_told(change: dict[str, object]) -> None:
    """The owner of the key signs a receipt of one thing as one of another."""
    for proposal in (FIVE, SIX):
        made = decided(LENGTH, proposal)
        document = made.document
        document["predicate"] |= change
        found = answers(signed(document), packs=(WORLD,), private=reader(made.private))
        assert found["re-derives"].startswith("no ")


def test_a_rejection_is_no_acceptance() -> None:
    made = decided(LENGTH, SIX)
    accepted = decided(LENGTH, FIVE).document
    for field in ("outcome", "asserted", "established"):
        document = made.document
        document["predicate"][field] = accepted["predicate"][field]
        found = answers(signed(document), packs=(WORLD,), private=reader(made.private))
        assert found["re-derives"].startswith("no ")
    # All of an acceptance, for the value that was refused.
    forged: Any = json.loads(canonical(accepted).replace(b'"5"', b'"6"'))
    assert answers(signed(forged), packs=(WORLD,))["re-derives"].startswith("no ")


def test_a_cut_log_shows_against_a_held_checkpoint(tmp_path: Path) -> None:
    import shutil  # noqa: PLC0415

    from assay.api import signing  # noqa: PLC0415

    folder, cut = tmp_path / "r", tmp_path / "cut"
    api.keep(folder, decided(LENGTH, FIVE).line)
    shutil.copytree(folder, cut)
    api.keep(folder, decided(LENGTH, SIX).line)
    held = signing.log_head((folder / "checkpoint").read_bytes())
    assert checking.included(checking.verify_log(cut, (), None)).text.endswith("completeness unknown)")
    assert checking.included(checking.verify_log(cut, (held,), None)).code == "truncated"
    assert checking.included(checking.verify_log(folder, (held,), None)).answer == "yes"


def test_a_proposal_forges_no_line(tmp_path: Path) -> None:
    made = decided(LENGTH, '{"state":"VALUE","value":"142\\r\\n2026-11-30 ACCEPT receipt=..."}')
    api.keep(tmp_path, made.line, private=made.private)
    (found,) = checking.check_file(tmp_path, checking.given())
    assert found.receipt is not None
    assert found.receipt.document["predicate"]["outcome"] == "rejected"  # type: ignore[index]
    assert b"ACCEPT" not in (tmp_path / "receipts.jsonl").read_bytes()


def test_no_public_byte_of_a_refusal_depends_on_the_truth() -> None:
    """The same refusal over two truths: what is public differs in salted digests and in nothing else."""

    def public(value: str) -> Any:
        world = RowSnapshot([fact("p:A", "version", value)], [source("s")], [prop("version", "integer")])
        document = decided(Task("value", Selector("p:A", "version")), SIX, world).document
        predicate = document["predicate"]
        digests = [predicate.pop("established_commitment"), *predicate["private"].values()]
        digests.append(predicate["trajectory"][0].pop("commitment"))
        predicate["private"] = predicate["snapshot"] = None
        return document, digests

    (one, first), (two, second) = public("142"), public("143")
    assert one == two
    assert not {x for x in first if isinstance(x, str)} & {x for x in second if isinstance(x, str)}


def test_each_verdict_names_one_snapshot() -> None:
    """Two threads decide one task on two snapshots: each receipt re-derives on its own, and on no other."""
    worlds = [
        RowSnapshot([fact("p:A", "version", value)], [source("s")], [prop("version", "integer")]) for value in "56"
    ]
    made: dict[int, list[Any]] = {0: [], 1: []}

    def work(number: int) -> None:
        for _ in range(20):
            made[number].append(decided(Task("value", Selector("p:A", "version")), FIVE, worlds[number]))

    threads = [Thread(target=work, args=(number,)) for number in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, receipts in made.items():
        for one in receipts:
            assert one.document["predicate"]["outcome"] == ("accepted", "rejected")[number]
            own = answers(one.line, packs=(worlds[number],), private=reader(one.private))
            assert own["re-derives"] == "yes same"
            assert answers(one.line, packs=(worlds[1 - number],))["re-derives"] == "not possible other_pack"


def test_a_decision_on_other_evidence_is_told() -> None:
    before = RowSnapshot([fact("p:A", "version", "5")], [source("s")], [prop("version", "integer")])
    after = RowSnapshot([fact("p:A", "version", "6")], [source("s")], [prop("version", "integer")])
    made = decided(Task("value", Selector("p:A", "version")), FIVE, before)
    document = made.document
    document["predicate"]["snapshot"]["digest"] = after.digest
    assert answers(signed(document), packs=(after,))["re-derives"].startswith("no ")
    assert answers(made.line, packs=(after,))["current"] == "no no_longer"


def test_a_replayed_receipt_says_the_same_of_the_same_claim_and_nothing_of_another() -> None:
    made = decided(LENGTH, FIVE)
    line = seal(made.line, ALICE)
    assert answers(line, packs=(WORLD,)) == answers(line, packs=(WORLD,))
    subject = read_line(line).document["subject"]
    other = decided(TASKS["length, sources agree"][0], '{"state":"VALUE","value":"2"}')
    assert read_line(other.line).document["subject"] != subject


# Monotonic

MANY = [decided(LENGTH, text) for text in (FIVE, SIX, "nonsense", '{"state":"NO_ENTITY"}')] + [
    decided(TASKS["boolean"][0], '{"state":"VALUE","value":"true"}')
]
PRIVATE = reader(data for one in MANY for data in one.private)


def facts_of(lines: list[bytes], folder: Path) -> list[tuple[bytes, dict[str, str]]]:
    """Each receipt of a file with its facts."""
    file = folder / "some.jsonl"
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    read = [one.receipt for one in checking.check_file(file, checking.given())] if lines else []
    return [(one.statement, answers(one.statement, packs=(WORLD,), private=PRIVATE)) for one in read if one is not None]


@settings(max_examples=25, deadline=None)
@given_by(st.lists(st.sampled_from(range(len(MANY))), max_size=8))
def test_adding_dropping_and_reordering_changes_no_fact(chosen: list[int]) -> None:
    from tempfile import TemporaryDirectory  # noqa: PLC0415

    alone = {one.line: answers(one.line, packs=(WORLD,), private=PRIVATE) for one in MANY}
    with TemporaryDirectory() as folder:
        found = facts_of([MANY[number].line for number in chosen], Path(folder))
    assert [line for line, _ in found] == [MANY[number].line for number in chosen]
    assert all(facts == alone[line] for line, facts in found)


@settings(max_examples=50, deadline=None)
@given_by(st.lists(st.sampled_from(range(len(MANY)))), st.sampled_from([SIX, "nonsense", '{"state":"NO_ENTITY"}']))
def test_no_receipt_attests_what_was_refused(chosen: list[int], proposal: str) -> None:
    """Whatever receipts there are, a policy that asks for an attestation of a refused thing's digest finds none."""
    from hashlib import sha256  # noqa: PLC0415

    from assay.receipts.predicates import Answer, claim_document  # noqa: PLC0415
    from assay.receipts.statement import digest_of  # noqa: PLC0415
    from assay.wire.tasks import task_document  # noqa: PLC0415

    refused = decided(LENGTH, proposal)
    attested = {
        one["digest"]["sha256"]
        for line in [*(MANY[number].line for number in chosen), refused.line]
        for one in read_line(line).document["subject"]  # type: ignore[attr-defined]
        if one["name"] != "task"
    }
    task = task_document(LENGTH)
    digests = {
        sha256(proposal.encode()).hexdigest(),
        digest_of(claim_document(task, Answer("VALUE", "6", "VALUE", "6", ""))),
        digest_of(claim_document(task, Answer("NO_ENTITY", None, "", "", ""))),
    }
    assert not attested & digests
