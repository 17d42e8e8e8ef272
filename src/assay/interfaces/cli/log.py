"""Doors: `assay log`: the log in which receipts stand (spec/log.md)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import click

from assay.api import logs, signing
from assay.interfaces.cli import codes, inputs, keeping, options, outputs
from assay.interfaces.cli.keys import trust_option
from assay.interfaces.cli.output import say, say_json
from assay.interfaces.cli.progress import Progress
from assay.kernel.errors import InputError
from assay.ledger.checking import MAX_TOLD, Findings
from assay.receipts.signing import LogHead

_FILE: Final = click.Path(path_type=Path)
_MAX_NOTE: Final = 1 << 17
_folder: Final = click.argument("folder", type=_FILE, metavar="DIR")

_COMPLETENESS: Final = {
    "unknown": "unknown (a log that was cut looks like this one; give a checkpoint that you kept: --checkpoint)",
    "goes_on": "the log goes on from every checkpoint that you gave",
    "truncated": "TRUNCATED: a checkpoint that you gave has more entries",
    "forked": "FORKED: the entries of a checkpoint that you gave were others",
    "other_log": "OTHER LOG: a checkpoint that you gave is of another origin",
}


@click.group(epilog=options.example("assay log verify receipts"))
def log() -> None:
    """Verify, prove and anchor the log in which receipts stand.

    DIR is the folder that was given with --receipts: receipts.jsonl, its tree, and its checkpoint.
    """


@log.command(epilog=options.example("assay log init receipts --origin example.org/receipts"))
@_folder
@click.option("--origin", default="", metavar="NAME", help="What the log is called (default: a random name).")
@keeping.key
@options.as_json
def init(*, folder: Path, origin: str, key: Path | None, as_json: bool) -> int:
    """Begin a log in DIR, of the receipts that are there.

    The first receipt does the same where nobody did; this gives the log a name. Lines that repeat earlier ones are
    taken out, and the file as it was is kept as receipts.jsonl.adopted.
    """
    keeper = keeping.keeper_of(folder, key)
    progress = Progress(sys.stderr)
    made = logs.begin(folder, origin, keeper.signer, progress)
    progress.clear()
    if as_json:
        say_json({"origin": made.head.origin, "size": made.head.size, "root_sha256": made.head.root.hex()})
    else:
        say(f"log {made.head.origin}: {_entries(made.head.size)}, {keeper.form}")
    return codes.OK


@log.command(epilog=options.example("assay log show receipts", "assay log show receipts 17"))
@_folder
@click.argument("index", required=False, type=int, metavar="[INDEX]")
@trust_option
@options.as_json
def show(*, folder: Path, index: int | None, trust_file: Path | None, as_json: bool) -> int:
    """Show the state of the log, or an entry of it; the first is 0.

    An entry is printed as it stands, after its hash was compared with the tree; so --json changes nothing there.
    """
    if index is not None:
        sys.stdout.buffer.write(logs.entry(folder, index) + b"\n")
        return codes.OK
    found = logs.checkpoint(folder)
    document = logs.state_document(found, trust_file)
    if as_json:
        say_json(document)
        return codes.OK
    say(f"log {found.head.origin}: {_entries(found.head.size)}, root {document['root']}")
    trusted = document["verifier_keys"]
    for line in trusted if isinstance(trusted, list) else ():
        say(f"signed by a key that you trust: {line}")
    if not trusted:
        say("signed by no key that you trust" if found.signatures else "unsigned")
    return codes.OK


@log.command(
    epilog=options.example(
        "assay log verify receipts --checkpoint kept.txt",
        "git notes --ref=assay show | assay log verify receipts --checkpoint -",
    )
)
@_folder
@click.option(
    "--checkpoint",
    "--from",
    "held",
    multiple=True,
    metavar="FILE|-",
    help="A checkpoint that you kept; may be given several times.",
)
@click.option("--signed", is_flag=True, help="Say no unless a key that you trust signed the checkpoint.")
@trust_option
@options.as_json
def verify(*, folder: Path, held: tuple[str, ...], signed: bool, trust_file: Path | None, as_json: bool) -> int:
    """Compute the log again, and say what speaks against it.

    Edits, another order, repetition and missing lines show in the log alone. Whether something was cut off, or another
    log was put in its place, shows only against a checkpoint that you kept elsewhere. First the checker has to refuse
    logs that are forged.

    An unsigned checkpoint speaks against a log only with --signed: where a log used to be signed, use it.

    Ends with 0 if nothing speaks against the log, else with 3.
    """
    progress = Progress(sys.stderr)
    found = logs.verify(folder, [_held(name) for name in held], trust_file, progress)
    progress.clear()
    fits = found.verifies and (found.signature == "trusted" or not signed)
    if as_json:
        say_json(logs.findings_document(found))
    else:
        _say(found, fits=fits)
    return codes.OK if fits else codes.NO


@log.command(
    epilog=options.example("assay log prove receipts 17 > proof.json", "assay log prove receipts --since kept.txt")
)
@_folder
@click.argument("index", required=False, type=int, metavar="[INDEX]")
@click.option("--since", metavar="FILE|-", help="Prove that the log goes on from this checkpoint.")
@options.as_json
def prove(*, folder: Path, index: int | None, since: str | None, as_json: bool) -> int:
    """Print the proof that an entry is in the log, or that the log goes on from a checkpoint; as JSON.

    The proof was checked before it is printed.
    """
    if (index is None) == (since is None):
        raise InputError("usage", "give either INDEX, the entry to prove, or --since, the checkpoint to go on from")
    say_json(logs.inclusion(folder, index) if index is not None else logs.consistency(folder, _held(str(since))))
    return codes.OK


@log.command(
    epilog=options.example(
        "assay log checkpoint receipts --out kept.txt", "assay log checkpoint receipts | git notes …"
    )
)
@_folder
@click.option("--out", type=outputs.FILE, metavar="FILE", help="Write it there; the file may not be there yet.")
@options.as_json
def checkpoint(*, folder: Path, out: Path | None, as_json: bool) -> int:
    """Print the checkpoint of the log, or write it into a file: keep it where who writes the log cannot write."""
    outputs.apart(outputs.given(out=out), receipts=folder)
    found = logs.checkpoint(folder)
    if out is not None:
        _write(out, found.note)
    if as_json:
        say_json(
            {
                "origin": found.head.origin,
                "size": found.head.size,
                "root_sha256": found.head.root.hex(),
                "checkpoint": found.note.decode(),
            }
        )
    elif out is None:
        sys.stdout.buffer.write(found.note)
    else:
        say(f"checkpoint of {found.head.origin}, {_entries(found.head.size)}: {out}")
    return codes.OK


def _say(found: Findings, *, fits: bool) -> None:
    walked = found.walked
    say(f"log {found.head.origin}: {_entries(found.head.size)}")
    say(f"negative control: {found.controls} forged logs refused")
    if walked.size < found.head.size:
        say(f"entries: MISSING: the file has {walked.size} whole lines of {found.head.size}")
    if found.changed:
        what = "IN ANOTHER ORDER" if walked.is_other_order else "CHANGED"
        say(f"hashes: {what}: {_named(found.changed)}")
    else:
        say("hashes: hold" if found.tree_holds else "hashes: do not show which entry was changed")
    say(
        "tree: gives the root of the checkpoint"
        if found.tree_holds
        else "tree: DOES NOT give the root of the checkpoint"
    )
    if found.damaged_tiles:
        say(f"tiles: DAMAGED: {', '.join(found.damaged_tiles[:MAX_TOLD])}; the entries are right, so move `tile` away")
    say(f"repeated: {_named(walked.repeated) if walked.repeated else 'none'}")
    say(f"checkpoint: {_signature(found)}")
    say(f"completeness: {_COMPLETENESS[found.completeness]}")
    if found.unacknowledged_bytes:
        say(f"behind the checkpoint: {found.unacknowledged_bytes} bytes that were never acknowledged")
    if fits:
        say("nothing speaks against the log")
    else:
        say("the log DOES NOT verify" + (": no key that you trust signed it" if found.verifies else ""))


def _signature(found: Findings) -> str:
    match found.signature:
        case "unsigned":
            return "unsigned"
        case "trusted":
            return f"signed by {', '.join(found.signed_by)}"
        case "wrong":
            return f"WRONG SIGNATURE in the name of {', '.join(found.signed_by)}"
        case _:
            return "signed by no key that you trust"


def _named(indices: tuple[int, ...]) -> str:
    """The first of them, and how many more there are."""
    more = len(indices) - MAX_TOLD
    shown = ", ".join(map(str, indices[:MAX_TOLD]))
    return f"entry {shown}" if len(indices) == 1 else f"entries {shown}" + (f" and {more} more" if more > 0 else "")


def _entries(size: int) -> str:
    return "1 entry" if size == 1 else f"{size} entries"


def _held(name: str) -> LogHead:
    data = sys.stdin.buffer.read(_MAX_NOTE) if name == "-" else inputs.read_file(name, _MAX_NOTE)
    try:
        return signing.log_head(data)
    except InputError as refused:
        raise InputError(refused.code, f"`{name}`: {refused}") from None


def _write(path: Path, data: bytes) -> None:
    # A checkpoint that was kept is never written over: it may be the one that shows what happened.
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    except FileExistsError:
        raise InputError(
            "log.out", f"file `{path}` is there, and may be a checkpoint that was kept; name another"
        ) from None
    except OSError as fault:
        reason = (fault.strerror or "cannot be written").lower()
        raise InputError("log.out", f"file `{path}`: {reason}; name another") from None
    with os.fdopen(file, "wb") as out:
        out.write(data)
