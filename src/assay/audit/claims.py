"""Workshops: a claim decided again, and its receipt made again (spec/receipt.md §2, §10; docs/adr/0035).

No model, no network, no file: pack, evidence and private side are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from assay.audit import controls
from assay.audit.facts import Contradiction, Fact, NotPossible, no, unknown, yes
from assay.audit.reading import item, objects
from assay.audit.remaking import Ground, stands, unlike
from assay.floor.offers import offers
from assay.floor.oracle import establish
from assay.floor.shape import shape_of
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.floor.trail import SliceSnapshot
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.receipts.predicates import BLANK
from assay.receipts.withheld import Withheld
from assay.wire.evidence import parse_evidence
from assay.wire.tasks import task_from
from assay.wire.withheld import parse_withheld

# The bytes of a private file by digest.  Raises InputError: `private.missing`, `private.digest`.
ReadPrivate = Callable[[str], bytes]
# Where a receipt differs from what is made again on a ground.
Compare = Callable[[Mapping[str, object], Ground], list[str]]

_T = TypeVar("_T")
_REASONS: Final = {"attempts", "operations", "repeated", "require_derivation", "tokens", "seconds"}


def rederive(
    document: Mapping[str, object],
    packs: Sequence[Snapshot],
    private: ReadPrivate | None,
    compare: Compare = unlike,
) -> Fact:
    """Whether the decision, made again, gives this receipt; from the pack of its digest, from its evidence, or both.

    Raises:
        Fault: `fault.checker`: the comparison let a forged copy of the receipt pass.
    """
    try:
        check_itself(document)
        grounds, sources = _grounds(document, packs, private)
        found = sorted({place for ground in grounds for place in compare(document, ground)})
    except NotPossible as finding:
        return finding.fact
    except Contradiction as finding:
        return no("contradiction", f"the receipt contradicts itself: {finding}")
    if found:
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        return no("differs", f"decided again it differs in {', '.join(found[:3])}{more}")
    controls.refuses(controls.forged_claims(document), partial(_on, compare, grounds[0]))
    return yes("same", f"decided again from {' and from '.join(sources)}")


def _on(compare: Compare, ground: Ground, document: Mapping[str, object]) -> list[str]:
    check_itself(document)
    return compare(document, ground)


def check_itself(document: Mapping[str, object]) -> None:
    """Hold the receipt against itself: what needs no pack.

    Raises:
        Contradiction: an outcome that does not follow from its own steps, or a field that is none.
    """
    predicate = item(document, "predicate", dict)
    outcome, code = item(predicate, "outcome", str), item(predicate, "code", str)
    steps = objects(predicate, "trajectory")
    codes = [item(step, "code", str) for step in steps if item(step, "step", str) == "submit"]
    last = steps[-1] if steps else {}
    match outcome:
        case "accepted":
            right = codes[-1:] == [""] and all(codes[:-1]) and last.get("step") == "submit" and code == ""
        case "rejected":
            right = len(steps) == 1 and codes == [code] and code != ""
        case "unresolved":
            right = all(codes) and code in _REASONS
        case "navigation_failure":
            right = all(codes) and last.get("step") == "navigation_failure" and last.get("reason") == code
        case _:
            right = False
    if not right:
        raise Contradiction("its outcome does not follow from its steps")
    if any(step["step"] not in {"submit", "perform", "navigation_failure"} for step in steps):
        raise Contradiction("it has a step of no known sort")


def established_on(document: Mapping[str, object], snapshot: Snapshot, private: ReadPrivate | None) -> Ground:
    """The ground that any pack gives to the task of the receipt.

    Raises:
        Contradiction, NotPossible: there is no task, or it names a person, and the evidence is not there.
        InputError: the task cannot be asked of the pack.
    """
    task = _task(item(document, "predicate", dict), private)
    established = establish(snapshot, task)
    offered = offers(task, shape_of(snapshot, task))
    return Ground(established, snapshot, offered, _withheld(document, private))


def _grounds(
    document: Mapping[str, object], packs: Sequence[Snapshot], private: ReadPrivate | None
) -> tuple[list[Ground], list[str]]:
    predicate = item(document, "predicate", dict)
    digest = item(item(predicate, "snapshot", dict), "digest", str)
    grounds, sources = [], []
    for pack in packs:
        if pack.digest == digest:
            try:
                grounds.append(established_on(document, pack, private))
            except InputError as fault:
                raise Contradiction(f"its task cannot be asked of its pack ({fault.code})") from None
            sources.append("the pack that it names")
            break
    if private is not None and (data := _file(predicate, "evidence", private)) is not None:
        if not item(item(predicate, "private", dict), "evidence_kept", bool):
            raise Contradiction("its evidence is there, and it says that it was not kept")
        kept = _read(parse_evidence, data)
        if kept.evidence.digest != digest:
            raise Contradiction("its evidence is of another snapshot")
        try:
            established = establish(SliceSnapshot(kept.evidence), kept.task)
        except InputError as fault:
            raise Contradiction(f"its task cannot be asked of its evidence ({fault.code})") from None
        grounds.append(Ground(established, None, (), _withheld(document, private)))
        sources.append("the rows that were looked up")
    if grounds:
        return grounds, sources
    if packs:
        raise NotPossible("other_pack", "none of the packs given is the one that it names")
    if private is not None:
        raise NotPossible("private", "private: its evidence is not in the folder given; give its pack with --pack")
    raise NotPossible("no_pack", "no pack is given; give --pack, or --private with its evidence")


def _task(predicate: Mapping[str, object], private: ReadPrivate | None) -> Task:
    written = item(predicate, "task", dict)
    if BLANK.encode() not in canonical(written):
        try:
            return task_from(written)
        except InputError as fault:
            raise Contradiction(f"its task is none ({fault.code})") from None
    data = _file(predicate, "evidence", private) if private is not None else None
    if data is None:
        raise NotPossible("private", "private: its task names a person; give --private with its evidence")
    return _read(parse_evidence, data).task


def _withheld(document: Mapping[str, object], private: ReadPrivate | None) -> Withheld | None:
    predicate = item(document, "predicate", dict)
    data = _file(predicate, "withheld", private) if private is not None else None
    return _read(parse_withheld, data) if data is not None else None


def _file(predicate: Mapping[str, object], name: str, private: ReadPrivate) -> bytes | None:
    """The bytes of a private file that the receipt binds; None: it binds none, or it is not there."""
    written = predicate.get("private")
    digest = written.get(f"{name}_sha256") if isinstance(written, dict) else None
    if type(digest) is not str:
        return None
    try:
        return private(digest)
    except InputError as fault:
        if fault.code == "private.missing":
            return None
        raise NotPossible(fault.code, "a private file in the folder given was changed") from None


def _read(parse: Callable[[bytes], _T], data: bytes) -> _T:
    try:
        return parse(data)
    except InputError as fault:
        raise Contradiction(f"a private file of it is none ({fault.code})") from None


def current(document: Mapping[str, object], packs: Sequence[Snapshot], private: ReadPrivate | None) -> Fact:
    """Whether the decision holds on the pack that is given: it is the same pack, or gives the same decision."""
    if not packs:
        return unknown("nothing_given", "no pack is given")
    try:
        digest = item(item(item(document, "predicate", dict), "snapshot", dict), "digest", str)
        if any(pack.digest == digest for pack in packs):
            return yes("same_pack", "its pack is the one given")
        if len(packs) > 1:
            return unknown("other_pack", "its pack is not among those given")
        ground = established_on(document, packs[0], private)
        holds = stands(document, ground)
    except NotPossible as finding:
        return unknown(finding.fact.code, finding.fact.why)
    except Contradiction:
        return unknown("contradiction", "the receipt contradicts itself")
    except InputError as fault:
        return no("cannot_be_asked", f"its task cannot be asked of the pack given ({fault.code})")
    if holds:
        return yes("stands", "the pack given is another, and the decision on it is the same")
    return no("no_longer", "on the pack given, which is another, it would not be decided so")
