"""Doors: the exit codes (docs/reference/exit-codes.md)."""

from __future__ import annotations

from typing import Final

OK: Final = 0
FAULT: Final = 1
USAGE: Final = 2
NO: Final = 3
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
