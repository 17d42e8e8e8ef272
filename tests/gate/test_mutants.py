"""What mutants a source has, in which order, and which of them are run (spec/suite.md §10)."""

from __future__ import annotations

import ast

import pytest

from assay.gate.mutants import MAX_SOURCE, MOST, CannotMutate, mutants, spaced


def made(body: str) -> list[str]:
    """Return the mutants of a function's one statement, without the function around it."""
    return [text.removeprefix("def f(x, y):\n    ") for text in mutants(f"def f(x, y):\n    {body}\n".encode()).texts]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("x < y", ["pass", "x >= y", "x <= y"], id="order"),
        pytest.param("x == y != x", ["pass", "x != y != x", "x == y == x"], id="each of a chain"),
        pytest.param("x is not y in x", ["pass", "x is y in x", "x is not y not in x"], id="identity and membership"),
        pytest.param("x + y", ["pass", "x - y"], id="sum"),
        pytest.param("x - y", ["pass", "x + y", "y - x"], id="operands that do not commute"),
        pytest.param("x @ y", ["pass"], id="an operator without another"),
        pytest.param("x += y", ["x -= y", "pass"], id="with an assignment"),
        pytest.param("x @= y", ["pass"], id="and one without another"),
        pytest.param("x and y or x", ["pass", "(x and y) and x", "(x or y) or x"], id="logic"),
        pytest.param("not x", ["pass", "x"], id="not"),
        pytest.param("~x", ["pass"], id="a sign that stays"),
        pytest.param("return -x", ["return None", "return x"], id="sign"),
        pytest.param("return 7", ["return None", "return 8", "return 6"], id="integer"),
        pytest.param("return 0", ["return None", "return 1", "return -1"], id="zero"),
        pytest.param("return 1.5", ["return None", "return 2.5"], id="float"),
        pytest.param("return True", ["return None", "return False"], id="boolean"),
        pytest.param("return 'a'", ["return None", "return ''"], id="text"),
        pytest.param("return ''", ["return None", "return 'x'"], id="empty text"),
        pytest.param("return b'a'", ["return None"], id="bytes stay"),
        pytest.param("return None", [], id="returns nothing as it is"),
        pytest.param("return", [], id="the same"),
        pytest.param("return x if y else x", ["return None", "return x if not y else x"], id="choice"),
        pytest.param("return [x for x in y if x if not y]",
                     ["return None", "return [x for x in y if not x if not y]",
                      "return [x for x in y if x if y]"], id="conditions of a comprehension"),
        pytest.param("x = y", ["pass"], id="assignment"),
        pytest.param("x: int = y", ["pass"], id="with an annotation, which stays"),
        pytest.param("raise x", ["pass"], id="raise"),
        pytest.param("del x", ["pass"], id="del"),
        pytest.param("assert x", ["pass"], id="assert"),
        pytest.param("return range(x, 9)", ["return None", "return range(x + 1, 9)", "return range(x - 1, 9)",
                                            "return range(x, 10)", "return range(x, 8)"], id="range"),
        pytest.param("return range(*x)", ["return None"], id="a range of who knows what"),
        pytest.param("return x[y:2]", ["return None", "return x[y + 1:2]", "return x[y - 1:2]", "return x[y:3]",
                                       "return x[y:1]"], id="slice, lower"),
        pytest.param("return x[:y]", ["return None", "return x[:y + 1]", "return x[:y - 1]"], id="slice, upper"),
        pytest.param("return range(x + 1)",
                     ["return None", "return range(x - 1)", "return range(x + 2)", "return range(x + 0)"],
                     id="a bound whose constant moves it already"),
        pytest.param("return x if y < 1 else x",
                     ["return None", "return x if y >= 1 else x", "return x if y <= 1 else x",
                     "return x if y < 2 else x", "return x if y < 0 else x"], id="a comparison is negated once"),
        pytest.param("return x[y]", ["return None", "return x[y + 1]"], id="index"),
        pytest.param("return min(x, y)", ["return None", "return max(x, y)"], id="opposite name"),
        pytest.param("return x.lower()", ["return None", "return x.upper()"], id="opposite method"),
        pytest.param("return x.append(y)", ["return None"], id="a method without an opposite"),
        pytest.param("return (x)(y)()", ["return None"], id="a call of no name"),
        pytest.param("return f'{x + 1}'", ["return None"], id="formatted text is left alone"),
        pytest.param("import os", [], id="imports are left alone"),
        pytest.param("'said'", [], id="so are docstrings"),
    ],
)  # fmt: skip
def test_changes(body: str, expected: list[str]) -> None:
    assert made(body) == expected


