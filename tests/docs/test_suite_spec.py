"""The page of suites says what the code does: codes, hints, limits, names, the rule (spec/suite.md)."""

import re
from pathlib import Path

from assay.kernel.first_pass import RULE, RULE_SHA256
from assay.kernel.grade import How
from assay.suite import dialects, names, trees, wirecodec
from assay.suite.refusals import REFUSALS

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "suite.md").read_text(encoding="utf-8")


def section(number: int) -> str:
    """Return the text of one section."""
    return PAGE.split(f"\n## {number}. ")[1].split("\n## ")[0]


def rows(number: int) -> dict[str, str]:
    """Return first and second column of a section's tables."""
    return dict(re.findall(r"^\| `([^`]+)` \| (.*?) \|", section(number), re.MULTILINE))


def test_every_refusal_and_its_hint_is_on_the_page() -> None:
    assert rows(7) == REFUSALS


def test_every_way_to_fail_is_on_the_page() -> None:
    assert list(rows(6)) == [how.value for how in How]


def test_the_rule_and_its_digest_are_on_the_page() -> None:
    assert f"> {RULE}\n" in section(6)
    assert f"`{RULE_SHA256}`" in section(6)


def test_equalities_and_projections_are_on_the_page() -> None:
    named = {name for name in rows(4) if not name.startswith("{")}
    assert named == {*dialects.EQUALITIES, *dialects.LIKENESSES, *dialects.PROJECTIONS}
    assert '{"approx":{"abs":A,"rel":R,"same_type":B}}' in rows(4)


def test_names_are_on_the_page() -> None:
    found = re.findall(r"`([A-Za-z0-9_.]+)`", section(8))
    aliases = set(names.ALIASES) | set(names.ALIASES.values())
    assert set(found) == names.KEYWORDS | names.FUNCTIONS | names.EXCEPTIONS | names.MODULES | aliases


def test_limits_are_on_the_page() -> None:
    table = section(3)
    for number in (trees.MAX_DEPTH, trees.MAX_NODES, trees.MAX_BITS, trees.MAX_CASES):
        assert f"{number:,}" in table
    assert trees.MAX_BYTES == 1 << 20
    assert trees.MAX_SUITE_BYTES == 4 << 20


def test_demotions_are_on_the_page() -> None:
    for name in wirecodec.DEMOTED:
        assert name in section(5)
