"""A log is computed again: what was changed, moved, repeated, taken away or hidden is told, each as its own fact."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.ledger.test_note import Key, check

from assay.kernel.errors import InputError, LedgerFault
from assay.ledger import note
from assay.ledger.checking import Findings, Trust, control, verify, walk_lines
from assay.ledger.log import append, append_all, init, lines
from assay.ledger.reading import LogFiles
from assay.ledger.tree import leaf_hash, root_of
from assay.receipts.signing import LogHead

ENTRIES = [b'{"entry":%d}' % i for i in range(600)]
TRUST = Trust((("ours", Key(1).public),), check)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    folder = tmp_path / "log"
    folder.mkdir()
    init(folder, "example.org/log")
    append_all(folder, ENTRIES)
    return folder


def rewrite(folder: Path, entries: list[bytes]) -> None:
    """Put other lines into the file, and nothing else."""
    (folder / "receipts.jsonl").write_bytes(b"".join(line + b"\n" for line in entries))


def forge(folder: Path, entries: list[bytes]) -> None:
    """Make a whole new log of the same name, which is right in itself."""
    origin = LogFiles(folder).checkpoint().head.origin
    shutil.rmtree(folder)
    folder.mkdir()
    init(folder, origin)
    append_all(folder, entries)


def test_a_right_log(log: Path) -> None:
    found = verify(log)
    assert found.verifies
    assert found.tree_holds
    assert (found.changed, found.damaged_tiles, found.walked.repeated) == ((), (), ())
    assert (found.signature, found.completeness, found.unacknowledged_bytes) == ("unsigned", "unknown", 0)
    assert found.controls == 6


def test_an_empty_log(tmp_path: Path) -> None:
    made = init(tmp_path)
    found = verify(tmp_path, [made.head])
    assert found.verifies
    assert (found.head.size, found.completeness) == (0, "goes_on")


Change = Callable[[list[bytes]], list[bytes]]


@pytest.mark.parametrize(
    ("change", "changed", "moved"),
    [
        pytest.param(lambda e: [*e[:300], e[300] + b" ", *e[301:]], (300,), False, id="one byte more"),
        pytest.param(lambda e: [e[1], e[0], *e[2:]], (0, 1), True, id="two in the other order"),
        pytest.param(lambda e: [*e[:9], e[8], *e[10:]], (9,), False, id="one in the place of another"),
        pytest.param(lambda e: [*e[:-1], b"{}"], (599,), False, id="the last one"),
    ],
)
def test_edits_and_another_order_show(log: Path, change: Change, changed: tuple[int, ...], moved: bool) -> None:
    rewrite(log, change(ENTRIES))
    found = verify(log)
    assert not found.verifies
    assert not found.tree_holds
    assert (found.changed, found.walked.is_other_order) == (changed, moved)


def test_what_was_taken_out_or_cut_shows(log: Path) -> None:
    for entries in (ENTRIES[1:], ENTRIES[:-1], ENTRIES[:256], [], [*ENTRIES[:5], b"new", *ENTRIES[5:]]):
        rewrite(log, entries)
        found = verify(log)
        assert not found.verifies
        assert not found.tree_holds


def test_an_edit_of_line_and_tile_shows_in_the_root(log: Path) -> None:
    place = log / "tile/0/000"
    data = place.read_bytes()
    place.write_bytes(leaf_hash(b"forged") + data[32:])
    rewrite(log, [b"forged", *ENTRIES[1:]])
    found = verify(log)
    assert not found.verifies
    assert found.changed == ()  # line and tile agree
    assert not found.tree_holds


def test_an_edit_of_line_tiles_and_checkpoint_shows_against_a_checkpoint_that_one_holds(log: Path) -> None:
    held = LogFiles(log).checkpoint().head
    forge(log, [b"forged", *ENTRIES[1:]])
    assert verify(log).verifies  # in itself it is a log
    assert verify(log).completeness == "unknown"
    found = verify(log, [held])
    assert not found.verifies
    assert found.completeness == "forked"


def test_truncation_shows_against_a_checkpoint_that_one_holds(log: Path) -> None:
    held = LogFiles(log).checkpoint().head
    forge(log, ENTRIES[:-1])
    assert verify(log).verifies
    found = verify(log, [held])
    assert (found.verifies, found.completeness) == (False, "truncated")


def test_truncation_of_the_lines_alone_is_truncation_too(log: Path) -> None:
    held = LogFiles(log).checkpoint().head
    rewrite(log, ENTRIES[:-1])
    assert verify(log, [held]).completeness == "truncated"


def test_a_log_goes_on_from_each_of_its_states_and_another_does_not(log: Path) -> None:
    states = [
        LogHead("example.org/log", n, root_of([leaf_hash(e) for e in ENTRIES[:n]])) for n in (0, 1, 255, 256, 600)
    ]
    found = verify(log, states)
    assert found.verifies
    assert [one.finding for one in found.held] == ["goes_on"] * 5
    other = replace(states[2], origin="example.org/other")
    found = verify(log, [states[1], other])
    assert (found.verifies, found.completeness) == (False, "other_log")
    assert [one.finding for one in found.held] == ["goes_on", "other_log"]


@given(st.integers(0, 600), st.booleans())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_only_the_states_that_a_log_had_are_its_own(log: Path, size: int, is_right: bool) -> None:
    root = root_of([leaf_hash(entry) for entry in ENTRIES[:size]])
    held = LogHead("example.org/log", size, root if is_right else leaf_hash(root))
    assert verify(log, [held]).completeness == ("goes_on" if is_right else "forked")


def test_repetition_shows_even_where_the_tree_is_right(tmp_path: Path) -> None:
    twice = [b"one", b"two", b"one"]
    head = LogHead("example.org/log", 3, root_of([leaf_hash(entry) for entry in twice]))
    (tmp_path / "receipts.jsonl").write_bytes(b"one\ntwo\none\n")
    (tmp_path / "checkpoint").write_bytes(note.checkpoint_of(head).note)
    (tmp_path / "tile/0/000.p").mkdir(parents=True)
    (tmp_path / "tile/0/000.p/3").write_bytes(b"".join(map(leaf_hash, twice)))
    found = verify(tmp_path)
    assert (found.verifies, found.tree_holds, found.walked.repeated) == (False, True, (2,))


def test_a_damaged_tile_is_not_taken_for_an_edit(log: Path) -> None:
    place = log / "tile/0/001"
    place.write_bytes(bytes(32) + place.read_bytes()[32:])
    found = verify(log)
    assert (found.verifies, found.tree_holds, found.changed) == (False, True, ())
    assert found.damaged_tiles == ("tile/0/001",)
    place.unlink()
    (log / "tile/1/000.p/2").unlink()
    assert verify(log).damaged_tiles == ("tile/0/001", "tile/1/000.p/2")


def test_what_stands_behind_the_checkpoint_is_counted_and_no_part_of_the_log(log: Path) -> None:
    with (log / "receipts.jsonl").open("ab") as file:
        file.write(b"not acknowledged\nhalf")
    found = verify(log)
    assert (found.verifies, found.unacknowledged_bytes) == (True, 21)


def test_whose_checkpoint_it_is(tmp_path: Path) -> None:
    append(tmp_path, b"one", Key(1))
    assert verify(tmp_path).signature == "unknown"
    assert verify(tmp_path, trust=TRUST).signature == "trusted"
    assert verify(tmp_path, trust=TRUST).signed_by == ("ours",)
    assert verify(tmp_path, trust=Trust((("theirs", Key(2).public),), check)).signature == "unknown"
    data = (tmp_path / "checkpoint").read_bytes()
    assert verify(tmp_path, trust=TRUST).verifies
    # The text of another state, with the signature over this one.
    (tmp_path / "receipts.jsonl").write_bytes(b"")
    text, _, signed = data.partition(b"\n\n")
    empty = note.checkpoint_of(LogHead(text.split(b"\n")[0].decode(), 0, root_of([]))).note
    (tmp_path / "checkpoint").write_bytes(empty + b"\n" + signed)
    found = verify(tmp_path, trust=TRUST)
    assert (found.signature, found.signed_by, found.tree_holds, found.verifies) == ("wrong", ("ours",), True, False)


def test_progress_is_told(log: Path) -> None:
    told: list[tuple[int, int]] = []
    verify(log, progress=lambda _, done, total: told.append((done, total)))
    assert told == [(256, 600), (512, 600), (600, 600)]


def test_there_has_to_be_a_log(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        verify(tmp_path)
    assert caught.value.code == "log.missing"
    init(tmp_path)
    (tmp_path / "receipts.jsonl").unlink()
    with pytest.raises(LedgerFault, match="no such file"):
        verify(tmp_path)


# The negative control


def test_the_control_refuses_six_forged_logs() -> None:
    assert control(walk_lines) == 6


@pytest.mark.parametrize(
    ("blind", "says"),
    [
        pytest.param(
            lambda w, honest: replace(w, size=honest.size, root=honest.root, other=(), repeated=(), tiles=()),
            "lets a forged log pass",
            id="says yes to all",
        ),
        pytest.param(
            lambda w, honest: replace(w, root=honest.root, other=(), tiles=()),
            "lets a forged log pass",
            id="sees no edit",
        ),
        pytest.param(lambda w, _: replace(w, tiles=("x",)), "refuses a right log", id="says no to all"),
    ],
)
def test_a_checker_that_is_broken_says_nothing(log: Path, blind: Callable[..., object], says: str) -> None:
    honest: list[object] = []

    def walk(*given: object) -> object:
        walked = walk_lines(*given)  # type: ignore[arg-type]
        honest.append(walked)  # the control gives the right log first
        return blind(walked, honest[0])

    with pytest.raises(LedgerFault, match=says) as caught:
        verify(log, walk=walk)  # type: ignore[arg-type]
    assert caught.value.code == "fault.checker"


def test_findings_are_values(log: Path) -> None:
    assert isinstance(verify(log), Findings)
    assert verify(log) == verify(log)
    assert list(lines(log / "receipts.jsonl")) == ENTRIES
