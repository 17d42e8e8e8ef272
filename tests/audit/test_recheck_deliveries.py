"""A delivery's receipt is graded again from suite and observations; run again where it is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.support.gate_world import PROGRAM, SUITE, Sandbox, gate
from tests.support.recheck_world import answers, reader, signed

from assay.api.gating import GateOutcome
from assay.audit import deliveries
from assay.gate.deliver import Bench
from assay.kernel.canonical import canonical
from assay.kernel.errors import Fault
from assay.suite.spec import SuiteSpec
from assay.wire.suites import parse_suite

SPEC = parse_suite(SUITE, "f")
OTHER = parse_suite(SUITE.replace("secret one", "secret two"), "f")


def suites(*given: SuiteSpec) -> Any:
    return lambda _: given


def facts(outcome: GateOutcome, **more: Any) -> dict[str, str]:
    return answers(outcome.receipt, **{"suites": suites(SPEC), "private": reader(outcome.private), **more})


FIVE = [b"wrong", b"raises", b"does not load", b"dies", b"right"]
OUTCOMES = {
    "delivered": gate(FIVE),
    "refused": gate([b"lies", b"too large", b"talks late", b"no memory", b"flaky"], keep_best=True),
    "refused after one": gate([b"wrong"]),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_suite_and_observations_give_the_receipt_again(name: str) -> None:
    assert facts(OUTCOMES[name]) == {
        "authentic": "unknown unsigned",
        "re-derives": "yes same",
        "re-runs": "unknown not_asked",
        "current": "yes same_suite",
    }


def test_programs_too() -> None:
    outcome = gate([b"prints bytes", b"prints"], suite=PROGRAM, task=None)
    assert facts(outcome, suites=suites(parse_suite(PROGRAM, None)))["re-derives"] == "yes same"


def test_what_is_not_given_is_said() -> None:
    outcome = OUTCOMES["delivered"]
    assert facts(outcome, suites=suites())["re-derives"] == "not possible no_suite"
    assert facts(outcome, suites=suites())["current"] == "unknown nothing_given"
    assert facts(outcome, private=None)["re-derives"] == "not possible private"
    assert facts(outcome, private=reader(()))["re-derives"] == "not possible private"
    assert facts(outcome, suites=suites(OTHER))["re-derives"] == "not possible other_suite"
    assert facts(outcome, suites=suites(OTHER))["current"] == "no changed"
    assert facts(outcome, suites=suites(parse_suite(PROGRAM, None)))["current"] == "unknown other_suite"


def test_a_void_decided_nothing() -> None:
    outcome = gate([b"wrong", b"nobody knows this text"])
    assert outcome.outcome == "VOID"
    assert facts(outcome)["re-derives"] == "not possible void"


def test_observations_that_were_not_kept_or_were_changed_derive_nothing() -> None:
    document = json.loads(OUTCOMES["delivered"].receipt)
    document["predicate"]["tried"][0]["runs"][0]["observations_kept"] = False
    more = {"suites": suites(SPEC), "private": reader(OUTCOMES["delivered"].private)}
    assert answers(signed(document), **more)["re-derives"] == "not possible not_kept"
    swapped = reader(OUTCOMES["delivered"].private)

    def changed(digest: str) -> bytes:
        return swapped(digest) + b" "

    assert facts(OUTCOMES["delivered"], private=changed)["re-derives"] == "not possible regrade.digest"


def leaves(document: Any, path: tuple[Any, ...] = ()) -> Any:
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, item in items:
        if isinstance(item, (dict, list)) and item:
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key)


# What no observation can say: spec/receipt.md §10.
TAKEN_OVER = {
    "gauge", "strength", "interpreter", "limits", "isolation", "verifier", "model", "extracted", "cpu_us", "wall_us",
    "peak_memory_bytes", "output_bytes", "kept_best", "reason",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "path"),
    [
        pytest.param(name, path, id=f"{name} {'.'.join(map(str, path))}")
        for name, outcome in OUTCOMES.items()
        for path in leaves(json.loads(outcome.receipt))
        if not set(path) & TAKEN_OVER and path[0] in {"predicate", "subject"}
    ],
)
def test_any_changed_field_is_noticed_though_the_owner_signs_it(name: str, path: tuple[Any, ...]) -> None:
    outcome = OUTCOMES[name]
    document = json.loads(outcome.receipt)
    place = document
    for key in path[:-1]:
        place = place[key]
    item = place[path[-1]]
    if isinstance(item, str) and len(item) == 64:
        place[path[-1]] = ("0" if item[0] != "0" else "1") + item[1:]
    else:
        place[path[-1]] = not item if isinstance(item, bool) else f"{item}x" if isinstance(item, str) else 7
    found = answers(signed(document), suites=suites(SPEC), private=reader(outcome.private))
    assert found["authentic"] == "yes trusted"
    assert not found["re-derives"].startswith("yes")


def test_an_observation_of_another_attempt_is_told() -> None:
    document = json.loads(OUTCOMES["refused"].receipt)
    runs = [one["runs"] for one in document["predicate"]["tried"]]
    runs[0][0]["observations_sha256"], runs[1][0]["observations_sha256"] = (
        runs[1][0]["observations_sha256"],
        runs[0][0]["observations_sha256"],
    )
    found = answers(signed(document), suites=suites(SPEC), private=reader(OUTCOMES["refused"].private))
    assert found["re-derives"] == "no contradiction"


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "VOID", "reason": "so it says"},
        {"tried": []},
        {"tried": [1]},
        {"rule": {"text": "The best is delivered.", "sha256": "0" * 64}},
        {"rule": 1},
        {"task": {"task": "another", "entry_point": "f", "sha256": "0" * 64}},
        {"kept_best": {"passed": 1}},
    ],
)
def test_a_delivery_that_contradicts_itself_is_told(change: dict[str, object]) -> None:
    document = json.loads(OUTCOMES["delivered"].receipt)
    document["predicate"] |= change
    found = answers(signed(document), suites=suites(SPEC), private=reader(OUTCOMES["delivered"].private))
    assert found["re-derives"] == "no contradiction"


def test_candidates_after_the_delivered_one_contradict_the_rule() -> None:
    document = json.loads(OUTCOMES["delivered"].receipt)
    tried = document["predicate"]["tried"]
    document["predicate"]["tried"] = [tried[4], *tried[:4]]
    assert answers(signed(document))["re-derives"] == "no contradiction"


def test_a_checker_that_says_yes_to_everything_may_say_nothing() -> None:
    outcome = OUTCOMES["delivered"]
    with pytest.raises(Fault, match="lets a forged receipt pass"):
        deliveries.rederive(json.loads(outcome.receipt), (SPEC,), reader(outcome.private), lambda *_: [])


# Run again


def bench(**more: Any) -> Any:
    return lambda: Bench(lambda: Sandbox(**more))


def test_the_same_candidates_get_the_same_grades() -> None:
    outcome = OUTCOMES["delivered"]
    found = facts(outcome, candidates=tuple(FIVE), bench=bench())
    assert found["re-runs"] == "yes agrees"
    assert facts(outcome, candidates=(b"right",), bench=bench())["re-runs"] == "yes agrees"
    assert facts(outcome, candidates=(b"another",), bench=bench())["re-runs"] == "not possible no_candidate"
    assert facts(outcome, candidates=(b"right",), bench=bench(), suites=suites())["re-runs"] == "not possible no_suite"


def test_a_candidate_that_does_something_else_today_is_told_where() -> None:
    from tests.support.gate_world import RUNS  # noqa: PLC0415

    found = facts(OUTCOMES["delivered"], candidates=(b"right",), bench=bench(more={b"right": RUNS[b"wrong"]}))
    assert found["re-runs"] == "no differs"
    assert found["re-derives"] == "yes same", "what was observed then is what it was"


def test_without_a_sandbox_nothing_is_run_again() -> None:
    document = json.loads(OUTCOMES["refused after one"].receipt)
    unknown_text = b"nobody knows this text"
    from hashlib import sha256  # noqa: PLC0415

    document["predicate"]["tried"][0]["candidate_sha256"] = sha256(unknown_text).hexdigest()
    found = answers(canonical(document), suites=suites(SPEC), candidates=(unknown_text,), bench=bench())
    assert found["re-runs"] == "not possible no_sandbox"
    document["predicate"]["tried"] = 1
    found = answers(canonical(document), suites=suites(SPEC), candidates=(unknown_text,), bench=bench())
    assert found["re-runs"] == "not possible contradiction"
