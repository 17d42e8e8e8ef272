"""What attacks found in the oracle, each kept as a test that is named after it."""

from __future__ import annotations

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source, unit

from assay.floor.evidence import Alias, Fact, Namespace, PropertySpec, Source
from assay.floor.oracle import establish, re_establish
from assay.floor.settle import spell
from assay.floor.store import Snapshot
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.kernel.errors import InvalidTask
from assay.kernel.kinds import Decimals
from assay.kernel.states import Conflict, Determined, Insufficient, NoEntity

UNITS = [
    unit("m", "length"),
    unit("mm", "length", "1/1000"),
    unit("kg", "mass"),
    unit("eV", "energy", "1/10"),
    unit("1", "one"),
    unit("Da", "dalton"),
    unit("K", "temperature"),
    unit("degC", "temperature", "1", "273.15"),
    unit("h", "time", "3600"),
    unit("s", "time"),
]
VALUE = prop("value", "quantity", units=("1", "m", "mm", "kg", "eV", "h", "s"))


def _world(
    facts: list[Fact],
    properties: list[PropertySpec],
    sources: list[Source] | None = None,
    aliases: list[Alias] | None = None,
) -> Snapshot:
    return RowSnapshot(facts, sources or [source("s"), source("t")], properties, UNITS, aliases or [])


def _state(snapshot: Snapshot, task: Task) -> object:
    established = establish(snapshot, task)
    assert re_establish(established) == established.state
    match established.state:
        case Determined(value):
            return spell(value, task.unit)
        case Insufficient(reason):
            return f"INSUFFICIENT {reason}"
        case Conflict():
            return "CONFLICT"
        case NoEntity(reason):
            return f"NO_ENTITY {reason}"


def _ask(entity: str, name: str, **more: object) -> Task:
    inside = {key: more.pop(key) for key in list(more) if key in Selector.__slots__}
    word = str(more.pop("task_class", "value"))
    return Task(word, Selector(entity, name, **inside), **more)  # type: ignore[arg-type]


RADIUS = _world([fact("x:r", "value", "8.4e-16", unit="m", uncertainty="1e-17", uncertainty_kind="standard")], [VALUE])


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(_ask("x:r", "value", unit="kg"), id="value"),
        pytest.param(_ask("x:r", "value", unit="kg", task_class="convert"), id="convert"),
        pytest.param(Task("interval", Around(Selector("x:r", "value")), unit="kg"), id="interval around"),
        pytest.param(
            _ask("x:r", "value", unit="kg", task_class="derive", derivation="difference", other=Given("0", "m")),
            id="difference",
        ),
    ],
)
def test_a_number_of_another_dimension_is_no_value(task: Task) -> None:
    assert _state(RADIUS, task) == "INSUFFICIENT different_dimensions"


def test_the_named_unit_selects_among_dimensions_and_no_fact_chooses_it() -> None:
    world = _world([fact("x:d", "value", "2", unit="1"), fact("x:d", "value", "3", unit="kg")], [VALUE])
    assert _state(world, _ask("x:d", "value", unit="kg")) == {"n": "3", "unit": "kg"}
    with pytest.raises(InvalidTask) as caught:
        establish(world, _ask("x:d", "value"))
    assert caught.value.code == "task.unit"


