"""A second checker of receipts, in one file: standard library and `cryptography`, and nothing of the package.

    python reference/check_receipt.py RECEIPT [--trust FILE] [--proof FILE] [--pack DIR]

RECEIPT is a file of one receipt, `--proof` what `assay log prove` printed. Three facts: who signed (spec/receipt.md),
whether it stands in a log (spec/log.md), whether it follows from the pack (docs/adr/0004; only for accepted integers,
booleans and categories of class `value`). Ends with 3 where one is `no`, 1 where one cannot be said, 2 if unreadable.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import sys
from base64 import b64decode, b64encode
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

TYPE = "application/vnd.in-toto+json"
FACTS = "fact_id entity property argument value unit uncertainty uncertainty_kind lower upper bounds referent "
SPEC = "property kind element label prefix vocabulary unit units cardinality referents conditions definitions "
SOURCE = "source title version date url licence file bytes sha256 status supersedes copied_from coverage namespaces "
COLUMNS = {
    "facts": (FACTS := FACTS + "condition definition method source asserted_by rank locator raw"),
    "quarantine": FACTS + " reason",
    "sources": SOURCE + "credible",
    "aliases": "alias entity kind source locator",
    "properties": SPEC + "competing prefer plausible_min plausible_max missing origin computed_by",
    "units": "unit dimension factor offset note",
    "namespaces": "namespace case strip pattern version version_property private",
}
TYPES = {"integer": (int, str), "boolean": (bool,), "category": (str,)}  # of what is asserted
Json = Any
Row = dict[str, Any]


class Stop(Exception): ...  # no value: a state and its reason; or it is not decided here, and why


def canonical(document: Json) -> bytes:
    """RFC 8785, for documents without fractions whose keys are plain."""
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def read(data: bytes) -> Json:
    """The document, if these are its canonical bytes: so no key stands twice and nothing is read in two ways."""
    if canonical(document := json.loads(data)) != data:
        raise ValueError("the receipt is not in canonical spelling")
    return document


def exact(text: str) -> bytes:
    if b64encode(data := b64decode(text, validate=True)).decode() != text:
        raise ValueError("base64 in another spelling than its one")
    return data


def is_signed(key: bytes, signature: bytes, message: bytes) -> bool:
    with suppress(InvalidSignature):
        return Ed25519PublicKey.from_public_bytes(key).verify(signature, message) is None
    return False


def opened(line: bytes, keys: dict[str, tuple[str, bytes]]) -> tuple[Json, str]:
    document = read(line)
    if set(document) == {"_type", "subject", "predicateType", "predicate"}:
        return document, "unsigned"
    if set(document) != {"payload", "payloadType", "signatures"} or document["payloadType"] != TYPE:
        raise ValueError("the receipt is no envelope around a Statement")
    payload = exact(document["payload"])
    message = f"DSSEv1 {len(TYPE)} {TYPE} {len(payload)} ".encode() + payload
    given = [(keys[one["keyid"]], exact(one["sig"])) for one in document["signatures"] if one["keyid"] in keys]
    right = [(name, is_signed(key, sig, message)) for (name, key), sig in given]
    is_right = all(good for _, good in right)
    names = ", ".join(name for name, good in right if good is is_right)
    fact = f"yes: {names}" if is_right else f"no: this is not the signature of {names}"
    return read(payload), fact if right else "unknown: no key that was given signed it"


def root_of(leaf: bytes, at: int, size: int, path: list[str]) -> bytes:
    """The root that a proof leads to (RFC 9162, 2.1.3), from its end; no root where it has another length."""
    if size < 2 or not path:
        return leaf if (at, size, path) == (0, 1, []) else b""
    half, below, other = 1 << ((size - 1).bit_length() - 1), path[:-1], bytes.fromhex(path[-1])
    if at < half:
        return sha256(b"\1" + root_of(leaf, at, half, below) + other).digest()
    return sha256(b"\1" + other + root_of(leaf, at - half, size - half, below)).digest()


def included(line: bytes, proof: Json, keys: dict[str, tuple[str, bytes]]) -> str:
    """The fact on whether the line is an entry of a log, and who signed the checkpoint that says so."""
    text, _, signatures = proof["checkpoint"].partition("\n\n")
    origin, size, root = text.rstrip("\n").split("\n")
    if root_of(sha256(b"\0" + line).digest(), proof["index"], int(size), proof["hashes"]) != exact(root):
        return "no: it does not stand in the tree of the checkpoint"
    names = []
    for dash, name, data in (one.split(" ") for one in signatures.splitlines()):
        for called, key in keys.values():
            if (dash, name, exact(data)[:4]) == ("\u2014", origin, sha256(f"{origin}\n\1".encode() + key).digest()[:4]):
                if not is_signed(key, exact(data)[4:], f"{origin}\n{size}\n{root}\n".encode()):
                    return f"no: the checkpoint has a wrong signature of {called}"
                names.append(called)
    return f"yes: in {origin}, of {size} entries; checkpoint signed by {', '.join(names) or 'no key that was given'}"


def members(cell: str) -> list[str]:
    return [part.replace("%7C", "|").replace("%25", "%") for part in cell.split("|")] if cell else []


class Pack:
    def __init__(self, folder: Path) -> None:
        csv.field_size_limit(1 << 21)
        lock, self.rows = folder / "pack.lock.json", {name: list[Row]() for name in COLUMNS}
        files = json.loads(lock.read_bytes())["files"] if lock.is_file() else None
        for resource in json.loads((folder / "datapackage.json").read_bytes())["resources"]:
            if resource["name"] in COLUMNS:
                data = (folder / resource["path"]).read_bytes()
                if files is not None and files[resource["path"]]["sha256"] != sha256(data).hexdigest():
                    raise ValueError(f"{resource['path']} is not the file that the lock names")
                text = (gzip.decompress(data) if resource["path"].endswith(".gz") else data).decode()
                self.rows[resource["name"]] += csv.DictReader(text.splitlines(), strict=True)
        self.presence: dict[str, set[str]] = {}  # which sources state anything of an entity
        for row in (*self.rows["facts"], *self.rows["quarantine"]):
            row["raw"], row["by"] = row["raw"] or row["value"], {row["source"], row["asserted_by"] or row["source"]}
            self.presence.setdefault(row["entity"], set()).add(row["source"])
        every = [[name, *map(row.get, COLUMNS[name].split())] for name, rows in self.rows.items() for row in rows]
        self.digest = "sha256:" + sha256(b"".join(row + b"\n" for row in sorted(map(canonical, every)))).hexdigest()
        self.sources = {row["source"]: row for row in self.rows["sources"]}
        self.live = {s for s, row in self.sources.items() if (row["credible"], row["status"]) == ("yes", "current")}
        self.later = {row["supersedes"]: row["source"] for row in self.rows["sources"] if row["supersedes"]}
        self.spaces = {row["namespace"]: row for row in self.rows["namespaces"]}

    def fallen(self, names: set[str], stating: set[str], entity: str, releases: list[str]) -> set[str]:
        """Step b: those that a later source supersedes which states the same, or covers the namespace completely."""
        found = set()
        for name in () if releases else names:
            at = name
            while at := self.later.get(at, ""):
                spaces = members(self.sources[at]["namespaces"]) if self.sources[at]["coverage"] == "complete" else []
                if at in stating or (entity.partition(":")[0] in spaces and at in self.live):
                    found.add(name)
        return found


def resolve(pack: Pack, text: str, releases: list[str]) -> str:
    """The entity that an identifier leads to (docs/adr/0015)."""
    strips = [(prefix, space) for space, row in pack.spaces.items() for prefix in members(row["strip"])]
    for prefix, space in sorted(strips, key=lambda pair: (-len(pair[0]), pair)):
        if text.startswith(prefix):
            text = f"{space}:{text[len(prefix) :].partition('|' if prefix.endswith('|') else chr(0))[0]}"
            break
    rules, seen = pack.spaces.get(text.partition(":")[0]), set[str]()
    if rules and rules["case"] == "upper" and text.isascii():
        text = text.partition(":")[0] + ":" + text.partition(":")[2].upper()
    while text not in seen:
        seen.add(text)
        present = pack.presence.get(text, set())
        rows = [row for row in pack.rows["aliases"] if row["alias"] == text and row["source"] in pack.live]
        rows = [row for row in rows if not releases or row["source"] in releases]
        names = {row["source"] for row in rows}
        gone = pack.fallen(names, names | (present & pack.live), text, releases)
        rows = [row for row in rows if row["source"] not in gone]
        is_speaking = present & pack.live & set(releases or present) or (present and not rows)
        is_ended = {"merged", "demerged", "split", "deleted"} & {row["kind"] for row in rows}
        if (is_speaking and not is_ended) or (not rows and len(seen) > 1):
            return text
        chosen = [row for row in rows if row["kind"] == "approved"] or rows
        targets = {row["entity"] for row in chosen if row["entity"]}
        if not targets:
            if not rows and rules and rules["version"] and rules["version"] in text:
                raise Stop("not possible here", "whether it is a version of an identifier")
            raise Stop("NO_ENTITY", "deleted" if rows else "unknown")
        if len(targets) > 1 or {"demerged", "split"} & {row["kind"] for row in chosen}:
            break
        (text,) = targets
    raise Stop("INSUFFICIENT", "ambiguous_identifier")


def select(pack: Pack, task: Json, entity: str, name: str, releases: list[str]) -> list[Row]:
    """Steps a and b: the facts that count, match the task, and have not fallen."""
    of = {table: [row for row in pack.rows[table] if row["entity"] == entity] for table in ("facts", "quarantine")}
    wanted = {field: task[field] for field in ("referent", "condition", "definition", "method") if task.get(field)}
    wanted |= {"argument": task.get("argument", ""), "property": name}
    counting, found = list[Row](), {"facts": list[Row](), "quarantine": list[Row]()}
    for table, row in ((table, row) for table, rows in of.items() for row in rows if row["property"] == name):
        if row["method"] != "predicted" and row["rank"] != "deprecated" and row["by"] <= pack.live:
            counting += [row] if table == "facts" else []
            if wanted.items() <= row.items() and (not releases or row["source"] in releases):
                found[table].append(row)
    stating = set().union(*(row["by"] for rows in found.values() for row in rows))
    gone = pack.fallen(stating, stating, entity, releases)
    left = [row for row in found["facts"] if not row["by"] & gone]
    if any(not row["by"] & gone for row in found["quarantine"]):
        raise Stop("INSUFFICIENT", "quarantined")
    if not counting and any(row["property"] == name for row in of["facts"]):
        raise Stop("INSUFFICIENT", "no_admitted_fact")
    if not found["facts"]:
        is_open = not wanted["argument"] and all(row["argument"] for row in counting)
        raise Stop("INSUFFICIENT", "no_property" if not counting else "under_specified" if is_open else "no_fact")
    if not left:
        raise Stop("INSUFFICIENT", "superseded")
    return left


def span(row: Row) -> str:
    ends = row["lower"], row["upper"], len(row["bounds"].strip("[]"))  # how many are open
    return str(int(ends[1]) - int(ends[0]) + 1 - ends[2]) if ends[0].isdigit() and ends[1].isdigit() else ""


def establish(pack: Pack, task: Json, spec: Row) -> tuple[str, list[Row]]:
    """The value and the facts that state it (docs/adr/0004); Stop with another state."""
    releases = task.get("releases") or [one for one in [task.get("release")] if one]
    entity = resolve(pack, task["entity"], releases)
    sources = pack.presence.get(entity, set()) & set(releases or pack.sources)
    if pack.fallen(sources, set(), entity, releases) == sources:
        raise Stop("NO_ENTITY", "only_superseded" if sources else "not_in_sources")
    how, _, base = spec["computed_by"].rstrip(")").partition("(")
    rows = select(pack, task, entity, base or spec["property"], releases)
    texts = {span(row) if how == "mature_length" else str(len(row["value"])) if how else row["value"] for row in rows}
    if "" in texts:
        raise Stop("INSUFFICIENT", "not_in_every_source" if len(texts) > 1 else "no_fact")
    units = {row["unit"]: row["dimension"] for row in pack.rows["units"]} | {"": ""}
    dividing = {"referent", "condition", "definition"} - set(members(spec["competing"]))
    if len({(*(row[one] for one in dividing), units[row["unit"]], row["method"] == "defined") for row in rows}) > 1:
        raise Stop("INSUFFICIENT", "under_specified")
    if len(texts) > 1:
        raise Stop("CONFLICT", "incompatible")
    return texts.pop(), rows


def rederived(statement: Json, pack: Pack) -> str:
    """The fact on whether the acceptance follows from the pack: value, verdict, subject, and where its facts stand."""
    if statement["predicateType"] != "urn:assay:claim-result:v0.1":
        return "not possible here: delivery"
    said, task, rows = statement["predicate"], statement["predicate"]["task"], list[Row]()
    spec = {row["property"]: row for row in pack.rows["properties"]}.get(task.get("property"), {"kind": "unknown"})
    kind = spec["kind"] if spec.get("cardinality") == "one" else "set"
    if said["outcome"] != "accepted" or b"<private>" in canonical(task):
        return "not possible here: private"
    if said["snapshot"]["digest"] != pack.digest:
        return f"no: it names snapshot {said['snapshot']['digest']}, and this pack is {pack.digest}"
    if task["class"] != "value" or kind not in TYPES:
        return f"not possible here: {kind if task['class'] == 'value' else task['class']}"
    state, raw = said["asserted"]["state"], said["asserted"].get("value")
    try:
        text, rows = establish(pack, task, spec)
        established, allowed = {"state": "VALUE", "value": text}, {"VALUE"}
        spelt = str(raw).lower() if kind == "boolean" else str(raw).strip(" \t")
        follows = type(raw) in TYPES[kind] and spelt == text
    except Stop as stop:
        if stop.args[0] == "not possible here":
            return ": ".join(stop.args)
        established, follows = dict(zip(("state", "reason"), stop.args, strict=True)), True
        words = {"INSUFFICIENT": {"INSUFFICIENT_EVIDENCE"}, "CONFLICT": {"CONFLICT_NOT_RESOLVED"}}
        allowed = words.get(stop.args[0], {"INSUFFICIENT_EVIDENCE", "NO_ENTITY"})
    if said["established"] != established or not follows or state not in allowed:
        return f"no: the pack establishes {established['state']}, which is not what the receipt says"
    claim = {"task": task, "state": state} | ({"value": established["value"]} if state == "VALUE" else {})
    names = {row["fact_id"] for row in rows} | {pin["fact"] for pin in said["facts"]}
    pins = [row for row in pack.rows["facts"] if row["fact_id"] in names]
    where = [(row["fact_id"], row["source"], pack.sources[row["source"]]["sha256"], row["locator"]) for row in pins]
    if sorted(where) != sorted((pin["fact"], pin["source"], pin["sha256"], pin["locator"]) for pin in said["facts"]):
        return "no: the facts that it names are others, or do not stand so in the pack"
    if statement["subject"] != [{"name": "claim", "digest": {"sha256": sha256(canonical(claim)).hexdigest()}}]:
        return "no: its subject is another claim"
    return f"yes: {established['state']}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("receipt", "--trust", "--proof", "--pack"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    try:
        line = given.receipt.read_bytes().removesuffix(b"\n")
        trust = json.loads(given.trust.read_bytes())["keys"] if given.trust else []
        spkis = {one["name"]: exact(one["spki"]) for one in trust if not one["revoked"]}
        keys = {sha256(spki).hexdigest(): (name, spki[-32:]) for name, spki in spkis.items()}
        statement, signed = opened(line, keys)
        facts = {"authentic": signed if given.trust else "not asked"}
        facts["included"] = included(line, json.loads(given.proof.read_bytes()), keys) if given.proof else "not asked"
        facts["re-derives"] = rederived(statement, Pack(given.pack)) if given.pack else "not asked"
    except (OSError, ValueError, KeyError, TypeError, AttributeError, csv.Error, EOFError, RecursionError) as fault:
        print(f"cannot be read: {type(fault).__name__}: {fault}", file=sys.stderr)
        return 2
    print("\n".join(f"{name}: {fact}" for name, fact in facts.items()))
    said = {fact.partition(":")[0] for fact in facts.values()}
    return 3 if "no" in said else 0 if said <= {"yes", "not asked"} else 1


if __name__ == "__main__":
    sys.exit(main())
