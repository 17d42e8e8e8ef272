"""Library: a suite as a pytest file, for the eye (docs/adr/0031). The gate never runs it, and nothing reads it back.

The comparisons are written out in it, close to spec/suite.md §4 but not the judge's: they run beside the candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from assay.kernel.equality import Approx, AsSet, Equality, Multiset, Python, Tree
from assay.kernel.grade import Equals, Prints, Raises
from assay.suite.dialects import ARGUMENTS
from assay.suite.literals import write
from assay.suite.spec import Input, Question, SuiteSpec

MODULE: Final = "candidate"
_HEAD: Final = """\
# For reading only. The gate never runs this file: it reads the suite, and compares in a process of its own.
# To try it by hand, put the code into candidate.py beside it and run `pytest` here; a verdict it is not."""
_SEEN: Final = {
    "truth": "bool({})",
    "found": "found({})",
    "is_none": "{} is None",
    "type_name": "type({}).__name__",
    "length": "len({})",
}
_FUNCTIONS: Final = {
    "found": """\
def found(value):
    return value if type(value) is bool else value is not None""",
    "typed": """\
def typed(seen, expected):
    if type(seen) is not type(expected):
        return False
    if isinstance(seen, (list, tuple)):
        return len(seen) == len(expected) and all(map(typed, seen, expected))
    if isinstance(seen, dict):
        keys = sorted(map(repr, seen)) == sorted(map(repr, expected))
        return keys and all(typed(seen[key], expected[key]) for key in seen if key in expected)
    if isinstance(seen, (set, frozenset)):
        return sorted(map(repr, seen)) == sorted(map(repr, expected))
    return repr(seen) == repr(expected) if isinstance(seen, (float, complex)) else seen == expected""",
    "near": """\
def near(seen, expected, absolute, relative, same_type):
    if seen == expected:
        return True
    if same_type and type(seen) is not type(expected):
        return False
    if isinstance(seen, (list, tuple)) and type(seen) is type(expected):
        pairs = zip(seen, expected)
        return len(seen) == len(expected) and all(near(one, two, absolute, relative, False) for one, two in pairs)
    if isinstance(seen, dict) and isinstance(expected, dict):
        values = ((seen[key], expected[key]) for key in seen if key in expected)
        return seen.keys() == expected.keys() and all(near(one, two, absolute, relative, False) for one, two in values)
    if not isinstance(seen, (int, float)) or not isinstance(expected, (int, float)):
        return False
    return math.isfinite(seen) and abs(seen - expected) <= absolute + relative * abs(expected)""",
    "same_members": """\
def same_members(seen, expected):
    kinds = (list, tuple, set, frozenset)
    return isinstance(seen, kinds) and isinstance(expected, kinds) and set(seen) == set(expected)""",
    "same_count": """\
def same_count(seen, expected):
    rest = list(expected)
    for member in seen if isinstance(seen, (list, tuple, set, frozenset)) else [object()]:
        if member not in rest:
            return False
        rest.remove(member)
    return not rest""",
    "lines": """\
def lines(text):
    return [line.rstrip() for line in text.strip().split("\\n")]""",
    "tokens": """\
def tokens(text):
    return text.split()""",
    "run": """\
def run(text):
    done = subprocess.run([sys.executable, "candidate.py"], input=text.encode(), capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()""",
}
_NEEDS: Final = {"near": "math", "run": "subprocess\nimport sys"}


