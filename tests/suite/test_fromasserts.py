"""Assertions to suites: what each form means, what is not said, and that nothing is ever run (spec/suite.md §11)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.suite.fromasserts import FromAsserts, from_asserts
from assay.suite.reading import lines
from assay.suite.refusals import InvalidSuite
from assay.suite.spec import document
from assay.wire.suites import parse_suite


def converted(text: str, entry_point: str | None = None) -> FromAsserts:
    return from_asserts(text.encode(), entry_point)


def cases(found: FromAsserts) -> list[str]:
    assert found.suite is not None
    # What is converted is what a gate reads.
    assert parse_suite(json.dumps(document(found.suite)), found.entry_point) == found.suite
    return [line.partition(". ")[2] for line in lines(found.suite)[1:]]


def reasons(found: FromAsserts) -> list[str]:
    return [one.reason for one in found.left_out]


@pytest.mark.parametrize(
    ("test", "case"),
    [
        ("f(1, 2) == 3", "f(1, 2) is 3 [python]"),
        ("3 == f(1, k='x')", "f(1, k='x') is 3 [python]"),
        ("(f(1)) == ((3))", "f(1) is 3 [python]"),
        ('f([1,  # one\n  \'#\', """#"""]) == -1.5', "f([1, '#', '#']) is -1.5 [python]"),
        ("f(1) is None", "f(1) is None [typed]"),
        ("f(1) is True", "f(1) is True [typed]"),
        ("f(1) is not None", "is_none of f(1) is False [python]"),
        ("f(1)", "truth of f(1) is True [python]"),
        ("f(1), 'a message'", "truth of f(1) is True [python]"),
        ("not f(1)", "truth of f(1) is False [python]"),
        ("bool(f(1)) == True", "truth of f(1) is True [python]"),
        ("bool(f(1)) is False", "truth of f(1) is False [python]"),
        ("len(f(1)) == 2", "length of f(1) is 2 [python]"),
        ("set(f(1)) == set([2, 2])", "f(1) is [2, 2] [as_set]"),
        ("set((2, 1)) == set(f(1))", "f(1) is (2, 1) [as_set]"),
        ("set(f(1)) == {2, 1}", "f(1) is {1, 2} [as_set]"),
        ("f(1) == set([2])", "f(1) is {2} [python]"),
        ("sorted(f(1)) == sorted([2, 1])", "f(1) is [2, 1] [multiset]"),
        ("abs(f(1) - 2) < 1e-6", "f(1) is 2 [within 1e-6]"),
        ("abs(2 - f(1)) <= 0", "f(1) is 2 [within 0]"),
        ("math.isclose(f(1), 2, rel_tol=0.5, abs_tol=3)", "f(1) is 2 [within 3]"),
        ("math.isclose(-2, f(1), rel_tol=0.5)", "f(1) is -2 [within 1]"),
        ("f(1) == pytest.approx(100, rel=1e-2)", "f(1) is 100 [within 1]"),
        ("f(1) == pytest.approx(100, abs=1e-2)", "f(1) is 100 [within 0.01]"),
        ("abs(f(1) - 2) < 1e308", "f(1) is 2 [within 1e308]"),
        ("math.isclose(f(1), 0.3, rel_tol=0.001)", "f(1) is 0.3 [within 3e-4]"),
        ("abs(f(1) - 2) < 5e-324", "f(1) is 2 [within 5e-324]"),
        ("pytest.approx(0) == f(1)", "f(1) is 0 [within 1e-12]"),
        ("f(0x" + "f" * 4000 + ") == 1e999", "f(0x" + "f" * 4000 + ") is 1e999 [python]"),
    ],
)
def test_a_form_means_its_case(test: str, case: str) -> None:
    found = converted(f"import math, pytest\nassert {test}\n")
    assert (cases(found), found.left_out, found.entry_point) == ([case], (), "f")


def test_each_side_of_an_and_is_a_case() -> None:
    assert cases(converted("assert f(1) == 1 and not f(2) and (f(3) and f(4))\n")) == [
        "f(1) is 1 [python]",
        "truth of f(2) is False [python]",
        "truth of f(3) is True [python]",
        "truth of f(4) is True [python]",
    ]


