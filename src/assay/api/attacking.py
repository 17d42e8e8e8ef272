"""Desk: attacks on suites over a bank, with the reader of `gate check` and the sandbox of this machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assay.api.sandboxes import guest_codec
from assay.experiments.attacks.leftovers import Left, leave
from assay.experiments.attacks.paper import PAPER, Before
from assay.experiments.attacks.replay import PRECONDITION, Row, is_stopped, replay, table, targets
from assay.gate.deliver import Bench, OpenSandbox
from assay.sandbox import base
from assay.sandbox.opening import open_slot

__all__ = ["PAPER", "PRECONDITION", "Attacked", "Before", "attack"]


@dataclass(frozen=True, slots=True)
class Attacked:
    """The rows of the table, what candidates left behind (empty: not tried), and whether all is as it should be."""

    rows: Sequence[Row]
    left: Sequence[Left]
    without: int

    @property
    def holds(self) -> bool:
        """Whether nothing was read that no suite should be able to say, and nothing that was left behind was found."""
        return is_stopped(self.rows) and all(one.is_contained for one in self.left)

    def document(self) -> dict[str, object]:
        """The table as JSON."""
        return table(self.rows, self.left, without=self.without)


def attack(
    bank: Path,
    *,
    gauged: int,
    opened: OpenSandbox | None = None,
    progress: Callable[[str, int, int], None] = lambda _, __, ___: None,
) -> Attacked:
    """Try every attack on every task of the bank; gauge what is read on `gauged` of them, evenly spaced.

    With `gauged` 0 no sandbox is needed: nothing is gauged, and no candidate is tried.

    Raises:
        InputError: the file is no bank, or has no task that asks for a function.
        SandboxUnavailable: our own fault, twice.
        OSError: the file cannot be read.
    """
    found, without = targets(bank, lambda done: progress("reading", done, 0))
    bench = Bench(opened or partial(open_slot, guest_codec(), base.Level.A)) if gauged else None
    try:
        left = leave(bench, base.Limits()) if bench is not None else []
        rows = replay(
            found, bench, base.Limits(), gauged=gauged, on_step=lambda done, total: progress("attempts", done, total)
        )
    finally:
        if bench is not None:
            bench.close()
    return Attacked(rows, left, without)