SEQUENCE = [
    prop("sequence", "polymer"),
    prop("chain", "interval", element="integer"),
    prop("atoms", "integer"),
    prop("atomic_mass", "quantity", unit="Da", units=("Da",)),
]
GLY = [
    fact("p:A", "sequence", "GG", referent="precursor"),
    fact("p:A", "chain", "", lower="2", upper="2", bounds="[]", argument="c"),
    *(fact("residue:G", "atoms", n, argument=e) for e, n in (("C", "2"), ("H", "3"), ("N", "1"), ("O", "1"))),
    *(fact("residue:water", "atoms", n, argument=e) for e, n in (("H", "2"), ("O", "1"))),
    *(
        fact(f"element:{e}", "atomic_mass", w, unit="Da", definition="average")
        for e, w in (("C", "12"), ("H", "1"), ("N", "14"), ("O", "16"))
    ),
]


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        pytest.param({"definition": "average"}, {"n": "132", "unit": "Da"}, id="as it is"),
        pytest.param({"definition": "average", "referent": "mature"}, {"n": "75", "unit": "Da"}, id="mature"),
        pytest.param({"definition": "average", "referent": "isoform-2"}, "INSUFFICIENT no_fact", id="isoform"),
        pytest.param({"definition": "average", "condition": "0 K"}, "task.field", id="condition"),
        pytest.param({"definition": "average", "method": "measured"}, "task.field", id="method"),
        pytest.param({"definition": "average", "argument": "c"}, "task.argument", id="chain of no mature form"),
        pytest.param({"definition": "average", "unit": "kg"}, "task.unit", id="unit of another dimension"),
    ],
)
def test_a_derivation_ignores_no_field_that_is_named(task: dict[str, str], expected: object) -> None:
    asked = _ask("p:A", "sequence", task_class="derive", derivation="mass", **task)
    if isinstance(expected, str) and expected.startswith("task."):
        with pytest.raises(InvalidTask) as caught:
            establish(_world(GLY, SEQUENCE), asked)
        assert caught.value.code == expected
    else:
        assert _state(_world(GLY, SEQUENCE), asked) == expected


@pytest.mark.parametrize("name", ["mature_length", "composition"])
def test_other_derivations_take_their_own_property_only(name: str) -> None:
    with pytest.raises(InvalidTask) as caught:
        establish(_world(GLY, SEQUENCE), _ask("p:A", "atoms", task_class="derive", derivation=name))
    assert caught.value.code == "task.property"


def test_a_residue_row_of_a_superseded_release_does_not_make_a_protein_absent() -> None:
    rows = [*GLY, fact("p:B", "sequence", "A"), fact("residue:A", "atoms", "3", "r1", argument="C")]
    sources = [source("s"), source("r1"), source("r2", supersedes="r1", coverage="complete", namespaces=("residue",))]
    task = _ask("p:B", "sequence", task_class="derive", derivation="mass", definition="average")
    assert _state(_world(rows, SEQUENCE, sources), task) == "INSUFFICIENT no_composition"


LENGTH = [prop("n", "integer")]
CHAIN_OF_THREE = [
    source("r1", coverage="complete", namespaces=("a", "sym")),
    source("r2", supersedes="r1", coverage="complete", namespaces=("a", "sym")),
    source("r3", supersedes="r2", coverage="complete", namespaces=("a", "sym")),
    source("gone", status="retracted"),
    source("gossip", credible=False),
]
NOW = [fact("a:B", "n", "2", "r3"), fact("a:C", "n", "3", "r3")]


@pytest.mark.parametrize(
    ("aliases", "entity", "expected"),
    [
        pytest.param([Alias("a:x", "a:B", "secondary", "gone", "")], "a:x", "NO_ENTITY unknown", id="retracted"),
        pytest.param([Alias("a:x", "a:B", "secondary", "gossip", "")], "a:x", "NO_ENTITY unknown", id="not credible"),
        pytest.param(
            [Alias("a:A", "a:B", "merged", "r3", ""), Alias("a:B", "a:C", "merged", "r3", "")],
            "a:A",
            "3",
            id="merged twice",
        ),
        pytest.param(
            [Alias("a:A", "a:B", "merged", "r3", ""), Alias("a:B", "a:A", "merged", "r3", "")],
            "a:A",
            "INSUFFICIENT ambiguous_identifier",
            id="merged in a ring",
        ),
        pytest.param(
            [
                Alias("sym:S", "a:B", "approved", "r1", ""),
                Alias("sym:S", "a:B", "previous", "r3", ""),
                Alias("sym:S", "a:C", "alias", "r3", ""),
            ],
            "sym:S",
            "INSUFFICIENT ambiguous_identifier",
            id="approved in an older release only",
        ),
        pytest.param(
            [Alias("sym:S", "a:B", "approved", "r1", ""), Alias("sym:S", "a:C", "approved", "r3", "")],
            "sym:S",
            "3",
            id="a symbol that moved",
        ),
        pytest.param([Alias("a:B", "", "deleted", "r2", "")], "a:B", "2", id="deleted, then stated again"),
        pytest.param([Alias("a:B", "", "deleted", "gone", "")], "a:B", "2", id="deleted by a retracted source"),
        pytest.param([Alias("a:B", "", "deleted", "r3", "")], "a:B", "NO_ENTITY deleted", id="deleted now"),
    ],
)
def test_rows_of_identifiers_come_from_live_and_current_sources(
    aliases: list[Alias], entity: str, expected: object
) -> None:
    assert _state(_world(NOW, LENGTH, CHAIN_OF_THREE, aliases), _ask(entity, "n")) == expected