def test_exceptions_and_methods() -> None:
    text = """
import unittest, pytest

def test_one():
    with pytest.raises(ValueError):
        f(1)

class Test(unittest.TestCase):
    limit = 3
    def test_two(self):
        with self.assertRaises(IOError):
            f(2)
        self.assertEqual(f(3), 1, "message")
        self.assertTrue(f(4) == 1)
        self.assertFalse(f(5))
        self.assertIsNone(f(6))
        self.assertIsNotNone(f(7))
        self.assertCountEqual(f(8), [1, 1])

if __name__ == "__main__":
    assert f(9) == 9
    unittest.main()
"""
    assert cases(converted(text)) == [
        "f(9) is 9 [python]",
        "f(1) raises ValueError",
        "f(2) raises OSError",
        "f(3) is 1 [python]",
        "f(4) is 1 [python]",
        "truth of f(5) is False [python]",
        "is_none of f(6) is True [python]",
        "is_none of f(7) is False [python]",
        "f(8) is [1, 1] [multiset]",
    ]
    assert converted(text).left_out == ()


def test_check_names_the_function() -> None:
    text = """
METADATA = {'author': 'x', 'dataset': open('/dev/null')}

def check(candidate):
    assert True, "this prints if it fails"
    assert candidate([1.0], 0.5) == True, "message"
    assert candidate('') == []

check(has_it)
"""
    found = converted(text)
    assert (found.entry_point, len(cases(found)), found.left_out) == ("has_it", 2, ())
    assert [(one.line, one.text) for one in found.idle] == [(5, 'assert True, "this prints if it fails"')]
    assert converted(text, "other").suite is None
    with pytest.raises(InvalidSuite, match="nothing tells what `check` is called with"):
        converted(text.replace("check(has_it)", ""))
    assert converted(text.replace("check(has_it)", ""), "has_it").suite == found.suite


