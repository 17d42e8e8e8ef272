"""The log: an entry is kept whole or not at all, once, whoever dies, however many write, however full the disk."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.ledger import naive_tree as naive
from tests.ledger.test_note import Key

from assay.kernel.errors import InputError, LedgerFault
from assay.ledger import files, recovery, seen
from assay.ledger.log import Appender, append, append_all, init, lines
from assay.ledger.reading import ENDS, SEEN, Damaged, LogFiles
from assay.receipts.signing import LogHead


def holds(folder: Path) -> list[bytes]:
    """Return the lines, which the checkpoint and every proof must be of."""
    found = list(lines(folder / "receipts.jsonl"))
    log = LogFiles(folder)
    head = log.checkpoint().head
    assert (head.size, head.root) == (len(found), naive.mth(found))
    for index in range(0, len(found), max(len(found) // 7, 1)):
        assert list(log.prove(index).hashes) == naive.path(index, found)
        assert log.entry(index, head.size) == found[index]
    return found


def test_entries_come_back_in_order(tmp_path: Path) -> None:
    assert [append(tmp_path, line) for line in (b"one", b"two", b"")] == [0, 1, 2]
    assert holds(tmp_path) == [b"one", b"two", b""]
    assert (tmp_path / "receipts.jsonl").read_bytes() == b"one\ntwo\n\n"


def test_an_entry_that_is_there_is_not_put_there_again(tmp_path: Path) -> None:
    assert append_all(tmp_path, [b"one", b"two", b"one"]) == [0, 1, 0]
    before = (tmp_path / "checkpoint").read_bytes()
    assert append(tmp_path, b"two") == 1
    assert append_all(tmp_path, []) == []
    assert (tmp_path / "checkpoint").read_bytes() == before
    assert append_all(tmp_path, [b"two", b"three", b"three"]) == [1, 2, 2]
    assert holds(tmp_path) == [b"one", b"two", b"three"]


def test_however_it_grows_it_is_the_same_tree(tmp_path: Path) -> None:
    entries = [b"entry %d" % i for i in range(1100)]
    done = 0
    for step in (1, 2, 250, 3, 1, 511, 300, 32):
        assert append_all(tmp_path, entries[done : done + step]) == list(range(done, done + step))
        done += step
    assert holds(tmp_path) == entries
    # Of whole tiles no partial one is left, and nothing half written.
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {name for name in names if ".p/" in name and name.startswith("tile/0")} == {
        "tile/0/004.p/44",
        "tile/0/004.p/76",
    }
    assert not [name for name in names if name.endswith(".part")]


def test_every_file_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        append_all(tmp_path, [b"entry %d" % i for i in range(300)])
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*") if path.is_file()}
    assert set(modes.values()) == {0o600}, modes
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*") if path.is_dir()} == {0o700}


def test_no_file_holds_no_line(tmp_path: Path) -> None:
    assert list(lines(tmp_path / "receipts.jsonl")) == []


def test_a_line_break_inside_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerFault, match="line break"):
        append_all(tmp_path, [b"one", b"two\nthree"])
    assert list(tmp_path.iterdir()) == []


def test_a_plain_file_is_adopted(tmp_path: Path) -> None:
    (tmp_path / "receipts.jsonl").write_bytes(b"one\ntwo\nhalf")
    assert append(tmp_path, b"three") == 2
    assert holds(tmp_path) == [b"one", b"two", b"three"]
    assert (tmp_path / "receipts.jsonl.torn").read_bytes() == b"half\n"
    assert not (tmp_path / "receipts.jsonl.adopted").exists()


def test_lines_that_repeat_are_taken_out_when_a_file_is_adopted_and_the_file_is_kept(tmp_path: Path) -> None:
    old = b"one\ntwo\none\nthree\ntwo\n"
    (tmp_path / "receipts.jsonl").write_bytes(old)
    (tmp_path / "receipts.jsonl.part").write_bytes(b"left by a crash\n")
    assert append(tmp_path, b"two") == 1
    assert holds(tmp_path) == [b"one", b"two", b"three"]
    assert (tmp_path / "receipts.jsonl.adopted").read_bytes() == old
    assert not (tmp_path / "receipts.jsonl.part").exists()


def test_adoption_of_many_says_how_far_it_is(tmp_path: Path) -> None:
    (tmp_path / "receipts.jsonl").write_bytes(b"".join(b"%d\n" % i for i in range(seen.BLOCK + 5)))
    told: list[int] = []
    made = init(tmp_path, "example.org/log", progress=lambda _, done, __: told.append(done))
    assert told == [seen.BLOCK]
    assert (made.head.origin, made.head.size) == ("example.org/log", seen.BLOCK + 5)
    assert append(tmp_path, b"7") == 7
    assert append(tmp_path, b"%d" % (seen.BLOCK + 1)) == seen.BLOCK + 1


def test_init_begins_an_empty_log_under_a_name(tmp_path: Path) -> None:
    made = init(tmp_path, "example.org/log")
    assert (made.head.size, made.note) == (0, (tmp_path / "checkpoint").read_bytes())
    append(tmp_path, b"one")
    assert LogFiles(tmp_path).checkpoint().head.origin == "example.org/log"
    with pytest.raises(InputError, match="holds a log") as caught:
        init(tmp_path)
    assert caught.value.code == "log.exists"


def test_no_two_logs_have_one_name(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert init(tmp_path / "a").head.origin != init(tmp_path / "b").head.origin


@pytest.mark.parametrize("origin", ["two words", "a+b", "x" * 201, "a\tb"])
def test_a_log_is_not_called_so(tmp_path: Path, origin: str) -> None:
    with pytest.raises(InputError) as caught:
        init(tmp_path, origin)
    assert caught.value.code == "log.origin"


def test_two_that_append_in_turn_see_each_others_entries(tmp_path: Path) -> None:
    one, two = Appender(tmp_path), Appender(tmp_path)
    assert one.append([b"a", b"b"]) == [0, 1]
    assert one.append([b"b", b"c"]) == [1, 2]
    assert two.append([b"c", b"d"]) == [2, 3]
    assert one.append([b"d", b"a", b"e"]) == [3, 0, 4]
    with pytest.raises(LedgerFault, match="line break"):
        one.append([b"f\n"])
    assert holds(tmp_path) == [b"a", b"b", b"c", b"d", b"e"]


def test_one_that_goes_on_for_long_knows_what_it_wrote(tmp_path: Path) -> None:
    log = Appender(tmp_path)
    entries = [b"entry %d" % i for i in range(2 * seen.BLOCK + 3000)]
    for first in range(0, len(entries), 3000):
        assert log.append(entries[first : first + 3000]) == list(range(first, min(first + 3000, len(entries))))
    wanted = [0, 2999, seen.BLOCK - 1, seen.BLOCK, 2 * seen.BLOCK, len(entries) - 1]
    assert log.append([entries[i] for i in wanted]) == wanted
    assert seen.Seen(tmp_path / SEEN).covered == 2 * seen.BLOCK
    assert log.append([b"new"]) == [len(entries)]
    assert append_all(tmp_path, [b"new", entries[7]]) == [len(entries), 7]


def test_after_a_fault_nothing_that_was_known_is_believed(tmp_path: Path) -> None:
    log = Appender(tmp_path)
    log.append([b"a"])
    (tmp_path / "checkpoint.part").mkdir()
    with pytest.raises(LedgerFault, match="nothing was written"):
        log.append([b"b"])
    (tmp_path / "checkpoint.part").rmdir()
    assert log.append([b"c", b"b"]) == [1, 2]
    assert holds(tmp_path) == [b"a", b"c", b"b"]


# What a crash or a hand leaves behind


def test_what_no_checkpoint_covers_is_moved_aside(tmp_path: Path) -> None:
    append(tmp_path, b"one")
    with (tmp_path / "receipts.jsonl").open("ab") as file:
        file.write(b"whole\nhalf")
    assert append(tmp_path, b"two") == 1
    assert holds(tmp_path) == [b"one", b"two"]
    assert (tmp_path / "receipts.jsonl.torn").read_bytes() == b"whole\nhalf\n"
    assert stat.S_IMODE((tmp_path / "receipts.jsonl.torn").stat().st_mode) == 0o600


@pytest.mark.parametrize("size", [1, 255, 256, 257, 600])
@pytest.mark.parametrize("gone", ["tile", "index", "index/ends", "tile/0", "tile/0/000"])
def test_tiles_and_index_are_made_anew(tmp_path: Path, size: int, gone: str) -> None:
    entries = [b"entry %d" % i for i in range(size)]
    append_all(tmp_path, entries)
    place = tmp_path / gone
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    assert append_all(tmp_path, [entries[-1], b"more"]) == [size - 1, size]
    assert holds(tmp_path) == [*entries, b"more"]


def test_a_tile_that_gives_another_root_is_made_anew(tmp_path: Path) -> None:
    entries = [b"entry %d" % i for i in range(70)]
    append_all(tmp_path, entries)
    (tmp_path / "tile/0/000.p/70").write_bytes(bytes(70 * 32))
    append(tmp_path, b"more")
    assert holds(tmp_path) == [*entries, b"more"]


def test_an_index_of_lies_is_found_out(tmp_path: Path) -> None:
    append_all(tmp_path, [b"one", b"two", b"three"])
    (tmp_path / ENDS).write_bytes(b"".join(n.to_bytes(8, "little") for n in (1, 8, 4)))
    assert LogFiles(tmp_path).entry(1, 3) == b"two"
    assert append(tmp_path, b"four") == 3
    assert holds(tmp_path) == [b"one", b"two", b"three", b"four"]


def test_lines_that_were_cut_are_not_led_on(tmp_path: Path) -> None:
    append_all(tmp_path, [b"one", b"two"])
    (tmp_path / "receipts.jsonl").write_bytes(b"one\n")
    with pytest.raises(Damaged, match="changed or cut; nothing was written"):
        append(tmp_path, b"three")
    assert (tmp_path / "receipts.jsonl").read_bytes() == b"one\n"


def test_a_last_line_that_was_changed_is_not_led_on(tmp_path: Path) -> None:
    append_all(tmp_path, [b"one", b"two"])
    (tmp_path / "receipts.jsonl").write_bytes(b"one\ntwi\n")
    with pytest.raises(Damaged, match="changed or cut"):
        append(tmp_path, b"three")
    shutil.rmtree(tmp_path / "tile")
    with pytest.raises(Damaged, match="changed or cut"):
        append(tmp_path, b"three")
    assert not (tmp_path / "tile").exists()


def test_a_checkpoint_is_not_made_anew_while_tiles_are_there(tmp_path: Path) -> None:
    append(tmp_path, b"one")
    (tmp_path / "checkpoint").unlink()
    with pytest.raises(Damaged, match="put it back"):
        append(tmp_path, b"two")
    with pytest.raises(InputError, match="holds no log") as caught:
        LogFiles(tmp_path).checkpoint()
    assert caught.value.code == "log.missing"


@pytest.mark.parametrize("text", [b"", b"nonsense", b"a\n9\nx\n"])
def test_a_checkpoint_that_is_none_is_a_fault(tmp_path: Path, text: bytes) -> None:
    append(tmp_path, b"one")
    (tmp_path / "checkpoint").write_bytes(text)
    with pytest.raises(Damaged, match="is no checkpoint"):
        append(tmp_path, b"two")


def test_a_checkpoint_of_more_than_there_is(tmp_path: Path) -> None:
    append(tmp_path, b"one")
    place = tmp_path / "checkpoint"
    place.write_bytes(place.read_bytes().replace(b"\n1\n", b"\n999999999999999999\n"))
    with pytest.raises(Damaged, match="changed or cut"):
        append(tmp_path, b"two")


def test_two_begin_at_once_and_one_name_stays(tmp_path: Path) -> None:
    log = LogFiles(tmp_path)
    first = recovery.begin(log, "example.org/a", [])
    assert recovery.begin(log, "example.org/b", []) == first


def test_who_waited_for_a_file_that_was_replaced_takes_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    other = tmp_path / "other"
    path.write_bytes(b"old")
    other.write_bytes(b"new")
    script = (
        "import sys\nfrom pathlib import Path\nfrom assay.ledger import files\nprint('ready', flush=True)\n"
        "with files.locked(Path(sys.argv[1])) as file:\n    print(files.read_range(file, 0, 9).decode())"
    )
    with files.locked(path):
        waiting = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "ready\n"
        other.replace(path)
    assert waiting.communicate(timeout=60)[0] == "new\n"


# Signed logs


def test_a_signed_log_is_led_on_by_its_key_alone(tmp_path: Path) -> None:
    append(tmp_path, b"one")
    append(tmp_path, b"two", Key(1))  # an unsigned log may become a signed one
    assert append(tmp_path, b"three", Key(1)) == 2
    for other in (None, Key(2)):
        with pytest.raises(LedgerFault, match="give the key that signed it"):
            append(tmp_path, b"four", other)
    assert holds(tmp_path) == [b"one", b"two", b"three"]
    assert len(LogFiles(tmp_path).checkpoint().signatures) == 1


def test_a_key_does_not_sign_what_goes_on_from_what_it_did_not_sign(tmp_path: Path) -> None:
    append_all(tmp_path, [b"one", b"two"], Key(1))
    signed = (tmp_path / "checkpoint").read_bytes()
    shutil.rmtree(tmp_path)
    tmp_path.mkdir()
    init(tmp_path, signed.split(b"\n")[0].decode())
    append(tmp_path, b"another history")
    text = (tmp_path / "checkpoint").read_bytes()
    (tmp_path / "checkpoint").write_bytes(text + signed[signed.index(b"\n\n") + 1 :])
    with pytest.raises(LedgerFault, match="which did not sign it"):
        append(tmp_path, b"three", Key(1))


class Broken(Key):
    def sign(self, message: bytes) -> bytes:
        raise LedgerFault("fault.ledger", f"no signature over {len(message)} bytes")


def test_a_key_that_fails_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    append(tmp_path, b"one")
    with pytest.raises(LedgerFault, match="no signature"):
        append(tmp_path, b"two", Broken(1))
    assert holds(tmp_path) == [b"one"]


# Full, closed and foreign places

FULL = """
import resource, sys
from pathlib import Path
from assay.kernel.errors import LedgerFault
from assay.ledger.log import append, append_all
path = Path(sys.argv[1])
append_all(path, [b"%d" % i for i in range(300)])
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
try:
    append_all(path, [b"x" * 50_000] if limit > 9000 else [b"y%d" % i for i in range(250)])
