"""Pipes: a model that says what it was told to say, for tests and for navigators that are labelled as scripted."""

from __future__ import annotations

from collections.abc import Iterable

from assay.kernel.errors import ModelFault
from assay.models.base import Completion, Constraint, Message, Usage


class ScriptedModel:
    """Says the replies one after the other, whatever is asked; keeps what it was asked in `asked`."""

    def __init__(self, replies: Iterable[str], name: str = "scripted") -> None:
        self._name = name
        self._left = list(reversed(tuple(replies)))
        self.asked: list[tuple[tuple[Message, ...], Constraint | None]] = []

    @property
    def name(self) -> str:
        """The name that receipts record."""
        return self._name

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        constraint: Constraint | None,
        max_tokens: int,  # noqa: ARG002
        seed: int,  # noqa: ARG002
    ) -> Completion:
        """The next reply of the script, whether or not it keeps the constraint; its tokens are counted as none.

        Raises:
            ModelFault: the script is at its end.
        """
        if not self._left:
            raise ModelFault("model.script_ended", f"the script of `{self._name}` has no reply left; give it more")
        self.asked.append((messages, constraint))
        text = self._left.pop()
        return Completion(text, self._name, Usage(0, 0), text)
