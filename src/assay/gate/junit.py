"""Halls: attempts as JUnit XML: a testsuite for each candidate, a testcase for each case.

What is expected is left out unless it is asked for: a model may read what a build server shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, tostring

from assay.gate.cases import CaseSeen, cases_of
from assay.gate.deliver import Attempt
from assay.gate.feedback import asked, came, ended, expected
from assay.kernel.grade import Failed, How
from assay.suite.spec import SuiteSpec

# The program answered, and wrongly; everything else is an error.
_FAILURES: Final = {How.WRONG_VALUE, How.EXCEPTION, How.NOT_A_VALUE}
# XML 1.0 has no way to write these, not even escaped.
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(
    suite: SuiteSpec, names: Sequence[str], attempts: Sequence[Attempt], *, void: str = "", show_expected: bool = False
) -> bytes:
    """The XML document; `names` are the candidates', one for each attempt or more. Seconds are of CPU.

    `void` is the reason of a void outcome: a report without a failure would be read as a pass.
    """
    root = Element("testsuites", name="assay gate")
    for name, attempt in zip(names, attempts, strict=False):
        _candidate(root, suite, _text(name), attempt, show_expected=show_expected)
    if void:
        one = SubElement(root, "testsuite", name="the sandbox")
        _error(SubElement(one, "testcase", classname="the sandbox", name="void"), "error", "void", void, void)
        _count(one, list(one))
    _count(root, list(root.iter("testcase")))
    data: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return data + b"\n"


def _candidate(root: Element, suite: SuiteSpec, name: str, attempt: Attempt, *, show_expected: bool) -> None:
    cpu_s = sum(report.usage.cpu_s for report in attempt.reports)
    one = SubElement(root, "testsuite", name=name, time=f"{cpu_s:.6f}")
    for case in cases_of(suite, attempt):
        entry = SubElement(one, "testcase", classname=name, name=f"case {case.case}")
        if case.how is not None:
            lines = [f"asked    {asked(suite, case.case)}", f"came     {came(case)}"]
            if show_expected:
                lines.insert(1, f"expected {expected(suite.questions[case.case])}")
            _wrong(entry, case.how, _words(case), "\n".join(lines))
    # A run can fail at no case; without this entry a reader would see a green candidate.
    if line := ended(attempt):
        assert isinstance(attempt.grade, Failed)  # noqa: S101 - only a failure has such a line
        _wrong(SubElement(one, "testcase", classname=name, name="the run"), attempt.grade.how, line, line)
    _count(one, list(one))


def _wrong(entry: Element, how: How, message: str, text: str) -> None:
    _error(entry, "failure" if how in _FAILURES else "error", str(how), message, text)


def _error(entry: Element, kind: str, type_: str, message: str, text: str) -> None:
    SubElement(entry, kind, type=type_, message=_text(message)).text = _text(text)


def _words(case: CaseSeen) -> str:
    return f"{case.how}{' in the second run' if case.again else ''}"


def _count(element: Element, cases: Sequence[Element]) -> None:
    element.set("tests", str(len(cases)))
    for kind in ("failure", "error"):
        element.set(f"{kind}s", str(sum(case.find(kind) is not None for case in cases)))


def _text(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
