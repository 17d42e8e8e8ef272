"""Pipes: UniProtKB flat files into facts (spec/pack.md §9). Values are read twice, by our own scan and by Biopython."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from assay.floor.evidence import Alias, Fact, Source
from assay.packs.connectors.base import RawFile, Statement, draft
from assay.packs.connectors.flatfile import Feature, Record, scan
from assay.packs.locators import bytes_locator
from assay.packs.refusal import refusal, shown

_ID = re.compile(r"(\S+) .*?(\d+) AA\.").match
_ACCESSION = re.compile(r"([A-Z0-9]+);")
_GENE = re.compile(r"(?:^|[; ])Name=([^;{]+?) *(?:\{[^}]*\})?;")
_SIZES = re.compile(r"SEQUENCE +(\d+) AA; +(\d+) MW;").match
_VERSION = re.compile(r"sequence version (\d+)\.")
_ENTRY = re.compile(r"(\d\d)-([A-Z]{3})-(\d{4}), entry version (\d+)\.")
_DAY = re.compile(r"(\d\d)-(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)-(\d{4})")
_ORGANISM = re.compile(r"[^(]*[^( ](?: \((?:strain|isolate|subsp|serovar|serotype|cultivar|biovar)[^)]*\))?").match
_CHANGE = re.compile(r"([A-Z]) -> ([A-Z]) \(in Ref\. ([^)]*)\)").match
_CITED = re.compile(r"(\d+)(?:; ([A-Z0-9_/]+)(?=,| and |$))?")
_REMARK = re.compile(r" *\((?:By similarity|Potential|Probable)\)")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_RANGES = {"CHAIN": "chain", "SIGNAL": "signal", "INIT_MET": "initiator_methionine"}


def read_uniprot(raw: RawFile, source: Source) -> Iterator[Statement]:
    """Facts, aliases and cited sources of every record of the file. Facts have no `fact_id` yet."""
    records = scan(raw.path, raw.data)
    _agree_with_biopython(raw, records)
    for record in records:
        yield from _read_record(record, source)


def dated(raw: RawFile, source: Source) -> Source:
    """The source with date and version from the DT lines, where they are not given."""
    records = scan(raw.path, raw.data)
    days = [_day(match) for record in records for match in _DAY.finditer(record.joined("DT").text)]
    entry = _ENTRY.search(records[0].joined("DT").text) if len(records) == 1 else None
    version = source.version or (f"entry version {entry[4]}" if entry else "")
    return replace(source, date=source.date or max(days, default=""), version=version)


def _read_record(record: Record, source: Source) -> Iterator[Statement]:
    names = record.joined("AC")
    accessions = list(_ACCESSION.finditer(names.text))
    head, line = _ID(record.lines[0].text), record.lines[0]
    if not accessions or head is None:
        raise refusal(
            "connector",
            f"a record of source `{source.source}` has no accession or length",
            "a UniProtKB flat file is needed",
        )
    entity = f"uniprot:{accessions[0][1]}"

    def fact(name: str, raw: str, locator: str, **cells: str) -> Fact:
        return draft(entity, name, source.source, raw=raw, locator=locator, **{"value": raw, **cells})

    place = bytes_locator((line.start, line.start + head.end(1)))
    yield fact("entry_name", head[1], place, value=f"uniprot.name:{head[1]}")
    yield Alias(f"uniprot.name:{head[1]}", entity, "entry_name", source.source, place)
    for match in accessions[1:]:
        yield Alias(f"uniprot:{match[1]}", entity, "secondary", source.source, names.locator(*match.span(1)))
    yield fact("sequence", "", bytes_locator(record.block), value=record.sequence, referent="precursor")
    sizes, texts = _SIZES(record.lines[-1].text), record.joined("SQ")
    if sizes is not None:
        yield fact("stated_length", sizes[1], texts.locator(*sizes.span(1)), referent="precursor")
        mass = {"unit": "Da", "referent": "precursor", "definition": "average"}
        yield fact("stated_molecular_weight", sizes[2], texts.locator(*sizes.span(2)), **mass)
    dates = record.joined("DT")
    version = _VERSION.search(dates.text)
    if version is not None:
        yield fact("sequence_version", version[1], dates.locator(*version.span(1)))
    organism = record.joined("OS")
    # The line ends in a full stop, which `sp.` shares.
    species = _ORGANISM(organism.text if organism.text.endswith(" sp.") else organism.text.removesuffix("."))
    # Old records name several species in one entry; which one is meant is not stated.
    if species is not None and ", " not in species[0]:
        yield fact("organism", species[0], organism.locator(*species.span()))
    genes = record.joined("GN")
    for match in _GENE.finditer(genes.text):
        if " " not in match[1]:
            yield fact("gene", match[1], genes.locator(*match.span(1)), value=f"gene:{match[1]}")
    yield from _read_features(record, entity, source)


def _read_features(record: Record, entity: str, source: Source) -> Iterator[Statement]:
    features = record.features()
    names = [_chain_name(feature) for feature in features]
    canonical: set[str] = set()
    for feature, name in zip(features, names, strict=True):
        if feature.key in _RANGES and feature.first.isdecimal() and feature.last.isdecimal():
            argument = name if feature.key == "CHAIN" else ""
            alike = [other for other, its in zip(features, names, strict=True) if its == name and other.key == "CHAIN"]
            if argument and len(alike) > 1:
                argument = f"{name[:100]} ({feature.identifier or alike.index(feature) + 1})"
            yield draft(
                entity, _RANGES[feature.key], source.source, argument=argument, lower=feature.first,
                upper=feature.last, bounds="[]", raw=feature.raw, locator=feature.place,
            )  # fmt: skip
        if feature.key == "CONFLICT" and feature.first == feature.last and feature.first.isdecimal():
            yield from _read_conflict(record, feature, entity, source, canonical)


def _read_conflict(
    record: Record, feature: Feature, entity: str, source: Source, canonical: set[str]
) -> Iterator[Statement]:
    """The record's own letter, and the letter of each submission that it cites against itself."""
    change = _CHANGE(feature.note.text)
    position = int(feature.first)
    if change is None or record.sequence[position - 1 : position] != change[1]:
        return
    at = {"argument": feature.first}
    if feature.first not in canonical:
        canonical.add(feature.first)
        place = feature.note.locator(*change.span(1))
        yield draft(
            entity,
            "residue",
            source.source,
            value=change[1],
            raw=change[1],
            locator=place,
            definition="canonical",
            **at,
        )
    place = feature.note.locator(*change.span(2))
    for cited in _CITED.finditer(change[3]):
        accession = entity.partition(":")[2]
        for name in (cited[2] or f"{accession}.ref{cited[1]}").split("/"):
            title = f"submission {name}" if cited[2] else f"reference {cited[1]}"
            yield Source(
                name, f"{title}, as cited in UniProtKB {accession}", "", "", "", "", "", "", "", "current", "", "",
                "partial", (), credible=True,
            )  # fmt: skip
            yield draft(
                entity, "residue", source.source, value=change[2], raw=change[2], locator=place,
                definition="submitted", asserted_by=name, **at,
            )  # fmt: skip