def test_sets_of_two_files_are_not_merged_by_a_common_witness() -> None:
    rows = [
        fact("c:s", "member", f"x:{name}", origin, asserted_by="w") for origin, name in zip("sstt", "xyyz", strict=True)
    ]
    world = _world(rows, [prop("member", "identifier", cardinality="many")], [source("s"), source("t"), source("w")])
    assert _state(world, _ask("c:s", "member")) == "INSUFFICIENT incomplete_sets"


def test_members_that_denote_one_number_are_one_member() -> None:
    rows = [fact("c:s", "level", text, origin) for text, origin in (("1.0", "s"), ("1", "s"), ("1", "t"))]
    complete = [source(name, coverage="complete", namespaces=("c",)) for name in ("s", "t")]
    world = _world(rows, [prop("level", "decimal", cardinality="many")], complete)
    assert _state(world, _ask("c:s", "level", task_class="count")) == "1"
    assert _state(world, _ask("c:s", "level", task_class="agree")) == "agree"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([("1", "s", ""), ("2", "copy", "")], "disagree", id="a copy that differs"),
        pytest.param([("1", "s", "w"), ("2", "t", "w")], "disagree", id="a witness that differs from itself"),
        pytest.param([("1", "s", ""), ("1", "copy", "")], "one_source", id="a copy that agrees"),
    ],
)
def test_agreement_asks_for_disagreement_first(rows: list[tuple[str, str, str]], expected: str) -> None:
    sources = [source("s"), source("t"), source("w"), source("copy", copied_from="s")]
    facts = [fact("x:e", "n", value, origin, asserted_by=witness) for value, origin, witness in rows]
    assert _state(_world(facts, LENGTH, sources), _ask("x:e", "n", task_class="agree")) == expected


def test_integer_intervals_of_one_meaning_agree() -> None:
    rows = [
        fact("x:e", "span", "", "s", lower="1", upper="5", bounds="[]"),
        fact("x:e", "span", "", "t", lower="0", upper="6", bounds="()"),
    ]
    world = _world(rows, [prop("span", "interval", element="integer")])
    assert _state(world, _ask("x:e", "span", task_class="agree")) == "agree"
    assert _state(world, _ask("x:e", "span")) == {"lo": "1", "hi": "5", "lo_closed": True, "hi_closed": True}


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(_ask("c:big", "member"), id="a set of 300"),
        pytest.param(Task("interval", Around(Selector("x:t", "value")), unit="h"), id="bounds without an end"),
        pytest.param(_ask("c:two", "n", task_class="derive", derivation="sum"), id="a sum of 101 digits"),
    ],
)
def test_an_answer_that_cannot_be_spelled_is_no_abstention(task: Task) -> None:
    rows = [fact("c:big", "member", f"x:{i}") for i in range(300)]
    rows += [fact("x:t", "value", "1", unit="s", uncertainty="1", uncertainty_kind="standard")]
    rows += [fact("c:two", "member", f"x:n{i}") for i in range(2)]
    rows += [fact(f"x:n{i}", "n", "9" * 100) for i in range(2)]
    world = _world(rows, [VALUE, prop("n", "integer"), prop("member", "identifier", cardinality="many")])
    with pytest.raises(InvalidTask) as caught:
        establish(world, task)
    assert caught.value.code == "task.answer_does_not_fit"


