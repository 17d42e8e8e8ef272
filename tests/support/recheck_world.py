"""Receipts of the small world with their private files, and what a reader may hold against them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.support.signing_world import ALICE, TRUSTED
from tests.support.world import TASKS, WORLD

from assay.api.deciding import verify
from assay.api.walking import obey
from assay.audit.recheck import Given, recheck
from assay.floor.store import Snapshot
from assay.floor.task import Task
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.ledger.signing import is_signature
from assay.receipts.envelope import seal
from assay.wire.receipts import read_line
from assay.wire.withdrawn import WithdrawalList

NONE_WITHDRAWN = WithdrawalList("2026-11-30", ())
Private = Callable[[str], bytes]


@dataclass(frozen=True)
class Made:
    """A receipt and its private files."""

    line: bytes
    private: tuple[bytes, ...]

    @property
    def document(self) -> dict[str, Any]:
        """A copy of the Statement that may be changed."""
        found: dict[str, Any] = json.loads(self.line)
        return found


def reader(files: Iterable[bytes]) -> Private:
    """Read private files out of memory, as the folder does."""
    held = {sha256(data).hexdigest(): data for data in files}

    def read(digest: str) -> bytes:
        if digest not in held:
            raise InputError("private.missing", "no such file")
        return held[digest]

    return read


def walked(name: str, snapshot: Snapshot = WORLD) -> Made:
    """The receipt of a walk that performs what stands for the task and proposes what it returned."""
    found = obey(snapshot, TASKS[name][0])
    return Made(found.receipt, tuple(found.private))


def decided(task: Task, proposal: bytes | str, snapshot: Snapshot = WORLD) -> Made:
    """The receipt of one proposal, verified alone."""
    private: list[bytes] = []
    found = verify(snapshot, task, proposal, private=private.append)
    return Made(found.receipt, tuple(private))


def given(**more: Any) -> Given:
    """A reader who trusts alice and bob, and has what is named."""
    return Given(check=is_signature, withdrawn=NONE_WITHDRAWN, **{"keys": TRUSTED, **more})


def answers(line: bytes, **more: Any) -> dict[str, str]:
    """The answers to each fact, and their codes: `yes same`."""
    found = recheck(read_line(line), given(**more))
    return {name: f"{fact.answer} {fact.code}" for name, fact in found.items()}


def signed(document: Mapping[str, object]) -> bytes:
    """The Statement under alice's signature: what the owner of the key says, whatever it is."""
    return seal(canonical(dict(document)), ALICE)
