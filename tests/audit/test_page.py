"""The page of a log: it shows and verifies in a browser, loads nothing, and runs nothing of what it shows."""

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.support.signing_world import ALICE, BOB

from assay import api
from assay.api import logs
from assay.api.pages import log_page
from assay.audit.page import WEB
from assay.ledger.log import append_all
from assay.receipts.envelope import seal
from assay.receipts.signing import LogHead, Revoked, TrustedKey
from assay.wire.trust import trust_bytes

SCRIPTS = [WEB / "check.js", WEB / "view.js"]
HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">\u202e<!--"
ARCHES = {"class": "value", "entity": "bridge:mill", "property": "arches"}


@pytest.fixture(scope="module")
def receipts() -> list[bytes]:
    """Seven receipts: accepted, rejected, and one about an entity with a hostile name."""
    snapshot = api.open_pack("minimal")

    def decided(task: dict[str, str], proposal: dict[str, str], who: str) -> bytes:
        task_of, said = api.parse_task(json.dumps(task)), json.dumps(proposal)
        return api.verify(snapshot, task_of, said, api.Proposer(who)).receipt

    hostile = ARCHES | {"entity": HOSTILE.replace("\u202e", "")}
    return [
        *(decided(ARCHES, {"state": "VALUE", "value": "3"}, f"label {n} {HOSTILE}") for n in range(4)),
        *(decided(ARCHES, {"state": "VALUE", "value": value}, "") for value in ("4", "5")),
        decided(hostile, {"state": "NO_ENTITY"}, HOSTILE),
    ]


@pytest.fixture
def log(tmp_path: Path, receipts: list[bytes]) -> Path:
    folder = tmp_path / "log"
    logs.begin(folder, "example.org/log", ALICE)
    append_all(folder, [seal(one, ALICE) for one in receipts], ALICE)
    return folder


def trust(folder: Path, *keys: TrustedKey) -> Path:
    path = folder.parent / "trust.json"
    path.write_bytes(trust_bytes(keys))
    return path


def html_of(log: Path, *keys: TrustedKey, limit: int = 1000) -> str:
    return log_page(
        log, trust(log, *(keys or (TrustedKey(ALICE.public, f"alice {HOSTILE}".replace("\u202e", "")[:60]),))), limit
    )


