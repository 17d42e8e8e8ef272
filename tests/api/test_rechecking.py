"""Accepted claims are decided again from their receipts alone, and a forged one is counted."""

import json

import pytest

from assay import api
from assay.api.rechecking import false_acceptances
from assay.kernel.errors import InputError

ARCHES = '{"class":"value","entity":"bridge:mill","property":"arches"}'


def receipt(value: str) -> bytes:
    """Return the receipt of one decision."""
    pack = api.open_pack("minimal")
    return api.verify(pack, api.parse_task(ARCHES), f'{{"state":"VALUE","value":"{value}"}}').receipt


def test_what_was_accepted_is_accepted_again() -> None:
    assert false_acceptances("minimal", [receipt("3"), receipt("4")]) == 0


def test_a_forged_acceptance_is_counted() -> None:
    forged = receipt("3").replace(
        b'"asserted":{"state":"VALUE","value":"3"}', b'"asserted":{"state":"VALUE","value":"4"}'
    )
    assert false_acceptances("minimal", [forged, receipt("3")]) == 1


def test_a_receipt_of_another_pack_is_refused() -> None:
    statement = json.loads(receipt("3"))
    statement["predicate"]["snapshot"]["digest"] = "sha256:" + "0" * 64
    with pytest.raises(InputError, match="names another pack"):
        false_acceptances("minimal", [json.dumps(statement).encode()])
