"""Desk: accepted claims decided again: the pack opened afresh, nothing taken from the walk."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from assay.api.wiring import open_pack
from assay.floor.oracle import establish
from assay.kernel.canonical import canonical
from assay.kernel.errors import InputError
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.wire.proposals import parse_proposal
from assay.wire.tasks import task_from


def false_acceptances(pack: str | Path, receipts: Iterable[bytes]) -> int:
    """How many of the receipts accept a claim that the pack does not establish; refusals are no acceptances.

    Does not say that a receipt is genuine: no signature is looked at.

    Raises:
        InputError: a receipt names another pack than this one, or is none.
    """
    snapshot = open_pack(pack)
    count = 0
    for receipt in receipts:
        predicate = json.loads(receipt)["predicate"]
        if predicate["outcome"] != "accepted":
            continue
        if predicate["snapshot"]["digest"] != snapshot.digest:
            raise InputError("receipt.snapshot", "the receipt names another pack; give the one that it names")
        established = establish(snapshot, task_from(predicate["task"]))
        # What a receipt calls asserted is a proposal's own document.
        proposal = parse_proposal(canonical(predicate["asserted"]))
        count += not isinstance(verify(established.kind, established.state, proposal), Accept)
    return count