class Page(HTMLParser):
    """Start tags, and the text of each script and style."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_it_is_one_file_that_loads_nothing(log: Path) -> None:
    html = html_of(log)
    page = Page(html)
    names = [name for name, _ in page.tags]
    assert names.count("script") == 2
    assert not {"img", "link", "iframe", "object", "form", "base"} & {*names}
    assert not any({"src", "href", "onclick", "onload", "style"} & {*attributes} for _, attributes in page.tags)
    policy = next(one["content"] for _, one in page.tags if one.get("http-equiv") == "Content-Security-Policy") or ""
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy
    blocks = re.findall(r"<(script|style)>(.*?)</\1>", html, re.DOTALL)
    assert len(blocks) == 2
    for _, text in blocks:
        assert f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'" in policy


def test_nothing_of_a_receipt_stands_in_the_markup(log: Path) -> None:
    html = html_of(log, TrustedKey(ALICE.public, "alice"))
    assert [word for word in ("owned", "bridge:mill", "onerror", "<!--", "\u202e") if word in html] == []
    assert html.lower().count("</script") == 2


def test_a_name_of_a_key_ends_no_script(log: Path) -> None:
    assert html_of(log).lower().count("</script") == 2


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_the_script_evaluates_and_fetches_nothing(file: Path) -> None:
    text = file.read_text("utf-8")
    words = [
        "eval(",
        "Function(",
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "fetch(",
        "XMLHttp",
        "</script",
        "import(",
    ]
    assert [word for word in words if word in text] == []
    assert len(text.splitlines()) < 400


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_the_script_is_one(file: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here: the browser's tests read the script too")
    assert subprocess.run([node, "--check", str(file)], check=False, capture_output=True).returncode == 0


def test_the_scripts_hash_is_sha_256(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here: the browser's tests hash too")
    sizes = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]
    program = (
        f"require({json.dumps(str(WEB / 'check.js'))});"
        f"for (const n of {sizes}) console.log(assayPage.hex(assayPage.sha256(new Uint8Array(n).map((_, i) => 7 * i))))"
    )
    run = subprocess.run([node, "-e", program], check=True, capture_output=True, text=True)
    expected = [sha256(bytes(7 * i % 256 for i in range(n))).hexdigest() for n in sizes]
    assert run.stdout.split() == expected


@pytest.mark.parametrize("limit", [1, 3, 6, 7, 1000])
def test_what_is_before_the_page_stands_in_it_by_its_hashes(log: Path, limit: int) -> None:
    data = data_of(html_of(log, limit=limit))
    shown = min(limit, 7)
    assert (data["first"], len(data["lines"]), len(data["leaves"])) == (7 - shown, shown, shown)
    assert len(data["edge"]) == (7 - shown).bit_count()


# ---------------------------------------------------------------------------------------------------- in a browser

GATHER = """
const frames = [...document.querySelectorAll('iframe')];
const texts = (page, selector) => [...page.querySelectorAll(selector)].map((one) => one.textContent);
const clock = setInterval(() => {
  const pages = frames.map((one) => one.contentDocument);
  if (!pages.every((page) => page && page.body && page.body.dataset.state)) return;
  clearInterval(clock);
  const seen = pages.map((page) => ({
    state: page.body.dataset.state,
    origin: page.getElementById('origin').textContent,
    title: page.title,
    log: texts(page, '#log > li'),
    cards: [...page.querySelectorAll('.card')].map(
      (card) => ({head: card.querySelector('summary').textContent, facts: texts(card, 'li')})),
    made: page.querySelectorAll('img, main script').length,
    outcomes: texts(page, '#outcome > option'),
    wide: page.documentElement.scrollWidth - page.documentElement.clientWidth,
  }));
  document.body.setAttribute('data-seen', JSON.stringify(seen));
}, 50);
"""


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


def with_data(html: str, change: Callable[[dict[str, Any]], object]) -> str:
    data = data_of(html)
    change(data)
    text = json.dumps(data).replace("<", "\\u003c")
    start = html.index('id="data">') + len('id="data">')
    return html[:start] + text + html[html.index("</script>", start) :]


def flip(spelled: str, at: int) -> str:
    data = bytearray(base64.b64decode(spelled))
    data[at] ^= 1
    return base64.b64encode(bytes(data)).decode()


def in_browser(folder: Path, pages: dict[str, str], width: int = 400) -> dict[str, dict[str, Any]]:
    """What a browser makes of each page."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium here: only the page's text is tested")
    frames = "".join(
        f'<iframe style="width:{width}px;height:800px;border:0" srcdoc="{escape(page)}"></iframe>'
        for page in pages.values()
    )
    (folder / "frames.html").write_text(
        f"<!doctype html><body>{frames}<script>{GATHER}</script></body>", encoding="utf-8"
    )
    run = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
         "--virtual-time-budget=60000", "--dump-dom", (folder / "frames.html").as_uri()],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    found = next((one["data-seen"] for tag, one in Page(run.stdout).tags if tag == "body" and "data-seen" in one), None)
    assert found is not None, run.stderr[-500:]
    return dict(zip(pages, json.loads(found), strict=True))


def flipped_in_signature(line: str) -> str:
    document = json.loads(base64.b64decode(line))
    document["signatures"][0]["sig"] = flip(document["signatures"][0]["sig"], 3)
    return base64.b64encode(json.dumps(document, separators=(",", ":"), sort_keys=True).encode()).decode()


