"""Doors: `assay gate`: candidates against a suite of acceptance tests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from assay.api import binding, committing, gating, telling, wiring, writing
from assay.api.gating import Draft, GateOutcome
from assay.gate.deliver import Attempt
from assay.gate.junit import junit
from assay.gate.stubs import Stub
from assay.gate.trust import Trust
from assay.interfaces.cli import codes, gate_files, gate_lines, inputs, keeping, options, outputs
from assay.interfaces.cli.gate_files import Files
from assay.interfaces.cli.in_order import InOrder, in_order
from assay.interfaces.cli.keeping import Keeper
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress
from assay.kernel.errors import Fault, InputError
from assay.receipts.commitment import Revealed
from assay.sandbox.base import Level
from assay.suite.spec import SuiteSpec
from assay.suite.trees import MAX_SUITE_BYTES
from assay.wire.gate_tasks import MAX_TASK_BYTES

_ENDS = {gating.DELIVERED: codes.OK, gating.REFUSED: codes.NO, gating.VOID: codes.FAULT}
_FILE = click.Path(path_type=Path)


@click.group()
def gate() -> None:
    """Deliver a candidate only if it passes."""


@gate.command(
    cls=InOrder,
    epilog=options.example(
        "assay gate check --suite S.json --entry-point add --candidate A.py --candidate B.py",
        "assay gate check --suite S.json --task T.json --reply R.md --model label --receipts receipts --out add.py",
    ),
)
@click.option("--suite", required=True, type=_FILE, metavar="FILE", help="spec/suite.md")
@click.option("--task", type=_FILE, metavar="FILE", help="Names the task and its function: spec/suite.md §12.")
@click.option("--entry-point", metavar="NAME", help="The task's function, in place of --task.")
@click.option(
    "--candidate",
    "candidates",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="In order; the first that passes is delivered, at most five are tried. `-`: standard input.",
)
@click.option(
    "--reply",
    "replies",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="A model's reply, the code in it is the candidate; in one order with --candidate. `-` as there.",
)
@click.option("--model", "models", multiple=True, metavar="LABEL", help="Who wrote them: one for all, or one each.")
@click.option(
    "--require-isolation",
    type=click.Choice([level.value for level in Level]),
    default=Level.A.value,
    show_default=True,
    help="The weakest sandbox that will do; what it lacks stands on the receipt.",
)
@click.option("--reference", type=_FILE, metavar="FILE", help="Gauge the suite first: this has to pass, stubs to fail.")
@click.option(
    "--stub",
    "stubs",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="A program that is known to be wrong, with --reference; some are made of the suite.",
)
@click.option(
    "--commitment",
    metavar="INDEX|DIGEST",
    help="The commitment to this gauge in the log of --receipts (`assay suite commit`): reveal it on the receipt.",
)
@click.option("--strength", is_flag=True, help="Measure at the end how many small mistakes the suite sees.")
@click.option("--receipts", type=_FILE, metavar="DIR", help="Append to DIR/receipts.jsonl; observations: DIR/private.")
@keeping.key
@click.option(
    "--out", type=outputs.FILE, metavar="FILE", help="Write what is delivered, byte for byte; else no such file."
)
@click.option("--force", is_flag=True, help="Remove the file of --out first, where there is one.")
@click.option(
    "--keep-best", type=outputs.FILE, metavar="FILE", help="Of a refusal keep the best draft, marked not accepted."
)
@click.option("--junit", "junit_file", type=outputs.FILE, metavar="FILE", help="Write JUnit XML.")
@click.option("--for-model", is_flag=True, help="Print what may go back to a model: no expected value.")
@click.option("--show-expected", is_flag=True, help="Put expected values into JSON and JUnit: for the suite's owner.")
@options.as_json
@click.pass_context
def check(
    ctx: click.Context,
    *,
    suite: Path,
    task: Path | None,
    entry_point: str | None,
    candidates: tuple[Path, ...],
    replies: tuple[Path, ...],
    models: tuple[str, ...],
    require_isolation: str,
    reference: Path | None,
    stubs: tuple[Path, ...],
    commitment: str | None,
    strength: bool,
    receipts: Path | None,
    key: Path | None,
    out: Path | None,
    force: bool,
    keep_best: Path | None,
    junit_file: Path | None,
    for_model: bool,
    show_expected: bool,
    as_json: bool,
) -> int:
    """Deliver the first of at most five candidates that passes the suite twice, or refuse.

    With --reference the suite is gauged before any candidate runs; one that cannot tell right from wrong is not used.

    Ends with 0 if one was delivered, 3 if none was, 1 if our sandbox failed (void), 2 if the suite cannot be used.
    """
    if for_model and show_expected:
        raise InputError("usage", "--for-model and --show-expected are both given; a model is shown no expected value")
    keeper = keeping.keeper(receipts, key)
    given = in_order(ctx, candidates=candidates, replies=replies)
    names = [path for _, path in given]
    gate_lines.once([*names, *stubs, reference])
    drafts = _drafts(given, models)
    suite_data = inputs.read_file(str(suite), MAX_SUITE_BYTES + 1)
    task_data = inputs.read_file(str(task), MAX_TASK_BYTES + 1) if task is not None else None
    spec, _ = binding.suite_of(suite_data, entry_point, task_data)  # refused before any file is touched
    trust = _trust(reference, stubs, strength=strength)
    revealed = _revealed(commitment, keeper, spec, trust)
    if revealed is not None:
        trust = replace(trust, gauge_sha256=revealed.opening.gauge_sha256)
    files = Files(out, keep_best, junit_file)
    gate_files.ready(files, [suite, task, reference, key, *names, *stubs], keeper, force=force)
    progress = Progress(sys.stderr)
    notes: list[str] = []

    def show(attempt: Attempt) -> None:
        at = len(notes)
        notes.append(gate_lines.note(drafts[at], attempt))
        progress.clear()
        if not as_json and not for_model:
            say(gate_lines.verdict(at + 1, names[at], attempt, len(spec.checks)))
            for text in filter(None, notes[at:]):
                say(f"   {text}")

    with progress.waiting("running candidates"):
        outcome = gating.check(
            suite_data,
            entry_point,
            drafts,
            task=task_data,
            level=Level(require_isolation),
            keep_best=keep_best is not None,
            trust=trust,
            on_attempt=show,
            on_step=progress,
        )
    if revealed is not None:
        outcome = committing.reveal(outcome, revealed)
    fault = _write(outcome, keeper, files, lambda: _junit(outcome, names, show_expected=show_expected))
    left = gate_lines.not_tried(names, outcome.attempts)
    if as_json:
        kept = {"receipts": str(keeper.folder / wiring.RECEIPTS), "signed_by": keeper.signed_by} if keeper else {}
        told = telling.document(outcome, show_expected=show_expected, not_tried=left, notes=notes)
        say_json({**told, **(kept if fault is None else {})})
    elif for_model:
        _say_to_model(outcome)
    else:
        gate_lines.say_not_tried(left, outcome.outcome)
        _say(outcome, names, keep_best if fault is None else None)
        if keeper is not None and fault is None:
            say(f"receipt: {keeper.folder / wiring.RECEIPTS} ({keeper.form})")
    if fault is not None:
        raise fault
    return _ENDS[outcome.outcome]


def _drafts(given: Sequence[tuple[str, Path]], models: Sequence[str]) -> list[Draft]:
    if not given:
        raise InputError("usage", "no candidate is given; give --candidate or --reply, in the order of trying")
    if len(models) not in {0, 1, len(given)}:
        raise InputError(
            "usage", f"--model is given {len(models)} times for {len(given)} candidates; give one for all, or one each"
        )
    labels = [gating.label(text) for text in models] or [""]
    labels = labels * len(given) if len(labels) == 1 else labels
    return [
        gating.draft_of_reply(inputs.program_bytes(path), model)
        if kind == "replies"
        else Draft(inputs.program_bytes(path), model)
        for (kind, path), model in zip(given, labels, strict=True)
    ]


def _revealed(named: str | None, keeper: Keeper | None, suite: SuiteSpec, trust: Trust) -> Revealed | None:
    if named is None:
        return None
    if keeper is None or trust.reference is None:
        raise InputError(
            "usage",
            "--commitment is given without --receipts, where it stands, or --reference, which gauges; give both",
        )
    return committing.find(keeper.folder, named, suite)


def _trust(reference: Path | None, stubs: Sequence[Path], *, strength: bool) -> Trust:
    if stubs and reference is None:
        raise InputError("usage", "--stub is given without --reference; a gauge needs both: give --reference")
    source = inputs.program_bytes(reference) if reference is not None else None
    return Trust(source, tuple(Stub(str(path), inputs.program_bytes(path)) for path in stubs), strength)


def _write(outcome: GateOutcome, keeper: Keeper | None, files: Files, report: Callable[[], bytes]) -> Fault | None:
    """Keep the receipt, then what it names; the first fault, after which nothing more is written."""
    try:
        if keeper is not None:
            gating.keep(keeper.folder, outcome, keeper.signer)
        if files.out is not None and outcome.source is not None:
            writing.put(files.out, outcome.source)
        if files.keep_best is not None and outcome.best is not None:
            writing.put(files.keep_best, outcome.best.data)
        if files.junit is not None:
            writing.put(files.junit, report())
    except Fault as fault:
        return fault
    return None


def _junit(outcome: GateOutcome, names: Sequence[Path], *, show_expected: bool) -> bytes:
    texts = [str(path) for path in names]
    return junit(outcome.suite, texts, outcome.attempts, void=outcome.reason, show_expected=show_expected)


def _say(outcome: GateOutcome, names: Sequence[Path], kept: Path | None) -> None:
    if outcome.outcome == gating.VOID:
        say(f"VOID: {outcome.reason}")
        return
    if outcome.position is not None:
        _say_of_suite(outcome)
        say(f"{outcome.outcome} {names[outcome.position - 1]}")
        return
    for number, (path, attempt) in enumerate(zip(names, outcome.attempts, strict=False), 1):
        say(f"{number}. {path}:")
        for line in telling.for_person(outcome, attempt):
            say(f"   {line}")
    if outcome.best is not None and kept is not None:
        say(f"kept in {kept}, not accepted: {names[outcome.best.at]} passed {outcome.best.passed} of {outcome.best.of}")
    _say_of_suite(outcome)
    say(outcome.outcome)


def _say_of_suite(outcome: GateOutcome) -> None:
    for line in telling.of_suite(outcome):
        say(line)


def _say_to_model(outcome: GateOutcome) -> None:
    for line in telling.for_model(outcome):
        say(line)
    say(f"VOID: {outcome.reason}" if outcome.outcome == gating.VOID else outcome.outcome)
