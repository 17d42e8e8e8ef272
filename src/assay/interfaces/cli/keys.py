"""Doors: `assay keys`: the user's keys, and whose signatures count (spec/receipt.md §8, §9)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from assay.api import signing
from assay.interfaces.cli import codes, inputs, options, outputs
from assay.interfaces.cli.output import say, say_json, say_warning, table
from assay.receipts.signing import TrustedKey
from assay.wire.trust import key_document

NOTHING: Final = "none"
_FILE: Final = inputs.FILE

trust_option: Final = click.option(
    "--trust", "trust_file", type=_FILE, metavar="FILE", help="The trust file (default: the one of your configuration)."
)


@click.group()
def keys() -> None:
    """Make keys, and say whose signatures count.

    There is no default key. Commands that keep receipts sign with --key FILE or ASSAY_KEY.
    """


@keys.command(epilog=options.example("assay keys new --name ci"))
@click.option("--name", default="assay", show_default=True, metavar="NAME", help="Of the files in your configuration.")
@click.option(
    "--out", type=outputs.FILE, metavar="FILE.pem", help="Write the private key there; the public one beside it."
)
@click.option("--force", is_flag=True, help="Write a private key even into a git work tree.")
@options.as_json
def new(*, name: str, out: Path | None, force: bool, as_json: bool) -> int:
    """Make a key: the private half, which only you can read, and the public half.

    Sign in CI, not in the workspace of an agent: who can read the private key can sign in its name. It is refused in a
    git work tree, where an agent may work and a commit may take it along. Nobody trusts the key yet: `keys trust`.
    """
    made = signing.new_key(name, out, force=force)
    if as_json:
        say_json({"keyid": made.keyid, "private": str(made.private), "public": str(made.public)})
        return codes.OK
    say(f"key {made.keyid}")
    say(f"private: {made.private} (only you can read it)")
    say(f"public:  {made.public}")
    say(signing.ADVICE)
    say(f'whoever checks its signatures: assay keys trust {made.public} --name "…"')
    return codes.OK


@keys.command(epilog=options.example("assay keys show", "assay keys show ci.pub.pem --json"))
@click.argument("file", required=False, type=_FILE, metavar="[FILE.pem]")
@trust_option
@options.as_json
def show(*, file: Path | None, trust_file: Path | None, as_json: bool) -> int:
    """Show the keys that you trust, or the id of the public key in a file."""
    if file is not None:
        keyid = signing.keyid_in(file)
        if as_json:
            say_json({"keyid": keyid})
        else:
            say(f"key {keyid}")
        return codes.OK
    place = signing.trust_file(trust_file)
    held = signing.trusted(trust_file)
    found = signing.warnings_of(place, "trust file")
    if as_json:
        say_json({"trust": str(place), "keys": [key_document(key) for key in held], "warnings": list(found)})
        return codes.OK
    _warn(found)
    say(f"trust file: {place}")
    for line in table(("name", "key", "counts"), [[key.name, key.keyid, _counts(key)] for key in held]):
        say(line)
    if not held:
        say("no key is trusted, so no signature counts")
    return codes.OK


@keys.command(epilog=options.example('assay keys trust ci.pub.pem --name "continuous integration"'))
@click.argument("file", type=_FILE, metavar="FILE.pem")
@click.option("--name", required=True, metavar="TEXT", help="What you call whoever holds the private half.")
@trust_option
@options.as_json
def trust(*, file: Path, name: str, trust_file: Path | None, as_json: bool) -> int:
    """Let signatures of a public key count.

    The trust file belongs where no agent can edit it: in your configuration, not in the checkout.
    """
    return _changed(signing.trust(file, name, trust_file), trust_file, as_json=as_json)


@keys.command(epilog=options.example("assay keys revoke ci --after checkpoint.txt"))
@click.argument("key", metavar="KEY")
@click.option(
    "--after",
    required=True,
    metavar=f"CHECKPOINT|{NOTHING}",
    help=f"The last checkpoint that you vouch for; `{NOTHING}`: nothing that it signed counts any more.",
)
@trust_option
@options.as_json
def revoke(*, key: str, after: str, trust_file: Path | None, as_json: bool) -> int:
    """Let signatures of a key count no more, but for receipts in a log as it was at a checkpoint.

    KEY is a name, an id, or the first eight digits of an id. Take the checkpoint from where you anchored it: a stolen
    key signs checkpoints too, so nobody's signature on it is asked for.
    """
    head = None if after == NOTHING else signing.log_head(inputs.read_file(after))
    return _changed(signing.revoke(key, head, trust_file), trust_file, as_json=as_json)


def _changed(key: TrustedKey, trust_file: Path | None, *, as_json: bool) -> int:
    place = signing.trust_file(trust_file)
    found = signing.warnings_of(place, "trust file")
    if as_json:
        document: dict[str, Any] = {"trust": str(place), "key": key_document(key), "warnings": list(found)}
        say_json(document)
        return codes.OK
    _warn(found)
    say(f"key {key.keyid} ({key.name}): {_counts(key)}")
    say(f"trust file: {place}")
    return codes.OK


def _counts(key: TrustedKey) -> str:
    """What of the key counts, in words."""
    if key.revoked is None:
        return "counts"
    head = key.revoked.after
    return "revoked" if head is None else f"revoked; counts in {head.origin} below entry {head.size}"


def _warn(found: tuple[str, ...]) -> None:
    for text in found:
        say_warning(text)
