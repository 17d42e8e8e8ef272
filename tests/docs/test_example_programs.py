"""The programs in examples/ run and print what they are there to show."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from tests.support.sandbox_here import needs_sandbox

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_claim_is_verified(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "verify_a_claim.py"))
    assert capsys.readouterr().out.splitlines() == [
        "REJECT value.not_equal",
        "  you may: count_residues, list_sources, look_up_entity",
        "ACCEPT ",
    ]


@needs_sandbox
def test_code_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "check_code.py"))
    assert capsys.readouterr().out == "DELIVERED 2\n"
