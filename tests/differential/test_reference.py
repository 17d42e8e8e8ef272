"""The kernel and the letterbox against the reference: two programs written apart from one page must never differ."""

import json
import random
from collections import Counter
from typing import NamedTuple

import pytest
from reference import assay_ref

from assay.audit import vectors
from assay.floor.settle import settle, spell
from assay.kernel.kinds import Kind
from assay.kernel.states import AssertValue, Conflict, Determined, EpistemicState, Insufficient, NoEntity
from assay.kernel.values import Value
from assay.kernel.verdict import Accept
from assay.kernel.verify import verify
from assay.wire.kinds import parse_kind
from assay.wire.proposals import parse_proposal

KINDS: dict[str, Kind] = {name: parse_kind(json.loads(text)) for name, text in assay_ref.KINDS.items()}
STATES: dict[str, EpistemicState] = {
    '{"state":"INSUFFICIENT"}': Insufficient(),
    '{"state":"CONFLICT"}': Conflict(),
    '{"state":"NO_ENTITY"}': NoEntity(),
}
# What one slip of a hand or of a model would type, and what the grammars look at.
PIECES: list[str] = [
    *'0123456789+-.eE_, :"\\{}[]tfnulx\t\n',
    "\u00a0",
    "１",
    "é",
    "\u2212",
    "\\u0031",
    "\\ud800",
    "\x00",
    "00",
    "null",
]


class Counts(NamedTuple):
    """What a run was made of."""

    by_kind: Counter[str]
    accepted: int
    edited: int
    differences: list[str]


def edit(rng: random.Random, text: str) -> str:
    """The text after one edit: a piece put in, one character out, replaced, or two exchanged."""
    at = rng.randrange(len(text))
    match rng.randrange(4):
        case 0:
            return text[:at] + rng.choice(PIECES) + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            return text[:at] + rng.choice(PIECES) + text[at + 1 :]
        case _:
            return text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]


def held(kind: Kind, established: str) -> EpistemicState:
    if established in STATES:
        return STATES[established]
    value = settle(kind, json.loads(established)["value"])
    assert isinstance(value, Value)
    return Determined(value)


def compare(cases: int, seed: int) -> Counts:
    rng = random.Random(seed)
    by_kind: Counter[str] = Counter()
    differences: list[str] = []
    accepted = edited = 0
    names = sorted(KINDS)
    for i in range(cases):
        name = names[i % len(names)]
        edits = rng.random() < 0.5
        sort = "exact" if edits else rng.choices(["exact", "wrong", "malformed", "abstention"], [14, 3, 2, 1])[0]
        case = assay_ref.case(rng, name, sort)
        proposal = edit(rng, case.proposal.decode()).encode() if edits and case.sort == "exact" else case.proposal
        required, codes = assay_ref.judge(
            assay_ref.read_json(case.kind), assay_ref.read_json(case.established), proposal
        )
        state = held(KINDS[name], case.established)
        verdict = verify(KINDS[name], state, parse_proposal(proposal))
        # A code is compared wherever the page fixes it; where it allows several, ours is one of them.
        agree = required == "ACCEPT" if isinstance(verdict, Accept) else required == "REJECT" and verdict.code in codes
        if not agree:
            differences.append(f"{name}: {case.established} {proposal!r}: {required} {sorted(codes)}, kernel {verdict}")
        if isinstance(state, Determined):
            raw = spell(state.value)
            if raw is None or not isinstance(verify(KINDS[name], state, AssertValue(raw)), Accept):
                differences.append(f"{name}: {case.established} has no spelling: {raw!r}")
        by_kind[name] += 1
        accepted += required == "ACCEPT"
        edited += edits
    return Counts(by_kind, accepted, edited, differences)


def test_kernel_equals_the_reference() -> None:
    counts = compare(3_000, seed=1)
    assert counts.differences == []
    assert counts.accepted >= 600
    assert counts.edited >= 1_200


@pytest.mark.slow
def test_kernel_equals_the_reference_on_two_hundred_thousand_cases() -> None:
    cases = 210_000
    counts = compare(cases, seed=2026)
    print(f"{cases} cases, {counts.accepted} accepted, {counts.edited} one edit from accepted, {counts.by_kind}")
    assert counts.differences == []
    assert min(counts.by_kind.values()) >= 10_000
    assert counts.accepted >= 0.2 * cases
    assert counts.edited >= 0.4 * cases


def test_invalid_kinds_and_states_are_the_same_ones() -> None:
    """One edit in the kind or in the established state: both readers must find the same ones unusable."""
    rng = random.Random(3)
    verdicts: Counter[str] = Counter()
    names = sorted(KINDS)
    for i in range(3_000):
        case = assay_ref.case(rng, names[i % len(names)], "exact")
        kind, established = case.kind, case.established
        if i % 2:
            kind = edit(rng, kind)
        else:
            established = edit(rng, established)
        try:
            one, two = vectors.read_json(kind), vectors.read_json(established)
        except ValueError:
            continue
        required, codes = assay_ref.judge(assay_ref.read_json(kind), assay_ref.read_json(established), case.proposal)
        got, code = vectors.decide(one, two, case.proposal)
        assert got == required, f"{kind} {established} {case.proposal!r}"
        assert code in codes or (not code and not codes), f"{kind} {established} {case.proposal!r}"
        verdicts[got] += 1
    assert min(verdicts[verdict] for verdict in vectors.VERDICTS) > 50, verdicts
