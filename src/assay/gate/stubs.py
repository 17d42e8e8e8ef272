"""Halls: programs that are known to be wrong, made of a suite as data (spec/suite.md §10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.kernel.grade import Equals, Prints, Raises
from assay.suite.literals import write
from assay.suite.spec import Call, SuiteSpec

CONSTANT: Final = "constant"
_MAX_CONSTANT: Final = 65_536  # characters: a stub that dies of its own size says nothing
# Words of a call under which a value is seen as it is, or as one that it can be put in the place of.
_PLAIN: Final = frozenset({"value", "truth", "found"})
# Built-in exceptions that cannot be made without arguments.
_ARGUMENTS: Final = {
    "BaseExceptionGroup": '"stub", [ValueError()]',
    "ExceptionGroup": '"stub", [ValueError()]',
    "UnicodeDecodeError": '"ascii", b"x", 0, 1, "stub"',
    "UnicodeEncodeError": '"ascii", "x", 0, 1, "stub"',
    "UnicodeTranslateError": '"x", 0, 1, "stub"',
}


@dataclass(frozen=True, slots=True)
class Stub:
    """A program that is known to be wrong, and what it is called; `is_made` of the suite, not given by its owner."""

    name: str
    source: bytes
    is_made: bool = False

    @property
    def sha256(self) -> str | None:
        """Its digest; None for one that is made of the suite (docs/adr/0040).

        It may hold a value, or the name of an exception, that is expected: whoever guesses it finds it by the digest.
        """
        return None if self.is_made else sha256(self.source).hexdigest()


def stubs(suite: SuiteSpec) -> tuple[Stub, ...]:
    """The stubs of a suite, in the order of spec/suite.md §10; at least two."""
    made = _functions(suite) if suite.entry_point else _programs(suite)
    return tuple(Stub(name, text.encode(), is_made=True) for name, text in made)


def _functions(suite: SuiteSpec) -> Iterator[tuple[str, str]]:
    def function(body: str) -> str:
        return f"def {suite.entry_point}(*args, **kwargs):\n    {body}\n"

    yield "nothing", function("return None")
    if any(isinstance(one.ask, Call) and one.ask.arguments for one in suite.questions):
        yield "first", function("return args[0] if args else None")
    asked = [check.name for check in suite.checks if isinstance(check, Raises)]
    name = asked[0] if asked else "Exception"
    yield "raises", function(f"raise {name}({_ARGUMENTS.get(name, '')})")
    for value in _values(suite):
        # The one name in canonical text that is none of Python's.
        yield CONSTANT, 'nan = float("nan")\n\n\n' + function(f"return {value}")
        return


def _values(suite: SuiteSpec) -> Iterator[str]:
    for one in suite.questions:
        if isinstance(one.check, Equals) and isinstance(one.ask, Call) and one.ask.observe in _PLAIN:
            text = write(one.check.expected)
            if len(text) <= _MAX_CONSTANT:
                yield text


def _programs(suite: SuiteSpec) -> Iterator[tuple[str, str]]:
    yield "nothing", "pass\n"
    yield "first", "import sys\n\nsys.stdout.buffer.write(sys.stdin.buffer.read())\n"
    yield "raises", "raise Exception\n"
    outputs = [check.accepted[0] for check in suite.checks if isinstance(check, Prints)]
    if outputs and len(outputs[0]) <= _MAX_CONSTANT:
        yield CONSTANT, f"import sys\n\nsys.stdout.buffer.write({outputs[0]!a}.encode())\n"
