"""The programs in examples/ run and print what they are there to show."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from assay.api import sandboxes
from assay.sandbox.base import SandboxUnavailable
from assay.sandbox.opening import open_slot

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_claim_is_verified(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "verify_a_claim.py"))
    assert capsys.readouterr().out.splitlines() == [
        "REJECT value.not_equal",
        "  you may: count_residues, list_sources, look_up_entity",
        "ACCEPT ",
    ]


def test_code_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        open_slot(sandboxes.guest_codec()).close()
    except SandboxUnavailable as reason:
        pytest.skip(f"no sandbox of level A here: {reason}")
    runpy.run_path(str(EXAMPLES / "check_code.py"))
    assert capsys.readouterr().out == "DELIVERED 2\n"
