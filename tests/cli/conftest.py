"""Call the command as its entry point does, inside this process, so that coverage sees it."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from assay.interfaces.cli.app import run


@dataclass(frozen=True)
class Called:
    """What a command ended with and wrote."""

    code: int
    out: str
    err: str

    @property
    def documents(self) -> list[Any]:
        """Every line of standard output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]


Call = Callable[..., Called]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    def caller(*arguments: str, stdin: bytes = b"") -> Called:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        code = run(arguments)
        written = capsys.readouterr()
        return Called(code, written.out, written.err)

    return caller
