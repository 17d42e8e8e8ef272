"""Pipes: what a model is to the rest of the house: messages and a constraint in, untrusted text out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Protocol

from assay.kernel.errors import ModelFault

Role = Literal["system", "user", "assistant"]
TokenKind = Literal["integer", "decimal", "boolean", "category", "identifier", "date", "quantity", "interval"]

# The kinds whose tokens need words of their own, and those that may have them.
_NEED_OPTIONS: Final = ("category", "quantity")
_MAY_HAVE_OPTIONS: Final = (*_NEED_OPTIONS, "identifier")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class OneOf:
    """The reply is exactly one of these texts."""

    options: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.options:
            raise ModelFault("model.constraint", "a choice of no options; give at least one")
        _check_texts(self.options)


@dataclass(frozen=True, slots=True)
class BareToken:
    """The reply is a token of a kind, without quotes or JSON around it, or one of the literals.

    `options` is the vocabulary of a category, the units of a quantity (`12.5 kg`), and the prefixes that an
    identifier may have (none: any). With `uncertainty` a quantity is `12.5 ± 0.1 kg`. The kind is a kernel kind by
    name; the grammar here is narrower than its denotation, which decides.
    """

    kind: TokenKind
    options: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    uncertainty: bool = False

    def __post_init__(self) -> None:
        if self.kind in _NEED_OPTIONS and not self.options:
            raise ModelFault("model.constraint", f"a {self.kind} without options; name its vocabulary or units")
        if self.kind not in _MAY_HAVE_OPTIONS and self.options:
            raise ModelFault("model.constraint", f"options for {self.kind}, which has none; leave them out")
        if self.kind != "quantity" and self.uncertainty:
            raise ModelFault("model.constraint", f"an uncertainty for {self.kind}; only a quantity has one")
        _check_texts(self.options + self.literals)


Constraint = OneOf | BareToken


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a reply has cost, as the model counts them."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said. `text` is untrusted; `raw` is the reply as it came, for the record only."""

    text: str
    model: str
    usage: Usage
    raw: str


class Model(Protocol):
    """Whatever replies to messages.

    A constraint is asked for, never relied on: whoever reads the text checks it again.
    """

    @property
    def name(self) -> str:
        """The model by name, as receipts record it."""
        ...

    def complete(
        self, messages: tuple[Message, ...], *, constraint: Constraint | None, max_tokens: int, seed: int
    ) -> Completion:
        """The reply to the messages; without a constraint, free text.

        Raises:
            ModelFault: there was no reply, or a constrained one was cut off.
        """
        ...


def _check_texts(texts: tuple[str, ...]) -> None:
    for text in texts:
        # A grammar cannot spell half a surrogate pair, and takes NUL for the end of a text.
        if not text or any(ch == "\0" or "\ud800" <= ch <= "\udfff" for ch in text):
            raise ModelFault("model.constraint", "an option is empty, or holds NUL or half a surrogate pair")
