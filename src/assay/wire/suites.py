"""Letterbox: the bytes of a suite to a SuiteSpec, or a refusal with a stable code (spec/suite.md §2, §7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from assay.kernel.equality import Equality, Likeness, Tree, Typed
from assay.kernel.grade import Case, Equals, Prints, Raises
from assay.suite import dialects
from assay.suite.literals import read
from assay.suite.names import ALIASES, EXCEPTIONS, KEYWORDS
from assay.suite.preamble import fault_of
from assay.suite.refusals import InvalidLiteral, InvalidSuite, message
from assay.suite.render import payload
from assay.suite.spec import VERSION, Call, Input, Question, SuiteSpec, bind, refuse_built_in
from assay.suite.trees import MAX_BYTES, MAX_CASES, MAX_SUITE_BYTES
from assay.wire.strict import StrictReader, word_for

MAX_WORD: Final = 128
MAX_OUTPUTS: Final = 100

_READER: Final = StrictReader(InvalidSuite, "suite", "the suite", MAX_SUITE_BYTES)
_NAME: Final = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]{0,127}").fullmatch
# How Python code that is no JSON begins; a person who hands over a test file is told so.
_CODE: Final = re.compile(rb"\s*(?:def|class|import|from|assert|async|@\w|#|if|for|try|with|\"\"\"|''')").match
_NO_KEYWORDS: Final[Tree] = ("d", ())


def _printable(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        raise ValueError("not printable")
    return text


Word = Annotated[str, StringConstraints(min_length=1, max_length=MAX_WORD), AfterValidator(_printable)]


class _Strict(BaseModel):
    # Built when first used: who reads a task reads no suite.
    model_config = ConfigDict(strict=True, extra="forbid", defer_build=True)

    def has(self, *names: str) -> list[str]:
        """Those of the fields that the document gives."""
        return [name for name in names if name in self.model_fields_set]


class _Tolerance(_Strict):
    abs: str = "0"
    rel: str = "0"
    same_type: bool = False


class _Approx(_Strict):
    approx: _Tolerance


class _CallCase(_Strict):
    args: str
    kwargs: str = "{}"
    returns: str = ""
    raises: str = ""
    args_after: str = ""
    project: str = ""
    equality: str | _Approx = ""


class _InputCase(_Strict):
    stdin: str
    stdout: list[str]
    equality: str = ""


class _Suite(_Strict):
    suite: str
    dialect: str
    preamble: str = ""
    series: Word = ""
    release: Word = ""


class _CallSuite(_Suite):
    entry_point: str
    project: str = ""
    equality: str | _Approx = "typed"
    cases: list[_CallCase]


class _InputSuite(_Suite):
    equality: str = "lines"
    cases: list[_InputCase]


_Model = TypeVar("_Model", _CallSuite, _InputSuite)


def parse_suite(data: bytes | str, declared: str | None = None) -> SuiteSpec:
    """The suite that these bytes are; `declared` is the function that the task names, where a task is at hand.

    Without one, a built-in's name is no entry point; whoever goes on to check a candidate has to `bind` the suite.

    Raises:
        InvalidSuite: the bytes are no suite; the code is a key of `REFUSALS`, one line names the place.

    Source: spec/suite.md §2, §7.
    """
    try:
        found = _READER.read(data)
    except InvalidSuite as fault:
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if fault.code == "suite.json" and _CODE(raw):
            raise _refusal("raw_code", "the suite is program text") from None
        raise
    spec = suite_from(found)
    return refuse_built_in(spec) if declared is None else bind(spec, declared)


def suite_from(found: object) -> SuiteSpec:
    """The suite of a document that a strict reader made; see `parse_suite`. Does not look at whose the function is."""
    if type(found) is str:
        raise _refusal("raw_code", "the suite is a text")
    if type(found) is not dict:
        raise _refusal("shape", f"the suite is {word_for(found)}, not an object")
    for key, code, known in (("suite", "version", {VERSION}), ("dialect", "dialect", _DIALECTS)):
        if key not in found:
            raise _refusal("missing", f"`{key}` is missing")
        if type(found[key]) is not str or found[key] not in known:
            raise _refusal(code, f"`{key}` names none that is known")
    cases = found.get("cases")
    if type(cases) is str:
        raise _refusal("raw_code", "`cases` is a text")
    if type(cases) is list and not 0 < len(cases) <= MAX_CASES:
        raise _refusal("too_many_cases" if cases else "empty", f"the suite has {len(cases)} cases")
    if found["dialect"] == dialects.PYTHON_CALL:
        return _call_suite(_validated(_CallSuite, found))
    return _input_suite(_validated(_InputSuite, found))


_DIALECTS: Final = {dialects.PYTHON_CALL, dialects.STDIN_STDOUT}


def _call_suite(suite: _CallSuite) -> SuiteSpec:
    name = suite.entry_point
    if _NAME(name) is None or name in KEYWORDS:
        raise _refusal("entry_point", "`entry_point` is no plain name")
    usual = _equality(suite.equality, "equality")
    projected = _projection(suite, "project")
    questions = []
    for at, case in enumerate(suite.cases):
        place = f"cases.{at}"
        found = _call_question(case, place, usual, projected)
        _within(found.ask, place)
        questions.append(found)
    return SuiteSpec(suite.dialect, name, tuple(questions), _preamble(suite, name), suite.series, suite.release)


def _call_question(case: _CallCase, place: str, usual: Equality, projected: str) -> Question:
    expectations = case.has("returns", "raises", "args_after")
    if len(expectations) != 1:
        said = " and ".join(f"`{one}`" for one in expectations) or "none of them"
        raise _refusal("expectation", f"`{place}` has {said}")
    kind = expectations[0]
    arguments = _sequence(case.args, f"{place}.args")
    keywords = _literal(case.kwargs, f"{place}.kwargs") if case.has("kwargs") else _NO_KEYWORDS
    if keywords[0] != "d" or any(pair[1][0][0] != "s" for pair in keywords[1]):
        raise _refusal("arguments", f"`{place}.kwargs` is no dict of names")
    if case.has("project") and kind != "returns":
        raise _refusal("projection", f"`{place}.project` stands beside `{kind}`")
    if case.has("equality") and kind == "raises":
        raise _refusal("equality", f"`{place}.equality` stands beside `raises`, which compares by class")
    observe, check = dialects.VALUE, _check(case, place, usual, kind)
    if kind == "args_after":
        observe = dialects.ARGUMENTS
    elif kind == "returns":
        observe = _projection(case, f"{place}.project") or projected or dialects.VALUE
    return Question(Call(arguments, keywords, observe), check)


def _check(case: _CallCase, place: str, usual: Equality, kind: str) -> Case:
    if kind == "raises":
        name = ALIASES.get(case.raises, case.raises)
        if name not in EXCEPTIONS:
            raise _refusal("exception", f"`{place}.raises` names none")
        if name == "MemoryError":
            # Observed as the end of the case, by `memory`: no candidate could pass.
            raise _refusal("exception", f"`{place}.raises` names MemoryError, which ends a case")
        return Raises(name)
    equality = _equality(case.equality, f"{place}.equality") if case.has("equality") else usual
    if kind == "args_after":
        expected: Tree = ("t", _sequence(case.args_after, f"{place}.args_after"))
    else:
        expected = _literal(case.returns, f"{place}.returns")
    if not isinstance(equality, Typed) and _has_nan(expected):
        raise _refusal("nan", f"`{place}` expects nan")
    return Equals(expected, equality)


def _input_suite(suite: _InputSuite) -> SuiteSpec:
    usual = _likeness(suite.equality, "equality")
    questions = []
    for at, case in enumerate(suite.cases):
        place = f"cases.{at}"
        if not 0 < len(case.stdout) <= MAX_OUTPUTS:
            raise _refusal("expectation", f"`{place}.stdout` has {len(case.stdout)} outputs")
        if any(len(text.encode()) > MAX_BYTES for text in case.stdout):
            raise InvalidLiteral("literal.too_large", message("literal.too_large", f"`{place}.stdout` is beyond it"))
        likeness = _likeness(case.equality, f"{place}.equality") if case.has("equality") else usual
        question = Question(Input(case.stdin), Prints(tuple(case.stdout), likeness))
        _within(question.ask, place)
        questions.append(question)
    return SuiteSpec(suite.dialect, "", tuple(questions), _preamble(suite, ""), suite.series, suite.release)


def _preamble(suite: _CallSuite | _InputSuite, entry_point: str) -> str:
    fault = fault_of(suite.preamble, entry_point)
    if fault:
        raise _refusal("preamble", f"`preamble` cannot stand in front of a candidate: {fault}")
    return suite.preamble


def _within(ask: Call | Input, place: str) -> None:
    try:
        payload(ask)
    except InvalidSuite as fault:
        raise InvalidLiteral(fault.code, f"`{place}`: {fault}") from None


def _literal(text: str, place: str) -> Tree:
    try:
        return read(text)
    except InvalidLiteral as fault:
        raise InvalidLiteral(fault.code, f"`{place}`: {fault}") from None


def _sequence(text: str, place: str) -> tuple[Tree, ...]:
    kind, held = _literal(text, place)
    if kind not in {"t", "l"} or isinstance(held, str):
        raise _refusal("arguments", f"`{place}` is no tuple")
    return held


def _has_nan(tree: Tree) -> bool:
    kind, held = tree
    return kind == "f" and held == "nan" if isinstance(held, str) else any(map(_has_nan, held))


def _projection(given: _CallSuite | _CallCase, place: str) -> str:
    if given.has("project") and given.project not in dialects.PROJECTIONS:
        raise _refusal("projection", f"`{place}` names none")
    return given.project


def _equality(given: str | _Approx, place: str) -> Equality:
    if isinstance(given, _Approx):
        tolerance = given.approx
        if not tolerance.has("abs", "rel"):
            raise _refusal("tolerance", f"`{place}` names neither `abs` nor `rel`")
        try:
            return dialects.approx(tolerance.abs, tolerance.rel, same_type=tolerance.same_type)
        except InvalidSuite as fault:
            raise InvalidSuite(fault.code, f"`{place}.approx`: {fault}") from None
    if given not in dialects.EQUALITIES:
        known = ", ".join(dialects.EQUALITIES)
        raise _refusal("equality", f"`{place}` is none of {dialects.PYTHON_CALL}, which has {known}, approx")
    return dialects.EQUALITIES[given]


def _likeness(given: str, place: str) -> Likeness:
    if given not in dialects.LIKENESSES:
        known = ", ".join(dialects.LIKENESSES)
        raise _refusal("equality", f"`{place}` is none of {dialects.STDIN_STDOUT}, which has {known}")
    return dialects.LIKENESSES[given]


def _validated(model: type[_Model], found: Mapping[str, object]) -> _Model:
    try:
        return model.model_validate(found)
    except ValidationError as fault:
        errors = _meant(fault)
    # A misspelled key is named before the one that it leaves missing.
    error = min(errors, key=lambda one: _RANK.get(one["type"], 1))
    place = f"`{_place(error['loc'])}`"
    match error["type"]:
        case "extra_forbidden":
            raise _refusal("unknown_key", f"{place} is no key of a suite")
        case "missing":
            raise _refusal("missing", f"{place} is missing")
        case "string_too_short" | "string_too_long" | "value_error":
            raise _refusal("word", f"{place} is no plain word")
        case _:
            key, word = _last(error["loc"]), word_for(error["input"])
            if key in {"abs", "rel"}:
                raise _refusal("tolerance", f"{place} is {word}")
            raise _refusal("type", f"{place} is {word}, not {_NEEDED.get(key, 'a text')}")


def _meant(fault: ValidationError) -> list[ErrorDetails]:
    """What is wrong with the alternative that the document chose: of an equality, a name or an object."""
    errors = fault.errors(include_url=False, include_context=False)
    # The input of an error is what stands at its place: an object there was meant as one, all else as a name.
    return [one for one in errors if not (one["loc"][-1] == "str" and type(one["input"]) is dict)]


def _last(loc: Sequence[int | str]) -> str:
    """The key of a place; of a place in a list that of the list, with `[]`."""
    names = [part for part in loc if part not in _ADDED]
    return f"{names[-2]}[]" if isinstance(names[-1], int) else str(names[-1])


# What the keys hold; those that are not here hold a text.
_LITERAL: Final = 'a text with a literal in it, as `"2"`'
_NEEDED: Final = {
    "cases": "a list of cases",
    "cases[]": "an object with `args` or `stdin`",
    "args": 'a text with a tuple in it, as `"(1, 2)"`',
    "kwargs": "a text with a dict in it, as `\"{'k': 1}\"`",
    "args_after": 'a text with a tuple in it, as `"(1, 2)"`',
    "returns": _LITERAL,
    "raises": "a text, the name of an exception",
    "equality": "a name or an object with `approx`",
    "approx": 'an object with `abs` or `rel`, as `{"abs":"1e-6"}`',
    "same_type": "true or false",
    "stdout": "a list of texts, each an accepted output",
    "stdout[]": "a text, an accepted output",
}
_ADDED: Final = {"str", "_Approx"}
_RANK: Final = {"extra_forbidden": 0, "missing": 2}


def _place(loc: Sequence[int | str]) -> str:
    # What pydantic adds for a union is left out; what a stranger wrote is cut and escaped.
    names = [ascii(part)[1:-1][:40] if isinstance(part, str) else str(part) for part in loc]
    return ".".join(name for name in names if name not in _ADDED)


def _refusal(code: str, found: str) -> InvalidSuite:
    return InvalidSuite(f"suite.{code}", message(f"suite.{code}", found))
