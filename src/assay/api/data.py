"""Where the shipped data lies: storey 7, desk.

In a wheel the repository's `data/` travels as `assay/_data`, beside the code; in a checkout or an editable
install it is `data/` at the root of the repository. Nothing else is searched: no environment variable and no
working directory, so that a pack named in a receipt cannot be swapped by where a command is run.
"""

from pathlib import Path

import assay


def data_dir() -> Path:
    """Return the folder of the shipped data: the installed copy, else that of the checkout.

    Raises:
        FileNotFoundError: neither is there, so the installation is incomplete.
    """
    return data_beside(Path(assay.__file__).parent)


def data_beside(package: Path) -> Path:
    """Return the data that belongs to the package in this folder; see `data_dir`."""
    for candidate in (package / "_data", package.parents[1] / "data"):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"shipped data not found beside `{package}`; install the package again")


def pages_dir() -> Path:
    """Return the folder in which `spec/` and `docs/reference/` lie: the pages that messages name."""
    return pages_beside(Path(assay.__file__).parent)


def pages_beside(package: Path) -> Path:
    """Return the pages that belong to the package in this folder: the installed copy, else the checkout."""
    installed = package / "_pages"
    return installed if installed.is_dir() else package.parents[1]
