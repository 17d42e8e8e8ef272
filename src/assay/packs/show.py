"""Pipes: what a pack holds, in words and numbers, for people and for other programs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from assay.packs import loader
from assay.packs.loader import Progress, silent
from assay.packs.rows import FACTS


def show_pack(path: Path, progress: Progress = silent) -> dict[str, object]:
    """A summary of a pack that opens: identity, rows, properties, sources and their series, rows set aside by reason.

    Values are texts, integers, lists and dicts of these, so that they print as JSON.

    Raises:
        InvalidPack: the pack is refused.
    """
    snapshot = loader.open_pack(path, progress)
    contents = loader.read_contents(path)
    facts = Counter(contents.tables["facts"].column("property"))
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
        "properties": [
            {
                "property": spec.property,
                "kind": spec.kind,
                "facts": facts[spec.property],
                "origin": spec.computed_by or spec.origin,
            }
            for _, spec in sorted(contents.declared.properties.items())
        ],
        "sources": [
            {
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
            for _, source in sorted(contents.declared.sources.items())
        ],
        "quarantine": [
            {**{column: cells[index] for column, index in place.items()}, "reason": cells[len(FACTS)]}
            for cells in aside
        ],
    }
