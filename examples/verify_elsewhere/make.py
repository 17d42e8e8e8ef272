"""Make the receipts of this folder anew: a claim and a delivery, really decided, signed with a key made for it.

    python examples/verify_elsewhere/make.py

The private half of the key is never written anywhere, so nothing else can ever be signed with it.
"""

import re
from pathlib import Path

from assay import api
from assay.api import gating
from assay.ledger.signing import new_signer, public_pem
from assay.receipts.envelope import seal

HERE = Path(__file__).resolve().parent
TASK = '{"class":"value","entity":"uniprot:P69905","property":"canonical_length"}'
SUITE = """{
 "suite": "assay.suite/1", "dialect": "python-call/1", "entry_point": "add",
 "cases": [{"args": "(1, 2)", "returns": "3"}, {"args": "(2, 2)", "returns": "4"}]
}"""
TASK_OF_CODE = '{"task":"Add two numbers.","entry_point":"add"}'
DRAFTS = (b"def add(a, b):\n    return 3\n", b"def add(a, b):\n    return a + b\n")


def main() -> None:
    claim = api.verify(api.open_pack("proteins"), api.parse_task(TASK), '{"state":"VALUE","value":"142"}')
    delivery = gating.check(SUITE, None, DRAFTS, task=TASK_OF_CODE)
    if not claim.is_accepted or delivery.outcome != gating.DELIVERED:
        raise SystemExit(f"nothing to show: {claim.verdict}, {delivery.outcome} {delivery.reason}")
    signer = new_signer()
    # The name of one machine's kernel is cut to its number: the rest says whose machine it was, and nothing else.
    ran = re.sub(rb'("kernel":"[0-9.]+)[^"]*"', rb'\1"', delivery.receipt)
    (HERE / "claim.dsse.json").write_bytes(seal(claim.receipt, signer) + b"\n")
    (HERE / "delivery.dsse.json").write_bytes(seal(ran, signer) + b"\n")
    (HERE / "key.pub.pem").write_bytes(public_pem(signer.public))
    print(f"signed by {signer.keyid}")


if __name__ == "__main__":
    main()
