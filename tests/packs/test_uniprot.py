"""UniProtKB flat files, old layout and new: every word has its place, and two readers agree."""

import builtins
import sys
from collections.abc import Iterator

import pytest

from assay.floor.evidence import Alias, Fact, Source
from assay.kernel.errors import InvalidPack
from assay.packs.connectors.base import RawFile
from assay.packs.connectors.uniprot import dated, read_uniprot
from assay.packs.rows import COLUMNS, source_of

pytest.importorskip("Bio", reason="Biopython, the extra `bio`, is not installed")

OLD = """\
ID   HBA_HUMAN               Reviewed;          14 AA.
AC   P69905; P01922; Q1HDT5;
AC   Q9NYR7;
DT   21-JUL-1986, integrated into UniProtKB/Swiss-Prot.
DT   23-JAN-2007, sequence version 2.
DT   13-JUN-2012, entry version 108.
DE   RecName: Full=Hemoglobin subunit alpha;
GN   Name=HBA1;
GN   and
GN   Name=HBA2; Synonyms=HBB2;
OS   Pseudomonas aeruginosa (strain ATCC 15692 / PAO1 / 1C / PRS 101 / LMG
OS   12228).
OC   Eukaryota; Metazoa.
OX   NCBI_TaxID=9606;
RN   [1]
RP   PROTEIN SEQUENCE.
RL   Nature 5:1-2(1960).
FT   INIT_MET      1      1       Removed.
FT   CHAIN         2     14       Hemoglobin subunit
FT                                alpha (By similarity).
FT                                /FTId=PRO_0000052653.
FT   SIGNAL       <1      3       Potential.
FT   CONFLICT      4      4       S -> A (in Ref. 1; AAA32777/CAA32493).
FT   CONFLICT      5      5       P -> T (in Ref. 1, 4 and 7).
FT   CONFLICT      5      5       P -> L (in Ref. 2; AA sequence).
FT   CONFLICT      6      7       AD -> HA (in Ref. 1; CAA32024).
FT   CONFLICT      8      8       Missing (in Ref. 3).
FT   CONFLICT      9      9       X -> V (in Ref. 3).
SQ   SEQUENCE   14 AA;  1500 MW;  15E13666573BBBAE CRC64;
     MVLSPADKTN VKAA
//
"""
NEW = """\
ID   R1A_SARS2               Reviewed;          12 AA.
AC   P0DTC1;
DT   22-APR-2020, integrated into UniProtKB/Swiss-Prot.
DT   22-APR-2020, sequence version 1.
DT   02-DEC-2020, entry version 4.
DE   RecName: Full=Replicase polyprotein 1a;
GN   Name=1a {ECO:0000305}; ORFNames=x y;
OS   Dinoroseobacter sp.
OC   Viruses.
OX   NCBI_TaxID=2697049;
RN   [1]
RP   NUCLEOTIDE SEQUENCE.
RL   Nature 5:1-2(2020).
FT   CHAIN           1..6
FT                   /note="nsp1"
FT                   /id="PRO_0000449635"
FT   CHAIN           7..12
FT                   /note="nsp1"
FT                   /id="PRO_0000449636"
FT   SIGNAL          1..2
FT                   /evidence="ECO:0000255"
FT   CONFLICT        3
FT                   /note="S -> T (in Ref. 4; ABO21706 and 3; ABD77683)"
FT                   /evidence="ECO:0000305"
FT   CHAIN           P0DTC1-2:1..3
FT                   /note="of an isoform"
SQ   SEQUENCE   12 AA;  1344 MW;  FE96C3E7F3D8DF31 CRC64;
     MESLVPGFNE KT
//
"""


def source() -> Source:
    cells = dict.fromkeys(COLUMNS["sources"], "") | {"source": "release", "credible": "yes", "file": "raw/x.dat"}
    return source_of(tuple(cells.values()))


