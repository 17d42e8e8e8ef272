"""Storey 7, desk: the documented Python surface and the wiring that chooses concrete parts.

>>> from assay import api
>>> pack = api.open_pack("proteins")
>>> task = api.parse_task('{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}')
>>> api.verify(pack, task, '{"state":"VALUE","value":"146"}').code
'value.not_equal'
>>> api.verify(pack, task, '{"state":"VALUE","value":"142"}').is_accepted
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from assay.api.book import Book, Claim, open_book
    from assay.api.conflicting import conflicts
    from assay.api.deciding import Decision, verify, verify_many
    from assay.api.gating import Draft, GateOutcome, check, draft_of_reply
    from assay.api.gating import keep as keep_outcome
    from assay.api.revealing import Revealed
    from assay.api.revealing import reveal as establish
    from assay.api.signing import signer
    from assay.api.walking import Walked, ask
    from assay.api.wiring import keep, local_model, open_pack, shipped_packs
    from assay.audit.regrade import bound, regrade
    from assay.kernel.errors import AssayError, Fault, InputError
    from assay.receipts.predicates import Proposer
    from assay.wire.suites import parse_suite
    from assay.wire.tasks import parse_task, task_document

__all__ = [
    "AssayError",
    "Book",
    "Claim",
    "Decision",
    "Draft",
    "Fault",
    "GateOutcome",
    "InputError",
    "Proposer",
    "Revealed",
    "Walked",
    "ask",
    "bound",
    "check",
    "conflicts",
    "draft_of_reply",
    "establish",
    "keep",
    "keep_outcome",
    "local_model",
    "open_book",
    "open_pack",
    "parse_suite",
    "parse_task",
    "regrade",
    "shipped_packs",
    "signer",
    "task_document",
    "verify",
    "verify_many",
]

# Each is imported when it is asked for: a program that gates code need not load what reads evidence.
_PLACES: Final = {
    "Book": "api.book",
    "Claim": "api.book",
    "open_book": "api.book",
    "conflicts": "api.conflicting",
    "Decision": "api.deciding",
    "verify": "api.deciding",
    "verify_many": "api.deciding",
    "Draft": "api.gating",
    "GateOutcome": "api.gating",
    "check": "api.gating",
    "draft_of_reply": "api.gating",
    "keep_outcome": "api.gating",
    "bound": "audit.regrade",
    "regrade": "audit.regrade",
    "parse_suite": "wire.suites",
    "Revealed": "api.revealing",
    "establish": "api.revealing",
    "signer": "api.signing",
    "Walked": "api.walking",
    "ask": "api.walking",
    "keep": "api.wiring",
    "local_model": "api.wiring",
    "open_pack": "api.wiring",
    "shipped_packs": "api.wiring",
    "AssayError": "kernel.errors",
    "Fault": "kernel.errors",
    "InputError": "kernel.errors",
    "Proposer": "receipts.predicates",
    "parse_task": "wire.tasks",
    "task_document": "wire.tasks",
}
_NAMED_ELSEWHERE: Final = {"establish": "reveal", "keep_outcome": "keep"}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module `assay.api` has no attribute `{name}`; see `assay.api.__all__`")
    found: object = getattr(import_module("assay." + _PLACES[name]), _NAMED_ELSEWHERE.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
