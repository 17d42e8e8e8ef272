"""Documents are true: every link inside the repository leads somewhere, and every decision is in the index."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "spec", "changes", "data", "tests", "examples", "benchmarks")
PAGES = sorted(
    {*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))},
)

FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
ELSEWHERE = ("http://", "https://", "mailto:")


def prose(page: Path) -> str:
    """Return the page without its code, in which brackets mean other things."""
    return CODE.sub("``", FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """Return the anchors that a hosting page would give the headings."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


def broken_links(page: Path) -> list[str]:
    """Return the targets on the page that lead nowhere. Addresses of other places are not tried."""
    broken = []
    for target in LINK.findall(prose(page)):
        if target.startswith(ELSEWHERE):
            continue
        name, _, anchor = target.partition("#")
        place = (page.parent / name).resolve() if name else page
        in_page = place.suffix != ".md" or not anchor or (place.is_file() and anchor in anchors(place))
        if not place.exists() or not in_page:
            broken.append(target)
    return broken


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("# A title, really\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](other.md#a-title-really) [c](gone.md) [d](other.md#gone) `[e](gone.md)`\n", encoding="utf-8"
    )
    assert broken_links(page) == ["gone.md", "other.md#gone"]


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "adr"
    records = {page.name for page in folder.glob("[0-9]*.md")}
    listed = set(LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert records <= listed
    numbers = sorted(name.split("-")[0] for name in records)
    assert len(numbers) == len(set(numbers)), "two records share a number"


@pytest.mark.parametrize(
    "part", ["## Question", "## Forces", "## Options", "## Choice", "## What gets worse", "Status:"]
)
def test_every_decision_has_its_parts(part: str) -> None:
    folder = ROOT / "docs" / "adr"
    assert [page.name for page in folder.glob("[0-9]*.md") if part not in page.read_text(encoding="utf-8")] == []


def test_every_page_of_the_documents_is_reached_from_the_index() -> None:
    """A page that nothing links to is read by nobody."""
    start = ROOT / "docs" / "index.md"
    seen: set[Path] = set()
    queue = [start]
    while queue:
        page = queue.pop()
        if page in seen or not page.is_file():
            continue
        seen.add(page)
        for target in LINK.findall(prose(page)):
            name = target.partition("#")[0]
            if name.endswith(".md") and not target.startswith(ELSEWHERE):
                queue.append((page.parent / name).resolve())
    assert sorted(str(page.relative_to(ROOT)) for page in set((ROOT / "docs").rglob("*.md")) - seen) == []
