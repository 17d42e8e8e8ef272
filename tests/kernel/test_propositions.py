"""The propositions of spec/verification.md §5 as properties. Each test is named after the one it tries to break."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import assay_ref

from assay.audit.vectors import run_vectors
from assay.floor.settle import settle, spell
from assay.kernel.denotation import denote
from assay.kernel.kinds import DecimalKind, IntegerKind, IntervalKind, Kind, QuantityKind, SetKind, Unit
from assay.kernel.states import (
    CONFLICT_NOT_RESOLVED,
    INSUFFICIENT_EVIDENCE,
    NO_ENTITY,
    AssertValue,
    Conflict,
    Determined,
    EpistemicState,
    Insufficient,
    Malformed,
    NoEntity,
    Proposal,
)
from assay.kernel.values import Value
from assay.kernel.verdict import Accept, Reject
from assay.kernel.verify import verify
from assay.wire.kinds import parse_kind
from assay.wire.proposals import parse_proposal

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "spec" / "vectors"
KINDS: dict[str, Kind] = {name: parse_kind(json.loads(text)) for name, text in assay_ref.KINDS.items()}
NUMBER_KINDS = (IntegerKind(), DecimalKind())

names = st.sampled_from(sorted(KINDS))
seeds = st.integers(0, 2**48)
# Texts near the grammars: what hypothesis would take long to find by chance.
texts = st.text(st.sampled_from("0123456789+-.eE_ \t\n,:aZ\u00a0１٣²\u2212\x00\ufeff"), max_size=12) | st.text(
    max_size=8
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
keys = st.sampled_from(["n", "u", "unit", "lo", "hi", "lo_closed", "hi_closed", "x"])
raws = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=8,
)


def value(kind: Kind, raw: object) -> Value:
    found = settle(kind, raw)
    assert isinstance(found, Value)
    return found


def case(name: str, seed: int, sort: str) -> tuple[EpistemicState, Proposal]:
    """An established state and a proposal of the sort asked for, as the reference's generator makes them."""
    made = assay_ref.case(random.Random(seed), name, sort)
    return Determined(value(KINDS[name], json.loads(made.established)["value"])), parse_proposal(made.proposal)


def states(held: EpistemicState) -> list[EpistemicState]:
    return [held, Insufficient(), Conflict(), NoEntity()]


ABSTENTIONS: list[Proposal] = [INSUFFICIENT_EVIDENCE, CONFLICT_NOT_RESOLVED, NO_ENTITY]


def verdict_lines() -> list[str]:
    """What the files of vectors come to, but for the attacks, which are as many bytes as all others."""
    found = []
    for path in sorted(VECTORS.glob("[b-z]*.jsonl")):
        report = run_vectors(path.read_bytes().splitlines())
        found.append(f"{path.name} {report.accepted} {report.rejected} {report.invalid} {report.mismatches}")
    return found


@given(names, seeds)
def test_p1_equal_arguments_give_equal_verdicts_in_any_order(name: str, seed: int) -> None:
    questions = [case(name, seed + i, sort) for i, sort in enumerate(("exact", "wrong", "malformed"))]
    forwards = [verify(KINDS[name], *question) for question in questions]
    backwards = [verify(KINDS[name], *question) for question in reversed(questions)]
    assert forwards == backwards[::-1] == [verify(KINDS[name], *question) for question in questions]


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PYTHONHASHSEED": "1", "PYTHONINTMAXSTRDIGITS": "640"}, id="the shortest written integers"),
        pytest.param({"PYTHONHASHSEED": "4000000000", "PYTHONOPTIMIZE": "2"}, id="no assertions"),
    ],
)
def test_p1_other_processes_give_the_same_verdicts(environment: dict[str, str]) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from assay.audit.vectors import run_vectors\n"
        "for path in sorted(Path(sys.argv[2]).glob('[b-z]*.jsonl')):\n"
        "    r = run_vectors(path.read_bytes().splitlines())\n"
        "    print(path.name, r.accepted, r.rejected, r.invalid, r.mismatches)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(ROOT / "src"), str(VECTORS)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    assert run.stdout.splitlines() == verdict_lines()


@given(names, seeds, st.sampled_from(["exact", "wrong", "malformed"]))
def test_p2_what_is_accepted_denotes_the_established_value(name: str, seed: int, sort: str) -> None:
    made = assay_ref.case(random.Random(seed), name, sort)
    held, proposal = case(name, seed, sort)
    if isinstance(verify(KINDS[name], held, proposal), Accept):
        kind = assay_ref.READ[name]
        stated = assay_ref.Reader(made.established).document()
        assert isinstance(stated, dict)
        meant = assay_ref.denote(kind, stated["value"], established=True)
        assert assay_ref.denote(kind, assay_ref.read_proposal(made.proposal)[1]) == meant


@given(names, seeds, raws)
def test_p2_no_other_object_is_accepted_for_a_value(name: str, seed: int, raw: object) -> None:
    held, _ = case(name, seed, "exact")
    assert isinstance(held, Determined)
    accepted = verify(KINDS[name], held, AssertValue(raw)) == Accept()
    assert accepted is (denote(KINDS[name], raw) == held.value.text)


