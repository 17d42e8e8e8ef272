"""Bedrock: the decision on a candidate's run (spec/suite.md §6; docs/adr/0022). No clock, no world, no model."""

from __future__ import annotations

from enum import StrEnum

from assay.kernel.equality import Equality, Likeness, Tree, equal, printed, typed
from assay.kernel.records import Record


class How(StrEnum):
    """How a candidate failed: the closed list."""

    WRONG_VALUE = "wrong_value"  # another value, or a value where an exception was asked for
    EXCEPTION = "exception"  # an exception that was not asked for
    NOT_A_VALUE = "not_a_value"  # a type that does not travel; output that is not UTF-8
    TOO_LARGE = "too_large"  # a value beyond the limits
    LOAD_ERROR = "load_error"  # the code does not compile, or raises while it is loaded
    ENTRY_POINT_MISSING = "entry_point_missing"
    ENTRY_POINT_NOT_CALLABLE = "entry_point_not_callable"
    CPU = "cpu"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"  # more printed than is admitted
    EXIT = "exit"  # it ended itself; a program: with a status that is not 0
    SIGNAL = "signal"  # it was ended by a signal that it sent itself
    CRASH = "crash"  # it was ended by a fault of its own
    PROTOCOL = "protocol"  # it talked out of turn, or what it said is no message
    NOT_RUN = "not_run"  # a case was never reached


class Equals(Record):
    """The case asks for this value under this equality."""

    __slots__ = __match_args__ = ("expected", "equality")

    def __init__(self, expected: Tree, equality: Equality) -> None:
        self.expected = typed(expected)  # the order of a dict says nothing, so one value is one case
        self.equality = equality


class Raises(Record):
    """The case asks for an exception that is, or descends from, the built-in one of this name."""

    __slots__ = __match_args__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Prints(Record):
    """The case asks for one of these outputs."""

    __slots__ = __match_args__ = ("accepted", "likeness")

    def __init__(self, accepted: tuple[str, ...], likeness: Likeness) -> None:
        self.accepted = accepted
        self.likeness = likeness


Case = Equals | Raises | Prints


class Returned(Record):
    """What was seen of a call that returned."""

    __slots__ = __match_args__ = ("tree",)

    def __init__(self, tree: Tree) -> None:
        self.tree = tree


class Raised(Record):
    """A call raised: the built-in classes in the exception's MRO, found by identity, and its own class's name."""

    __slots__ = __match_args__ = ("names", "own")

    def __init__(self, names: tuple[str, ...], own: str = "") -> None:
        self.names = names
        self.own = own


class Printed(Record):
    """A program ended of itself, with this output."""

    __slots__ = __match_args__ = ("output",)

    def __init__(self, output: bytes) -> None:
        self.output = output


class Ended(Record):
    """The case gave no outcome, and how that came."""

    __slots__ = __match_args__ = ("how",)

    def __init__(self, how: How) -> None:
        self.how = how


Observation = Returned | Raised | Printed | Ended
UNREACHED = Ended(How.NOT_RUN)


class Observations(Record):
    """One run: an observation for each case in the suite's order, and how the run ended; None: closed as agreed."""

    __slots__ = __match_args__ = ("by_case", "ending")

    def __init__(self, by_case: tuple[Observation, ...], ending: How | None = None) -> None:
        self.by_case = by_case
        self.ending = ending


class Passed(Record):
    """Every case was observed and is right, and the run was closed as agreed."""


class Failed(Record):
    """The lowest index, from 0, among the cases seen wrong (None: none was), and how."""

    __slots__ = __match_args__ = ("first_failing_case", "how")

    def __init__(self, first_failing_case: int | None, how: How) -> None:
        self.first_failing_case = first_failing_case
        self.how = how


class Flaky(Failed):
    """It passed, and then, in another process, order and hash seed, it failed: a failure."""


Grade = Passed | Failed | Flaky

PASSED = Passed()


def grade(cases: tuple[Case, ...], observations: Observations) -> Passed | Failed:
    """Pass exactly the runs in which every case was observed right and the run was closed; source: spec/suite.md §6.

    A suite without cases passes nothing, and neither do observations that are not one for each case.
    """
    seen = observations.by_case
    if not cases or len(seen) != len(cases):
        return Failed(None, observations.ending or How.NOT_RUN)
    wrong = [(at, how) for at, how in enumerate(map(_judge, cases, seen)) if how is not None]
    for at, how in wrong:
        if how is not How.NOT_RUN:
            return Failed(at, how)
    if observations.ending is not None:
        return Failed(None, observations.ending)
    return Failed(*wrong[0]) if wrong else PASSED


def _judge(case: Case, observation: Observation) -> How | None:
    """None for a right observation. Every accepting pair is named; whatever is left is wrong."""
    match case, observation:
        case _, Ended(how):
            return how
        case Equals(expected, equality), Returned(tree):
            return None if equal(equality, expected, tree) else How.WRONG_VALUE
        case Raises(name), Raised(names):
            return None if name in names else How.EXCEPTION
        case Prints(accepted, likeness), Printed(output):
            try:
                text = printed(likeness, output.decode())
            except UnicodeDecodeError:
                return How.NOT_A_VALUE
            return None if any(text == printed(likeness, one) for one in accepted) else How.WRONG_VALUE
        case _, Raised():
            return How.EXCEPTION
        case _:
            return How.WRONG_VALUE


def confirm(first: Passed | Failed, second: Passed | Failed) -> Grade:
    """The grade of a candidate that was run twice: both passed, or it is flaky; a first failure needs no second run."""
    if isinstance(first, Failed):
        return first
    return Flaky(second.first_failing_case, second.how) if isinstance(second, Failed) else PASSED
