"""Does the strength of a visible suite foretell wrong deliveries? Rank correlation over the tasks of a bank.

`python -m benchmarks.strength --bank BANK --measured FILE [--pool POOL] [--tasks N] [--trial NAME=DIR …]`
measures each task's visible suite against the bank's own program, keeps that in FILE, one line a task, and takes it up
again; then it reads the results of trials of `assay trial run` over the same bank (docs/results/strength.md).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from assay.api.sandboxes import guest_codec
from assay.experiments.correlation import bootstrap, partial_spearman, spearman
from assay.experiments.trials.pools import read_pool
from assay.gate.banks import BankTask, read_bank
from assay.gate.deliver import Bench
from assay.gate.gauge import gauge
from assay.gate.mutants import spaced
from assay.gate.strength import strength
from assay.interfaces.cli.progress import Progress
from assay.kernel.grade import Passed
from assay.sandbox import base
from assay.sandbox.opening import open_slot
from assay.suite.spec import SuiteSpec

SEED = 20_261_130
Row = Mapping[str, Any]
Values = TypeVar("Values")


def measure(tasks: Sequence[BankTask], kept: Path) -> list[Row]:
    """Return one row a task, those that are in the file and those that are measured now."""
    found = {row["id"]: row for row in _lines(kept)}
    bench = Bench(partial(open_slot, guest_codec(), base.Level.A))
    progress = Progress(sys.stderr)
    with kept.open("a") as file:
        for number, task in enumerate(tasks, 1):
            if task.id not in found:
                found[task.id] = row_of(task, bench)
                file.write(json.dumps(found[task.id]) + "\n")
                file.flush()
                progress("tasks", number, len(tasks))
    progress.clear()
    bench.close()
    return [found[task.id] for task in tasks]


def row_of(task: BankTask, bench: Bench) -> Row:
    """Return what is known of one task's visible suite; without a suite, that there is none."""
    if not isinstance(task.visible, SuiteSpec) or task.reference is None:
        return {"id": task.id, "reason": "no suite or no program of the bank"}
    source, limits = task.reference.encode(), base.Limits()
    told = gauge(task.visible, source, bench, limits)
    passing = [one.name for one in told.stubs if isinstance(one.grade, Passed)]
    return {
        "id": task.id,
        **strength(task.visible, source, bench, limits).document(),
        "reference_passes": isinstance(told.reference, Passed),
        "gauge_holds": told.holds,
        "passing_stubs": passing,
    }


def wrong_of_passing(result: Row) -> tuple[int, int]:
    """Return how many candidates pass the visible cases of the scoring run and fail others of it, and how many pass."""
    shown = result["visible_cases"]
    passing = [one for one in result["candidates"] if shown and one["cases"][:shown] == "+" * shown]
    return sum(not one["truth"] for one in passing), len(passing)


def delivered_wrong(result: Row) -> bool | None:
    """Return whether the gate delivered a wrong candidate; None where it delivered none."""
    position = result["position"]
    return None if position is None else not result["candidates"][position - 1]["truth"]


