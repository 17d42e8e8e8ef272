"""The one-file checker against receipts that the package made: it shares no code with them, and must never differ."""

import ast
import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from reference import check_receipt
from tests.packs import making
from tests.support.signing_world import ALICE, BOB

from assay import api
from assay.api import logs
from assay.api.data import data_dir
from assay.kernel.canonical import canonical
from assay.receipts.envelope import seal
from assay.receipts.signing import TrustedKey
from assay.wire.trust import trust_bytes

PACKS = data_dir() / "packs"
LENGTH = {"class": "value", "entity": "uniprot:P69905", "property": "canonical_length"}


def accepted(pack: str | Path, task: Mapping[str, object], proposal: Mapping[str, object]) -> bytes:
    """The receipt of an acceptance."""
    found = api.verify(api.open_pack(pack), api.parse_task(json.dumps(task)), json.dumps(proposal))
    assert found.is_accepted
    return found.receipt


class Check:
    """Calls the checker as its user does."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.monkeypatch, self.capsys = folder, monkeypatch, capsys
        (folder / "trust.json").write_bytes(trust_bytes([TrustedKey(ALICE.public, "alice")]))

    def __call__(self, receipt: bytes, *options: str) -> tuple[int, dict[str, str]]:
        (self.folder / "receipt.json").write_bytes(receipt + b"\n")
        words = [str(self.folder / word.removeprefix("@")) if word.startswith("@") else word for word in options]
        self.monkeypatch.setattr(sys, "argv", ["check_receipt.py", str(self.folder / "receipt.json"), *words])
        code = check_receipt.main()
        out = self.capsys.readouterr().out
        return code, dict(line.split(": ", 1) for line in out.splitlines())


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    return Check(tmp_path, monkeypatch, capsys)


def test_it_is_one_short_file_that_imports_nothing_of_ours() -> None:
    source = Path(check_receipt.__file__).read_text("utf-8")
    names = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    assert len(source.splitlines()) < 300
    assert names - set(sys.stdlib_module_names) == {"cryptography"}


@pytest.mark.parametrize(
    ("pack", "task", "proposal", "state"),
    [
        ("proteins", LENGTH, {"state": "VALUE", "value": "142"}, "VALUE"),
        ("proteins", LENGTH, {"state": "VALUE", "value": 142}, "VALUE"),
        ("proteins", LENGTH | {"entity": "uniprot:Q8TBI5"}, {"state": "VALUE", "value": " 330 "}, "VALUE"),
        ("proteins", LENGTH | {"property": "organism"}, {"state": "VALUE", "value": "Homo sapiens"}, "VALUE"),
        ("proteins", LENGTH | {"property": "stated_length"}, {"state": "INSUFFICIENT_EVIDENCE"}, "INSUFFICIENT"),
        ("proteins", LENGTH | {"entity": "uniprot:I8FBX0"}, {"state": "NO_ENTITY"}, "NO_ENTITY"),
        (
            "minimal",
            {"class": "value", "entity": "bridge:station", "property": "arches"},
            {"state": "CONFLICT_NOT_RESOLVED"},
            "CONFLICT",
        ),
    ],
)
def test_an_acceptance_re_derives(
    check: Check, pack: str, task: dict[str, object], proposal: dict[str, object], state: str
) -> None:
    if task["entity"] == "uniprot:Q8TBI5":  # a secondary accession
        found = api.establish(api.open_pack(pack), api.parse_task(json.dumps(task)))
        proposal = {"state": "VALUE", "value": f" {found.value} "}
    line = seal(accepted(pack, task, proposal), ALICE)
    code, facts = check(line, "--trust", "@trust.json", "--pack", str(PACKS / pack))
    assert facts == {"authentic": "yes: alice", "included": "not asked", "re-derives": f"yes: {state}"}
    assert code == 0


@pytest.mark.parametrize(
    ("pack", "task", "proposal", "why"),
    [
        (
            "proteins",
            {"class": "derive", "derivation": "composition", "entity": "uniprot:P69905", "argument": "S"},
            {"state": "VALUE", "value": "4"},
            "derive",
        ),
        ("proteins", LENGTH | {"property": "gene"}, {"state": "VALUE", "value": None}, "set"),
        ("proteins", LENGTH | {"property": "entry_name"}, {"state": "VALUE", "value": None}, "identifier"),
    ],
)
def test_what_it_cannot_decide_it_says(
    check: Check, pack: str, task: dict[str, object], proposal: dict[str, object], why: str
) -> None:
    if proposal.get("value", "") is None:
        proposal["value"] = api.establish(api.open_pack(pack), api.parse_task(json.dumps(task))).value
    code, facts = check(accepted(pack, task, proposal), "--pack", str(PACKS / pack))
    assert (code, facts["re-derives"]) == (1, f"not possible here: {why}")


def test_of_a_refusal_it_says_that_it_is_private(check: Check) -> None:
    found = api.verify(
        api.open_pack("proteins"), api.parse_task(json.dumps(LENGTH)), json.dumps({"state": "VALUE", "value": "7"})
    )
    code, facts = check(found.receipt, "--pack", str(PACKS / "proteins"))
    assert (code, facts["re-derives"]) == (1, "not possible here: private")


def turned(receipt: bytes, *path: str | int, to: object) -> bytes:
    """The unsigned receipt with one field changed."""
    document = json.loads(receipt)
    at = document
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = to
    return canonical(document)


@pytest.mark.parametrize(
    ("path", "to"),
    [
        pytest.param(("predicate", "facts", 0, "fact"), "f0", id="a fact that the pack has not"),
        pytest.param(("predicate", "facts", 0, "sha256"), "0" * 64, id="a fact pinned to other bytes"),
        pytest.param(("predicate", "facts", 0, "locator"), "bytes=0-1", id="a fact pinned to another place"),
        pytest.param(("predicate", "facts"), [], id="no facts"),
        pytest.param(("predicate", "asserted", "value"), "143", id="another asserted value"),
        pytest.param(("predicate", "asserted", "value"), True, id="a value of another type"),
        pytest.param(("predicate", "established", "value"), "143", id="another established value"),
        pytest.param(("predicate", "established"), {"state": "CONFLICT", "reason": "incompatible"}, id="another state"),
        pytest.param(("predicate", "asserted"), {"state": "NO_ENTITY"}, id="another assertion"),
        pytest.param(("predicate", "task", "entity"), "uniprot:P68871", id="another task"),
        pytest.param(("subject", 0, "digest", "sha256"), "0" * 64, id="another subject"),
        pytest.param(("subject", 0, "name"), "task", id="another subject's name"),
        pytest.param(("predicate", "snapshot", "digest"), "sha256:" + "0" * 64, id="a foreign pack"),
    ],
)
def test_what_was_turned_does_not_re_derive(check: Check, path: tuple[str | int, ...], to: object) -> None:
    receipt = accepted("proteins", LENGTH, {"state": "VALUE", "value": "142"})
    code, facts = check(turned(receipt, *path, to=to), "--pack", str(PACKS / "proteins"))
    assert code == 3
    assert facts["re-derives"].startswith("no: ")


def test_a_foreign_pack_and_one_whose_lock_names_other_bytes(check: Check, tmp_path: Path) -> None:
    receipt = accepted("proteins", LENGTH, {"state": "VALUE", "value": "142"})
    code, facts = check(receipt, "--pack", str(PACKS / "minimal"))
    assert (code, facts["re-derives"][:20]) == (3, "no: it names snapsho")
    making.write_pack(tmp_path / "pack", making.tables())
    (tmp_path / "pack" / "pack.lock.json").write_text(json.dumps({"files": {"facts.csv": {"sha256": "0" * 64}}}))
    assert check(receipt, "--pack", "@pack")[0] == 2


def test_every_flipped_byte_is_refused(check: Check, tmp_path: Path) -> None:
    line = seal(accepted("minimal", *_ARCHES), ALICE)
    for at in range(len(line)):
        flipped = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
        code, facts = check(flipped, "--trust", "@trust.json")
        assert code in {1, 2, 3}, (at, facts)


_ARCHES = (
    {"class": "value", "entity": "bridge:mill", "property": "arches"},
    {"state": "VALUE", "value": "3"},
)


def test_it_stands_in_a_log_or_not(check: Check, tmp_path: Path) -> None:
    log = tmp_path / "log"
    every = [accepted("minimal", *_ARCHES), *(canonical({"entry": n}) for n in range(6))]
    logs.begin(log, "example.org/log", ALICE)
    for one in every:
        api.keep(log, one, ALICE)
    line = seal(every[0], ALICE)
    proof = logs.inclusion(log, 0)

    def included(document: dict[str, object], data: bytes = line) -> tuple[int, str]:
        (tmp_path / "proof.json").write_text(json.dumps(document))
        code, facts = check(data, "--trust", "@trust.json", "--proof", "@proof.json")
        return code, facts["included"]

    assert included(proof) == (0, "yes: in example.org/log, of 7 entries; checkpoint signed by alice")
    no = (3, "no: it does not stand in the tree of the checkpoint")
    assert included(proof | {"index": 1}) == no
    assert included(proof | {"index": -1}) == no
    assert included(proof | {"hashes": []}) == no
    assert included(proof, seal(every[0], BOB))[1] == no[1]
    text = str(proof["checkpoint"])
    assert included(proof | {"checkpoint": text.replace("\n7\n", "\n8\n")})[0] == 3
    head, _, signature = text.rpartition(" ")
    other = ("A" if signature[20] != "A" else "B").join((signature[:20], signature[21:]))
    assert included(proof | {"checkpoint": f"{head} {other}"}) == (
        3,
        "no: the checkpoint has a wrong signature of alice",
    )
    bare = text.partition("\n\n")[0] + "\n"
    assert included(proof | {"checkpoint": bare})[1].endswith("checkpoint signed by no key that was given")
    for index in range(7):
        (tmp_path / "proof.json").write_text(json.dumps(logs.inclusion(log, index)))
        assert check_receipt.included(
            logs.entry(log, index), json.loads((tmp_path / "proof.json").read_text()), {}
        ).startswith("yes")


def test_a_key_that_is_not_trusted_or_revoked_signs_nothing(check: Check, tmp_path: Path) -> None:
    receipt = accepted("minimal", *_ARCHES)
    unknown = "unknown: no key that was given signed it"
    assert check(seal(receipt, BOB), "--trust", "@trust.json") == (
        1,
        {"authentic": unknown, "included": "not asked", "re-derives": "not asked"},
    )
    assert check(receipt, "--trust", "@trust.json")[1]["authentic"] == "unsigned"
    document = json.loads((tmp_path / "trust.json").read_bytes())
    document["keys"][0]["revoked"] = {"after": None}
    (tmp_path / "trust.json").write_text(json.dumps(document))
    assert check(seal(receipt, ALICE), "--trust", "@trust.json")[1]["authentic"] == unknown


def random_pack(rng: random.Random) -> making.Tables:
    """A small pack in which releases supersede and are retracted, rows are hidden, and identifiers lead elsewhere."""
    names = ["s1", "s2", "s3"]
    sources = [
        making.source(
            name,
            status=rng.choice(["current"] * 4 + ["retracted"]),
            credible=rng.choice(["yes"] * 5 + ["no"]),
            supersedes=names[at - 1] if at and rng.random() < 0.6 else "",
            **({"coverage": "complete", "namespaces": "p"} if rng.random() < 0.3 else {}),
        )
        for at, name in enumerate(names)
    ]
    values = {"n": ["1", "2"], "b": ["true", "false"], "c": ["red", "blue"], "chain": [""], "seq": ["MA", "MAG"]}
    facts, hidden, keys = list[making.Row](), list[making.Row](), set[tuple[str, ...]]()
    for number in range(rng.randrange(4, 14)):
        prop = rng.choice([*values])
        row = making.fact(
            f"f{number}",
            rng.choice(["p:A", "p:B"]),
            prop,
            value=rng.choice(values[prop]),
            source=rng.choice(names),
            asserted_by=rng.choice(["", "", "", "s1"]),
            argument=rng.choice(["", "", "", "x"]),
            referent=rng.choice(["", "", "", "mature"]),
            method=rng.choice(["stated", "stated", "measured", "defined", "predicted"]),
            rank=rng.choice(["normal", "normal", "deprecated"]),
            **(
                {"lower": "2", "upper": rng.choice(["5", "6"]), "bounds": rng.choice(["[]", "[)"])}
                if prop == "chain"
                else {}
            ),
        )
        columns = ("entity", "property", "argument", "referent", "method", "source", "asserted_by")
        key = tuple(row[column] for column in columns)
        if key not in keys:
            keys.add(key)
            (hidden if rng.random() < 0.1 else facts).append(row)
    aliases = [
        making.row("aliases", alias=f"p:{alias}", entity=entity, kind=kind, source=rng.choice(names))
        for alias, entity, kind in (("a1", "p:A", "secondary"), ("a2", "p:B", "approved"), ("a2", "p:A", "merged"))
        if any(entity == row["entity"] for row in facts)
    ]
    aliases.append(making.row("aliases", alias="p:gone", kind="deleted", source="s1"))
    whole = {"kind": "interval", "element": "integer"}
    return {
        "sources": sources,
        "facts": facts,
        "quarantine": [row | {"reason": "odd"} for row in hidden],
        "aliases": aliases,
        "properties": [
            making.prop("n", "integer", referents="mature"),
            making.prop("b", "boolean", referents="mature"),
            making.prop("c", "category", vocabulary="red|blue", referents="mature", competing="referent"),
            making.prop("seq", "polymer", referents="mature"),
            making.prop("chain", referents="mature", **whole),
            making.prop("length", "integer", origin="computed", computed_by="count_residues(seq)"),
            making.prop("mature_length", "integer", origin="computed", computed_by="mature_length(chain)"),
        ],
        "namespaces": [making.row("namespaces", namespace="p", case="exact", strip="http://p/", private="no")],
    }


@pytest.mark.parametrize("seed", range(12))
def test_random_packs_give_the_same_states(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    counts = Counter[str]()
    for number in range(5):
        folder = tmp_path / str(number)
        making.write_pack(folder, random_pack(rng))
        mine, snapshot = check_receipt.Pack(folder), api.open_pack(folder)
        assert mine.digest == snapshot.digest
        specs = {row["property"]: row for row in mine.rows["properties"]}
        for _ in range(40):
            name = rng.choice(["n", "b", "c", "length", "mature_length"])
            task = {"class": "value", "entity": rng.choice(["p:A", "p:B", "http://p/A", "p:a1", "p:a2", "p:gone"])}
            more: dict[str, object] = {"argument": "x"} if rng.random() < 0.2 else {}
            more |= {"referent": "mature"} if rng.random() < 0.2 else {}
            more |= rng.choice([{}, {}, {"release": "s1"}, {"releases": ["s1", "s2"]}])
            whole = task | {"property": name} | more
            found = api.establish(snapshot, api.parse_task(json.dumps(whole)))
            try:
                got = ("VALUE", check_receipt.establish(mine, whole, specs[name])[0])
            except check_receipt.Stop as stop:
                got = stop.args
            text = str(found.value).lower() if name == "b" else str(found.value)
            assert got == (found.state, text if found.state == "VALUE" else found.reason), whole
            counts[found.state] += 1
    assert {"VALUE", "INSUFFICIENT"} <= counts.keys()
