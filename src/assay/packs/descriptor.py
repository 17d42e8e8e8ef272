"""Pipes: `datapackage.json`: which file holds which table (spec/pack.md §1)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assay.packs.files import check_relative
from assay.packs.refusal import refusal, shown
from assay.packs.rows import COLUMNS, REQUIRED

DESCRIPTOR: Final = "datapackage.json"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}").fullmatch
_HASH: Final = re.compile(r"sha256:([0-9a-f]{64})").fullmatch


@dataclass(frozen=True, slots=True)
class Resource:
    """A file of the pack; size and digest are those of the file as it lies there, where they are given."""

    name: str
    path: str
    bytes: int | None
    sha256: str


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A pack's name, title and version, its tables by name, and the other files that it lists."""

    name: str
    title: str
    version: str
    tables: Mapping[str, Resource]
    others: tuple[Resource, ...]


def parse_descriptor(data: bytes) -> Descriptor:
    """The descriptor of the bytes.

    Raises:
        InvalidPack: no JSON object, duplicate keys, a resource that is no single file inside the pack, a table missing.
    """
    document = parse_json(DESCRIPTOR, data)
    name = _text(document, "name")
    if _NAME(name) is None:
        raise _bad(f"name {shown(name)}", "lower-case letters, digits, `.`, `_` and `-` are needed")
    resources = document.get("resources")
    if not isinstance(resources, list) or not resources:
        raise _bad("no resources", "a list `resources` with at least facts, sources and properties is needed")
    tables: dict[str, Resource] = {}
    others: list[Resource] = []
    seen: set[str] = set()
    for item in resources:
        resource = _resource(item)
        if resource.name in seen or resource.path in seen:
            raise _bad(f"resource {shown(resource.name)} or its path stands twice", "name each resource and file once")
        seen.update((resource.name, resource.path))
        if resource.name in COLUMNS:
            tables[resource.name] = resource
        elif resource.path.startswith("raw/"):
            others.append(resource)
        else:
            raise _bad(
                f"unknown resource {shown(resource.name)}",
                f"tables are {', '.join(COLUMNS)}; other files lie under raw/",
            )
    for table in REQUIRED:
        if table not in tables:
            raise _bad(f"no resource `{table}`", "facts, sources and properties are needed")
    return Descriptor(name, _text(document, "title", ""), _text(document, "version", ""), tables, tuple(others))


def parse_json(where: str, data: bytes) -> dict[str, object]:
    """The JSON object of the bytes, without duplicate keys or numbers that are not finite."""

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        keys = [key for key, _ in items]
        if len(set(keys)) != len(keys):
            raise refusal("json", f"{where}: an object with the same key twice", "keep one of them")
        return dict(items)

    def constant(word: str) -> object:
        raise refusal("json", f"{where}: the number {word}", "a finite number is needed")

    try:
        document = json.loads(data.decode("utf-8"), object_pairs_hook=pairs, parse_constant=constant)
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise refusal(
            "json", f"{where} is not JSON in UTF-8", "write it again; a JSON checker names the place"
        ) from None
    if not isinstance(document, dict):
        raise refusal("json", f"{where} is not a JSON object", "an object is needed")
    return document


def _resource(item: object) -> Resource:
    if not isinstance(item, dict):
        raise _bad("a resource that is no object", "an object with `name` and `path` is needed")
    name, path = _text(item, "name"), item.get("path")
    if not isinstance(path, str):
        raise _bad(f"resource {shown(name)} has no single path", "one file inside the pack is needed as `path`")
    check_relative(path)
    if _text(item, "encoding", "utf-8").lower() not in ("utf-8", "utf8"):
        raise _bad(f"resource {shown(name)} is in another encoding", "save it as UTF-8")
    if ("compression" in item) and (item["compression"] != "gz" or not path.endswith(".gz")):
        raise _bad(f"resource {shown(name)} has another compression", "`gz`, and a path that ends in `.gz`, is needed")
    if name in COLUMNS and "dialect" in item:
        raise _bad(f"resource {shown(name)} has a dialect", "tables are plain CSV; drop `dialect`")
    size, digest = item.get("bytes"), _text(item, "hash", "")
    if size is not None and (type(size) is not int or size < 0):
        raise _bad(f"resource {shown(name)}: `bytes` is no size", "the file's size is needed, or nothing")
    match = _HASH(digest)
    if digest and match is None:
        raise _bad(f"resource {shown(name)}: hash {shown(digest)}", "`sha256:` and 64 hexadecimal digits are needed")
    return Resource(name, path, size, match[1] if match else "")


def _text(document: Mapping[str, object], key: str, default: str | None = None) -> str:
    value = document.get(key, default)
    if not isinstance(value, str):
        raise _bad(f"`{key}` is missing or no text", "a text is needed")
    return value


def _bad(found: str, needed: str) -> Exception:
    return refusal("descriptor", f"{DESCRIPTOR}: {found}", needed)
