"""Doors: `assay establish`: what the evidence establishes, with reasons and pins; for the owner of the evidence."""

from __future__ import annotations

import sys
from typing import Final

import click

from assay.api import wiring
from assay.api.explaining import explained
from assay.api.revealing import Revealed
from assay.floor.store import Snapshot
from assay.interfaces.cli import codes, inputs, options
from assay.interfaces.cli.output import printable, say, say_error, say_json
from assay.interfaces.cli.progress import Progress
from assay.interfaces.cli.spelling import spelled
from assay.kernel.errors import AssayError, InputError
from assay.wire.batches import Item, parse_item
from assay.wire.tasks import parse_task

SHOWN: Final = 20  # facts, and rules, in lines for people


@click.command(
    epilog=options.example(
        "assay establish --pack proteins \\",
        '  --task \'{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}\'',
    )
)
@options.pack
@click.option("--task", metavar="JSON|@FILE|-", help="What is asked (docs/reference/tasks.md).")
@options.batch
@options.as_json
def establish(*, pack: str, task: str | None, batch: str | None, as_json: bool) -> int:
    """Say what the evidence establishes; for its owner.

    Says state, reason, value and pins. Do not show it to a model whose answers you check.

    A line of --batch is {"id","task"}. Ends with 0, or with 2 if a line could not be used.
    """
    options.either(batch, {"--task": task})
    progress = Progress(sys.stderr)
    if batch is None:
        asked = parse_task(inputs.read_task_argument(task or ""))
        snapshot = wiring.open_pack(pack, progress)
        with progress.waiting("establishing"):
            found, hints = explained(pack, snapshot, asked)
        if as_json:
            say_json(_document(found, hints))
        else:
            _say(found, hints)
        return codes.OK
    snapshot = wiring.open_pack(pack, progress)
    code = codes.OK
    with inputs.batch(batch) as (lines, size):
        done = 0
        for line in lines:
            item = parse_item(line.data, line.number, with_proposal=False)
            code = _code(code, _item(pack, snapshot, item, as_json=as_json))
            done += len(line.data or b"")
            progress("establishing", done, size)
    progress.clear()
    return code


def _code(one: int, two: int) -> int:
    """A fault says more than a line that could not be used, and that more than success."""
    return next(code for code in (codes.FAULT, codes.USAGE, codes.OK) if code in (one, two))


def _item(pack: str, snapshot: Snapshot, item: Item, *, as_json: bool) -> int:
    try:
        if item.fault is not None or item.task is None:
            raise item.fault or InputError("line.task", "the line has no task")
        found, hints = explained(pack, snapshot, item.task)
    except AssayError as fault:
        code = codes.USAGE if isinstance(fault, InputError) else codes.FAULT
        if as_json:
            error = {"code": fault.code, "message": printable(str(fault))}
            say_json({"id": item.id, "line": item.number, "error": error})
        else:
            say_error(fault.code, f"line {item.number}: {fault}", code, as_json=False)
        return code
    if as_json:
        say_json({"id": item.id, **_document(found, hints)})
    else:
        say(" – ".join((f"{item.id} {_words(found)}", *hints)))
    return codes.OK


def _document(found: Revealed, hints: tuple[str, ...]) -> dict[str, object]:
    return {
        "state": found.state,
        "reason": found.reason,
        "value": found.value,
        "pins": [
            {"fact": pin.fact, "source": pin.source, "sha256": pin.sha256, "locator": pin.locator} for pin in found.pins
        ],
        "rules": [{"rule": rule.rule, "result": rule.result} for rule in found.rules],
        **({"hints": list(hints)} if hints else {}),
    }


def _words(found: Revealed) -> str:
    if found.state != "VALUE":
        return f"{found.state} ({found.reason})"
    if isinstance(found.value, dict) and "n" in found.value:
        spread = f" ± {found.value['u']}" if "u" in found.value else ""
        return f"VALUE {found.value['n']}{spread} {found.value['unit']}"
    return f"VALUE {spelled(found.value)}"


def _say(found: Revealed, hints: tuple[str, ...]) -> None:
    say(_words(found))
    for hint in hints:
        say(f"  {hint}")
    rules = [f"  rule {rule.rule}: {rule.result}" for rule in found.rules]
    facts = [f"  fact {pin.fact} of {pin.source}, {pin.locator}, sha256 {pin.sha256[:12]}…" for pin in found.pins]
    for lines in (rules, facts):
        for line in lines[:SHOWN]:
            say(line)
        if len(lines) > SHOWN:
            say(f"  … and {len(lines) - SHOWN} more (--json has all)")
