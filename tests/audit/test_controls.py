"""The negative control: a checker of signatures that is broken either way says nothing."""

from __future__ import annotations

import pytest

from assay.audit import controls
from assay.audit.reading import perhaps
from assay.kernel.errors import Fault
from assay.ledger.signing import is_signature


def test_the_checker_in_use_refuses_four_forged_envelopes() -> None:
    assert controls.signatures(is_signature) == 4


def test_a_checker_that_takes_everything_says_nothing() -> None:
    with pytest.raises(Fault, match="lets a forged receipt pass") as fault:
        controls.signatures(lambda *_: True)
    assert fault.value.code == "fault.checker"


def test_a_checker_that_takes_nothing_says_nothing() -> None:
    with pytest.raises(Fault, match="refuses a right signature"):
        controls.signatures(lambda *_: False)


def test_null_is_nothing_and_a_missing_field_is_a_finding() -> None:
    assert perhaps({"how": None}, "how", str) is None
    assert perhaps({"how": "x"}, "how", str) == "x"