@pytest.mark.parametrize(
    ("lower", "upper", "bounds", "expected"),
    [
        pytest.param("-8.6", "-8.5", "(]", "INSUFFICIENT truncated", id="the closed end rounds away"),
        pytest.param("8.5", "8.6", "[)", "INSUFFICIENT truncated", id="its mirror"),
        pytest.param("-8.5", "-8.4", "(]", {"n": "-8", "unit": "m"}, id="the open end does not count"),
        pytest.param("8.4", "8.5", "[)", {"n": "8", "unit": "m"}, id="its mirror too"),
    ],
)
def test_a_cut_off_decimal_has_the_ends_that_it_has(lower: str, upper: str, bounds: str, expected: object) -> None:
    world = _world([fact("x:c", "value", "", unit="m", lower=lower, upper=upper, bounds=bounds)], [VALUE])
    assert _state(world, _ask("x:c", "value", unit="m", grid=Decimals(0))) == expected


def test_temperatures_have_no_sum() -> None:
    rows = [fact("c:s", "member", "x:1"), fact("x:1", "temp", "10", unit="degC")]
    properties = [
        prop("member", "identifier", cardinality="many"),
        prop("temp", "quantity", unit="K", units=("K", "degC")),
    ]
    with pytest.raises(InvalidTask) as caught:
        establish(_world(rows, properties), _ask("c:s", "temp", task_class="derive", derivation="sum"))
    assert caught.value.code == "task.property"


def test_one_entity_under_two_names_is_not_summed_twice() -> None:
    rows = [fact("c:s", "member", "x:1"), fact("c:s", "member", "x:one"), fact("x:1", "n", "4")]
    world = _world(
        rows,
        [prop("member", "identifier", cardinality="many"), *LENGTH],
        aliases=[Alias("x:one", "x:1", "alias", "s", "")],
    )
    assert _state(world, _ask("c:s", "n", task_class="derive", derivation="sum")) == "INSUFFICIENT member_twice"


@pytest.mark.parametrize("other", ["kinase", "ligase"])
def test_opening_a_task_does_not_tell_whether_sources_agree(other: str) -> None:
    rows = [fact("x:e", "family", "kinase", "s"), fact("x:e", "family", other, "t")]
    world = _world(rows, [prop("family", "category", vocabulary=("kinase", "ligase"))])
    with pytest.raises(InvalidTask) as caught:
        establish(world, Task("compare", Selector("x:e", "family"), Given("1")))
    assert caught.value.code == "task.relation"


@pytest.mark.parametrize("status", ["retracted", "superseded"])
def test_a_quarantined_row_of_a_source_that_does_not_count_silences_nothing(status: str) -> None:
    old = source("r1", status="retracted" if status == "retracted" else "current")
    world = RowSnapshot(
        [fact("x:e", "n", "4", "r2")],
        [old, source("r2", supersedes="r1")],
        LENGTH,
        UNITS,
        quarantine=[(fact("x:e", "n", "999999", "r1"), "implausible")],
    )
    assert _state(world, _ask("x:e", "n")) == "4"


def test_a_letter_to_count_is_a_capital() -> None:
    with pytest.raises(InvalidTask) as caught:
        establish(_world(GLY, SEQUENCE), _ask("p:A", "sequence", task_class="count", argument="g"))
    assert caught.value.code == "task.argument"


def test_a_long_chain_of_releases_is_walked_once() -> None:
    names = [f"r{i}" for i in range(2000)]
    sources = [source(name, supersedes=older) for name, older in zip(names, ["", *names], strict=False)]
    world = _world([fact("x:e", "n", str(i), name) for i, name in enumerate(names)], LENGTH, sources)
    assert _state(world, _ask("x:e", "n")) == "1999"


