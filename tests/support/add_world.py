"""A suite for a function that adds, candidates for it, and a folder with all of them."""

from __future__ import annotations

import json
from pathlib import Path

SUITE = json.dumps(
    {
        "suite": "assay.suite/1",
        "dialect": "python-call/1",
        "entry_point": "add",
        "cases": [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}],
    }
)
WRONG = b"def add(a, b):\n    return 3\n"
WORSE = b"def add(a, b):\n    return None\n"
RIGHT = b"def add(a, b):\n    return a + b\n"
REPLY = b"Sure!\n\n```python\n" + RIGHT + b"```\n"
CHECK = ("gate", "check", "--suite", "S.json", "--task", "T.json")


def write(folder: Path) -> None:
    """Write the suite, its task, the candidates and a reply."""
    for name, data in {"wrong.py": WRONG, "worse.py": WORSE, "right.py": RIGHT, "reply.md": REPLY}.items():
        (folder / name).write_bytes(data)
    (folder / "S.json").write_text(SUITE)
    (folder / "T.json").write_text('{"task":"add two numbers","entry_point":"add"}')
