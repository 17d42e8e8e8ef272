"""Commit to a gauge, and reveal it: the digest is made again from the receipt's own fields, or the check says no."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assay.receipts import commitment as c
from assay.receipts.deliveries import DELIVERY_RESULT
from assay.receipts.statement import digest_of, statement

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "suite.md").read_text("utf-8")
SUITE = "2" * 64


def gauge(**changed: object) -> dict[str, object]:
    record: dict[str, object] = {
        "gauge": "assay.gauge/1", "holds": True, "suite_sha256": SUITE, "entry_point": "add",
        "reference_sha256": "3" * 64, "reference": {"grade": "passed", "how": None}, "stubs": [],
    }  # fmt: skip
    record |= changed
    return record | {"gauge_sha256": digest_of(record)}


RECORD = gauge()
OPENING = c.Opening(bytes(range(32)), SUITE, "add", str(RECORD["gauge_sha256"]))
ENTRY = c.commitment_statement(OPENING.sha256)


def delivery(index: int = 3, record: object = RECORD) -> dict[str, Any]:
    made = statement("suite", SUITE, DELIVERY_RESULT, {"gauge": record, "suite": {"suite_sha256": SUITE}})
    return c.revealing(made, c.Revealed(OPENING, "example.org/log", index))


def test_what_is_logged_names_neither_suite_nor_gauge() -> None:
    text = json.dumps(ENTRY)
    assert SUITE not in text
    assert str(RECORD["gauge_sha256"]) not in text
    assert c.commitment_of(ENTRY) == OPENING.sha256
    assert "Opening(" not in repr(OPENING) or OPENING.nonce.hex() not in repr(OPENING)


def test_equal_gauges_have_unequal_commitments() -> None:
    assert c.Opening(bytes(32), SUITE, "add", OPENING.gauge_sha256).sha256 != OPENING.sha256


def test_the_example_of_the_page_is_an_opening() -> None:
    example = json.loads(re.findall(r"```json\n(.*?)```", PAGE.partition("## 13.")[2], re.DOTALL)[0])
    opening = c.Opening(
        bytes.fromhex(example["nonce"]), example["suite_sha256"], example["entry_point"], example["gauge_sha256"]
    )
    assert json.loads(opening.data) == example


@pytest.mark.parametrize(
    ("delivered_at", "entry", "word"),
    [
        pytest.param(4, ENTRY, c.BEFORE, id="before"),
        pytest.param(3, ENTRY, c.AFTER, id="the same"),
        pytest.param(2, ENTRY, c.AFTER, id="after"),
        pytest.param(None, None, c.UNKNOWN, id="no log"),
        pytest.param(4, None, c.UNKNOWN, id="no entry"),
        pytest.param(4, c.commitment_statement("0" * 64), c.DOES_NOT_OPEN, id="another commitment"),
        pytest.param(4, statement("task", OPENING.sha256, "urn:other", {}), c.DOES_NOT_OPEN, id="no commitment"),
    ],
)
def test_before_or_after(delivered_at: int | None, entry: dict[str, object] | None, word: str) -> None:
    assert c.check_commitment(delivery(), delivered_at, entry) == word


def test_a_delivery_that_names_none() -> None:
    assert c.check_commitment(statement("suite", SUITE, DELIVERY_RESULT, {"gauge": RECORD})) == c.NOT_COMMITTED
    assert (
        c.check_commitment(statement("claim", SUITE, "urn:assay:claim-result:v0.1", {c.FIELD: {}})) == c.NOT_COMMITTED
    )
    assert c.check_commitment({"predicateType": DELIVERY_RESULT, "predicate": None}) == c.NOT_COMMITTED
    assert c.commitment_of({"predicateType": c.GAUGE_COMMITMENT, "subject": []}) is None


@pytest.mark.parametrize(
    ("path", "to"),
    [
        (("commitment", "nonce"), "00" * 32),
        (("commitment", "nonce"), "00" * 31),
        (("commitment", "nonce"), "AB" * 32),
        (("commitment", "nonce"), "no hexadecimal"),
        (("commitment", "nonce"), 7),
        (("commitment", "sha256"), "0" * 64),
        (("commitment", "index"), -1),
        (("commitment", "index"), True),
        (("commitment", "more"), 1),
        (("commitment",), None),
        (("gauge", "reference_sha256"), "4" * 64),
        (("gauge", "gauge_sha256"), "4" * 64),
        (("gauge", "holds"), False),
        (("gauge",), "not run (no reference)"),
        (("gauge",), gauge(holds=False)),
        (("gauge",), gauge(stubs=[{"name": "chosen later"}])),
        (("suite", "suite_sha256"), "4" * 64),
        (("suite",), None),
    ],
)
def test_what_was_turned_does_not_open(path: tuple[str, ...], to: object) -> None:
    document = json.loads(json.dumps(delivery()))
    at = document["predicate"]
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = to
    assert c.check_commitment(document, 4, ENTRY) == c.DOES_NOT_OPEN
