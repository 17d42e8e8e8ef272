"""Workshops: what the figures of a trial do not show, as far as its own results tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from assay.experiments.trials.task import FIRST, Result

_LISTS: Final = (
    ("no_suite", "No suite.", "refused before anything ran, and counted"),
    ("not_scored", "Not scored.", "right for nobody, since what scores them cannot be written down"),
    ("void_tasks", "Void.", "undecided by our own fault, and counted as not delivered"),
)


@dataclass(frozen=True, slots=True)
class Caveat:
    """A heading and a sentence."""

    head: str
    text: str


def caveats(summary: Mapping[str, Any], results: Sequence[Result]) -> list[Caveat]:
    """Those that hold here. What only the makers of a pool know, such as its temperature, is not among them."""
    lost = summary["fail_v_pass_hidden"]
    found = [
        _kind(results),
        _subset(summary),
        Caveat(
            "Tests that disagree.",
            f"{int(lost['count'])} of the {int(lost['of'])} tried candidates that fail the visible cases pass every "
            "hidden one.",
        ),
        Caveat(
            "Right means: passes these tests.",
            "Where they are weak, every row is too high and false deliveries are more.",
        ),
        Caveat("One run.", f"{summary['scores']} {int(summary['flaky'])} of the tried candidates were flaky."),
    ]
    found.extend(Caveat(head, f"Tasks {text}: {len(summary[key])}.") for key, head, text in _LISTS if summary[key])
    typed = int(summary["typed_output"])
    if typed:
        found.append(Caveat("Typed output.", f"In {typed} tasks an accepted output of the bank is no text."))
    outside = int(summary["not_in_pool"]), int(summary["not_in_bank"])
    if any(outside):
        found.append(
            Caveat(
                "Left out.",
                f"Tasks of the bank without a candidate: {outside[0]}; of the pool that the bank does not have: "
                f"{outside[1]}. They are in no denominator.",
            )
        )
    return found


def _kind(results: Sequence[Result]) -> Caveat:
    names = {one.model for result in results for one in result.candidates[:FIRST]}
    if len(names) > 1:
        return Caveat(
            "A mixture, not samples.",
            f"The candidates that the gate may try come from {len(names)} models or prompts. They are no draws of one "
            "model; their order matters, and the ceiling is higher than that of one model's samples.",
        )
    return Caveat(
        "One model.",
        "All candidates that the gate may try name one source. Whether they are independent samples of it, the pool "
        "does not say.",
    )


def _subset(summary: Mapping[str, Any]) -> Caveat:
    subset = summary["v_subset_of_gt_tasks"]
    count, of = int(subset["count"]), int(subset["of"])
    if summary["v_subset_of_gt"]:
        return Caveat(
            "True by construction.",
            f"In all {of} tasks that have a suite the visible cases are among those that score. A right candidate "
            "therefore passes the gate's tests; a filter that loses nothing is no finding here.",
        )
    return Caveat(
        "Visible cases outside the scores.",
        f"Only in {count} of {of} tasks are the visible cases among those that score, so the gate can refuse what the "
        "scores call right.",
    )
