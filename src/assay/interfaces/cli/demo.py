"""Doors: `assay demo`: six claims walked by a small model, which is never scripted, then two tasks of code."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click

from assay.api import wiring
from assay.api.deciding import Decision, verify
from assay.api.rechecking import false_acceptances
from assay.api.walking import Walked, ask, obey
from assay.floor.answers import answer_kind
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.interfaces.cli import codes, keeping, options
from assay.interfaces.cli.demo_check import Kept, check_all
from assay.interfaces.cli.demo_code import deliver_all
from assay.interfaces.cli.keeping import Keeper
from assay.interfaces.cli.output import say, say_json, table
from assay.interfaces.cli.steps import outcome_line, step_lines
from assay.models.base import Model
from assay.runtime.memory import Memory
from assay.runtime.questions import question
from assay.runtime.trace import Accepted, Event, Submitted, event_document, outcome_document
from assay.wire.tasks import parse_task

LOCAL: Final = "local"
SCRIPTED: Final = "scripted"
PRECONDITION: Final = (
    "These figures hold only where the need can be written as executable acceptance tests or as pinned evidence; "
    "where it cannot, nothing here verifies it."
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of the demo: what it shows, in which pack, and the task."""

    title: str
    pack: str
    task: str
    trap: str = ""  # another entity's true answer, proposed for this one before anybody is asked


CLAIMS: Final = (
    Claim(
        "a wrong length, repaired: human hemoglobin alpha",
        "proteins",
        '{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}',
    ),
    Claim(
        "a homologue trap: hemoglobin beta is another length, and what was learnt above is how, not what",
        "proteins",
        '{"class":"value","entity":"uniprot:P68871","property":"canonical_length"}',
        trap='{"state":"VALUE","value":"142"}',
    ),
    Claim(
        "a real conflict: the proton's radius, where two releases are asked together",
        "constants",
        '{"class":"value","entity":"codata:proton-rms-charge-radius","property":"value",'
        '"releases":["codata-2014","codata-2018"],"unit":"m","grid":{"significant":5}}',
    ),
    Claim(
        "an entity that was deleted",
        "proteins",
        '{"class":"value","entity":"uniprot:I8FBX0","property":"canonical_length"}',
    ),
    Claim(
        "a property that nobody stated",
        "proteins",
        '{"class":"value","entity":"uniprot:P29972","property":"price_per_milligram"}',
    ),
    Claim(
        "an ambiguous gene symbol",
        "genes",
        '{"class":"identify","entity":"hgnc.symbol:DEC1"}',
    ),
)


@dataclass(slots=True)
class Tally:
    """What one navigator did."""

    who: str
    proposed: int = 0
    refused: int = 0
    accepted: int = 0
    receipts: dict[str, list[bytes]] = field(default_factory=dict)  # by pack

    def add(self, pack: str, walked: Walked) -> None:
        """Count a walk that ended."""
        refusals = [event.code for event in walked.session.events if isinstance(event, Submitted)]
        self.proposed += len(refusals)
        self.refused += sum(code != "" for code in refusals)
        self.accepted += sum(code == "" for code in refusals)
        self.receipts.setdefault(pack, []).append(walked.receipt)

    def false_acceptances(self) -> int:
        """How many accepted claims the packs, opened afresh, do not establish."""
        return sum(false_acceptances(pack, receipts) for pack, receipts in self.receipts.items())