def test_a_source_that_lacks_the_position_is_not_dropped() -> None:
    rows = [fact("x:e", "sequence", "MA"), fact("x:e", "sequence", "MAG", "t")]
    task = _ask("x:e", "", task_class="derive", derivation="residue_at", argument="3")
    assert _state(_world(rows, SEQUENCE), task) == "INSUFFICIENT not_in_every_source"
    ends = [
        fact("x:e", "chain", "", "s", lower="2", upper="5", bounds="[]"),
        fact("x:e", "chain", "", "t", lower="2", upper="", bounds="[)"),
    ]
    task = _ask("x:e", "", task_class="derive", derivation="mature_length")
    assert _state(_world(ends, SEQUENCE), task) == "INSUFFICIENT not_in_every_source"


def test_whole_numbers_that_end_in_zero_are_members() -> None:
    world = _world([fact("x:e", "ns", "10"), fact("x:e", "ns", "7")], [prop("ns", "integer", cardinality="many")])
    assert _state(world, _ask("x:e", "ns")) == ["10", "7"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([("1.04", "s"), ("1.0", "t")], ["1"], id="equal on the grid"),
        pytest.param([("1.04", "s"), ("2.06", "s")], ["1", "2.1"], id="each member on the grid"),
    ],
)
def test_a_set_of_decimals_is_put_on_the_grid(rows: list[tuple[str, str]], expected: object) -> None:
    complete = [source(name, coverage="complete", namespaces=("x",)) for name in ("s", "t")]
    facts = [fact("x:e", "ns", text, origin) for text, origin in rows]
    world = _world(facts, [prop("ns", "decimal", cardinality="many")], complete)
    assert _state(world, _ask("x:e", "ns", grid=Decimals(1))) == expected


@pytest.mark.parametrize(("origin", "releases"), [("r1", ("r2",)), ("gone", ())], ids=["not selected", "retracted"])
def test_facts_that_do_not_count_do_not_outrank_a_live_alias(origin: str, releases: tuple[str, ...]) -> None:
    sources = [source("r1"), source("r2", supersedes="r1"), source("gone", status="retracted")]
    aliases = [Alias("x:old", "x:new", "secondary", "r2", "")]
    world = _world([fact("x:old", "n", "1", origin), fact("x:new", "n", "2", "r2")], LENGTH, sources, aliases)
    assert _state(world, _ask("x:old", "n", releases=releases)) == "2"


def test_a_sum_with_a_huge_denominator_is_refused_and_no_exception() -> None:
    units = [unit(f"u{i}", "big", f"1/{10**58 + 2 * i + 1}") for i in range(120)]
    rows = [fact("c:s", "member", f"x:{i}") for i in range(120)]
    rows += [fact(f"x:{i}", "q", "1", unit=f"u{i}") for i in range(120)]
    names = tuple(row.unit for row in units)
    properties = [
        prop("member", "identifier", cardinality="many"),
        prop("q", "quantity", unit="u0", units=names),
    ]
    with pytest.raises(InvalidTask) as caught:
        establish(
            RowSnapshot(rows, [source("s")], properties, units),
            _ask("c:s", "q", task_class="derive", derivation="sum"),
        )
    assert caught.value.code == "task.answer_does_not_fit"


@pytest.mark.parametrize("other", ["kinase", "ligase"])
@pytest.mark.parametrize("shape", ["interval", "within", "difference"])
def test_no_class_tells_agreement_when_it_is_opened(shape: str, other: str) -> None:
    rows = [fact("x:e", "n", "1"), fact("x:e", "family", "kinase"), fact("x:e", "family", other, "t")]
    world = _world(rows, [*LENGTH, prop("family", "category", vocabulary=("kinase", "ligase"))])
    word = Selector("x:e", "family")
    tasks = {
        "interval": Task("interval", Around(word)),
        "within": Task("within", Given("1"), Around(word)),
        "difference": _ask("x:e", "n", task_class="derive", derivation="difference", other=word),
    }
    with pytest.raises(InvalidTask) as caught:
        establish(world, tasks[shape])
    assert caught.value.code == "task.property"


