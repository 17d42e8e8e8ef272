"""Desk: which key signs, whose keys count, and where both lie (spec/receipt.md §8, §9; docs/adr/0033)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from assay.kernel.errors import InputError
from assay.ledger import keys
from assay.ledger.note import parse_checkpoint
from assay.ledger.signing import is_signature, new_signer
from assay.receipts.envelope import Envelope, IsLogged, Signed, never_logged, signed_by
from assay.receipts.signing import LogHead, Revoked, Signer, TrustedKey, keyid_of
from assay.wire.trust import MAX_KEYS, name_of

KEY_VARIABLE: Final = "ASSAY_KEY"
TRUST_FILE: Final = "trust.json"
KEYS: Final = "keys"
ADVICE: Final = (
    "who can read the private key can sign in its name: sign in CI, not in the workspace of an agent, and keep the file"
    " where no agent reads"
)

_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}").fullmatch
_SHORTEST: Final = 8  # digits of a key id that may stand for it


@dataclass(frozen=True, slots=True)
class NewKey:
    """A pair of files that was written."""

    keyid: str
    private: Path
    public: Path


def config_folder() -> Path:
    """The user's folder for assay: `$XDG_CONFIG_HOME/assay`, else `.config/assay` at home. Nothing is made.

    Raises:
        InputError: `key.folder`: there is neither.
    """
    # A relative path in that variable is to be ignored (XDG base directories), and would lie in the checkout.
    named = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    if named.is_absolute():
        return named / "assay"
    try:
        return Path.home() / ".config" / "assay"
    except RuntimeError:
        raise InputError("key.folder", "there is no home folder; set XDG_CONFIG_HOME, or name the files") from None


def trust_file(named: Path | None = None) -> Path:
    """The trust file: the one that was named, else the user's."""
    return named if named is not None else config_folder() / TRUST_FILE


def signer(file: str | Path) -> Signer:
    """Who signs with the private key in that file.

    Raises:
        InputError: it cannot be read, others can read it, or it is none.
    """
    return keys.read_private(Path(file))


def new_key(name: str = "assay", out: Path | None = None, *, force: bool = False) -> NewKey:
    """Make a key, in the file `out`, else in the user's folder under that name; nobody trusts it yet.

    Raises:
        InputError: the name is none, the file is there, or it would lie in a git work tree.
    """
    if _FILE_NAME(name) is None:
        raise InputError("key.file", f"`{name}` is no name for a file; letters, digits, `_`, `-` and `.`, at most 64")
    path = out if out is not None else config_folder() / KEYS / f"{name}.pem"
    made = new_signer()
    public = keys.write_pair(path, made, force=force)
    return NewKey(made.keyid, path, public)


def keyid_in(file: Path) -> str:
    """The id of the public key in that file.

    Raises:
        InputError: it is none.
    """
    return keyid_of(keys.read_public(file))


def trusted(named: Path | None = None) -> tuple[TrustedKey, ...]:
    """The keys that count: of the trust file that was named, else of the user's, which may be missing: none then.

    Raises:
        InputError: the file cannot be read, or is none.
    """
    return keys.read_trust(trust_file(named), missing_ok=named is None)


def trust(file: Path, name: str, named: Path | None = None) -> TrustedKey:
    """Add the public key in that file to the trust file.

    Raises:
        InputError: it is none, or the key or the name stands there already.
    """
    key = TrustedKey(keys.read_public(file), name_of(name))

    def add(held: tuple[TrustedKey, ...]) -> tuple[TrustedKey, ...]:
        for one in held:
            if one.keyid == key.keyid:
                raise InputError("trust.key", f"the key is trusted already, as `{one.name}`; nothing was changed")
            if one.name == key.name:
                raise InputError("trust.name", f"another key is called `{one.name}`; give it another --name")
        if len(held) >= MAX_KEYS:
            raise InputError("trust.shape", f"there are {MAX_KEYS} keys already; remove one that nobody uses")
        return (*held, key)

    keys.change_trust(trust_file(named), add)
    return key


def revoke(wanted: str, after: LogHead | None, named: Path | None = None) -> TrustedKey:
    """Say that signatures of the key count no more, but for receipts in that state of a log.

    `wanted` is its name, its id, or the first eight digits of the id or more.

    Raises:
        InputError: `trust.not_found`, `trust.revoked`, or the file cannot be used.
    """
    found: list[TrustedKey] = []

    def change(held: tuple[TrustedKey, ...]) -> tuple[TrustedKey, ...]:
        key = the_key(held, wanted)
        if key.revoked is not None:
            raise InputError("trust.revoked", f"key `{key.name}` was revoked before; nothing was changed")
        found.append(replace(key, revoked=Revoked(after)))
        return tuple(found[0] if one.keyid == key.keyid else one for one in held)

    keys.change_trust(trust_file(named), change)
    return found[0]


def the_key(held: Iterable[TrustedKey], wanted: str) -> TrustedKey:
    """The key of that name, id, or beginning of an id.

    Raises:
        InputError: `trust.not_found`: there is none, or there are several.
    """
    every = tuple(held)
    exact = [key for key in every if wanted in {key.name, key.keyid}]
    begun = [key for key in every if len(wanted) >= _SHORTEST and key.keyid.startswith(wanted)]
    match exact or begun:
        case [key]:
            return key
        case []:
            names = ", ".join(f"`{key.name}`" for key in every[:8]) or "none"
            raise InputError("trust.not_found", f"no trusted key `{wanted}`; there are: {names}")
        case _:
            raise InputError("trust.not_found", f"several keys begin with or are called `{wanted}`; give the whole id")


def log_head(checkpoint: bytes) -> LogHead:
    """The state of the log that a checkpoint states; who signed it is not looked at.

    Raises:
        InputError: `log.checkpoint`: it is none.
    """
    return parse_checkpoint(checkpoint).head


def whose(envelope: Envelope, held: Iterable[TrustedKey], is_logged: IsLogged = never_logged) -> Signed:
    """What the signatures of the envelope are worth to who trusts these keys."""
    return signed_by(envelope, held, is_signature, is_logged)


def warnings_of(path: Path, name: str) -> tuple[str, ...]:
    """What is wrong with where a file of trust or a key lies, seen from the working folder."""
    return keys.warnings_of(path, Path.cwd(), name)