except LedgerFault as fault:
    print(fault.code, fault)
append(path, b"two")
"""


@pytest.mark.parametrize(
    "limit", [pytest.param(20_000, id="the data does not fit"), pytest.param(7_000, id="a tile does not fit")]
)
def test_a_full_disk_is_a_fault_and_leaves_the_log_as_it_was(tmp_path: Path, limit: int) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path), str(limit)], capture_output=True, text=True, check=True
    )
    path = tmp_path / "receipts.jsonl"
    assert run.stdout == f"fault.ledger ledger `{path}`: file too large; nothing was written\n"
    assert holds(tmp_path) == [*(b"%d" % i for i in range(300)), b"two"]
    assert not (tmp_path / "receipts.jsonl.torn").exists()


ONLY_ROOT = pytest.mark.skipif(os.geteuid() == 0, reason="to the administrator every folder is open")


@ONLY_ROOT
def test_a_read_only_folder_is_a_fault_and_loses_nothing(tmp_path: Path) -> None:
    append(tmp_path, b"one")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(LedgerFault, match="permission denied; nothing was written"):
            append(tmp_path, b"two")
    finally:
        tmp_path.chmod(0o700)
    assert holds(tmp_path) == [b"one"]


MOUNTED = """
import os, subprocess, sys
from pathlib import Path
from assay.kernel.errors import LedgerFault
from assay.ledger.log import append, append_all, lines
from assay.ledger.reading import LogFiles
place = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", place], check=True)
append_all(place, [b"%d" % i for i in range(300)])
kept = 0
try:
    while True:
        append(place, b"%d" % kept + b"x" * 5000)
        kept += 1
