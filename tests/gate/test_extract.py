"""Code taken out of a model's reply: which bytes, by which rule (spec/suite.md §12)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.gate.extract import _BESIDE, _TAGS, FENCED, TAGGED, WHOLE, Extraction, extract, has_fence

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "suite.md").read_text(encoding="utf-8")
CODE = "def f():\n    return 1\n"


@pytest.mark.parametrize(
    ("reply", "source", "rule"),
    [
        pytest.param(CODE, CODE, WHOLE, id="code alone"),
        pytest.param("", "", WHOLE, id="nothing"),
        pytest.param(f"Sure:\n```python\n{CODE}```\nDone.", CODE, TAGGED, id="a tagged block"),
        pytest.param(f"```py\n{CODE}```", CODE, TAGGED, id="the short tag"),
        pytest.param(f"```Python title=x\n{CODE}```", CODE, TAGGED, id="capitals and more words"),
        pytest.param(f"``` python\n{CODE}```", CODE, TAGGED, id="white space before the tag"),
        pytest.param(f"```\n{CODE}```", CODE, FENCED, id="a block without a tag"),
        pytest.param(f"```text\nin: 1\n```\n```python\n{CODE}```", CODE, TAGGED, id="a tagged block behind another"),
        pytest.param(f"```text\nfirst\n```\n```\n{CODE}```", CODE, FENCED, id="what is no program is passed over"),
        pytest.param(f"```\n{CODE}```\n```\nlast\n```", CODE, FENCED, id="the first of two without a tag"),
        pytest.param("```text\nfirst\n```\n```json\n{}\n```", "first\n", FENCED, id="else the first of any"),
        pytest.param(f"```code\n{CODE}```\n```\nx\n```", CODE, FENCED, id="an unknown tag may be a program"),
        pytest.param(f"```bash\npip\n```\n```python3\n{CODE}```", CODE, TAGGED, id="review: a bash block came first"),
        pytest.param(f"```console\n$ x\n```\n```Py3\n{CODE}```", CODE, TAGGED, id="and a console"),
        pytest.param(f"```python\n \n```\n```python\n{CODE}```", CODE, TAGGED, id="an empty block is passed over"),
        pytest.param("```python\n```", "```python\n```", WHOLE, id="an empty block alone"),
        pytest.param(f"```python\n{CODE}", CODE, TAGGED, id="never closed"),
        pytest.param("```python\nx = 1", "x = 1", TAGGED, id="cut short"),
        pytest.param(f"~~~python\n{CODE}~~~", CODE, TAGGED, id="tildes"),
        pytest.param(f"````python\n```\n{CODE}````", f"```\n{CODE}", TAGGED, id="a longer fence holds a shorter one"),
        pytest.param('```python\ns = """\n~~~\n"""\n```', 's = """\n~~~\n"""\n', TAGGED, id="another character"),
        pytest.param("1. so:\n   ```python\n   if x:\n       y\n\n   ```", "if x:\n    y\n\n", TAGGED, id="in a list"),
        pytest.param("   ```py\n x\n\ty\n   ```", " x\n\ty\n", TAGGED, id="less indented than its fence"),
        pytest.param("use ```python``` here", "use ```python``` here", WHOLE, id="fences inside a line"),
        pytest.param("```a`b\nx\n", "```a`b\nx\n", WHOLE, id="a further backtick opens no block"),
        pytest.param("```python\r\nx = 1\r\n```\r\n", "x = 1\r\n", TAGGED, id="line ends are kept"),
        pytest.param(f"```python3\n{CODE}```", CODE, TAGGED, id="with the version"),
    ],
)
def test_which_code_is_taken(reply: str, source: str, rule: str) -> None:
    found = extract(reply.encode())
    assert (found.source, found.rule) == (source.encode(), rule)


def test_bytes_that_are_no_text_are_kept() -> None:
    assert extract(b"\xff```\n```python\n\xfe\n```") == Extraction(b"\xfe\n", TAGGED, 1, 1, "python")


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        pytest.param("```bash\nx\n```\n```Python\nx\n```\n```\n```", "took block 2 of 3 (tagged python)", id="tagged"),
        pytest.param("```\nx\n```", "took block 1 of 1 (without a tag)", id="without a tag"),
        pytest.param("x", "took all of the reply: it holds no fenced block", id="no block"),
    ],
)
def test_a_person_is_told_which_block_was_taken(reply: str, words: str) -> None:
    assert extract(reply.encode()).words == words


def test_the_tags_are_on_the_page() -> None:
    for tag in (*_TAGS, *_BESIDE):
        assert f"`{tag.decode()}`" in PAGE.split("| rule | takes |")[1]


def test_a_reply_that_is_given_as_a_program_is_seen() -> None:
    assert has_fence(b"Sure:\n```python\nx = 1\n```\n")
    assert not has_fence(b"x = '```'\n")


@given(st.binary(max_size=200), st.sampled_from([b"", b"```python\n", b"~~~\n", b"  ```\n"]))
def test_any_bytes_give_some_of_them(data: bytes, before: bytes) -> None:
    found = extract(before + data)
    assert found.rule in {TAGGED, FENCED, WHOLE}
    assert len(found.source) <= len(before + data)


def test_the_rules_are_on_the_page() -> None:
    table = PAGE.split("| rule | takes |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `([a-z_]+)` \|", table, re.MULTILINE) == [TAGGED, FENCED, WHOLE]
