"""Desk: how many of what, in words."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """`1 task`, `2 tasks`; `many` where the plural is not an `s` more."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"