def test_statements_with_a_body() -> None:
    source = b"def f(x):\n    while x:\n        if not x:\n            break\n        continue\n"
    found = [ast.dump(ast.parse(text)) for text in mutants(source).texts]
    changed = [
        (b"while x", b"while not x"),
        (b"not x", b"x"),
        (b"break", b"continue"),
        (b"        continue", b"        break"),
    ]
    assert found == [ast.dump(ast.parse(source.replace(*one, 1))) for one in changed]


def test_annotations_and_defaults() -> None:
    found = mutants(b"def f(x: 1 = 2) -> 3:\n    pass\n").texts
    assert found == ("def f(x: 1=3) -> 3:\n    pass", "def f(x: 1=1) -> 3:\n    pass")


def test_what_is_for_a_main_program_is_changed_only_in_one() -> None:
    source = b"if __name__ == '__main__':\n    print(1)\n"
    assert mutants(source).texts == ()
    assert len(mutants(source, is_module=False).texts) > 3


def test_equal_mutants_count_once() -> None:
    # The negated condition and the sign taken away are one program.
    found = mutants(b"def f(x):\n    if not x:\n        return\n")
    assert (len(found.texts), found.possible) == (1, 2)


def test_those_that_do_not_compile_are_dropped() -> None:
    # Without the assignment, the nonlocal means nothing.
    found = mutants(b"def f():\n    x = b''\n\n    def g():\n        nonlocal x\n        x = b''\n    return g\n")
    assert found.possible == 3
    assert [text.count("x = b''") for text in found.texts] == [1, 2]


def test_the_same_source_has_the_same_mutants_however_it_is_typed() -> None:
    spaced_out = b"def f( x ) :  # says\n\n    return (x+1)\n"
    assert mutants(spaced_out) == mutants(b"def f(x):\n    return x + 1\n")


def test_of_many_the_evenly_spaced_ones_are_run() -> None:
    source = b"def f():\n    return [" + b", ".join(b"%d" % n for n in range(10, 2000, 10)) + b"]\n"
    found = mutants(source)
    assert (len(found.texts), found.possible) == (MOST, 2 * 199 + 1)
    assert found.texts[0] == "def f():\n    return None"
    assert len(mutants(source, most=7).texts) == 7


def test_statements_of_a_program_are_joined() -> None:
    found = mutants(b"'says'\nfrom __future__ import annotations\nx = y = b''\ndef f():\n    return x\n")
    assert found.texts == (
        '"""says"""\nfrom __future__ import annotations\npass\ndef f():\n    return x',
        '"""says"""\nfrom __future__ import annotations\nx = y = b\'\'\ndef f():\n    return None',
    )


def test_a_long_program_takes_no_longer_than_its_mutants() -> None:
    source = b"def f(x):\n    return [" + b"x + 1, " * 100 + b"]\n"
    found = mutants(source * 40, most=5)
    assert (len(found.texts), found.possible) == (5, 40 * (1 + 300))


def test_even_spacing() -> None:
    assert spaced(range(10), 5) == [0, 2, 4, 6, 8]
    assert spaced(range(3), 5) == [0, 1, 2]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"def f(:\n", id="no program"),
        pytest.param(b"\x00", id="a null byte"),
        pytest.param(b"# coding: nonesuch\n", id="an unknown encoding"),
        pytest.param(b"x = '\xff'\n", id="no UTF-8"),
        pytest.param(b"x = " + b"1+" * 15_000 + b"1\n", id="a tree that is too deep"),
        pytest.param(b"x = " + b"-" * 30_000 + b"1\n", id="signs without end"),
        pytest.param(b"x = " + b"(" * 5_000 + b")" * 5_000 + b"\n", id="brackets without end"),
        pytest.param(b"#" * (MAX_SOURCE + 1), id="too long"),
    ],
)
def test_what_cannot_be_changed_is_said_and_does_no_harm(source: bytes) -> None:
    with pytest.raises(CannotMutate, match=r"the source is no program|more than"):
        mutants(source)
