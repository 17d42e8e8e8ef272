"""Workshops: the negative control: a checker that lets a forged copy pass may not say yes (docs/adr/0035)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from assay.audit.facts import Contradiction, NotPossible
from assay.kernel.canonical import canonical
from assay.kernel.errors import Fault
from assay.receipts.envelope import Envelope, Signature, signed_by
from assay.receipts.signing import Check, TrustedKey

# The key of RFC 8032, section 7.1, test 1, and what it signed. Everybody has it, so it can be trusted nowhere but here.
_KEY: Final = TrustedKey(bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"), "control")
_PAYLOAD: Final = b'{"control":"of the checker"}'
_SIGNATURE: Final = bytes.fromhex(
    "e1190cfdcf2f17227782fa0c42e593ee764b9eda19cd2d845d752cde0d184dbc"
    "731a99778a501a4c24c24291945f9f176f2c5c77d5019cf71ea7f474f00ef305"
)
_OTHER: Final = "0" * 64


def signatures(check: Check) -> int:
    """Give the check of signatures a right envelope and forged ones; how many it refused.

    Raises:
        Fault: `fault.checker`: it refused the right one, or let a forged one pass.
    """

    def counts(payload: bytes, sig: bytes, keyid: str = _KEY.keyid) -> bool:
        return signed_by(Envelope(payload, (Signature(keyid, sig),)), (_KEY,), check).is_authentic

    if not counts(_PAYLOAD, _SIGNATURE):
        raise Fault("fault.checker", "the checker refuses a right signature, so it says nothing; install it anew")
    forged = (
        (_PAYLOAD.replace(b"of", b"on"), _SIGNATURE),
        (_PAYLOAD, _SIGNATURE[:-1] + bytes([_SIGNATURE[-1] ^ 1])),
        (_PAYLOAD, bytes(64)),
    )
    if any(counts(*one) for one in forged) or counts(_PAYLOAD, _SIGNATURE, _OTHER):
        raise _passed()
    return len(forged) + 1


def refuses(forged: Iterator[Mapping[str, object]], compare: Callable[[Mapping[str, object]], list[str]]) -> None:
    """Give the comparison forged copies of the receipt that it found right; it has to refuse each.

    Raises:
        Fault: `fault.checker`.
    """
    for copy in forged:
        try:
            passes = not compare(copy)
        except (Contradiction, NotPossible):
            passes = False
        if passes:
            raise _passed()


def forged_claims(document: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Copies of a claim's receipt: about another thing, on another pack, with the decision turned."""
    yield from _about_another(document)
    other = _copy(document)
    other["predicate"]["snapshot"]["digest"] = "sha256:" + _OTHER
    yield other
    turned = _copy(document)
    predicate = turned["predicate"]
    for step in predicate["trajectory"]:
        if step["step"] == "submit":
            step["code"] = "" if step["code"] else "value.not_equal"
            yield turned
            break
    if predicate["outcome"] == "accepted":
        for word in ("asserted", "established"):
            copy = _copy(document)
            state = "CONFLICT" if copy["predicate"][word]["state"] == "NO_ENTITY" else "NO_ENTITY"
            copy["predicate"][word] = {"state": state}
            yield copy


def forged_deliveries(document: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """Copies of a delivery's receipt: about another thing, with the outcome or a grade turned."""
    yield from _about_another(document)
    copy = _copy(document)
    copy["predicate"]["outcome"] = "REFUSED" if copy["predicate"]["outcome"] == "DELIVERED" else "DELIVERED"
    yield copy
    for number, _ in enumerate(_copy(document)["predicate"]["tried"]):
        copy = _copy(document)
        attempt = copy["predicate"]["tried"][number]
        attempt["grade"] = "failed" if attempt["grade"] == "passed" else "passed"
        yield copy


def _about_another(document: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    copy = _copy(document)
    copy["subject"][0]["digest"]["sha256"] = _OTHER
    yield copy


def _copy(document: Mapping[str, object]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(canonical(dict(document)))
    return found


def _passed() -> Fault:
    return Fault(
        "fault.checker", "the checker lets a forged receipt pass, so it says nothing on yours; install it anew"
    )
