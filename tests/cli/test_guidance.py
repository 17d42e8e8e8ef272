"""What a newcomer is told: what was found, what is accepted, what there is, and what was meant."""

from __future__ import annotations

import io
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from tests.snapshots import RowSnapshot, fact, prop, source

from assay.api import keep, open_pack, parse_task
from assay.api.explaining import explained
from assay.floor.answers import answer_kind
from assay.interfaces.cli import progress as bars
from assay.interfaces.cli.person import wire_text
from assay.interfaces.cli.progress import Progress
from assay.interfaces.cli.spelling import spelled, wanted, wrapped
from assay.kernel.errors import InvalidTask, LedgerFault
from assay.kernel.kinds import (
    BooleanKind,
    CategoryKind,
    DateKind,
    DecimalKind,
    Decimals,
    IdentifierKind,
    IntegerKind,
    IntervalKind,
    Kind,
    PolymerKind,
    QuantityKind,
    SetKind,
    Significant,
    Unit,
)

ARCHES = '{"class":"value","entity":"bridge:mill","property":"arches"}'


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def task(**more: object) -> str:
    return json.dumps({"class": "value", "entity": "uniprot:P69905", "property": "stated_molecular_weight", **more})


@pytest.mark.parametrize("as_text", [True, False])
def test_a_receipt_is_kept_in_a_folder_named_either_way(tmp_path: Path, *, as_text: bool) -> None:
    folder = tmp_path / "new"
    path = keep(str(folder) if as_text else folder, b"{}")
    assert path == folder / "receipts.jsonl"
    assert path.exists()


@pytest.mark.parametrize("name", ["file/x", "zero\0byte"])
def test_a_folder_that_cannot_be_made_is_a_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LedgerFault, match="name another for the receipts"):
        keep(tmp_path / name, b"{}")


def test_a_folder_that_cannot_be_written_to_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(LedgerFault, match="cannot be written to"):
        keep(tmp_path, b"{}")


@pytest.mark.parametrize(
    ("unit", "found"),
    [("kg", "found `kg`,"), ("zz`", "found `zz\\u{60}`,"), ("x" * 70, f"found `{'x' * 59}…`,")],
)
def test_a_unit_that_is_not_accepted_is_named_with_those_that_are(call: Any, unit: str, found: str) -> None:
    said = call("establish", "--pack", "proteins", "--task", task(unit=unit))
    assert (said.code, said.err) == (2, f"error: the task's unit: {found} accepted `Da`, `kDa`\n")


