"""Doors: what a command writes, held against what it reads and against each other (docs/adr/0039)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from assay.api import writing
from assay.kernel.errors import InputError


class OutputFile(click.Path):
    """The name of a file that is written. One that ends in `/` names a folder, and is refused."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 -- click's signature
        """Return the path.

        Raises:
            InputError: `usage`: it can name no file.
        """
        text = os.fsdecode(value)
        if os.path.basename(text) in {"", ".", ".."}:  # noqa: PTH119 -- a Path has lost the last `/`
            raise InputError("usage", f"{_name(param)}: `{text}` names a folder; name a file")
        try:
            return super().convert(value, param, ctx)
        except ValueError:
            raise InputError("usage", f"{_name(param)}: `{text}` is no file name; name another") from None


FILE = OutputFile()


@dataclass(frozen=True, slots=True)
class Output:
    """A file, or a folder, that a command writes, and the option that names it."""

    option: str
    path: Path


def given(**named: Path | None) -> list[Output]:
    """The outputs that were asked for, by the names of their options."""
    return [Output(f"--{name.replace('_', '-')}", path) for name, path in named.items() if path is not None]


def ready(outputs: Sequence[Output], inputs: Iterable[Path | str | None] = (), receipts: Path | None = None) -> None:
    """Refuse outputs that would take the place of anything but an old plain file of their own; writes nothing.

    `inputs` are the files that the command reads, `receipts` is the folder in which it keeps receipts.

    Raises:
        InputError: `usage` or `output.file`, naming the option.
    """
    apart(outputs, inputs, receipts)
    for one in outputs:
        try:
            writing.place_of(one.path)
        except InputError as refused:
            raise InputError(refused.code, f"{one.option}: {refused}") from None


def apart(outputs: Sequence[Output], inputs: Iterable[Path | str | None] = (), receipts: Path | None = None) -> None:
    """Refuse outputs that are one of the inputs, one another, a standard stream, or in the folder of receipts.

    Raises:
        InputError: `usage`, naming the option.
    """
    read = [Path(one) for one in inputs if one is not None]
    for at, one in enumerate(outputs):
        if any(is_same(one.path, other) for other in [*read, *(before.path for before in outputs[:at])]):
            raise InputError(
                "usage", f"{one.option}: `{one.path}` is another file of this command too; name one of its own"
            )
        if receipts is not None and _overlap(one.path, receipts):
            raise InputError(
                "usage", f"{one.option}: `{one.path}` lies in the folder of receipts `{receipts}`; name one elsewhere"
            )
        if _is_standard(one.path):
            raise InputError(
                "usage", f"{one.option}: `{one.path}` is a standard stream of this command; name one of its own"
            )


def outside(folder: Output, inputs: Iterable[Path]) -> None:
    """Refuse a folder that is made anew and holds an input, which would go with what was in it.

    Raises:
        InputError: `usage`, naming the option.
    """
    for one in inputs:
        if _resolved(one).is_relative_to(_resolved(folder.path)):
            raise InputError("usage", f"{folder.option}: `{folder.path}` holds `{one}`, which is read; name another")


def folder(option: str, path: Path) -> None:
    """Refuse a file where a folder is to be made or written into.

    Raises:
        InputError: `usage`, naming the option.
    """
    if os.path.lexists(path) and not os.path.isdir(path):  # noqa: PTH112 -- no exception for a name that is none
        raise InputError("usage", f"{option}: `{path}` is no folder; name a folder")


def is_same(one: Path, other: Path) -> bool:
    """Whether both names mean one file, also where there is none yet."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return _resolved(one) == _resolved(other)


def _overlap(path: Path, folder: Path) -> bool:
    """Whether the file would lie in the folder, be the folder, or stand where the folder's parents are to be."""
    place, inside = _resolved(path), _resolved(folder)
    return place.is_relative_to(inside) or inside.is_relative_to(place)


def _is_standard(path: Path) -> bool:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return False
    if not stat.S_ISREG(found.st_mode):  # refused for what it is
        return False
    for descriptor in (0, 1, 2):
        try:
            if os.path.samestat(found, os.fstat(descriptor)):
                return True
        except OSError:  # it is closed
            continue
    return False


def _resolved(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except ValueError:  # a name that no file can have
        return path


def _name(param: click.Parameter | None) -> str:
    return param.opts[0] if param is not None and isinstance(param, click.Option) else "the file"
