"""Workshops: what a candidate may leave for its second run, or for the next candidate; each must find nothing there.

These are candidates, not suites: in the paper the marker file was the suite's. Run in the sandbox, for one small suite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assay.gate.deliver import Bench, try_candidate
from assay.kernel.equality import Python
from assay.kernel.grade import Equals, Passed
from assay.sandbox import base
from assay.suite.dialects import PYTHON_CALL
from assay.suite.render import render
from assay.suite.spec import Call, Question, SuiteSpec

_BEFORE: Final = """
import builtins, os, sys
def seen():
    {look}
def f():
    if seen():
        return 2
    {leave}
    return 1
"""


@dataclass(frozen=True, slots=True)
class Leftover:
    """A candidate that is right as long as it finds nothing of an earlier run."""

    name: str
    source: bytes


def _leftover(name: str, look: str, leave: str) -> Leftover:
    return Leftover(name, _BEFORE.format(look=look, leave=leave).encode())


def _file(name: str, path: str) -> Leftover:
    return _leftover(
        name,
        f"return os.path.exists({path!r})",
        f"\n    try:\n        open({path!r}, 'w').close()\n    except OSError:\n        pass",
    )


LEFTOVERS: Final[tuple[Leftover, ...]] = (
    _file("a file in its folder", "marker"),
    _file("a file in /tmp", "/tmp/marker"),  # noqa: S108 - the sandbox's own, or none
    _file("a file in /dev/shm", "/dev/shm/marker"),  # noqa: S108 - as above
    _leftover("a name among the built-ins", "return hasattr(builtins, 'marker')", "builtins.marker = 1"),
    _leftover("a module", "return 'marker' in sys.modules", "sys.modules['marker'] = sys"),
    _leftover("a variable of the environment", "return 'MARKER' in os.environ", "os.environ['MARKER'] = '1'"),
)


@dataclass(frozen=True, slots=True)
class Left:
    """Whether the candidate found nothing: in its second run, and when it was tried again after itself."""

    name: str
    is_contained: bool


def leave(bench: Bench, limits: base.Limits) -> list[Left]:
    """Try each candidate twice over, on one bench; four runs each.

    Raises:
        SandboxUnavailable: our own fault, twice.
    """
    check = Equals(("i", "1"), Python())
    suite = SuiteSpec(PYTHON_CALL, "f", (Question(Call((), ("d", ())), check),))
    program = render(suite)
    found = []
    for one in LEFTOVERS:
        grades = [try_candidate(suite, program, one.source, bench, limits).grade for _ in range(2)]
        found.append(Left(one.name, all(isinstance(grade, Passed) for grade in grades)))
    return found
