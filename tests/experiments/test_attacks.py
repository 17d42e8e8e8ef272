"""Attacks on suites: what is refused on reading and by which code, what the gauge stops, and what is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support import trial_world as world
from tests.support.attack_world import Wrong, bank

from assay.api.attacking import attack
from assay.experiments.attacks.forgeries import ATTEMPTS, HONEST, Ground
from assay.experiments.attacks.leftovers import LEFTOVERS, leave
from assay.experiments.attacks.paper import PAPER
from assay.experiments.attacks.replay import Row, is_stopped, replay, targets
from assay.gate.deliver import Bench
from assay.kernel.errors import InputError
from assay.sandbox import base

READ = {
    "the honest suite, all cases",
    "a case that any value but None satisfies",
    "a case that any number satisfies",
    "a case that any failure satisfies",
    "the first case alone",
    "the first and last case",
    "4,000 hexadecimal digits",
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    found, without = targets(bank(tmp_path_factory.mktemp("bank"), world.task("T/1", visible=[])))
    assert without == 1
    return {row.attempt.name: row for row in replay(found, None, base.Limits(), gauged=0)}


def test_the_results_are_of_these_attempts() -> None:
    """The page and its figures are of the attempts that are made today."""
    folder = Path(__file__).resolve().parents[2] / "docs" / "results"
    found = json.loads((folder / "suite-attacks.json").read_text(encoding="utf-8"))
    page = (folder / "suite-attacks.md").read_text(encoding="utf-8")
    for one in found.values():
        assert [row["attempt"] for row in one["attempts"]] == [attempt.name for attempt in ATTEMPTS]
        assert all(row["tried"] == one["tasks"] for row in one["attempts"])
    for row in found["mbppplus"]["attempts"]:
        assert f"| {row['attempt']} | " in page
        assert all(f"`{code}`" in page for code in row["refused_on_reading"])


def test_every_attempt_has_a_name_of_its_own(rows: dict[str, Row]) -> None:
    assert len(rows) == len(ATTEMPTS)
    assert {attempt.family for attempt in ATTEMPTS} >= {*PAPER, HONEST}


def test_only_what_is_data_is_read(rows: dict[str, Row]) -> None:
    assert {name for name, row in rows.items() if row.read} == READ
    assert is_stopped(list(rows.values()))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a program that passes everything", "suite.raw_code"),
        ("no cases", "suite.empty"),
        ("a case that expects nothing", "suite.expectation"),
        ("code in the preamble that knows the gauge's programs", "suite.preamble"),
        ("a lambda in a literal", "literal.name"),
        ("digests under a key of its own", "suite.unknown_key"),
        ("a function as projection", "suite.projection"),
        ("a program that leaves a marker file", "suite.raw_code"),
        ("a preamble in another encoding", "suite.preamble"),
        ("the name 'exec'", "suite.entry_point_builtin"),
        ("the name '__import__'", "suite.entry_point"),
        ("another function's name", "suite.entry_point_mismatch"),
        ("the task's name with a look-alike letter", "suite.entry_point"),
        ("5,000 hexadecimal digits", "literal.too_large"),
        ("10,000 brackets in a literal", "literal.too_deep"),
    ],
)
def test_the_rule_that_refuses(rows: dict[str, Row], name: str, code: str) -> None:
    assert dict(rows[name].refused) == {code: 1}


def test_a_name_without_look_alikes_is_forged_too() -> None:
    document = {"cases": [{"args": "()"}]}
    built = next(one for one in ATTEMPTS if one.name == "the task's name with a look-alike letter").build
    assert json.loads(built(Ground("fx", document, document)))["entry_point"] == "\uff46x"


def test_what_should_have_been_refused_is_seen() -> None:
    attempt = next(one for one in ATTEMPTS if one.name == "no cases")
    assert not is_stopped([Row(attempt, tried=1, read=1)])


def test_a_bank_without_functions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no task of the bank asks for a function"):
        targets(world.write(tmp_path / "bank.jsonl", world.task("T/0", dialect="stdin", visible=[], hidden=[])))


def test_leftovers_that_are_found_are_told() -> None:
    assert [one.is_contained for one in leave(Bench(Wrong), base.Limits())] == [False] * len(LEFTOVERS)


def test_a_leftover_that_is_found_is_no_good_end(tmp_path: Path) -> None:
    found = attack(bank(tmp_path), gauged=1, opened=Wrong)
    assert not found.holds
    rows = {row.attempt.name: row for row in found.rows}
    assert dict(rows["the honest suite, all cases"].gauge_refused) == {"reference fails": 1}
    assert dict(rows["a case that any failure satisfies"].gauge_refused) == {"stub `nothing` passes": 1}
