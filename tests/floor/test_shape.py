"""The evidence shape says which rows exist, and is the same whatever they say (spec/card.md §1)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.snapshots import RowSnapshot, fact, source
from tests.support.world import ALIASES, FACTS, NAMESPACES, PROPERTIES, SOURCES, TASKS, UNITS, WORLD, asks

from assay.floor import derivations, shape
from assay.floor.evidence import Alias, Fact, Source
from assay.floor.oracle import establish
from assay.floor.shape import RowKey, SideShape, shape_of
from assay.floor.task import Selector, Task


def side(task: Task, snapshot: RowSnapshot = WORLD) -> SideShape:
    return shape_of(snapshot, task).sides[0]


def world(facts: list[Fact], **more: object) -> RowSnapshot:
    return replace(WORLD, fact_rows=facts, **more)  # type: ignore[arg-type]


def keys(*rows: tuple[str, str]) -> tuple[RowKey, ...]:
    return tuple(RowKey(name, "", "", "", "", "stated", where) for name, where in rows)


def test_it_names_what_a_pack_names() -> None:
    assert (shape.SEQUENCE, shape.CHAIN, shape.MEMBER) == (
        derivations.SEQUENCE,
        derivations.CHAIN,
        derivations.MEMBER,
    )


def test_rows_of_a_computed_property_are_those_it_is_computed_from_too() -> None:
    stated = world([*FACTS, fact("p:A", "length", "6", "t")])
    assert side(asks("value", "p:A", "length")).rows == keys(("sequence", "s"))
    assert side(asks("value", "p:A", "length"), stated).rows == keys(("length", "t"), ("sequence", "s"))


# The others read facts of members, residues and elements, which the task does not name.
NAMED_ALONE = [case for case, (task, _, _) in TASKS.items() if task.derivation in ("", "difference", "residue_at")]


@pytest.mark.parametrize("case", NAMED_ALONE)
def test_every_fact_that_the_oracle_used_of_the_task_is_in_the_shape(case: str) -> None:
    """A row that decides and is not in the shape would show that shape and oracle match selectors differently."""
    task = TASKS[case][0]
    asked = {item.selector.entity for item in shape_of(WORLD, task).sides}
    known = {row for item in shape_of(WORLD, task).sides for row in item.rows}
    found = establish(WORLD, task)
    ids = {name for step in found.steps for name in step.facts}
    for row in FACTS:
        if row.fact_id in ids and row.entity in asked:
            assert shape._key(row) in known


SAME_SHAPE = {
    "value": {"value": "GAMGAM", "raw": "GAMGAM"},
    "rank": {"rank": "deprecated"},
    "locator": {"locator": "bytes=9-99"},
    "uncertainty": {"uncertainty": "3", "uncertainty_kind": "standard"},
    "unit": {"unit": "K"},
    "bounds": {"lower": "1", "upper": "2", "bounds": "()"},
    "asserted by": {"asserted_by": "t"},
}


@pytest.mark.parametrize("more", SAME_SHAPE.values(), ids=SAME_SHAPE.keys())
def test_what_a_row_says_is_not_in_the_shape(more: dict[str, str]) -> None:
    row = fact("p:A", "sequence", "MAGAG")
    others = [other for other in FACTS if other != row]
    assert len(others) == len(FACTS) - 1
    task = asks("value", "p:A", "length")
    assert shape_of(world([*others, replace(row, **more)]), task) == shape_of(WORLD, task)


SOURCES_LIKE_S: dict[str, dict[str, object]] = {
    "retracted": {"status": "retracted"},
    "not credible": {"credible": False},
    "superseding": {"supersedes": "t", "coverage": "complete", "namespaces": ("p",)},
    "copied": {"copied_from": "t"},
    "digest": {"sha256": "0" * 64},
}


@pytest.mark.parametrize("more", SOURCES_LIKE_S.values(), ids=SOURCES_LIKE_S.keys())
@pytest.mark.parametrize("case", ["length", "length, sources disagree", "identify", "word", "set"])
def test_what_a_source_is_worth_is_not_in_the_shape(more: dict[str, object], case: str) -> None:
    rows: list[Source] = [source("s", **more), *SOURCES[1:]]
    task = TASKS[case][0]
    assert shape_of(replace(WORLD, source_rows=rows), task) == shape_of(WORLD, task)


def test_a_quarantined_row_is_a_row() -> None:
    row = fact("p:A", "sequence", "MAGAG")
    hidden = world([other for other in FACTS if other != row], quarantine=[(row, "implausible")])
    task = asks("value", "p:A", "length")
    assert establish(hidden, task).reason == "quarantined"
    assert shape_of(hidden, task) == shape_of(WORLD, task)


def test_counts_are_not_in_the_shape() -> None:
    """How many members a set has is what `count` asks; a count of rows on the card would be the answer."""
    more = world([*FACTS, fact("p:A", "gene", "g:THREE"), fact("p:A", "gene", "g:FOUR")])
    task = asks("count", "p:A", "gene")
    assert establish(more, task).state != establish(WORLD, task).state
    assert shape_of(more, task) == shape_of(WORLD, task)


def test_two_rows_under_one_key_are_one_key() -> None:
    """A file that carries a conflicting reading has two rows; that there are two would say that they differ."""
    more = world([*FACTS, fact("p:A", "sequence", "MAGA", asserted_by="t")])
    task = asks("value", "p:A", "length")
    assert type(establish(more, task).state) is not type(establish(WORLD, task).state)
    assert shape_of(more, task) == shape_of(WORLD, task)


def test_which_version_is_held_is_not_in_the_shape() -> None:
    held, other = asks("value", "p:A.2", "length"), asks("value", "p:A.1", "length")
    assert establish(WORLD, other).reason == "version"
    assert side(held).rows == side(other).rows == keys(("sequence", "s"))
    assert side(held).known_to == side(other).known_to == ("s",)


def test_what_an_identifier_leads_to_is_not_in_the_shape() -> None:
    task = asks("identify", "p:A1")
    elsewhere = replace(WORLD, alias_rows=[Alias("p:A1", "p:B", "merged", "s", "x")])
    deleted = replace(WORLD, alias_rows=[Alias("p:A1", "", "deleted", "s", "x")])
    several = replace(WORLD, alias_rows=[*ALIASES, Alias("p:A1", "p:B", "secondary", "s", "")])
    for snapshot in (elsewhere, deleted, several):
        assert establish(snapshot, task).state != establish(WORLD, task).state
        assert shape_of(snapshot, task) == shape_of(WORLD, task)


def test_an_ambiguous_identifier_shows_the_rows_of_all_it_leads_to() -> None:
    found = side(asks("value", "p:dup", "family"))
    assert found.rows == keys(("family", "s"))
    assert found.known_to == ("s", "t")


def test_an_absent_entity_and_a_deleted_one_have_no_rows() -> None:
    assert side(asks("value", "p:none", "length")).rows == ()
    assert side(asks("value", "p:none", "length")).known_to == ()
    assert side(asks("value", "p:gone", "length")).rows == ()
    assert side(asks("value", "p:gone", "length")).known_to == ("s",)


SPLIT = [
    fact("q:x", "temp", "1", "s", unit="K", condition="white", method="measured", argument="1"),
    fact("q:x", "temp", "2", "t", unit="K", condition="red", definition="low", referent="a"),
    fact("q:x", "temp", "3", "table", unit="K", condition="white", definition="high"),
]


@pytest.mark.parametrize(
    ("selector", "sources", "fields"),
    [
        pytest.param(Selector("q:x", "temp"), ("t", "table"), ("referent", "condition", "definition"), id="any"),
        pytest.param(Selector("q:x", "temp", "1"), ("s",), (), id="argument"),
        pytest.param(Selector("q:x", "temp", condition="white"), ("table",), (), id="condition"),
        pytest.param(Selector("q:x", "temp", definition="low"), ("t",), (), id="definition"),
        pytest.param(Selector("q:x", "temp", referent="a"), ("t",), (), id="referent"),
        pytest.param(Selector("q:x", "temp", "1", method="measured"), ("s",), (), id="method"),
        pytest.param(Selector("q:x", "temp", method="computed"), (), (), id="method that no row has"),
        pytest.param(Selector("q:x", "temp", method="measured"), ("s",), ("argument",), id="every row has an argument"),
        pytest.param(Selector("q:x", "temp", releases=("t",)), ("t",), (), id="release"),
        pytest.param(Selector("q:x", "temp", "2"), (), (), id="argument that no row has"),
    ],
)
def test_rows_match_what_the_selector_names(
    selector: Selector, sources: tuple[str, ...], fields: tuple[str, ...]
) -> None:
    found = side(Task("value", selector), world(SPLIT))
    assert (found.sources, found.fields) == (sources, fields)


CHAINS = [
    fact("p:A", "sequence", "MAGAG", referent="precursor"),
    fact("p:A", "chain", "", argument="first", lower="2", upper="3", bounds="[]"),
    fact("p:A", "chain", "", argument="second", lower="4", upper="5", bounds="[]"),
]


@pytest.mark.parametrize(
    ("task", "one", "two"),
    [
        (asks("interval", "p:A", "chain"), ("argument",), ("argument",)),
        (asks("derive", "p:A", derivation="mature_length"), (), ("argument",)),
        (
            Task("derive", Selector("p:A", definition="average", referent="mature"), derivation="mass"),
            (),
            ("argument",),
        ),
        (asks("derive", "p:A", "", "first", derivation="mature_length"), (), ()),
    ],
)
def test_an_argument_that_every_row_has_may_be_named(task: Task, one: tuple[str, ...], two: tuple[str, ...]) -> None:
    """Where it is needed, the state is `under_specified`, and the card says what to name."""
    assert side(task, world(CHAINS[:2])).fields == one
    assert side(task, world(CHAINS)).fields == two
    if two:
        assert establish(world(CHAINS), task).reason == "under_specified"


def test_a_release_limits_who_knows_an_identifier() -> None:
    assert side(Task("value", Selector("p:same", "length"))).known_to == ("s", "t")
    assert side(Task("value", Selector("p:same", "length", releases=("t",)))).known_to == ("t",)


def test_a_competing_dimension_is_no_field() -> None:
    rows = [replace(spec, competing=("condition",)) if spec.property == "temp" else spec for spec in PROPERTIES]
    task = asks("value", "q:split", "temp")
    assert side(task).fields == ("condition",)
    assert side(task, replace(WORLD, property_rows=rows)).fields == ()


@pytest.mark.parametrize(
    ("task", "properties", "fields"),
    [
        pytest.param(asks("derive", "p:A", derivation="mass"), {"sequence"}, ("definition",), id="mass, no scale"),
        pytest.param(
            Task("derive", Selector("p:A", definition="average"), derivation="mass"), {"sequence"}, (), id="mass"
        ),
        pytest.param(
            Task("derive", Selector("p:A", referent="mature", definition="average"), derivation="mass"),
            {"sequence", "chain"},
            (),
            id="mass of the mature form",
        ),
        pytest.param(
            Task("derive", Selector("p:A", argument="S", referent="mature"), derivation="composition"),
            {"sequence", "chain"},
            (),
            id="composition of the mature form",
        ),
        pytest.param(asks("derive", "p:A", derivation="mature_length"), {"chain"}, (), id="mature length"),
        pytest.param(asks("derive", "p:A", "", "1", derivation="residue_at"), {"sequence"}, (), id="residue"),
        pytest.param(asks("derive", "c:all", "length", derivation="argmax"), {"member"}, (), id="argmax"),
        pytest.param(asks("count", "p:A", "sequence", "G"), {"sequence"}, (), id="letter"),
        pytest.param(asks("value", "p:A", "price"), set(), (), id="undeclared"),
        pytest.param(asks("identify", "p:A"), set(), (), id="identify"),
    ],
)
def test_the_rows_are_those_that_the_class_reads(task: Task, properties: set[str], fields: tuple[str, ...]) -> None:
    found = side(task)
    assert {row.property for row in found.rows} == properties
    assert found.fields == fields


def test_literals_have_no_shape() -> None:
    assert shape_of(WORLD, TASKS["convert, given"][0]).sides == ()
    assert len(NAMESPACES) == 1
    assert UNITS
