"""Time to a kernel that can decide: `import assay.kernel.verify` against an interpreter that does nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

SOURCE = Path(__file__).resolve().parents[1] / "src"
TIMES = 4.0
ROUNDS = 21


def seconds(program: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)
    return time.perf_counter() - start


def measure(rounds: int = ROUNDS) -> float:
    """The median over the rounds of the one divided by the other, the two taken in turn."""
    decide = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import assay.kernel.verify"
    seconds(decide)  # compiled once, as it would be where it is installed
    return median(seconds(decide) / seconds("pass") for _ in range(rounds))


def run() -> None:
    print(f"import assay.kernel.verify: {measure():.2f} times a bare interpreter (at most {TIMES})")


if __name__ == "__main__":
    run()
