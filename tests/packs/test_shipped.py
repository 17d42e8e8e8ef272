"""The shipped packs open fast, check soundly, are built again to the same digest, and hold what they were made for."""

import importlib.util
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from assay.api.data import data_dir
from assay.floor.evidence import Fact, Opened
from assay.floor.identifiers import Ambiguous, Resolved, Unknown, resolve
from assay.floor.store import Snapshot
from assay.packs.build import build_pack
from assay.packs.check import check_pack
from assay.packs.loader import open_pack
from assay.packs.lock import LOCK
from assay.packs.values import decimal_of

PACKS = data_dir() / "packs"
RECIPES = data_dir() / "recipes"
NAMES = sorted(path.parent.name for path in PACKS.glob("*/datapackage.json"))
BUILT = sorted(path.stem for path in RECIPES.glob("*.toml"))


@pytest.fixture(scope="module")
def opened() -> dict[str, Snapshot]:
    return {name: open_pack(PACKS / name) for name in NAMES}


def test_at_least_four_packs_are_shipped_and_every_recipe_is_built() -> None:
    assert set(BUILT) >= {"proteins", "constants", "genes", "ecoli", "elements"}
    assert set(BUILT) <= set(NAMES)
    assert all((PACKS / name / LOCK).is_file() for name in BUILT)


@pytest.mark.parametrize("name", NAMES)
def test_a_pack_is_hashed_when_it_opens(opened: dict[str, Snapshot], name: str) -> None:
    assert opened[name].opened is Opened.HASHED


@pytest.mark.parametrize("name", NAMES)
def test_a_pack_opens_in_about_a_second_of_work(name: str) -> None:
    start = time.process_time()
    open_pack(PACKS / name)
    # Twice the second that is meant: the machine may be slow, and coverage is being measured.
    assert time.process_time() - start < 2


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_pack_checks_soundly(name: str) -> None:
    report = check_pack(PACKS / name)
    assert report.problems == ()
    assert report.locked is (name in BUILT)


@pytest.mark.slow
@pytest.mark.parametrize("name", BUILT)
def test_a_recipe_builds_the_shipped_digest(opened: dict[str, Snapshot], name: str, tmp_path: Path) -> None:
    pytest.importorskip("Bio", reason="Biopython, the extra `bio`, is not installed")
    assert build_pack(RECIPES / f"{name}.toml", tmp_path / name).digest == opened[name].digest


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_pack_is_a_valid_data_package(name: str) -> None:
    if importlib.util.find_spec("frictionless") is None:
        pytest.skip("the extra `frictionless` is not installed")
    # In its own process: frictionless leaves files open, and a warning is an error here.
    program = (
        "import sys, frictionless\n"
        "report = frictionless.validate(sys.argv[1])\n"
        "print(report.valid, report.flatten(['title', 'message'])[:5])\n"
    )
    path = str(PACKS / name / "datapackage.json")
    run = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert run.stdout == "True []\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_data_stays_small(name: str) -> None:
    sizes = [path.stat().st_size for path in (PACKS / name).rglob("*") if path.is_file()]
    assert sum(sizes) < 6_000_000


def one(snapshot: Snapshot, entity: str, name: str, **cells: str) -> Fact:
    found = [
        fact
        for fact in snapshot.facts(entity, name)
        if all(getattr(fact, column) == cell for column, cell in cells.items())
    ]
    assert len(found) == 1, found
    return found[0]


def mass(snapshot: Snapshot, letters: str, definition: str) -> Fraction:
    total = Fraction(0)
    for residue in (*letters, "water"):
        for atoms in snapshot.facts(f"residue:{residue}", "atoms"):
            weight = one(snapshot, f"element:{atoms.argument}", "atomic_mass", definition=definition)
            number = decimal_of(weight.value)
            assert number is not None
            total += int(atoms.value) * number
    return total


MASSES = [
    pytest.param("P68871", 0, "monoisotopic", "15988.29", id="beta globin, monoisotopic"),
    pytest.param("P29972", 0, "monoisotopic", "28508.06", id="aquaporin 1, monoisotopic"),
    pytest.param("P68871", 1, "average", "15867.26", id="mature beta globin, average"),
]


