"""Doors: `assay claims`: what stands accepted, and what no longer holds (spec/receipt.md §11)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from assay.api.book import Book, Claim, open_book
from assay.interfaces.cli import codes, options
from assay.interfaces.cli.keys import trust_option
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress
from assay.interfaces.cli.spelling import spelled
from assay.kernel.errors import InputError

_DIR: Final = click.Path(path_type=Path)
_receipts: Final[Callable[[Callable[..., Any]], Callable[..., Any]]] = click.option(
    "--receipts", required=True, type=_DIR, metavar="DIR", help="The folder of receipts."
)
_pack: Final[Callable[[Callable[..., Any]], Callable[..., Any]]] = click.option(
    "--pack", metavar="NAME|DIR", help="The evidence as it is now: say what of it still holds."
)
_WHY: Final = {
    "value_changed": "NO LONGER HOLDS: the evidence gives another value",
    "now_value": "NO LONGER HOLDS: the evidence gives a value",
    "now_insufficient": "NO LONGER HOLDS: the evidence decides nothing",
    "now_conflict": "NO LONGER HOLDS: the evidence contradicts itself",
    "now_no_entity": "NO LONGER HOLDS: the evidence has no such entity",
    "never_followed": "NEVER FOLLOWED: this is the evidence that the receipt names, and it does not give the claim",
    "cannot_be_asked": "NO LONGER HOLDS: the evidence cannot be asked this",
    "holds": "holds",
    "unknown": "unknown",
}


@click.group()
def claims() -> None:
    """Say what stands accepted, and what no longer holds.

    The book holds acceptances only. Of several of one task the latest stands.
    """


@claims.command(
    "list",
    epilog=options.example(
        "assay claims list --receipts receipts", "assay claims list --receipts receipts --pack proteins"
    ),
)
@_receipts
@_pack
@trust_option
@options.as_json
def list_(*, receipts: Path, pack: str | None, trust_file: Path | None, as_json: bool) -> int:
    """List the claims that stand; with --pack also those that no longer hold on it.

    Where there is a trust file, only receipts that a key in it signed are in the book.

    Ends with 3 if a claim no longer holds on the pack.
    """
    book = _open(receipts, pack, trust_file)
    listed = [claim for claim in book.claims if claim.stands]
    for claim in listed:
        if as_json:
            say_json(document(claim))
        else:
            _say(claim)
    if not as_json:
        say(_summary(book))
    return codes.NO if book.fallen() else codes.OK


@claims.command(
    epilog=options.example("assay claims show uniprot:P69905 canonical_length --receipts receipts --pack proteins")
)
@click.argument("entity")
@click.argument("property_name", required=False, default="", metavar="[PROPERTY]")
@_receipts
@_pack
@trust_option
@options.as_json
def show(
    *, entity: str, property_name: str, receipts: Path, pack: str | None, trust_file: Path | None, as_json: bool
) -> int:
    """Show every claim that was accepted on ENTITY, replaced ones too.

    ENTITY as the tasks write it. Ends with 3 if one that stands no longer holds on the pack.
    """
    book = _open(receipts, pack, trust_file)
    found = book.of(entity, property_name)
    if not found:
        what = f"`{entity}` and `{property_name}`" if property_name else f"`{entity}`"
        raise InputError(
            "claims.none", f"no accepted claim on {what}; `assay claims list --receipts {receipts}` lists what there is"
        )
    for claim in found:
        if as_json:
            say_json(document(claim))
        else:
            _say(claim)
            _say_more(claim)
    return codes.NO if any(not claim.current.still_stands for claim in found) else codes.OK


def document(claim: Claim) -> dict[str, object]:
    """The claim for programs."""
    return {
        "index": claim.index,
        "receipt_sha256": claim.receipt_sha256,
        "task": claim.task,
        "state": claim.state,
        "value": claim.value if claim.state == "VALUE" else None,
        "how": claim.how,
        "snapshot": claim.snapshot,
        "signed_by": list(claim.signed_by),
        "stands": claim.stands,
        "replaced_by": claim.replaced_by,
        "current": {
            "word": claim.current.word,
            "reason": claim.current.reason,
            "sources": [{"source": name, "fate": fate} for name, fate in claim.current.sources],
        },
    }


def _open(receipts: Path, pack: str | None, trust_file: Path | None) -> Book:
    progress = Progress(sys.stderr)
    try:
        return open_book(receipts, pack, trust_file, progress)
    finally:
        progress.clear()


def _say(claim: Claim) -> None:
    about = " ".join(part for part in (claim.entity, claim.property_name) if part) or spelled(claim.task)
    what = f"VALUE {claim.value}" if claim.state == "VALUE" else claim.state
    say(f"{claim.index}  {about}: {what} ({claim.how})")
    if claim.current.word != "unknown":
        say(f"  {_current(claim)}")


def _say_more(claim: Claim) -> None:
    say(f"  task: {spelled(claim.task)}")
    say(f"  snapshot: {claim.snapshot}")
    say(f"  signed by: {', '.join(claim.signed_by) or 'nobody who was asked for'}")
    if claim.current.word == "unknown":
        say(f"  current: {_current(claim)}")
    say("  stands" if claim.stands else f"  replaced by entry {claim.replaced_by}")


def _current(claim: Claim) -> str:
    found = claim.current
    reason = f" ({found.reason})" if found.reason else ""
    sources = "; ".join(f"source {name}: {fate.replace('_', ' ')}" for name, fate in found.sources)
    return _WHY[found.word] + reason + (f"; {sources}" if sources else "")


def _summary(book: Book) -> str:
    parts = [f"{len(book.standing())} stand"]
    if book.fallen():
        parts.append(f"{len(book.fallen())} no longer hold")
    replaced = sum(not claim.stands for claim in book.claims)
    if replaced:
        parts.append(f"{replaced} were replaced by a later acceptance of the same task")
    if book.left_out:
        parts.append(f"{book.left_out} are left out: no key that you trust signed them")
    return ", ".join(parts)
