"""The project speaks of itself alone: no path of one machine, no host of one registry, in any tracked file."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def joined(*pieces: str) -> str:
    """Return the pieces as one word, so that this file does not hold the words it forbids."""
    return "".join(pieces)


# A path is one only where it begins: the same folder name inside a web address is not ours.
BEFORE = r"(?<![\w./:-])"
FORBIDDEN = {
    "a machine's folder": re.compile(BEFORE + joined("/wo", "rk/")),
    "a person's folder": re.compile(BEFORE + joined("/(?:ho", "me|Us", r"ers)/\w+/")),
    "the administrator's folder": re.compile(BEFORE + joined("/ro", "ot/")),
    "a package index": re.compile(
        "|".join((joined("py", r"pi\.org"), joined("python", r"hosted\.org"), joined("npm", r"js\.(?:org|com)"))),
        re.IGNORECASE,
    ),
    "a local package index": re.compile(joined("/opt/", "py", "pi")),
}


def git(*arguments: str) -> str:
    """Return what git prints; skip where this is no checkout."""
    try:
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: there are no tracked files to read")
    return run.stdout


def offences(text: str) -> list[str]:
    """Return the name of every forbidden thing in the text, with the words found."""
    return [f"{name}: {found.group()!r}" for name, pattern in FORBIDDEN.items() if (found := pattern.search(text))]


def test_the_search_finds_what_it_looks_for() -> None:
    assert offences("see " + joined("/wo", "rk/shared/x")) != []
    assert offences("index at " + joined("files.python", "hosted.org")) != []
    assert offences("https://example.org" + joined("/wo", "rk/of/art")) == []


def test_no_tracked_file_speaks_of_a_machine() -> None:
    found = {}
    for name in git("ls-files", "-z").split("\0"):
        path = ROOT / name
        if name and path.is_file():
            text = path.read_bytes().decode("utf-8", errors="replace")
            if bad := offences(text):
                found[name] = bad
    assert found == {}


def test_no_commit_message_speaks_of_a_machine() -> None:
    assert offences(git("log", "--format=%B")) == []
