"""Workshops: one HTML file that shows a log and verifies it again in a browser, offline (docs/adr/0036).

INVARIANT: nothing of a receipt stands in the markup or in a script. The log's bytes are embedded in base64, inside a
block of data, and `web/view.js` gives them to the document as text.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from assay.receipts.signing import TrustedKey
from assay.wire.trust import key_document

PAGE: Final = "assay.page/1"
WEB: Final = Path(__file__).with_name("web")

_NOTE: Final = (
    "This page hashes the receipts again and checks signatures by the keys above, which whoever made it put there:"
    " compare their ids with those that you know. It decides nothing again: assay receipt verify does that, with the"
    " evidence or the suite. Whatever stands in a receipt is shown as text."
)


@dataclass(frozen=True, slots=True, repr=False)
class Shown:
    """The end of a log: its last lines, their leaf hashes as the tiles have them, and the tree of what is before.

    `first` is the index of the first line; `edge` the roots of the perfect subtrees over the entries before it, the
    largest first; `note` the bytes of the checkpoint.
    """

    note: bytes
    first: int
    edge: Sequence[bytes]
    lines: Sequence[bytes]
    leaves: Sequence[bytes]
    keys: Sequence[TrustedKey]


def page(shown: Shown) -> str:
    """The file. It loads nothing: its policy allows the one script and the one style that it has, by their digests."""
    script = "\n".join((WEB / name).read_text(encoding="utf-8") for name in ("check.js", "view.js"))
    style = (WEB / "style.css").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>A log of receipts</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>A log of receipts</h1>
<p id="origin" role="status">Nothing is checked without JavaScript: this page verifies by itself, in your browser.</p>
<h2>What this browser found</h2>
<ul id="log"></ul>
<h2>Keys that count here</h2>
<ul id="keys" class="small"></ul>
<p class="note">{_NOTE}</p>
<h2>Receipts</h2>
<div id="tools" class="tools" hidden>
<input id="search" type="search" placeholder="Search" aria-label="Search in receipts">
<select id="outcome" aria-label="Outcome"><option value="">every outcome</option></select>
<button id="back" type="button">Newer</button><button id="on" type="button">Older</button>
<span id="where" class="small" role="status"></span>
</div>
<div id="list"></div>
</main>
<script type="application/json" id="data">{_data(shown)}</script>
<script>{script}</script>
</body>
</html>
"""


def _data(shown: Shown) -> str:
    document = {
        "page": PAGE,
        "checkpoint": _base64(shown.note),
        "first": shown.first,
        "edge": [_base64(one) for one in shown.edge],
        "leaves": [_base64(one) for one in shown.leaves],
        "lines": [_base64(one) for one in shown.lines],
        "keys": [key_document(key) for key in shown.keys],
    }
    # A key's name is its user's own text, but no text may end a script or begin a comment.
    return json.dumps(document, separators=(",", ":")).replace("<", "\\u003c").replace(">", "\\u003e")


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


def _digest(text: str) -> str:
    return f"sha256-{_base64(sha256(text.encode()).digest())}"
