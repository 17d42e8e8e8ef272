"""A claim's receipt is made again from its pack, and from the rows that it binds; what differs is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source
from tests.support.recheck_world import Made, answers, decided, given, reader, signed, walked
from tests.support.signing_world import ALICE, EVE
from tests.support.world import TASKS, WORLD

from assay.api.recording import record_session
from assay.audit import claims
from assay.audit.facts import Answer, differences
from assay.audit.recheck import recheck
from assay.floor.evidence import Alias, Namespace
from assay.floor.task import Selector, Task
from assay.kernel.canonical import canonical
from assay.kernel.errors import Fault
from assay.kernel.states import AssertValue, Malformed
from assay.receipts.envelope import seal
from assay.receipts.predicates import Proposer
from assay.runtime.session import ClaimSession, Policy
from assay.wire.receipts import read_line

LENGTH = TASKS["length"][0]
FIVE, SIX = '{"state":"VALUE","value":"5"}', '{"state":"VALUE","value":"6"}'


@pytest.mark.parametrize("name", TASKS)
def test_every_class_of_task_re_derives_from_pack_and_from_evidence(name: str) -> None:
    made = walked(name)
    for more in ({"packs": (WORLD,)}, {"private": reader(made.private)}):
        assert answers(made.line, **more)["re-derives"] == "yes same"
    both = answers(made.line, packs=(WORLD,), private=reader(made.private))
    assert both == {
        "authentic": "unknown unsigned",
        "re-derives": "yes same",
        "re-runs": "unknown no_program",
        "current": "yes same_pack",
    }


@pytest.mark.parametrize(
    "proposal",
    [
        SIX,
        '{"state":"VALUE","value":"about 5"}',
        '{"state":"VALUE","value":5.0}',
        '{"state":"VALUE","value":["5"]}',
        '{"state":"NO_ENTITY"}',
        "nonsense",
        "",
        "x" * 5000,
        b"\xff\xfe",
        '{"state":"VALUE","value":"\\ud800"}',
        '{"state":"VALUE","value":6,"value":6}',
        f'{{"state":"VALUE","value":{10**60}}}',
    ],
)
def test_a_rejection_re_derives_for_who_has_its_private_file(proposal: str | bytes) -> None:
    made = decided(LENGTH, proposal)
    private = reader(made.private)
    assert answers(made.line, packs=(WORLD,), private=private)["re-derives"] == "yes same"
    assert answers(made.line, private=private)["re-derives"] == "yes same"


def test_without_the_private_file_a_rejected_value_is_nobodys_to_decide() -> None:
    made = decided(LENGTH, SIX)
    assert answers(made.line)["re-derives"] == "not possible no_pack"
    for proposal in (SIX, "nonsense"):
        assert answers(decided(LENGTH, proposal).line, packs=(WORLD,))["re-derives"] == "not possible private"
    assert answers(made.line, private=reader(()))["re-derives"] == "not possible private"
    # What was asserted stands in the receipt of a refused abstention.
    assert answers(decided(LENGTH, '{"state":"NO_ENTITY"}').line, packs=(WORLD,))["re-derives"] == "yes same"


def test_a_rejection_shows_commitments_and_no_value() -> None:
    made = decided(LENGTH, SIX)
    predicate = made.document["predicate"]
    (step,) = predicate["trajectory"]
    assert step == {
        "step": "submit",
        "asserted": "VALUE",
        "code": "value.not_equal",
        "type": "text",
        "length": 1,
        "commitment": step["commitment"],
    }
    assert len({step["commitment"], predicate["established_commitment"], predicate["private"]["withheld_sha256"]}) == 3
    again = decided(LENGTH, SIX).document["predicate"]
    assert again["trajectory"][0]["commitment"] != step["commitment"], "the salt is fresh"
    assert again["established_commitment"] != predicate["established_commitment"]
    withheld = json.loads(made.private[1])
    assert bytes.fromhex(withheld["said"][0]["data"]).decode() == SIX
    assert withheld["established"]["value"] == "5"


def test_raw_input_that_is_refused_is_told_by_type_and_length() -> None:
    (step,) = decided(LENGTH, "the answer is 5").document["predicate"]["trajectory"]
    assert (step["asserted"], step["type"], step["length"]) == ("MALFORMED", "text", 15)
    (step,) = decided(LENGTH, b"\xff5").document["predicate"]["trajectory"]
    assert (step["type"], step["length"]) == ("bytes", 2)


def test_equal_acceptances_are_equal_bytes() -> None:
    assert decided(LENGTH, FIVE) == decided(LENGTH, FIVE)


# Sessions


def session_of(*moves: object, policy: Policy | None = None) -> Made:
    session = ClaimSession.open(WORLD, LENGTH, policy or Policy())
    for move in moves:
        if move == "perform":
            session, _ = session.perform(next(offer.call for offer in session.offered if offer.answers))
        elif move == "list":
            session, _ = session.perform(next(o.call for o in session.offered if o.call.name == "list_sources"))
        elif move == "stop":
            session, _ = session.stop("tokens")
        elif move == "stray":
            session, _ = session.navigation_failure("no_choice", "open the pod bay doors")
        elif isinstance(move, Malformed):
            session, _ = session.submit(move, "well, 5?")
        else:
            session, _ = session.submit(AssertValue(move))
    found = record_session(session, Proposer("a test"))
    return Made(found.receipt, tuple(found.private))


SESSIONS = [
    pytest.param(("6", "list", "perform", "5"), id="repaired"),
    pytest.param((Malformed("parse.json"), 1.5, 10**40, "5"), id="after words and numbers"),
    pytest.param(("5",), id="unaided"),
    pytest.param(("list", "5"), id="another operation"),
    pytest.param(("6", "7", "8", "9"), id="attempts"),
    pytest.param(("6", 1.5, "6"), id="repeated"),
    pytest.param(("6", "perform", "stop"), id="stopped"),
    pytest.param((Malformed("parse.json"), "stray"), id="strayed"),
    pytest.param((Malformed("proposal.shape"), "x" * 6000, "stop"), id="an object beyond the bytes of a proposal"),
]


@pytest.mark.parametrize("moves", SESSIONS)
def test_sessions_re_derive(moves: tuple[object, ...]) -> None:
    made = session_of(*moves)
    private = reader(made.private)
    assert answers(made.line, packs=(WORLD,), private=private)["re-derives"] == "yes same"
    assert answers(made.line, private=private)["re-derives"] == "yes same"


def test_what_a_policy_refused_is_taken_over() -> None:
    made = session_of("5", "perform", "5", policy=Policy(require_derivation=True))
    assert made.document["predicate"]["trajectory"][0]["code"] == "proposal.not_derived"
    assert answers(made.line, packs=(WORLD,), private=reader(made.private))["re-derives"] == "yes same"


def test_an_operation_that_no_card_offers_is_told() -> None:
    document = session_of("perform", "5").document
    for place in (document["predicate"]["trajectory"][0], document["predicate"]):
        key = "call" if "call" in place else "derived_by"
        place[key] = "reveal(entity=p:A)"
    found = answers(signed(document), packs=(WORLD,))
    assert found["re-derives"] == "no contradiction"


def test_an_aided_claim_is_not_unaided_nor_the_other_way() -> None:
    aided, unaided = session_of("perform", "5").document, session_of("list", "5").document
    aided["predicate"] |= {"how": "unaided", "derived_by": ""}
    call = unaided["predicate"]["trajectory"][0]["call"]
    unaided["predicate"] |= {"how": "derived", "derived_by": call}
    for document in (aided, unaided):
        assert answers(signed(document), packs=(WORLD,))["re-derives"] == "no differs"


# Persons

PERSON = "patient:4711"
WARD = RowSnapshot(
    [fact(PERSON, "age", "42"), fact(PERSON, "friend", "patient:4712")],
    [source("s")],
    [prop("age", "integer"), prop("friend", "identifier", prefix="patient")],
    (),
    [Alias("name:Mary", PERSON, "alias", "s", "bytes=0-1")],
    [Namespace("patient", "exact", (), "", "", "", private=True)],
)


@pytest.mark.parametrize(
    ("name", "proposal"),
    [("age", '{"state":"VALUE","value":"42"}'), ("age", '{"state":"VALUE","value":"43"}'),
     ("friend", '{"state":"VALUE","value":"patient:4712"}'), ("friend", '{"state":"NO_ENTITY"}')],
)  # fmt: skip
def test_a_persons_claim_re_derives_only_for_who_has_the_private_files(name: str, proposal: str) -> None:
    made = decided(Task("value", Selector("name:Mary", name)), proposal, WARD)
    assert b"patient:471" not in made.line
    assert b"Mary" not in made.line
    assert answers(made.line, packs=(WARD,))["re-derives"] == "not possible private"
    assert answers(made.line)["re-derives"] == "not possible no_pack"
    assert answers(made.line, private=reader(made.private))["re-derives"] == "yes same"
    assert answers(made.line, private=reader(made.private), packs=(WARD,))["re-derives"] == "yes same"


def test_equal_claims_on_a_person_cannot_be_linked_by_their_evidence() -> None:
    task = Task("value", Selector(PERSON, "age"))
    digests = {
        decided(task, '{"state":"VALUE","value":"42"}', WARD).document["predicate"]["private"]["evidence_sha256"]
        for _ in range(3)
    }
    assert len(digests) == 3


# Current


def test_current_is_relative_to_the_pack_that_is_given() -> None:
    same = RowSnapshot(
        [fact("p:A", "version", "2"), fact("p:B", "version", "3")], [source("s")], [prop("version", "integer")]
    )
    asked = Task("value", Selector("p:A", "version"))
    for proposal, right, other in (
        ('{"state":"VALUE","value":"2"}', "yes stands", "no no_longer"),
        ('{"state":"VALUE","value":"9"}', "yes stands", "no no_longer"),
    ):
        made = decided(asked, proposal)
        private = reader(made.private)
        assert answers(made.line)["current"] == "unknown nothing_given"
        assert answers(made.line, packs=(WORLD,))["current"] == "yes same_pack"
        assert answers(made.line, packs=(same,), private=private)["current"] == right
        changed = RowSnapshot([fact("p:A", "version", "9")], [source("s")], [prop("version", "integer")])
        assert answers(made.line, packs=(changed,), private=private)["current"] == other
        assert answers(made.line, packs=(same, changed))["current"] == "unknown other_pack"
    made = decided(asked, '{"state":"VALUE","value":"9"}')
    private = reader(made.private)
    assert answers(made.line, packs=(same,))["current"] == "unknown private"
    assert answers(made.line, packs=(same,), private=private)["re-derives"] == "yes same"
    accepted = decided(asked, '{"state":"VALUE","value":"2"}').line
    assert answers(accepted, packs=(same,))["re-derives"] == "not possible other_pack"
    silent = RowSnapshot([fact("p:A", "x", "2")], [source("s")], [prop("x", "integer"), prop("version", "category")])
    assert answers(accepted, packs=(silent,))["current"].startswith("no ")


# Tampering: any field of the payload


def leaves(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document that holds no other."""
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, item in items:
        if isinstance(item, (dict, list)) and item:
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key)


