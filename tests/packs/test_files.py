"""Files are read once, from inside the pack only, and not while they change."""

import gzip
import os
from pathlib import Path

import pytest

from assay.kernel.errors import InvalidPack
from assay.packs import files
from assay.packs.files import check_relative, decompressed, read_file, size_of


def code_of(root: Path, name: str, limit: int = 1000) -> str:
    with pytest.raises(InvalidPack) as refused:
        read_file(root, name, limit)
    return refused.value.code


@pytest.mark.parametrize(
    "name",
    [
        "",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "./x",
        "a//x",
        "a/",
        "C:x",
        "a\\x",
        "a\nx",
        "raw/" + "x" * 255,
        "a\u202ex",
    ],
)
def test_a_path_that_leaves_the_pack_or_is_unusual_is_refused(name: str) -> None:
    with pytest.raises(InvalidPack, match="inside the pack"):
        check_relative(name)


def test_a_file_behind_a_symbolic_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("x")
    root = tmp_path / "pack"
    root.mkdir()
    (root / "link").symlink_to(tmp_path / "outside" / "secret")
    (root / "folder").symlink_to(tmp_path / "outside")
    assert code_of(root, "link") == "pack.link"
    assert code_of(root, "folder/secret") == "pack.link"


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    assert code_of(tmp_path, "pipe") == "pack.file"
    assert code_of(tmp_path, "folder") == "pack.file"
    assert code_of(tmp_path, "none") == "pack.missing"
    assert code_of(tmp_path, "none/none") == "pack.missing"


def test_a_file_of_an_absurd_size_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as file:
        file.truncate(10_000)
    assert code_of(tmp_path, "big") == "pack.size"
    assert size_of(tmp_path, "big") == 10_000


@pytest.mark.parametrize("grow", [True, False], ids=["grows", "is rewritten in place"])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, grow: bool) -> None:
    path = tmp_path / "facts.csv"
    path.write_bytes(b"a" * (files.CHUNK + 10))
    os.utime(path, ns=(1, 1))

    def meanwhile(_: int) -> None:
        with path.open("ab" if grow else "r+b") as file:
            file.write(b"b")

    with pytest.raises(InvalidPack) as refused:
        read_file(tmp_path, "facts.csv", 2**30, meanwhile)
    assert refused.value.code == "pack.changed"


def test_gzip_is_read_whole_and_within_bounds() -> None:
    data = gzip.compress(b"one") + gzip.compress(b"two")
    assert decompressed("x.csv.gz", data, 6) == b"onetwo"
    assert decompressed("x.csv", b"plain", 6) == b"plain"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"no gzip", "pack.gzip", id="no gzip"),
        pytest.param(gzip.compress(b"x" * 100)[:-9], "pack.gzip", id="cut off"),
        pytest.param(gzip.compress(b"x")[:-8] + b"\0" * 8, "pack.gzip", id="a wrong checksum"),
        pytest.param(gzip.compress(b"0" * 10_000_000), "pack.size", id="a bomb"),
        pytest.param(gzip.compress(b"0" * 600) * 2, "pack.size", id="a bomb in two members"),
        pytest.param(gzip.compress(b"x") + b"rest", "pack.gzip", id="something after the end"),
    ],
)
def test_a_bad_gzip_stream_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InvalidPack) as refused:
        decompressed("x.csv.gz", data, 1000)
    assert refused.value.code == code
