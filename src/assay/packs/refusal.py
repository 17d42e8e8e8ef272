"""Pipes: refusals of packs, in one shape: what was found, what was needed, what to do."""

from __future__ import annotations

from assay.kernel.errors import InvalidPack

SHOWN = 80


def refusal(code: str, found: str, needed: str) -> InvalidPack:
    """The exception for `found`, with what was `needed` and what to do, in one line."""
    return InvalidPack(f"pack.{code}", f"{found}; {needed}")


def shown(text: str) -> str:
    """The text in backticks on one line, cut where it is long, control characters escaped."""
    cut = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    return "`" + "".join(ch if ch.isprintable() else repr(ch)[1:-1] for ch in cut) + "`"
