"""The book of accepted claims: acceptances only, the latest of a task stands, and what no longer holds is said."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.packs import making
from tests.support.signing_world import ALICE, BOB

from assay import api
from assay.api import logs
from assay.api.book import open_book
from assay.audit.book import book_of
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.receipts.envelope import seal
from assay.receipts.signing import TrustedKey
from assay.receipts.statement import digest_of
from assay.wire.trust import trust_bytes

Tables = making.Tables
ARCHES = {"class": "value", "entity": "bridge:one", "property": "arches"}
LATE = ARCHES | {"entity": "bridge:two"}


def tables(*facts: making.Row, sources: Iterable[making.Row] = ()) -> Tables:
    return {
        "sources": [*(sources or (making.source("old"), making.source("other")))],
        "facts": list(facts),
        "properties": [making.prop("arches", "integer"), making.prop("name", "identifier", cardinality="many")],
    }


def arches(fact_id: str, value: str, source: str = "old", entity: str = "bridge:one") -> making.Row:
    return making.fact(fact_id, entity, "arches", value=value, source=source)


BASE = tables(arches("f1", "3"), arches("f2", "5", entity="bridge:two"))


def pack(folder: Path, content: Tables = BASE) -> Any:
    return api.open_pack(making.write_pack(folder, content))


def receipt(snapshot: Any, task: dict[str, str], proposal: dict[str, Any]) -> bytes:
    return api.verify(snapshot, api.parse_task(json.dumps(task)), json.dumps(proposal)).receipt


def value(text: object) -> dict[str, Any]:
    return {"state": "VALUE", "value": text}


@pytest.fixture
def snapshot(tmp_path: Path) -> Any:
    return pack(tmp_path / "base")


def test_acceptances_are_in_it_and_refusals_are_not(snapshot: Any) -> None:
    lines = [receipt(snapshot, ARCHES, value("4")), receipt(snapshot, ARCHES, value("3")), b"no receipt", b"{}"]
    (claim,) = book_of(lines).standing()
    assert (claim.index, claim.entity, claim.property_name, claim.state, claim.value) == (
        1, "bridge:one", "arches", "VALUE", "3",
    )  # fmt: skip
    assert (claim.how, claim.snapshot, claim.current.word) == ("unaided", snapshot.digest, "unknown")


def test_of_one_task_the_latest_stands_and_every_one_is_shown(snapshot: Any) -> None:
    lines = [receipt(snapshot, ARCHES, value(raw)) for raw in ("3", 3, " 3")]
    book = book_of([*lines, receipt(snapshot, LATE, value("5"))])
    assert [claim.index for claim in book.standing()] == [2, 3]
    assert [(claim.index, claim.replaced_by) for claim in book.of("bridge:one")] == [(0, 2), (1, 2), (2, None)]
    assert book.of("bridge:one", "arches") == book.of("bridge:one")
    assert book.of("bridge:one", "name") == book.of("bridge:three") == ()


@pytest.mark.parametrize(
    ("content", "current"),
    [
        pytest.param(BASE, ("holds", "", ()), id="the same evidence"),
        pytest.param(
            tables(arches("f1", "3"), arches("f3", "3", "other")), ("holds", "", ()), id="a second source that agrees"
        ),
        pytest.param(
            tables(arches("f1", "4")), ("value_changed", "", ()), id="another value"
        ),
        pytest.param(
            tables(arches("f1", "3"), arches("f3", "4", "other")), ("now_conflict", "incompatible", ()), id="a conflict"
        ),
        pytest.param(
            tables(
                arches("f1", "3"), arches("f3", "4", "new"),
                sources=[making.source("old"), making.source("new", supersedes="old")],
            ),
            ("value_changed", "", (("old", "superseded"),)), id="superseded",
        ),
        pytest.param(
            tables(arches("f1", "3"), sources=[making.source("old", status="retracted")]),
            ("now_insufficient", "no_admitted_fact", (("old", "retracted"),)), id="retracted",
        ),
        pytest.param(
            tables(arches("f9", "3", "other", "bridge:two"), sources=[making.source("other")]),
            ("now_no_entity", "unknown", (("old", "gone"),)), id="the entity is gone, and its source",
        ),
    ],
)  # fmt: skip
def test_what_no_longer_holds(tmp_path: Path, snapshot: Any, content: Tables, current: tuple[Any, ...]) -> None:
    book = book_of([receipt(snapshot, ARCHES, value("3"))], snapshot=pack(tmp_path / "now", content))
    (claim,) = book.claims
    assert (claim.current.word, claim.current.reason, claim.current.sources) == current
    assert (claim in book.standing()) is (current[0] == "holds")
    assert (claim in book.fallen()) is (current[0] != "holds")
    assert "4" not in repr(claim.current)  # never what stands now


def test_an_abstention_falls_when_the_evidence_decides(tmp_path: Path, snapshot: Any) -> None:
    empty = pack(tmp_path / "empty", tables(arches("f2", "5", entity="bridge:two")))
    line = receipt(empty, ARCHES, {"state": "NO_ENTITY"})
    assert book_of([line], snapshot=snapshot).claims[0].current.word == "now_value"
    assert book_of([line], snapshot=empty).standing()[0].current.word == "holds"


def test_a_pack_that_cannot_be_asked(tmp_path: Path, snapshot: Any) -> None:
    task = ARCHES | {"release": "old"}
    content = tables(arches("f3", "3", "other"), sources=[making.source("other")])
    (claim,) = book_of([receipt(snapshot, task, value("3"))], snapshot=pack(tmp_path / "now", content)).claims
    assert claim.current.word == "cannot_be_asked"
    assert claim.current.reason.startswith("task.")


def forged(line: bytes, text: str) -> bytes:
    """A receipt of another value that agrees with itself, as who writes a log can write it."""
    document = json.loads(line)
    predicate = document["predicate"]
    predicate["asserted"]["value"] = predicate["established"]["value"] = text
    named = {"task": predicate["task"], "state": "VALUE", "value": text}
    document["subject"][0]["digest"]["sha256"] = digest_of(named)
    return canonical(document)


def test_a_forged_claim_never_followed(snapshot: Any) -> None:
    line = forged(receipt(snapshot, ARCHES, value("3")), "7")
    assert book_of([line], snapshot=snapshot).fallen()[0].current.word == "never_followed"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda d: d["predicate"].update(outcome="rejected"), id="another outcome"),
        pytest.param(lambda d: d["predicate"]["established"].update(value="7"), id="another value"),
        pytest.param(lambda d: d["predicate"]["established"].update(value=7), id="no text"),
        pytest.param(lambda d: d["predicate"].update(established=None), id="nothing established"),
        pytest.param(lambda d: d["predicate"].update(asserted={"state": "NO_ENTITY"}), id="another assertion"),
        pytest.param(lambda d: d["subject"][0].update(name="task"), id="another subject"),
        pytest.param(lambda d: d.update(predicateType="urn:other"), id="another type"),
    ],
)
def test_what_contradicts_itself_is_no_claim(snapshot: Any, change: Any) -> None:
    document = json.loads(receipt(snapshot, ARCHES, value("3")))
    change(document)
    assert book_of([canonical(document)]).claims == ()


NAMES = st.sampled_from(["task", "asserted", "established", "outcome", "facts", "snapshot", "state", "value"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda of: st.lists(of, max_size=3) | st.dictionaries(NAMES, of, max_size=6),
)


@given(ANYTHING)
def test_any_predicate_is_read_or_passed_over(predicate: Any) -> None:
    if isinstance(predicate, dict):
        document = {
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{"name": "claim", "digest": {"sha256": "0" * 64}}],
            "predicateType": "urn:assay:claim-result:v0.1",
            "predicate": predicate | {"outcome": "accepted"},
        }
        assert book_of([canonical(document)]).claims == ()


def test_blanked_identifiers_replace_none_and_their_claims_are_not_decided(tmp_path: Path) -> None:
    content = tables(arches("f1", "3"), arches("f2", "3", entity="bridge:two"))
    content["namespaces"] = [making.row("namespaces", namespace="bridge", case="exact", private="yes")]
    hidden = pack(tmp_path / "hidden", content)
    lines = [receipt(hidden, ARCHES, value("3")), receipt(hidden, LATE, value("3"))]
    assert b"bridge:one" not in lines[0]
    book = book_of(lines, snapshot=hidden)
    assert [(claim.stands, claim.current.word, claim.current.reason) for claim in book.claims] == [
        (True, "unknown", "private"),
        (True, "unknown", "private"),
    ]


def standing(lines: list[bytes]) -> set[tuple[str, str]]:
    return {(claim.entity, claim.value) for claim in book_of(lines).standing()}


def test_refusals_never_change_what_stands(snapshot: Any) -> None:
    """Adding, dropping or reordering refusals changes nothing; nothing added makes a refusal a claim."""
    yes = [receipt(snapshot, ARCHES, value("3")), receipt(snapshot, LATE, value("5"))]
    no = [receipt(snapshot, ARCHES, value(text)) for text in ("4", "9")]
    assert standing(yes) == standing([no[0], *yes, no[1]]) == standing([*yes[::-1], *no]) == {
        ("bridge:one", "3"), ("bridge:two", "5"),
    }  # fmt: skip
    assert standing(no) == set()


@pytest.fixture
def log(tmp_path: Path, snapshot: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "receipts"
    logs.begin(folder, "example.org/log", ALICE)
    api.keep(folder, receipt(snapshot, ARCHES, value("3")), ALICE)
    return folder


def trust(tmp_path: Path, *keys: TrustedKey) -> Path:
    (tmp_path / "trust.json").write_bytes(trust_bytes(keys))
    return tmp_path / "trust.json"


def test_without_a_trust_file_everything_counts(log: Path) -> None:
    (claim,) = open_book(log).standing()
    assert claim.signed_by == ()


def test_with_one_only_counted_signatures_stand(tmp_path: Path, log: Path, snapshot: Any) -> None:
    alice = trust(tmp_path, TrustedKey(ALICE.public, "alice"))
    book = open_book(log, snapshot, alice)
    assert [claim.signed_by for claim in book.standing()] == [("alice",)]
    book = open_book(log, snapshot, trust(tmp_path, TrustedKey(BOB.public, "bob")))
    assert (book.claims, book.left_out) == ((), 1)


def test_an_unsigned_receipt_is_left_out_where_there_is_trust(tmp_path: Path, snapshot: Any) -> None:
    folder = tmp_path / "unsigned"
    api.keep(folder, receipt(snapshot, ARCHES, value("3")))
    assert open_book(folder, None, trust(tmp_path, TrustedKey(ALICE.public, "alice"))).left_out == 1


def test_the_pack_may_be_named(log: Path, tmp_path: Path) -> None:
    assert open_book(log, tmp_path / "base").standing()[0].current.word == "holds"


def test_a_log_that_does_not_verify_has_no_book(log: Path, snapshot: Any) -> None:
    path = log / "receipts.jsonl"
    path.write_bytes(seal(forged(receipt(snapshot, ARCHES, value("3")), "7"), ALICE) + b"\n")
    with pytest.raises(InputError) as caught:
        open_book(log)
    assert caught.value.code == "claims.log"
