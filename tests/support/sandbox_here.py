"""Whether this machine has a sandbox of level A: looked at once for all tests of a process."""

from __future__ import annotations

from functools import cache

import pytest

from assay.api.sandboxes import guest_codec
from assay.sandbox.base import SandboxUnavailable
from assay.sandbox.opening import open_slot


@cache
def missing() -> str:
    """Return why candidates cannot be run here; empty where they can."""
    try:
        open_slot(guest_codec()).close()
    except SandboxUnavailable as reason:
        return str(reason)
    return ""


needs_sandbox = pytest.mark.skipif(bool(missing()), reason=f"no sandbox of level A here: {missing()}")
