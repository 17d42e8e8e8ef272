"""Desk: candidates against a suite, with the sandbox of this machine: one call, one outcome, one receipt."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from assay.api import wiring
from assay.api.binding import suite_of
from assay.api.delivering import Digest, delivery_result
from assay.api.sandboxes import guest_codec
from assay.gate.agreement import check_these_cases
from assay.gate.cases import Best, best
from assay.gate.deliver import Attempt, Bench, Delivery, OpenSandbox, Void
from assay.gate.extract import extract
from assay.gate.observed import observed
from assay.gate.trust import NONE, Trust, walk
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.kernel.first_pass import Delivered, Refused
from assay.ledger import private as private_files
from assay.receipts.deliveries import DeliveryResult, Extracted, KeptBest, delivery_statement
from assay.receipts.private import MAX_KEPT_BYTES, SALT_BYTES, observed_bytes
from assay.receipts.signing import Signer
from assay.sandbox import base
from assay.sandbox.opening import open_slot
from assay.suite.render import render, suite_sha256
from assay.suite.spec import SuiteSpec

DELIVERED: Final = "DELIVERED"
REFUSED: Final = "REFUSED"
VOID: Final = "VOID"
PRIVATE: Final = "private"
MAX_LABEL: Final = 128

Salts = Callable[[], bytes]
_SALTS: Final[Salts] = partial(secrets.token_bytes, SALT_BYTES)


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate as it is given: its source, the label of who wrote it, and how it was taken out of a reply.

    `taken` says for a person which of several blocks of the reply it was.
    """

    source: bytes
    model: str = ""
    extracted: Extracted | None = None
    taken: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class GateOutcome:
    """What the gate decided: `DELIVERED` at a position from 1, `REFUSED`, or `VOID` for a fault of ours.

    `private` holds the observations of the runs: they are the expected values, and for the suite's owner alone.
    """

    outcome: str
    position: int | None
    reason: str
    suite: SuiteSpec
    attempts: tuple[Attempt, ...]
    source: bytes | None
    best: Best | None  # of a refusal, where it was asked for
    receipt: bytes
    private: tuple[bytes, ...]
    document: dict[str, object]


def draft_of_reply(reply: bytes, model: str = "") -> Draft:
    """The candidate in a model's reply; which bytes it came out of, and by which rule, goes on the receipt."""
    found = extract(reply)
    taken = found.words if found.of > 1 else ""
    return Draft(found.source, model, Extracted(sha256(reply).hexdigest(), found.rule), taken)


def check(  # noqa: PLR0913 (each is one choice of the caller, by name)
    suite: bytes | str,
    entry_point: str | None,
    candidates: Iterable[bytes | str | Draft],
    *,
    task: bytes | str | None = None,
    level: base.Level = base.Level.A,
    limits: base.Limits | None = None,
    keep_best: bool = False,
    trust: Trust = NONE,
    on_attempt: Callable[[Attempt], None] = lambda _: None,
    on_step: Callable[[str, int, int], None] = lambda *_: None,
    salts: Salts = _SALTS,
    opened: OpenSandbox | None = None,
) -> GateOutcome:
    """Deliver the first of at most five candidates that passes the suite, or refuse.

    A candidate is program text, as bytes or as text, or a `Draft`; `draft_of_reply` takes one out of a model's reply.
    `entry_point` is the task's function, and `task` the document that names it (spec/suite.md §12): one of the two. A
    suite for another function is refused before anything runs, as is one that is empty or cannot be read. `opened`
    makes another sandbox than this machine's at `level`; `salts` gives 32 random bytes a call. `trust` holds the
    reference by which the suite is gauged before any candidate is drawn, and asks for its strength (spec/suite.md §10).

    Raises:
        InvalidSuite: with a stable code; `suite.gauge` where the suite cannot tell right from wrong.
        InputError: the task is none, both it and a function are given, or a model's label is none.
    """
    spec, named = suite_of(suite, entry_point, task)
    bench = Bench(opened or partial(open_slot, guest_codec(), level))
    drawn: list[Draft] = []
    used = limits or base.Limits()
    try:
        walked = walk(
            spec, _sources(candidates, drawn), bench, used, trust=trust, on_attempt=on_attempt, on_step=on_step
        )
    finally:
        bench.close()
    delivery = walked.delivery

    def result(digests: list[list[Digest]], kept: KeptBest | None) -> DeliveryResult:
        return delivery_result(
            spec,
            delivery,
            outcome=_words(delivery),
            task=named,
            labels=[(draft.model, draft.extracted) for draft in drawn],
            digests=digests,
            limits=used,
            kept_best=kept,
            trusted=walked,
        )

    wanted = keep_best and isinstance(delivery.outcome, Refused)
    kept = best(spec, render(spec).program_sha256, delivery.attempts, [one.source for one in drawn]) if wanted else None
    return _outcome(spec, delivery, kept, result, salts)


