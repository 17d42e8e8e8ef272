"""A private file is read strictly: what our own writer did not write keeps no run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assay.receipts.private import ObservedRun, Seen, observed_bytes
from assay.wire.observed import InvalidObserved, parse_observed

RUN = ObservedRun(
    b"\x01" * 32,
    "a" * 64,
    "b" * 64,
    True,
    (
        Seen(2, "returned", b"i2;"),
        Seen(0, "raised", names=("KeyError", "Exception"), own="Own"),
        Seen(1, "not_a_value"),
        Seen(3, "too_large"),
        Seen(4, "printed", b"\xff"),
        Seen(5, "exited"),
    ),
    "crash",
    6,
)


def test_what_was_written_is_read() -> None:
    assert parse_observed(observed_bytes(RUN)) == RUN
    assert parse_observed(observed_bytes(ObservedRun(RUN.salt, "a" * 64, "b" * 64, False, ()))).how == ""


def test_half_a_surrogate_in_a_class_s_name_has_bytes() -> None:
    run = ObservedRun(RUN.salt, "a" * 64, "b" * 64, False, (Seen(0, "raised", own="\ud800"),))
    assert parse_observed(observed_bytes(run)).seen[0].own == "\\ud800"


def test_observations_are_not_shown_by_repr() -> None:
    assert "i2;" not in repr(RUN) + repr(RUN.seen[0])


def _changed(**more: Any) -> bytes:
    return json.dumps({**json.loads(observed_bytes(RUN)), **more}).encode()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"[]", "observed.version", id="no object"),
        pytest.param(b"{", "observed.json", id="no JSON"),
        pytest.param(_changed(observed="assay.observed/2"), "observed.version", id="another version"),
        pytest.param(_changed(salt="00"), "observed.shape", id="a short salt"),
        pytest.param(_changed(salt="0" * 63 + "\n"), "observed.shape", id="a line break in the salt"),
        pytest.param(_changed(candidate_sha256="A" * 64), "observed.shape", id="capital digits"),
        pytest.param(_changed(more=1), "observed.shape", id="an unknown key"),
        pytest.param(_changed(again=1), "observed.shape", id="one for true"),
        pytest.param(
            _changed(seen=[{"case": 0, "what": "returned", "data": "abc"}]), "observed.shape", id="odd digits"
        ),
        pytest.param(_changed(seen=[{"case": 0, "what": "returned"}]), "observed.shape", id="a value without bytes"),
        pytest.param(_changed(seen=[{"case": 2000, "what": "exited"}]), "observed.shape", id="a case beyond all"),
        pytest.param(_changed(seen=[{"case": 0, "what": "else"}]), "observed.shape", id="an unknown word"),
        pytest.param(_changed(ending={"how": "bored", "at": None}), "observed.shape", id="an unknown ending"),
    ],
)
def test_anything_else_keeps_no_run(data: bytes, code: str) -> None:
    with pytest.raises(InvalidObserved) as caught:
        parse_observed(data)
    assert caught.value.code == code