except LedgerFault as fault:
    print(fault)
whole = list(lines(place / "receipts.jsonl"))
head = LogFiles(place).checkpoint().head
print(len(whole) == head.size == 300 + kept, kept > 5)
subprocess.run(["mount", "-o", "remount,ro", place], check=True)
try:
    append(place, b"more")
except LedgerFault as fault:
    print(fault)
print(list(lines(place / "receipts.jsonl")) == whole, LogFiles(place).prove(299).index)
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare, so nothing can be mounted")
def test_a_disk_that_is_full_and_one_that_is_read_only(tmp_path: Path) -> None:
    command = ["unshare", "--user", "--map-root-user", "--mount", sys.executable, "-c", MOUNTED, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if "unshare" in run.stderr or "mount" in run.stderr.splitlines()[-1:]:
        pytest.skip("nothing can be mounted here")
    path = tmp_path / "receipts.jsonl"
    assert run.stdout.splitlines() == [
        f"ledger `{path}`: no space left on device; nothing was written",
        "True True",
        f"ledger `{path}`: read-only file system; nothing was written",
        "True 299",
    ], run.stderr


def test_a_folder_that_is_missing_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(LedgerFault, match="no such file or directory"):
        append(tmp_path / "gone", b"one")
    with pytest.raises(LedgerFault, match="no such file or directory"):
        init(tmp_path / "gone")


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(LedgerFault, match="is a directory"):
        list(lines(tmp_path))


@pytest.mark.parametrize("name", ["receipts.jsonl", "checkpoint", "tile/0/000.p/2.part", "checkpoint.part"])
def test_a_link_is_not_followed(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    append(folder, b"one")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerFault, match="it is a link; give the file itself"):
        append(folder, b"two")
    assert not (tmp_path / "elsewhere").exists()


def test_entries_and_proofs_that_are_not_there(tmp_path: Path) -> None:
    append(tmp_path, b"one")
    log = LogFiles(tmp_path)
    for index in (-1, 1):
        with pytest.raises(InputError, match="the first is 0") as caught:
            log.entry(index, 1)
        assert caught.value.code == "log.index"
        with pytest.raises(InputError, match="the first is 0"):
            log.prove(index)


def test_no_wrong_proof_and_no_wrong_entry_is_given_away(tmp_path: Path) -> None:
    append_all(tmp_path, [b"one", b"two", b"three"])
    log = LogFiles(tmp_path)
    (tmp_path / "receipts.jsonl").write_bytes(b"one\ntwi\nthree\n")
    with pytest.raises(Damaged, match="entry 1 does not have the hash in the tree"):
        log.entry(1, 3)
    (tmp_path / "tile/0/000.p/3").write_bytes(bytes(96))
    with pytest.raises(Damaged, match="do not give the root"):
        log.prove(1)
    (tmp_path / "tile/0/000.p/3").unlink()
    with pytest.raises(Damaged, match=r"`tile/0/000.p/3` is missing or too short"):
        log.prove(1)
    log = LogFiles(tmp_path / "gone")
    with pytest.raises(Damaged, match="missing"):
        log.entry(0, 1)


def test_the_log_goes_on_from_every_state_that_it_had(tmp_path: Path) -> None:
    heads = []
    for i in range(5):
        append(tmp_path, b"entry %d" % i)
        heads.append(LogFiles(tmp_path).checkpoint().head)
    log = LogFiles(tmp_path)
    entries = list(lines(tmp_path / "receipts.jsonl"))
    for head in heads:
        assert list(log.prove_since(head).hashes) == naive.proof(head.size, entries)
    other = tmp_path / "other"
    other.mkdir()
    init(other, heads[0].origin)
    append_all(other, [b"entry 0", b"another"])
    for head in (heads[1], heads[4]):
        with pytest.raises(InputError) as caught:
            LogFiles(other).prove_since(head)
        assert caught.value.code == "log.fork"
    third = tmp_path / "third"
    third.mkdir()
    begun = init(third, "example.org/third")
    with pytest.raises(InputError, match="another log"):
        LogFiles(third).prove_since(heads[0])
    append(third, b"one")
    assert LogFiles(third).prove_since(begun.head).hashes == ()


# The table of leaf hashes


def leaves(start: int, stop: int) -> list[bytes]:
    return [naive.mth([b"%d" % i]) for i in range(start, stop)]


def test_the_table_finds_what_it_covers_and_grows(tmp_path: Path) -> None:
    table = seen.Seen(tmp_path / SEEN, 4)
    assert table.find(leaves(0, 2)) == [[], []]
    for first in range(0, 1000, 100):
        table.add(leaves(first, first + 100))
        table = seen.Seen(tmp_path / SEEN)
        assert table.covered == first + 100
    assert table.find(leaves(0, 1000)) == [[i] for i in range(1000)]
    assert table.find(leaves(1000, 1010)) == [[]] * 10


def test_hashes_of_one_beginning_are_all_proposed(tmp_path: Path) -> None:
    table = seen.Seen(tmp_path / SEEN, 4)
    # At the very end of the table, so that it goes on at the beginning.
    alike = [b"\xff" * 8 + bytes([i]) * 24 for i in range(9)]
    table.add(alike)
    assert table.find(alike[:1]) == [list(range(9))]
    table.add([b"\xff" * 8 + b"z" * 24 for _ in range(9)])
    assert sorted(table.find(alike[:1])[0]) == list(range(18))


def test_a_table_that_a_crash_left_behind_its_header_is_filled_again(tmp_path: Path) -> None:
    table = seen.Seen(tmp_path / SEEN)
    table.add(leaves(0, 10))
    with (tmp_path / SEEN).open("rb+") as file:
        head = file.read(64)
        table.add(leaves(10, 20))
        file.seek(0)
        file.write(head)
    again = seen.Seen(tmp_path / SEEN)
    assert again.covered == 10
    again.add(leaves(10, 20))
    assert again.find(leaves(0, 20)) == [[i] for i in range(20)]


@pytest.mark.parametrize(
    "spoil",
    [lambda data: data[:20], lambda data: b"x" + data[1:], lambda data: data[:-1], lambda data: data[:24] + bytes(8)],
)
def test_a_table_that_is_none_covers_nothing(tmp_path: Path, spoil: object) -> None:
    seen.Seen(tmp_path / SEEN).add(leaves(0, 10))
    assert callable(spoil)
    (tmp_path / SEEN).write_bytes(spoil((tmp_path / SEEN).read_bytes()))
    table = seen.Seen(tmp_path / SEEN)
    assert table.covered == 0
    table.add(leaves(0, 10))
    assert table.find(leaves(3, 4)) == [[3]]


def test_what_is_older_than_a_block_is_found_too(tmp_path: Path) -> None:
    entries = [b"entry %d" % i for i in range(2 * seen.BLOCK + 900)]
    for first in range(0, len(entries), 9000):
        append_all(tmp_path, entries[first : first + 9000])
    old = [3, seen.BLOCK - 1, seen.BLOCK, 2 * seen.BLOCK, len(entries) - 1]
    assert append_all(tmp_path, [b"new", *(entries[i] for i in old)]) == [len(entries), *old]
    assert seen.Seen(tmp_path / SEEN).covered == 2 * seen.BLOCK
    # A table of another log, which says that it covers more than there is.
    seen.Seen(tmp_path / SEEN).add(leaves(0, seen.BLOCK))
    assert append_all(tmp_path, [entries[3], b"newer"]) == [3, len(entries) + 1]
    assert holds(tmp_path) == [*entries, b"new", b"newer"]


def test_the_lines_are_for_people(tmp_path: Path) -> None:
    append(tmp_path, json.dumps({"a": 1}).encode())
    assert [json.loads(line) for line in (tmp_path / "receipts.jsonl").read_text().splitlines()] == [{"a": 1}]


def test_an_entry_is_found_and_known_to_have_been_there(tmp_path: Path) -> None:
    entries = [b"entry %d" % i for i in range(seen.BLOCK + 300)]
    heads = [init(tmp_path).head]
    for part in (entries[:100], entries[100 : seen.BLOCK + 100], entries[seen.BLOCK + 100 :]):
        append_all(tmp_path, part)
        heads.append(LogFiles(tmp_path).checkpoint().head)
    log = LogFiles(tmp_path)
    for index in (0, 99, 100, seen.BLOCK, seen.BLOCK + 299):
        assert log.find(entries[index]) == index
        assert [log.had(entries[index], head) for head in heads] == [index < head.size for head in heads]
    assert log.find(b"another") is None
    assert not log.had(b"another", heads[-1])
    forged = LogHead(heads[2].origin, heads[2].size, heads[1].root)
    assert not log.had(entries[0], forged)
    assert not log.had(entries[0], LogHead("example.org/other", heads[1].size, heads[1].root))
    assert not log.had(entries[0], LogHead(heads[1].origin, 10**9, heads[1].root))
