"""Workshops: one task of a trial: the gate decides by the visible suite, and then everything is scored.

INVARIANT: nothing that the scores see reaches the gate: it has ended before the first of them is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Final

from assay.experiments.trials.pools import Stored
from assay.gate.banks import BankTask
from assay.gate.deliver import Attempt, Bench, Void, deliver, try_candidate, word_of
from assay.kernel.equality import Tree, printed, typed
from assay.kernel.first_pass import MOST, Delivered
from assay.kernel.grade import Case, Failed, Observation, Observations, Passed, Printed, Prints, Returned, grade
from assay.sandbox import base
from assay.sandbox.reading import observations_of, program_of
from assay.suite.frombank import VISIBLE, NoSuite
from assay.suite.refusals import InvalidSuite
from assay.suite.render import render
from assay.suite.spec import SuiteSpec
from assay.suite.wirecodec import encode


@dataclass(frozen=True, slots=True)
class Work:
    """All that a worker needs for one task: what the gate sees, what scores it, and the stored candidates in order."""

    id: str
    visible: SuiteSpec | NoSuite
    truth: SuiteSpec | NoSuite
    hidden_from: int  # the first case of `truth` that is hidden
    candidates: tuple[Stored, ...]
    typed_output: bool
    twice: bool = False  # score by two runs


@dataclass(frozen=True, slots=True)
class Scored:
    """One candidate. What is None was not tried: past the first five, or without a suite."""

    sample: int
    model: str
    visible: str | None  # passed, failed or flaky: two runs, as the gate has it
    visible_how: str | None
    truth: bool | None  # visible and hidden cases together, one run or two
    truth_how: str | None
    hidden: bool | None  # the hidden cases of that run alone
    cases: str  # of `truth`, in its order: + right, - not
    vote_visible: int | None  # the first candidate of the five with the same outputs; None: it has no vote
    vote_all: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one task. A line of the results, and nothing in it says what any case expects."""

    id: str
    void: str
    no_suite: str
    no_truth: str
    typed_output: bool
    visible_cases: int
    truth_cases: int
    v_subset: bool
    position: int | None
    generated: int
    candidates: tuple[Scored, ...]


FIRST: Final = MOST
NO_CASE: Final = f"no {VISIBLE} case"


def work_of(task: BankTask, scored_by: BankTask, candidates: tuple[Stored, ...]) -> Work:
    """The work of a task: its visible cases select, the visible and hidden ones of `scored_by` score."""
    shown, hidden = scored_by.visible, scored_by.hidden
    # A task whose visible cases cannot be written down is not scored by the others: they say too little.
    unwritten = isinstance(shown, NoSuite) and shown.reason != NO_CASE
    parts = [suite for suite in (shown, hidden) if isinstance(suite, SuiteSpec)]
    truth: SuiteSpec | NoSuite
    if unwritten or not parts:
        truth = shown
    else:
        questions = tuple(question for part in parts for question in part.questions)
        truth = _rendered(SuiteSpec(parts[0].dialect, parts[0].entry_point, questions, parts[0].preamble))
    hidden_from = len(shown.questions) if isinstance(shown, SuiteSpec) else 0
    return Work(task.id, _rendered(task.visible), truth, hidden_from, candidates, task.typed_output)


def _rendered(suite: SuiteSpec | NoSuite) -> SuiteSpec | NoSuite:
    try:
        if isinstance(suite, SuiteSpec):
            render(suite)
    except InvalidSuite as fault:
        return NoSuite(str(fault))
    return suite


def run_task(work: Work, bench: Bench, limits: base.Limits) -> Result:
    """Walk the gate over the first five, then score every candidate of the pool.

    The gate's walk is the one that delivers. What it did not reach of the five is tried after it, for the mean over
    orders; a fault of ours, twice, makes the task void.
    """
    first = work.candidates[:FIRST]
    sources = [one.code.encode("utf-8", "replace") for one in work.candidates]
    attempts: list[Attempt] = []
    position, generated = None, 0
    if isinstance(work.visible, SuiteSpec):
        delivery = deliver(work.visible, sources[:FIRST], bench, limits)
        attempts.extend(delivery.attempts)
        generated = len(attempts)
        if isinstance(delivery.outcome, Void):
            return void(work, delivery.outcome.reason)
        position = delivery.outcome.position if isinstance(delivery.outcome, Delivered) else None
    try:
        if isinstance(work.visible, SuiteSpec):
            program = render(work.visible)
            attempts.extend(
                try_candidate(work.visible, program, source, bench, limits) for source in sources[generated:FIRST]
            )
        runs = _truths(work, sources, bench, limits)
    except base.SandboxUnavailable as fault:
        return void(work, str(fault))
    seen = [_observed(work.visible, attempt) for attempt in attempts]
    votes = _groups([_signature(work.visible, one) for one in seen] + [None] * (len(first) - len(seen)))
    votes_all = _groups([_signature(work.truth, one) for one in runs[:FIRST]])
    scored = tuple(
        _scored(
            work,
            one,
            attempts[at] if at < len(attempts) else None,
            runs[at],
            (votes[at], votes_all[at]) if at < FIRST else (None, None),
        )
        for at, one in enumerate(work.candidates)
    )
    return _result(work, position=position, generated=generated, candidates=scored)


