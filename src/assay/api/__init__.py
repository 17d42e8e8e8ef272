"""Storey 7, desk: the documented Python surface and the wiring that chooses concrete parts.

>>> from assay import api
>>> pack = api.open_pack("proteins")
>>> task = api.parse_task('{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}')
>>> api.verify(pack, task, '{"state":"VALUE","value":"146"}').code
'value.not_equal'
>>> api.verify(pack, task, '{"state":"VALUE","value":"142"}').is_accepted
True
"""

from assay.api.conflicts import conflicts
from assay.api.deciding import Decision, verify, verify_many
from assay.api.revealing import Revealed
from assay.api.revealing import reveal as establish
from assay.api.signing import signer
from assay.api.walking import Walked, ask
from assay.api.wiring import keep, local_model, open_pack, shipped_packs
from assay.kernel.errors import AssayError, Fault, InputError
from assay.receipts.predicates import Proposer
from assay.wire.tasks import parse_task, task_document

__all__ = [
    "AssayError",
    "Decision",
    "Fault",
    "InputError",
    "Proposer",
    "Revealed",
    "Walked",
    "ask",
    "conflicts",
    "establish",
    "keep",
    "local_model",
    "open_pack",
    "parse_task",
    "shipped_packs",
    "signer",
    "task_document",
    "verify",
    "verify_many",
]
