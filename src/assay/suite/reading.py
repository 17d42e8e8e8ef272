"""Library: a suite as lines for a person to read. The gate never runs them, and nothing reads them back."""

from __future__ import annotations

from decimal import Decimal
from typing import assert_never

from assay.kernel.equality import Approx, Tree
from assay.kernel.grade import Equals, Prints, Raises
from assay.suite.dialects import ARGUMENTS, VALUE, equality_document
from assay.suite.literals import write
from assay.suite.spec import Call, Input, Question, SuiteSpec


def lines(spec: SuiteSpec) -> list[str]:
    """One line for the suite, the lines of its preamble, and one for each case, numbered as verdicts do: from 0."""
    what = f"`{spec.entry_point}`" if spec.entry_point else "the program"
    head = [f"{spec.dialect}: {len(spec.questions)} {'case' if len(spec.questions) == 1 else 'cases'} of {what}"]
    before = [f"  | {line}" for line in spec.preamble.splitlines()]
    if before:
        before.insert(0, "in front of each candidate:")
    return (
        head
        + before
        + [f"{at}. {asked(spec.entry_point, one.ask)} {expected(one)}" for at, one in enumerate(spec.questions)]
    )


def expected(question: Question) -> str:
    """What the case expects, for whoever owns the suite: a verb, the literals, and the equality."""
    match question.check:
        case Raises(name):
            return f"raises {name}"
        case Prints(accepted, likeness):
            return f"prints {' or '.join(map(repr, accepted))} [{equality_document(likeness)}]"
        case Equals(value, equality):
            after = isinstance(question.ask, Call) and question.ask.observe == ARGUMENTS
            verb = "leaves its arguments as" if after else "is"
            return f"{verb} {write(value)} [{_tolerance(equality) or equality_document(equality)}]"
        case _:
            assert_never(question.check)


def asked(name: str, ask: Call | Input) -> str:
    """What a candidate is asked: a call of the function of that name, or an input."""
    if isinstance(ask, Input):
        return f"input {ask.stdin!r}"
    given = [write(one) for one in ask.arguments] + [
        _keyword(pair[1]) for pair in ask.keywords[1] if isinstance(pair, tuple)
    ]
    call = f"{name}({', '.join(given)})"
    return call if ask.observe in {VALUE, ARGUMENTS} else f"{ask.observe} of {call}"


def _keyword(pair: str | tuple[Tree, ...]) -> str:
    assert isinstance(pair, tuple)  # noqa: S101 - a pair of a dict is a name and a value
    name, value = pair
    return f"{name[1]}={write(value)}"


def _tolerance(equality: object) -> str:
    if not isinstance(equality, Approx):
        return ""
    absolute, relative = Decimal(equality.absolute), Decimal(equality.relative)
    parts = [_plain(absolute)] if absolute or not relative else []
    if relative:
        parts.append(f"{_plain(relative)} of it")
    return f"within {' + '.join(parts)}" + (", same type" if equality.same_type else "")


def _plain(bound: Decimal) -> str:
    """The number as people write it; its canonical text has no point (`25e-7`)."""
    return f"{bound.normalize():f}" if -4 < bound.adjusted() < 7 else f"{bound.normalize():e}".replace("e+", "e")
