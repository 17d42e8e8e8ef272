"""The example of spec/log.md is what the code makes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from assay.api import logs
from assay.interfaces.cli.log import _COMPLETENESS
from assay.ledger import checking, log, note
from assay.ledger.tree import leaf_hash
from assay.receipts.signing import keyid_of

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "log.md").read_text(encoding="utf-8")
ENTRIES = [b"one", b"two", b"three"]


class Key:
    """The key of the example."""

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))

    @property
    def public(self) -> bytes:
        return self._key.public_key().public_bytes_raw()

    @property
    def keyid(self) -> str:
        return keyid_of(self.public)

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def test_the_example_is_what_the_code_makes(tmp_path: Path) -> None:
    log.init(tmp_path, "example.org/log", Key())
    log.append_all(tmp_path, ENTRIES, Key())
    rows = dict(re.findall(r"^\| (leaf \d|root|verifier key) \| `(.+)` \|$", PAGE, re.MULTILINE))
    assert [rows[f"leaf {i}"] for i in range(3)] == [leaf_hash(entry).hex() for entry in ENTRIES]
    assert rows["root"] == logs.checkpoint(tmp_path).head.root.hex()
    assert rows["verifier key"] == note.verifier_key("example.org/log", Key().public)
    (text,) = re.findall(r"^```text\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert text == (tmp_path / "checkpoint").read_text(encoding="utf-8")
    (proof,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert json.loads(proof) == logs.inclusion(tmp_path, 1)
    assert (tmp_path / "tile/0/000.p/3").read_bytes() == b"".join(map(leaf_hash, ENTRIES))


def test_the_page_has_every_field_and_word(tmp_path: Path) -> None:
    log.init(tmp_path)
    document = logs.findings_document(checking.verify(tmp_path))
    missing = [name for name in (*document, *_COMPLETENESS) if f"`{name}`" not in PAGE]
    assert missing == []
