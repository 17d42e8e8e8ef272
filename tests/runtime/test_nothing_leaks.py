"""Cards and codes tell nothing of what the evidence says (spec/card.md §1; docs/adr/0006)."""

from __future__ import annotations

import json
import logging
import random
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source
from tests.support.world import NAMESPACES, PROPERTIES, UNITS, WORLD, asks

from assay.floor.answers import selectors
from assay.floor.cards import card_document, card_lines
from assay.floor.evidence import Alias, Fact, Source
from assay.floor.shape import shape_of
from assay.floor.signatures import OperationCall
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.kernel.canonical import canonical
from assay.kernel.errors import InvalidTask
from assay.kernel.kinds import Decimals, Significant
from assay.runtime.session import ClaimSession, Policy
from assay.runtime.trace import Accepted, Closed, Submitted, event_document
from assay.wire.proposals import parse_proposal

PAIRS = 250  # for each of four seeds
NAMES = ("s", "t", "u")
VALUES: dict[str, Callable[[random.Random], str]] = {
    "sequence": lambda rng: rng.choice(["MA", "MAG", "MAGAG", "GG"]),
    "length": lambda rng: rng.choice(["2", "3", "5"]),
    "family": lambda rng: rng.choice(["protein kinase", "ligase"]),
    "name": lambda rng: rng.choice(["p.name:A_HUMAN", "p.name:B_HUMAN"]),
    "gene": lambda rng: rng.choice(["g:ONE", "g:TWO", "g:THREE"]),
    "born": lambda rng: rng.choice(["2020-02-29", "2021-03-01"]),
    "alive": lambda rng: rng.choice(["true", "false"]),
    "height": lambda rng: rng.choice(["9.0", "9", "9.1", "12"]),
    "temp": lambda rng: rng.choice(["25", "298.15", "298.2", "310"]),
}
UNITS_OF = {"height": ("mm", "m"), "temp": ("K", "degC")}
PROPOSALS = [
    *(json.dumps({"state": "VALUE", "value": raw}) for raw in ("2", "3", 5, "05", "5.0", "ligase", "protein kinase")),
    *(json.dumps({"state": "VALUE", "value": raw}) for raw in ("p:1", "p:2", "q:1", "p.name:A_HUMAN", "2020-02-29")),
    *(json.dumps({"state": "VALUE", "value": raw}) for raw in (True, False, None, "less", "greater", "agree", "M")),
    *(json.dumps({"state": "VALUE", "value": {"n": n, "unit": u}}) for n, u in (("9", "mm"), ("0.0091", "m"))),
    *(json.dumps({"state": "VALUE", "value": {"n": n, "unit": u}}) for n, u in (("298.25", "K"), ("25", "degC"))),
    json.dumps({"state": "VALUE", "value": {"n": "1", "unit": "parsec"}}),
    json.dumps({"state": "VALUE", "value": ["g:ONE", "g:TWO"]}),
    json.dumps({"state": "VALUE", "value": ["g:ONE", "g:ONE"]}),
    json.dumps({"state": "VALUE", "value": {"lo": "1", "hi": "3", "lo_closed": True, "hi_closed": True}}),
    *(json.dumps({"state": state}) for state in ("INSUFFICIENT_EVIDENCE", "CONFLICT_NOT_RESOLVED", "NO_ENTITY")),
    '{"state":"VALUE"}',
    '{"state":"CERTAIN"}',
    '{"state":"VALUE","value":1,"value":2}',
    "5",
    "",
]