def test_a_long_list_of_units_is_cut(call: Any) -> None:
    asked = json.dumps({"class": "derive", "derivation": "mass", "entity": "uniprot:P69905", "unit": "zz"})
    said = call("establish", "--pack", "proteins", "--task", asked)
    assert said.err == "error: the task's unit: found `zz`, accepted `Da`, `u`, `kDa`\n"
    given = json.dumps({"class": "convert", "given": {"n": "1", "unit": "zz"}, "unit": "yy"})
    said = call("establish", "--pack", "proteins", "--task", given)
    assert (said.code, said.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("command", ["establish", "verify", "ask"])
def test_an_unknown_release_is_named_with_those_there_are(call: Any, command: str, tmp_path: Path) -> None:
    asked = json.dumps({**json.loads(ARCHES), "releases": ["register-2042"]})
    arguments = {
        "establish": ("--task", asked),
        "verify": ("--task", asked, "--proposal", "x"),
        "ask": ("--model", "none", "--receipts", str(tmp_path), asked),
    }[command]
    said = call(command, "--pack", "minimal", *arguments)
    assert said.code == 2
    assert "release `register-2042` is not a source of this pack" in said.err
    assert said.err.endswith("its releases are `register-2024`, `survey-2025`\n")
    lines = json.dumps({"id": "1", "task": json.loads(asked), "proposal": "x"}).encode()
    if command == "verify":
        said = call("verify", "--pack", "minimal", "--batch", "-", stdin=lines)
        assert "its releases are `register-2024`" in said.err


def test_releases_beyond_twelve_are_counted(call: Any) -> None:
    said = call("establish", "--pack", "proteins", "--task", task(releases=["x"]))
    assert said.err.count("`") == 2 * 14
    assert " more\n" in said.err


def test_another_refusal_stays_as_it_is() -> None:
    with pytest.raises(InvalidTask, match=r"accepted `Da`, `kDa`$"):
        explained("proteins", open_pack("proteins"), parse_task(task(unit="kg")))


def test_a_pack_shows_what_its_properties_are(call: Any) -> None:
    (found,) = call("pack", "show", "proteins", "--json").documents
    named = {entry["property"]: entry for entry in found["properties"]}
    weight = named["stated_molecular_weight"]
    assert (weight["units"], weight["arguments"]) == (["Da", "kDa"], False)
    assert weight["dimensions"].keys() == {"referent", "definition"}
    assert named["organism"]["vocabulary"] > 100
    assert named["chain"]["arguments"]
    files = [entry["file"] != "" for entry in found["sources"]]
    assert files == sorted(files, reverse=True)
    assert (found["releases"], found["cited"]) == (sum(files), len(files) - sum(files))
    text = call("pack", "show", "proteins").out
    assert f"as old as its pins: releases from {found['pins']['oldest']} to {found['pins']['newest']}" in text
    assert f"and {found['cited']} citations without a file" in text
    assert "Da, kDa" in text
    assert "2012-06-13" in text


def test_what_there_is_of_an_entity_is_told_without_values(call: Any) -> None:
    (found,) = call("pack", "show", "minimal", "--entity", "bridge:mill", "--json").documents
    assert found["entity"] == "bridge:mill"
    assert {"property", "argument", "referent", "condition", "definition"} == found["properties"][0].keys()
    out = call("pack", "show", "proteins", "--entity", "uniprot:P69905").out
    assert "Hemoglobin subunit alpha" in out
    assert "142" not in out
    missing = call("pack", "show", "minimal", "--entity", "bridge:nowhere")
    assert (missing.code, missing.err.count("\n")) == (2, 1)


def test_entities_and_aliases_are_found_by_a_part(call: Any) -> None:
    out = call("pack", "show", "proteins", "--find", "hba_human").out
    assert "-> uniprot:P69905" in out
    (found,) = call("pack", "show", "proteins", "--find", "uniprot", "--json").documents
    assert len(found["found"]) == 20
    assert found["more"] > 0
    assert "… and " in call("pack", "show", "proteins", "--find", "uniprot").out
    assert call("pack", "show", "minimal", "--find", "zzz").out == "nothing contains this text\n"
    assert call("pack", "show", "minimal", "--find", "a", "--entity", "b").code == 2


def test_values_are_spelled_as_json() -> None:
    assert [spelled(value) for value in (True, ["China", "Japan"], {"lo": None}, "142")] == [
        "true",
        '["China","Japan"]',
        '{"lo":null}',
        "142",
    ]


def test_an_established_list_is_json(call: Any) -> None:
    asked = '{"class":"value","entity":"uniprot:P69905","property":"gene"}'
    out = call("establish", "--pack", "proteins", "--task", asked).out
    assert out.splitlines()[0] == 'VALUE ["gene:HBA1","gene:HBA2"]'


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ({"property": "canonical_lenght"}, "no property of this name: `canonical_lenght`; did you mean `canonical_len"),
        ({"property": "qqq"}, "no property of this name: `qqq`\n"),
        ({"entity": "P69905"}, "`P69905` begins with no prefix that the pack declares: `element:`"),
        ({"property": "residue"}, "the rows differ in `argument`; name it in the task"),
    ],
)
def test_the_owner_gets_a_hint(call: Any, change: dict[str, str], hint: str) -> None:
    asked = {"class": "value", "entity": "uniprot:P69905", "property": "canonical_length", **change}
    assert hint in call("establish", "--pack", "proteins", "--task", json.dumps(asked)).out
    line = json.dumps({"id": "1", "task": asked}).encode()
    assert hint.strip() in call("establish", "--pack", "proteins", "--batch", "-", stdin=line).out
    (document,) = call("establish", "--pack", "proteins", "--task", json.dumps(asked), "--json").documents
    assert document["hints"][0].startswith(hint.strip()[:30])


def test_an_unknown_entity_with_a_declared_prefix_gets_no_hint(call: Any) -> None:
    asked = '{"class":"value","entity":"uniprot:X","property":"canonical_length"}'
    assert "prefix" not in call("establish", "--pack", "proteins", "--task", asked).out


def test_the_owner_is_told_why_a_row_was_set_aside() -> None:
    aside = fact("bridge:mill", "arches", "3", "register-2024")
    pack = RowSnapshot(
        source_rows=[source("register-2024")],
        property_rows=[prop("arches", "integer")],
        quarantine=[(aside, "implausible: 3")],
    )
    found, hints = explained("minimal", pack, parse_task(ARCHES))
    assert (found.reason, hints) == ("quarantined", ("a row was set aside: implausible: 3",))


