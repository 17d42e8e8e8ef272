"""The examples of the receipt's page are what the page says they are."""

import json
import re
from pathlib import Path
from typing import Any

from assay.kernel.canonical import canonical
from assay.ledger.signing import is_signature
from assay.receipts.envelope import signed_by
from assay.receipts.signing import TrustedKey
from assay.wire.receipts import read_line
from assay.wire.trust import parse_trust

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "receipt.md").read_text(encoding="utf-8")
EXAMPLES: list[dict[str, Any]] = [
    json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
]
# RFC 8032, section 7.1, test 1.
EVERYBODYS = TrustedKey(bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"), "everybody")


def test_statements_are_read() -> None:
    statements = [example for example in EXAMPLES if "_type" in example]
    assert statements
    for example in statements:
        assert read_line(canonical(example)).envelope is None


def test_the_envelope_is_signed_with_the_key_that_everybody_has() -> None:
    (example,) = (one for one in EXAMPLES if "payload" in one)
    found = read_line(canonical(example))
    assert found.envelope is not None
    assert signed_by(found.envelope, [EVERYBODYS], is_signature).counted == (EVERYBODYS.keyid,)


def test_the_trust_file_is_one() -> None:
    (example,) = (one for one in EXAMPLES if "trust" in one)
    (key,) = parse_trust(json.dumps(example).encode())
    assert key.public == EVERYBODYS.public
    assert key.revoked is not None


def test_every_code_of_the_page_can_be_given_and_every_code_is_on_the_page() -> None:
    source = Path(__file__).resolve().parents[2] / "src" / "assay"
    text = "".join(
        (source / name).read_text(encoding="utf-8")
        for name in ("wire/receipts.py", "wire/trust.py", "ledger/keys.py", "ledger/signing.py", "api/signing.py")
    )
    whole = set(re.findall(r'"((?:trust|key)\.[a-z_]+)"', text)) - {"trust.json"}
    for family, name in (("receipt", "wire/receipts.py"), ("trust", "wire/trust.py")):
        code = (source / name).read_text(encoding="utf-8")
        whole |= {f"{family}.{word}" for word in re.findall(r'_refuse\(\s*"([a-z0-9_]+)"', code)}
    listed = set()
    for line in PAGE.splitlines():
        if found := re.match(r"\| (`(?:receipt|trust|key)\.[a-z].*?) \|", line):
            first, *more = re.findall(r"`([a-z0-9_.]+)`", found[1])
            listed |= {first, *(first.partition(".")[0] + one if one.startswith(".") else one for one in more)}
    strict = {"too_long", "encoding", "json", "duplicate_key", "depth", "surrogate"}
    assert listed - {f"{family}.{word}" for family in ("receipt", "trust") for word in strict} == whole
