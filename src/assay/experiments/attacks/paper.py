"""Workshops: what the paper measured of each attack, before and after its own mends: the runs R449, R451 and R452.

Its suites were programs then. Its denominators are 371 tasks of MBPP+; `committed` counts the hostile suites that its
gauge let through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Before:
    """One row of the paper: its run, how many hostile suites were let through, and what came of it."""

    run: str
    committed: int | None
    of: int
    effect: str


PAPER: Final[dict[str, tuple[Before, ...]]] = {
    "trivial": (
        Before("R449", None, 371, "no gauge yet: delivery -6.47 points, 31 % of the deliveries false"),
        Before("R451", 0, 371, "stopped by the gauge"),
    ),
    "weak": (Before("R451", 367, 371, "delivery -2.16 points, 20.8 % of the deliveries false"),),
    "targeted": (Before("R451", 371, 371, "delivery -6.47 points, 31.3 % of the deliveries false"),),
    "stateful": (Before("R451", 371, 371, "delivery -75.20 points [-79.51, -70.89], and the gauge still said ok"),),
    "smuggled entry point": (
        Before("R452, first mend", 368, 371, "31.5 % of the deliveries false"),
        Before("R452, second mend", 0, 371, "stopped: 368 by `entry_point_mismatch`"),
    ),
    "large integer": (
        Before("R452", None, 371, "a bare ValueError through 11 of 11 doors; then a code, `int_too_large`"),
    ),
}