def keep(folder: str | Path, outcome: GateOutcome, signer: Signer | None = None) -> Path:
    """Keep the observations in the folder's `private/`, then append the receipt; the path of `receipts.jsonl`.

    Raises:
        LedgerFault: they could not be kept. A receipt stands only where all that it names was kept before.
    """
    path = wiring.receipts_file(folder)
    for data in outcome.private:
        private_files.keep(path.parent / PRIVATE, data)
    return wiring.keep(folder, outcome.receipt, signer)


def label(text: str) -> str:
    """The label of a model: 1 to 128 printable characters; what it says is never checked.

    Raises:
        InputError: it is none.
    """
    if not 0 < len(text) <= MAX_LABEL or not text.isprintable():
        raise InputError(
            "usage", f"the label of a model is no text of 1 to {MAX_LABEL} printable characters; shorten it"
        )
    return text


def _sources(candidates: Iterable[bytes | str | Draft], drawn: list[Draft]) -> Iterator[bytes]:
    for one in candidates:
        # Half of a surrogate pair is no UTF-8: such a text becomes bytes that do not load, and fails.
        data = one.encode("utf-8", "surrogatepass") if isinstance(one, str) else one
        draft = Draft(data) if isinstance(data, bytes) else data
        if draft.model:
            label(draft.model)
        drawn.append(draft)
        yield draft.source


def _outcome(
    spec: SuiteSpec,
    delivery: Delivery,
    kept: Best | None,
    result: Callable[[list[list[Digest]], KeptBest | None], DeliveryResult],
    salts: Salts,
) -> GateOutcome:
    suite = suite_sha256(spec)
    private: list[bytes] = []
    digests = [_bound(attempt, suite, salts, private) for attempt in delivery.attempts]
    found = result(digests, None if kept is None else _kept_best(delivery, kept))
    return GateOutcome(
        found.outcome,
        found.position,
        found.reason,
        spec,
        delivery.attempts,
        delivery.source,
        kept,
        canonical(delivery_statement(found)),
        tuple(private),
        {**_document(found), "check_these_cases": check_these_cases(spec, delivery.attempts)},
    )


def _words(delivery: Delivery) -> tuple[str, int | None, str]:
    match delivery.outcome:
        case Delivered(position, _):
            return DELIVERED, position, ""
        case Void(reason):
            return VOID, None, reason
        case Refused():
            return REFUSED, None, ""


def _bound(attempt: Attempt, suite: str, salts: Salts, private: list[bytes]) -> list[Digest]:
    """The digest of each run's file, and whether it is kept; what is goes to `private`."""
    found: list[Digest] = []
    for number, report in enumerate(attempt.reports):
        run = observed(report, attempt.candidate_sha256, suite, again=number > 0, salt=salts())
        data = observed_bytes(run)
        is_kept = run.size <= MAX_KEPT_BYTES
        if is_kept:
            private.append(data)
        found.append((sha256(data).hexdigest(), is_kept))
    return found


def _kept_best(delivery: Delivery, kept: Best) -> KeptBest:
    return KeptBest(delivery.attempts[kept.at].candidate_sha256, kept.passed, kept.of, sha256(kept.data).hexdigest())


def _document(result: DeliveryResult) -> dict[str, object]:
    """What programs are told: no observation and nothing that is expected."""
    return {
        "outcome": result.outcome,
        "position": result.position,
        "reason": result.reason,
        "tried": [
            {"grade": one.grade, "first_failing_case": one.first_failing_case, "how": one.how or None}
            for one in result.tried
        ],
        "suite_sha256": result.suite_sha256,
        "program_sha256": result.program_sha256,
        "checks_sha256": result.checks_sha256,
        "isolation": result.isolation.get("first") or {},
        "limits": result.limits,
        "gauge": result.gauge,
        "strength": result.strength,
        "kept_best": None
        if result.kept_best is None
        else {"passed": result.kept_best.passed, "of": result.kept_best.of},
    }