def test_many_facts_are_shortened_for_people(call: Any) -> None:
    asked = '{"class":"derive","derivation":"mass","entity":"uniprot:P69905","definition":"average"}'
    (document,) = call("establish", "--pack", "proteins", "--task", asked, "--json").documents
    lines = call("establish", "--pack", "proteins", "--task", asked).out.splitlines()
    assert len(document["pins"]) > 20
    assert sum(line.startswith("  fact ") for line in lines) == 20
    assert lines[-1] == f"  … and {len(document['pins']) - 20} more (--json has all)"


def test_a_long_wait_is_told_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "AFTER_S", 0.01)
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        with Progress(stream).waiting("establishing"):
            time.sleep(0.2)
    assert (terminal.getvalue(), pipe.getvalue()) == ("\r\x1b[Kestablishing …\r\x1b[K", "")


def test_a_folder_that_is_no_pack_is_named(call: Any, tmp_path: Path) -> None:
    said = call("pack", "check", str(tmp_path))
    assert said.code == 2
    assert said.err == f"error: folder `{tmp_path}` is no pack: it holds no `datapackage.json`; name a pack's folder\n"


def test_a_demo_looks_at_its_folder_first(call: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = call("demo", "--model", "scripted", "--receipts", str(tmp_path / "file" / "x"))
    assert (said.code, said.out, said.err.count("\n")) == (1, "", 1)


def test_a_missing_model_file_is_bad_input(call: Any) -> None:
    said = call("ask", "--gguf", "nope.gguf", ARCHES)
    assert (said.code, said.err) == (2, "error: file `nope.gguf`: no such file; --gguf names a model's file\n")


@pytest.mark.parametrize("group", ["pack", "vectors"])
def test_a_group_has_an_example(call: Any, group: str) -> None:
    assert f"Example:\n    assay {group} " in call(group, "--help").out


UNITS = (("kDa", Unit((1000, 1))), ("Da", Unit()))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (IntegerKind(), "a whole number"),
        (IntegerKind("residue"), "a whole number (of: residue)"),
        (BooleanKind(), "true or false"),
        (CategoryKind(frozenset({"b", "a"})), "one of the words a, b"),
        (CategoryKind(frozenset("ABCDEFGHIJKLMN")), "one of the words A, B, C, D, E, F, G, H, I, J, K, L and 2 more"),
        (IdentifierKind(), "an identifier, as `prefix:name`"),
        (IdentifierKind("gene"), "an identifier that begins with `gene:`"),
        (DecimalKind(Significant(5)), "a number with 5 significant digits"),
        (DecimalKind(Decimals(1)), "a number with 1 decimal"),
        (DecimalKind(), "a number"),
        (DateKind(), "a day, as 2024-01-31"),
        (QuantityKind(UNITS, Decimals(3), "kDa"), "a number with unit kDa and 3 decimals"),
        (QuantityKind(UNITS), "a number with one of the units kDa, Da"),
        (QuantityKind(UNITS[1:], uncertainty=True), "a number with unit Da, and its standard uncertainty, as `1.5 ±"),
        (IntervalKind(IntegerKind()), 'an interval, as {"lo":"1"'),
        (SetKind(IntegerKind()), 'a list, as ["…","…"], each member a whole number'),
        (PolymerKind(), "a sequence"),
    ],
)
def test_the_kind_of_answer_is_told(kind: Kind, words: str) -> None:
    assert wanted(kind).startswith(words)


def test_the_unit_that_a_task_names_is_the_one_wanted() -> None:
    asked = parse_task(task(unit="kDa", grid={"decimals": 3}))
    assert wanted(answer_kind(open_pack("proteins"), asked)) == "a number with unit kDa and 3 decimals"


def test_an_interval_as_it_is_shown_can_be_typed() -> None:
    shown = wanted(IntervalKind(IntegerKind())).partition("as ")[2].partition(", each")[0]
    assert json.loads(wire_text(IntervalKind(IntegerKind()), shown))["value"]["hi_closed"] is True


def test_a_person_is_told_what_is_wanted_and_keeps_the_attempt(call: Any, tmp_path: Path) -> None:
    said = call(
        "ask", "--model", "none", "--pack", "minimal", "--receipts", str(tmp_path), ARCHES, stdin=b"no_entity\n3\n"
    )
    assert said.code == 0
    assert "\nwanted: a whole number" in said.out
    assert "did you mean NO_ENTITY? type it in capitals\n" in said.out
    assert "attempts left" not in said.out


def test_long_lines_are_broken_between_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    text = "  a line of words that is wider than the terminal"
    assert wrapped(text, Terminal()) == "  a line of words that is\n    wider than the terminal"
    assert wrapped(text, io.StringIO()) == text
    assert wrapped("short", Terminal()) == "short"