@pytest.mark.parametrize(("accession", "start", "definition", "expected"), MASSES)
def test_masses_follow_from_pinned_masses(
    opened: dict[str, Snapshot], accession: str, start: int, definition: str, expected: str
) -> None:
    letters = one(opened["proteins"], f"uniprot:{accession}", "sequence").value[start:]
    found = mass(opened["proteins"], letters, definition)
    assert abs(found - Fraction(expected)) <= Fraction(1, 200)


def test_every_letter_of_every_protein_has_a_composition_or_is_no_residue(opened: dict[str, Snapshot]) -> None:
    proteins = opened["proteins"]
    assert all(len(proteins.facts(f"residue:{letter}", "atoms")) == 6 for letter in "ACDEFGHIKLMNOPQRSTUVWY")
    assert all(proteins.facts(f"residue:{letter}", "atoms") == () for letter in "BJXZ")


def test_proteins_hold_what_the_worked_questions_ask(opened: dict[str, Snapshot]) -> None:
    proteins = opened["proteins"]
    assert {fact.value for fact in proteins.facts("uniprot:P69905", "gene")} == {"gene:HBA1", "gene:HBA2"}
    assert one(proteins, "uniprot:P68871", "gene").value == "gene:HBB"
    assert one(proteins, "uniprot:P69907", "organism").value == "Pan troglodytes"
    assert one(proteins, "uniprot:P03069", "entry_name").value == "uniprot.name:GCN4_YEAST"
    assert one(proteins, "uniprot:P08100", "stated_molecular_weight").value == "38893"
    assert len(one(proteins, "uniprot:P51112", "sequence").value) == 3148
    assert one(proteins, "uniprot:P69905", "stated_length", referent="mature").value == "141"
    assert one(proteins, "uniprot:P68871", "stated_length", referent="mature").value == "146"
    letters = {fact.value for fact in proteins.facts("uniprot:P15455", "residue") if fact.argument == "356"}
    assert letters == {"V", "E"}
    assert proteins.presence("uniprot:P69915") == ()
    assert proteins.successors("uniprot-core-P35626") == ("uniprot-core-P09470",), "one record in two files"


IDENTIFIERS = [
    pytest.param("proteins", "uniprot:p69905", "uniprot:P69905", id="lower case, where folding is declared"),
    pytest.param("proteins", "sp|P69905|HBA_HUMAN", "uniprot:P69905", id="a FASTA header's identifier"),
    pytest.param("proteins", "uniprotkb:P69905", "uniprot:P69905", id="another prefix"),
    pytest.param("proteins", "https://identifiers.org/uniprot:P69905", "uniprot:P69905", id="an address"),
    pytest.param("proteins", "uniprot:P69905.2", "uniprot:P69905", id="the sequence version that is held"),
    pytest.param("proteins", "uniprot:P69905.1", "version", id="one that is not"),
    pytest.param("proteins", "uniprot:P69905-2", "unknown", id="an isoform never falls back"),
    pytest.param("proteins", "uniprot:P699O5", "unknown", id="a letter for a digit"),
    pytest.param("proteins", "uniprot:Q8TBI5", "uniprot:P29972", id="a secondary accession"),
    pytest.param("proteins", "uniprot:P01564", "uniprot:P01563", id="merged"),
    pytest.param("proteins", "uniprot:P01922", "3", id="secondary to three records"),
    pytest.param("proteins", "uniprot:P02023", "3", id="secondary to three records of beta globin"),
    pytest.param("proteins", "uniprot:Q00007", "2", id="demerged, though one record lists it as secondary"),
    pytest.param("proteins", "uniprot:I8FBX0", "deleted", id="deleted"),
    pytest.param("proteins", "uniprot.name:HBA_HUMAN", "uniprot:P69905", id="an entry name"),
    pytest.param("genes", "hgnc.symbol:TP53", "hgnc:11998", id="an approved symbol"),
    pytest.param("genes", "hgnc.symbol:FAS", "hgnc:11920", id="approved outranks alias"),
    pytest.param("genes", "hgnc.symbol:SEPT2", "2", id="previous and alias rank alike"),
    pytest.param("genes", "hgnc.symbol:DEC1", "2", id="previous of one, alias of another"),
    pytest.param("genes", "hgnc.symbol:p40", "6", id="an alias of six"),
    pytest.param("genes", "hgnc.symbol:HBA", "hgnc:30195", id="a pseudogene"),
    pytest.param("genes", "hgnc.symbol:P53", "unknown", id="case decides"),
    pytest.param("genes", "hgnc.symbol:OCT4", "unknown", id="a hyphen decides"),
    pytest.param("genes", "hgnc.symbol:AK3", "hgnc:17376", id="approved again after another gene had it"),
    pytest.param("genes", "HGNC:6", "hgnc:12469", id="merged"),
    pytest.param("genes", "HGNC:1531", "2", id="split"),
    pytest.param("genes", "HGNC:1", "deleted", id="withdrawn"),
    pytest.param("elements", "element:CO", "unknown", id="a compound is no element"),
    pytest.param("constants", "Rydberg constant", "codata:rydberg-constant", id="a constant's printed name"),
]


