"""The page of a finished trial: what it holds, what it never does, and how it lies on a narrow screen."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape as attribute
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from assay.experiments.trials.report import OUTCOMES, report
from assay.experiments.trials.store import PLAN, RESULTS, SUMMARY, Folder
from assay.experiments.trials.summary import BY_CONSTRUCTION, PRECONDITION, summarise
from assay.experiments.trials.task import Result, Scored
from assay.kernel.errors import InputError

HOSTILE = "<script>alert(1)</script>\"'>&\x00\x1b[2J\u202e\ud800"
LONG = "a_maker/of-models_whose-names_tell_everything-30B-GPTQ_4bit_128g_PROMPT_MEDIUM_HIGHTEMP"
PLAN_FOUND = {
    "version": "1", "level": "A", "bank_sha256": "b" * 64, "pool_sha256": "p" * 64, "gt_sha256": None,
    "rule_sha256": "r" * 64, "limits": {"cpu_s": 10.0},
}  # fmt: skip


def scored(at: int, *, passes: bool = True, right: bool = True, model: str = "m") -> Scored:
    return Scored(
        at, model, "passed" if passes else "failed", None, right, None, right, "+" if right else "-", None, None
    )


def result(name: str, *candidates: Scored, **more: Any) -> Result:
    place = next((at + 1 for at, one in enumerate(candidates) if one.visible == "passed"), None)
    found: dict[str, Any] = {
        "id": name, "void": "", "no_suite": "", "no_truth": "", "typed_output": False, "visible_cases": 1,
        "truth_cases": 1, "v_subset": True, "position": place, "generated": place or len(candidates),
        "candidates": candidates,
    } | more  # fmt: skip
    return Result(**found)


def usual() -> list[Result]:
    wrong = [scored(at, passes=False, right=False) for at in range(5)]
    return [
        result("T/0", scored(0, passes=False, right=False), *(scored(at, model=LONG) for at in range(1, 5))),
        result("T/1", scored(0, right=False), *wrong[1:]),
        result("T/2", *wrong),
        result("T/3", *wrong[:4], scored(4, passes=False)),
        result("T/4", *wrong, no_suite="no visible case", position=None),
        result("T/5", void="no process"),
        *(result(f"T/{at}", *(scored(place) for place in range(5))) for at in range(6, 20)),
    ]


def folder(path: Path, results: list[Result], **more: object) -> Path:
    with Folder(path, PLAN_FOUND) as trial:
        for one in results:
            trial.append(one)
        trial.write(SUMMARY, {**summarise(results, not_in_pool=2, not_in_bank=1), **more})
    return path


class Page(HTMLParser):
    """What is on a page: its tags with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "line", "circle", "rect"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_says_what_travels_with_the_figures(tmp_path: Path) -> None:
    html, _ = report(folder(tmp_path / "out", usual()), "A trial")
    page = Page(html)
    for said in (
        PRECONDITION, BY_CONSTRUCTION, "A mixture, not samples.", "True by construction.", "One run.", "b" * 64,
        "Of 20 tasks the gate delivered 16: 15 right and 1 wrong. It refused 3; 1 are void.", "of 16 deliveries",
        "of all 20 tasks got a wrong delivery", "pass@5", "McNemar", "Void.", "No suite.", "Left out.",
    ):  # fmt: skip
        assert said in page.words
    assert page.open == []
    seen = [attributes["class"] for tag, attributes in page.tags if tag == "i" and "title" in attributes]
    assert len(seen) == 20
    assert set(seen) == set(OUTCOMES)


def test_every_picture_says_what_it_shows_and_has_a_table(tmp_path: Path) -> None:
    page = Page(report(folder(tmp_path / "out", usual()))[0])
    pictures = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert len(pictures) == 3
    assert all(one["role"] == "img" for one in pictures)
    assert [tag for tag, _ in page.tags].count("title") == 1 + 3
    assert [tag for tag, _ in page.tags].count("table") >= 6
    assert all(one.get("aria-label") for _, one in page.tags if one.get("role") == "img" and "height" not in one)


def test_the_page_loads_nothing_and_runs_nothing(tmp_path: Path) -> None:
    html, svg = report(folder(tmp_path / "out", usual()))
    page = Page(html)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "base", "form"}
    assert not [name for _, one in page.tags for name in one if name.startswith("on") or name in {"src", "href"}]
    assert "url(" not in html
    assert "@import" not in html
    assert re.findall("https?://", html) == []
    assert re.findall('https?://[^"]+', svg) == ["http://www.w3.org/2000/svg"]
    policy = next(one["content"] for tag, one in page.tags if tag == "meta" and "http-equiv" in one)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_names_from_strangers_are_text(tmp_path: Path) -> None:
    results = [result(HOSTILE + str(at), *(scored(place, model=HOSTILE) for place in range(5))) for at in range(3)]
    trial = folder(tmp_path / "out", results, by_construction=HOSTILE, verdict=HOSTILE, scores=HOSTILE)
    html, svg = report(trial, HOSTILE)
    page = Page(html)
    assert "script" not in {tag for tag, _ in page.tags}
    assert page.words.count("<script>alert(1)</script>\"'>&\\x00\\x1b[2J\\u202e\\ud800") >= 6
    assert not set(html + svg) & set("\x00\x1b\u202e\ud800")
    ET.fromstring(svg)  # noqa: S314 (our own text, made a line above)
    # The page is written as UTF-8, which half of a surrogate pair would break.
    (html + svg).encode()


