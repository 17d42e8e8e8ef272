"""The project speaks of itself alone: no path of one machine, no host of one registry, in any tracked file."""

import gzip
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def joined(*pieces: str) -> bytes:
    """Return the pieces as one word, so that this file does not hold the words it forbids."""
    return "".join(pieces).encode()


# A path is one only where it begins: the same folder name inside a web address is not ours.
BEFORE = rb"(?<![\w./:-])"
FORBIDDEN = {
    "a machine's folder": (joined("/wo", "rk/"), BEFORE + joined("/wo", "rk/")),
    "a person's folder": (joined("/ho", "me/"), BEFORE + joined("/ho", r"me/\w+/")),
    "a person's folder elsewhere": (joined("/Us", "ers/"), BEFORE + joined("/Us", r"ers/\w+/")),
    "the administrator's folder": (joined("/ro", "ot/"), BEFORE + joined("/ro", "ot/")),
    "a package index": (joined("py", "pi.org"), joined("py", r"pi\.org")),
    "its files": (joined("python", "hosted.org"), joined("python", r"hosted\.org")),
    "another package index": (joined("registry.npm", "js.org"), joined("registry.npm", r"js\.org")),
    "a local package index": (joined("/opt/", "py", "pi"), joined("/opt/", "py", "pi")),
}


def git(*arguments: str) -> str:
    """Return what git prints; skip where this is no checkout."""
    try:
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: there are no tracked files to read")
    return run.stdout


def offences(data: bytes) -> list[str]:
    """Return the name of every forbidden thing in the bytes; the plain word is sought first, since that is fast."""
    return [name for name, (word, pattern) in FORBIDDEN.items() if word in data and re.search(pattern, data)]


def test_the_search_finds_what_it_looks_for() -> None:
    assert offences(b"see " + joined("/wo", "rk/shared/x")) == ["a machine's folder"]
    assert offences(b"index at " + joined("files.python", "hosted.org")) == ["its files"]
    assert offences(b"https://example.org" + joined("/wo", "rk/of/art")) == []


def test_no_tracked_file_speaks_of_a_machine() -> None:
    found = {}
    for name in git("ls-files", "-z").split("\0"):
        path = ROOT / name
        if name and path.is_file():
            data = path.read_bytes()
            if bad := offences(gzip.decompress(data) if name.endswith(".gz") else data):
                found[name] = bad
    assert found == {}


def test_no_commit_message_speaks_of_a_machine() -> None:
    assert offences(git("log", "--format=%B").encode()) == []
