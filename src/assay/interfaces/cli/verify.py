"""Doors: `assay verify`: one proposal, or a file of them, against a pack."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import click

from assay.api import wiring
from assay.api.deciding import ACCEPT, OpenTask, asserted, decision, judge, open_task
from assay.api.explaining import naming_releases
from assay.api.revealing import Revealed, revealed
from assay.floor.cards import card_document, card_lines
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.interfaces.cli import codes, inputs, keeping, options
from assay.interfaces.cli.keeping import Keeper
from assay.interfaces.cli.output import printable, say, say_error, say_json
from assay.interfaces.cli.progress import Progress
from assay.interfaces.cli.spelling import spelled
from assay.kernel.errors import AssayError, InputError
from assay.kernel.verdict import Accept
from assay.wire.batches import Item, parse_item
from assay.wire.tasks import parse_task


@click.command(
    epilog=options.example(
        "assay verify --pack proteins \\",
        '  --task \'{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}\' \\',
        '  --proposal \'{"state":"VALUE","value":"142"}\'',
    )
)
@options.pack
@click.option("--task", metavar="JSON|@FILE|-", help="What is asked (docs/reference/tasks.md).")
@click.option("--proposal", metavar="JSON|@FILE|-", help="What was proposed, byte for byte.")
@options.batch
@click.option("--reveal", is_flag=True, help="Say the established state too; for the evidence's owner only.")
@click.option(
    "--receipts", type=click.Path(path_type=Path), metavar="DIR", help="Append receipts to DIR/receipts.jsonl."
)
@keeping.key
@options.as_json
def verify(
    *,
    pack: str,
    task: str | None,
    proposal: str | None,
    batch: str | None,
    reveal: bool,
    receipts: Path | None,
    key: Path | None,
    as_json: bool,
) -> int:
    """Decide one proposal, or a file of them.

    A line of --batch is {"id","task","proposal"}: the proposal is the text as it was proposed. A line comes out for
    each line in, with `id`, `verdict` and `code`; a line that cannot be read has `error` instead, and the rest goes on.

    Ends with 0 if all were accepted, 3 if one was rejected, 2 if a line could not be used.
    """
    options.either(batch, {"--task": task, "--proposal": proposal})
    keeper = keeping.keeper(receipts, key)
    progress = Progress(sys.stderr)
    if batch is not None:
        if keeper is not None:
            keeper.ready([batch])
        snapshot = wiring.open_pack(pack, progress)
        with inputs.batch(batch) as (lines, size):
            run = _Batch(pack, snapshot, reveal=reveal, keeper=keeper, as_json=as_json)
            done = 0
            for line in lines:
                run.decide(parse_item(line.data, line.number, with_proposal=True))
                done += len(line.data or b"")
                progress("deciding", done, size)
        progress.clear()
        return run.finish()
    if task == "-" and proposal == "-":
        raise InputError("usage", "both --task and --proposal are `-`; standard input can be only one of them")
    asked = parse_task(inputs.read_task_argument(task or ""))
    proposed = inputs.read_proposal_argument(proposal or "")
    snapshot = wiring.open_pack(pack, progress)
    progress.clear()
    with naming_releases(pack):
        return _one(snapshot, asked, proposed, reveal=reveal, keeper=keeper, as_json=as_json)


def _one(snapshot: Snapshot, task: Task, proposal: bytes, *, reveal: bool, keeper: Keeper | None, as_json: bool) -> int:
    opened = open_task(snapshot, task)
    private: list[bytes] = []
    found = decision(opened, proposal, private=private.append)
    kept = keeper.keep(found.receipt, private) if keeper is not None else None
    owner = revealed(opened.proof) if reveal else None
    if as_json:
        document: dict[str, object] = {"verdict": found.verdict, "asserted": found.asserted, "code": found.code}
        if found.card is not None:
            document["card"] = card_document(found.card)
        if keeper is not None:
            document |= {"receipts": str(kept), "signed_by": keeper.signed_by}
        say_json({**document, **_owner_fields(owner)})
    else:
        say(f"{found.verdict} {found.asserted}" + (f" {found.code}" if found.code else ""))
        for line in card_lines(found.card) if found.card is not None else ():
            say(f"  {line}")
        for name, value in _owner_fields(owner).items():
            say(f"  {name}: {spelled(value)}")
        if keeper is not None:
            say(f"  receipt: {kept} ({keeper.form})")
    return codes.OK if found.is_accepted else codes.NO


def _owner_fields(owner: Revealed | None) -> dict[str, object]:
    if owner is None:
        return {}
    shown: dict[str, object] = {"state": owner.state}
    if owner.state == "VALUE":
        shown["value"] = owner.value
    else:
        shown["reason"] = owner.reason
    return shown


def _open(pack: str, snapshot: Snapshot, task: Task) -> OpenTask:
    with naming_releases(pack):
        return open_task(snapshot, task)


class _Batch:
    """Decides items one by one, prints a line each, and counts."""

    def __init__(self, pack: str, snapshot: Snapshot, *, reveal: bool, keeper: Keeper | None, as_json: bool) -> None:
        self._opened: Callable[[Task], OpenTask] = lru_cache(maxsize=256)(partial(_open, pack, snapshot))
        self._reveal, self._keeper, self._as_json = reveal, keeper, as_json
        self._accepted = self._rejected = self._unusable = self._faults = 0

    def decide(self, item: Item) -> None:
        """Print what became of the item."""
        try:
            if item.fault is not None or item.task is None:
                raise item.fault or InputError("line.task", "the line has no task")
            self._say(item, self._verdict(self._opened(item.task), item.proposal))
        except InputError as fault:
            self._unusable += 1
            self._say_fault(item, fault)
        except AssayError as fault:
            self._faults += 1
            self._say_fault(item, fault)

    def finish(self) -> int:
        """Print the counts for people, and give the exit code."""
        if not self._as_json:
            say(f"{self._accepted} accepted, {self._rejected} rejected, {self._unusable + self._faults} not looked at")
        if self._faults:
            return codes.FAULT
        if self._unusable:
            return codes.USAGE
        return codes.NO if self._rejected else codes.OK

    def _verdict(self, opened: OpenTask, text: str) -> dict[str, object]:
        proposal, verdict = judge(opened.proof.established, text)
        accepted = isinstance(verdict, Accept)
        self._accepted += accepted
        self._rejected += not accepted
        if self._keeper is not None:
            private: list[bytes] = []
            made = decision(opened, text, private=private.append)
            self._keeper.keep(made.receipt, private)
        return {
            "verdict": ACCEPT if isinstance(verdict, Accept) else "REJECT",
            "asserted": asserted(proposal),
            "code": "" if isinstance(verdict, Accept) else verdict.code,
            **_owner_fields(revealed(opened.proof) if self._reveal else None),
        }

    def _say(self, item: Item, found: dict[str, object]) -> None:
        if self._as_json:
            say_json({"id": item.id, **found})
        else:
            say(" ".join(spelled(part) for part in (item.id, *found.values()) if part != ""))

    def _say_fault(self, item: Item, fault: AssayError) -> None:
        if self._as_json:
            error = {"code": fault.code, "message": printable(str(fault))}
            say_json({"id": item.id, "line": item.number, "error": error})
        else:
            say_error(fault.code, f"line {item.number}: {fault}", codes.USAGE, as_json=False)
