"""`assay ask --model none`: a person walks a claim at a prompt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.api import wiring
from assay.interfaces.cli.ask import by_model
from assay.interfaces.cli.person import wire_text
from assay.interfaces.cli.steps import outcome_line, step_lines
from assay.kernel.kinds import BooleanKind, IntegerKind, IntervalKind, Kind, QuantityKind, Unit
from assay.ledger.log import lines
from assay.models.scripted import ScriptedModel
from assay.runtime.repair import UNLIMITED
from assay.runtime.session import DEFAULT
from assay.runtime.trace import Accepted, Closed, Unresolved
from assay.wire.tasks import parse_task

ARCHES = '{"class":"value","entity":"bridge:mill","property":"arches"}'
TWO_SIDES = (
    '{"class":"compare","left":{"entity":"bridge:mill","property":"arches"},'
    '"right":{"entity":"bridge:station","property":"arches"}}'
)


@pytest.fixture
def walk(call: Any, tmp_path: Path) -> Any:
    """Call the command with a person's lines."""

    def walker(*said: str, task: str = ARCHES, more: tuple[str, ...] = ()) -> Any:
        arguments = ("ask", "--model", "none", "--pack", "minimal", "--receipts", str(tmp_path), task, *more)
        return call(*arguments, stdin="".join(f"{line}\n" for line in said).encode())

    return walker


def kept(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line)["predicate"] for line in lines(tmp_path / "receipts.jsonl")]


def test_a_person_is_wrong_looks_and_is_right(walk: Any, tmp_path: Path) -> None:
    found = walk("4", "do 4", "3")
    assert found.code == 0
    assert found.out.splitlines()[-8:] == [
        "  proposes 4  ✗ value.not_equal: this value does not follow from the pinned evidence",
        "attempts left: 3, operations left: 6",
        "  performs read_value(entity=bridge:mill, property=arches)",
        "       finds 3",
        "attempts left: 3, operations left: 5",
        "  proposes 3  ✓ accepted",
        "accepted: derived by read_value",
        f"receipt: {tmp_path / 'receipts.jsonl'} (unsigned)",
    ]
    (predicate,) = kept(tmp_path)
    assert (predicate["how"], predicate["proposer"]["name"]) == ("derived", "a person")


def test_the_first_card_lists_what_can_be_done(walk: Any) -> None:
    found = walk()
    assert "  4  read_value(entity=bridge:mill, property=arches): the value of a property" in found.out
    assert "     NO_ENTITY: the entity is not in the evidence" in found.out


def test_a_lucky_answer_is_unaided(walk: Any) -> None:
    assert walk("3").out.splitlines()[-2] == "accepted: unaided, no operation had returned it"


@pytest.mark.parametrize("said", [(), ("",), ("4", "")])
def test_to_stop_is_a_navigation_failure(walk: Any, tmp_path: Path, said: tuple[str, ...]) -> None:
    found = walk(*said)
    assert found.code == 3
    assert "navigation failure: no proposal; nothing was accepted" in found.out
    assert kept(tmp_path)[-1]["outcome"] == "navigation_failure"


def test_the_same_wrong_answer_twice_ends_it(walk: Any) -> None:
    found = walk("4", " 4 ", "3")
    assert found.code == 3
    assert "unresolved: the same answer was proposed twice; nothing was accepted" in found.out


def test_an_operation_may_be_called_by_its_name(walk: Any) -> None:
    assert walk("read_value", "3").code == 0
    assert walk("read_value(entity=bridge:mill, property=arches)", "3").code == 0


def test_a_slip_of_a_number_or_an_unclear_name_costs_nothing(walk: Any, tmp_path: Path) -> None:
    found = walk("do 77", "read_value", "compare_values", "CONFLICT_NOT_RESOLVED", task=TWO_SIDES)
    assert found.code == 0
    assert "there is no operation 77" in found.out
    assert "several operations have this name; type `do N`" in found.out
    (predicate,) = kept(tmp_path)
    assert (predicate["attempts"], predicate["operations"], predicate["how"]) == (1, 1, "derived")


def test_limits_are_options(walk: Any) -> None:
    assert "unresolved: no attempts left" in walk("4", more=("--attempts", "1")).out
    found = walk("do 1", "3", more=("--operations", "0"))
    assert "there is no operation 1" in found.out
    found = walk("3", "read_value", "3", more=("--require-derivation",))
    assert "✗ proposal.not_derived" in found.out
    assert found.code == 0
    found = walk("do 1", "do 1", "do 1", more=("--operations", "1"))
    assert "no operation is left; propose, or stop" in found.out


def test_json_is_an_event_a_line_and_prompts_stand_elsewhere(walk: Any) -> None:
    found = walk("4", "do 1", "3", more=("--json",))
    assert [document["event"] for document in found.documents] == ["submitted", "performed", "submitted", "ended"]
    assert found.documents[-1]["outcome"] == "accepted"
    assert "type an answer" in found.err


def test_several_tasks_are_walked_in_turn(walk: Any, tmp_path: Path) -> None:
    found = walk("3", "", more=(ARCHES.replace("mill", "station"),))
    assert found.code == 3
    assert [predicate["outcome"] for predicate in kept(tmp_path)] == ["accepted", "navigation_failure"]


