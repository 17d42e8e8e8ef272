"""Desk: opens a sandbox of this machine for the suites' codec. Light, for each worker process imports it."""

from __future__ import annotations

from importlib.resources import files

from assay.sandbox import base
from assay.sandbox.opening import open_slot


def guest_codec() -> str:
    """The source of the codec that runs beside a candidate."""
    return (files("assay.suite") / "guestcodec.py").read_text(encoding="utf-8")


def numbered_slot(codec: str, level: base.Level, number: int) -> base.Sandbox:
    """A worker's own sandbox. A function of the module, for workers are processes that import it.

    Raises:
        SandboxUnavailable: there is no sandbox of that level here.
    """
    return open_slot(codec, level, number=number)
