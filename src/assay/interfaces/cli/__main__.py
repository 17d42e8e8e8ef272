"""Doors: `python -m assay.interfaces.cli`: the command `assay` where no entry point is installed."""

from __future__ import annotations

from assay.interfaces.cli import main

main()