def _chain_name(feature: Feature) -> str:
    return _REMARK.sub("", feature.note.text).rstrip(".").strip()[:128].strip() if feature.key == "CHAIN" else ""


def _day(match: re.Match[str]) -> str:
    return f"{match[3]}-{_MONTHS.index(match[2]) + 1:02d}-{match[1]}"


def _agree_with_biopython(raw: RawFile, records: list[Record]) -> None:
    """Refuse a file that Biopython reads otherwise: one reader's fault must not become evidence."""
    try:
        from Bio import SwissProt  # noqa: PLC0415 - an extra, needed here alone
    except ImportError:
        raise refusal(
            "extra", "Biopython is not installed", "install `assay[bio]` to build from UniProtKB flat files"
        ) from None
    try:
        theirs: list[Any] = list(SwissProt.parse(io.StringIO(raw.data.decode("utf-8"))))
    except (ValueError, AssertionError, LookupError) as error:
        raise refusal(
            "connector", f"{shown(raw.path)}: Biopython refuses it ({error})", "a UniProtKB flat file is needed"
        ) from None
    ours = [(_accessions(record), record.sequence) for record in records]
    if ours != [(list(record.accessions), record.sequence) for record in theirs]:
        raise refusal("connector", f"{shown(raw.path)}: two readers find different records", "check the file by eye")


def _accessions(record: Record) -> list[str]:
    """The accessions of a record, the primary one first."""
    return [match[1] for match in _ACCESSION.finditer(record.joined("AC").text)]
