"""The kit against the Linux back-end: level A as whoever runs the tests; other users, and level B, beside them."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.sandbox.test_probe import isolation

from assay.sandbox.base import Ending, Level, Limits, Printed, RunReport, Usage
from assay.sandbox.conformance import (
    Attack,
    Canaries,
    attempt,
    codec_source,
    judge,
    left_over,
    main,
    read_attacks,
    surroundings,
)
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.opening import open_slot

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "data" / "attacks" / name for name in ("sandbox.toml", "controls.toml")]
ATTACKS = [attack for path in FILES for attack in read_attacks(path)]
NOBODY = 65_534
SYSTEM_PYTHON = Path("/usr/bin/python3")


@pytest.fixture(scope="module")
def slot() -> Iterator[LinuxSlot]:
    with open_slot(codec_source()) as opened:
        yield opened


@pytest.fixture(scope="module")
def canaries() -> Iterator[Canaries]:
    found = Canaries()
    yield found
    found.close()


@pytest.mark.parametrize("attack", [pytest.param(attack, id=attack.name) for attack in ATTACKS])
def test_level_a_holds(attack: Attack, slot: LinuxSlot, canaries: Canaries) -> None:
    outcome = attempt(slot, attack, canaries)
    assert outcome.right, (outcome.word, outcome.detail)


def kit(level: str, *, python: Path | None = None, user: int | None = None, only: str = "") -> dict[str, Any]:
    """Return what the kit prints when another user runs it; the process ends by itself or with this test."""
    command = [str(python or sys.executable), "-B", "-m", "assay.sandbox.conformance", "--level", level]
    command += ["--only", only] if only else []
    run = subprocess.run(
        [*command, *map(str, FILES)],
        env={"PYTHONPATH": str(ROOT / "src"), "LC_ALL": "C.UTF-8"},
        cwd="/",
        user=user,
        group=user,
        extra_groups=[] if user is not None else None,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.stdout, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def complete(found: dict[str, Any]) -> bool:
    return bool(found["held"] == found["tried"] > 0 and not found["wrong"] and not found["left"])


def _system_python_is_new_enough() -> bool:
    try:
        program = "import sys; sys.exit(sys.version_info < (3, 11))"
        return subprocess.run([SYSTEM_PYTHON, "-c", program], check=False).returncode == 0
    except OSError:
        return False


as_plain_user = pytest.mark.skipif(
    os.geteuid() != 0 or not _system_python_is_new_enough(),
    reason="to become a plain user takes root, and an interpreter of at least 3.11 outside of a private folder",
)


@as_plain_user
def test_level_a_holds_for_a_plain_user() -> None:
    found = kit("A", python=SYSTEM_PYTHON, user=NOBODY, only="quick")
    assert complete(found), found
    assert found["uid"] == NOBODY


@as_plain_user
def test_level_b_holds_for_a_plain_user() -> None:
    found = kit("B", python=SYSTEM_PYTHON, user=NOBODY, only="quick")
    assert complete(found), found
    assert found["level"] == "B"


@pytest.mark.slow
@as_plain_user
@pytest.mark.parametrize("level", ["A", "B"])
def test_every_attack_is_held_for_a_plain_user(level: str) -> None:
    found = kit(level, python=SYSTEM_PYTHON, user=NOBODY)
    assert complete(found), found


@pytest.mark.slow
@as_plain_user
def test_every_attack_is_held_at_level_b_for_root() -> None:
    found = kit("B", python=SYSTEM_PYTHON)
    assert complete(found), found


@pytest.mark.slow
def test_every_attack_is_held_at_level_a_in_the_second_interpreter(canaries: Canaries) -> None:
    before = surroundings()
    with open_slot(codec_source()) as slot:
        wrong = [outcome for attack in ATTACKS if not (outcome := attempt(slot, attack, canaries, again=True)).right]
    assert wrong == []
    assert left_over(before) == {}


def test_a_slot_leaves_nothing_behind(canaries: Canaries) -> None:
    before = surroundings()
    with open_slot(codec_source(), Level.A) as slot:
        attempt(slot, ATTACKS[0], canaries)
        assert set(left_over(before)) == {"processes"}
    assert left_over(before) == {}


def test_the_kit_fails_a_back_end_that_holds_nothing() -> None:
    class Nothing:
        """Says of every attack that it went through."""

        def run(self, *_: object, **__: object) -> RunReport:
            return RunReport((Printed(0, b"open", b""),), Usage(), Ending(), isolation())

        def close(self) -> None:
            """Has nothing to close."""

    canaries = Canaries()
    try:
        assert not any(attempt(Nothing(), attack, canaries).right for attack in ATTACKS if attack.ends == {"held"})
    finally:
        canaries.close()


def test_a_canary_that_was_touched_is_no_hold() -> None:
    class Talkative:
        """Reaches the judge's port and says that all is well."""

        def run(self, *_: object, **__: object) -> RunReport:
            with socket.socket(socket.AF_UNIX) as mine:
                mine.connect("\0" + canaries.name)
            return RunReport((Printed(0, b"", b""),), Usage(), Ending(), isolation())

        def close(self) -> None:
            """Has nothing to close."""

    canaries = Canaries()
    try:
        attack = Attack("x", "network", "", frozenset({"held"}), Limits(), prints="")
        assert judge(attack, Talkative().run()).right
        canaries.touched()
        outcome = attempt(Talkative(), attack, canaries)
        assert not outcome.right
        assert "abstract" in outcome.detail
    finally:
        canaries.close()


def test_the_kit_is_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--level", "A", "--only", "program-input", str(FILES[1])]) == 0
    assert json.loads(capsys.readouterr().out)["held"] == 1
