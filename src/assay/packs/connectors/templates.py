"""Pipes: small templates by which a recipe makes cells from a row's columns (spec/pack.md §9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from assay.packs.refusal import refusal, shown

_HOLE: Final = re.compile(r"\{([^{}|]*)((?:\|[^{}|]+)*)\}")
_SLUG: Final = re.compile(r"[^a-z0-9]+")


def fill(template: str, cells: Mapping[str, str], piece: str = "") -> str:
    """The template with `{column}` and `{}` (the piece at hand) replaced, each through its `|filter`s.

    Raises:
        InvalidPack: a column or filter that is not there.
    """

    def replaced(match: re.Match[str]) -> str:
        name = match[1]
        if name and name not in cells:
            raise refusal(
                "recipe", f"template {shown(template)}: no column {shown(name)}", f"columns are {', '.join(cells)}"
            )
        text = cells[name] if name else piece
        for word in match[2].split("|")[1:]:
            text = _filtered(text, word)
        return text

    return _HOLE.sub(replaced, template)


def slug(name: str) -> str:
    """The local part that stands for a printed name: lower case, runs of other characters become one hyphen.

    `vacuum mag. permeability` → `vacuum-mag-permeability`.
    """
    return _SLUG.sub("-", name.lower()).strip("-")


def _filtered(text: str, word: str) -> str:
    name, _, argument = word.partition(":")
    match name:
        case "slug":
            return slug(text)
        case "after":
            # What is not there is not cut: a row of another form shows in its identifier, not in silence.
            return text.removeprefix(argument)
        case "strip":
            return text.strip()
        case _:
            raise refusal("recipe", f"unknown filter {shown(word)}", "slug, strip and after:TEXT are known")
