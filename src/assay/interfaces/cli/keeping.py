"""Doors: receipts of a command: where they are kept, and with which key they are signed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from assay.api import signing, wiring
from assay.interfaces.cli import inputs, outputs
from assay.interfaces.cli.output import say_warning
from assay.interfaces.cli.outputs import Output
from assay.kernel.errors import InputError
from assay.receipts.signing import Signer

key: Final[Callable[[Callable[..., Any]], Callable[..., Any]]] = click.option(
    "--key",
    type=inputs.FILE,
    envvar=signing.KEY_VARIABLE,
    show_envvar=True,
    metavar="FILE",
    help="Sign every receipt with this private key (`assay keys new`); without one they are unsigned.",
)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps receipts in one folder, each in its own envelope where there is a signer."""

    folder: Path
    signer: Signer | None

    def ready(self, read: Iterable[Path | str | None] = ()) -> None:
        """Make the folder where it is missing: what a command asks before it begins. `read` are its input files.

        Raises:
            InputError: `usage`: an input is the file of receipts.
            LedgerFault: the folder cannot be made or written to, or holds something in the place of the log's files.
        """
        outputs.apart([Output("--receipts", self.folder / wiring.RECEIPTS)], read)
        wiring.receipts_file(self.folder)

    @property
    def signed_by(self) -> str | None:
        """The id of the key, for programs; None: unsigned."""
        return self.signer.keyid if self.signer is not None else None

    @property
    def form(self) -> str:
        """How the receipts stand, for people."""
        return f"signed by {self.signer.keyid[:16]}…" if self.signer is not None else "unsigned"

    def keep(self, receipt: bytes, private: Iterable[bytes] = ()) -> Path:
        """Append the receipt, its private files first; the path of `receipts.jsonl`.

        Raises:
            LedgerFault: it could not be kept.
        """
        return wiring.keep(self.folder, receipt, self.signer, private)


def keeper(receipts: Path | None, key_file: Path | None) -> Keeper | None:
    """Who keeps the receipts of the running command; None: none are wanted.

    Raises:
        InputError: the key cannot be used, or was given where no receipt is kept.
    """
    if receipts is None:
        context = click.get_current_context()
        # A key of the environment is for whatever is kept; one that was typed was meant to sign.
        if key_file is not None and context.get_parameter_source("key") is ParameterSource.COMMANDLINE:
            raise InputError("usage", "--key is given without --receipts, so nothing would be signed; give both")
        return None
    return keeper_of(receipts, key_file)


def keeper_of(receipts: Path, key_file: Path | None) -> Keeper:
    """Who keeps receipts in that folder.

    Raises:
        InputError: the key cannot be used, or a file stands where the folder is to be.
    """
    outputs.folder("--receipts", receipts)
    if key_file is None:
        return Keeper(receipts, None)
    signer = signing.signer(key_file)
    for warning in signing.warnings_of(key_file, "private key"):
        say_warning(warning)
    return Keeper(receipts, signer)
