"""Workshops: the figures of a trial, from its results alone (docs/reference/trial.md defines each).

Shares are over all tasks: a refusal and a void count as not delivered. Pairs are of the tasks that are not void.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Final

from assay.experiments.statistics import clopper_pearson, mcnemar, over_means, over_pairs, wilson
from assay.experiments.trials.passk import by_k
from assay.experiments.trials.task import FIRST, Result, Scored
from assay.kernel.first_pass import RULE_SHA256

PRECONDITION: Final = (
    "These figures hold only where the need can be written as executable acceptance tests or as pinned evidence; "
    "where it cannot, nothing here verifies it."
)
BY_CONSTRUCTION: Final = (
    "In every task with a suite the visible cases are among those that score. That the filter loses nothing there, and "
    "that the gate is at least as good as a vote on visible outputs and as its first candidate, is true by "
    "construction and no finding; in a task without a suite the gate refuses, and these may be right."
)
SINGLE_RUN: Final = "Scores are of one run of each candidate; only the gate's own tests are run twice."
TWO_RUNS: Final = "Scores are of two runs of each candidate: right is what is right in both."
SCORED_ALONE: Final = "Scores are of one run of each candidate, with no gate."
NOT_JUDGED: Final = "not judged: more than a fifth of the tasks is void"
MOST_VOID: Final = Fraction(1, 5)  # above it, nothing is judged
_DIGITS: Final = 6
_QUARTERS: Final = ("0", "(0, 0.25]", "(0.25, 0.5]", "(0.5, 0.75]", "(0.75, 1)", "1")


def single_first(result: Result) -> bool:
    """Whether the first candidate is right."""
    return _right(result, 0)


def single_mean(result: Result) -> Fraction:
    """The share of the first five that is right: the chance of one drawn at random."""
    first = result.candidates[:FIRST]
    return Fraction(sum(bool(one.truth) for one in first), len(first)) if first else Fraction(0)


def vote(result: Result, group: Callable[[Scored], int | None]) -> bool:
    """Whether the choice is right: the earliest of the largest group, a tie to the earliest, no group: the first."""
    sizes = Counter(at for one in result.candidates[:FIRST] if (at := group(one)) is not None)
    return _right(result, min(sizes, key=lambda at: (-sizes[at], at)) if sizes else 0)


def gate(result: Result) -> bool:
    """Whether the gate delivered, and what it delivered is right."""
    return result.position is not None and _right(result, result.position - 1)


def random_order(result: Result) -> Fraction:
    """The chance of a right delivery over all orders of the five: of those that pass, each is as often the first."""
    passing = [one for one in result.candidates[:FIRST] if one.visible == "passed"]
    return Fraction(sum(bool(one.truth) for one in passing), len(passing)) if passing else Fraction(0)


def ceiling(result: Result) -> bool:
    """Whether any of the first five is right: nothing that selects can do more."""
    return any(one.truth for one in result.candidates[:FIRST])


def ceiling_all(result: Result) -> bool:
    """Whether any candidate of the pool is right."""
    return any(one.truth for one in result.candidates)


ARMS: Final[Mapping[str, Callable[[Result], bool]]] = {
    "single_first": single_first,
    "vote_visible": lambda result: vote(result, lambda one: one.vote_visible),
    "vote_all": lambda result: vote(result, lambda one: one.vote_all),
    "gate": gate,
    "ceiling": ceiling,
    "ceiling_all": ceiling_all,
}
OTHERS: Final = ("single_first", "vote_visible", "vote_all")


def summarise(
    results: Sequence[Result], *, not_in_pool: int, not_in_bank: int = 0, twice: bool = False
) -> dict[str, object]:
    """All figures. Tasks that only the bank or only the pool has are counted and in no denominator."""
    judged = [one for one in results if not one.void]
    tasks, voids = len(results), len(results) - len(judged)
    delivered = [one for one in judged if one.position is not None]
    false = sum(not gate(one) for one in delivered)
    subset = [one.v_subset for one in judged if not one.no_suite and not one.no_truth]
    is_subset = bool(subset) and all(subset)
    figures: dict[str, object] = {
        "tasks": tasks,
        "not_in_pool": not_in_pool,
        "not_in_bank": not_in_bank,
        **{name: _share(sum(map(arm, judged)), tasks) for name, arm in ARMS.items()},
        "single_mean": _mean([single_mean(one) for one in judged], tasks),
        "gate_random_order": _mean([random_order(one) for one in judged], tasks),
        "delivered": _share(len(delivered), tasks),
        "false_delivery_of_tasks": _share(false, tasks),
        "false_delivery_of_deliveries": _share(false, len(delivered)),
        "refused": _share(len(judged) - len(delivered), tasks),
        "no_suite": [{"id": one.id, "reason": one.no_suite} for one in results if one.no_suite],
        "not_scored": [{"id": one.id, "reason": one.no_truth} for one in results if one.no_truth],
        "void": _share(voids, tasks),
        "void_tasks": [{"id": one.id, "reason": one.void} for one in results if one.void],
        "mean_generated": _number(Fraction(sum(one.generated for one in judged), len(judged) or 1)),
        "gain_over_one_draw": _gain(judged, tasks),
        "pass_at_k": {str(k): _mean(values, tasks) for k, values in by_k(judged).items()},
        "discordant": {name: _paired(judged, ARMS[name]) for name in OTHERS},
        "by_difficulty": _by_difficulty(judged),
        "fail_v_pass_hidden": _fail_pass(judged),
        "flaky": sum(one.visible == "flaky" for result in judged for one in result.candidates),
        "typed_output": sum(one.typed_output for one in results),
        "v_subset_of_gt": is_subset,
        "v_subset_of_gt_tasks": {"count": sum(subset), "of": len(subset)},
        "precondition": PRECONDITION,
        "scores": TWO_RUNS if twice else SINGLE_RUN,
        "rule_sha256": RULE_SHA256,
    }
    if is_subset:
        figures["by_construction"] = BY_CONSTRUCTION
    if voids > MOST_VOID * tasks:
        figures["verdict"] = NOT_JUDGED
    return figures


def scores(
    results: Sequence[Result], *, not_in_pool: int, not_in_bank: int = 0, twice: bool = False
) -> dict[str, object]:
    """The figures of candidates that were scored and of no gate; a void task counts as nothing right."""
    judged = [one for one in results if not one.void]
    tasks, voids = len(results), len(results) - len(judged)
    candidates = [candidate for one in judged for candidate in one.candidates]
    figures: dict[str, object] = {
        "tasks": tasks,
        "not_in_pool": not_in_pool,
        "not_in_bank": not_in_bank,
        "right": _share(sum(bool(one.truth) for one in candidates), len(candidates)),
        "ceiling_all": _share(sum(map(ceiling_all, judged)), tasks),
        "pass_at_k": {str(k): _mean(values, tasks) for k, values in by_k(judged).items()},
        "not_scored": [{"id": one.id, "reason": one.no_truth} for one in results if one.no_truth],
        "void": _share(voids, tasks),
        "void_tasks": [{"id": one.id, "reason": one.void} for one in results if one.void],
        "precondition": PRECONDITION,
        "scores": TWO_RUNS if twice else SCORED_ALONE,
    }
    if voids > MOST_VOID * tasks:
        figures["verdict"] = NOT_JUDGED
    return figures


def is_judged(summary: Mapping[str, object]) -> bool:
    """Whether few enough tasks are void for the figures to say anything."""
    return "verdict" not in summary


def _right(result: Result, at: int) -> bool:
    return at < len(result.candidates) and bool(result.candidates[at].truth)


def _share(count: int, of: int) -> dict[str, object]:
    return {
        "count": count,
        "of": of,
        "rate": _number(Fraction(count, of)) if of else None,
        "wilson_95": _pair(wilson(count, of)),
        "clopper_pearson_95": _pair(clopper_pearson(count, of)),
    }


def _mean(values: Sequence[Fraction], of: int) -> dict[str, object]:
    """A mean over tasks, exactly; its interval takes the tasks for independent. Void tasks count as nothing."""
    padded = [*values, *[Fraction(0)] * (of - len(values))]
    mean = sum(padded, Fraction(0)) / of if of else None
    return {
        "exact": str(mean) if mean is not None else None,
        "of": of,
        "rate": _number(mean) if mean is not None else None,
        "normal_95": _pair(over_means([float(value) for value in padded])),
    }


def _gain(judged: Sequence[Result], of: int) -> dict[str, object]:
    """The gate over all orders less one draw: a mean of differences, so its interval may go below nothing."""
    gains = [random_order(one) - single_mean(one) for one in judged]
    gains += [Fraction(0)] * (of - len(gains))
    mean = sum(gains, Fraction(0)) / (of or 1)
    return {
        "exact": str(mean),
        "of": of,
        "rate": _number(mean),
        "normal_95": _pair(over_means([float(gain) for gain in gains], least=-1.0)),
    }


def _paired(results: Sequence[Result], arm: Callable[[Result], bool]) -> dict[str, object]:
    pairs = Counter((gate(one), arm(one)) for one in results)
    ours, theirs = pairs[True, False], pairs[False, True]
    interval = over_pairs(ours, theirs, len(results))
    return {
        "gate_only": ours,
        "other_only": theirs,
        "pairs": len(results),
        "mcnemar_p": float(f"{mcnemar(ours, theirs):.4g}"),
        "difference": _number(Fraction(ours - theirs, len(results) or 1)),
        "difference_95": _pair(interval) if interval is not None else None,
    }


def _by_difficulty(results: Sequence[Result]) -> list[dict[str, object]]:
    """The gate beside a single draw, by the share of the whole pool that is right."""
    found: list[dict[str, object]] = []
    for name in _QUARTERS:
        band = [one for one in results if one.candidates and _quarter(one) == name]
        if band:
            drawn = sum((single_mean(one) for one in band), Fraction(0))
            found.append(
                {
                    "pool_pass_rate": name,
                    "tasks": len(band),
                    "gate": sum(map(gate, band)),
                    "single_mean": _number(drawn),
                    "gain": _number((sum(map(gate, band)) - drawn) / len(band)),
                }
            )
    return found


def _quarter(result: Result) -> str:
    rate = Fraction(sum(bool(one.truth) for one in result.candidates), len(result.candidates))
    return _QUARTERS[-1] if rate == 1 else _QUARTERS[min(4, ceil(rate * 4))]


def _fail_pass(results: Sequence[Result]) -> dict[str, object]:
    """Of the tried candidates that fail the visible suite, those that pass every hidden case: right, or unlike it."""
    failing = [one for result in results for one in result.candidates if one.visible in {"failed", "flaky"}]
    scored = [one for one in failing if one.hidden is not None]
    return {"count": sum(bool(one.hidden) for one in scored), "of": len(scored)}


def _number(value: Fraction) -> float:
    return round(float(value), _DIGITS)


def _pair(interval: tuple[float, float]) -> list[float]:
    return [round(end, _DIGITS) for end in interval]
