"""Random tasks, sensible or not: a state or InvalidTask, the same again from the derivation, its spelling accepted."""

from __future__ import annotations

import random

import pytest
from tests.floor.test_oracle_classes import SNAPSHOT

from assay.floor.oracle import establish, re_establish
from assay.floor.settle import spell
from assay.floor.task import (
    DERIVATIONS,
    RELATIONS,
    TASK_CLASSES,
    Around,
    Given,
    GivenInterval,
    Selector,
    Task,
)
from assay.kernel.errors import InvalidTask
from assay.kernel.kinds import Decimals, Significant
from assay.kernel.states import AssertValue, Determined
from assay.kernel.verdict import ACCEPT
from assay.kernel.verify import verify

ENTITIES = [row.entity for row in SNAPSHOT.fact_rows] + [row.alias for row in SNAPSHOT.alias_rows]
PROPERTIES = [row.property for row in SNAPSHOT.property_rows]
UNITS = [row.unit for row in SNAPSHOT.unit_rows]


def _maybe(rng: random.Random, words: tuple[str, ...] | list[str], chance: float) -> str:
    return rng.choice(words) if rng.random() < chance else ""


def _selector(rng: random.Random) -> Selector:
    return Selector(
        rng.choice(ENTITIES),
        rng.choice(PROPERTIES),
        _maybe(rng, ("2", "G", "C"), 0.2),
        _maybe(rng, ("mature",), 0.1),
        _maybe(rng, ("red", "white"), 0.1),
        _maybe(rng, ("average",), 0.3),
        _maybe(rng, ("measured", "stated"), 0.1),
        tuple(rng.sample(["s", "t", "r1", "r2"], rng.choice([0, 0, 0, 1, 2]))),
    )


def _task(rng: random.Random) -> Task:
    selector, given = _selector(rng), Given(rng.choice(["1", "-3.5", "1e300"]), _maybe(rng, UNITS, 0.5))
    bounds = GivenInterval(
        rng.choice([None, "1"]),
        rng.choice([None, "5"]),
        lo_closed=False,
        hi_closed=False,
        unit=_maybe(rng, UNITS, 0.5),
    )
    around = Around(_selector(rng), rng.choice(["0", "1", "2.5"]))
    subjects: list[Selector | Given | Around] = [selector, selector, selector, given, around]
    return Task(
        rng.choice(TASK_CLASSES),
        rng.choice(subjects),
        rng.choice([None, _selector(rng), given, bounds, around]),
        _maybe(rng, RELATIONS, 0.3),
        _maybe(rng, DERIVATIONS, 0.6),
        _maybe(rng, UNITS, 0.3),
        rng.choice([None, None, Decimals(2), Significant(3)]),
        rng.choice(["2", "0", "1.5"]),
        central=rng.random() < 0.2,
        uncertainty=rng.random() < 0.1,
    )


@pytest.mark.parametrize("seed", range(4))
def test_any_task_has_a_state_that_its_derivation_gives_again(seed: int) -> None:
    rng = random.Random(seed)
    determined = 0
    for _ in range(4_000):
        try:
            established = establish(SNAPSHOT, _task(rng))
        except InvalidTask:
            continue
        # Also what was looked up only to check the task is in the derivation.
        assert re_establish(established) == established.state
        if isinstance(established.state, Determined):
            raw = spell(established.state.value, established.task.unit)
            assert verify(established.kind, established.state, AssertValue(raw)) == ACCEPT
            determined += 1
    assert determined > 10
