"""Doors: `assay receipt`: check receipts, and show them (spec/receipt.md §10)."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import click

from assay.api import checking, showing, signing
from assay.api.checking import Checked
from assay.audit.facts import Answer, Fact
from assay.audit.recheck import Given
from assay.interfaces.cli import codes, inputs, options
from assay.interfaces.cli.keys import trust_option
from assay.interfaces.cli.output import printable, say, say_json, say_warning, table
from assay.interfaces.cli.progress import Progress
from assay.kernel.errors import InputError
from assay.suite.trees import MAX_SUITE_BYTES
from assay.wire.receipts import read_line
from assay.wire.withdrawn import WithdrawalList

MAX_TOLD: Final = 8  # receipts of many that are named
_FILE: Final = inputs.FILE
_MAX_SOURCE: Final = 1 << 24


@click.group(epilog=options.example("assay receipt verify receipts --pack proteins"))
def receipt() -> None:
    """Check receipts, and show them in plain words."""


@receipt.command(
    epilog=options.example(
        "assay receipt verify receipts.jsonl --pack proteins --private private",
        "assay receipt verify delivery.json --suite S.json --private private --candidate A.py --rerun",
    )
)
@click.argument("file", type=_FILE, metavar="FILE|DIR")
@click.option("--pack", "packs", multiple=True, metavar="NAME|DIR", help="Decide claims again on it; may be repeated.")
@click.option("--suite", "suites", multiple=True, type=_FILE, metavar="FILE", help="Grade deliveries again with it.")
@click.option("--candidate", "candidates", multiple=True, type=_FILE, metavar="FILE", help="What --rerun runs again.")
@click.option("--private", type=_FILE, metavar="DIR", help="The private files; with them refusals are decided again.")
@click.option("--rerun", is_flag=True, help="Run the candidates again, in the sandbox.")
@click.option(
    "--checkpoint",
    "checkpoints",
    multiple=True,
    metavar="FILE",
    help="Of a log: a checkpoint that you kept from before.",
)
@trust_option
@options.as_json
def verify(
    *,
    file: Path,
    packs: tuple[str, ...],
    suites: tuple[Path, ...],
    candidates: tuple[Path, ...],
    private: Path | None,
    rerun: bool,
    checkpoints: tuple[str, ...],
    trust_file: Path | None,
    as_json: bool,
) -> int:
    """Say of each receipt, apart: whose it is, whether it re-derives, re-runs, and is current.

    FILE is one receipt, a receipts.jsonl of many, or the folder of a log. The checker has to refuse forged ones first.

    Ends with 3 if an answer is `no`, with 1 if something that was asked for could not be looked at, with 2 if a line is
    no receipt, else with 0.
    """
    if checkpoints and not file.is_dir():
        raise InputError("usage", "--checkpoint is given with a file; only a log can be cut: name the log's folder")
    if candidates and not rerun:
        raise InputError("usage", "--candidate is given without --rerun, so nothing would be run; give both")
    held = [signing.log_head(inputs.read_file(name)) for name in checkpoints]
    progress = Progress(sys.stderr)
    given = checking.given(
        packs=packs,
        suites=[inputs.read_file(str(path), MAX_SUITE_BYTES + 1) for path in suites],
        candidates=[inputs.read_file(str(path), _MAX_SOURCE) for path in candidates],
        private=private,
        trust=trust_file,
        rerun=rerun,
        progress=progress,
    )
    warnings = signing.warnings_of(signing.trust_file(trust_file), "trust file") if trust_file is not None else ()
    for text in warnings:
        say_warning(text)
    whole = None
    if file.is_dir():
        whole = checking.included(checking.verify_log(file, held, trust_file, progress))
    every = checking.check_file(file, given, progress)
    first = list(islice(every, 2))
    progress.clear()
    if len(first) == 1 and whole is None:
        return _one(first[0], given, as_json=as_json)
    found = _Many(given, whole, as_json=as_json)
    for one in first:
        found.add(one)
    for one in every:
        if as_json:
            progress.clear()
        found.add(one)
    progress.clear()
    return found.finish()


@receipt.command(epilog=options.example("assay receipt show receipts.jsonl --index 0"))
@click.argument("file", type=_FILE, metavar="FILE|DIR")
@click.option("--index", type=click.IntRange(0), metavar="N", help="Which of many; the first is 0.")
@options.as_json
def show(*, file: Path, index: int | None, as_json: bool) -> int:
    """Show a receipt in plain words. Nothing is checked: `assay receipt verify` does that."""
    found = read_line(checking.line_of(file, index))
    if as_json:
        say_json(found.document)
        return codes.OK
    for line in showing.lines(found):
        say(line)
    return codes.OK


def _one(one: Checked, given: Given, *, as_json: bool) -> int:
    if one.receipt is None:
        raise one.fault or InputError("receipt.shape", "this is no receipt")
    if as_json:
        say_json({**_document(one), "withdrawn": _withdrawn_document(given.withdrawn)})
    else:
        say(showing.headline(one.receipt))
        say_facts(one.facts)
        say(withdrawn_line(given.withdrawn))
    return _EXITS[checking.outcome_of(one.facts, given)]


def say_facts(facts: dict[str, Fact]) -> None:
    """Print each fact on a line of its own."""
    for name, fact in facts.items():
        say(f"  {name}: {fact.text}")


def withdrawn_line(found: WithdrawalList) -> str:
    """As of when is known which verifiers were withdrawn."""
    count = len(found.versions)
    return f"withdrawn verifiers: {count or 'none'}, by the list of {found.date}"


def counts_table(counts: dict[str, Counter[str]]) -> list[str]:
    """How many receipts have which answer, one fact a line."""
    rows = [[name, *(str(counts[name][answer]) for answer in Answer)] for name in counts]
    return table(("", *Answer), rows)


@dataclass(slots=True)
class _Many:
    """Counts the facts of many receipts, and tells of the first that are not yes."""

    given: Given
    whole: Fact | None
    as_json: bool
    read: int = 0
    unusable: int = 0
    worst: set[Answer] = field(default_factory=set)
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in checking.FACTS})
    noes: list[str] = field(default_factory=list)  # told before what could not be looked at
    lacking: list[str] = field(default_factory=list)

    def add(self, one: Checked) -> None:
        """Count one receipt."""
        self.read += 1
        if self.as_json:
            say_json(_document(one))
        if one.receipt is None:
            self.unusable += 1
            if len(self.noes) < MAX_TOLD:
                self.noes.append(f"{one.index}: no receipt: {one.fault}")
            return
        self.worst.add(checking.outcome_of(one.facts, self.given))
        for name, fact in one.facts.items():
            self.counts[name][fact.answer] += 1
        for name, fact in one.facts.items():
            text = f"{one.index}: {showing.headline(one.receipt)}: {name}: {fact.text}"
            if fact.answer is Answer.NO and len(self.noes) < MAX_TOLD:
                self.noes.append(text)
            elif checking.lacks(name, fact, self.given) and len(self.lacking) < MAX_TOLD:
                self.lacking.append(text)

    def finish(self) -> int:
        """Print the counts, and give the exit code."""
        if self.as_json:
            document: dict[str, object] = {
                "receipts": self.read,
                "unusable": self.unusable,
                "counts": {
                    name: {str(answer): each[answer] for answer in Answer} for name, each in self.counts.items()
                },
                "included": None if self.whole is None else _fact(self.whole),
                "withdrawn": _withdrawn_document(self.given.withdrawn),
            }
            say_json(document)
        else:
            say(f"{self.read} receipts" + (f", {self.unusable} lines that are none" if self.unusable else ""))
            for line in counts_table(self.counts):
                say(line)
            if self.whole is not None:
                say(f"included: {self.whole.text}")
            for line in [*self.noes, *self.lacking][:MAX_TOLD]:
                say(line)
            say(withdrawn_line(self.given.withdrawn))
        answers: Sequence[Answer] = [*self.worst, *([self.whole.answer] if self.whole is not None else [])]
        if Answer.NO in answers:
            return codes.NO
        if self.unusable:
            return codes.USAGE
        return codes.FAULT if Answer.NOT_POSSIBLE in answers else codes.OK


def _document(one: Checked) -> dict[str, object]:
    if one.receipt is None:
        fault = one.fault
        code, text = (fault.code, printable(str(fault))) if fault is not None else ("receipt.shape", "no receipt")
        return {"index": one.index, "error": {"code": code, "message": text}}
    predicate = one.receipt.document["predicate"]
    outcome = predicate.get("outcome") if isinstance(predicate, dict) else None
    return {
        "index": one.index,
        "sort": checking.sort_of(one.receipt),
        "outcome": outcome,
        "subject": one.receipt.document["subject"],
        "facts": {name: _fact(fact) for name, fact in one.facts.items()},
    }


def _fact(fact: Fact) -> dict[str, object]:
    return {"answer": str(fact.answer), "code": fact.code, "why": fact.why}


def _withdrawn_document(found: WithdrawalList) -> dict[str, object]:
    return {"date": found.date, "versions": len(found.versions)}


_EXITS: Final = {Answer.NO: codes.NO, Answer.NOT_POSSIBLE: codes.FAULT, Answer.YES: codes.OK, Answer.UNKNOWN: codes.OK}