P1, P2 = Selector("p:1", "length"), Selector("p:2", "length")
T1, T2 = Selector("p:1", "temp"), Selector("p:2", "temp")
QUESTIONS = [
    asks("value", "p:1", "length"),
    asks("value", "p:1", "family"),
    asks("value", "p:1", "name"),
    asks("value", "p:1", "gene"),
    asks("value", "p:1", "born"),
    asks("value", "p:1", "alive"),
    asks("value", "p:1", "height", unit="m", grid=Decimals(3)),
    asks("value", "p:1", "temp", unit="K", grid=Significant(4)),
    asks("value", "p:1", "temp", unit="K", uncertainty=True),
    Task("value", Selector("p:1", "temp", condition="white"), unit="degC"),
    Task("value", Selector("p:1", "length", releases=("s", "t"))),
    asks("value", "p:alias", "length"),
    asks("value", "p:1.2", "length"),
    asks("category", "p:1", "family"),
    Task("compare", P1, P2),
    Task("compare", P1, P2, relation="less"),
    Task("compare", T1, T2),
    Task("compare", T1, Given("300", "K"), central=True),
    Task("within", P1, GivenInterval("2", "3", lo_closed=True, hi_closed=True)),
    Task("within", T1, Selector("p:1", "span")),
    Task("within", T1, Around(T2, "3")),
    asks("interval", "p:1", "span", unit="K"),
    Task("interval", Around(T1), unit="K", grid=Decimals(1)),
    asks("identify", "p:alias"),
    asks("identify", "p:1.2"),
    asks("identify", "p:1", "name"),
    asks("convert", "p:1", "height", unit="m"),
    asks("count", "p:1", "sequence", "G"),
    asks("count", "p:1", "gene"),
    asks("derive", "p:1", derivation="mature_length"),
    asks("derive", "p:1", "", "2", derivation="residue_at"),
    Task("derive", P1, P2, derivation="difference"),
    asks("derive", "c:1", "length", derivation="sum"),
    asks("derive", "c:1", "length", derivation="argmax"),
    asks("agree", "p:1", "length"),
]


def _keys(task: Task, rng: random.Random) -> list[dict[str, str]]:
    """Which rows exist: the shape that both worlds of a pair have."""
    found = []
    asked = {selector.property for selector in selectors(task)}
    for entity in ("p:1", "p:2"):
        for name in sorted(asked & {*VALUES, "span"} | {"sequence", "length", "chain", "version"}):
            for where in rng.sample(NAMES, rng.choice([0, 1, 1, 2, 3])):
                key = {"entity": entity, "property_name": name, "source": where, "method": "measured"}
                if name == "temp" and rng.random() < 0.3:
                    key["condition"] = rng.choice(["white", "red"])
                found.append(key)
    return found


def _row(key: dict[str, str], rng: random.Random) -> Fact:
    name, more = key["property_name"], {k: v for k, v in key.items() if k not in ("entity", "property_name", "source")}
    value = VALUES[name](rng) if name in VALUES else ""
    if name in ("span", "chain"):
        low, high = sorted(rng.sample([1, 2, 3, 290, 300], 2))
        more |= {"lower": str(low), "upper": str(high), "bounds": rng.choice(["[]", "[)"])}
    if name == "version":
        value = rng.choice(["1", "2"])
    if name in UNITS_OF:
        more["unit"] = rng.choice(UNITS_OF[name])
    if name == "span":
        more["unit"] = "K"
    if name == "temp":
        spread, kind = rng.choice([("", ""), ("0.1", "standard"), ("2", "95%"), ("", "exact"), ("1 3", "asymmetric")])
        more |= {"uncertainty": spread, "uncertainty_kind": kind}
    more |= {
        "fact_id": f"f{rng.random()}",
        "rank": rng.choice(["normal", "normal", "normal", "deprecated"]),
        "locator": f"bytes={rng.random()}",
    }
    return fact(key["entity"], name, value, key["source"], **more)


def _sources(rng: random.Random) -> list[Source]:
    return [
        source(
            name,
            status=rng.choice(["current", "current", "current", "retracted"]),
            credible=rng.random() < 0.9,
            coverage=rng.choice(["partial", "complete"]),
            namespaces=("p",) if rng.random() < 0.3 else (),
            supersedes=NAMES[index - 1] if index and rng.random() < 0.2 else "",
            copied_from=NAMES[index - 1] if index and rng.random() < 0.2 else "",
            sha256=str(rng.random()),
        )
        for index, name in enumerate(NAMES)
    ]


def _world(keys: list[dict[str, str]], rng: random.Random) -> RowSnapshot:
    facts: list[Fact] = []
    quarantined: list[tuple[Fact, str]] = []
    for key in keys:
        for _ in range(1 if rng.random() < 0.8 else 2):
            row = _row(key, rng)
            if rng.random() < 0.08:
                quarantined.append((row, "implausible"))
            else:
                facts.append(replace(row, asserted_by=rng.choice(["", "", "u"])))
    members = rng.sample(["p:1", "p:2", "p:3"], rng.choice([1, 2, 3]))
    facts += [fact("c:1", "member", name, "s") for name in members]
    facts.append(fact("p:3", "sequence", rng.choice(["MA", "MAGAM"]), "s"))
    aliases = [
        Alias("p:alias", rng.choice(["p:1", "p:2"]), rng.choice(["secondary", "merged"]), "s", str(rng.random()))
        for _ in range(rng.choice([1, 2]))
    ]
    return RowSnapshot(facts, _sources(rng), PROPERTIES, UNITS, aliases, NAMESPACES, quarantined)


