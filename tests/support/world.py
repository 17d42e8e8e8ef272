"""A small world with every kind of property, and one task of each sort with the operation that stands for it."""

from __future__ import annotations

from tests.snapshots import RowSnapshot, fact, prop, source, unit

from assay.floor.evidence import Alias, Fact, Namespace
from assay.floor.task import Around, Given, GivenInterval, Selector, Task
from assay.kernel.kinds import Decimals, Significant

_FORMULAE = {"G": "C2 H3 N1 O1", "A": "C3 H5 N1 O1", "M": "C5 H9 N1 O1 S1"}


def _atoms() -> list[Fact]:
    rows = [
        fact(f"residue:{letter}", "atoms", part[1:], "table", argument=part[0])
        for letter, formula in _FORMULAE.items()
        for part in formula.split()
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
    fact("p:A", "family", "protein kinase"),
    fact("p:A", "name", "p.name:A_HUMAN"),
    fact("p:A", "gene", "g:ONE"),
    fact("p:A", "gene", "g:TWO"),
    fact("p:A", "height", "9.0", unit="mm"),
    fact("p:A", "born", "2020-02-29"),
    fact("p:A", "alive", "true"),
    fact("p:A", "version", "2"),
    fact("p:B", "sequence", "MAGAGA"),
    fact("p:two", "sequence", "MA", "s"),
    fact("p:two", "sequence", "MAG", "t"),
    fact("p:same", "sequence", "MA", "s"),
    fact("p:same", "sequence", "MA", "t"),
    fact("p:third", "height", "1", unit="third"),
    fact("q:one", "temp", "25", unit="degC", uncertainty="0.1", uncertainty_kind="standard", method="measured"),
    fact("q:two", "temp", "310", unit="K", uncertainty="1", uncertainty_kind="standard", method="measured"),
    fact("q:split", "temp", "1", unit="K", condition="white"),
    fact("q:split", "temp", "2", unit="K", condition="red"),
    fact("q:range", "span", "", unit="K", lower="10", upper="400", bounds="[)"),
    fact("c:all", "member", "p:A"),
    fact("c:all", "member", "p:B"),
    fact("c:void", "member", "p:none"),
]
SOURCES = [source("s"), source("t"), source("table")]
PROPERTIES = [
    prop("sequence", "polymer"),
    prop("length", "integer", label="residue", computed_by="count_residues(sequence)", origin="computed"),
    prop("mature", "integer", label="residue", computed_by="mature_length(chain)", origin="computed"),
    prop("chain", "interval", element="integer", label="residue"),
    prop("span", "interval", element="decimal", unit="K", units=("K", "degC")),
    prop("family", "category", vocabulary=("protein kinase", "ligase")),
    prop("name", "identifier", prefix="p.name"),
    prop("gene", "identifier", prefix="g", cardinality="many"),
    prop("member", "identifier", cardinality="many"),
    prop("height", "quantity", unit="mm", units=("mm", "m")),
    prop("atoms", "integer"),
    prop("atomic_mass", "quantity", unit="Da", units=("Da",), definitions=("average", "monoisotopic")),
    prop("temp", "quantity", unit="K", units=("K", "degC"), conditions=("white", "red")),
    prop("born", "date"),
    prop("alive", "boolean"),
    prop("version", "integer"),
]
UNITS = [
    unit("mm", "length", "1/1000"),
    unit("m", "length"),
    unit("third", "length", "1/3"),
    unit("K", "temperature"),
    unit("degC", "temperature", "1", "273.15"),
    unit("Da", "dalton"),
    unit("kDa", "dalton", "1000"),
]
ALIASES = [
    Alias("p:A1", "p:A", "secondary", "s", ""),
    Alias("p:dup", "p:A", "secondary", "s", ""),
    Alias("p:dup", "p:B", "secondary", "t", ""),
    Alias("p:gone", "", "deleted", "s", ""),
]
NAMESPACES = [Namespace("p", "exact", ("https://x/",), "", ".", "version", private=False)]
WORLD = RowSnapshot(FACTS, SOURCES, PROPERTIES, UNITS, ALIASES, NAMESPACES)


def asks(task_class: str, entity: str, name: str = "", argument: str = "", **more: object) -> Task:
    """A task with one selector."""
    return Task(task_class, Selector(entity, name, argument), **more)  # type: ignore[arg-type]


_A_LENGTH = Selector("p:A", "length")
_B_LENGTH = Selector("p:B", "length")
_HOT, _HOTTER = Selector("q:one", "temp"), Selector("q:two", "temp")
_FIRST = Decimals(1)