def pytest_lines(spec: SuiteSpec) -> list[str]:
    """The lines of the file: a parametrised test for each way of comparing; a row's id is the case's number, from 0."""
    groups: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for at, question in enumerate(spec.questions):
        shape, row = _row(question)
        groups.setdefault(shape, []).append((at, row))
    used = {name for shape in groups for name in shape[1:]}
    modules = sorted(_NEEDS[name] for name in used if name in _NEEDS)
    found = [_HEAD, *_preamble(spec), "", *(f"import {name}" for name in modules), "", "import pytest", ""]
    found += [f"import {MODULE}", ""] if spec.entry_point else []
    rows = "\n".join(row for group in groups.values() for _, row in group)
    # The two names of a literal that are none of Python's.
    found += [f'{name} = float("{name}")' for name in ("nan", "inf") if name in rows]
    for name, text in _FUNCTIONS.items():
        if name in used:
            found += ["", "", text]
    for number, (shape, cases) in enumerate(groups.items()):
        found += ["", "", *_test(spec, number, shape[0], cases)]
    return [line for part in found for line in part.split("\n")]


def _preamble(spec: SuiteSpec) -> Iterator[str]:
    if spec.preamble:
        yield "# The gate puts these lines in front of the code:"
    for line in spec.preamble.splitlines():
        yield f"#   | {_printable(line)}".rstrip()


def _test(spec: SuiteSpec, number: int, body: str, cases: list[tuple[int, str]]) -> Iterator[str]:
    names = "text, accepted" if not spec.entry_point else "args, kwargs, expected"
    yield "@pytest.mark.parametrize("
    yield f'    "{names}",'
    yield "    ["
    for at, row in cases:
        yield f'        pytest.param({row}, id="{at}"),'
    yield "    ],"
    yield ")"
    yield f"def test_{number}({names}):"
    for line in body.format(call=f"{MODULE}.{spec.entry_point}(*args, **kwargs)").split("\n"):
        yield f"    {line}"


def _row(question: Question) -> tuple[tuple[str, ...], str]:
    """The body of a case's test with the functions that it uses, and the case's values."""
    if isinstance(question.ask, Input):
        assert isinstance(question.check, Prints)  # noqa: S101 - one dialect, one sort of check
        word = type(question.check.likeness).__name__.lower()
        body = f"assert {word}(run(text)) in [{word}(one) for one in accepted]"
        return (body, word, "run"), f"{question.ask.stdin!a}, {[*question.check.accepted]!a}"
    given = f"{_python(('t', question.ask.arguments))}, {_python(question.ask.keywords)}"
    if isinstance(question.check, Raises):
        return ("with pytest.raises(expected):\n    {call}",), f"{given}, {question.check.name}"
    assert isinstance(question.check, Equals)  # noqa: S101 - as above
    comparison, used = _comparison(question.check.equality)
    row = f"{given}, {_python(question.check.expected)}"
    if question.ask.observe == ARGUMENTS:
        return ("{call}\n" + comparison.format("args"), *used), row
    seen = _SEEN.get(question.ask.observe, "{}").format("{call}")
    functions = (*used, "found") if question.ask.observe == "found" else used
    return (comparison.format(seen), *functions), row


def _comparison(equality: Equality) -> tuple[str, tuple[str, ...]]:
    match equality:
        case Python():
            return "assert {} == expected", ()
        case Approx(absolute, relative, same_type):
            return f"assert near({{}}, expected, {absolute}, {relative}, {same_type})", ("near",)
        case AsSet():
            return "assert same_members({}, expected)", ("same_members",)
        case Multiset():
            return "assert same_count({}, expected)", ("same_count",)
        case _:
            return "assert typed({}, expected)", ("typed",)


def _python(tree: Tree) -> str:
    """The value as an expression of Python: as `write` has it, but for complex numbers: Python would add the parts."""
    kind, held = tree
    if isinstance(held, str):
        return f"complex({held})" if kind == "c" else write(tree)
    inside = ", ".join(map(_python, held))
    match kind:
        case "p":
            return ": ".join(map(_python, held))
        case "l":
            return f"[{inside}]"
        case "t":
            return f"({inside},)" if len(held) == 1 else f"({inside})"
        case "d":
            return f"{{{inside}}}"
        case "e":
            return f"{{{inside}}}" if held else "set()"
        case _:
            return f"frozenset({{{inside}}})" if held else "frozenset()"


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
