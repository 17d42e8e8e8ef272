"""Bedrock: values of a kind, as canonical text (spec/verification.md §1)."""

from __future__ import annotations

from assay.kernel.kinds import Kind
from assay.kernel.records import Record


class Value(Record):
    """A value of a kind: equal if and only if kind and canonical text are equal."""

    __slots__ = __match_args__ = ("kind", "text")

    def __init__(self, kind: Kind, text: str) -> None:
        self.kind = kind
        self.text = text

    def __repr__(self) -> str:
        # A value may be an answer: it stays out of logs and tracebacks (docs/adr/0006).
        return f"Value({type(self.kind).__name__}, <hidden>)"