def _bytes(session: ClaimSession) -> bytes:
    return canonical(card_document(session.card)) + "\n".join(card_lines(session.card)).encode()


@pytest.mark.parametrize("seed", [20261130, 20261131, 20261132, 20261133])
def test_two_worlds_of_one_shape_deal_the_same_cards_and_codes(seed: int) -> None:
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    while seen["pairs"] < PAIRS:
        task = QUESTIONS[seen["tried"] % len(QUESTIONS)]
        keys = _keys(task, rng)
        seen["tried"] += 1
        one, two = _world(keys, rng), _world(keys, rng)
        if shape_of(one, task) != shape_of(two, task):
            # `p:alias` leads to entities of different shapes: what exists may be seen.
            assert task.entity == "p:alias"
            continue
        policy = Policy(attempts=6, require_derivation=rng.random() < 0.2)
        pair = [ClaimSession.open(world, task, policy) for world in (one, two)]
        seen["pairs"] += 1
        seen["states differ"] += pair[0].reveal().state != pair[1].reveal().state
        seen["sorts differ"] += type(pair[0].reveal().state) is not type(pair[1].reveal().state)
        assert _bytes(pair[0]) == _bytes(pair[1])
        for text in rng.choices(PROPOSALS, k=6):
            moves = [session.submit(parse_proposal(text.encode()), text) for session in pair]
            if any(isinstance(session.outcome, Accepted) for session, _ in moves):
                seen["accepted in one"] += 1
                break
            (first, one_event), (second, two_event) = moves
            assert one_event == two_event, task
            assert repr(one_event) == repr(two_event)
            assert _bytes(first) == _bytes(second), task
            pair = [first, second]
            seen["cards"] += isinstance(one_event, Submitted)
            seen["ended alike"] += isinstance(one_event, Closed)
    assert seen["states differ"] > PAIRS // 2, seen
    assert seen["sorts differ"] > PAIRS // 4, seen
    assert seen["cards"] > 2 * PAIRS, seen


@pytest.mark.parametrize("value", ["9.1", "0.0091"])
def test_the_unit_of_a_fact_is_not_told_by_a_grid(value: str) -> None:
    """A grid without a unit was in the unit of the first row, and `value.off_grid` said which that was."""
    proposal = parse_proposal(f'{{"state":"VALUE","value":{{"n":"{value}","unit":"m"}}}}'.encode())
    task = asks("value", "p:1", "height", grid=Decimals(3))
    told = set()
    for name, text in (("mm", "9.0"), ("m", "0.009")):
        world = RowSnapshot([fact("p:1", "height", text, unit=name)], [source("s")], PROPERTIES, UNITS)
        _, event = ClaimSession.open(world, task).submit(proposal)
        assert isinstance(event, Submitted)
        told.add(event.code)
    assert told == {"value.not_equal"}


def test_a_grid_needs_a_unit_where_the_property_declares_none() -> None:
    """Without one it was an IndexError for an absent entity."""
    world = RowSnapshot([], [source("s")], [prop("x", "quantity")], UNITS)
    with pytest.raises(InvalidTask, match="name `unit`"):
        ClaimSession.open(world, asks("value", "p:1", "x", grid=Decimals(3)))


def _canary(rng: random.Random) -> str:
    return str(rng.randrange(10**11, 10**12))


