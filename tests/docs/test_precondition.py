"""The precondition travels with every effectiveness figure, word for word (docs/adr/0010)."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = (
    "These figures hold only where the need can be written as executable acceptance tests or as pinned evidence; "
    "where it cannot, nothing here verifies it."
)
PAGES = sorted(
    {
        *ROOT.glob("*.md"),
        *(p for folder in ("docs", "spec", "examples", "changes") for p in (ROOT / folder).rglob("*.md")),
    }
)

# "One of four codes" counts nothing; "five of five runs" does.
WORD_NUMBER = r"(?:zero|none|two|three|four|five|six)"
AMOUNT = rf"(?:\b\d[\d,.]*\s?%|\b(?:\d[\d,]*|{WORD_NUMBER}) (?:out )?of (?:\d[\d,]*|{WORD_NUMBER})\b)"
RESULT = r"(?:accept|complet|abst[ae]|deliver|navigat|refus|earn|solve|repair)"
FIGURES = (
    re.compile(rf"{AMOUNT}[^.|\n]{{0,80}}{RESULT}", re.IGNORECASE),
    re.compile(rf"{RESULT}[^.|\n]{{0,80}}{AMOUNT}", re.IGNORECASE),
    re.compile(r"\b(?:\d[\d,]*|zero) false (?:accept|deliver)", re.IGNORECASE),
    re.compile(r"false acceptances?\b\W{0,8}\d", re.IGNORECASE),
)


def shows_a_figure(text: str) -> bool:
    """Tell whether the text states how much was accepted, completed, abstained from or delivered."""
    return any(pattern.search(text) for pattern in FIGURES)


def carries_the_precondition(text: str) -> bool:
    """Tell whether the sentence stands in the text, whatever the line breaks, quote marks and emphasis around it."""
    return SENTENCE in re.sub(r"\s+", " ", re.sub(r"^>\s?", "", text, flags=re.MULTILINE))


@pytest.mark.parametrize("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_a_page_with_figures_carries_the_precondition(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert carries_the_precondition(text) or not shows_a_figure(text)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        pytest.param("earned in five of five runs", True, id="counts in words"),
        pytest.param("accepted 42 % of the tasks", True, id="rate after the word"),
        pytest.param("| false acceptances | 0 |", True, id="a table"),
        pytest.param("zero false acceptances", True, id="the boast"),
        pytest.param("Branch coverage is 100 % in the kernel.", False, id="a figure of another sort"),
        pytest.param("An accepted claim has a receipt.", False, id="no figure"),
    ],
)
def test_figures_are_recognised(text: str, figure: bool) -> None:
    assert shows_a_figure(text) is figure


def test_the_sentence_is_found_over_line_breaks() -> None:
    first, second = SENTENCE.split("; ")
    assert carries_the_precondition(f"> *{first};\n> {second}*\n")
    assert not carries_the_precondition(first)
