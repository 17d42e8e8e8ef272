"""Library: a task of a bank to a suite, or the reason why it has none (spec/suite.md §9). Files are read further up.

A bank's kinds of comparison mean Python's `==` and its relaxations. None becomes `typed`: that would lose real passes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assay.kernel.equality import AsSet, Equality, Likeness, Lines, Python, Tree
from assay.kernel.grade import Equals, Prints
from assay.suite.dialects import PYTHON_CALL, STDIN_STDOUT, VALUE, approx
from assay.suite.literals import read
from assay.suite.refusals import InvalidSuite, message
from assay.suite.spec import Call, Input, Question, SuiteSpec

VISIBLE: Final = "visible"
HIDDEN: Final = "hidden"

_EVALPLUS_RELATIVE: Final = "1e-7"
_EVALPLUS_ABSOLUTE: Final = "1e-6"
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*").fullmatch


@dataclass(frozen=True, slots=True)
class NoSuite:
    """The task cannot be delivered: refused before anything runs, and counted."""

    reason: str


def from_bank(task: Mapping[str, object], which: str = VISIBLE, *, preamble: bool = False) -> SuiteSpec | NoSuite:
    """The suite of a task's visible or hidden cases, each case under the equality that its kind means.

    With `preamble`, the lines of the prompt before the function's `def` are put in front of a candidate.

    Raises:
        InvalidSuite: `bank.shape`, where the task is not of a bank's form.
    """
    cases = task.get(which)
    if not isinstance(cases, list) or task.get("dialect") not in {"call", "stdin"}:
        raise _shape("has no cases or no dialect")
    if not cases:
        return NoSuite(f"no {which} case")
    if task["dialect"] == "stdin":
        return SuiteSpec(STDIN_STDOUT, "", tuple(map(_input, cases)))
    name, prompt = task.get("entry_point"), task.get("prompt", "")
    if type(name) is not str or _NAME(name) is None or type(prompt) is not str:
        raise _shape("has no plain entry point or no prompt")
    questions: list[Question] = []
    for case in cases:
        question = _call(case)
        if isinstance(question, NoSuite):
            return question
        questions.append(question)
    return SuiteSpec(PYTHON_CALL, name, tuple(questions), before_definition(prompt, name) if preamble else "")


def before_definition(prompt: str, name: str) -> str:
    """The lines of a prompt before the last `def name`; nothing where there is none."""
    starts = [found.start() for found in re.finditer(rf"^def {name}\b", prompt, re.MULTILINE)]
    return prompt[: starts[-1]] if starts else ""


def is_typed_output(task: Mapping[str, object]) -> bool:
    """Whether an accepted output of a program is no text in the bank: what is compared is then Python's `str` of it."""
    found = [task.get(which) for which in (VISIBLE, HIDDEN)]
    cases = [case for part in found if isinstance(part, list) for case in part]
    return task.get("dialect") == "stdin" and any(type(one) is not str for case in cases for one in _outputs(case))


def _input(case: object) -> Question:
    if not isinstance(case, dict) or type(case.get("stdin")) is not str:
        raise _shape("has a case without `stdin`")
    likeness: Likeness = Lines()
    return Question(Input(case["stdin"]), Prints(tuple(map(str, _outputs(case))), likeness))


def _outputs(case: object) -> Sequence[object]:
    outputs = case.get("e") if isinstance(case, dict) else None
    if not isinstance(outputs, list) or not outputs:
        raise _shape("has a case without outputs")
    return outputs


def _call(case: object) -> Question | NoSuite:
    if not isinstance(case, dict) or type(case.get("a")) is not str or type(case.get("e")) is not str:
        raise _shape("has a case without `a` or `e`")
    kind, tolerance = case.get("k", "eq"), case.get("tol", 0)
    if kind == "poly_root":
        return NoSuite("its check evaluates a polynomial at the answer, which no literal says")
    arguments, expected = read(case["a"]), read(case["e"])
    if arguments[0] != "t" or isinstance(arguments[1], str) or type(tolerance) not in {int, float} or tolerance < 0:
        raise _shape("has arguments that are no tuple, or a tolerance that is no number")
    observe = {"is_true": "truth", "not_none": "found"}.get(str(kind), VALUE)
    if observe != VALUE and expected[0] not in {"T", "F"}:
        raise _shape(f"expects of `{observe}` what is neither true nor false")
    equality = _equality(str(kind), tolerance, expected)
    return Question(Call(arguments[1], ("d", ()), observe), Equals(expected, equality))


def _equality(kind: str, tolerance: float, expected: Tree) -> Equality:
    match kind:
        case "eq" | "is_true" | "not_none":
            return Python()
        case "set_eq":
            return AsSet()
        case "approx":
            return approx(_decimal(tolerance), "0", same_type=False)
        case "evalplus" if tolerance:
            return approx(_decimal(tolerance), _EVALPLUS_RELATIVE, same_type=True)
        case "evalplus":
            # Floats are compared with a tolerance even where the task names none.
            floats = _is_floats(expected)
            return approx(_EVALPLUS_ABSOLUTE, _EVALPLUS_RELATIVE, same_type=True) if floats else Python()
        case _:
            raise _shape("has a kind of comparison that is not known")


def _is_floats(tree: Tree) -> bool:
    kind, held = tree
    if isinstance(held, str):
        return kind == "f"
    return kind in {"l", "t"} and bool(held) and all(part[0] == "f" for part in held)


def _decimal(tolerance: float) -> str:
    return repr(tolerance)


def _shape(found: str) -> InvalidSuite:
    return InvalidSuite("bank.shape", message("bank.shape", f"the task {found}"))
