"""Identifier traps that the shipped packs can express, each with its verdict."""

from __future__ import annotations

from functools import cache

import pytest

from assay.api.data import data_dir
from assay.floor.identifiers import Ambiguous, Resolved, Unknown, resolve
from assay.floor.store import Snapshot
from assay.packs.loader import open_pack

TRAPS = [
    ("secondary to three records here", "proteins", "uniprot:P01922", "ambiguous"),
    ("secondary to several records here", "proteins", "uniprot:P02023", "ambiguous"),
    ("secondary of one record", "proteins", "uniprot:Q549N7", "uniprot:P68871"),
    ("two old entries merged", "proteins", "uniprot:P01564", "uniprot:P01563"),
    ("demerged into two species", "proteins", "uniprot:Q00007", "ambiguous"),
    ("deleted", "proteins", "uniprot:I8FBX0", "deleted"),
    ("no such isoform", "proteins", "uniprot:P69905-2", "unknown"),
    ("an isoform that is only a recipe", "proteins", "uniprot:P09919-2", "unknown"),
    ("the held sequence version", "proteins", "uniprot:P69905.2", "uniprot:P69905"),
    ("another sequence version", "proteins", "uniprot:P69905.1", "version"),
    ("lower case, where folding is declared", "proteins", "uniprot:p69905", "uniprot:P69905"),
    ("letter O for zero", "proteins", "uniprot:P699O5", "unknown"),
    ("bars of a header line", "proteins", "sp|P69905|HBA_HUMAN", "uniprot:P69905"),
    ("another written prefix", "proteins", "uniprotkb:P69905", "uniprot:P69905"),
    ("an address", "proteins", "https://identifiers.org/uniprot:P69905", "uniprot:P69905"),
    ("an entry name", "proteins", "uniprot.name:HBA_HUMAN", "uniprot:P69905"),
    ("look-alike that is not held", "proteins", "uniprot:P69915", "unknown"),
    ("look-alike that is another species", "proteins", "uniprot:P69906", "uniprot:P69906"),
    ("a keratin pseudogene", "genes", "hgnc.symbol:HBA", "hgnc:30195"),
    ("previous symbol of one, alias of another", "genes", "hgnc.symbol:SEPT2", "ambiguous"),
    ("a symbol like a date", "genes", "hgnc.symbol:MARCH1", "hgnc:26077"),
    ("previous symbol of one, alias of another again", "genes", "hgnc.symbol:MLL2", "ambiguous"),
    ("approved wins over alias", "genes", "hgnc.symbol:FAS", "hgnc:11920"),
    ("approved wins over three aliases", "genes", "hgnc.symbol:AR", "hgnc:644"),
    ("alias of many", "genes", "hgnc.symbol:ASP", "ambiguous"),
    ("alias of many again", "genes", "hgnc.symbol:PAP", "ambiguous"),
    ("alias of many once more", "genes", "hgnc.symbol:CAP", "ambiguous"),
    ("case decides", "genes", "hgnc.symbol:P53", "unknown"),
    ("the other case", "genes", "hgnc.symbol:p53", "hgnc:11998"),
    ("no third alpha gene", "genes", "hgnc.symbol:HBA3", "hgnc:4825"),
    ("approved today, previous symbol of another", "genes", "hgnc.symbol:AK3", "hgnc:17376"),
    ("a hyphen is a character", "genes", "hgnc.symbol:OCT4", "unknown"),
    ("merged", "genes", "hgnc:6", "hgnc:12469"),
    ("replaced", "genes", "hgnc:8", "resolved"),
    ("split", "genes", "hgnc:1531", "ambiguous"),
    ("withdrawn", "genes", "hgnc:1", "deleted"),
    ("renamed", "genes", "hgnc.symbol:ARNTL", "hgnc:701"),
    ("renamed again", "genes", "hgnc.symbol:AARS", "hgnc:20"),
    ("an isomer is another nuclide", "elements", "nuclide:Tc-99m", "nuclide:Tc-99m"),
    ("an element, not a compound", "elements", "element:CO", "unknown"),
    ("a check digit that is wrong", "elements", "cas:58-08-3", "unknown"),
    ("in 2020 and gone in 2024", "ecoli", "uniprot:A0A385XJN2", "uniprot:A0A385XJN2"),
]


@cache
def _pack(name: str) -> Snapshot:
    return open_pack(data_dir() / "packs" / name)


@pytest.mark.parametrize(("pack", "written", "expected"), [pytest.param(p, w, e, id=name) for name, p, w, e in TRAPS])
def test_identifier_trap(pack: str, written: str, expected: str) -> None:
    match resolve(_pack(pack), written):
        case Resolved(entity):
            assert expected in (entity, "resolved")
        case Ambiguous(candidates):
            assert expected == "ambiguous"
            assert candidates
        case Unknown(reason):
            assert expected == reason
