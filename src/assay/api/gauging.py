"""Desk: a suite against its reference, before it is trusted, with the sandbox of this machine (spec/suite.md §10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from assay.api.binding import suite_of
from assay.api.sandboxes import guest_codec
from assay.gate.deliver import Bench, OpenSandbox
from assay.gate.gauge import Gauge, gauge
from assay.gate.mutants import MOST
from assay.gate.strength import Strength, strength
from assay.gate.stubs import Stub
from assay.sandbox import base
from assay.sandbox.opening import open_slot

__all__ = ["MOST", "gauge_suite", "suite_strength"]

Step = Callable[[int, int], None]


def _silent(_: int, __: int) -> None:
    pass


def gauge_suite(  # noqa: PLR0913 (each is one choice of the caller, by name)
    suite: bytes | str,
    entry_point: str | None,
    reference: bytes,
    stubs: Iterable[tuple[str, bytes]] = (),
    *,
    task: bytes | str | None = None,
    level: base.Level = base.Level.A,
    opened: OpenSandbox | None = None,
    on_step: Step = _silent,
) -> Gauge:
    """Whether the suite passes its reference and fails every known-bad stub; `stubs` are names and sources.

    Raises:
        InvalidSuite: the suite cannot be read, or is for another function.
        InputError: the task is none, or both it and a function are given.
        SandboxUnavailable: our own fault; nothing is said of the suite.
    """
    spec, _ = suite_of(suite, entry_point, task)
    given = [Stub(name, source) for name, source in stubs]
    with _bench(opened, level) as bench:
        return gauge(spec, reference, bench, base.Limits(), given=given, on_step=on_step)


def suite_strength(  # noqa: PLR0913 (as above)
    suite: bytes | str,
    entry_point: str | None,
    reference: bytes,
    *,
    most: int = MOST,
    task: bytes | str | None = None,
    level: base.Level = base.Level.A,
    opened: OpenSandbox | None = None,
    on_step: Step = _silent,
) -> Strength:
    """How many of at most `most` mutants of the reference the suite kills, and those that it does not, as diffs.

    Raises:
        InvalidSuite: the suite cannot be read, or is for another function.
        InputError: the task is none, or both it and a function are given.
        SandboxUnavailable: our own fault; nothing is said of the suite.
    """
    spec, _ = suite_of(suite, entry_point, task)
    with _bench(opened, level) as bench:
        return strength(spec, reference, bench, base.Limits(), most=most, on_step=on_step)


@contextmanager
def _bench(opened: OpenSandbox | None, level: base.Level) -> Iterator[Bench]:
    bench = Bench(opened or partial(open_slot, guest_codec(), level))
    try:
        yield bench
    finally:
        bench.close()
