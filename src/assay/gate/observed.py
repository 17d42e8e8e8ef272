"""Halls: a sandbox's report to what is kept of it, and back (docs/adr/0029). To go there and back changes no grade."""

from __future__ import annotations

from typing import assert_never

from assay.kernel.grade import How
from assay.receipts import private
from assay.receipts.private import ObservedRun, Seen
from assay.sandbox import base


def observed(
    report: base.RunReport, candidate_sha256: str, suite_sha256: str, *, again: bool, salt: bytes
) -> ObservedRun:
    """What is kept of a report: the observations and the ending. Salt: 32 random bytes."""
    return ObservedRun(
        salt,
        candidate_sha256,
        suite_sha256,
        again,
        tuple(_seen(one) for one in report.observations),
        str(report.ending.how or ""),
        report.ending.at,
    )


def reported(run: ObservedRun) -> tuple[tuple[base.Observation, ...], base.Ending]:
    """The observations and the ending that were kept."""
    ending = base.Ending(How(run.how) if run.how else None, run.at)
    return tuple(_observation(one) for one in run.seen), ending


def _seen(one: base.Observation) -> Seen:
    match one:
        case base.Returned(index, payload):
            return Seen(index, private.RETURNED, payload)
        case base.Raised(index, names, own):
            return Seen(index, private.RAISED, names=names, own=own)
        case base.NotAValue(index, _):
            return Seen(index, private.NOT_A_VALUE)
        case base.TooLarge(index, _):
            return Seen(index, private.TOO_LARGE)
        case base.Printed(index, stdout, _):
            return Seen(index, private.PRINTED, stdout)
        case base.Exited(index):
            return Seen(index, private.EXITED)
        case _:
            assert_never(one)


def _observation(one: Seen) -> base.Observation:
    match one.what:
        case private.RETURNED:
            return base.Returned(one.case, one.data)
        case private.RAISED:
            return base.Raised(one.case, one.names, one.own)
        case private.NOT_A_VALUE:
            return base.NotAValue(one.case, "")
        case private.TOO_LARGE:
            return base.TooLarge(one.case, "")
        case private.PRINTED:
            return base.Printed(one.case, one.data, b"")
        case _:
            return base.Exited(one.case)
