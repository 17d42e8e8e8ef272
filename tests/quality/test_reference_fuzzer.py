"""The reference's fuzzer proves that it can find faults: each planted verifier errs in one known way and is caught."""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

import pytest
from reference import assay_ref


def _value(text: str | bytes) -> Any:
    document = json.loads(text)
    return document["value"] if document.get("state") == "VALUE" else None


def truncates(kind: str, raw: Any, truth: Any) -> bool:
    """The paper's break: a fraction is coerced to the integer."""
    return '"integer"' in kind and int(float(raw)) == int(truth)


def calculates(kind: str, raw: Any, truth: Any) -> bool:
    """The language's decimals: `1_42`, digits of any script."""
    return kind.startswith('{"kind":"decimal"') and Decimal(str(raw)) == Decimal(str(truth))


def folds(kind: str, raw: Any, truth: Any) -> bool:
    """Case and compatibility characters are folded."""
    return (
        unicodedata.normalize("NFKC", raw).casefold().strip() == unicodedata.normalize("NFKC", truth).casefold().strip()
    )


def contains(kind: str, raw: Any, truth: Any) -> bool:
    """The answer is somewhere in the text."""
    return str(truth).strip() in str(raw)


def ignores_units(kind: str, raw: Any, truth: Any) -> bool:
    """The number is compared, the unit is not."""
    return bool(Decimal(str(raw["n"])) == Decimal(str(truth["n"])))


def ignores_ends(kind: str, raw: Any, truth: Any) -> bool:
    """Whether the bounds belong to the interval does not matter."""
    return all(Decimal(str(raw[end])) == Decimal(str(truth[end])) for end in ("lo", "hi"))


def ignores_repetition(kind: str, raw: Any, truth: Any) -> bool:
    """A list is compared as the set of its members."""
    return isinstance(raw, list) and {str(one).strip() for one in raw} >= {str(one).strip() for one in truth}


Fault = Callable[[str, Any, Any], bool]


def planted(fault: Fault) -> assay_ref.Verifier:
    """The reference, but for the fault."""

    def decide(kind: str, established: str, proposal: bytes) -> tuple[str, str]:
        try:
            raw, truth = _value(proposal), _value(established)
            if truth is not None and fault(kind, raw, truth):
                return "ACCEPT", ""
        except (ValueError, TypeError, AttributeError, KeyError, InvalidOperation):
            pass
        return assay_ref.decide(kind, established, proposal)

    return decide


@pytest.mark.parametrize(
    "fault", [truncates, calculates, folds, contains, ignores_units, ignores_ends, ignores_repetition]
)
def test_planted_fault_is_found(fault: Fault) -> None:
    counts = assay_ref.fuzz(4_000, 7, planted(fault))
    assert counts["wrong"][1] + counts["malformed"][1] > 0, fault.__doc__


def test_the_printed_counts_hold_every_kind_with_every_verdict() -> None:
    """Fewer cases make it quick; none of the families may go with them."""
    met: Counter[tuple[str, str]] = Counter()

    def counting(kind: str, established: str, proposal: bytes) -> tuple[str, str]:
        verdict, code = assay_ref.decide(kind, established, proposal)
        met[kind, verdict] += 1
        return verdict, code

    assay_ref.fuzz(assay_ref.CASES, 142, counting)
    assert set(met) == {(kind, verdict) for kind in assay_ref.KINDS.values() for verdict in ("ACCEPT", "REJECT")}
    assert min(met.values()) >= 5
    assert len(assay_ref.KINDS) * 30 >= assay_ref.CASES


def test_verifier_that_refuses_everything_is_found() -> None:
    counts = assay_ref.fuzz(200, 7, lambda *_: ("REJECT", "value.type"))
    assert counts["exact"][1] < counts["exact"][0]


def test_reference_accepts_exactly_the_exact_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert assay_ref.main([]) == 0
    printed = capsys.readouterr().out
    assert "false acceptances      0" in printed
    assert [line.split()[0] for line in printed.splitlines()] == ["exact", "wrong", "malformed", "false"]


def test_reference_exits_with_1_on_a_false_acceptance(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = assay_ref.fuzz(300, 7, planted(truncates))
    monkeypatch.setattr(assay_ref, "fuzz", lambda *_, **__: broken)
    assert assay_ref.main([]) == 1


def test_reference_exits_with_3_where_a_vector_differs(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    vector = {
        "id": "wrong",
        "kind": {"kind": "integer"},
        "established": {"state": "VALUE", "value": "142"},
        "proposal": '{"state":"VALUE","value":"142.0"}',
        "verdict": "ACCEPT",
    }
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n" + json.dumps(vector) + "\n")
    assert assay_ref.main([str(path)]) == 3
    assert "wrong.jsonl:2: wrong: required" in capsys.readouterr().out
    path.write_text(json.dumps({**vector, "verdict": "REJECT", "code": "value.grammar"}) + "\n")
    assert assay_ref.main([str(path)]) == 0
