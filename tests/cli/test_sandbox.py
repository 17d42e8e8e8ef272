"""`assay sandbox doctor`: what is printed for what was found, and that it looks at all."""

from __future__ import annotations

from typing import Any

import pytest

from assay.api import examining
from assay.interfaces.cli.sandbox import report
from assay.sandbox.base import Level, Standing
from assay.sandbox.doctor import Examination, Reached, Tried


def found(*levels: Reached, tried: tuple[Tried, ...] = ()) -> Examination:
    return Examination("Linux", "x86_64", "6.1", "python3", as_root=False, landlock_abi=4, tried=tried, levels=levels)


HELD = {"files": Standing.ENFORCED, "network": Standing.ENFORCED}
SHORT = {"files": Standing.ENFORCED, "view": Standing.PARTIAL}
FULL = Reached(Level.A, reached=True, properties=HELD)
WEAK = Reached(Level.B, reached=True, properties=SHORT, open_acts=("view.list open",))


@pytest.mark.parametrize(
    ("examination", "code", "last"),
    [
        pytest.param(found(FULL, WEAK), 0, "this machine offers: level A", id="level A"),
        pytest.param(
            found(Reached(Level.A, reached=False, properties={}, why="no unshare; as root: `sysctl`"), WEAK),
            1,
            "fix: no unshare; as root: `sysctl`",
            id="a slot that does not open says what mends it",
        ),
        pytest.param(
            found(
                Reached(Level.A, reached=False, properties=SHORT),
                tried=(Tried("interpreter", works=True), Tried("Landlock", works=False, why="Landlock: none; boot")),
            ),
            1,
            "fix: Landlock: none; boot",
            id="else the part that fails",
        ),
        pytest.param(
            found(Reached(Level.A, reached=False, properties=SHORT)),
            1,
            "fix: level A is not reached: `view` is partial",
            id="else the property that did not hold",
        ),
    ],
)
def test_the_code_says_whether_level_a_is_reached(
    capsys: pytest.CaptureFixture[str], examination: Examination, code: int, last: str
) -> None:
    assert report(examination, as_json=False) == code
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_what_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    report(found(FULL, WEAK), as_json=False)
    out = capsys.readouterr().out
    assert "  `view` is partial\n  the probe got through: view.list open\n" in out
    assert "  enforced: files, network\n" in out


def test_nothing_may_run_where_no_level_is_reached(capsys: pytest.CaptureFixture[str]) -> None:
    none = tuple(Reached(level, reached=False, properties={}, why="no sandbox for Plan 9") for level in Level)
    assert report(found(*none), as_json=False) == 1
    out = capsys.readouterr().out
    assert "this machine offers: nothing may run here\nfix: no sandbox for Plan 9\n" in out
    assert examining.document(found(*none))["level"] is None


def test_this_machine_is_examined(call: Any) -> None:
    done = call("sandbox", "doctor", "--json")
    (document,) = done.documents
    assert done.code == (0 if document["level"] == "A" else 1)
    assert (document["fix"] is None) is (document["level"] == "A")
    assert [level["level"] for level in document["levels"]] == ["A", "B"]


def test_review_the_doctor_does_not_send_to_itself(capsys: pytest.CaptureFixture[str]) -> None:
    why = "the warm interpreter stopped at `x`; see `assay sandbox doctor`"
    report(found(FULL, Reached(Level.B, reached=False, properties={}, why=why)), as_json=False)
    assert "level B: not reached: the warm interpreter stopped at `x`\n" in capsys.readouterr().out