def _canary_cases() -> Sequence[object]:
    rng = random.Random(12)
    cases = []
    for name, spec, make, shown in [
        ("integer", prop("x", "integer"), lambda c: {"value": c}, lambda c: c),
        ("decimal", prop("x", "decimal"), lambda c: {"value": f"{c}.5"}, lambda c: f"{c}.5"),
        (
            "quantity",
            prop("x", "quantity", unit="mm", units=("mm",)),
            lambda c: {"value": c, "unit": "mm", "uncertainty": c, "uncertainty_kind": "standard"},
            lambda c: {"n": c, "unit": "mm"},
        ),
        ("identifier", prop("x", "identifier"), lambda c: {"value": f"g:{c}"}, lambda c: f"g:{c}"),
        ("set", prop("x", "identifier", cardinality="many"), lambda c: {"value": f"g:{c}"}, lambda c: [f"g:{c}"]),
        (
            "interval",
            prop("x", "interval", element="integer"),
            lambda c: {"value": "", "lower": "1", "upper": c, "bounds": "[]"},
            lambda c: {"lo": "1", "hi": c, "lo_closed": True, "hi_closed": True},
        ),
    ]:
        cases.append(pytest.param(spec, make, shown, _canary(rng), id=name))
    return cases


def _proposals_beside(canary: str) -> list[str]:
    wrong = str(int(canary) + 1)
    values = (wrong, f"{wrong}.5", {"n": wrong, "unit": "mm"}, f"g:{wrong}")
    return [json.dumps({"state": "VALUE", "value": raw}) for raw in values] + ['{"state":"NO_ENTITY"}', "{"]


@pytest.mark.parametrize(("spec", "make", "shown", "canary"), _canary_cases())
def test_a_planted_value_is_seen_nowhere(
    spec: object,
    make: Callable[[str], dict[str, str]],
    shown: Callable[[str], object],
    canary: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    row = replace(fact("p:1", "x", "", "s", raw=f"about {canary}", locator=f"row={canary}"), **make(canary))
    rows = [row, replace(fact("p:9", "y", "1", "s"), raw=canary)]
    world = RowSnapshot(rows, [source("s", sha256=canary, url=canary)], [spec], UNITS)  # type: ignore[list-item]
    task = asks("value", "p:1", "x")
    seen: list[str] = []
    session = ClaimSession.open(world, task, Policy(attempts=9))
    for text in _proposals_beside(canary):
        session, event = session.submit(parse_proposal(text.encode()))
        seen += [repr(event), repr(session), json.dumps(event_document(event)), *card_lines(session.card)]
        seen.append(canonical(card_document(session.card)).decode())
    for offer in session.offered:
        session, event = session.perform(offer.call)
        seen += [repr(event), repr(session), repr(session.events)]
    proposal = {"state": "VALUE", "value": shown(canary)}
    session, event = session.submit(parse_proposal(json.dumps(proposal).encode()))
    assert session.outcome == Accepted("derived", session.offered[0].call)
    seen += [repr(event), repr(session), repr(session.reveal()), repr(session.offered), *card_lines(session.card)]
    _, closed = session.perform(OperationCall("read_value"))
    seen += [repr(closed), json.dumps(event_document(closed)), caplog.text]
    assert not [text for text in seen if canary in text]


BROKEN = {
    "integer": (prop("x", "integer"), {"value": "{}x"}),
    "decimal": (prop("x", "decimal"), {"value": "{}x"}),
    "quantity": (prop("x", "quantity", unit="mm", units=("mm",)), {"value": "{}x", "unit": "mm"}),
    "uncertainty": (
        prop("x", "quantity", unit="mm", units=("mm",)),
        {"value": "1", "unit": "mm", "uncertainty": "{}x", "uncertainty_kind": "standard"},
    ),
    "bound": (prop("x", "interval", element="integer"), {"value": "", "lower": "{}x", "bounds": "[]"}),
    "unit": (prop("x", "quantity", unit="mm", units=("mm",)), {"value": "1", "unit": "{}"}),
}


@pytest.mark.parametrize(("spec", "columns"), BROKEN.values(), ids=BROKEN.keys())
def test_evidence_that_cannot_be_read_does_not_tell_what_it_says(spec: object, columns: dict[str, str]) -> None:
    canary = _canary(random.Random(7))
    row = replace(fact("p:1", "x", "1", "s"), **{name: text.format(canary) for name, text in columns.items()})
    world = RowSnapshot([row], [source("s")], [spec], UNITS)  # type: ignore[list-item]
    with pytest.raises(Exception) as caught:  # noqa: PT011 - which exception is the floor's affair
        ClaimSession.open(world, asks("value", "p:1", "x", unit="mm" if "unit" in columns else ""))
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert canary not in told


def test_the_worlds_of_the_pairs_are_not_the_world_of_the_tables() -> None:
    assert WORLD.property_rows == PROPERTIES