def statements(text: str) -> Iterator[Fact | Alias | Source]:
    for statement in read_uniprot(RawFile("raw/x.dat", text.encode()), source()):
        assert isinstance(statement, Fact | Alias | Source)
        yield statement


def facts(text: str, name: str) -> list[Fact]:
    return [item for item in statements(text) if isinstance(item, Fact) and item.property == name]


def pinned(text: str, fact: Fact | Alias) -> str:
    data = text.encode()
    ranges = [part.split("-") for part in fact.locator.removeprefix("bytes=").split("+")]
    return b" ".join(data[int(start) : int(end)] for start, end in ranges).decode()


def test_every_raw_spelling_is_where_its_locator_says() -> None:
    for text in (OLD, NEW, OLD + NEW, OLD.replace("\n", "\r\n")):
        for item in statements(text):
            if isinstance(item, Fact):
                found = pinned(text, item)
                assert ("".join(found.split()) if item.property == "sequence" else found) == (item.raw or item.value)
            if isinstance(item, Alias):
                assert pinned(text, item) == item.alias.partition(":")[2]


def test_the_frame_of_an_old_record() -> None:
    assert [fact.value for fact in facts(OLD, "entry_name")] == ["uniprot.name:HBA_HUMAN"]
    assert [fact.value for fact in facts(OLD, "sequence")] == ["MVLSPADKTNVKAA"]
    assert [(fact.value, fact.referent) for fact in facts(OLD, "stated_length")] == [("14", "precursor")]
    assert [(fact.value, fact.unit) for fact in facts(OLD, "stated_molecular_weight")] == [("1500", "Da")]
    assert [fact.value for fact in facts(OLD, "sequence_version")] == ["2"]
    assert [fact.value for fact in facts(OLD, "gene")] == ["gene:HBA1", "gene:HBA2"]
    strain = "Pseudomonas aeruginosa (strain ATCC 15692 / PAO1 / 1C / PRS 101 / LMG 12228)"
    assert [fact.value for fact in facts(OLD, "organism")] == [strain], "a name over two lines"
    aliases = [item for item in statements(OLD) if isinstance(item, Alias)]
    assert [(item.alias, item.kind) for item in aliases] == [
        ("uniprot.name:HBA_HUMAN", "entry_name"),
        ("uniprot:P01922", "secondary"),
        ("uniprot:Q1HDT5", "secondary"),
        ("uniprot:Q9NYR7", "secondary"),
    ]


ORGANISMS = [
    pytest.param("Pan troglodytes (Chimpanzee).", "Pan troglodytes", id="a common name goes"),
    pytest.param("Homo sapiens.", "Homo sapiens", id="the full stop goes"),
    pytest.param("Takifugu rubripes (Japanese pufferfish) (Fugu rubripes).", "Takifugu rubripes", id="a synonym goes"),
    pytest.param("Escherichia coli (strain K12).", "Escherichia coli (strain K12)", id="a strain stays"),
    pytest.param("Dinoroseobacter sp.", "Dinoroseobacter sp.", id="the stop of `sp.` stays"),
]


@pytest.mark.parametrize(("line", "name"), ORGANISMS)
def test_an_organism_is_its_scientific_name(line: str, name: str) -> None:
    assert [fact.value for fact in facts(NEW.replace("Dinoroseobacter sp.", line), "organism")] == [name]


def test_a_record_of_several_species_states_no_organism() -> None:
    several = NEW.replace("Dinoroseobacter sp.", "Trichophyton mentagrophytes, and Microsporum canis.")
    assert facts(several, "organism") == []


def test_ranges_of_the_old_layout() -> None:
    [chain] = facts(OLD, "chain")
    assert (chain.argument, chain.lower, chain.upper, chain.bounds) == ("Hemoglobin subunit alpha", "2", "14", "[]")
    assert chain.raw == "2     14"
    [met] = facts(OLD, "initiator_methionine")
    assert (met.lower, met.upper) == ("1", "1")
    assert facts(OLD, "signal") == [], "a signal that begins before the record is not bounded"


