"""The bytes of the call program and the three digests, the same under every interpreter (spec/suite.md §5).

`python tests/golden/test_call_program.py --write` writes the files anew, on purpose.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assay.kernel.canonical import canonical
from assay.suite.render import checks_sha256, render, suite_sha256
from assay.suite.spec import SuiteSpec, document
from assay.wire.suites import parse_suite

FOLDER = Path(__file__).resolve().parent / "suites"
SRC = Path(__file__).resolve().parents[2] / "src"
NAMES = ["calls", "programs"]

# Builds a suite from its canonical document with the standard library alone, and says what it is rendered to.
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from assay.kernel.grade import Equals, Prints, Raises
from assay.suite import guestcodec
from assay.suite.dialects import EQUALITIES, LIKENESSES, approx
from assay.suite.literals import read
from assay.suite.render import checks_sha256, render, suite_sha256
from assay.suite.spec import Call, Input, Question, SuiteSpec
found = json.load(sys.stdin)
def equality(given):
    if isinstance(given, str):
        return EQUALITIES[given]
    given = given["approx"]
    return approx(given["abs"], given["rel"], same_type=given["same_type"])
questions = []
for case in found["cases"]:
    if "stdin" in case:
        ask, check = Input(case["stdin"]), Prints(tuple(case["stdout"]), LIKENESSES[case["equality"]])
    else:
        observe = "args" if "args_after" in case else case.get("project", "value")
        ask = Call(read(case["args"])[1], read(case.get("kwargs", "{}")), observe)
        expected = case.get("returns", case.get("args_after"))
        check = Raises(case["raises"]) if expected is None else Equals(read(expected), equality(case["equality"]))
    questions.append(Question(ask, check))
spec = SuiteSpec(found["dialect"], found.get("entry_point", ""), tuple(questions), found.get("preamble", ""),
                 found.get("series", ""), found.get("release", ""))
program = render(spec)
if spec.entry_point:
    for payload in program.payloads:
        # Dicts are sorted on the way back, so bytes can be compared where a call has none with several keys.
        again = guestcodec.encode(guestcodec.decode(payload))
        assert len(again) == len(payload), payload
print(json.dumps([program.data.hex(), program.order, suite_sha256(spec), program.program_sha256, checks_sha256(spec)]))
"""


def suite(name: str) -> SuiteSpec:
    return parse_suite((FOLDER / f"{name}.json").read_bytes())


def digests(spec: SuiteSpec) -> dict[str, object]:
    program = render(spec)
    return {
        "checks_sha256": checks_sha256(spec),
        "order": list(program.order),
        "program_sha256": program.program_sha256,
        "suite_sha256": suite_sha256(spec),
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_program_has_these_bytes(name: str) -> None:
    assert render(suite(name)).data == (FOLDER / f"{name}.program").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_canonical_document_has_these_bytes(name: str) -> None:
    assert canonical(document(suite(name))) == (FOLDER / f"{name}.canonical").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_digests_are_these(name: str) -> None:
    assert digests(suite(name)) == json.loads((FOLDER / f"{name}.digests.json").read_text(encoding="utf-8"))


def interpreter(version: str) -> str:
    """An interpreter of this version, tried by starting it; the test is skipped where none answers."""
    found = [shutil.which(f"python{version}"), *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))]
    for path in filter(None, found):
        asked = [path, "-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        run = subprocess.run(asked, capture_output=True, text=True, check=False)
        if run.stdout.strip() == version:
            return path
    pytest.skip(f"no python{version} on this machine")


# CPython 3.14 in node: the files go in with the question, since it sees no folder of ours.
PYODIDE = """
import { readFileSync } from "node:fs";
const { loadPyodide } = await import(process.argv[1]);
const { files, canonical, program } = JSON.parse(readFileSync(0, "utf-8"));
const python = await loadPyodide();
for (const [name, text] of Object.entries(files)) {
  python.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
  python.FS.writeFile(name, text);
}
python.globals.set("canonical", canonical);
python.runPython("import io, sys; sys.argv = ['', '/src']; sys.stdin = io.StringIO(canonical)");
python.setStdout({ batched: (line) => process.stdout.write(line) });
python.runPython(program);
"""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", ["0", "1"])
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_other_interpreters_render_the_same_bytes(version: str, seed: str, name: str) -> None:
    run = subprocess.run(
        [interpreter(version), "-S", "-c", PROGRAM, str(SRC)],
        input=(FOLDER / f"{name}.canonical").read_bytes(),
        capture_output=True,
        check=True,
        env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1", "PYTHONINTMAXSTRDIGITS": "640"},
    )
    assert json.loads(run.stdout) == rendered(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_python_3_14_renders_the_same_bytes(name: str) -> None:
    folder = Path(os.environ.get("ASSAY_PYODIDE", SRC.parent / "node_modules" / "pyodide"))
    node = shutil.which("node")
    if node is None or not (folder / "pyodide.mjs").is_file():
        pytest.skip("no node, or no pyodide: `npm install pyodide`, or name its folder in ASSAY_PYODIDE")
    rooms = [SRC / "assay", SRC / "assay" / "kernel", SRC / "assay" / "suite"]
    files = {f"/src/{path.relative_to(SRC)}": path.read_text("utf-8") for room in rooms for path in room.glob("*.py")}
    canonical_text = (FOLDER / f"{name}.canonical").read_text(encoding="utf-8")
    run = subprocess.run(
        [node, "--input-type=module", "-e", PYODIDE, str(folder / "pyodide.mjs")],
        input=json.dumps({"files": files, "canonical": canonical_text, "program": PROGRAM}).encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(run.stdout) == rendered(name)


def rendered(name: str) -> list[object]:
    spec = suite(name)
    program = render(spec)
    return [
        program.data.hex(),
        list(program.order),
        suite_sha256(spec),
        program.program_sha256,
        checks_sha256(spec),
    ]


def write() -> None:
    for name in NAMES:
        spec = suite(name)
        (FOLDER / f"{name}.program").write_bytes(render(spec).data)
        (FOLDER / f"{name}.canonical").write_bytes(canonical(document(spec)))
        (FOLDER / f"{name}.digests.json").write_text(json.dumps(digests(spec), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