def test_names_stand_for_literals_and_calls() -> None:
    text = """
SMALL = 1
WORDS = ['a']

def test_it():
    x: int = 2
    y = [x, SMALL]
    wanted = {'k': x}
    assert f(y) == wanted
    x = 3
    found = f(x, key=x)
    assert found == 4
    assert len(found) == 1
"""
    assert cases(converted(text)) == [
        "f([2, 1]) is {'k': 2} [python]",
        "f(3, key=3) is 4 [python]",
        "length of f(3, key=3) is 1 [python]",
    ]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param("x = [1]\nf(x)\nassert f(x) == 1", "`x` stands for no literal", id="used before"),
        pytest.param("x = [1]\nassert f(x) == x", "`x` stands for no literal", id="twice in one assertion"),
        pytest.param("x = [1]\nx.append(2)\nassert f(x) == 1", "`x` stands for no literal", id="changed"),
        pytest.param("x = [1]\ny = x\ny.pop()\nassert f(x) == 1", "`x` stands for no literal", id="by another name"),
        pytest.param("x = [1]\ny = [x]\nassert f(y) == 1", "`y` stands for no literal", id="inside another"),
        pytest.param("x = 1\nx += 1\nassert f(x) == 1", "`x` stands for no literal", id="added to"),
        pytest.param("x = 1\nfor x in (2,):\n pass\nassert f(x) == 1", "`x` stands for no literal", id="of a loop"),
        pytest.param("x = g()\nassert f(x) == 1", "`x` stands for no literal", id="of a call"),
        pytest.param("x = 1 + y\nassert f(x) == 1", "`x` stands for no literal", id="of a sum"),
        pytest.param("r = f(1)\nr.pop()\nassert r == 1", "no call of the function stands where one is asked for",
                     id="a changed outcome"),
        pytest.param("r = f(1)\nr = 2\nassert r == 2", "no call of the function stands where one is asked for",
                     id="an outcome that is bound anew"),
    ],
)  # fmt: skip
def test_a_name_that_may_have_changed_is_no_literal(body: str, reason: str) -> None:
    for text in (body, "def test_it():\n" + "".join(f"  {line}\n" for line in body.splitlines())):
        assert reasons(converted(text, "f"))[-1] == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A = 1\nA = 2\ndef test():\n assert f(A) == 1", "`A` stands for no literal"),
        ("A = [1]\ndef test():\n assert f(A) == 1", "`A` stands for no literal"),
        ("A = 1\ndef test():\n A = g()\n assert f(A) == 1", "`A` stands for no literal"),
        ("A = 1\ndef other():\n global A\ndef test():\n assert f(A) == 1", "`A` stands for no literal"),
        ("def test(A):\n assert f(A) == 1", "`A` stands for no literal"),
        ("assert f(1) == inf", "`inf` stands for no literal"),
        ("assert f(1) == float('nan')", "`float('nan')` is a call, no literal"),
        ("assert f(1) == 2 ** 3", "it has an expression, which is no literal"),
        ("assert f(f'{1}') == 1", "it has an f-string, which is no literal"),
        ("assert f(*[1]) == 1", "it has a `*` before it, which is no literal"),
        ("assert f(**{'a': 1}) == 1", "it has a `**` before it, which is no literal"),
        ("assert f([x for x in ()]) == 1", "it has a comprehension, which is no literal"),
        ("assert f(...) == 1", "literal.syntax: nothing that a literal is made of stands at character 0"),
        ("assert f({1, 1.0}) == 1", "literal.duplicate: a set or a dict's keys hold two equal values"),
        ("assert f(1) == f(2)", "`f(2)` is a call, no literal"),
        ("assert f(f(2)) == 1", "`f(2)` is a call, no literal"),
        ("assert f(1) != 1", "only `==`, `is` and `abs(… - …) <` have a counterpart"),
        ("assert 1 < f(1) < 3", "a chain of comparisons has no counterpart"),
        ("assert f(1) is not 3", "`is` has a counterpart for None, True and False, `is not` for None"),
        ("assert f(1) or f(2)", "no call of the function stands where one is asked for"),
        ("assert isinstance(f(1), int)", "`isinstance(…)` has no counterpart here"),
        ("assert tuple(f(1)) == (1,)", "`tuple(…)` has no counterpart here"),
        ("assert m.f(1) == 1", "`m.f(…)` has no counterpart here"),
        ("assert sorted(f(1)) == [1]", "the other side is not `sorted(…)` too"),
        ("assert set(f(1)) == [1]", "the other side is no set"),
        ("def set(x): pass\nassert set(f(1)) == {1}", "`f(1)` is a call, no literal"),
        ("def set(x): pass\nassert f(1) == set([1])", "`set([1])` is a call, no literal"),
        ("assert abs(f(1) - 2) < 0", "nothing is nearer than that"),
        ("assert abs(f(1) + 2) < 1", "in `abs(…)` stands no difference"),
        ("assert abs(f(1) - 'x') < 1", "a tolerance needs finite numbers"),
        ("assert abs(g - 2) < 1", "no call of the function stands where one is asked for"),
        ("assert abs(f(1) - 2) < 1e999", "a tolerance needs finite numbers"),
        ("assert f(1) == pytest.approx(2, abs=-1)", "a tolerance is negative"),
        ("assert abs(f(1) - 2) < 1" + "0" * 200, "the tolerance is out of its grammar"),
        ("assert math.isclose(1, 2)", "`math.isclose` compares no call with a literal"),
        ("assert math.isclose(f(1), 2, 3)", "`math.isclose` compares no call with a literal"),
        ("assert math.isclose(f(1), 2, tol=3)", "only rel_tol and abs_tol have a counterpart"),
        ("math = 1\nassert math.isclose(f(1), 2)", "the file binds the module's name to something else"),
        ("assert f(1) == pytest.approx()", "it names no value"),
        ("assert f(1) == pytest.approx([1.0])", "a tolerance needs finite numbers"),
        ("assert f(1) == pytest.approx(1, 2)", "only rel and abs have a counterpart"),
        ("assert f([nan, 1]) == 1", "`nan` stands for no literal"),
        ("x = 1+2j\nassert f(-x) == 1", "literal.syntax: a sign stands before no number at character 2"),
        ("x = 1\nassert f(x - 2j) == 1", "literal.syntax: the literal is over at character 5, and more follows"),
        ("for x in (1, 2):\n y = x\n assert f(1) == 1", "it stands in a loop"),
        ("for x in (1, 2):\n assert f(1) == 1\nelse:\n pass", "it stands in a loop"),
        ("for x, x in [(1, 2)]:\n assert f(x) == 1", "it stands in a loop"),
        ("for x in range(2):\n assert f(x) == 1",
         "it stands in a loop, of which line 2 has no counterpart: `range(2)` is a call, no literal"),
        ("for x in 'ab':\n assert f(x) == 1",
         "it stands in a loop, of which line 2 has no counterpart: what is repeated over is no literal list or tuple"),
        ("for x, y in [(1, 2), (3,)]:\n assert f(x) == y",
         "it stands in a loop, of which line 2 has no counterpart: a row has not one value for each name"),
        ("for x in [[1], 2]:\n assert f(x) == x",
         "it stands in a loop, of which line 2 has no counterpart: `x` stands for no literal"),
        ("@pytest.mark.parametrize('x', g())\ndef test(x):\n assert f(x) == 1",
         "it stands in a test whose parameters cannot be read: `g()` is a call, no literal"),
        ("@pytest.mark.parametrize('x', [1])\n@skip\ndef test(x):\n assert f(x) == 1",
         "it stands in what a decorator governs"),
        ("@pytest.mark.parametrize('x', [1], indirect=True)\ndef test(x):\n assert f(x) == 1",
         "it stands in what a decorator governs"),
        ("@pytest.mark.parametrize('x', [1])\ndef test(x, y):\n assert f(x) == 1",
         "it stands in what a decorator governs"),
        ("@pytest.mark.parametrize(g, [1])\ndef test(x):\n assert f(x) == 1",
         "it stands in what a decorator governs"),
        ("pytest = 1\n@pytest.mark.parametrize('x', [1])\ndef test(x):\n assert f(x) == 1",
         "it stands in what a decorator governs"),
        ("@pytest.mark.parametrize('x', [1, 2])\ndef test(x):\n assert f(x) != 1",
         "only `==`, `is` and `abs(… - …) <` have a counterpart"),
        ("if x:\n assert f(1) == 1", "it stands in a condition"),
        ("try:\n assert f(1) == 1\nfinally:\n pass", "it stands in a `try`"),
        ("def helper():\n assert f(1) == 1", "it stands in `helper`, which is no test"),
        ("@skip\ndef test():\n assert f(1) == 1", "it stands in what a decorator governs"),
        ("@skip\nclass T:\n def test(self):\n  assert f(1) == 1", "it stands in a class"),
        ("class T:\n assert f(1) == 1", "it stands in a class"),
        ("def test():\n return\n assert f(1) == 1", "it stands in what comes after the block was left"),
        (
            "import pytest\ndef test():\n with pytest.raises(MemoryError):\n  f(1)",
            "a MemoryError is the end of a case and never an exception that was seen",
        ),
        ("def test():\n raise E\n with pytest.raises(E):\n  f(1)", "it stands in what comes after the block was left"),
        ("def test():\n def test():\n  assert f(1) == 1", "it stands in a function inside"),
        ("def test():\n f(1)", "a call alone checks only that nothing is raised"),
        ("def check(c):\n c(1)\ncheck(f)", "a call alone checks only that nothing is raised"),
        ("with pytest.raises(E):\n f(1)", "`E` is not one built-in exception"),
        ("with pytest.raises((E, F)):\n f(1)", "`(E, F)` is not one built-in exception"),
        ("with pytest.raises(ValueError, check=g):\n f(1)", "only the class of an exception has a counterpart"),
        ("with pytest.raises(ValueError):\n x = 1\n f(1)", "it stands in a `with`"),
        ("KeyError = 1\nwith pytest.raises(KeyError):\n f(1)", "`KeyError` is not one built-in exception"),
        ("with pytest.raises(ValueError):\n g.h(1)", "`g.h(…)` has no counterpart here"),
        ("class T:\n def test(self):\n  self.assertIn(f(1), [1])", "`assertIn` has no counterpart"),
        ("class T:\n def test(self):\n  self.assertTrue(f(1), msg='')", "its further arguments have no counterpart"),
        ("class T:\n def test(self):\n  self.assertTrue(f(1) and f(2))", "it asks several things at once"),
        ("async def test():\n assert await f(1) == 1", "no call of the function stands where one is asked for"),
        ("assert g(1) == 1", "it calls `g`, not `f`"),
    ],
)  # fmt: skip
def test_what_no_suite_says_is_listed(text: str, reason: str) -> None:
    found = converted(text, "f")
    assert (found.suite, reasons(found)) == (None, [reason])


