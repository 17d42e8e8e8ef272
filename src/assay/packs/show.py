"""Pipes: what a pack holds, in words and numbers, for people and for other programs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from assay.floor.evidence import DIMENSIONS, PropertySpec, Source
from assay.floor.identifiers import Resolved, resolve
from assay.kernel.errors import InputError
from assay.packs import loader
from assay.packs.loader import Progress, silent
from assay.packs.refusal import shown
from assay.packs.rows import FACTS

FOUND: Final = 20


def show_pack(path: Path, progress: Progress = silent) -> dict[str, object]:
    """A summary of a pack that opens: identity, rows, properties, sources and their series, rows set aside by reason.

    Sources with a file come first: they are the releases that a task may name. A pack is as old as these, its pins.

    Values are texts, integers, lists and dicts of these, so that they print as JSON.

    Raises:
        InvalidPack: the pack is refused.
    """
    snapshot = loader.open_pack(path, progress)
    contents = loader.read_contents(path)
    facts = Counter(contents.tables["facts"].column("property"))
    arguments = {
        name
        for name, argument in zip(
            contents.tables["facts"].column("property"), contents.tables["facts"].column("argument"), strict=True
        )
        if argument
    }
    sources = sorted(contents.declared.sources.values(), key=lambda source: (not source.file, source.source))
    dates = sorted(source.date for source in sources if source.file and source.date)
    quarantine = contents.tables.get("quarantine")
    aside = [] if quarantine is None else [quarantine.row(index) for index in range(len(quarantine))]
    place = {column: FACTS.index(column) for column in ("entity", "property", "value", "source")}
    return {
        "name": contents.descriptor.name,
        "title": contents.descriptor.title,
        "version": contents.descriptor.version,
        "digest": snapshot.digest,
        "opened": snapshot.opened.value,
        "locked": loader.read_lock(contents.root) is not None,
        "entities": len(snapshot.entities()),
        "rows": {name: len(table) for name, table in contents.tables.items()},
        "releases": sum(source.file != "" for source in sources),
        "cited": sum(source.file == "" for source in sources),
        "pins": {"oldest": dates[0] if dates else "", "newest": dates[-1] if dates else ""},
        "properties": [
            {
                "property": spec.property,
                "kind": spec.kind,
                "facts": facts[spec.property],
                "origin": spec.computed_by or spec.origin,
                "unit": spec.unit,
                "units": list(spec.units),
                "vocabulary": len(spec.vocabulary),
                "dimensions": _dimensions(spec),
                "arguments": spec.property in arguments,
            }
            for _, spec in sorted(contents.declared.properties.items())
        ],
        "sources": [_source(source) for source in sources],
        "quarantine": [
            {**{column: cells[index] for column, index in place.items()}, "reason": cells[len(FACTS)]}
            for cells in aside
        ],
    }


def show_entity(path: Path, written: str, progress: Progress = silent) -> dict[str, object]:
    """What there are rows of for an entity: properties, their arguments and dimensions; never a value.

    Raises:
        InvalidPack: the pack is refused.
        InputError: the text leads to no one entity of the pack.
    """
    snapshot = loader.open_pack(path, progress)
    found = resolve(snapshot, written)
    entity = found.entity if isinstance(found, Resolved) else ""
    names = snapshot.properties_of(entity) if entity else ()
    if not names:
        raise InputError(
            "entity.unknown", f"entity {shown(written)} is not one of this pack's; `--find TEXT` looks for one"
        )
    properties: list[dict[str, object]] = []
    for name in names:
        aside = [fact for fact, _ in snapshot.quarantined(entity, name)]
        facts = [*snapshot.facts(entity, name), *aside]
        words = {
            column: sorted({getattr(fact, column) for fact in facts} - {""}) for column in ("argument", *DIMENSIONS)
        }
        properties.append({"property": name, **words})
    return {"entity": entity, "properties": properties}


def find(path: Path, text: str, progress: Progress = silent) -> dict[str, object]:
    """Entities and aliases that contain the text in any case, 20 in all, and how many more there are.

    Raises:
        InvalidPack: the pack is refused.
    """
    snapshot = loader.open_pack(path, progress)
    wanted = text.casefold()
    found = [{"entity": entity, "alias": ""} for entity in snapshot.entities() if wanted in entity.casefold()]
    table = loader.read_contents(path).tables.get("aliases")
    if table is not None:
        rows = sorted(zip(table.column("alias"), table.column("entity"), strict=True))
        found += [{"entity": entity, "alias": alias} for alias, entity in rows if wanted in alias.casefold()]
    return {"found": found[:FOUND], "more": max(0, len(found) - FOUND)}


def _dimensions(spec: PropertySpec) -> dict[str, list[str]]:
    """The declared dimensions with their words."""
    words = {"referent": spec.referents, "condition": spec.conditions, "definition": spec.definitions}
    return {name: list(words[name]) for name in DIMENSIONS if words[name]}


def _source(source: Source) -> dict[str, object]:
    return {
        "source": source.source,
        "title": source.title,
        "version": source.version,
        "date": source.date,
        "licence": source.licence,
        "coverage": source.coverage,
        "status": source.status,
        "supersedes": source.supersedes,
        "file": source.file,
        "sha256": source.sha256,
    }
