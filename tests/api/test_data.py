"""The shipped data is found beside the code or in the checkout, and nowhere else."""

from pathlib import Path

import pytest

from assay.api.data import data_beside, data_dir


def test_this_installation_has_its_data() -> None:
    assert (data_dir() / "README.md").is_file()


def test_the_installed_copy_comes_first(tmp_path: Path) -> None:
    package = tmp_path / "src" / "assay"
    (package / "_data").mkdir(parents=True)
    (tmp_path / "data").mkdir()
    assert data_beside(package) == package / "_data"


def test_a_checkout_has_it_at_its_root(tmp_path: Path) -> None:
    package = tmp_path / "src" / "assay"
    package.mkdir(parents=True)
    (tmp_path / "data").mkdir()
    assert data_beside(package) == tmp_path / "data"


def test_an_incomplete_installation_says_so(tmp_path: Path) -> None:
    package = tmp_path / "lib" / "assay"
    package.mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match="install the package again"):
        data_beside(package)