class Show:
    """Prints what happens, keeps receipts, and counts for each navigator."""

    def __init__(self, keeper: Keeper, *, as_json: bool) -> None:
        self._keeper, self._as_json = keeper, as_json
        self._number = 0
        self.model, self.script = Tally("the model"), Tally("the script")
        self.kept: list[Kept] = []

    def line(self, text: str) -> None:
        """Print a line for people."""
        if not self._as_json:
            say(text)

    def claim(self, number: int, claim: Claim, snapshot: Snapshot, task: Task) -> None:
        """Print what is asked."""
        self._number = number
        asked = question(task, answer_kind(snapshot, task))
        if self._as_json:
            say_json({"claim": number, "title": claim.title, "pack": claim.pack, "question": asked})
        self.line("")
        self.line(f"{number}. {claim.title}")
        self.line(f"     {asked} (pack {claim.pack}, {snapshot.digest[:19]}…)")

    def trap(self, claim: Claim, decision: Decision) -> None:
        """Print what becomes of another entity's answer; it is proposed by the script and in no count."""
        if self._as_json:
            say_json(
                {"claim": self._number, "event": "trap", "proposal": claim.trap, "code": decision.code or "accepted"}
            )
        value = json.loads(claim.trap)["value"]
        mark = "✓ accepted" if decision.is_accepted else f"✗ {decision.code}"
        self.line(f"     the other one's answer, proposed by a script: {value}  {mark}")

    def event(self, event: Event) -> None:
        """Print a step as it happens."""
        if self._as_json:
            say_json({"claim": self._number, **event_document(event)})
        for text in step_lines(event):
            self.line(f"     {text}")

    def end(self, claim: Claim, walked: Walked, tally: Tally) -> None:
        """Print how it ended, keep the receipt, count."""
        path = self._keeper.keep(walked.receipt, walked.private)
        tally.add(claim.pack, walked)
        self.kept.append(Kept(self._number, claim.title, claim.pack, walked.receipt))
        if self._as_json:
            ended = outcome_document(walked.outcome)
            say_json({"claim": self._number, "event": "ended", "who": tally.who, **ended, "receipts": str(path)})
        self.line(f"     {outcome_line(walked.outcome)}")
        if not isinstance(walked.outcome, Accepted):
            self.line("     a good end: what was not earned does not count")

    def delivered(self, number: int, title: str, receipt: bytes) -> None:
        """Remember the receipt of a delivery or a refusal of code."""
        self.kept.append(Kept(number, title, "", receipt))

    def finish(self) -> int:
        """Print the table and where the receipts lie; 3 if an acceptance does not hold when it is decided again."""
        tallies = [tally for tally in (self.model, self.script) if tally.receipts]
        false = [tally.false_acceptances() for tally in tallies]
        path = self._keeper.folder / wiring.RECEIPTS
        if self._as_json:
            counts = [
                {
                    "who": tally.who,
                    "claims": sum(map(len, tally.receipts.values())),
                    "proposed": tally.proposed,
                    "refused": tally.refused,
                    "accepted": tally.accepted,
                    "false_acceptances": wrong,
                }
                for tally, wrong in zip(tallies, false, strict=True)
            ]
            kept = {"receipts": str(path), "signed_by": self._keeper.signed_by}
            say_json({"counts": counts, "precondition": PRECONDITION, **kept})
            return codes.NO if any(false) else codes.OK
        rows = [
            [tally.who, *map(str, (tally.proposed, tally.refused, tally.accepted, wrong))]
            for tally, wrong in zip(tallies, false, strict=True)
        ]
        say()
        for line in table(("", "proposed", "refused", "accepted", "false acceptances"), rows):
            say(line)
        say()
        say("false acceptances: every accepted claim was decided again from its receipt, on packs opened afresh")
        say(PRECONDITION)
        say(f"receipts: {path} ({self._keeper.form})")
        return codes.NO if any(false) else codes.OK


@click.command(epilog=options.example("assay demo"))
@click.option(
    "--model",
    type=click.Choice([LOCAL, SCRIPTED]),
    default=LOCAL,
    show_default=True,
    help="Who answers: the small local model, or a script that performs what stands for the task.",
)
@click.option(
    "--receipts",
    type=click.Path(path_type=Path),
    default=Path("receipts"),
    show_default=True,
    metavar="DIR",
    help="A folder of its own: receipts.jsonl, with a receipt for each session that ended, its log, and private/.",
)
@keeping.key
@options.as_json
def demo(*, model: str, receipts: Path, key: Path | None, as_json: bool) -> int:
    """Walk six claims with a small local model, and two tasks of code.

    The claims are about the shipped packs; of the tasks one is delivered and one refused. At the end the receipts of
    the run are checked, and a byte of evidence is changed in a copy of a pack.

    Ends with 1 if there is no sandbox here, so that the code could not be run: the last lines say what mends it.

    Nothing that the model says is scripted. Where it ends refused, that is the right end for an answer that was not
    earned, and the same claim is then walked by a script, labelled so.
    """
    keeper = keeping.keeper_of(receipts, key)
    show = Show(keeper, as_json=as_json)
    keeper.ready()
    packs = {name: wiring.open_pack(name) for name in dict.fromkeys(claim.pack for claim in CLAIMS)}
    if model == LOCAL:
        with wiring.local_model() as loaded:
            show.line(f"model: {loaded.name[:46]}…, in this process, temperature 0")
            walk_all(show, packs, loaded)
    else:
        walk_all(show, packs, None)
    ran = deliver_all(keeper, len(CLAIMS) + 1, as_json=as_json, on_kept=show.delivered)
    ended = show.finish()
    holds = check_all(keeper, show.kept, as_json=as_json)
    # What was accepted and should not have been outweighs what could not be run.
    return ended or (codes.NO if not holds else codes.OK if ran else codes.FAULT)


def walk_all(show: Show, packs: dict[str, Snapshot], model: Model | None) -> None:
    """Walk every claim: by the model, and by the script where the model was not accepted or is not there."""
    memory = Memory()
    for number, claim in enumerate(CLAIMS, 1):
        task = parse_task(claim.task)
        show.claim(number, claim, packs[claim.pack], task)
        if claim.trap:
            show.trap(claim, verify(packs[claim.pack], task, claim.trap))
        if model is not None:
            walked = ask(packs[claim.pack], task, model, memory=memory, on_event=show.event)
            memory = walked.memory
            show.end(claim, walked, show.model)
            if isinstance(walked.outcome, Accepted):
                continue
            show.line(
                "     the same claim, walked by a script: the operation that stands for the task, and what it returned"
            )
        show.end(claim, obey(packs[claim.pack], task, on_event=show.event), show.script)
