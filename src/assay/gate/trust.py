"""Halls: the walk of a delivery with what is asked of its suite before and after (spec/suite.md §10; docs/adr/0028).

The gauge runs before any candidate is drawn. Strength is measured when all is decided, so that it decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from assay.gate.deliver import Attempt, Bench, Delivery, Void, deliver
from assay.gate.gauge import NOT_RUN, Gauge, gauge
from assay.gate.strength import DELIVERED, REFERENCE, Strength, strength
from assay.gate.stubs import Stub
from assay.kernel.errors import InputError
from assay.sandbox import base
from assay.suite.spec import SuiteSpec

NOT_MEASURED: Final = "not measured"
Words = str | dict[str, object]


@dataclass(frozen=True, slots=True)
class Trust:
    """What is asked of a suite: a reference and known-bad stubs for its gauge, and whether its strength is measured.

    `gauge_sha256` is the digest of the gauge that was committed to; empty: none was (spec/suite.md §13).
    """

    reference: bytes | None = None
    stubs: tuple[Stub, ...] = ()
    is_measured: bool = False
    gauge_sha256: str = ""


NONE: Final = Trust()


@dataclass(frozen=True, slots=True)
class Walked:
    """A delivery, and what its receipt says of the suite: the records of gauge and strength, or why there are none."""

    delivery: Delivery
    gauge: Words = NOT_RUN
    strength: Words = NOT_MEASURED


def walk(  # noqa: PLR0913 (each is one choice of the caller, by name)
    suite: SuiteSpec,
    candidates: Iterable[bytes],
    bench: Bench,
    limits: base.Limits,
    *,
    trust: Trust = NONE,
    on_attempt: Callable[[Attempt], None] = lambda _: None,
    on_step: Callable[[str, int, int], None] = lambda *_: None,
) -> Walked:
    """Gauge the suite where there is a reference, deliver or refuse, then measure strength if that is asked for.

    A fault of ours in the gauge is void, with no candidate drawn; one in the measuring changes no outcome.

    Raises:
        InvalidSuite: `suite.gauge`: the gauge does not hold, and no candidate was drawn.
        InputError: `commitment.gauge`: it is not the one that was committed to, and no candidate was drawn.
    """
    found: Words = NOT_RUN
    if trust.reference is not None:
        try:
            told = gauge(
                suite,
                trust.reference,
                bench,
                limits,
                given=trust.stubs,
                on_step=lambda done, total: on_step("gauging", done, total),
            )
        except base.SandboxUnavailable as fault:
            return Walked(Delivery(Void(str(fault)), ()), "not run (our sandbox failed)")
        told.require()
        if trust.gauge_sha256 not in {"", told.sha256}:
            raise InputError(
                "commitment.gauge",
                "the gauge is another than the one that was committed to; give the same reference, and the same stubs"
                " by the same names",
            )
        found = gauge_words(told)
    delivery = deliver(suite, candidates, bench, limits, on_attempt)
    return Walked(delivery, found, _measured(suite, delivery, bench, limits, trust, on_step))


def gauge_words(found: Gauge) -> dict[str, object]:
    """The record with its own digest."""
    return {**found.document(), "gauge_sha256": found.sha256}


def strength_words(found: Strength) -> Words:
    """The record, or in a text why nothing was measured."""
    return f"{NOT_MEASURED} ({found.reason})" if found.reason else found.document()


def _measured(  # noqa: PLR0913, PLR0917 (the last third of `walk`)
    suite: SuiteSpec,
    delivery: Delivery,
    bench: Bench,
    limits: base.Limits,
    trust: Trust,
    on_step: Callable[[str, int, int], None],
) -> Words:
    if not trust.is_measured:
        return NOT_MEASURED
    source, of = (trust.reference, REFERENCE) if trust.reference is not None else (delivery.source, DELIVERED)
    if source is None:
        return f"{NOT_MEASURED} (no reference, and nothing delivered)"
    try:
        found = strength(
            suite, source, bench, limits, of=of, on_step=lambda done, total: on_step("mutants", done, total)
        )
    except base.SandboxUnavailable:
        return f"{NOT_MEASURED} (our sandbox failed)"
    return strength_words(found)
