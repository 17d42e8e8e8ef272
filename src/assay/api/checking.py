"""Desk: receipts of a file or a log, checked with what the reader has (spec/receipt.md §10; docs/adr/0035)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final

from assay.api import logs, signing
from assay.api.data import data_dir
from assay.api.sandboxes import guest_codec
from assay.api.wiring import PRIVATE, RECEIPTS, open_pack
from assay.audit import recheck as audit
from assay.audit.facts import Answer, Fact, no, yes
from assay.audit.recheck import Given, recheck
from assay.gate.deliver import Bench
from assay.kernel.errors import Fault, InputError
from assay.ledger import private as private_files
from assay.ledger.checking import Findings
from assay.ledger.files import Progress, silent
from assay.ledger.signing import is_signature
from assay.receipts.deliveries import DELIVERY_RESULT
from assay.receipts.envelope import IsLogged, never_logged
from assay.receipts.predicates import CLAIM_RESULT
from assay.receipts.signing import LogHead
from assay.sandbox.opening import open_slot
from assay.suite.refusals import InvalidSuite
from assay.suite.spec import SuiteSpec
from assay.wire.receipts import MAX_LINE_BYTES, ReadReceipt, read_line
from assay.wire.suites import parse_suite
from assay.wire.withdrawn import WithdrawalList, parse_withdrawn

__all__ = [
    "FACTS",
    "PRIVATE",
    "Checked",
    "check",
    "check_file",
    "given",
    "included",
    "lacks",
    "line_of",
    "outcome_of",
    "sort_of",
    "verify_log",
    "withdrawn",
]

FACTS: Final = audit.FACTS
_WITHDRAWN: Final = "withdrawn.json"
# What of a suite's refusal depends on which function is asked for; anything else is wrong with the file.
_UNBOUND: Final = {"suite.entry_point_unbound", "suite.entry_point_mismatch"}


@dataclass(frozen=True, slots=True)
class Checked:
    """One receipt with its facts; or why it is none. `index` is its place in the file, from 0."""

    index: int
    receipt: ReadReceipt | None
    facts: dict[str, Fact]
    fault: InputError | None = None


def withdrawn() -> WithdrawalList:
    """The list of withdrawn verifiers that came with this installation.

    Raises:
        Fault: it is not there.
    """
    try:
        return parse_withdrawn((data_dir() / _WITHDRAWN).read_bytes())
    except (OSError, InputError) as fault:
        raise Fault("fault.installation", f"the withdrawal list cannot be read ({fault}); install it anew") from None


def given(  # noqa: PLR0913 -- each is one thing that a reader may have
    *,
    packs: Sequence[str | Path] = (),
    suites: Sequence[bytes] = (),
    candidates: Sequence[bytes] = (),
    private: Path | None = None,
    trust: Path | None = None,
    rerun: bool = False,
    progress: Progress = silent,
) -> Given:
    """What the reader has, opened.

    Raises:
        InputError: a pack, a suite, or the trust file cannot be used; or the folder of private files is none.
    """
    if private is not None and not private.is_dir():
        raise InputError(
            "private.missing", f"folder `{private}`: no such folder; name the `private` beside the receipts"
        )
    asked = {"authentic"} if trust is not None else set()
    asked |= {"re-runs"} if rerun else set()
    return Given(
        check=is_signature,
        withdrawn=withdrawn(),
        keys=signing.trusted(trust),
        is_trust_asked=trust is not None,
        packs=tuple(open_pack(pack, progress) for pack in packs),
        suites=_suites(tuple(suites)),
        candidates=tuple(candidates),
        private=partial(private_files.read, private) if private is not None else None,
        bench=(lambda: Bench(partial(open_slot, guest_codec()))) if rerun else None,
        asked=frozenset(asked | ({"re-derives"} if packs or suites or private else set())),
    )


def check(line: bytes, what: Given, index: int = 0, is_logged: IsLogged = never_logged) -> Checked:
    """The facts on the receipt of one line, which has no line feed.

    Raises:
        Fault: the checker let a forged copy pass.
    """
    try:
        receipt = read_line(line)
    except InputError as fault:
        return Checked(index, None, {}, fault)
    return Checked(index, receipt, recheck(receipt, what, is_logged))


def check_file(file: Path, what: Given, progress: Progress = silent) -> Iterator[Checked]:
    """The facts on each receipt of a file, or of a log's folder, in order.

    Raises:
        InputError: it cannot be read, or holds no line.
        Fault: the checker let a forged copy pass.
    """
    is_log = file.is_dir()
    path = file / RECEIPTS if is_log else file
    size = _size(path)
    done = 0
    for index, line in enumerate(_lines(path)):
        is_logged = logs.is_logged(file, line) if is_log else never_logged
        yield check(line, what, index, is_logged)
        done += len(line) + 1
        progress("checking", done, size)
    if not done:
        raise InputError(
            "receipt.shape", f"file `{path}` holds no receipt; name one, a file of them, or a log's folder"
        )


def line_of(file: Path, index: int | None) -> bytes:
    """The line at that place, from 0; without one, the only line.

    Raises:
        InputError: there is none, or there are several and none was named.
    """
    found: bytes | None = None
    count = 0
    for number, line in enumerate(_lines(file / RECEIPTS if file.is_dir() else file)):
        count += 1
        if number == (index or 0):
            found = line
    if found is None:
        raise InputError("receipt.index", f"`{file}` has no receipt {index or 0}: it has {count}, and the first is 0")
    if index is None and count > 1:
        raise InputError("receipt.index", f"`{file}` has {count} receipts; name one with --index, the first is 0")
    return found


def included(found: Findings) -> Fact:
    """Whether the receipts of a log are the ones that its tree holds, and all of them as far as can be told."""
    if found.verifies:
        word = {"goes_on": "nothing that you held is missing"}.get(found.completeness, "completeness unknown")
        return yes("log", f"the log of {found.head.size} entries holds, {found.signature}; {word}")
    if found.completeness not in {"unknown", "goes_on"}:
        return no(found.completeness, f"the log is {found.completeness} against a checkpoint that you hold")
    return no("log", "the log does not hold; `assay log verify` says where")


def verify_log(folder: Path, held: Sequence[LogHead], trust: Path | None, progress: Progress = silent) -> Findings:
    """Compute the log again (spec/log.md §6).

    Raises:
        InputError: there is no log.
    """
    return logs.verify(folder, held, trust, progress)


def outcome_of(facts: dict[str, Fact], what: Given) -> Answer:
    """What the facts come to for a script: `no`; `not possible` where something asked for is; or `yes`."""
    if any(fact.answer is Answer.NO for fact in facts.values()):
        return Answer.NO
    return Answer.NOT_POSSIBLE if any(lacks(name, fact, what) for name, fact in facts.items()) else Answer.YES


def lacks(name: str, fact: Fact, what: Given) -> bool:
    """Whether the fact was asked for, and what it takes is not there though it was to be.

    What the reader chose not to give is no fault: neither is what nobody can give (a void decided nothing).
    """
    by_choice = {"void", "not_kept", "other_sort", "no_pack", "no_suite"}
    if what.private is None:
        by_choice.add("private")
    return fact.answer is Answer.NOT_POSSIBLE and name in what.asked and fact.code not in by_choice


def sort_of(receipt: ReadReceipt) -> str:
    """`claim`, `delivery` or `other`."""
    return {CLAIM_RESULT: "claim", DELIVERY_RESULT: "delivery"}.get(str(receipt.document["predicateType"]), "other")


def _suites(data: tuple[bytes, ...]) -> Callable[[str | None], Sequence[SuiteSpec]]:
    """The suites for a function: a suite's digest is that of the suite and the function that its task names."""

    @cache
    def bound(name: str | None) -> tuple[SuiteSpec, ...]:
        found = []
        for one in data:
            try:
                found.append(parse_suite(one, name))
            except InvalidSuite as fault:
                if fault.code not in _UNBOUND:
                    raise
        return tuple(found)

    bound(None)  # a file that is no suite is refused before anything is said
    return bound


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError) as fault:
        raise _unreadable(path, fault) from None


def _lines(path: Path) -> Iterator[bytes]:
    """Every line, the last one also without a line feed; none longer than a receipt may be, and one byte."""
    try:
        with path.open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES + 2):
                yield line.removesuffix(b"\n")
                while not line.endswith(b"\n") and line:
                    line = file.readline(MAX_LINE_BYTES)
    except (OSError, ValueError) as fault:
        raise _unreadable(path, fault) from None


def _unreadable(path: Path, fault: OSError | ValueError) -> InputError:
    reason = (fault.strerror or "cannot be read").lower() if isinstance(fault, OSError) else "is no file name"
    return InputError("input.file", f"file `{path}`: {reason}; name a receipt, a file of them, or a log's folder")