@pytest.mark.parametrize("name", ["sequence", "atoms", "atomic_mass"])
def test_reserved_properties_of_another_kind_are_refused(name: str) -> None:
    properties = [row for row in SEQUENCE if row.property != name]
    odd = prop(name, "category", vocabulary=("x",))
    with pytest.raises(InvalidTask) as caught:
        establish(
            _world(GLY, [*properties, odd]),
            _ask("p:A", "", task_class="derive", derivation="mass", definition="average"),
        )
    assert caught.value.code == "task.property"


def test_an_element_without_a_mass_is_not_left_out() -> None:
    rows = [*GLY, fact("residue:G", "atoms", "1", argument="P")]
    task = _ask("p:A", "sequence", task_class="derive", derivation="mass", definition="average")
    assert _state(_world(rows, SEQUENCE), task) == "INSUFFICIENT no_atomic_mass"


def test_incomplete_sets_of_two_entities_are_not_compared() -> None:
    rows = [fact("x:a", "member", "x:1", "s"), fact("x:b", "member", "x:2", "t")]
    world = _world(rows, [prop("member", "identifier", cardinality="many")])
    task = Task("compare", Selector("x:a", "member"), Selector("x:b", "member"), relation="equal")
    assert _state(world, task) == "INSUFFICIENT incomplete_sets"


def test_texts_of_different_kinds_are_not_compared() -> None:
    world = _world([], [prop("born", "date"), prop("alive", "boolean")])
    with pytest.raises(InvalidTask):
        establish(world, Task("compare", Selector("x:a", "born"), Selector("x:a", "alive"), relation="equal"))


def test_an_asserting_source_supersedes_as_any_other() -> None:
    sources = [source("s"), source("r1"), source("r2", supersedes="r1")]
    rows = [fact("x:e", "n", "1", "s", asserted_by="r1"), fact("x:e", "n", "2", "s", asserted_by="r2")]
    assert _state(_world(rows, LENGTH, sources), _ask("x:e", "n")) == "2"


@pytest.mark.parametrize("method", ["stated", "predicted"])
def test_the_only_chain_is_sought_among_rows_that_count(method: str) -> None:
    sources = [source("r1"), source("r2", supersedes="r1")]
    old = fact("x:e", "chain", "", "r1", lower="1", upper="2", bounds="[]", argument="a", method=method)
    new = fact("x:e", "chain", "", "r2", lower="1", upper="3", bounds="[]", argument="b")
    task = _ask("x:e", "", task_class="derive", derivation="mature_length")
    assert _state(_world([old, new], SEQUENCE, sources), task) == "3"


def test_a_quarantined_version_does_not_make_an_entity_absent() -> None:
    world = RowSnapshot(
        [fact("p:A", "n", "4")],
        [source("s")],
        [*LENGTH, prop("version", "integer")],
        UNITS,
        [],
        [Namespace("p", "exact", (), "", ".", "version", private=False)],
        [(fact("p:A", "version", "999"), "implausible")],
    )
    assert _state(world, _ask("p:A.2", "n")) == "INSUFFICIENT ambiguous_identifier"


def test_a_stated_value_falls_to_a_later_computed_one() -> None:
    sources = [source("r1"), source("r2", supersedes="r1")]
    rows = [fact("x:e", "length", "9", "r1"), fact("x:e", "sequence", "MAG", "r2")]
    properties = [
        prop("sequence", "polymer"),
        prop("length", "integer", origin="computed", computed_by="count_residues(sequence)"),
    ]
    assert _state(_world(rows, properties, sources), _ask("x:e", "length")) == "3"


def test_a_given_interval_without_a_member_is_refused() -> None:
    empty = GivenInterval("9", "1", lo_closed=True, hi_closed=True)
    with pytest.raises(InvalidTask) as caught:
        establish(_world([], []), Task("within", Given("5"), empty))
    assert caught.value.code == "task.given"
