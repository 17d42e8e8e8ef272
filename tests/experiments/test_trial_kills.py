"""A trial whose processes are killed: it goes on, nothing is lost or counted twice, and nothing is left behind."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest
from tests.support import kill_world as world

from assay.api.examining import examine
from assay.experiments.trials.run import Files
from assay.experiments.trials.store import SUMMARY
from assay.sandbox.base import Level

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or examine().best is not Level.A,
    reason="level A is not reached here; `assay sandbox doctor` says why",
)


def undisturbed(folder: Path, given: Files, *, is_command: bool) -> world.Trial:
    trial = world.Trial(given, folder / "undisturbed", folder / "temporary", is_command)
    trial.begin()
    assert trial.end() == 0, trial.log
    return trial


def equals(found: world.Trial, wanted: world.Trial) -> None:
    """The same line for each task, each once; and so the same figures."""
    assert found.verdicts() == wanted.verdicts()
    assert json.loads((found.out / SUMMARY).read_bytes()) == json.loads((wanted.out / SUMMARY).read_bytes())
    assert {one.name for one in found.out.iterdir()} == {one.name for one in wanted.out.iterdir()}


def test_killing_one_of_each_kind_changes_no_verdict_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    with world.nothing_left(tmp_path / "temporary"):
        given = world.files(tmp_path, 30, hanging=False)
        wanted = undisturbed(tmp_path, given, is_command=True)
        kills = 0
        for number in range(5):
            # A trial may be over before its last kill: the rest is for another.
            trial = world.Trial(given, tmp_path / f"out{number}", tmp_path / "temporary", is_command=True)
            kills += world.disturb(trial, world.ROLES[kills:], random.Random(5))
            assert trial.end() == 0, trial.log
            equals(trial, wanted)
            if kills == len(world.ROLES):
                break
    assert kills == len(world.ROLES)


@pytest.mark.slow
def test_fifty_kills_at_random_change_no_verdict_and_leave_nothing(tmp_path: Path) -> None:
    chance = random.Random(50)
    (tmp_path / "temporary").mkdir()
    kills = 0
    with world.nothing_left(tmp_path / "temporary"):
        given = world.files(tmp_path, 60, hanging=True)
        wanted = undisturbed(tmp_path, given, is_command=False)
        for number in range(20):
            trial = world.Trial(given, tmp_path / f"out{number}", tmp_path / "temporary")
            kills += world.disturb(trial, chance.choices(world.ROLES, k=50 - kills), chance)
            assert trial.end() == 0, trial.log
            equals(trial, wanted)
            if kills >= 50:
                break
    assert kills == 50