def test_review_simple_loops_are_their_cases() -> None:
    text = """
ROWS = [([2], 4), ([3], 9)]
def test_it():
    for x, y in [(1, 1), (2, 4)]:
        assert f(x) == y
        assert f([x]) == y
    for x in (3, 'a'):
        assert f(x)
for x, y in ROWS:
    assert f(x) == y
"""
    found = converted(text, "f")
    assert (len(found.left_out), cases(found)) == (
        0,
        [
            "f([2]) is 4 [python]",
            "f([3]) is 9 [python]",
            "f(1) is 1 [python]",
            "f([1]) is 1 [python]",
            "f(2) is 4 [python]",
            "f([2]) is 4 [python]",
            "truth of f(3) is True [python]",
            "truth of f('a') is True [python]",
        ],
    )


def test_after_a_loop_its_names_stand_for_nothing() -> None:
    found = converted("x = 5\nfor x in [1]:\n assert f(x) == 1\nassert f(x) == 1\n", "f")
    assert (cases(found), reasons(found)) == (["f(1) is 1 [python]"], ["`x` stands for no literal"])


@pytest.mark.parametrize("names", ["'x, y'", "'x,y'", "['x', 'y']", "('x', 'y')"])
def test_review_parameters_of_a_test_are_its_cases(names: str) -> None:
    text = f"""
import pytest
ONE = 1
@pytest.mark.parametrize({names}, [(1, ONE), ([2], 4)], ids=['a', 'b'])
def test_it(x, y):
    assert f(x) == y

class Test:
    @pytest.mark.parametrize("x", [(1, 2), 3])
    def test_method(self, x):
        assert f(x)
"""
    found = converted(text)
    assert (found.left_out, cases(found)) == (
        (),
        [
            "f(1) is 1 [python]",
            "f([2]) is 4 [python]",
            "truth of f((1, 2)) is True [python]",
            "truth of f(3) is True [python]",
        ],
    )


