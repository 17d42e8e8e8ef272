"""What a delivery's receipt binds (spec/receipt.md §3), whole, on the page; and what never stands in one."""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.gate_world import CLOSED, PROGRAM, RUNS, TASK, gate

from assay.api.gating import Draft, draft_of_reply
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.receipts import private
from assay.sandbox import base
from assay.wire.observed import parse_observed

PAGE = Path(__file__).resolve().parents[2] / "spec" / "receipt.md"
REPLY = b"Like this:\n\n```python\nwrong\n```\n"


def _receipt(*candidates: bytes | Draft, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gate(candidates, **more).receipt)
    return found


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def test_the_example_on_the_page_is_what_is_made() -> None:
    """Set ASSAY_UPDATE_EXAMPLES to write it anew."""
    receipt = _receipt(b"wrong", Draft(b"right", "a label"))
    # The page does not change with each change of the kernel.
    receipt["predicate"]["verifier"] |= {"package": "0.1.0", "kernel_sha256": "0" * 64}
    made = json.dumps(receipt, indent=1, sort_keys=True)
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition("### Example\n\n")
    if os.environ.get("ASSAY_UPDATE_EXAMPLES"):  # pragma: no cover
        after = rest[rest.index("\n## 4.") :]
        PAGE.write_text(f"{before}### Example\n\n```json\n{made}\n```\n{after}", encoding="utf-8")
        return
    shown = re.match(r"```json\n(.*?)\n```\n", rest, re.DOTALL)
    assert shown is not None
    assert shown[1] == made


def test_every_field_of_the_predicate_is_on_the_page() -> None:
    section = PAGE.read_text(encoding="utf-8").split("\n## 3. ")[1].split("\n### Example")[0]
    receipt = _receipt(draft_of_reply(REPLY), b"right")
    tried = receipt["predicate"]["tried"][0]
    for name in [*receipt["predicate"], *tried, *tried["runs"][0], *json.loads(gate([b"wrong"]).private[0])]:
        assert f"`{name}`" in section, name


@pytest.mark.parametrize(
    ("candidates", "more", "subject"),
    [
        pytest.param([b"wrong", b"right"], {}, ("delivered", _digest(b"right")), id="what was delivered"),
        pytest.param([b"right"], {"task": TASK}, ("delivered", _digest(b"right")), id="and not the task"),
        pytest.param(
            [b"wrong"],
            {},
            ("task", _digest(canonical({"task": "square it", "entry_point": "f"}))),
            id="of a refusal the task",
        ),
        pytest.param(
            [b"our fault"],
            {},
            ("task", _digest(canonical({"task": "square it", "entry_point": "f"}))),
            id="of a void the task",
        ),
    ],
)
def test_subject(candidates: list[bytes], more: dict[str, Any], subject: tuple[str, str]) -> None:
    (found,) = _receipt(*candidates, **more)["subject"]
    assert (found["name"], found["digest"]["sha256"]) == subject


def test_without_a_task_the_subject_of_a_refusal_is_the_suite() -> None:
    receipt = _receipt(b"prints bytes", suite=PROGRAM, task=None)
    assert receipt["subject"] == [
        {"name": "suite", "digest": {"sha256": receipt["predicate"]["suite"]["suite_sha256"]}}
    ]
    assert receipt["predicate"]["task"] is None


@given(st.lists(st.sampled_from(sorted(one for one in RUNS if not one.startswith(b"prints"))), max_size=6))
def test_no_receipt_names_a_refused_candidate_or_anything_observed(candidates: list[bytes]) -> None:
    outcome = gate(candidates, keep_best=True)
    receipt = json.loads(outcome.receipt)
    (subject,) = receipt["subject"]
    refused = {one["candidate_sha256"] for one in receipt["predicate"]["tried"] if one["grade"] != "passed"}
    assert subject["digest"]["sha256"] not in refused
    assert (subject["name"] == "delivered") is (outcome.outcome == "DELIVERED")
    assert (receipt["predicate"]["delivered_sha256"] is not None) is (outcome.outcome == "DELIVERED")
    assert b"secret one" not in outcome.receipt
    assert b"secret one".hex().encode() not in outcome.receipt
    assert outcome.best is None or outcome.outcome == "REFUSED"


def test_usage_is_whole_and_each_run_has_a_digest_of_its_own() -> None:
    outcome = gate([b"wrong", b"wrong", b"right"])
    tried = json.loads(outcome.receipt)["predicate"]["tried"]
    runs = [run for one in tried for run in one["runs"]]
    assert [run["again"] for run in runs] == [False, False, False, True]
    assert {(run["cpu_us"], run["wall_us"], run["peak_memory_bytes"], run["output_bytes"]) for run in runs} == {
        (1500, 250000, 4096, 7)
    }
    # Equal observations under other salts: nobody can tell that they are equal.
    assert len({run["observations_sha256"] for run in runs}) == 4
    assert [_digest(data) for data in outcome.private] == [run["observations_sha256"] for run in runs]


def test_interpreter_seeds_and_limits_are_bound() -> None:
    predicate = _receipt(b"right")["predicate"]
    assert predicate["interpreter"] == {"implementation": "cpython", "version": "3.12.1", "hash_seeds": [0, 1]}
    assert predicate["limits"]["cpu_us"] == 10_000_000
    assert predicate["isolation"]["again"]["hash_seed"] == 1
    nothing = _receipt(b"our fault")["predicate"]
    assert (nothing["interpreter"], nothing["isolation"], nothing["tried"]) == (None, {}, [])


def test_where_a_candidate_came_from_is_bound() -> None:
    first, second = _receipt(draft_of_reply(REPLY, "m"), b"right")["predicate"]["tried"]
    assert first["extracted"] == {"raw_sha256": _digest(REPLY), "rule": "tagged_fence"}
    assert (first["model"], first["candidate_sha256"]) == ("m", _digest(b"wrong\n"))
    assert (second["model"], second["extracted"]) == (None, None)


def test_a_kept_draft_is_bound() -> None:
    outcome = gate([b"worse", b"wrong"], keep_best=True)
    assert outcome.best is not None
    assert json.loads(outcome.receipt)["predicate"]["kept_best"] == {
        "candidate_sha256": _digest(b"wrong"),
        "passed": 2,
        "of": 3,
        "file_sha256": _digest(outcome.best.data),
    }
    assert outcome.document["kept_best"] == {"passed": 2, "of": 3}


def test_a_flood_of_observations_is_bound_and_not_kept() -> None:
    flood = base.Printed(0, b"x" * (private.MAX_KEPT_BYTES + 1), b"")
    outcome = gate([b"flood"], suite=PROGRAM, task=None, runs={b"flood": ((flood,), CLOSED)})
    (run,) = json.loads(outcome.receipt)["predicate"]["tried"][0]["runs"]
    assert (run["observations_kept"], outcome.private) == (False, ())


def test_private_files_name_what_they_are_of() -> None:
    outcome = gate([b"right"])
    runs = [parse_observed(data) for data in outcome.private]
    assert [run.again for run in runs] == [False, True]
    assert {run.candidate_sha256 for run in runs} == {_digest(b"right")}
    assert "secret" not in repr(outcome)


@pytest.mark.parametrize("label", ["x" * 129, "a\nb"])
def test_a_label_is_a_short_printable_text(label: str) -> None:
    with pytest.raises(InputError):
        gate([Draft(b"right", label)])