@given(names, seeds, raws, raws)
def test_p3_accepted_values_have_one_denotation(name: str, seed: int, one: object, two: object) -> None:
    held, exact = case(name, seed, "exact")
    assert isinstance(exact, AssertValue)
    accepted = [raw for raw in (exact.raw, one, two) if verify(KINDS[name], held, AssertValue(raw)) == Accept()]
    assert len({str(denote(KINDS[name], raw)) for raw in accepted}) == 1


@given(names, raws)
def test_p3_states_without_a_value_accept_no_value(name: str, raw: object) -> None:
    for state, count in ((Insufficient(), 1), (Conflict(), 1), (NoEntity(), 2)):
        assert isinstance(verify(KINDS[name], state, AssertValue(raw)), Reject)
        assert sum(verify(KINDS[name], state, word) == Accept() for word in ABSTENTIONS) == count


@given(names, seeds, seeds, raws)
def test_p4_no_proposal_is_accepted_for_two_states(name: str, one: int, two: int, raw: object) -> None:
    held = [case(name, seed, "exact") for seed in (one, two)]
    different = {state.value.text: state for state, _ in held if isinstance(state, Determined)}
    all_states: Sequence[EpistemicState] = [*different.values(), Insufficient(), Conflict(), NoEntity()]
    for proposal in [*(proposal for _, proposal in held), AssertValue(raw), *ABSTENTIONS, Malformed("parse.json")]:
        accepting = [state for state in all_states if verify(KINDS[name], state, proposal) == Accept()]
        allowed = 2 if proposal is INSUFFICIENT_EVIDENCE else 1
        assert len(accepting) <= allowed


@given(names, seeds)
def test_p5_every_admitted_spelling_of_the_value_is_accepted(name: str, seed: int) -> None:
    held, exact = case(name, seed, "exact")
    assert verify(KINDS[name], held, exact) == Accept()
    assert isinstance(held, Determined)
    raw = spell(held.value)
    assert raw is not None
    document = json.dumps({"state": "VALUE", "value": raw}).encode()
    assert verify(KINDS[name], held, parse_proposal(document)) == Accept()


@given(names, st.binary(max_size=200) | texts.map(str.encode))
def test_p6_any_bytes_give_a_verdict(name: str, data: bytes) -> None:
    for state in states(case(name, 0, "exact")[0]):
        assert isinstance(verify(KINDS[name], state, parse_proposal(data)), Accept | Reject)


@given(names, raws)
def test_p6_any_object_gives_a_verdict(name: str, raw: object) -> None:
    assert isinstance(verify(KINDS[name], Insufficient(), AssertValue(raw)), Reject)


@given(names, seeds, raws)
def test_p7_codes_do_not_tell(name: str, seed: int, raw: object) -> None:
    held, wrong = case(name, seed, "wrong")
    for proposal in (wrong, AssertValue(raw), *ABSTENTIONS, Malformed("parse.json")):
        verdicts = [verify(KINDS[name], state, proposal) for state in states(held)]
        assert len({verdict.code for verdict in verdicts if isinstance(verdict, Reject)}) <= 1


@given(st.integers(-(10**12), 10**12))
def test_p8_what_some_reader_would_coerce_is_refused(number: int) -> None:
    kinds: list[tuple[Kind, str]] = [
        *((kind, "%s") for kind in NUMBER_KINDS),
        (QuantityKind((("m", Unit()),)), '{"n":%s,"unit":"m"}'),
        (IntervalKind(IntegerKind()), '{"lo":%s,"hi":null,"lo_closed":false,"hi_closed":false}'),
        (SetKind(DecimalKind()), "[%s]"),
    ]
    for kind, shape in kinds:
        assert isinstance(parse_proposal(f'{{"state":"VALUE","value":{shape % number}}}'.encode()), AssertValue)
        for bad in assay_ref.bad_numerals(number):
            if bad == "null" and isinstance(kind, IntervalKind):
                continue  # an unbounded side, spelled as it should be
            proposal = parse_proposal(f'{{"state":"VALUE","value":{shape % bad}}}'.encode())
            assert isinstance(verify(kind, Insufficient(), proposal), Reject)
            assert not isinstance(proposal, AssertValue) or isinstance(denote(kind, proposal.raw), Reject), bad


@given(names, seeds)
def test_p9_order_and_spelling_do_not_change_a_denotation(name: str, seed: int) -> None:
    rng = random.Random(seed)
    kind = assay_ref.READ[name]
    guessed = assay_ref.guess(rng, kind)
    spellings = [
        parse_proposal(assay_ref.envelope(rng, assay_ref.spelt(rng, kind, guessed)).encode()) for _ in range(4)
    ]
    denoted = {denote(KINDS[name], proposal.raw) for proposal in spellings if isinstance(proposal, AssertValue)}
    assert len(denoted) == 1
    assert isinstance(denoted.pop(), str)


@given(names, raws, st.sampled_from([str, int, list, dict, float]))
def test_p10_subclasses_denote_nothing_whatever_they_hold(name: str, raw: Any, base: type) -> None:
    try:
        foreign = type("Foreign", (base,), {})(raw)
    except (TypeError, ValueError, OverflowError):
        return
    assert denote(KINDS[name], foreign) == Reject("value.type")