def test_the_picture_alone_is_a_file_of_its_own(tmp_path: Path) -> None:
    _, svg = report(folder(tmp_path / "out", usual()), "A <trial>")
    root = ET.fromstring(svg)  # noqa: S314 (as above)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "A <trial>" in "".join(root.itertext())
    lines = " ".join(one.text or "" for one in root if one.get("class") == "tick")
    assert lines == PRECONDITION
    assert "prefers-color-scheme:dark" in svg
    assert len(svg.encode()) < 60_000


def test_without_pairs_samples_or_tasks_the_page_still_stands(tmp_path: Path) -> None:
    assert "pass@" not in report(folder(tmp_path / "none", []))[0]
    same = [result("T/0", scored(0), typed_output=True, v_subset=False)]
    words = Page(report(folder(tmp_path / "same", same))[0]).words
    assert "One model." in words
    assert "Visible cases outside the scores." in words
    assert "Typed output." in words
    many = [result("T/0", *(scored(at, model=str(at)) for at in range(70)))]
    assert "10 further ones left out." in report(folder(tmp_path / "many", many))[0]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        pytest.param(SUMMARY, None, "it has no `summary.json`", id="not finished"),
        pytest.param(PLAN, None, "it has no `trial.json`", id="no trial"),
        pytest.param(RESULTS, None, "its `results.jsonl` is none", id="no results"),
        pytest.param(RESULTS, "{}", "its `results.jsonl` is none", id="other results"),
        pytest.param(SUMMARY, "[]", "its `summary.json` is none", id="no object"),
        pytest.param(SUMMARY, "?", "its `summary.json` is none", id="no JSON"),
        pytest.param(SUMMARY, "{}", "not the figures of this version", id="another version"),
        pytest.param(PLAN, "{}", "not the figures of this version", id="another plan"),
    ],
)
def test_a_folder_without_a_finished_trial_is_refused(tmp_path: Path, name: str, text: str | None, said: str) -> None:
    trial = folder(tmp_path / "out", usual())
    if text is None:
        (trial / name).unlink()
    else:
        (trial / name).write_text(text)
    with pytest.raises(InputError, match=said):
        report(trial)


MEASURE = """
for (const one of document.querySelectorAll('details')) one.open = true;
const boxes = [...document.querySelectorAll('svg')].map(svg => [...svg.querySelectorAll('text')].map(
  text => [text.textContent, text.getBoundingClientRect()]));
const found = [], room = document.documentElement.clientWidth;
for (const texts of boxes) for (const [at, [name, one]] of texts.entries()) {
  if (one.left < -0.5 || one.right > room + 0.5) found.push('out: ' + name);
  for (const [other, two] of texts.slice(at + 1))
    if (one.left < two.right && two.left < one.right && one.top + 2 < two.bottom && two.top + 2 < one.bottom)
      found.push('over: ' + name + ' / ' + other);
}
for (const one of document.querySelectorAll('main > section > *'))
  if (one.tagName != 'svg' && one.getBoundingClientRect().right > room) found.push('wide: ' + one.outerHTML);
for (const one of document.querySelectorAll('.wide'))
  if (one.scrollWidth > one.clientWidth) found.push('scrolls: ' + one.textContent);
parent.document.body.setAttribute('data-seen', JSON.stringify(
  {room, all: document.documentElement.scrollWidth, texts: boxes.flat().length, found}));
"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 400, 1000])
def test_in_a_browser_nothing_overlaps_or_runs_out_of_the_screen(tmp_path: Path, width: int) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium here: the other tests read the page with a parser, which cannot measure")
    html = report(folder(tmp_path / "out", usual()))[0]
    free = re.sub(r'<meta http-equiv="[^>]*>', "", html).replace("</body>", f"<script>{MEASURE}</script></body>")
    frame = f'<iframe style="width:{width}px;height:900px;border:0" srcdoc="{attribute(free)}"></iframe>'
    (tmp_path / "frame.html").write_text(f"<!doctype html><body>{frame}</body>", encoding="utf-8")
    run = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
         "--virtual-time-budget=3000", "--dump-dom", (tmp_path / "frame.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    shown = next((one["data-seen"] for tag, one in Loose(run.stdout).tags if tag == "body"), None)
    assert shown is not None, run.stderr[-500:]
    seen = json.loads(shown)
    assert seen["texts"] > 30
    assert width - 20 <= seen["room"] <= width
    assert (seen["all"], seen["found"]) == (seen["room"], [])


class Loose(Page):
    """A page that a browser wrote, whose tags need not close."""

    def handle_endtag(self, tag: str) -> None:
        """Any tag may end here."""
