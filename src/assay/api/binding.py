"""Desk: a suite, bound to the function that the task asks for (spec/suite.md §2, §12)."""

from __future__ import annotations

from assay.kernel.errors import InputError
from assay.suite.spec import SuiteSpec, bind
from assay.wire.gate_tasks import GateTask, parse_gate_task
from assay.wire.suites import parse_suite


def suite_of(
    suite: bytes | str, entry_point: str | None, task: bytes | str | None = None
) -> tuple[SuiteSpec, GateTask | None]:
    """The suite, bound to the function that the task asks for; nothing runs.

    Raises:
        InvalidSuite: with a stable code.
        InputError: the task is none, or both it and a function are given.
    """
    if task is not None and entry_point is not None:
        raise InputError("usage", "a task and an entry point are both given; the task names its function: keep one")
    named = parse_gate_task(task) if task is not None else None
    declared = named.entry_point if named is not None else entry_point
    return bind(parse_suite(suite, declared), declared), named
