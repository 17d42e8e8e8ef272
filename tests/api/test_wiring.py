"""Concrete parts: packs by name, the verifier's digest, where receipts are kept, and what a pack disagrees about."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from assay import api, kernel
from assay.api import wiring
from assay.api.data import data_dir
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError, InvalidPack, LedgerFault
from assay.ledger.log import lines


def test_shipped_packs_open_by_name() -> None:
    assert "minimal" in api.shipped_packs()
    assert api.open_pack("minimal").digest == api.open_pack(data_dir() / "packs" / "minimal").digest


def test_a_shipped_name_is_not_looked_for_where_a_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minimal").mkdir()
    (tmp_path / "minimal" / "datapackage.json").touch()
    monkeypatch.chdir(tmp_path)
    assert wiring.pack_path("minimal") == data_dir() / "packs" / "minimal"
    assert wiring.pack_path("./minimal") == Path("minimal")


def test_an_unknown_pack_names_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"^pack `atlantis`: no such folder, and no shipped pack; shipped are: .*minimal"
    ):
        api.open_pack("atlantis")


def test_a_folder_that_is_no_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidPack):
        api.open_pack(tmp_path)


def test_the_verifier_is_named_by_the_bytes_of_the_kernel() -> None:
    (folder,) = kernel.__path__
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in Path(folder).glob("*.py")}
    assert wiring.verifier().sha256 == hashlib.sha256(canonical(digests)).hexdigest()
    assert wiring.verifier().package == "0.1.0"


def test_the_specification_is_the_one_that_is_written() -> None:
    page = Path(__file__).resolve().parents[2] / "spec" / "verification.md"
    assert f"Version: `{wiring.SPECIFICATION}`" in page.read_text(encoding="utf-8")


def test_receipts_are_kept_in_a_folder_that_is_made(tmp_path: Path) -> None:
    path = api.keep(tmp_path / "a" / "b", b"one")
    assert path == tmp_path / "a" / "b" / "receipts.jsonl"
    assert list(lines(path)) == [b"one"]


def test_a_folder_that_cannot_be_made_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerFault, match="name another for the receipts"):
        api.keep(tmp_path / "file" / "folder", b"one")


def test_conflicts_are_found_by_the_rules_that_establish() -> None:
    (found,) = api.conflicts("minimal")
    assert (found.key.entity, found.key.property, found.standing) == ("bridge:station", "arches", "stands")
    assert [(said.source, said.raw) for said in found.statements] == [("register-2024", "5"), ("survey-2025", "4")]


def test_a_superseded_contradiction_is_told_apart(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    shutil.copytree(data_dir() / "packs" / "minimal", pack)
    sources = (pack / "sources.csv").read_text(encoding="utf-8").splitlines()
    sources[2] = sources[2].replace("current,,", "current,register-2024,")
    (pack / "sources.csv").write_text("\n".join(sources) + "\n", encoding="utf-8")
    # The pack is another one now: what its descriptor recorded of the table is left out.
    descriptor = json.loads((pack / "datapackage.json").read_text(encoding="utf-8"))
    for resource in descriptor["resources"]:
        resource.pop("hash", None)
        resource.pop("bytes", None)
    (pack / "datapackage.json").write_text(json.dumps(descriptor), encoding="utf-8")
    (pack / "lock.json").unlink(missing_ok=True)
    (found,) = api.conflicts(pack)
    assert found.standing == "superseded"