@pytest.mark.parametrize(("name", "written", "expected"), IDENTIFIERS)
def test_identifier_traps(opened: dict[str, Snapshot], name: str, written: str, expected: str) -> None:
    match resolve(opened[name], written):
        case Resolved(entity):
            assert entity == expected
        case Ambiguous(candidates):
            assert str(len(candidates)) == expected
        case Unknown(reason):
            assert reason == expected


def test_thirteen_secondary_accessions_lead_to_several_records(opened: dict[str, Snapshot]) -> None:
    lines = (PACKS / "proteins" / "aliases.csv").read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(",") for line in lines if ",secondary,uniprot-2012_06," in line]
    targets: dict[str, set[str]] = {}
    for alias, entity, *_ in rows:
        targets.setdefault(alias, set()).add(entity)
    assert len(targets) == 108
    assert sum(len(entities) > 1 for entities in targets.values()) == 13


def test_constants_keep_series_and_names_apart(opened: dict[str, Snapshot]) -> None:
    constants = opened["constants"]
    rydberg = one(constants, "codata:rydberg-constant", "value", source="codata-2022")
    assert (rydberg.value, rydberg.unit, rydberg.raw) == ("10973731.568157", "m^-1", "10 973 731.568 157")
    planck = one(constants, "codata:planck-constant", "value", source="codata-2018")
    assert (planck.value, planck.unit, planck.uncertainty_kind, planck.method) == (
        "6.62607015e-34",
        "J Hz^-1",
        "exact",
        "defined",
    )
    gas = one(constants, "codata:molar-gas-constant", "value", source="codata-2022")
    assert (gas.value, gas.lower, gas.upper, gas.bounds) == ("", "8.314462618", "8.314462619", "[)")
    assert constants.presence("codata:vacuum-mag-permeability") == ("codata-2018", "codata-2022")
    assert constants.successors("codata-2014") == ("codata-2018",)
    methods = {fact.source: fact.method for fact in constants.facts("iau:L_sun", "value")}
    assert methods == {"iau-2012": "measured", "iau-2015": "defined"}
    assert constants.facts("pdg:12", "mass") == (), "minus one means no value"
    assert one(constants, "pdg:22", "mass", source="pdg-2026").value == "0", "zero is a value"
    top = one(constants, "pdg:6", "width", source="pdg-2026")
    assert (top.uncertainty, top.uncertainty_kind) == ("190 150", "asymmetric")


def test_the_proteome_releases_differ(opened: dict[str, Snapshot]) -> None:
    ecoli = opened["ecoli"]
    lengths = {fact.source: len(fact.value) for fact in ecoli.facts("uniprot:P76347", "sequence")}
    assert lengths == {"ecoli-2020-07": 2358, "ecoli-2024-12": 2339}
    members = [fact.source for fact in ecoli.facts("proteome:UP000000625", "member")]
    assert (members.count("ecoli-2020-07"), members.count("ecoli-2024-12")) == (4391, 4401)
    assert ecoli.presence("uniprot:A0A385XJN2") == ("ecoli-2020-07",)
    source = ecoli.source("ecoli-2024-12")
    assert source is not None
    assert (source.coverage, source.supersedes) == ("complete", "ecoli-2020-07")


