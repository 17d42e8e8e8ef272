"""Bedrock: values of a kind, as canonical text (spec/verification.md §1)."""

from __future__ import annotations

from dataclasses import dataclass

from assay.kernel.kinds import Kind


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """A value of a kind: equal if and only if kind and canonical text are equal."""

    kind: Kind
    text: str

    def __repr__(self) -> str:
        # A value may be an answer: it stays out of logs and tracebacks (docs/adr/0006).
        return f"Value({type(self.kind).__name__}, <hidden>)"
