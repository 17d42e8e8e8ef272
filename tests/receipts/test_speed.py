"""The benchmark of receipts runs, and its two ways give the same bytes."""

import pytest
from benchmarks.receipt import by_hand, measure, parts, run

from assay.receipts.statement import receipt


def test_both_ways_give_the_same_bytes() -> None:
    assert receipt(parts()) == by_hand(parts())


def test_a_ratio_is_measured() -> None:
    assert measure(rounds=1) > 0


def test_the_ratio_is_printed_beside_what_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    run()
    assert "at least 0.5" in capsys.readouterr().out
