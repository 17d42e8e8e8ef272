"""Small packs for tests: tables as rows of named cells, written as a person would write them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.packs.csvtable import write_table
from assay.packs.rows import COLUMNS

Row = dict[str, str]
Tables = dict[str, list[Row]]

RAW = b"name\tvalue\nmill\t12.5\nstation\t4\n"


def row(table: str, **cells: str) -> Row:
    """A row of the table; columns that are not named are empty."""
    return dict.fromkeys(COLUMNS[table], "") | cells


def fact(fact_id: str, entity: str, property_name: str, **cells: str) -> Row:
    return row(
        "facts",
        fact_id=fact_id,
        entity=entity,
        property=property_name,
        **{"method": "stated", "rank": "normal", **cells},
    )


def source(name: str, **cells: str) -> Row:
    return row("sources", source=name, **{"status": "current", "coverage": "partial", "credible": "yes", **cells})


def prop(name: str, kind: str, **cells: str) -> Row:
    return row("properties", property=name, kind=kind, **{"cardinality": "one", "origin": "stated", **cells})


def tables() -> Tables:
    """A pack that opens, with every table and one of nearly everything."""
    digest = hashlib.sha256(RAW).hexdigest()
    return {
        "units": [
            row("units", unit="m", dimension="length", factor="1"),
            row("units", unit="km", dimension="length", factor="1e3"),
            row("units", unit="s", dimension="time", factor="1"),
        ],
        "namespaces": [
            row("namespaces", namespace="bridge", case="upper", strip="br%7C|urn:bridge:", private="no"),
        ],
        "sources": [
            source("map-1", date="1999-12"),
            source("map-2", supersedes="map-1", coverage="complete", namespaces="bridge"),
            source("table", file="raw/table.tsv", bytes=str(len(RAW)), sha256=digest),
            source("copy", copied_from="map-1"),
        ],
        "properties": [
            prop(
                "span",
                "quantity",
                unit="m",
                units="m|km",
                plausible_min="1",
                plausible_max="5000",
                prefer="map-2|map-1",
            ),
            prop("arches", "integer", label="arch"),
            prop("material", "category", vocabulary="brick|iron|stone"),
            prop("name", "identifier", prefix="bridge.name", cardinality="many"),
            prop("lanes", "interval", element="integer"),
            prop("reach", "interval", element="decimal", unit="m", units="m|km"),
            prop("sequence", "polymer"),
            prop("length", "integer", origin="computed", computed_by="count_residues(sequence)"),
            prop("open", "boolean", conditions="summer|winter", competing="condition"),
            prop("built", "date"),
            prop("slope", "decimal", missing="-1|n/a"),
            prop("tags", "set", element="category", vocabulary="old|new", cardinality="many"),
        ],
        "facts": [
            fact(
                "f1",
                "bridge:MILL",
                "span",
                value="12.5",
                unit="m",
                uncertainty="0.1",
                uncertainty_kind="standard",
                source="map-1",
            ),
            fact(
                "f2",
                "bridge:MILL",
                "span",
                value="12.5",
                unit="m",
                source="table",
                locator="row=name:mill;column=value",
            ),
            fact("f3", "bridge:MILL", "arches", value="3", source="map-1"),
            fact("f4", "bridge:MILL", "material", value="stone", source="map-1", asserted_by="copy"),
            fact("f5", "bridge:MILL", "name", value="bridge.name:mill", source="map-1"),
            fact("f6", "bridge:MILL", "name", value="bridge.name:old-mill", source="map-1"),
            fact("f7", "bridge:MILL", "lanes", lower="1", upper="2", bounds="[]", raw="1..2", source="map-1"),
            fact("f8", "bridge:MILL", "reach", lower="2.5", unit="km", bounds="[)", source="map-1"),
            fact("f9", "bridge:MILL", "sequence", value="MVLSPADK", source="map-1"),
            fact("g1", "bridge:MILL", "open", value="true", condition="summer", source="map-1"),
            fact("g2", "bridge:MILL", "built", value="1850-02-28", source="map-1"),
            fact("g3", "bridge:MILL", "slope", value="-0.5", source="map-1", method="measured"),
            fact("g4", "bridge:MILL", "tags", value="old", source="map-1"),
            fact(
                "g5", "bridge:MILL", "slope", lower="8.314", upper="8.315", bounds="[)", raw="8.314...", source="map-2"
            ),
            fact(
                "g6",
                "bridge:STATION",
                "span",
                value="0.5",
                unit="km",
                uncertainty="3 2",
                uncertainty_kind="asymmetric",
                source="map-2",
            ),
        ],
        "quarantine": [
            {**fact("q1", "bridge:STATION", "span", value="0.0", unit="m", source="map-1"), "reason": "implausible"},
        ],
        "aliases": [
            row("aliases", alias="bridge.name:mill", entity="bridge:MILL", kind="approved", source="map-1"),
            row("aliases", alias="bridge:GONE", entity="", kind="deleted", source="map-2"),
            row("aliases", alias="bridge:TWIN", entity="bridge:ELSEWHERE", kind="split", source="map-2"),
            row("aliases", alias="mill", entity="bridge:MILL", kind="alias", source="table", locator="bytes=11-15"),
        ],
    }


def cells(table: str, rows: Sequence[Mapping[str, str]]) -> bytes:
    return write_table(COLUMNS[table], [[line[column] for column in COLUMNS[table]] for line in rows])


def write_pack(folder: Path, content: Tables | None = None, **replaced: bytes) -> Path:
    """Write the pack; `replaced` gives the bytes of a table or, as `descriptor`, of the descriptor."""
    content = tables() if content is None else content
    (folder / "raw").mkdir(parents=True)
    (folder / "raw" / "table.tsv").write_bytes(RAW)
    for name, rows in content.items():
        (folder / f"{name}.csv").write_bytes(replaced.get(name, cells(name, rows)))
    resources = [{"name": name, "path": f"{name}.csv"} for name in content]
    document = {"name": "small", "title": "A small pack", "version": "1", "resources": resources}
    (folder / "datapackage.json").write_bytes(replaced.get("descriptor", json.dumps(document).encode()))
    return folder
