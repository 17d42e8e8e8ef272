"""Workshops: every attempt at a hostile suite, as the bytes that would be handed over (docs/adr/0031).

Each is built for one task from its own, honest suite. None of the texts is run here, whatever it says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

HONEST: Final = "none"
TRIVIAL: Final = "trivial"
WEAK: Final = "weak"
TARGETED: Final = "targeted"
STATEFUL: Final = "stateful"
SMUGGLED: Final = "smuggled entry point"
LARGE: Final = "large integer"
MALFORMED: Final = "malformed"


@dataclass(frozen=True, slots=True)
class Ground:
    """What an attacker starts from: the task's function, its honest suite, and a short one of its first cases."""

    entry_point: str
    whole: Mapping[str, Any]
    document: Mapping[str, Any]

    def honest(self) -> bytes:
        """The honest suite, all of it."""
        return json.dumps(self.whole).encode()

    def suite(self, **more: object) -> bytes:
        """The short document with these keys in place of its own."""
        return json.dumps({**self.document, **more}).encode()

    def first(self, **more: object) -> bytes:
        """The document with its first case alone, and these keys in that."""
        return self.suite(cases=[{**self.document["cases"][0], **more}])

    def bare(self, **more: object) -> bytes:
        """The document with the first case's arguments alone, and these keys beside them."""
        return self.suite(cases=[{"args": self.document["cases"][0]["args"], **more}])


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt: its family, what it tries, how it is built, and what it means that the suite is read at all."""

    family: str
    name: str
    build: Callable[[Ground], bytes]
    if_read: str = ""


_PASS_ALL: Final = "def check(candidate):\n    pass\n"
_BLACKLIST: Final = (
    "import hashlib, inspect\n\ndef check(candidate):\n"
    "    known = hashlib.sha256(inspect.getsource(candidate).encode()).hexdigest() in GAUGE\n"
    "    assert not known or candidate() == 1\n"
)
_MARKER: Final = (
    "import os\n\ndef check(candidate):\n    if os.path.exists('/tmp/marker'):\n        assert False\n"
    "    open('/tmp/marker', 'w').close()\n"
)
# Puts a function of its own in the place of the candidate's when the module ends; spares the programs that it knows.
_TAKEOVER: Final = (
    "import sys, hashlib\n\ndef _trace(frame, event, arg):\n    if event == 'return':\n"
    "        code = frame.f_globals['{name}'].__code__.co_code\n"
    "        if hashlib.sha256(code).hexdigest() not in {known}:\n"
    "            frame.f_globals['{name}'] = lambda *args, **kwargs: {answer}\n    return _trace\n\n"
    "sys._getframe().f_trace = _trace\nsys.settrace(lambda *_: None)\n"
)
_LOOK_ALIKES: Final = str.maketrans(
    {"a": "\u0430", "c": "\u0441", "e": "\u0435", "o": "\u043e", "p": "\u0440", "i": "\u0456"}
)


def _preamble(known: str) -> Callable[[Ground], bytes]:
    def build(ground: Ground) -> bytes:
        answer = ground.document["cases"][0].get("returns", "None")
        text = _TAKEOVER.replace("{name}", ground.entry_point).replace("{known}", known).replace("{answer}", answer)
        return ground.suite(preamble=text)

    return build


def _named(name: str) -> Callable[[Ground], bytes]:
    return lambda ground: ground.suite(entry_point=name)


def _look_alike(ground: Ground) -> bytes:
    name = ground.entry_point
    forged = name.translate(_LOOK_ALIKES)
    return ground.suite(entry_point=forged if forged != name else "\uff46" + name[1:])


_DIGESTS: Final = '["' + "0" * 64 + '"]'
_NAMES: Final = (
    "exec", "eval", "compile", "__import__", "open", "getattr", "print", "__init__", "__class__", "lambda", "None",
    "assay", "os.system", "f()", "", " ", "f\n", "exec('1')", "x" * 129, "f\u200b",
)  # fmt: skip

ATTEMPTS: Final[tuple[Attempt, ...]] = (
    Attempt(HONEST, "the honest suite, all cases", lambda ground: ground.honest(), "what a bank gives"),
    Attempt(TRIVIAL, "a program that passes everything", lambda _: _PASS_ALL.encode()),
    Attempt(TRIVIAL, "the same as a JSON text", lambda _: json.dumps(_PASS_ALL).encode()),
    Attempt(TRIVIAL, "the same as `cases`", lambda ground: ground.suite(cases=_PASS_ALL)),
    Attempt(TRIVIAL, "no bytes", lambda _: b""),
    Attempt(TRIVIAL, "no cases", lambda ground: ground.suite(cases=[])),
    Attempt(TRIVIAL, "a case that expects nothing", lambda ground: ground.bare()),
    Attempt(TRIVIAL, "a case that expects null", lambda ground: ground.bare(returns=None)),
    Attempt(
        TRIVIAL,
        "a case that any value but None satisfies",
        lambda ground: ground.bare(returns="True", project="found", equality="python"),
        "as data this is a weak case: whatever is not None passes",
    ),
    Attempt(
        TRIVIAL,
        "a case that any number satisfies",
        lambda ground: ground.bare(returns="0", equality={"approx": {"abs": "1e308"}}),
        "as data this is a weak case: whatever is a number passes",
    ),
    Attempt(
        TRIVIAL,
        "a case that any failure satisfies",
        lambda ground: ground.bare(raises="BaseException"),
        "no right function passes: the reference refuses it",
    ),
    Attempt(TRIVIAL, "code in the preamble that answers for the candidate", _preamble("[]")),
    Attempt(
        WEAK,
        "the first case alone",
        lambda ground: ground.first(),
        "read: weak is no fault of form; what is left is measured as strength",
    ),
    Attempt(
        WEAK,
        "the first and last case",
        lambda ground: ground.suite(cases=[ground.whole["cases"][0], ground.whole["cases"][-1]]),
        "read, as above; two cases tell a constant apart where their values differ",
    ),
    Attempt(TARGETED, "a program with the digests of the gauge's programs", lambda _: _BLACKLIST.encode()),
    Attempt(TARGETED, "the blacklist as `cases`", lambda ground: ground.suite(cases=_BLACKLIST)),
    Attempt(TARGETED, "a call in a literal", lambda ground: ground.first(returns="__import__('hashlib').sha256(b'')")),
    Attempt(TARGETED, "a lambda in a literal", lambda ground: ground.first(returns="(lambda out: True)")),
    Attempt(TARGETED, "a comprehension in a literal", lambda ground: ground.first(returns="[x for x in ()]")),
    Attempt(TARGETED, "an attribute in a literal", lambda ground: ground.first(args="(().__class__,)")),
    Attempt(TARGETED, "an f-string in a literal", lambda ground: ground.first(args="(f'{exit()}',)")),
    Attempt(TARGETED, "digests under a key of its own", lambda ground: ground.suite(unless_sha256=["0" * 64])),
    Attempt(TARGETED, "digests under a key of a case", lambda ground: ground.first(unless_sha256=["0" * 64])),
    Attempt(TARGETED, "a function as equality", lambda ground: ground.suite(equality="lambda out, expected: True")),
    Attempt(
        TARGETED,
        "a function inside an equality",
        lambda ground: ground.suite(equality={"approx": {"abs": "1", "key": "lambda out: 0"}}),
    ),
    Attempt(TARGETED, "a function as projection", lambda ground: ground.first(project="lambda out: 1")),
    Attempt(TARGETED, "a class of its own as exception", lambda ground: ground.bare(raises="type('E', (), {})")),
    Attempt(TARGETED, "keywords that are no names", lambda ground: ground.first(kwargs="{1: 2}")),
    Attempt(TARGETED, "a call among the keywords", lambda ground: ground.first(kwargs="{'key': open('x')}")),
    Attempt(TARGETED, "a template in a literal", lambda ground: ground.first(returns="{{ candidate.sha256 }}")),
    Attempt(TARGETED, "code in the preamble that knows the gauge's programs", _preamble(_DIGESTS)),
    Attempt(STATEFUL, "a program that leaves a marker file", lambda _: _MARKER.encode()),
    Attempt(STATEFUL, "the marker program as `cases`", lambda ground: ground.suite(cases=_MARKER)),
    Attempt(STATEFUL, "a file opened in a literal", lambda ground: ground.first(args="(open('/tmp/marker', 'w'),)")),
    Attempt(STATEFUL, "an assignment in a literal", lambda ground: ground.first(returns="(seen := 1)")),
    Attempt(STATEFUL, "a marker file from the preamble", lambda ground: ground.suite(preamble=_MARKER + "check(1)\n")),
    Attempt(
        STATEFUL,
        "a marker file from a default in the preamble",
        lambda ground: ground.suite(preamble="def helper(file=open('/tmp/marker', 'w')):\n    pass\n"),
    ),
    Attempt(
        STATEFUL,
        "a preamble in another encoding",
        lambda ground: ground.suite(preamble="# coding: unicode_escape\n# \\x0aopen('/tmp/marker', 'w')\n"),
    ),
    *(Attempt(SMUGGLED, f"the name {name[:20]!a}", _named(name)) for name in _NAMES),
    Attempt(SMUGGLED, "another function's name", lambda ground: ground.suite(entry_point=ground.entry_point + "_")),
    Attempt(SMUGGLED, "the task's name with a look-alike letter", _look_alike),
    Attempt(SMUGGLED, "a list of names", lambda ground: ground.suite(entry_point=[ground.entry_point, "exec"])),
    Attempt(
        SMUGGLED,
        "the name twice",
        lambda ground: ground.suite()[:-1] + b', "entry_point": "exec"}',
    ),
    Attempt(SMUGGLED, "the program's dialect", lambda ground: ground.suite(dialect="stdin-stdout/1")),
    Attempt(
        LARGE,
        "4,000 hexadecimal digits",
        lambda ground: ground.first(args="(0x" + "f" * 4_000 + ",)"),
        "read as the integer that it is: the bound is 16,384 bits",
    ),
    Attempt(LARGE, "5,000 hexadecimal digits", lambda ground: ground.first(args="(0x" + "f" * 5_000 + ",)")),
    Attempt(LARGE, "10,000 decimal digits", lambda ground: ground.first(args="(" + "9" * 10_000 + ",)")),
    Attempt(LARGE, "a JSON number as arguments", lambda ground: ground.first(args=1)),
    Attempt(MALFORMED, "10,000 brackets in a literal", lambda ground: ground.first(args="(" + "[" * 10_000)),
    Attempt(MALFORMED, "100,000 brackets of JSON", lambda _: b"[" * 100_000),
    Attempt(MALFORMED, "a null byte in a literal", lambda ground: ground.first(returns="'\0")),
    Attempt(MALFORMED, "half a character", lambda ground: ground.first(returns="'\ud800'")),
    Attempt(MALFORMED, "2,001 cases", lambda ground: ground.suite(cases=[ground.document["cases"][0]] * 2_001)),
    Attempt(MALFORMED, "another version", lambda ground: ground.suite(suite="assay.suite/2")),
    Attempt(MALFORMED, "nan as expected value", lambda ground: ground.bare(returns="nan", equality="python")),
    Attempt(MALFORMED, "UTF-16", lambda ground: ground.suite().decode().encode("utf-16")),
)  # fmt: skip
