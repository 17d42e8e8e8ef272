"""Private files: whole or not there, for their owner alone, and found by the digest of their bytes."""

from __future__ import annotations

import os
import resource
import stat
from hashlib import sha256
from pathlib import Path

import pytest

from assay.kernel.errors import InputError, LedgerFault
from assay.ledger.private import keep, read


def test_a_file_is_named_by_its_bytes_and_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "private"
    old = os.umask(0)
    try:
        digest = keep(folder, b"seen")
    finally:
        os.umask(old)
    assert digest == sha256(b"seen").hexdigest()
    assert read(folder, digest) == b"seen"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / f"{digest}.json").stat().st_mode) == 0o600


def test_a_folder_that_was_open_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    keep(tmp_path, b"seen")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_to_keep_twice_is_to_keep_once(tmp_path: Path) -> None:
    assert keep(tmp_path, b"seen") == keep(tmp_path, b"seen")
    assert len(list(tmp_path.iterdir())) == 1


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, old[1]))
    try:
        with pytest.raises(LedgerFault, match="could not be kept"):
            keep(tmp_path, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LedgerFault, match="not a directory"):
        keep(tmp_path / "file" / "private", b"seen")


def test_a_link_in_place_of_the_folder_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "private").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerFault):
        keep(tmp_path / "private", b"seen")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("digest", ["../../etc/passwd", "0" * 63, "A" * 64, ""])
def test_what_is_no_digest_names_no_file(tmp_path: Path, digest: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, digest)
    assert caught.value.code == "private.digest"


def test_a_missing_and_a_changed_file_are_told_apart(tmp_path: Path) -> None:
    digest = keep(tmp_path, b"seen")
    (tmp_path / f"{digest}.json").write_bytes(b"changed")
    with pytest.raises(InputError) as caught:
        read(tmp_path, digest)
    assert caught.value.code == "private.digest"
    with pytest.raises(InputError) as caught:
        read(tmp_path, "0" * 64)
    assert caught.value.code == "private.missing"
