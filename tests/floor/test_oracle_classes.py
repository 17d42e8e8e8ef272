# ruff: noqa: E501 (one row a line: a table of long rows still reads as a table)
"""Every task class in every state that it can have: one named row a rule (docs/adr/0004, docs/reference/tasks.md)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source, unit

from assay.floor.evidence import Alias, Fact, Namespace
from assay.floor.oracle import Established, establish, re_establish
from assay.floor.settle import spell
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.floor.trail import SliceSnapshot
from assay.kernel.errors import Fault, InvalidTask
from assay.kernel.kinds import Decimals, Significant
from assay.kernel.states import Conflict, Determined, Insufficient, NoEntity

AMINO = {"G": "C2 H3 N1 O1", "A": "C3 H5 N1 O1", "M": "C5 H9 N1 O1 S1"}


def _atoms() -> list[Fact]:
    rows = [
        fact(f"residue:{letter}", "atoms", count[1:], "table", argument=count[0])
        for letter, formula in AMINO.items()
        for count in formula.split()
    ]
    rows += [fact("residue:water", "atoms", n, "table", argument=e) for e, n in (("H", "2"), ("O", "1"))]
    weights = {"C": "12.011", "H": "1.008", "N": "14.007", "O": "15.999", "S": "32.06"}
    rows += [
        fact(f"element:{e}", "atomic_mass", w, "table", unit="Da", definition="average") for e, w in weights.items()
    ]
    return rows


FACTS = [
    *_atoms(),
    fact("p:A", "sequence", "MAGAG"),
    fact("p:A", "chain", "", lower="2", upper="5", bounds="[]"),
    fact("p:A", "family", "kinase"),
    fact("p:A", "name", "p.name:A_HUMAN"),
    fact("p:A", "gene", "g:ONE"),
    fact("p:A", "gene", "g:TWO"),
    fact("p:A", "mass", "9.0", unit="mm"),
    fact("p:A", "born", "2020-02-29"),
    fact("p:A", "alive", "true"),
    fact("p:A", "version", "2"),
    fact("p:B", "sequence", "MAGAGA"),
    fact("p:X", "sequence", "MXG"),
    fact("p:old", "sequence", "MA", "r1"),
    fact("p:both", "sequence", "MA", "r1"),
    fact("p:both", "sequence", "MAG", "r2"),
    fact("p:two", "sequence", "MA", "s"),
    fact("p:two", "sequence", "MAG", "t"),
    fact("p:same", "sequence", "MA", "s"),
    fact("p:same", "sequence", "MA", "t"),
    fact("p:moved", "sequence", "MA", "t"),
    fact("p:copy", "sequence", "MA", "s"),
    fact("p:copy", "sequence", "MA", "copier"),
    fact("p:pred", "sequence", "MA", method="predicted"),
    fact("p:retracted", "sequence", "MA", "withdrawn"),
    fact("p:incredible", "sequence", "MA", "gossip"),
    fact("p:deprecated", "sequence", "MA", rank="deprecated"),
    fact("q:t1", "temp", "25", unit="degC", uncertainty="0.1", uncertainty_kind="standard", method="measured"),
    fact("q:t2", "temp", "298.15", unit="K", uncertainty="0.2", uncertainty_kind="k=2", method="measured"),
    fact("q:t3", "temp", "310", unit="K", uncertainty="1", uncertainty_kind="standard", method="measured"),
    fact("q:exact", "temp", "300", unit="K", uncertainty_kind="exact", method="defined"),
    fact("q:bare", "temp", "300", unit="K"),
    fact("q:asym", "temp", "300", unit="K", uncertainty="8 7", uncertainty_kind="asymmetric"),
    fact("q:cut", "temp", "8.314462618...", unit="K", method="defined"),
    fact("q:range", "span", "", unit="K", lower="10", upper="20", bounds="[)"),
    fact("q:open", "span", "", unit="K", lower="10", upper="", bounds="[)"),
    fact("q:len", "mass", "1", unit="mm"),
    fact("q:pref", "score", "10", "s"),
    fact("q:pref", "score", "10.2", "t"),
    fact("q:near", "level", "10", "s"),
    fact("q:near", "level", "10.2", "t"),
    fact("c:set", "member", "p:A"),
    fact("c:set", "member", "p:B"),
    fact("c:one", "member", "p:A"),
    fact("c:tie", "member", "p:same"),
    fact("c:tie", "member", "p:copy"),
    fact("c:gap", "member", "p:none"),
    fact("c:diff", "member", "p:A", "s"),
    fact("c:diff", "member", "p:B", "t"),
    fact("q:unitless", "temp", "15.1"),
    fact("w:cond", "temp", "1", unit="K", condition="white"),
    fact("w:cond", "temp", "2", unit="K", condition="red"),
]
SOURCES = [
    source("s"),
    source("t"),
    source("table"),
    source("copier", copied_from="s"),
    source("withdrawn", status="retracted"),
    source("gossip", credible=False),
    source("r1", coverage="complete", namespaces=("p",)),
    source("r2", coverage="complete", namespaces=("p",), supersedes="r1"),
]
PROPERTIES = [
    prop("sequence", "polymer"),
    prop("length", "integer", label="residue", computed_by="count_residues(sequence)", origin="computed"),
    prop("mature_length", "integer", label="residue", computed_by="mature_length(chain)", origin="computed"),
    prop("chain", "interval", element="integer", label="residue"),
    prop("span", "interval", element="decimal", unit="K", units=("K", "degC")),
    prop("family", "category", vocabulary=("kinase", "ligase")),
    prop("name", "identifier", prefix="p.name"),
    prop("gene", "identifier", prefix="g", cardinality="many"),
    prop("member", "identifier", cardinality="many"),
    prop("mass", "quantity", unit="mm", units=("mm", "m")),
    prop("atoms", "integer"),
    prop("atomic_mass", "quantity", unit="Da", units=("Da",), definitions=("average", "monoisotopic")),
    prop("temp", "quantity", unit="K", units=("K", "degC"), conditions=("white", "red")),
    prop("born", "date"),
    prop("alive", "boolean"),
    prop("version", "integer"),
    prop("score", "decimal", prefer=("t", "s")),
    prop("level", "decimal"),
]
UNITS = [
    unit("mm", "length", "1/1000"),
    unit("m", "length"),
    unit("K", "temperature"),
    unit("degC", "temperature", "1", "273.15"),
    unit("Da", "dalton"),
    unit("kDa", "dalton", "1000"),
    unit("thirds", "length", "1/3"),
]
ALIASES = [
    Alias("p:A1", "p:A", "secondary", "s", ""),
    Alias("p:dup", "p:A", "secondary", "s", ""),
    Alias("p:dup", "p:B", "secondary", "s", ""),
    Alias("p:split", "p:A", "demerged", "s", ""),
    Alias("p:gone", "", "deleted", "s", ""),
    Alias("p:moved", "p:A", "merged", "r2", ""),
    Alias("sym:F", "p:A", "approved", "s", ""),
    Alias("sym:F", "p:B", "alias", "s", ""),
]
NAMESPACES = [Namespace("p", "exact", ("https://x/", "sp|"), "", ".", "version", private=False)]
HIDDEN = fact("p:quar", "length", "7", "t")
SNAPSHOT = RowSnapshot(FACTS, SOURCES, PROPERTIES, UNITS, ALIASES, NAMESPACES, [(HIDDEN, "implausible")])


def _value(entity: str, name: str, **more: object) -> Task:
    fields = {key: more.pop(key) for key in list(more) if key in Selector.__slots__}
    return Task("value", Selector(entity, name, **fields), **more)  # type: ignore[arg-type]


def _task(task_class: str, entity: str, name: str = "", **more: object) -> Task:
    return replace(_value(entity, name, **more), task_class=task_class)


def _found(established: Established) -> object:
    match established.state:
        case Determined(value):
            return spell(value, established.task.unit)
        case Insufficient(reason):
            return f"INSUFFICIENT {reason}"
        case Conflict():
            return "CONFLICT"
        case NoEntity(reason):
            return f"NO_ENTITY {reason}"


K = Decimals(1)
CASES = [
    ("length computed from the sequence", _value("p:A", "length"), "5"),
    ("secondary accession resolves", _value("p:A1", "length"), "5"),
    ("written prefix is stripped", _value("https://x/A", "length"), "5"),
    ("accession before the bar", _value("sp|A|A_HUMAN", "length"), "5"),
    ("held sequence version", _value("p:A.2", "length"), "5"),
    ("another sequence version", _value("p:A.1", "length"), "NO_ENTITY version"),
    ("version with a leading zero is not one", _value("p:A.02", "length"), "NO_ENTITY unknown"),
    ("isoform never falls back", _value("p:A-2", "length"), "NO_ENTITY unknown"),
    ("case is exact", _value("p:a", "length"), "NO_ENTITY unknown"),
    ("ambiguous alias", _value("p:dup", "length"), "INSUFFICIENT ambiguous_identifier"),
    ("demerged to one heir here", _value("p:split", "length"), "INSUFFICIENT ambiguous_identifier"),
    ("merged, though an old source still states facts of it", _value("p:moved", "family"), "kinase"),
    ("merged, asked of the old source by name", _value("p:moved", "length", releases=("t",)), "2"),
    ("deleted", _value("p:gone", "length"), "NO_ENTITY deleted"),
    ("approved outranks alias", _value("sym:F", "length"), "5"),
    ("entity unknown", _value("p:none", "length"), "NO_ENTITY unknown"),
    ("property nobody declares", _value("p:A", "price"), "INSUFFICIENT no_property"),
    ("property nobody declares, entity unknown", _value("p:none", "price"), "NO_ENTITY unknown"),
    ("property without a fact", _value("p:B", "family"), "INSUFFICIENT no_property"),
    ("argument without a fact", _value("p:A", "family", argument="9"), "INSUFFICIENT no_fact"),
    ("quarantined row", _value("p:quar", "length"), "INSUFFICIENT quarantined"),
    ("predicted only", _value("p:pred", "length"), "INSUFFICIENT no_admitted_fact"),
    ("retracted only", _value("p:retracted", "length"), "INSUFFICIENT no_admitted_fact"),
    ("not credible only", _value("p:incredible", "length"), "INSUFFICIENT no_admitted_fact"),
    ("deprecated only", _value("p:deprecated", "length"), "INSUFFICIENT no_admitted_fact"),
    ("later complete release lacks the entity", _value("p:old", "length"), "NO_ENTITY only_superseded"),
    ("the old release by name", _value("p:old", "length", releases=("r1",)), "2"),
    ("later release supersedes", _value("p:both", "length"), "3"),
    ("both releases asked", _value("p:both", "length", releases=("r1", "r2")), "CONFLICT"),
    ("two sources disagree", _value("p:two", "length"), "CONFLICT"),
    ("a copy does not remove agreement", _value("p:copy", "length"), "2"),
    ("category", _task("category", "p:A", "family"), "kinase"),
    ("identifier", _value("p:A", "name"), "p.name:A_HUMAN"),
    ("set of identifiers", _value("p:A", "gene"), ["g:ONE", "g:TWO"]),
    ("sets of incomplete sources", _value("c:diff", "member"), "INSUFFICIENT incomplete_sets"),
    ("date", _value("p:A", "born"), "2020-02-29"),
    ("boolean", _value("p:A", "alive"), True),
    ("quantity in the asked unit", _value("p:A", "mass", unit="m"), {"n": "0.009", "unit": "m"}),
    ("quantity in its own unit", _value("p:A", "mass"), {"n": "9", "unit": "mm"}),
    ("stated interval", _value("p:A", "chain"), {"lo": "2", "hi": "5", "lo_closed": True, "hi_closed": True}),
    ("uncertainty asked", _value("q:t1", "temp", unit="K", uncertainty=True), {"n": "298.15", "unit": "K", "u": "0.1"}),
    ("uncertainty of an exact number", _value("q:exact", "temp", uncertainty=True), {"n": "300", "unit": "K", "u": "0"}),
    ("no uncertainty stated", _value("q:bare", "temp", uncertainty=True), "INSUFFICIENT no_uncertainty"),
    ("asymmetric uncertainty", _value("q:asym", "temp", uncertainty=True), "INSUFFICIENT asymmetric_uncertainty"),
    ("truncated decimal, exact", _value("q:cut", "temp"), "INSUFFICIENT truncated"),
    ("truncated decimal on a coarse grid", _value("q:cut", "temp", grid=Decimals(4)), {"n": "8.3145", "unit": "K"}),
    ("truncated decimal on its last digit", _value("q:cut", "temp", grid=Decimals(9)), "INSUFFICIENT truncated"),
    ("a source that gives no unit", _value("q:unitless", "temp"), "INSUFFICIENT no_unit"),
    ("agreement of incomplete sets", _task("agree", "c:diff", "member"), "INSUFFICIENT incomplete_sets"),
    ("two conditions", _value("w:cond", "temp"), "INSUFFICIENT under_specified"),
    ("condition named", _value("w:cond", "temp", condition="red"), {"n": "2", "unit": "K"}),
    ("preferred source", _value("q:pref", "score"), "10.2"),
    ("compatible, not equal", _value("q:near", "level"), "INSUFFICIENT compatible_not_equal"),
    ("equal on the grid", _value("q:near", "level", grid=Significant(2)), "10"),
    ("identify", _task("identify", "p:A1"), "p:A"),
    ("identify by property", _task("identify", "p:A1", "name"), "p.name:A_HUMAN"),
    ("identify by a set of several", _task("identify", "p:A", "gene"), "INSUFFICIENT not_unique"),
    ("identify by a set of one", _task("identify", "c:one", "member"), "p:A"),
    ("identify by a set in conflict", _task("identify", "c:diff", "member"), "INSUFFICIENT incomplete_sets"),
    ("identify ambiguous", _task("identify", "p:dup"), "INSUFFICIENT ambiguous_identifier"),
    ("identify unknown", _task("identify", "p:none"), "NO_ENTITY unknown"),
    ("count residues", _task("count", "p:A", "sequence"), "5"),
    ("count one letter", _task("count", "p:A", "sequence", argument="G"), "2"),
    ("zero is a value", _task("count", "p:A", "sequence", argument="W"), "0"),
    ("count members", _task("count", "c:set", "member"), "2"),
    ("count of nothing", _task("count", "p:A", "nothing"), "INSUFFICIENT no_property"),
    ("convert a property", _task("convert", "q:t1", "temp", unit="K"), {"n": "298.15", "unit": "K"}),
    (
        "convert a given number",
        Task("convert", Given("25", "degC"), unit="K"),
        {"n": "298.15", "unit": "K"},
    ),
    ("mass from composition", _task("derive", "p:A", "sequence", definition="average", derivation="mass", grid=Decimals(3), unit="Da"), {"n": "405.47", "unit": "Da"}),
    ("mass without its scale", _task("derive", "p:A", "sequence", derivation="mass"), "INSUFFICIENT under_specified"),
    ("mass of the mature chain", _task("derive", "p:A", "sequence", referent="mature", definition="average", derivation="mass", unit="kDa"), {"n": "0.274277", "unit": "kDa"}),
    ("mass without monoisotopic evidence", _task("derive", "p:A", "sequence", definition="monoisotopic", derivation="mass"), "INSUFFICIENT no_atomic_mass"),
    ("mass with an unknown residue", _task("derive", "p:X", "sequence", definition="average", derivation="mass"), "INSUFFICIENT no_composition"),
    ("composition", _task("derive", "p:A", "sequence", argument="S", derivation="composition"), "1"),
    ("mature length", _task("derive", "p:A", "", derivation="mature_length"), "4"),
    ("mature length as a property", _value("p:A", "mature_length"), "4"),
    ("residue at a position", _task("derive", "p:A", "sequence", argument="3", derivation="residue_at"), "G"),
    ("residue beyond the end", _task("derive", "p:A", "sequence", argument="6", derivation="residue_at"), "INSUFFICIENT no_fact"),
    ("difference", Task("derive", Selector("p:B", "length"), Selector("p:A", "length"), derivation="difference"), "1"),
    ("difference has no offset", Task("derive", Selector("q:t3", "temp"), Given("0", "degC"), derivation="difference", unit="degC"), {"n": "36.85", "unit": "degC"}),
    ("difference of different dimensions", Task("derive", Selector("q:t3", "temp"), Given("0", "m"), derivation="difference"), "INSUFFICIENT different_dimensions"),
    ("sum over members", _task("derive", "c:set", "length", derivation="sum"), "11"),
    ("largest member", _task("derive", "c:set", "length", derivation="argmax"), "p:B"),
    ("largest of a tie", _task("derive", "c:tie", "length", derivation="argmax"), "INSUFFICIENT tie"),
    ("a member that is missing", _task("derive", "c:gap", "length", derivation="sum"), "INSUFFICIENT member_missing"),
    ("agree", _task("agree", "p:same", "length"), "agree"),
    ("disagree", _task("agree", "p:two", "length"), "disagree"),
    ("a copy is no second witness", _task("agree", "p:copy", "length"), "one_source"),
    ("agreement about nothing", _task("agree", "p:none", "length"), "NO_ENTITY unknown"),
    ("less", Task("compare", Selector("p:A", "length"), Selector("p:B", "length")), "less"),
    ("greater", Task("compare", Selector("p:B", "length"), Selector("p:A", "length")), "greater"),
    ("equal", Task("compare", Selector("p:A", "length"), Given("5")), "equal"),
    ("relation that holds", Task("compare", Selector("p:B", "length"), Selector("p:A", "length"), relation="greater"), True),
    ("equal is not greater", Task("compare", Selector("p:A", "length"), Given("5"), relation="greater"), False),
    ("sequences identical", Task("compare", Selector("p:same", "sequence"), Selector("p:copy", "sequence"), relation="equal"), True),
    ("sequences different", Task("compare", Selector("p:A", "sequence"), Selector("p:B", "sequence"), relation="equal"), False),
    ("measured, not separated", Task("compare", Selector("q:t1", "temp"), Selector("q:t2", "temp")), "INSUFFICIENT not_separated"),
    ("measured, central", Task("compare", Selector("q:t1", "temp"), Selector("q:t2", "temp"), central=True), "equal"),
    ("measured, separated", Task("compare", Selector("q:t1", "temp"), Selector("q:t3", "temp")), "less"),
    ("measured, own k", Task("compare", Selector("q:t1", "temp"), Selector("q:t3", "temp"), k="20"), "INSUFFICIENT not_separated"),
    ("different dimensions", Task("compare", Selector("q:t1", "temp"), Selector("q:len", "mass")), "INSUFFICIENT different_dimensions"),
    ("conflict on one side", Task("compare", Selector("p:A", "length"), Selector("p:two", "length")), "CONFLICT"),
    ("no entity before conflict", Task("compare", Selector("p:none", "length"), Selector("p:two", "length")), "NO_ENTITY unknown"),
    ("insufficient before conflict", Task("compare", Selector("p:two", "length"), Selector("p:quar", "length")), "INSUFFICIENT quarantined"),
    ("inside a given interval", Task("within", Given("39.948"), GivenInterval("39.792", "39.963", lo_closed=True, hi_closed=True)), True),
    ("end point of a closed interval", Task("within", Given("10", "K"), Selector("q:range", "span")), True),
    ("end point of an open interval", Task("within", Given("20", "K"), Selector("q:range", "span")), False),
    ("unbounded above", Task("within", Given("1e9", "K"), Selector("q:open", "span")), True),
    ("below the bound", Task("within", Given("9.99", "K"), Selector("q:open", "span")), False),
    ("inside one sigma, end point", Task("within", Given("298.25", "K"), Around(Selector("q:t1", "temp"))), True),
    ("outside one sigma", Task("within", Given("298.26", "K"), Around(Selector("q:t1", "temp"))), False),
    ("around without uncertainty", Task("within", Given("300", "K"), Around(Selector("q:bare", "temp"))), "INSUFFICIENT no_uncertainty"),
    ("measured item over the bound", Task("within", Selector("q:t1", "temp"), GivenInterval("298.15", None, lo_closed=True, hi_closed=False, unit="K")), "INSUFFICIENT not_separated"),
    ("measured item, central", Task("within", Selector("q:t1", "temp"), GivenInterval("298.15", None, lo_closed=True, hi_closed=False, unit="K"), central=True), True),
    ("item in another dimension", Task("within", Given("1", "m"), Selector("q:range", "span")), "INSUFFICIENT different_dimensions"),
    ("interval as the answer", _task("interval", "q:range", "span", unit="K"), {"lo": "10", "hi": "20", "lo_closed": True, "hi_closed": False}),
    ("half-open unbounded interval", _task("interval", "q:open", "span", unit="K"), {"lo": "10", "hi": None, "lo_closed": True, "hi_closed": False}),
    ("interval around a value", Task("interval", Around(Selector("q:t1", "temp"), "2"), unit="degC"), {"lo": "24.8", "hi": "25.2", "lo_closed": True, "hi_closed": True}),
    ("asymmetric interval", Task("interval", Around(Selector("q:asym", "temp")), unit="K"), {"lo": "293", "hi": "308", "lo_closed": True, "hi_closed": True}),
    ("interval around nothing", Task("interval", Around(Selector("q:none", "temp")), unit="K"), "NO_ENTITY unknown"),
]  # fmt: skip


@pytest.mark.parametrize(("task", "expected"), [pytest.param(t, e, id=name) for name, t, e in CASES])
def test_established_state(task: Task, expected: object) -> None:
    established = establish(SNAPSHOT, task)
    assert _found(established) == expected
    # The derivation alone gives the same state again.
    assert re_establish(established) == established.state


REFUSED = [
    ("unknown class", Task("guess", Selector("p:A", "length")), "task.class"),
    ("value of a literal", Task("value", Given("1")), "task.sides"),
    ("value without a property", Task("value", Selector("p:A")), "task.sides"),
    ("category of a number", _task("category", "p:A", "length"), "task.property"),
    ("sequence as an answer", _value("p:A", "sequence"), "task.property"),
    ("unknown release", _value("p:A", "length", releases=("r9",)), "task.release"),
    ("unit of another dimension", _value("p:A", "mass", unit="K"), "task.unit"),
    ("undeclared unit", _value("p:A", "mass", unit="cal"), "task.unit"),
    ("compare with one side", Task("compare", Selector("p:A", "length")), "task.sides"),
    ("compare with an interval", Task("compare", Selector("p:A", "length"), Around(Selector("q:t1", "temp"))), "task.sides"),
    ("compare an interval property", Task("compare", Selector("p:A", "chain"), Given("1")), "task.sides"),
    ("order of texts", Task("compare", Selector("p:A", "family"), Selector("p:A", "family")), "task.relation"),
    ("unknown relation", Task("compare", Selector("p:A", "length"), Given("1"), relation="near"), "task.relation"),
    ("within a number", Task("within", Given("1"), Given("2")), "task.sides"),
    ("within a property that is a number", Task("within", Given("1", "K"), Selector("q:t1", "temp")), "task.sides"),
    ("a text within an interval", Task("within", Selector("p:A", "family"), Selector("q:range", "span")), "task.sides"),
    ("agree about a literal", Task("agree", Given("1")), "task.sides"),
    ("identify a literal", Task("identify", Given("1")), "task.sides"),
    ("identify by a number", _task("identify", "p:A", "length"), "task.property"),
    ("count a literal", Task("count", Given("1")), "task.sides"),
    ("count two letters", _task("count", "p:A", "sequence", argument="GG"), "task.argument"),
    ("count a number", _task("count", "p:A", "length"), "task.property"),
    ("convert without a unit", _task("convert", "p:A", "mass"), "task.unit"),
    ("convert between dimensions", Task("convert", Given("1", "K"), unit="m"), "task.unit"),
    ("convert a word", _task("convert", "p:A", "family", unit="m"), "task.property"),
    ("interval of a literal", Task("interval", Given("1")), "task.sides"),
    ("interval of a number", _task("interval", "p:A", "length"), "task.property"),
    ("unknown derivation", _task("derive", "p:A", "length", derivation="guess"), "task.derivation"),
    ("composition of no element", _task("derive", "p:A", "sequence", argument="Xx", derivation="composition"), "task.argument"),
    ("residue at a position of 5,000 digits", _task("derive", "p:A", "sequence", argument="9" * 5000, derivation="residue_at"), "task.argument"),
    ("residue of a word", _task("derive", "p:A", "family", argument="1", derivation="residue_at"), "task.property"),
    ("largest of words", _task("derive", "c:set", "family", derivation="argmax"), "task.property"),
    ("difference that begins with a literal", Task("derive", Given("1"), Selector("p:A", "length"), derivation="difference"), "task.sides"),
    ("residue at no position", _task("derive", "p:A", "sequence", argument="x", derivation="residue_at"), "task.argument"),
    ("difference with one side", _task("derive", "p:A", "length", derivation="difference"), "task.sides"),
    ("difference of words", _task("derive", "p:A", "family", derivation="difference", other=Given("1")), "task.property"),
    ("difference with an interval", _task("derive", "p:A", "length", derivation="difference", other=Around(Selector("q:t1", "temp"))), "task.sides"),
    ("sum of words", _task("derive", "c:set", "family", derivation="sum"), "task.property"),
    ("interval of a quantity without its unit", _task("interval", "q:range", "span"), "task.unit"),
    ("unit of a whole number", _value("p:A", "length", unit="m"), "task.unit"),
    ("grid of a whole number", _value("p:A", "length", grid=Decimals(1)), "task.grid"),
    ("uncertainty of a word", _value("p:A", "family", uncertainty=True), "task.uncertainty"),
    ("k that is no number", Task("compare", Selector("q:t1", "temp"), Selector("q:t3", "temp"), k="two"), "task.k"),
    ("k below zero", Task("compare", Selector("q:t1", "temp"), Selector("q:t3", "temp"), k="-1"), "task.k"),
    ("given number that is none", Task("compare", Selector("p:A", "length"), Given("5,0")), "task.given"),
    ("given unit undeclared", Task("compare", Selector("q:t1", "temp"), Given("5", "cal")), "task.unit"),
    ("answer without a finite spelling", Task("convert", Given("1", "m"), unit="thirds", grid=None), None),
    ("answer that does not fit", Task("convert", Given("1", "thirds"), unit="m"), "task.answer_does_not_fit"),
]  # fmt: skip


@pytest.mark.parametrize(("task", "code"), [pytest.param(t, c, id=name) for name, t, c in REFUSED])
def test_task_that_cannot_be_asked_is_refused(task: Task, code: str | None) -> None:
    if code is None:
        assert isinstance(establish(SNAPSHOT, task).state, Determined)
        return
    with pytest.raises(InvalidTask) as caught:
        establish(SNAPSHOT, task)
    assert caught.value.code == code


def test_state_is_hidden_from_repr() -> None:
    assert "5" not in repr(establish(SNAPSHOT, _value("p:A", "length")))


@pytest.mark.parametrize("lookup", ["facts", "presence", "property_specs", "quarantined", "sources", "aliases"])
def test_a_lost_look_up_is_a_fault_and_never_an_absence(lookup: str) -> None:
    held = establish(SNAPSHOT, _value("p:A", "length")).evidence
    getattr(held, lookup).clear()
    with pytest.raises(Fault):
        establish(SliceSnapshot(held), _value("p:A", "length"))
