"""All figures: `python -m benchmarks`. Each is a ratio within this run, a median, beside what is asked of it."""

from __future__ import annotations

import os
import platform

from benchmarks import gate, ledger, receipt, start, verify, worst


def load() -> str:
    """The load of the machine: figures taken on a busy one say less."""
    return f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} cores"


def main() -> None:
    print(f"{platform.python_implementation()} {platform.python_version()}, {load()} at the start")
    for benchmark in (verify, worst, start, receipt, ledger, gate):
        benchmark.run()
    print(f"{load()} at the end")


if __name__ == "__main__":
    main()