# name → (task, the operation that stands for it, what that operation returns)
TASKS: dict[str, tuple[Task, str, str]] = {
    "length": (asks("value", "p:A", "length"), "count_residues", "5"),
    "length by an alias": (asks("value", "p:A1", "length"), "count_residues", "5"),
    "length, sources disagree": (
        asks("value", "p:two", "length"),
        "count_residues",
        "CONFLICT_NOT_RESOLVED (incompatible)",
    ),
    "length, sources agree": (asks("value", "p:same", "length"), "count_residues", "2"),
    "length, nobody there": (asks("value", "p:none", "length"), "count_residues", "NO_ENTITY (unknown)"),
    "length, deleted": (asks("value", "p:gone", "length"), "count_residues", "NO_ENTITY (deleted)"),
    "length, ambiguous": (
        asks("value", "p:dup", "length"),
        "count_residues",
        "INSUFFICIENT_EVIDENCE (ambiguous_identifier)",
    ),
    "length, another version": (asks("value", "p:A.1", "length"), "count_residues", "NO_ENTITY (version)"),
    "mature length as a property": (asks("value", "p:A", "mature"), "compute_mature_length", "4"),
    "property nobody declares": (asks("value", "p:A", "price"), "read_value", "INSUFFICIENT_EVIDENCE (no_property)"),
    "word": (asks("value", "p:A", "family"), "look_up_category", '"protein kinase"'),
    "date": (asks("value", "p:A", "born"), "read_value", "2020-02-29"),
    "boolean": (asks("value", "p:A", "alive"), "read_value", "true"),
    "set": (asks("value", "p:A", "gene"), "read_value", "{g:ONE, g:TWO}"),
    "quantity": (asks("value", "p:A", "height", unit="m"), "read_value", "0.009 m"),
    "quantity on a grid": (asks("value", "q:one", "temp", unit="K", grid=_FIRST), "read_value", "298.2 K"),
    "quantity with uncertainty": (
        asks("value", "q:two", "temp", unit="K", uncertainty=True),
        "read_value",
        "310 ± 1 K",
    ),
    "quantity under two conditions": (
        asks("value", "q:split", "temp"),
        "read_value",
        "INSUFFICIENT_EVIDENCE (under_specified)",
    ),
    "interval as a value": (asks("value", "p:A", "chain"), "read_interval", "[2, 5]"),
    "category": (asks("category", "p:A", "family"), "look_up_category", '"protein kinase"'),
    "compare": (Task("compare", _A_LENGTH, _B_LENGTH), "compare_values", "less"),
    "compare, a relation": (Task("compare", _A_LENGTH, Given("5"), relation="equal"), "compare_values", "true"),
    "compare sequences": (
        Task("compare", Selector("p:A", "sequence"), Selector("p:B", "sequence"), relation="equal"),
        "compare_values",
        "false",
    ),
    "compare, measured": (Task("compare", _HOT, _HOTTER, k="3"), "compare_values", "less"),
    "compare, a side that cannot be spelled": (
        Task("compare", Selector("p:third", "height"), Given("1", "m"), central=True),
        "compare_values",
        "less",
    ),
    "within, stated interval": (Task("within", _HOT, Selector("q:range", "span")), "check_interval", "true"),
    "within, given": (
        Task("within", _A_LENGTH, GivenInterval("1", "4", lo_closed=True, hi_closed=False)),
        "check_interval",
        "false",
    ),
    "within, around": (Task("within", _HOT, Around(_HOTTER, "2"), central=True), "check_interval", "false"),
    "within, literals only": (
        Task("within", Given("2", "m"), GivenInterval(None, "3", lo_closed=False, hi_closed=True, unit="m")),
        "check_interval",
        "true",
    ),
    "interval": (asks("interval", "q:range", "span", unit="K"), "read_interval", "[10, 400)"),
    "interval around": (Task("interval", Around(_HOTTER, "2"), unit="K"), "read_interval", "[308, 312]"),
    "identify": (asks("identify", "p:A1"), "resolve_identifier", "p:A"),
    "identify, ambiguous": (
        asks("identify", "p:dup"),
        "resolve_identifier",
        "INSUFFICIENT_EVIDENCE (ambiguous_identifier)",
    ),
    "identify by a property": (asks("identify", "p:A", "name"), "read_value", "p.name:A_HUMAN"),
    "convert": (asks("convert", "p:A", "height", unit="m"), "convert_unit", "0.009 m"),
    "convert, given": (Task("convert", Given("25", "degC"), unit="K"), "convert_unit", "298.15 K"),
    "count residues": (asks("count", "p:A", "sequence"), "count_residues", "5"),
    "count a letter": (asks("count", "p:A", "sequence", "G"), "count_residues", "2"),
    "count members": (asks("count", "p:A", "gene"), "count_members", "2"),
    "count, undeclared": (asks("count", "p:A", "price"), "count_members", "INSUFFICIENT_EVIDENCE (no_property)"),
    "mass": (
        Task(
            "derive",
            Selector("p:A", definition="average", referent="mature"),
            derivation="mass",
            unit="kDa",
            grid=Significant(4),
        ),
        "compute_mass",
        "0.2743 kDa",
    ),
    "mass on no scale": (
        asks("derive", "p:A", derivation="mass", unit="Da"),
        "compute_mass",
        "INSUFFICIENT_EVIDENCE (under_specified)",
    ),
    "composition": (asks("derive", "p:A", "", "S", derivation="composition"), "compute_composition", "1"),
    "mature length": (asks("derive", "p:A", derivation="mature_length"), "compute_mature_length", "4"),
    "residue": (asks("derive", "p:A", "", "1", derivation="residue_at"), "residue_at", "M"),
    "difference": (Task("derive", _B_LENGTH, _A_LENGTH, derivation="difference"), "difference", "1"),
    "sum": (asks("derive", "c:all", "length", derivation="sum"), "sum_members", "11"),
    "largest": (asks("derive", "c:all", "length", derivation="argmax"), "largest_member", "p:B"),
    "a member is missing": (
        asks("derive", "c:void", "length", derivation="sum"),
        "sum_members",
        "INSUFFICIENT_EVIDENCE (member_missing)",
    ),
    "agree": (asks("agree", "p:two", "length"), "compare_sources", "disagree"),
}
