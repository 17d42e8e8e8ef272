"""Library: a suite to the call program, three digests, and the order of the calls (spec/suite.md §5; docs/adr/0020).

The program holds calls only: nothing that is expected is in it. No code is generated from a suite.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assay.kernel.canonical import canonical
from assay.kernel.equality import Tree
from assay.suite.refusals import InvalidSuite, message
from assay.suite.spec import Call, Input, SuiteSpec, document, expectation
from assay.suite.trees import MAX_BYTES
from assay.suite.wirecodec import encode

PROGRAM: Final = "assay.program/1"
CHECKS: Final = "assay.checks/1"


@dataclass(frozen=True, slots=True)
class CallProgram:
    """What a candidate's side gets to see, and nothing else: the same bytes on every machine."""

    dialect: str
    entry_point: str
    preamble: str
    payloads: tuple[bytes, ...]  # one for each case, in the suite's order
    order: tuple[int, ...]  # in which the cases are asked; a second run asks in reverse
    data: bytes
    program_sha256: str


def render(spec: SuiteSpec) -> CallProgram:
    """The call program of a suite; a pure function of the values in it."""
    payloads = tuple(payload(question.ask) for question in spec.questions)
    head = b"t5:" + b"".join(encode(("s", text)) for text in (PROGRAM, spec.dialect, spec.entry_point, spec.preamble))
    data = head + b"l%d:" % len(payloads) + b"".join(_framed(spec, one) for one in payloads)
    return CallProgram(
        spec.dialect, spec.entry_point, spec.preamble, payloads, order(spec), data, sha256(data).hexdigest()
    )


def payload(ask: Call | Input) -> bytes:
    """The bytes of one call: the wire form of (arguments, keywords, word); of an input, its UTF-8.

    Raises:
        InvalidSuite: `literal.too_large`, where a message could not carry them.
    """
    data = ask.stdin.encode() if isinstance(ask, Input) else encode(_call(ask))
    if len(data) > MAX_BYTES:
        raise InvalidSuite("literal.too_large", message("literal.too_large", "what a case asks has more than 1 MiB"))
    return data


def _call(ask: Call) -> Tree:
    return "t", (("t", ask.arguments), ask.keywords, ("s", ask.observe))


def _framed(spec: SuiteSpec, data: bytes) -> bytes:
    return data if spec.entry_point else b"s%d:%b" % (len(data), data)


def order(spec: SuiteSpec) -> tuple[int, ...]:
    """The order in which the cases are asked: by SHA-256 of the suite's digest, a colon and the index in decimal."""
    seed = suite_sha256(spec)
    return tuple(sorted(range(len(spec.questions)), key=lambda at: sha256(f"{seed}:{at}".encode()).digest()))


def suite_sha256(spec: SuiteSpec) -> str:
    """The digest of all of a suite: SHA-256 of the canonical bytes of its canonical document."""
    return sha256(canonical(document(spec))).hexdigest()


def checks_sha256(spec: SuiteSpec) -> str:
    """The digest of what the judge compares with."""
    found = {"checks": CHECKS, "cases": [expectation(question) for question in spec.questions]}
    return sha256(canonical(found)).hexdigest()
