"""Doors: `assay ask`: one claim walked step by step, by a model or by a person at a prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from assay.api import wiring
from assay.api.recording import record_session
from assay.interfaces.cli import app, inputs, options, person
from assay.interfaces.cli.output import printable, say, say_json
from assay.interfaces.cli.progress import Progress
from assay.interfaces.cli.steps import outcome_line, step_lines
from assay.kernel.errors import ModelUnavailable
from assay.receipts.predicates import Proposer
from assay.runtime.session import ClaimSession, Policy
from assay.runtime.trace import Accepted, Event, event_document, outcome_document
from assay.wire.tasks import parse_task

LOCAL = "local"
NONE = "none"
Driver = Callable[[ClaimSession], tuple[ClaimSession, Proposer]]


@click.command(
    epilog=options.example(
        'assay ask --model none \'{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}\'',
    )
)
@click.argument("task", nargs=-1, required=True, metavar="JSON|@FILE|-…")
@click.option("--pack", default="proteins", show_default=True, metavar="NAME|DIR", help="The evidence.")
@click.option(
    "--model",
    type=click.Choice([LOCAL, NONE]),
    default=LOCAL,
    show_default=True,
    help="Who answers: the small local model, or nobody but you, at a prompt.",
)
@click.option("--attempts", type=click.IntRange(1, 100), default=4, show_default=True, help="Refusals before it ends.")
@click.option("--operations", type=click.IntRange(0, 100), default=6, show_default=True, help="Operations in all.")
@click.option("--require-derivation", is_flag=True, help="Refuse what no operation of the session has returned.")
@click.option(
    "--receipts",
    type=click.Path(path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Where receipts.jsonl lies (default: here); a receipt is appended for each session that ended.",
)
@options.as_json
def ask(
    *,
    task: tuple[str, ...],
    pack: str,
    model: str,
    attempts: int,
    operations: int,
    require_derivation: bool,
    receipts: Path,
    as_json: bool,
) -> int:
    """Walk one claim and show each step.

    Several tasks are walked in turn. Ends with 0 if all were accepted, with 3 if one ended unresolved or in a
    navigation failure.
    """
    policy = Policy(attempts, operations, require_derivation)
    asked = [parse_task(inputs.read_task_argument(text)) for text in task]
    progress = Progress(sys.stderr)
    snapshot = wiring.open_pack(pack, progress)
    progress.clear()
    if model != NONE:
        raise ModelUnavailable("model.unavailable", "the local model is not there; `--model none` lets you navigate")
    driver = _person(as_json=as_json)
    code = app.OK
    for one in asked:
        session = ClaimSession.open(snapshot, one, policy)
        if not as_json:
            say(f"pack {pack}, {snapshot.digest[:19]}…, {snapshot.opened.value}")
        session, proposer = driver(session)
        _say_end(session, wiring.keep(receipts, record_session(session, proposer)), as_json=as_json)
        if not isinstance(session.outcome, Accepted):
            code = app.NO
    return code


def _say_end(session: ClaimSession, kept: Path, *, as_json: bool) -> None:
    if session.outcome is None:
        return
    if as_json:
        say_json({"event": "ended", **outcome_document(session.outcome), "receipts": str(kept)})
    else:
        say(outcome_line(session.outcome))
        say(f"receipt: {kept}")


def _say_event(event: Event, *, as_json: bool) -> None:
    if as_json:
        say_json(event_document(event))
    else:
        for line in step_lines(event):
            say(f"  {line}")


def _person(*, as_json: bool) -> Driver:
    """A person drives; with --json the prompt stands on standard error, so that standard output stays JSON."""

    def tell(line: str) -> None:
        print(printable(line), file=sys.stderr if as_json else sys.stdout)

    def hear() -> str | None:
        print("> ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline() or None

    def drive(session: ClaimSession) -> tuple[ClaimSession, Proposer]:
        ended = person.walk(session, hear, tell, lambda event: _say_event(event, as_json=as_json))
        return ended, Proposer("a person")

    return drive