def test_ranges_of_the_new_layout() -> None:
    chains = facts(NEW, "chain")
    assert [(fact.argument, fact.lower, fact.upper) for fact in chains] == [
        ("nsp1 (PRO_0000449635)", "1", "6"),
        ("nsp1 (PRO_0000449636)", "7", "12"),
    ]
    assert [(fact.lower, fact.upper) for fact in facts(NEW, "signal")] == [("1", "2")]
    assert [fact.value for fact in facts(NEW, "gene")] == ["gene:1a"]


def test_conflicts_are_the_records_letter_and_those_of_submissions() -> None:
    found = {(fact.argument, fact.value, fact.definition, fact.asserted_by) for fact in facts(OLD, "residue")}
    assert found == {
        ("4", "S", "canonical", ""),
        ("4", "A", "submitted", "AAA32777"),
        ("4", "A", "submitted", "CAA32493"),
        ("5", "P", "canonical", ""),
        ("5", "T", "submitted", "P69905.ref1"),
        ("5", "T", "submitted", "P69905.ref4"),
        ("5", "T", "submitted", "P69905.ref7"),
        ("5", "L", "submitted", "P69905.ref2"),
    }
    new = {(fact.value, fact.asserted_by) for fact in facts(NEW, "residue")}
    assert new == {("S", ""), ("T", "ABO21706"), ("T", "ABD77683")}
    cited = {item.source: item.title for item in statements(OLD) if isinstance(item, Source)}
    assert cited["AAA32777"] == "submission AAA32777, as cited in UniProtKB P69905"
    assert cited["P69905.ref4"] == "reference 4, as cited in UniProtKB P69905"


def test_dates_come_from_the_record() -> None:
    one = dated(RawFile("x", OLD.encode()), source())
    assert (one.date, one.version) == ("2012-06-13", "entry version 108")
    two = dated(RawFile("x", (OLD + NEW).encode()), source())
    assert (two.date, two.version) == ("2020-12-02", "")


BROKEN = [
    pytest.param("", "inside a record", id="nothing"),
    pytest.param(OLD[:-3], "inside a record", id="no end"),
    pytest.param(OLD + "ID   X\n", "inside a record", id="a second record without end"),
    pytest.param(OLD.replace("ID   HBA", "XX   HBA"), "no ID", id="no ID line"),
    pytest.param(OLD[: OLD.index("SQ   ")] + "//\n", "no ID or SQ", id="no sequence"),
    pytest.param(OLD.replace("Reviewed;          14 AA.", "Reviewed."), "Biopython", id="an ID line without length"),
    pytest.param(
        OLD.replace("AC   P69905; P01922; Q1HDT5;\nAC   Q9NYR7;\n", ""), "Biopython|accession", id="no accession"
    ),
]


@pytest.mark.parametrize(("text", "words"), BROKEN)
def test_a_file_that_is_no_flat_file_is_refused(text: str, words: str) -> None:
    with pytest.raises(InvalidPack, match=words):
        list(statements(text))


def test_readers_that_disagree_are_a_refusal() -> None:
    # Our scan takes letters as they stand; Biopython drops what follows a blank first column.
    with pytest.raises(InvalidPack, match=r"Biopython|two readers"):
        list(statements(OLD.replace("     MVLSPADKTN VKAA", "     MVLSPADKTN VKAA\n  1  X")))


def test_without_biopython_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: object, **named: object) -> object:
        if name.startswith("Bio"):
            raise ImportError(name)
        return real(name, *rest, **named)  # type: ignore[arg-type]

    for name in [name for name in sys.modules if name.split(".")[0] == "Bio"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InvalidPack, match=r"install `assay\[bio\]`") as refused:
        list(statements(OLD))
    assert refused.value.code == "pack.extra"
