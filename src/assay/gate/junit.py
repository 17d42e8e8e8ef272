"""Halls: attempts as JUnit XML: is it red or green, and why (docs/reference/junit.md).

A testsuite for each candidate, a testcase for each case, and one for the outcome: a delivery is green, all else red.
What is expected is left out unless it is asked for: a model may read what a build server shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from assay.gate.cases import CaseSeen, cases_of, named
from assay.gate.deliver import Attempt, word_of
from assay.gate.feedback import asked, came, ended, expected
from assay.kernel.grade import Ended, Failed, Grade, How
from assay.suite.spec import SuiteSpec

# XML 1.0 has no way to write these, not even escaped.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(
    suite: SuiteSpec, names: Sequence[str], attempts: Sequence[Attempt], *, void: str = "", show_expected: bool = False
) -> bytes:
    """The XML document; `names` are the candidates', one for each attempt or more. Seconds are of CPU.

    `void` is the reason of a void outcome: a report without a failure would be read as a pass.
    """
    root = Element("testsuites", name="assay gate")
    delivered = not void and bool(attempts) and not isinstance(attempts[-1].grade, Failed)
    _outcome(root, names, attempts, void=void, delivered=delivered)
    for number, (name, attempt) in enumerate(zip(names, attempts, strict=False), 1):
        # Where one passed, what came before it is told and turns nothing red.
        passed_over = _passed_over(number, attempt.grade) if delivered else ""
        cpu_s = sum(report.usage.cpu_s for report in attempt.reports)
        one = SubElement(root, "testsuite", name=_text(name), time=f"{cpu_s:.6f}")
        _candidate(one, suite, attempt, passed_over, show_expected=show_expected)
    _count(root, list(root.iter("testcase")))
    data: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _outcome(root: Element, names: Sequence[str], attempts: Sequence[Attempt], *, void: str, delivered: bool) -> None:
    one = SubElement(root, "testsuite", name="the gate")
    entry = SubElement(one, "testcase", classname="the gate", name="delivery")
    if void:
        _note(entry, "error", "void", void, void)
    elif not delivered:
        _note(entry, "failure", "refused", f"refused: none of {len(attempts)} tried passes", "")
    for number, name in enumerate(names[len(attempts) :], len(attempts) + 1):
        left = SubElement(one, "testcase", classname="the gate", name=f"candidate {number}: {_text(name)}")
        SubElement(left, "skipped", message="not tried")
    _count(one, list(one))


def _passed_over(number: int, grade: Grade) -> str:
    return f"candidate {number} {word_of(grade)}: {grade.how}" if isinstance(grade, Failed) else ""


def _candidate(one: Element, suite: SuiteSpec, attempt: Attempt, passed_over: str, *, show_expected: bool) -> None:
    name, line = one.attrib["name"], ended(attempt)
    for case in cases_of(suite, attempt):
        entry = SubElement(one, "testcase", classname=name, name=named(case.case, len(suite.checks)))
        was_asked = case.how is not How.NOT_RUN and not (line and isinstance(case.seen, Ended))
        if case.how is None or not was_asked:
            if message := passed_over or ("" if was_asked else "not run"):
                SubElement(entry, "skipped", message=message)
            continue
        lines = [f"asked    {asked(suite, case.case)}", f"came     {came(case, attempt)}"]
        if show_expected:
            lines.insert(1, f"expected {expected(suite.questions[case.case])}")
        text = "\n".join(lines)
        if passed_over:
            _note(entry, "skipped", None, passed_over, text)
        else:
            _note(entry, "failure", str(case.how), _words(case), text)
    # A run can fail at no case, as where the code does not load; without this entry a reader would see no failure.
    if line:
        assert isinstance(attempt.grade, Failed)  # noqa: S101 - only a failure has such a line
        entry = SubElement(one, "testcase", classname=name, name="the run")
        if passed_over:
            _note(entry, "skipped", None, passed_over, line)
        else:
            _note(entry, "error", str(attempt.grade.how), line, line)
    _count(one, list(one))


def _note(entry: Element, kind: str, type_: str | None, message: str, text: str) -> None:
    given = {"message": _text(message)} if type_ is None else {"type": type_, "message": _text(message)}
    SubElement(entry, kind, given).text = _text(text)


def _words(case: CaseSeen) -> str:
    return f"{case.how}{' in the second run' if case.again else ''}"


def _count(element: Element, cases: Sequence[Element]) -> None:
    element.set("tests", str(len(cases)))
    for kind, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(kind) is not None for case in cases)))


def _text(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
