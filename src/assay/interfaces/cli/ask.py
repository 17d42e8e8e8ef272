"""Doors: `assay ask`: one claim walked step by step, by a model or by a person at a prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from assay.api import walking, wiring
from assay.api.explaining import naming_releases
from assay.api.recording import record_session
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.interfaces.cli import codes, inputs, keeping, options, person
from assay.interfaces.cli.keeping import Keeper
from assay.interfaces.cli.output import printable, say, say_json
from assay.interfaces.cli.progress import Progress
from assay.interfaces.cli.spelling import wrapped
from assay.interfaces.cli.steps import outcome_line, step_lines
from assay.kernel.errors import InputError
from assay.models.base import Model
from assay.receipts.predicates import Proposer
from assay.receipts.withheld import PrivateFiles
from assay.runtime.memory import Memory
from assay.runtime.repair import Limits
from assay.runtime.session import ClaimSession, Policy
from assay.runtime.trace import Accepted, Event, Outcome, event_document, outcome_document
from assay.wire.tasks import parse_task

LOCAL: Final = "local"
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a walk ended, its receipt, and what is kept of it in private."""

    outcome: Outcome | None
    receipt: bytes
    private: PrivateFiles


Driver = Callable[[Snapshot, Task], Ended]


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
@click.option("--gguf", type=click.Path(path_type=Path), metavar="FILE", help="Another model file for --model local.")
@click.option("--attempts", type=click.IntRange(1, 100), default=4, show_default=True, help="Refusals before it ends.")
@click.option("--operations", type=click.IntRange(0, 100), default=6, show_default=True, help="Operations in all.")
@click.option("--tokens", type=click.IntRange(0), help="End when the model has used so many tokens.")
@click.option("--seconds", type=click.FloatRange(0), help="End when so much time has passed.")
@click.option("--require-derivation", is_flag=True, help="Refuse what no operation of the session has returned.")
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
def ask(
    *,
    task: tuple[str, ...],
    pack: str,
    model: str,
    gguf: Path | None,
    attempts: int,
    operations: int,
    tokens: int | None,
    seconds: float | None,
    require_derivation: bool,
    receipts: Path,
    key: Path | None,
    as_json: bool,
) -> int:
    """Walk one claim and show each step.

    Several tasks are walked in turn. Ends with 0 if all were accepted, with 3 if one ended unresolved or in a
    navigation failure.
    """
    policy = Policy(attempts, operations, require_derivation)
    if gguf is not None and not gguf.is_file():
        raise InputError("input.file", f"file `{gguf}`: no such file; --gguf names a model's file")
    asked = [parse_task(inputs.read_task_argument(text)) for text in task]
    keeper = keeping.keeper_of(receipts, key)
    progress = Progress(sys.stderr)
    snapshot = wiring.open_pack(pack, progress)
    progress.clear()
    with _driver(model, gguf, policy, Limits(tokens, seconds), as_json=as_json) as drive:
        code = codes.OK
        for one in asked:
            if not as_json:
                say(f"pack {pack}, {snapshot.digest[:19]}…, {snapshot.opened.value}")
            keeper.ready()
            with naming_releases(pack):
                ended = drive(snapshot, one)
            _say_end(ended, keeper, keeper.keep(ended.receipt, ended.private), as_json=as_json)
            if not isinstance(ended.outcome, Accepted):
                code = codes.NO
    return code


@contextmanager
def _driver(model: str, gguf: Path | None, policy: Policy, limits: Limits, *, as_json: bool) -> Iterator[Driver]:
    """Whoever answers, ready to walk one claim after the other."""
    if model == NONE:
        yield by_person(policy, as_json=as_json)
        return
    with wiring.local_model(gguf) as loaded:
        yield by_model(loaded, policy, limits, as_json=as_json)


def by_model(model: Model, policy: Policy, limits: Limits, *, as_json: bool) -> Driver:
    """The model drives; what it learns of one claim (how, never what) it may use in the next."""
    known = [Memory()]

    def drive(snapshot: Snapshot, task: Task) -> Ended:
        walked = walking.ask(
            snapshot,
            task,
            model,
            policy=policy,
            memory=known[-1],
            limits=limits,
            on_event=lambda event: _say_event(event, as_json=as_json),
        )
        known.append(walked.memory)
        return Ended(walked.outcome, walked.receipt, walked.private)

    return drive


def by_person(policy: Policy, *, as_json: bool) -> Driver:
    """A person drives; with --json the prompt stands on standard error, so that standard output stays JSON."""

    def tell(line: str) -> None:
        stream = sys.stderr if as_json else sys.stdout
        print(wrapped(printable(line), stream), file=stream)

    def hear() -> str | None:
        print("> ", end="", file=sys.stderr, flush=True)
        return inputs.typed_line()

    def drive(snapshot: Snapshot, task: Task) -> Ended:
        opened = ClaimSession.open(snapshot, task, policy)
        session = person.walk(opened, hear, tell, lambda event: _say_event(event, as_json=as_json))
        made = record_session(session, Proposer("a person"))
        return Ended(session.outcome, made.receipt, made.private)

    return drive


def _say_end(ended: Ended, keeper: Keeper, kept: Path, *, as_json: bool) -> None:
    if ended.outcome is None:
        return
    if as_json:
        say_json(
            {"event": "ended", **outcome_document(ended.outcome), "receipts": str(kept), "signed_by": keeper.signed_by}
        )
    else:
        say(outcome_line(ended.outcome))
        say(f"receipt: {kept} ({keeper.form})")


def _say_event(event: Event, *, as_json: bool) -> None:
    if as_json:
        say_json(event_document(event))
    else:
        for line in step_lines(event):
            print(wrapped(printable(f"  {line}"), sys.stdout))
