"""Storey 8, doors, inside `interfaces`: the command line."""

from assay.interfaces.cli.app import main

__all__ = ["main"]
