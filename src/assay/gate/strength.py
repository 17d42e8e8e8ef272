"""Halls: how many small mistakes a suite sees: mutants killed over generated (spec/suite.md §10; docs/adr/0028).

A figure beside the verdict: nothing is delivered or refused by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import unified_diff
from hashlib import sha256
from typing import Final

from assay.gate.deliver import Bench
from assay.gate.gauge import run_once
from assay.gate.mutants import MOST, CannotMutate, Mutants, mutants
from assay.kernel.grade import Failed, Passed
from assay.sandbox import base
from assay.suite.render import CallProgram, render
from assay.suite.spec import SuiteSpec

REFERENCE: Final = "reference"
DELIVERED: Final = "delivered"
CPU_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Strength:
    """Of `generated` mutants of the source, `killed` failed; `survivors` are diffs, which may be equivalent or not.

    `of` is `reference` or `delivered`; `possible` counts the changes that could have been made. `reason` is empty, or
    says why nothing was measured.
    """

    of: str
    source_sha256: str
    cases: int
    distinct_inputs: int
    generated: int = 0
    killed: int = 0
    possible: int = 0
    survivors: tuple[str, ...] = ()
    reason: str = ""

    def document(self) -> dict[str, object]:
        """The record as it stands on a receipt: whole numbers and texts, no diff."""
        return {
            "of": self.of,
            "source_sha256": self.source_sha256,
            "cases": self.cases,
            "distinct_inputs": self.distinct_inputs,
            "generated": self.generated,
            "killed": self.killed,
            "survived": len(self.survivors),
            "possible": self.possible,
            "reason": self.reason,
        }


def strength(  # noqa: PLR0913 (each is one choice of the caller, by name)
    suite: SuiteSpec,
    source: bytes,
    bench: Bench,
    limits: base.Limits,
    *,
    of: str = REFERENCE,
    most: int = MOST,
    on_step: Callable[[int, int], None] = lambda _, __: None,
) -> Strength:
    """Run each mutant of the source once against the suite, with 1 s of CPU.

    Raises:
        SandboxUnavailable: our own fault, twice.
    """
    program = render(suite)
    found = Strength(of, sha256(source).hexdigest(), len(suite.questions), len(set(program.payloads)))
    try:
        made = mutants(source, most=most, is_module=bool(suite.entry_point))
    except CannotMutate as fault:
        return replace(found, reason=str(fault))
    short = replace(limits, cpu_s=min(CPU_S, limits.cpu_s))
    # The written form, for that is what the mutants differ from.
    whole = run_once(suite, program, made.source.encode("utf-8", "replace"), bench, short)
    if isinstance(whole, Failed):
        return replace(found, reason=f"the source does not pass with {short.cpu_s:g} s of CPU: {whole.how}")
    found = replace(found, possible=made.possible, generated=len(made.texts))
    if not made.texts:
        return replace(found, reason="the source has no mutants")
    return _run(suite, program, made, found, bench, short, on_step)


def _run(  # noqa: PLR0913, PLR0917 (the second half of `strength`)
    suite: SuiteSpec,
    program: CallProgram,
    made: Mutants,
    found: Strength,
    bench: Bench,
    limits: base.Limits,
    on_step: Callable[[int, int], None],
) -> Strength:
    survivors = []
    for done, text in enumerate(made.texts):
        on_step(done, len(made.texts))
        if isinstance(run_once(suite, program, text.encode("utf-8", "replace"), bench, limits), Passed):
            survivors.append(diff(made.source, text))
    on_step(len(made.texts), len(made.texts))
    return replace(found, killed=len(made.texts) - len(survivors), survivors=tuple(survivors))


def diff(source: str, mutant: str) -> str:
    """The change as a unified diff with one line of context."""
    return "\n".join(unified_diff(source.splitlines(), mutant.splitlines(), "source", "survived", n=1, lineterm=""))
