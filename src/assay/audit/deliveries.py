"""Workshops: a delivery decided again from suite and observations, and run again (spec/receipt.md §3, §10).

Gauge, strength, what runs used and the labels are taken over: no observation says them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final

from assay.audit import controls
from assay.audit.claims import ReadPrivate
from assay.audit.facts import Contradiction, Fact, NotPossible, no, not_possible, unknown, yes
from assay.audit.reading import item, objects, perhaps, subject
from assay.audit.regrade import NotDerivable, bound, regrade
from assay.gate.deliver import Bench, try_candidate, word_of
from assay.kernel.errors import InputError
from assay.kernel.first_pass import OPEN, RULE, RULE_SHA256, Delivered, Open, Refused, advance, close
from assay.kernel.grade import Failed, Flaky, Grade, How, Passed
from assay.receipts.statement import digest_of
from assay.sandbox import base
from assay.suite.render import checks_sha256, render, suite_sha256
from assay.suite.spec import SuiteSpec

VOID: Final = "VOID"
Attempt = Mapping[str, object]
Compare = Callable[[Mapping[str, object], Sequence[Grade]], list[str]]


def rederive(
    document: Mapping[str, object],
    suites: Sequence[SuiteSpec],
    private: ReadPrivate | None,
    compare: Compare | None = None,
) -> Fact:
    """Whether suite and observations, graded again, give this receipt.

    Raises:
        Fault: `fault.checker`: the comparison let a forged copy of the receipt pass.
    """
    compares = compare or unlike
    try:
        check_itself(document)
        predicate = item(document, "predicate", dict)
        if item(predicate, "outcome", str) == VOID:
            return not_possible("void", "void: our sandbox failed, and nothing was decided")
        suite = _suite(predicate, suites)
        grades = [_regraded(attempt, suite, private) for attempt in objects(predicate, "tried")]
        found = compares(document, grades)
    except NotPossible as finding:
        return finding.fact
    except Contradiction as finding:
        return no("contradiction", f"the receipt contradicts itself: {finding}")
    if found:
        return no("differs", f"graded again it differs in {', '.join(found[:3])}")
    controls.refuses(controls.forged_deliveries(document), lambda copy: compares(copy, grades))
    return yes("same", "graded again from the suite that it names and the observations that it binds")


def check_itself(document: Mapping[str, object]) -> None:
    """Hold the receipt against itself: what needs neither suite nor observations.

    Raises:
        Contradiction: an outcome that does not follow from its own grades, or a field that is none.
    """
    predicate = item(document, "predicate", dict)
    attempts = objects(predicate, "tried")
    rule = item(predicate, "rule", dict)
    if (rule.get("text"), rule.get("sha256")) != (RULE, RULE_SHA256):
        raise Contradiction("its rule is another")
    task = perhaps(predicate, "task", dict)
    if task is not None and task.get("sha256") != _task_sha256(task):
        raise Contradiction("the digest of its task is another")
    for attempt in attempts:
        _check_attempt(attempt)
    places = [place for place in unlike(document, [_grade(attempt) for attempt in attempts]) if place]
    if places:
        raise Contradiction(f"{places[0]} does not follow from its grades")


def unlike(document: Mapping[str, object], grades: Sequence[Grade]) -> list[str]:
    """Where the receipt differs from what these grades, in their order, come to."""
    predicate = item(document, "predicate", dict)
    attempts = objects(predicate, "tried")
    found = [
        f"tried[{number}].{name}"
        for number, (attempt, grade) in enumerate(zip(attempts, grades, strict=True))
        for name, value in _words(grade).items()
        if attempt.get(name, 0) != value
    ]
    outcome, position = _ended(grades, is_void=predicate.get("outcome") == VOID)
    task = perhaps(predicate, "task", dict)
    if position is not None:
        digest = attempts[position - 1].get("candidate_sha256")
        named = ("delivered", digest)
    else:
        digest = None
        suite = item(item(predicate, "suite", dict), "suite_sha256", str)
        named = ("task", task.get("sha256")) if task is not None else ("suite", suite)
    wanted = {"outcome": outcome, "position": position, "delivered_sha256": digest}
    found += [name for name, value in wanted.items() if predicate.get(name, 0) != value]
    if subject(document) != named:
        found.append("subject")
    if position is not None and predicate.get("kept_best") is not None:
        found.append("kept_best")
    return found


def rerun(
    document: Mapping[str, object],
    suites: Sequence[SuiteSpec],
    candidates: Sequence[bytes],
    bench: Callable[[], Bench],
) -> Fact:
    """Whether the candidates that are given, run again, get the grades of the receipt.

    Raises:
        SandboxUnavailable: there is none, or it failed twice.
    """
    try:
        predicate = item(document, "predicate", dict)
        suite = _suite(predicate, suites)
        attempts = objects(predicate, "tried")
    except NotPossible as finding:
        return finding.fact
    except Contradiction as finding:
        return not_possible("contradiction", f"the receipt contradicts itself: {finding}")
    sources = {sha256(source).hexdigest(): source for source in candidates}
    given = [(number, one) for number, one in enumerate(attempts, 1) if one.get("candidate_sha256") in sources]
    if not given:
        return not_possible("no_candidate", "none of its candidates is given; give them with --candidate")
    program = render(suite)
    open_bench = bench()
    try:
        for number, attempt in given:
            source = sources[str(attempt["candidate_sha256"])]
            ran = try_candidate(suite, program, source, open_bench, base.Limits())
            was = {name: attempt.get(name) for name in _words(ran.grade)}
            if was != _words(ran.grade):
                return no("differs", f"candidate {number} was {_told(was)} and is now {_told(_words(ran.grade))}")
    finally:
        open_bench.close()
    return yes("agrees", f"{len(given)} of its {len(attempts)} candidates, run again here, got the same grade")


def current(document: Mapping[str, object], suites: Sequence[SuiteSpec]) -> Fact:
    """Whether the suite of the receipt is the one that is given."""
    if not suites:
        return unknown("nothing_given", "no suite is given")
    try:
        named = item(item(document, "predicate", dict), "suite", dict)
    except Contradiction:
        return unknown("contradiction", "it names no suite")
    if any(suite_sha256(suite) == named.get("suite_sha256") for suite in suites):
        return yes("same_suite", "its suite is the one given")
    if any((suite.entry_point or None) == (named.get("entry_point") or None) for suite in suites):
        return no("changed", "the suite given for this function is another than the one it was tried against")
    return unknown("other_suite", "its suite is not among those given")


def _ended(grades: Sequence[Grade], *, is_void: bool) -> tuple[str, int | None]:
    """What the rule makes of the grades, by the kernel's own steps."""
    gate: Open | Delivered | Refused = OPEN
    for grade in grades:
        if not isinstance(gate, Open):
            raise Contradiction("it tried candidates after it was decided")
        gate = advance(gate, grade)
    if is_void:
        if not isinstance(gate, Open):
            raise Contradiction("it is void, and was decided")
        return VOID, None
    after = close(gate) if isinstance(gate, Open) else gate
    return ("DELIVERED", after.position) if isinstance(after, Delivered) else ("REFUSED", None)


