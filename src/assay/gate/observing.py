"""Halls: from what a sandbox reports to what the judge looks at: one observation a case, in the suite's order."""

from __future__ import annotations

from typing import assert_never

from assay.kernel.grade import (
    UNREACHED,
    Ended,
    How,
    Observation,
    Observations,
    Printed,
    Raised,
    Returned,
)
from assay.sandbox import base
from assay.suite.wirecodec import decode


def observations(cases: int, report: base.RunReport) -> Observations:
    """The run as the judge sees it. Cases that the report lacks were not reached, but for the one at which it ended."""
    ending = report.ending
    found: list[Observation] = [UNREACHED] * cases
    if ending.how is not None and ending.at is not None and 0 <= ending.at < cases:
        found[ending.at] = Ended(ending.how)
    for seen in report.observations:
        if 0 <= seen.index < cases:
            found[seen.index] = _seen(seen)
    return Observations(tuple(found), ending.how)


def _seen(seen: base.Observation) -> Observation:
    match seen:
        case base.Returned(_, payload):
            tree = decode(payload)
            # Bytes that are no literal in the one spelling are no message.
            return Ended(How.PROTOCOL) if tree is None else Returned(tree)
        case base.Raised(_, built_in, name):
            return Raised(built_in, name)
        case base.NotAValue():
            return Ended(How.NOT_A_VALUE)
        case base.TooLarge():
            return Ended(How.TOO_LARGE)
        case base.Printed(_, stdout, _):
            return Printed(stdout)
        case base.Exited():
            return Ended(How.EXIT)
        case _:
            assert_never(seen)
