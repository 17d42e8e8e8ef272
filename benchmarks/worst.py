"""The worst proposal of 4,096 bytes that a search finds: its CPU time, alone and in times of strict pydantic's.

Pydantic reads the same bytes as a VALUE proposal whose value is a list of strings.
"""

from __future__ import annotations

import random
import time
from contextlib import suppress
from statistics import median
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from assay.kernel import kinds as k
from assay.kernel.states import Insufficient
from assay.kernel.verify import verify
from assay.wire.proposals import MAX_BYTES, parse_proposal

MILLISECONDS, TIMES = 2.0, 40.0
ROUNDS = 25
WIDE = 10**60 - 1
UNITS = (("a", k.Unit((WIDE, WIDE - 1), (1 - WIDE, WIDE - 2))), ("b", k.Unit((WIDE - 3, WIDE), (WIDE, WIDE - 4))))
HEAD, TAIL = '{"state":"VALUE","value":', "}"


class Lists(BaseModel):
    """What the same bytes are to a reader of lists of strings."""

    model_config = ConfigDict(strict=True, extra="forbid")
    state: Literal["VALUE"]
    value: list[str]


class Worst(NamedTuple):
    """One proposal of the search."""

    name: str
    seconds: float
    ratio: float


def filled(start: str, pieces: list[str], end: str, sep: str = ",", most: int = MAX_BYTES) -> str:
    """The proposal with as many of the pieces as fit."""
    room = MAX_BYTES - len((HEAD + start + end + TAIL).encode())
    found: list[str] = []
    for piece in pieces[:most]:
        room -= len((sep + piece).encode())
        if room < 0:
            break
        found.append(piece)
    return HEAD + start + sep.join(found) + end + TAIL


def padded(text: str) -> str:
    """The text with as much white space as fits."""
    return text + " " * (MAX_BYTES - len(text.encode()))


