"""Deliver the first candidate that passes its acceptance tests, in this machine's sandbox."""

import json

from assay.api import gating

suite = {
    "suite": "assay.suite/1",
    "dialect": "python-call/1",
    "entry_point": "add",
    "cases": [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}],
}
candidates = [b"def add(a, b):\n    return 3\n", b"def add(a, b):\n    return a + b\n"]
outcome = gating.check(json.dumps(suite), "add", candidates)
print(outcome.outcome, outcome.position)