def test_genes_hold_both_releases_and_accessions(opened: dict[str, Snapshot]) -> None:
    genes = opened["genes"]
    symbols = {fact.source: fact.value for fact in genes.facts("hgnc:307", "approved_symbol")}
    assert symbols == {"hgnc-2019-03": "hgnc.symbol:AES", "hgnc-2026-06-25": "hgnc.symbol:TLE5"}
    assert {fact.value for fact in genes.facts("hgnc:1787", "uniprot")} == {"uniprot:P42771", "uniprot:Q8N726"}
    assert one(genes, "hgnc:4824", "uniprot").value == "uniprot:P69905"


def test_elements_keep_scales_apart_and_slips_aside(opened: dict[str, Snapshot]) -> None:
    elements = opened["elements"]
    radii = {(fact.source, fact.value, fact.unit) for fact in elements.facts("element:Fe", "covalent_radius_cordero")}
    assert radii == {("mendeleev-elements", "142.0", "pm"), ("periodictable", "1.32", "angstrom")}
    assert [fact.definition for fact in elements.facts("element:He", "electronegativity")] == ["allen"]
    assert one(elements, "element:F", "covalent_radius_cordero").value == "57"
    assert one(elements, "nuclide:Tc-99m", "half_life").unit == "h"
    assert {fact.condition for fact in elements.facts("element:P", "melting_point")} == {"white", "red"}
    assert one(elements, "cas:50-06-6", "iarc_group").value == "Group 2B"
    aside = {
        entity: [
            (fact.value, reason.split(" ")[0]) for fact, reason in elements.quarantined(entity, "critical_temperature")
        ]
        for entity in ("cas:85-01-8", "cas:7439-97-6", "cas:110-82-7", "cas:96-37-7")
    }
    assert aside == {
        "cas:85-01-8": [("0.869", "implausible:")],
        "cas:7439-97-6": [("0.0", "implausible:")],
        "cas:110-82-7": [("532.7", "label")],
        "cas:96-37-7": [("553.8", "label")],
    }


UNITS = [
    pytest.param("mm[Hg]", "133.322", id="by UCUM"),
    pytest.param("mmHg_conventional", "133.322387415", id="by convention"),
    pytest.param("cal_th", "4.184", id="thermochemical"),
    pytest.param("cal_it", "4.1868", id="international table"),
    pytest.param("degF", "5/9", id="affine"),
    pytest.param("a_j", "31557600.00", id="a Julian year"),
    pytest.param("\N{MICRO SIGN}m", "0.000001", id="the micro sign"),
    pytest.param("\N{GREEK SMALL LETTER MU}m", "0.000001", id="the Greek letter"),
    pytest.param("kB", "1e3", id="a thousand bytes"),
    pytest.param("KiB", "1024", id="1024 bytes"),
]


@pytest.mark.parametrize(("name", "factor"), UNITS)
def test_units_have_their_own_names(opened: dict[str, Snapshot], name: str, factor: str) -> None:
    unit = opened["elements"].unit(name)
    assert unit is not None
    number, _, over = unit.factor.partition("/")
    expected, _, below = factor.partition("/")
    assert Fraction(number) / Fraction(over or "1") == Fraction(expected) / Fraction(below or "1")


@pytest.mark.parametrize("name", ["cal", "year", "y", "mmHg", "ppb", "IU", "C_", "M"])
def test_a_name_of_several_units_is_no_unit(opened: dict[str, Snapshot], name: str) -> None:
    assert all(snapshot.unit(name) is None for snapshot in opened.values())


def test_daltons_and_kilograms_are_of_different_dimensions(opened: dict[str, Snapshot]) -> None:
    dalton, kilogram = (opened["constants"].unit(name) for name in ("Da", "kg"))
    assert dalton is not None
    assert kilogram is not None
    assert dalton.dimension != kilogram.dimension