def void(work: Work, reason: str) -> Result:
    """The result of a task that our own fault left undecided."""
    return _result(work, void=reason)


def document(result: Result) -> dict[str, object]:
    """The result as JSON."""
    return asdict(result)


def result_of(found: Mapping[str, object]) -> Result:
    """The result that a line holds.

    Raises:
        TypeError, KeyError: it is none.
    """
    candidates = found["candidates"]
    if not isinstance(candidates, list):
        raise TypeError("candidates")
    return Result(**{**found, "candidates": tuple(Scored(**one) for one in candidates)})  # type: ignore[arg-type]


def _result(
    work: Work,
    *,
    void: str = "",
    position: int | None = None,
    generated: int = 0,
    candidates: tuple[Scored, ...] = (),
) -> Result:
    visible, truth = _cases(work.visible), _cases(work.truth)
    both = isinstance(work.visible, SuiteSpec) and isinstance(work.truth, SuiteSpec)
    return Result(
        id=work.id,
        void=void,
        no_suite=work.visible.reason if isinstance(work.visible, NoSuite) else "",
        no_truth=work.truth.reason if isinstance(work.truth, NoSuite) else "",
        typed_output=work.typed_output,
        visible_cases=len(visible),
        truth_cases=len(truth),
        v_subset=both and set(_questions(work.visible)) <= set(_questions(work.truth)),
        position=position,
        generated=generated,
        candidates=candidates,
    )


def _questions(suite: SuiteSpec | NoSuite) -> Sequence[object]:
    return suite.questions if isinstance(suite, SuiteSpec) else ()


def _cases(suite: SuiteSpec | NoSuite) -> tuple[Case, ...]:
    return suite.checks if isinstance(suite, SuiteSpec) else ()


def _truths(work: Work, sources: Sequence[bytes], bench: Bench, limits: base.Limits) -> Sequence[Observations | None]:
    """What scores each candidate: its run, or the second of two where the first passed and two are asked for."""
    if isinstance(work.truth, NoSuite):
        return [None] * len(sources)
    program, cases = render(work.truth), work.truth.checks
    preamble = program.preamble.encode()
    found = []
    for source in sources:
        candidate = base.Candidate(source, preamble)
        seen = observations_of(bench.run(candidate, program_of(program), limits, again=False), len(cases))
        if work.twice and isinstance(grade(cases, seen), Passed):
            second = bench.run(candidate, program_of(program, again=True), limits, again=True)
            seen = observations_of(second, len(cases))
        found.append(seen)
    return found


def _observed(suite: SuiteSpec | NoSuite, attempt: Attempt) -> Observations:
    return observations_of(attempt.reports[0], len(_cases(suite)))


def _scored(
    work: Work, one: Stored, attempt: Attempt | None, run: Observations | None, votes: tuple[int | None, int | None]
) -> Scored:
    cases = _cases(work.truth)
    found = grade(cases, run) if run is not None else None
    by_case = "".join(
        "+" if isinstance(grade((case,), Observations((seen,))), Passed) else "-"
        for case, seen in zip(cases, run.by_case if run is not None else (), strict=run is not None)
    )
    hidden: bool | None = None
    if run is not None and work.hidden_from < len(cases):
        rest = Observations(run.by_case[work.hidden_from :], run.ending)
        hidden = isinstance(grade(cases[work.hidden_from :], rest), Passed)
    return Scored(
        sample=one.sample,
        model=one.model,
        visible=word_of(attempt.grade) if attempt is not None else None,
        visible_how=str(attempt.grade.how) if attempt is not None and isinstance(attempt.grade, Failed) else None,
        truth=isinstance(found, Passed) if found is not None else None,
        truth_how=str(found.how) if isinstance(found, Failed) else None,
        hidden=hidden,
        cases=by_case,
        vote_visible=votes[0],
        vote_all=votes[1],
    )


def _signature(suite: SuiteSpec | NoSuite, seen: Observations | None) -> bytes | None:
    """What a candidate is grouped by: the canonical literals of all its outputs; None where one of them is no value."""
    if seen is None or seen.ending is not None:
        return None
    digest = sha256()
    for case, one in zip(_cases(suite), seen.by_case, strict=True):
        tree = _value(case, one)
        if tree is None:
            return None
        digest.update(encode(tree))
    return digest.digest()


def _value(case: Case, seen: Observation) -> Tree | None:
    match case, seen:
        case _, Returned(tree):
            return typed(tree)
        case Prints(_, likeness), Printed(output):
            try:
                return "l", tuple(("s", line) for line in printed(likeness, output.decode()))
            except UnicodeDecodeError:
                return None
        case _:
            return None


def _groups(signatures: Sequence[bytes | None]) -> list[int | None]:
    return [None if one is None else signatures.index(one) for one in signatures]
