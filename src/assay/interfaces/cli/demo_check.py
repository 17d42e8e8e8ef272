"""Doors: the end of `assay demo`: its own receipts are checked, then a byte of evidence is another in a copy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from assay.api import altering, checking
from assay.api.shipped import shipped_tasks
from assay.audit.facts import Answer, Fact
from assay.audit.recheck import Given
from assay.interfaces.cli.keeping import Keeper
from assay.interfaces.cli.output import say, say_json, table
from assay.receipts.envelope import seal
from assay.receipts.signing import TrustedKey

CHANGED: Final = "constants"
OLD: Final = b"8.414e-16,m,0.019e-16"
NEW: Final = b"8.714e-16,m,0.019e-16"
TOLD: Final = "the radius of codata-2018 is 8.714e-16 m in place of 8.414e-16 m"


@dataclass(frozen=True, slots=True)
class Kept:
    """A receipt of this run: the number and the title of what it is about, its pack if it has one, its bytes."""

    number: int
    title: str
    pack: str
    receipt: bytes


def check_all(keeper: Keeper, kept: Sequence[Kept], *, as_json: bool) -> bool:
    """Check the receipts, print the facts, change a byte; whether no answer on the unchanged packs is `no`."""
    line = _nothing if as_json else say
    packs = tuple(dict.fromkeys(one.pack for one in kept if one.pack))
    given = checking.given(
        packs=packs, suites=[one.suite for one in shipped_tasks()], private=keeper.folder / checking.PRIVATE
    )
    if keeper.signer is not None:
        # Trusted for this one check, by whoever holds the key and runs the demo; nothing is written down.
        given = replace(given, keys=(TrustedKey(keeper.signer.public, "the key of this run"),))
    found = [_facts(keeper, one, given) for one in kept]
    counts = {name: Counter(facts[name].answer for facts in found) for name in checking.FACTS}
    line("")
    line(
        "its own receipts, checked as `assay receipt verify` does, after the checker had refused forged copies of each:"
    )
    rows = [[name, *(str(counts[name][answer]) for answer in Answer)] for name in checking.FACTS]
    for text in table(("", *Answer), rows):
        line(text)
    for one, facts in zip(kept, found, strict=True):
        for name, fact in facts.items():
            if fact.answer is Answer.NO:
                line(f"{one.number}. {name}: {fact.text}")
    if as_json:
        document = {name: {str(answer): each[answer] for answer in Answer} for name, each in counts.items()}
        say_json({"event": "checked", "receipts": len(kept), "facts": document})
    _change(keeper, [one for one in kept if one.pack], given, as_json=as_json, line=line)
    return not any(fact.answer is Answer.NO for facts in found for fact in facts.values())


def _change(
    keeper: Keeper, claims: Sequence[Kept], given: Given, *, as_json: bool, line: Callable[[str], None]
) -> None:
    with TemporaryDirectory() as folder:
        other = altering.altered(CHANGED, Path(folder), OLD, NEW)
    line("")
    line(f"one byte of evidence changed, in a copy of pack {CHANGED}: {TOLD}")
    line(f"     under the old digest the copy is refused: {other.refused}")
    line("     under a digest of its own, every claim of this run decided again:")
    on_other = replace(given, packs=(other.snapshot,))
    told = []
    for one in {each.number: each for each in claims}.values():
        if one.pack == CHANGED:
            fact = _facts(keeper, one, on_other)["current"]
            stands, why = fact.answer is Answer.YES, one.title
        else:
            stands, why = True, f"it rests on pack {one.pack}"
        told.append({"claim": one.number, "stands": stands, "why": why})
        line(f"     {one.number}. {'stands' if stands else 'no longer stands ✗'}: {why}")
    if as_json:
        say_json({"event": "changed", "pack": CHANGED, "refused": other.refused, "claims": told})


def _facts(keeper: Keeper, one: Kept, given: Given) -> dict[str, Fact]:
    """The facts on the line as it was kept: a signature is a function of its bytes."""
    line = seal(one.receipt, keeper.signer) if keeper.signer is not None else one.receipt
    return checking.check(line, given).facts


def _nothing(_: str) -> None:
    """Where JSON is printed, lines for people are not."""
