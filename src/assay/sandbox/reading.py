"""Pipes: from a rendered suite to what a sandbox is asked, and from its report to what the kernel grades."""

from __future__ import annotations

from assay.kernel.grade import UNREACHED, Ended, How, Observations
from assay.kernel.grade import Observation as Seen
from assay.kernel.grade import Printed as SeenPrinted
from assay.kernel.grade import Raised as SeenRaised
from assay.kernel.grade import Returned as SeenReturned
from assay.sandbox.base import (
    Call,
    Calls,
    Ending,
    Exited,
    Input,
    Inputs,
    NotAValue,
    Observation,
    Printed,
    Program,
    Raised,
    Returned,
    RunReport,
    TooLarge,
)
from assay.suite import wirecodec
from assay.suite.render import CallProgram


def program_of(rendered: CallProgram, *, again: bool = False) -> Program:
    """What a sandbox is asked, in the suite's own order of asking; a second run asks in reverse."""
    order = rendered.order[::-1] if again else rendered.order
    if rendered.entry_point:
        return Calls(rendered.entry_point, tuple(Call(at, rendered.payloads[at]) for at in order))
    return Inputs(tuple(Input(at, rendered.payloads[at]) for at in order))


def observations_of(report: RunReport, count: int) -> Observations:
    """What was seen of each of `count` cases, in the suite's order; bytes that no guest of ours writes: `protocol`."""
    return seen_of(report.observations, report.ending, count)


def seen_of(observations: tuple[Observation, ...], ending: Ending, count: int) -> Observations:
    """The same of a run's two parts, which is what is kept of it. Every index is below `count`."""
    seen: list[Seen] = [UNREACHED] * count
    for observation in observations:
        seen[observation.index] = _seen(observation)
    at, how = ending.at, ending.how
    if how is How.OUTPUT and at is None:
        # To the candidate the cap is an error of writing: that case ended by it, and raised nothing of its own.
        at = next((one.index for one in observations if isinstance(one, Raised) and "OSError" in one.built_in), None)
    if how is not None and at is not None:
        seen[at] = Ended(how)
    return Observations(tuple(seen), how)


def _seen(observation: Observation) -> Seen:
    match observation:
        case Returned(_, payload):
            tree = wirecodec.decode(payload)
            return Ended(How.PROTOCOL) if tree is None else SeenReturned(tree)
        # No memory left is the end of a case, whether or not the candidate's process went on.
        case Raised(_, names, name):
            return Ended(How.MEMORY) if "MemoryError" in names else SeenRaised(names, name)
        case Printed(_, stdout, _):
            return SeenPrinted(stdout)
        case NotAValue():
            return Ended(How.NOT_A_VALUE)
        case TooLarge():
            return Ended(How.TOO_LARGE)
        case Exited():
            return Ended(How.EXIT)
