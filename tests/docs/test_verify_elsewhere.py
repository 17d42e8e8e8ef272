"""The receipts in examples/verify_elsewhere are verified by programs that are not ours; a flipped byte is refused."""

import importlib.util
import shutil
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from assay.api import signing
from assay.ledger.keys import read_public
from assay.receipts.signing import TrustedKey, keyid_of
from assay.wire.receipts import read_line

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "verify_elsewhere"
KEY = FOLDER / "key.pub.pem"
RECEIPTS = ["claim", "delivery"]
PROGRAMS = ["openssl", "securesystemslib", "@sigstore/verify"]


def command(program: str) -> list[str]:
    """The program's command, or a skip that says what is missing."""
    if program == "openssl":
        if shutil.which("openssl") is None or shutil.which("sh") is None:
            pytest.skip("no openssl, or no shell")
        return ["sh", str(FOLDER / "openssl.sh")]
    if program == "securesystemslib":
        if importlib.util.find_spec("securesystemslib") is None:
            pytest.skip("no securesystemslib: `pip install securesystemslib`")
        return [sys.executable, str(FOLDER / "with_securesystemslib.py")]
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules" / "@sigstore" / "verify").is_dir():
        pytest.skip("no node, or no @sigstore/verify: `npm install @sigstore/verify@3 @sigstore/bundle@4`")
    return [node, str(FOLDER / "with_sigstore.mjs")]


def check(program: str, receipt: Path, key: Path = KEY) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*command(program), str(receipt), str(key)], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("name", RECEIPTS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_others_verify_our_receipts(program: str, name: str) -> None:
    found = check(program, FOLDER / f"{name}.dsse.json")
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.splitlines() == [
        f"{program}: signed by {keyid_of(read_public(KEY))}",
        f"{program}: a flipped byte is refused",
    ]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("part", ["payload", "sig", "payloadType", "another key"])
def test_others_refuse_what_was_changed(program: str, part: str, tmp_path: Path) -> None:
    text = (FOLDER / "claim.dsse.json").read_text(encoding="utf-8")
    key = KEY
    if part == "another key":
        made = signing.new_key(out=tmp_path / "k.pem", force=True)
        # Under its id, so that each program looks at the signature itself.
        text, key = text.replace(keyid_of(read_public(KEY)), made.keyid), made.public
    elif part == "payloadType":
        text = text.replace("application/vnd.in-toto+json", "application/vnd.in-toto+jsom")
    else:
        before = text.split(f'"{part}":"')[1].split('"')[0]
        data = bytearray(b64decode(before))
        data[len(data) // 2] ^= 1
        text = text.replace(before, b64encode(data).decode())
    changed = tmp_path / "changed.dsse.json"
    changed.write_text(text, encoding="utf-8")
    found = check(program, changed, key)
    assert found.returncode == 1, found.stdout + found.stderr
    assert "REFUSED" in found.stdout


@pytest.mark.parametrize("name", RECEIPTS)
def test_we_read_them_too(name: str) -> None:
    found = read_line((FOLDER / f"{name}.dsse.json").read_bytes().removesuffix(b"\n"))
    assert found.envelope is not None
    assert signing.whose(found.envelope, [TrustedKey(read_public(KEY), "the example")]).is_authentic


def test_no_private_key_is_shipped() -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    word = "-----BEGIN " + "PRIVATE KEY-----"
    holding = [
        name
        for name in tracked.split("\0")
        if name and (ROOT / name).is_file() and word.encode() in (ROOT / name).read_bytes()
    ]
    assert holding == []