def test_review_raises_with_match_asks_for_the_class_and_says_so() -> None:
    found = converted("import pytest\ndef test():\n with pytest.raises(ValueError, match='bad'):\n  f(1)\n")
    assert cases(found) == ["f(1) raises ValueError"]
    assert reasons(found) == ["the case asks for the exception's class; what its message matches is not asked"]


def test_a_remark_has_line_text_and_reason() -> None:
    found = converted("assert f(1) == 1\n\nassert f(1,  # why\n  2) != (\n'" + "y" * 90 + "')\n")
    (one,) = found.left_out
    assert (one.line, len(one.text)) == (3, 80)
    assert one.text.startswith("assert f(1, 2) != ( 'yyy")
    assert one.text.endswith("y…")


def test_a_built_in_s_name_is_the_function_where_it_is_named() -> None:
    text = "assert sum(10, 15) == 6\nassert len([1]) == 1\n"
    found = converted(text, "sum")
    assert (cases(found), len(found.left_out)) == (["sum(10, 15) is 6 [python]"], 1)
    assert converted(text).suite is None
    assert cases(converted("assert set([1]) == [1]\n", "set")) == ["set([1]) is [1] [python]"]


def test_several_functions_need_a_name() -> None:
    text = "".join(f"assert f{at}(1) == 1\n" for at in range(6))
    with pytest.raises(InvalidSuite, match="`f0`, `f1`, `f2`, `f3`, `f4` and more; name the function"):
        converted(text)
    found = converted(text, "f3")
    assert (len(cases(found)), len(found.left_out)) == (1, 5)


def test_nothing_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for text in (
        f"open({str(mark)!r}, 'w')\nassert f(1) == 1",
        f"assert f(open({str(mark)!r}, 'w')) == 1",
        f"class T(open({str(mark)!r}, 'w')):\n def test(self, x=open({str(mark)!r}, 'w')):\n  assert f(1) == 1",
    ):
        converted(text, "f")
    assert not mark.exists()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"#" * (1 << 20) + b"#", "asserts.too_long", id="long"),
        pytest.param(b"\xff", "asserts.encoding", id="no text"),
        pytest.param(b"assert f(1) ==", "asserts.syntax", id="no Python"),
        pytest.param(b"a\0", "asserts.syntax", id="null"),
        pytest.param(b"(" * 1000, "asserts.syntax", id="brackets"),
        pytest.param(b"x = " + b"-" * 100_000 + b"1", "asserts.syntax", id="signs"),
        pytest.param(b"x = " + b"1+" * 100_000 + b"1", "asserts.syntax", id="sums"),
        pytest.param(b"f" + b"()" * 100_000, "asserts.syntax", id="calls"),
        pytest.param(b"f" + b".a" * 100_000, "asserts.syntax", id="attributes"),
        pytest.param(b"x = 1" + b"0" * 5_000, "asserts.syntax", id="digits"),
    ],
)
def test_what_cannot_be_parsed_is_refused(data: bytes, code: str) -> None:
    with pytest.raises(InvalidSuite) as caught:
        from_asserts(data)
    assert caught.value.code == code


def test_what_names_stand_for_is_bounded() -> None:
    text = f"x = '{'y' * 600_000}'\nassert f(x, x) == 1\nassert f([x, x]) == 1\n"
    assert reasons(converted(text)) == ["what the names stand for is over 1 MiB"]


def test_odd_files_are_read() -> None:
    found = converted("\ufeff# -*- coding: latin-1 -*-\r\nassert f('\\d', 'é') == 1\rassert f(ｇ) == 1\r\n", "f")
    assert reasons(found) == [
        "literal.escape: an unknown escape stands before character 4",
        "`g` stands for no literal",
    ]
    assert converted("match x:\n case {'a': 1, **r} | [*r] | r:\n  assert f(1)\n", "f").left_out[0].line == 3
    assert converted("try:\n pass\nexcept E as e:\n del e\nimport a.b as c\nimport math as m\n").suite is None
