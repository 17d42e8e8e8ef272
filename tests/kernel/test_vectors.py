"""Every vector, run through the kernel and through the reference; the files are what their tables say."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from reference import assay_ref

from assay.audit.vectors import run_vectors

VECTORS = Path(__file__).resolve().parents[2] / "spec" / "vectors"
FILES = sorted(VECTORS.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_kernel_gives_what_the_vectors_require(path: Path) -> None:
    assert run_vectors(path.read_bytes().splitlines()).mismatches == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reference_gives_what_the_vectors_require(path: Path) -> None:
    assert list(assay_ref.run_vectors(str(path))) == []


def test_every_proposition_and_every_code_has_vectors() -> None:
    vectors = [json.loads(line) for path in FILES for line in path.read_text(encoding="utf-8").splitlines()]
    notes = " ".join(vector["note"].split(":")[0] for vector in vectors)
    assert {f"P{i}" for i in range(1, 11)} <= set(re.findall(r"P[0-9]+", notes))
    specification = (VECTORS.parent / "verification.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:parse|proposal|value|insufficient|conflict|no_entity)\.[a-z_]+)`", specification))
    assert named == {vector["code"] for vector in vectors if "code" in vector}
    assert len({vector["id"] for vector in vectors}) == len(vectors)


def test_files_are_what_the_tables_say() -> None:
    spec = importlib.util.spec_from_file_location("build", VECTORS / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    written = {path.stem: path.read_text(encoding="utf-8").splitlines() for path in FILES}
    assert written == build.LINES