def test_a_model_walks_several_claims_and_learns_how(capsys: pytest.CaptureFixture[str]) -> None:
    drive = by_model(ScriptedModel(["4", "read_value", "3", "read_value", "3"]), DEFAULT, UNLIMITED, as_json=False)
    pack, task = wiring.open_pack("minimal"), parse_task(ARCHES)
    for _ in range(2):
        assert isinstance(drive(pack, task).outcome, Accepted)
    assert capsys.readouterr().out.count("proposes 4") == 1


def test_a_model_file_that_is_missing_is_bad_input_in_one_line(call: Any, tmp_path: Path) -> None:
    found = call("ask", "--gguf", str(tmp_path / "gone.gguf"), ARCHES)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)


UNITS = (("mm", Unit((1, 1000))), ("m", Unit()))


@pytest.mark.parametrize(
    ("kind", "said", "wire"),
    [
        pytest.param(IntegerKind(), "142", {"state": "VALUE", "value": "142"}, id="a word is a text"),
        pytest.param(IntegerKind(), "NO_ENTITY", {"state": "NO_ENTITY"}, id="an abstention"),
        pytest.param(BooleanKind(), "true", {"state": "VALUE", "value": True}, id="a boolean"),
        pytest.param(BooleanKind(), "True", {"state": "VALUE", "value": "True"}, id="no other spelling of it"),
        pytest.param(QuantityKind(UNITS), "9.0 mm", {"state": "VALUE", "value": {"n": "9.0", "unit": "mm"}}, id="unit"),
        pytest.param(
            QuantityKind(UNITS, uncertainty=True),
            "9.0 ± 0.1 mm",
            {"state": "VALUE", "value": {"n": "9.0", "u": "0.1", "unit": "mm"}},
            id="uncertainty",
        ),
        pytest.param(QuantityKind(UNITS), "9.0", {"state": "VALUE", "value": "9.0"}, id="a number without its unit"),
        pytest.param(
            IntervalKind(IntegerKind()),
            '{"lo":"1","hi":null,"lo_closed":true,"hi_closed":false}',
            {"state": "VALUE", "value": {"lo": "1", "hi": None, "lo_closed": True, "hi_closed": False}},
            id="an interval as JSON",
        ),
        pytest.param(IntegerKind(), "[1,", {"state": "VALUE", "value": "[1,"}, id="broken JSON is a text"),
    ],
)
def test_what_a_person_types_becomes_a_proposal(kind: Kind, said: str, wire: object) -> None:
    assert json.loads(wire_text(kind, said)) == wire


HOSTILE = [
    pytest.param(b"[" * 100_000, "parse.too_long", id="brackets beyond every bound"),
    pytest.param(b"[" * 4000, "parse.depth", id="brackets within it"),
    pytest.param(b"[" * 500 + b"]" * 500, "parse.depth", id="closed brackets"),
    pytest.param(b'{"a":' * 500 + b"1" + b"}" * 500, "parse.depth", id="objects"),
    pytest.param(b'{"state":"VALUE","value":"\xff"}', "parse.encoding", id="a byte that is no text in a proposal"),
    pytest.param(b"\xff", "parse.surrogate", id="a byte that is no text"),
    pytest.param(b"[\xff]", "parse.surrogate", id="one in brackets"),
    pytest.param(b'{"n":1,"n":3}', "parse.duplicate_key", id="a key twice"),
    pytest.param(b"[" + b"9" * 5000 + b"]", "parse.too_long", id="digits"),
    pytest.param(b"[" + b"9" * 4000 + b"]", "value.type", id="fewer digits"),
    pytest.param(b"+-" * 600_000, "parse.too_long", id="a line beyond the bound"),
]


@pytest.mark.parametrize(("said", "code"), HOSTILE)
def test_what_is_typed_is_at_worst_a_malformed_proposal(call: Any, tmp_path: Path, said: bytes, code: str) -> None:
    arguments = ("ask", "--model", "none", "--pack", "minimal", "--receipts", str(tmp_path), ARCHES)
    found = call(*arguments, stdin=said + b"\n3\n")
    assert (found.code, found.out.count("✗"), found.out.count("✓")) == (0, 1, 1)
    assert code in found.out


def test_a_byte_that_is_no_text_is_a_malformed_proposal_in_the_plain_locale(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "assay.interfaces.cli", "ask", "--model", "none", "--pack", "minimal"]
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    said = b'{"state":"VALUE","value":"\xff"}\n3\n'
    found = subprocess.run(
        [*command, "--receipts", str(tmp_path), ARCHES], input=said, capture_output=True, check=False, env=plain
    )
    assert (found.returncode, b"parse.encoding" in found.stdout) == (0, True)


def test_negative_zero_typed_in_a_list_stays_negative_zero() -> None:
    assert json.loads(wire_text(IntegerKind(), "[-0]"))["value"] == ["-0"]


def test_a_whole_proposal_is_taken_as_it_stands() -> None:
    said = '{"state":"VALUE","state":"VALUE","value":142}'
    assert wire_text(IntegerKind(), said) == said


def test_what_changes_nothing_has_no_line() -> None:
    assert list(step_lines(Closed(Unresolved("attempts")))) == []


def test_every_end_has_its_sentence() -> None:
    for reason in ("attempts", "operations", "repeated", "require_derivation", "tokens", "seconds"):
        assert outcome_line(Unresolved(reason)).endswith("; nothing was accepted")