def candidates() -> dict[str, tuple[k.Kind, bytes]]:
    """Shapes that take long: many members, long numbers, deep or escaped text, and what a random mixture adds."""
    rng = random.Random(4096)
    whole, exact = k.SetKind(k.IntegerKind()), k.SetKind(k.DecimalKind(k.Significant(100)))
    words, curies = k.SetKind(k.CategoryKind(frozenset({"w" * 13}))), k.SetKind(k.IdentifierKind("go"))
    days, units = k.SetKind(k.DateKind()), k.QuantityKind(UNITS, k.Significant(100), "b", uncertainty=True)
    most = range(1000, 5000)
    digits = "9" * 100 + "." + "7" * 100
    texts: dict[str, tuple[k.Kind, str]] = {
        "256 integers": (whole, filled("[", [str(10**13 + i) for i in most], "]", most=256)),
        "256 integers as texts": (whole, filled("[", [f'"{10**11 + i}"' for i in most], "]", most=256)),
        "256 padded integers": (whole, filled("[", [f'" {10**8 + i}\\t"' for i in most], "]", most=256)),
        "integers that collide": (whole, filled("[", [str((2**61 - 1) * i) for i in range(256)], "]")),
        "256 decimals": (exact, filled("[", [f'"{i}.5e-{i % 400}"' for i in most], "]", most=256)),
        "256 decimals with zeros": (exact, filled("[", [f'"{i}.{i}00e9"' for i in most], "]", most=256)),
        "a duplicate at the end": (exact, filled("[", [*(f'"{i}.5"' for i in most[:254]), '"1.50"', '"1.5"'], "]")),
        "long decimals": (exact, filled("[", [f'"{digits}e{i}"' for i in range(99)], "]")),
        "256 words": (words, filled("[", [f'"{i:013}"' for i in most], "]", most=256)),
        "256 identifiers": (curies, filled("[", [f'"go:{i}X{i}"' for i in most], "]", most=256)),
        "256 other prefixes": (curies, filled("[", [f'"og:{i}X{i}"' for i in most], "]", most=256)),
        "256 dates": (days, filled("[", [f'"{i}-02-29"' for i in range(1000, 9999, 4)], "]", most=256)),
        "256 leap centuries": (days, filled("[", [f'"{i}00-02-29"' for i in range(10, 99)] * 3, "]", most=256)),
        "the widest quantity": (units, padded(f'{HEAD}{{"n":"{digits}e400","u":"{digits}e-400","unit":"a"}}{TAIL}')),
        "the finest quantity": (units, padded(f'{HEAD}{{"n":"{digits}e-400","u":"{digits}e400","unit":"a"}}{TAIL}')),
        "the widest interval": (
            k.IntervalKind(k.DecimalKind()),
            padded(f'{HEAD}{{"lo":"{digits}e-400","hi":"{digits}e400","lo_closed":true,"hi_closed":true}}{TAIL}'),
        ),
        "a number of 4,000 digits": (k.IntegerKind(), filled("", ["9" * 4000], "")),
        "a text of 4,000 digits": (k.IntegerKind(), filled('"', ["9" * 4000], '"')),
        "a decimal of 4,000 digits": (k.DecimalKind(), filled('"', ["9" * 4000], '"')),
        "an exponent of 4,000 digits": (k.DecimalKind(), filled('"1e', ["0" * 4000], '"')),
        "a curie of 4,000 characters": (k.IdentifierKind(), filled('"a:', ["b" * 4000], '"')),
        "thousands of numbers": (whole, filled("[", ["1"] * 4096, "]")),
        "thousands of fractions": (whole, filled("[", ["1.5"] * 4096, "]")),
        "thousands of texts": (whole, filled("[", ['""'] * 4096, "]")),
        "thousands of words of JSON": (whole, filled("[", ["null"] * 4096, "]")),
        "empty arrays": (whole, filled("[", ["[]"] * 4096, "]")),
        "empty objects": (whole, filled("[", ["{}"] * 4096, "]")),
        "objects of one key": (whole, filled("[", ['{"":0}'] * 4096, "]")),
        "eight levels": (whole, filled("[", ["[[[[[[[]]]]]]]"] * 4096, "]")),
        "many keys": (units, filled("{", [f'"{i}":0' for i in range(4096)], "}")),
        "many keys beside the value": (whole, filled("1,", [f'"{i}":0' for i in range(4096)], "")),
        "escapes": (k.IntegerKind(), filled('"', ["\\u0031"] * 4096, '"', sep="")),
        "pairs of surrogates": (k.IntegerKind(), filled('"', ["\\ud83d\\ude00"] * 4096, '"', sep="")),
        "texts of one escape": (whole, filled("[", ['"\\u00e9"'] * 4096, "]")),
        "half a pair at the end": (whole, filled("[", [*['"\\u00e9"'] * 400, '"\\ud800"'], "]")),
        "backslashes": (k.IntegerKind(), filled('"', ["\\\\"] * 4096, '"', sep="")),
        "brackets in texts": (whole, filled("[", ['"["'] * 4096, "]")),
        "brackets behind escapes": (whole, filled("[", ['"\\"["'] * 4096, "]")),
        "beyond ASCII": (k.IntegerKind(), filled('"', ["\ufdfa"] * 4096, '"', sep="")),
        "only space": (k.IntegerKind(), padded(HEAD + "1" + TAIL)),
        "space between members": (whole, filled("[", [f" {i} " for i in range(256)], "]", sep="      ,     ")),
    }
    # Pydantic leaves these at the first character; depth has to be judged before syntax all the same.
    for name, text in (
        ("closed before it is opened", "]" + "[]" * 2047),
        ("closed, then eight levels", "]" + "[[[[[[[[]]]]]]]]" * 255),
        ("texts behind a closed bracket", "}" + '"[",' * 1023),
        ("escaped texts behind a closed bracket", "}" + '"\\"[",' * 680),
        ("opened and never closed", "[" * MAX_BYTES),
        ("a fence of Markdown", "```json\n" + '{"a":1} ' * 511),
        ("no JSON at all", "x" * MAX_BYTES),
    ):
        texts[name] = (whole, text)
    pieces = [
        '"1"',
        "1",
        "-0",
        "1.5",
        "null",
        "[]",
        "{}",
        '{"a":[]}',
        '"\\u0031"',
        '"["',
        '"é"',
        '"99999999999e9"',
        "[[[1]]]",
    ]
    for i in range(12):
        texts[f"mixture {i}"] = (exact, filled("[", rng.choices(pieces, k=4096), "]"))
    return {name: (kind, text.encode()) for name, (kind, text) in texts.items()}


def measure(rounds: int = ROUNDS) -> list[Worst]:
    """Every candidate, slowest first."""
    found = []
    state = Insufficient()
    for name, (kind, data) in candidates().items():
        ours, theirs = [], []
        for _ in range(rounds):
            start = time.process_time()
            verify(kind, state, parse_proposal(data))
            middle = time.process_time()
            with suppress(ValidationError):
                Lists.model_validate_json(data)
            theirs.append(time.process_time() - middle)
            ours.append(middle - start)
        found.append(Worst(name, median(ours), median(mine / other for mine, other in zip(ours, theirs, strict=True))))
    return sorted(found, key=lambda worst: -worst.seconds)


def run() -> None:
    found = measure()
    slowest, steepest = found[0], max(found, key=lambda worst: worst.ratio)
    print(f"worst proposal of 4 KiB: {slowest.seconds * 1e3:.2f} ms (at most {MILLISECONDS}), {slowest.name}")
    print(f"  in times of pydantic:  {steepest.ratio:.1f} (at most {TIMES}), {steepest.name}")


if __name__ == "__main__":
    run()
