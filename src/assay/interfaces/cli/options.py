"""Doors: options that several commands have, in one wording."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from assay.kernel.errors import InputError

pack: Final = click.option(
    "--pack", required=True, metavar="NAME|DIR", help="A shipped pack's name, or the folder of any pack."
)
batch: Final = click.option("--batch", metavar="FILE|-", help="Many, one JSON object a line.")
as_json: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON, one document a line.")


def example(*lines: str) -> str:
    """The end of a command's help: an example that is printed as it stands."""
    return "\n".join(("\b", "Example:", *(f"  {line}" for line in lines)))


def either(batch_file: str | None, single: Mapping[str, str | None]) -> None:
    """Refuse a call with neither a batch nor all options of a single one, or with both.

    Raises:
        InputError: names what is missing or too much.
    """
    given = [name for name, text in single.items() if text is not None]
    if batch_file is not None and given:
        raise InputError("usage", f"--batch and {given[0]} are both given; keep one")
    missing = [name for name, text in single.items() if text is None]
    if batch_file is None and missing:
        raise InputError("usage", f"{missing[0]} is missing; give {' and '.join(single)}, or --batch")