def put(document: Any, path: tuple[Any, ...], item: object) -> Any:
    """The document with something else at the place."""
    copy = json.loads(canonical(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = item
    return copy


def other(item: object) -> object:
    """Something else of the same type."""
    if isinstance(item, bool):
        return not item
    if isinstance(item, int):
        return item + 1
    if isinstance(item, str):
        if len(item) == 64:
            return ("0" if item[0] != "0" else "1") + item[1:]
        return {"recorded": "hashed", "hashed": "recorded"}.get(item, item + "x")
    return "x"


# What no evidence can say: spec/receipt.md §10.
TAKEN_OVER = {"proposer", "verifier"}
MADE = {
    "accepted": session_of("6", "perform", "5"),
    "rejected": decided(LENGTH, SIX),
    "unresolved": session_of("6", "7", "8", "9"),
}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param(name, path, id=f"{name} {'.'.join(map(str, path))}")
        for name, made in MADE.items()
        for path in leaves(made.document)
    ],
)
def test_any_changed_field_is_noticed(name: str, path: tuple[Any, ...]) -> None:
    made = MADE[name]
    found: Any = made.document
    for key in path:
        found = found[key]
    document = put(made.document, path, other(found))
    more: dict[str, Any] = {"packs": (WORLD,), "private": reader(made.private)}
    try:
        by_owner, by_stranger = signed(document), seal(canonical(document), EVE)
        read_line(by_owner)
    except Exception:  # noqa: BLE001 -- it is no Statement any more, and nobody reads it
        return
    # A stranger's signature shows, whatever was changed; under the old one nothing can be.
    assert answers(by_stranger, **more)["authentic"] == "unknown unknown_key"
    kept = json.loads(by_owner) | {"signatures": json.loads(seal(made.line, ALICE))["signatures"]}
    assert answers(canonical(kept), **more)["authentic"] == "no bad_signature"
    facts = answers(by_owner, **more)
    assert facts["authentic"] == "yes trusted"
    if set(path) & TAKEN_OVER or path[-1] == "opened" or (path == ("predicate", "code") and name == "unresolved"):
        return
    if path[-1] == "evidence_sha256" and name != "accepted":
        # Salted: nobody can make it again, and the file of it is not found; then it is the pack alone that says yes.
        del more["packs"]
        facts = answers(by_owner, **more)
    assert not facts["re-derives"].startswith("yes"), "the owner of the key cannot say it either"