def figures(rows: Sequence[Row], results: Mapping[str, Row]) -> dict[str, object]:
    """Return the correlations of one trial, each with its denominator and its interval."""
    measured = [row for row in rows if not row["reason"] and row["id"] in results]
    passing = [(row, *wrong_of_passing(results[row["id"]])) for row in measured]
    passing = [(row, wrong, count) for row, wrong, count in passing if count]
    delivered = [(row, found) for row in measured if (found := delivered_wrong(results[row["id"]])) is not None]
    shares: dict[str, Callable[[Row], float]] = {
        "strength": lambda row: row["killed"] / row["generated"],
        "distinct_inputs": lambda row: float(row["distinct_inputs"]),
        "survived": lambda row: float(row["survived"]),
        # How long the program is: a rival that knows nothing of the suite.
        "possible": lambda row: float(row["possible"]),
    }
    return {
        "tasks": len(measured),
        "with_a_passing_candidate": len(passing),
        "passing_candidates": sum(count for _, _, count in passing),
        "wrong_among_them": sum(wrong for _, wrong, _ in passing),
        "delivered": len(delivered),
        "delivered_wrong": sum(found for _, found in delivered),
        "with_share_wrong": {
            name: _figure([(share(row), wrong / count) for row, wrong, count in passing], spearman)
            for name, share in shares.items()
        },
        # Hard tasks have long programs: what is left of strength where the length is held fixed.
        "given_length": {
            "share_wrong": _figure(
                [(shares["strength"](row), wrong / count, shares["possible"](row)) for row, wrong, count in passing],
                partial_spearman,
            ),
            "wrong_delivery": _figure(
                [(shares["strength"](row), float(found), shares["possible"](row)) for row, found in delivered],
                partial_spearman,
            ),
        },
        "with_wrong_delivery": {
            name: _figure([(share(row), float(found)) for row, found in delivered], spearman)
            for name, share in shares.items()
        },
        "by_strength": list(_bands(passing)),
        "by_gauge": {
            words: _counts([one for one in passing if one[0]["gauge_holds"] is holds])
            for words, holds in (("holds", True), ("does not", False))
        },
    }


def _figure(found: Sequence[Values], statistic: Callable[[Sequence[Values]], float | None]) -> dict[str, object]:
    return {"rho": statistic(found), "bootstrap_95": bootstrap(found, statistic, seed=SEED), "n": len(found)}


def _bands(passing: Sequence[tuple[Row, int, int]]) -> Iterator[dict[str, object]]:
    for low, high in ((0.0, 0.6), (0.6, 0.8), (0.8, 1.0), (1.0, 2.0)):
        band = [one for one in passing if low <= one[0]["killed"] / one[0]["generated"] < high]
        yield {"from": low, "below": high if high <= 1 else None, **_counts(band)}


def _counts(found: Sequence[tuple[Row, int, int]]) -> dict[str, object]:
    return {
        "tasks": len(found),
        "passing_candidates": sum(count for _, _, count in found),
        "wrong": sum(wrong for _, wrong, _ in found),
        "mean_share_wrong": sum(wrong / count for _, wrong, count in found) / len(found) if found else None,
    }


def overview(rows: Sequence[Row]) -> dict[str, object]:
    """Return what the suites themselves are like."""
    measured = [row for row in rows if not row["reason"]]
    shares = sorted(row["killed"] / row["generated"] for row in measured)
    names = ("nothing", "first", "raises", "constant")
    return {
        "tasks": len(rows),
        "measured": len(measured),
        "not_measured": [{"id": row["id"], "reason": row["reason"]} for row in rows if row["reason"]],
        "one_distinct_input": sum(row["distinct_inputs"] == 1 for row in measured),
        "generated": sum(row["generated"] for row in measured),
        "killed": sum(row["killed"] for row in measured),
        "median_strength": shares[len(shares) // 2] if shares else None,
        "all_killed": sum(share == 1 for share in shares),
        "gauge_holds": sum(row.get("gauge_holds", False) for row in rows),
        "reference_fails": [row["id"] for row in rows if row.get("reference_passes") is False],
        "refused_by": {name: sum(name in row.get("passing_stubs", ()) for row in rows) for name in names},
    }


def _lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--measured", type=Path, required=True, help="where what is measured is kept")
    parser.add_argument("--pool", type=Path, help="only tasks with candidates in it")
    parser.add_argument("--tasks", type=int, help="so many, evenly spaced")
    parser.add_argument("--trial", action="append", default=[], metavar="NAME=DIR")
    given = parser.parse_args()
    tasks = list(read_bank(given.bank))
    if given.pool is not None:
        pool = read_pool(given.pool)
        tasks = [task for task in tasks if pool.get(task.id)]
    rows = measure(spaced(tasks, given.tasks or len(tasks)), given.measured)
    found: dict[str, object] = {"seed": SEED, "suites": overview(rows)}
    for name, _, folder in (one.partition("=") for one in given.trial):
        found[name] = figures(rows, {row["id"]: row for row in _lines(Path(folder) / "results.jsonl")})
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
