"""Bedrock: the exceptions of the house. Outcomes are values; an exception means that we could not look.

    AssayError
    ├── InputError            what the caller gave cannot be used (exit 2)
    │   ├── InvalidKind       a kind outside spec/verification.md §3
    │   ├── InvalidTask       a task outside docs/reference/tasks.md
    │   ├── InvalidPack       a pack that spec/pack.md refuses
    │   ├── InvalidVectors    a line that is no vector (spec/verification.md §6)
    │   └── InvalidSuite      a suite that spec/suite.md refuses (suite/refusals.py)
    └── Fault                 our side failed (exit 1); never a pass, never a rejection
        ├── KindMismatch      an established value of another kind than the task's
        ├── CanonicalError    a value that has no canonical bytes (a float, a big integer, a lone surrogate)
        ├── ModelFault        a model call failed after its documented retries
        │   └── ModelUnavailable  the model, its extra or its file is not there
        ├── SandboxUnavailable  no process could be started (sandbox/base.py): void
        └── LedgerFault       a receipt could not be kept

Doors catch AssayError and print its one line; no other room catches it except to add context.
"""


class AssayError(Exception):
    """One line: what was found, what was needed, what to do; `code` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class InputError(AssayError):
    """What the caller gave cannot be used."""


class InvalidKind(InputError):
    """A kind object outside the specification."""


class InvalidTask(InputError):
    """A task that cannot be opened."""


class InvalidPack(InputError):
    """A pack that is refused."""


class InvalidVectors(InputError):
    """A line that is no vector."""


class Fault(AssayError):
    """Our side failed: reported as a fault, never as a verdict."""


class KindMismatch(Fault):
    """The established value is of another kind than the task's."""


class CanonicalError(Fault):
    """A value without canonical bytes."""


class ModelFault(Fault):
    """A model call failed."""


class ModelUnavailable(ModelFault):
    """The model is not there."""


class LedgerFault(Fault):
    """A receipt could not be kept."""