def test_an_added_field_is_told() -> None:
    document = MADE["accepted"].document
    document["predicate"]["verdict"] = "ACCEPT"
    assert answers(signed(document), packs=(WORLD,))["re-derives"] == "no differs"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"outcome": "accepted"}, "no contradiction"),
        ({"outcome": "certainly"}, "no contradiction"),
        ({"trajectory": []}, "no contradiction"),
        ({"trajectory": [1]}, "no contradiction"),
        ({"trajectory": [{"step": "dance"}]}, "no contradiction"),
        ({"trajectory": [{"step": "submit", "asserted": "PERHAPS", "code": "value.not_equal"}]}, "no contradiction"),
        ({"trajectory": [{"step": "submit", "asserted": "VALUE", "code": 1}]}, "no contradiction"),
        ({"task": {"class": "magic"}}, "no contradiction"),
        ({"task": {"class": "category", "entity": "p:A", "property": "length"}}, "no contradiction"),
        ({"task": "x"}, "no contradiction"),
        ({"snapshot": {}}, "no contradiction"),
        ({"code": "value.off_grid"}, "no contradiction"),
    ],
)  # fmt: skip
def test_what_is_no_claim_is_a_finding_and_no_error(change: dict[str, object], word: str) -> None:
    document = MADE["rejected"].document
    document["predicate"] |= change
    assert answers(signed(document), packs=(WORLD,), private=reader(MADE["rejected"].private))["re-derives"] == word


