"""Halls: what worked before, as names of operations and of their arguments; never what they returned.

INVARIANT: every text in a memory is a word of a catalogue of ours; there is no slot for a value, an entity or a text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from assay.floor.signatures import SIGNATURES, OperationCall
from assay.floor.task import DERIVATIONS, TASK_CLASSES, Task
from assay.kernel import kinds
from assay.kernel.errors import Fault
from assay.kernel.kinds import Kind
from assay.runtime.trace import Accepted, Event

KIND_NAMES: Final[dict[type, str]] = {
    kinds.IntegerKind: "integer",
    kinds.BooleanKind: "boolean",
    kinds.CategoryKind: "category",
    kinds.IdentifierKind: "identifier",
    kinds.DecimalKind: "decimal",
    kinds.QuantityKind: "quantity",
    kinds.IntervalKind: "interval",
    kinds.SetKind: "set",
    kinds.DateKind: "date",
}


@dataclass(frozen=True, slots=True, order=True)
class Sort:
    """A sort of question: the class, the derivation where there is one, and the kind of the answer by name."""

    task_class: str
    derivation: str
    kind: str

    def __post_init__(self) -> None:
        known = (*DERIVATIONS, "")
        if self.task_class not in TASK_CLASSES or self.derivation not in known or self.kind not in KIND_NAMES.values():
            raise Fault("fault.memory", "a memory may hold words of the catalogues only; this is a bug here")


@dataclass(frozen=True, slots=True, order=True)
class Procedure:
    """An operation and the names of the arguments it had."""

    operation: str
    arguments: tuple[str, ...]

    def __post_init__(self) -> None:
        signature = SIGNATURES.get(self.operation)
        if signature is None or not set(self.arguments) <= set(signature.parameters):
            raise Fault("fault.memory", "a memory may hold words of the catalogues only; this is a bug here")


@dataclass(frozen=True, slots=True)
class Memory:
    """The procedures that earned an acceptance, by sort of question; sorted, each once."""

    known: tuple[tuple[Sort, Procedure], ...] = ()


def sort_of(task: Task, kind: Kind) -> Sort:
    """The sort of question that the task is."""
    return Sort(task.task_class, task.derivation, KIND_NAMES[type(kind)])


def learn(memory: Memory, task: Task, kind: Kind, trajectory: Iterable[Event]) -> Memory:
    """The memory with the procedure of a derived acceptance; the same memory for everything else."""
    for event in trajectory:
        match event.outcome:
            case Accepted("derived", OperationCall(name, arguments)):
                learnt = (sort_of(task, kind), Procedure(name, tuple(key for key, _ in arguments)))
                return Memory(tuple(sorted({*memory.known, learnt})))
            case _:
                pass
    return memory


def recall(memory: Memory, task: Task, kind: Kind) -> tuple[Procedure, ...]:
    """The procedures that have earned an acceptance of such a question."""
    asked = sort_of(task, kind)
    return tuple(procedure for sort, procedure in memory.known if sort == asked)
