"""The reference page lists exactly the refusal codes that the code can give."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = r"(?:parse|proposal|value|insufficient|conflict|no_entity)\.[a-z_]+"


def codes(text: str, quote: str) -> set[str]:
    """Return the refusal codes that stand between two such quotes."""
    return set(re.findall(f"{quote}({FAMILIES}){quote}", text))


def in_source(*places: str) -> set[str]:
    """Return the refusal codes that the modules name."""
    files = (file for place in places for file in (ROOT / "src" / "assay" / place).rglob("*.py"))
    return {code for file in files for code in codes(file.read_text(encoding="utf-8"), '"')}


def test_the_page_lists_the_codes_of_the_code() -> None:
    page = (ROOT / "docs" / "reference" / "refusal-codes.md").read_text(encoding="utf-8")
    assert codes(page, "`") == in_source("kernel", "wire")


def test_the_specification_lists_them_too() -> None:
    spec = (ROOT / "spec" / "verification.md").read_text(encoding="utf-8")
    assert codes(spec, "`") == in_source("kernel", "wire")