def test_private_files_that_are_none_or_anothers_are_told() -> None:
    made = MADE["rejected"]
    other_task = decided(TASKS["boolean"][0], '{"state":"VALUE","value":"false"}')
    document = made.document
    document["predicate"]["private"] = other_task.document["predicate"]["private"]
    assert answers(signed(document), private=reader(other_task.private))["re-derives"] == "no differs"
    junk = b"{}"
    for name in ("evidence", "withheld"):
        document = made.document
        document["predicate"]["private"][f"{name}_sha256"] = (
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        )
        found = answers(signed(document), private=reader([*made.private, junk]))
        assert found["re-derives"] == "no contradiction"
    document = made.document
    document["predicate"]["snapshot"]["digest"] = "sha256:" + "0" * 64
    assert answers(signed(document), private=reader(made.private))["re-derives"] == "no contradiction"


def test_a_checker_that_says_yes_to_everything_may_say_nothing() -> None:
    document = MADE["accepted"].document
    with pytest.raises(Fault, match="lets a forged receipt pass"):
        claims.rederive(document, (WORLD,), None, lambda *_: [])


def test_a_receipt_of_before_is_read() -> None:
    document = MADE["accepted"].document
    del document["predicate"]["private"]
    assert answers(signed(document), packs=(WORLD,))["re-derives"] == "yes same"


def test_no_fact_tells_a_withheld_value() -> None:
    made = decided(LENGTH, '{"state":"VALUE","value":"918273"}')
    for private in (None, reader(made.private)):
        found = recheck(read_line(made.line), given(packs=(WORLD,), private=private))
        assert "918273" not in repr(found)
    tampered = made.document
    tampered["predicate"]["established_commitment"] = "0" * 64
    found = recheck(read_line(signed(tampered)), given(packs=(WORLD,), private=reader(made.private)))
    assert found["re-derives"].answer is Answer.NO
    assert "918273" not in repr(found)


def test_where_documents_differ_is_told_by_path() -> None:
    assert differences({"a": [1, {"b": 2}], "c": 1}, {"a": [1, {"b": 3}], "d": 1}) == ["a[1].b", "c", "d"]
    assert differences({"a": [1]}, {"a": [1, 2]}) == ["a"]
    assert differences({"a": 1}, {"a": True}) == ["a"]