@pytest.mark.slow
def test_a_browser_verifies_a_good_log_and_shows_what_is_wrong(tmp_path: Path, log: Path) -> None:
    good = html_of(log)
    note = base64.b64decode(data_of(good)["checkpoint"]).decode()

    def entry(data: dict[str, Any]) -> None:
        data["lines"][2] = flip(data["lines"][2], 100)

    def signature(data: dict[str, Any]) -> None:
        data["lines"][2] = flipped_in_signature(data["lines"][2])

    def checkpoint(to: str) -> Callable[[dict[str, Any]], object]:
        return lambda data: data.update(checkpoint=base64.b64encode(to.encode()).decode())

    head, _, last = note.rstrip("\n").rpartition(" ")
    seen = in_browser(
        tmp_path,
        {
            "good": good,
            "limited": html_of(log, limit=3),
            "entry": with_data(good, entry),
            "signature": with_data(good, signature),
            "checkpoint's root": with_data(good, checkpoint(note.replace("\n7\n", "\n6\n"))),
            "checkpoint's signature": with_data(good, checkpoint(f"{head} {flip(last, 20)}\n")),
            "no checkpoint": with_data(good, checkpoint("nothing")),
            "missing": with_data(good, lambda data: (data["lines"].pop(), data["leaves"].pop())),
            "order": with_data(good, lambda data: data["lines"].reverse()),
            "twice": with_data(good, lambda data: data["lines"].__setitem__(1, data["lines"][0])),
            "another key": html_of(log, TrustedKey(BOB.public, "bob")),
            "revoked": html_of(log, TrustedKey(ALICE.public, "alice", Revoked(None))),
            "revoked later": html_of(log, TrustedKey(ALICE.public, "alice", Revoked(head_of(log)))),
        },
    )
    one = seen["good"]
    assert (one["state"], one["origin"], one["title"], one["made"]) == (
        "checked",
        "example.org/log, 7 receipts",
        "A log of receipts",
        0,
    )
    assert [line.partition(": ")[2].split(" ")[0] for line in one["log"]] == ["yes", "yes", "unknown", "yes"]
    assert len(one["cards"]) == 7
    assert one["outcomes"][1:] == ["accepted (5)", "rejected (2)", "does not verify (0)"]
    newest = one["cards"][0]
    assert newest["head"].startswith("6acceptedthe evidence has no </script><script>")
    assert [fact.partition(": ")[2].split(" (")[0] for fact in newest["facts"]] == [
        "yes",
        "yes",
        "yes",
        "not checked here",
    ]
    assert all(
        page["wide"] <= 0 and page["made"] == 0 and page["title"] == "A log of receipts" for page in seen.values()
    )

    assert seen["limited"]["log"][0].endswith("yes")
    assert len(seen["limited"]["cards"]) == 3

    def wrong(name: str) -> list[str]:
        return [card["head"] for card in seen[name]["cards"] if "does not verify" in card["head"]]

    for name in ("entry", "signature"):
        assert ": no (an entry that is here was changed)" in seen[name]["log"][0], name
        assert [head[0] for head in wrong(name)] == ["2"], name
    assert "this is not the signature of alice" in seen["signature"]["cards"][4]["facts"][0]
    assert ": no" in seen["checkpoint's root"]["log"][0]
    assert ": no (not the signature of alice" in seen["checkpoint's signature"]["log"][1]
    assert seen["no checkpoint"]["state"] == "failed"
    assert seen["no checkpoint"]["origin"] == "Nothing is said of this log: the checkpoint is none."
    assert ": no" in seen["missing"]["log"][0]
    assert len(wrong("missing")) == 6
    assert len(wrong("order")) == 6  # the one in the middle is where it was
    assert [head[0] for head in wrong("twice")] == ["1"]
    assert "no key of this page signed it" in seen["another key"]["cards"][0]["facts"][0]
    assert ": no (the key alice was revoked)" in seen["revoked"]["cards"][0]["facts"][0]
    assert ": yes" in seen["revoked later"]["cards"][0]["facts"][0]


def head_of(log: Path) -> LogHead:
    return logs.checkpoint(log).head