def _check_attempt(attempt: Attempt) -> None:
    word = item(attempt, "grade", str)
    runs = objects(attempt, "runs")
    again = [item(run, "again", bool) for run in runs]
    if again != ([False] if word == "failed" else [False, True]):
        raise Contradiction("an attempt has not the runs that its grade needs")
    item(attempt, "candidate_sha256", str)


def _grade(attempt: Attempt) -> Grade:
    """The grade as it stands."""
    word, how = item(attempt, "grade", str), perhaps(attempt, "how", str)
    case = perhaps(attempt, "first_failing_case", int)
    if word == "passed":
        return Passed()
    if word not in {"failed", "flaky"} or how not in set(How):
        raise Contradiction("an attempt has a grade that is none")
    return (Failed if word == "failed" else Flaky)(case, How(how))


def _words(grade: Grade) -> dict[str, object]:
    if isinstance(grade, Failed):
        return {"grade": word_of(grade), "how": str(grade.how), "first_failing_case": grade.first_failing_case}
    return {"grade": word_of(grade), "how": None, "first_failing_case": None}


def _told(words: Mapping[str, object]) -> str:
    where = words.get("first_failing_case")
    how = f", {words['how']}" if words.get("how") else ""
    return f"{words.get('grade')}{how}" + (f" at case index {where}" if where is not None else "")


def _suite(predicate: Mapping[str, object], suites: Sequence[SuiteSpec]) -> SuiteSpec:
    """The suite that the receipt names, with everything that it says of it."""
    if not suites:
        raise NotPossible("no_suite", "no suite is given; give --suite")
    named = item(predicate, "suite", dict)
    for suite in suites:
        if suite_sha256(suite) == named.get("suite_sha256"):
            if named != {
                "entry_point": suite.entry_point,
                "preamble": suite.preamble,
                "suite_sha256": suite_sha256(suite),
                "program_sha256": render(suite).program_sha256,
                "checks_sha256": checks_sha256(suite),
            }:
                raise Contradiction("it says something else of its suite than the suite does")
            return suite
    raise NotPossible("other_suite", "none of the suites given is the one that it names")


def _regraded(attempt: Attempt, suite: SuiteSpec, private: ReadPrivate | None) -> Grade:
    if private is None:
        raise NotPossible("private", "private: observations are kept by who decided; give --private with them")
    found = []
    for run in objects(attempt, "runs"):
        if run.get("observations_kept") is not True:
            raise NotPossible("not_kept", "the observations of a run were too many to be kept")
        digest = item(run, "observations_sha256", str)
        try:
            kept = bound(private(digest), digest)
        except InputError as fault:
            if fault.code == "private.missing":
                raise NotPossible("private", "private: its observations are not in the folder given") from None
            raise NotPossible(fault.code, "its observations in the folder given are none, or were changed") from None
        if (kept.candidate_sha256, kept.again) != (attempt.get("candidate_sha256"), run.get("again")):
            raise Contradiction("an observation that it binds is of another candidate or run")
        found.append(kept)
    try:
        return regrade(suite, found)
    except NotDerivable as fault:
        raise Contradiction(f"its observations give no grade ({fault.code})") from None


def _task_sha256(task: Mapping[str, object]) -> str:
    return digest_of({"task": item(task, "task", str), "entry_point": perhaps(task, "entry_point", str)})
