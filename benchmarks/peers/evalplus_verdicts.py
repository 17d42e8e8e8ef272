"""Verdicts of evalplus's own check on the candidates of a pool, and where they differ from those of a trial.

Two steps, because evalplus lives in an environment of its own:

    PEER/bin/python evalplus_verdicts.py run --bank BANK.jsonl.gz --pool POOL.jsonl.gz --out theirs.jsonl
    python evalplus_verdicts.py compare --trial DIR --theirs theirs.jsonl

The first asks `evalplus.eval.untrusted_check` with the bank's visible and hidden cases, `fast_check` and its own time
limits. `--only` and `--least-s` ask again about what differed, with more time. evalplus is no sandbox: run that step
as a user without rights, in namespaces without a network. Nothing of assay is imported, so that it runs there as it is.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import importlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def rows(path: Path) -> Iterator[Row]:
    """The objects of a file of lines; a name that ends in `.gz` is unpacked."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        yield from map(json.loads, lines)


def cases(task: Row) -> tuple[list[list[Any]], list[Any], float]:
    """Arguments and expected value of every case, visible before hidden, and the one tolerance that evalplus takes."""
    every = [*task["visible"], *task["hidden"]]
    arguments = [list(ast.literal_eval(case["a"])) for case in every]
    expected = [ast.literal_eval(case["e"]) for case in every]
    return arguments, expected, max((case.get("tol") or 0 for case in every), default=0)


def is_asked(task: Row) -> bool:
    """Whether evalplus can be asked: a case, and none that only a polynomial decides (we have no suite there)."""
    every = [*task["visible"], *task["hidden"]]
    return bool(every) and all(case.get("k") != "poly_root" for case in every)


@dataclass(frozen=True, slots=True)
class Asked:
    """What evalplus is asked: whose exceptions hold, the least wall time of a case, and which candidates; None: all."""

    bank: Path
    pool: Path
    dataset: str
    least_s: float = 1.0
    only: frozenset[tuple[str, int]] | None = None


def run(asked: Asked, out: Path, check: Callable[..., Any], timed: Callable[..., Any]) -> None:
    """Append evalplus's verdict on each candidate that is not yet in `out`.

    `check` and `timed` are its `untrusted_check` and `trusted_exec`.
    """
    tasks = {task["id"]: task for task in rows(asked.bank)}
    done = {(row["id"], row["sample"]) for row in rows(out)} if out.exists() else set()
    with out.open("a") as kept:
        for entry in rows(asked.pool):
            task = tasks[entry["id"]]
            left = [one for one in entry["candidates"] if (entry["id"], one["sample"]) not in done]
            if asked.only is not None:
                left = [one for one in left if (entry["id"], one["sample"]) in asked.only]
            if not left or not is_asked(task):
                continue
            arguments, expected, atol = cases(task)
            _, times = timed(task["canonical"], arguments, task["entry_point"], record_time=True)
            for one in left:
                begin = time.monotonic()
                status, details = check(
                    asked.dataset,
                    one["code"],
                    arguments,
                    task["entry_point"],
                    expected,
                    atol,
                    times,
                    fast_check=True,
                    min_time_limit=asked.least_s,
                )
                row = {
                    "id": entry["id"],
                    "sample": one["sample"],
                    "status": status,
                    "cases": "".join("+" if right else "-" for right in details),
                    "of": len(expected),
                    "s": round(time.monotonic() - begin, 3),
                }
                kept.write(json.dumps(row) + "\n")
                kept.flush()


def compare(trial: Path, theirs: Path) -> Row:
    """How often both agree, and every candidate on which they do not; candidates that one did not judge are counted."""
    ours = {(task["id"], one["sample"]): one for task in rows(trial / "results.jsonl") for one in task["candidates"]}
    said = {(row["id"], row["sample"]): row for row in rows(theirs)}
    table: Counter[str] = Counter()
    differing: list[Row] = []
    for key, one in ours.items():
        if one["truth"] is None or key not in said:
            table["not_compared"] += 1
            continue
        passed = said[key]["status"] == "pass"
        table[f"ours_{_word(passed=one['truth'])}_theirs_{_word(passed=passed)}"] += 1
        if one["truth"] is not passed:
            differing.append(
                {
                    "id": key[0],
                    "sample": key[1],
                    "model": one["model"],
                    "ours": "pass" if one["truth"] else one["truth_how"],
                    "our_case": _first(one["cases"]),
                    "theirs": said[key]["status"],
                    "their_case": _first(said[key]["cases"]),
                    "of": said[key]["of"],
                    "their_s": said[key]["s"],
                }
            )
    compared = sum(table.values()) - table["not_compared"]
    return {"compared": compared, "counts": dict(sorted(table.items())), "differing": differing}


def _word(*, passed: bool) -> str:
    return "pass" if passed else "fail"


def _first(by_case: str) -> int | None:
    """The first case that is not right; None where none is known."""
    at = by_case.find("-")
    return None if at < 0 else at


def main(arguments: list[str] | None = None) -> None:
    """Run or compare, as the first argument says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    asked = steps.add_parser("run", help="ask evalplus")
    asked.add_argument("--bank", type=Path, required=True)
    asked.add_argument("--pool", type=Path, required=True)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--dataset", choices=["humaneval", "mbpp"], default="humaneval", help="whose exceptions hold")
    asked.add_argument("--least-s", type=float, default=1.0, help="least wall time of a case; evalplus's own is 1 s")
    asked.add_argument("--only", type=Path, help="a comparison: ask about its differing candidates alone")
    found = steps.add_parser("compare", help="set its verdicts beside those of a trial")
    found.add_argument("--trial", type=Path, required=True)
    found.add_argument("--theirs", type=Path, required=True)
    chosen = parser.parse_args(arguments)
    if chosen.step == "compare":
        print(json.dumps(compare(chosen.trial, chosen.theirs), indent=1))
        return
    differing = json.loads(chosen.only.read_text())["differing"] if chosen.only else None
    only = None if differing is None else frozenset((row["id"], row["sample"]) for row in differing)
    run(
        Asked(chosen.bank, chosen.pool, chosen.dataset, chosen.least_s, only),
        chosen.out,
        importlib.import_module("evalplus.eval").untrusted_check,
        importlib.import_module("evalplus.gen.util").trusted_exec,
    )


if __name__ == "__main__":
    main()
