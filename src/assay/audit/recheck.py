"""Workshops: what can be said of one receipt, as separate facts (spec/receipt.md §10; docs/adr/0035).

No model, no network, no file: keys, packs, suites and private files are handed in. Only `rerun` starts a process, in
the sandbox that it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from assay.audit import claims, controls, deliveries
from assay.audit.claims import ReadPrivate
from assay.audit.facts import Contradiction, Fact, no, not_possible, unknown, yes
from assay.audit.reading import item
from assay.floor.store import Snapshot
from assay.gate.deliver import Bench
from assay.receipts.deliveries import DELIVERY_RESULT
from assay.receipts.envelope import Envelope, IsLogged, never_logged, signed_by
from assay.receipts.predicates import CLAIM_RESULT
from assay.receipts.signing import Check, TrustedKey
from assay.sandbox.base import SandboxUnavailable
from assay.suite.spec import SuiteSpec
from assay.wire.receipts import ReadReceipt
from assay.wire.withdrawn import WithdrawalList

FACTS: Final = ("authentic", "re-derives", "re-runs", "current")
SuitesFor = Callable[[str | None], Sequence[SuiteSpec]]  # the suites given, for that function; None: for a program


def no_suites(_: str | None) -> Sequence[SuiteSpec]:
    """No suite is given."""
    return ()


@dataclass(frozen=True, slots=True)
class Given:
    """What the reader has. `is_trust_asked`: they named a trust file, so what it does not cover is a no."""

    check: Check
    withdrawn: WithdrawalList
    keys: tuple[TrustedKey, ...] = ()
    is_trust_asked: bool = False
    packs: tuple[Snapshot, ...] = ()
    suites: SuitesFor = no_suites
    candidates: tuple[bytes, ...] = ()
    private: ReadPrivate | None = None
    bench: Callable[[], Bench] | None = None  # None: nothing is run again
    asked: frozenset[str] = field(default_factory=frozenset)  # facts that the reader asked for


def recheck(receipt: ReadReceipt, given: Given, is_logged: IsLogged = never_logged) -> dict[str, Fact]:
    """The four facts, by name. The checker is given forged copies first.

    Raises:
        Fault: `fault.checker`: it let one pass.
    """
    controls.signatures(given.check)
    document = receipt.document
    withdrawn = _withdrawn(document, given.withdrawn)
    match document["predicateType"]:
        case kind if kind == CLAIM_RESULT:
            derived = claims.rederive(document, given.packs, given.private)
            ran = unknown("no_program", "a claim runs no program")
            now = claims.current(document, given.packs, given.private)
        case kind if kind == DELIVERY_RESULT:
            suites = given.suites(_function(document))
            derived = deliveries.rederive(document, suites, given.private)
            ran = _rerun(document, suites, given)
            now = deliveries.current(document, suites)
        case _:
            derived = not_possible("other_sort", "a receipt of this sort is not read here")
            ran, now = (
                unknown("other_sort", "a receipt of this sort is not read here"),
                unknown("other_sort", "likewise"),
            )
    return dict(
        zip(FACTS, (authentic(receipt.envelope, given, is_logged), derived, ran, withdrawn or now), strict=True)
    )


def authentic(envelope: Envelope | None, given: Given, is_logged: IsLogged = never_logged) -> Fact:
    """Whose signature it is. Does not look at what was signed."""
    doubtful = no if given.is_trust_asked else unknown
    if envelope is None:
        return doubtful("unsigned", "unsigned: who can write the file can write a receipt")
    names = {key.keyid: key.name for key in given.keys}
    found = signed_by(envelope, given.keys, given.check, is_logged)

    def told(keyids: tuple[str, ...]) -> str:
        return ", ".join(f"`{names[keyid]}`" for keyid in keyids)

    if found.wrong:
        return no("bad_signature", f"bad signature: it is in the name of {told(found.wrong)} and is not theirs")
    if found.counted:
        return yes("trusted", f"signed by {told(found.counted)}, a key that you trust")
    if found.revoked:
        return no("revoked", f"signed by {told(found.revoked)}, revoked, and not shown to be from before")
    return doubtful("unknown_key", f"signed by key {found.unknown[0][:16]}…, which you do not trust")


def _rerun(document: Mapping[str, object], suites: Sequence[SuiteSpec], given: Given) -> Fact:
    if given.bench is None:
        return unknown("not_asked", "not asked; --rerun runs its candidates again")
    try:
        return deliveries.rerun(document, suites, given.candidates, given.bench)
    except SandboxUnavailable as fault:
        return not_possible("no_sandbox", f"no sandbox: {fault}")


def _withdrawn(document: Mapping[str, object], withdrawn: WithdrawalList) -> Fact | None:
    try:
        verifier = item(item(document, "predicate", dict), "verifier", dict)
        found = withdrawn.find(item(verifier, "package", str), item(verifier, "kernel_sha256", str))
    except Contradiction:
        return None
    if found is None:
        return None
    return no("stale", f"stale: its verifier was withdrawn on {found.since}: {found.why}")


def _function(document: Mapping[str, object]) -> str | None:
    try:
        return item(item(item(document, "predicate", dict), "suite", dict), "entry_point", str) or None
    except Contradiction:
        return None
