"""A line of a batch is an item, or an item with its fault: nothing stops the lines behind it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.floor.task import Selector, Task
from assay.wire.batches import MAX_LINE_BYTES, Item, parse_item

TASK = {"class": "value", "entity": "x:1", "property": "p"}
PARSED = Task("value", Selector("x:1", "p"))


def parse(document: object, *, with_proposal: bool = True) -> Item:
    """Return the item of the document, as line 3."""
    return parse_item(json.dumps(document).encode(), 3, with_proposal=with_proposal)


def test_a_line_names_task_and_proposal() -> None:
    assert parse({"id": "a", "task": TASK, "proposal": "{}"}) == Item(3, "a", PARSED, "{}")
    assert parse({"id": 7, "task": TASK}, with_proposal=False) == Item(3, 7, PARSED)


def test_a_line_without_an_id_is_called_by_its_number() -> None:
    assert parse({"task": TASK, "proposal": ""}).id == 3


def test_a_proposal_may_hold_anything_that_a_text_can() -> None:
    assert parse({"task": TASK, "proposal": "\ud800\x00"}).proposal == "\ud800\x00"


@pytest.mark.parametrize(
    ("document", "name", "code", "line"),
    [
        pytest.param([], None, "line.shape", "the line is a list; an object is needed", id="a list"),
        pytest.param({"id": "a"}, "a", "line.missing", "`task` is missing", id="no task"),
        pytest.param(
            {"id": "a", "task": TASK}, "a", "line.proposal",
            "`proposal` is missing; the text that was proposed is needed", id="no proposal",
        ),
        pytest.param(
            {"id": "a", "task": TASK, "proposal": {"state": "VALUE"}}, "a", "line.proposal",
            "`proposal` is an object; the text that was proposed is needed", id="a proposal that was parsed already",
        ),
        pytest.param(
            {"id": 1.5, "task": TASK, "proposal": ""}, None, "line.id",
            "`id` is a JSON number with a point or an exponent; a text of at most 256 characters is needed",
            id="a fraction as a name",
        ),
        pytest.param(
            {"id": "x" * 257, "task": TASK, "proposal": ""}, None, "line.id",
            "`id` is a text; a text of at most 256 characters is needed", id="a long name",
        ),
        pytest.param(
            {"id": "a", "task": TASK, "proposal": "", "truth": "142"}, "a", "line.field",
            "the line has a field beyond `id`, `task`, `proposal`", id="a further field",
        ),
        pytest.param(
            {"id": "a", "task": {"class": "value", "entity": "x\ud800", "property": "p"}, "proposal": ""}, "a",
            "line.surrogate", "`task` holds half a surrogate pair; write whole characters", id="half a pair in a task",
        ),
        pytest.param(
            {"id": "a", "task": {"class": "value"}, "proposal": ""}, "a", "task.missing",
            "`entity` is missing; class `value` needs it", id="a task that is refused",
        ),
    ],
)  # fmt: skip
def test_a_bad_line_keeps_its_name(document: object, name: object, code: str, line: str) -> None:
    item = parse(document)
    assert item.fault is not None
    assert (item.id, item.fault.code, str(item.fault)) == (name, code, line)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(None, "line.too_long", id="longer than was read"),
        pytest.param(b" " * (MAX_LINE_BYTES + 1), "line.too_long", id="longer than the bound"),
        pytest.param(b"{", "line.json", id="not JSON"),
        pytest.param(b"\xff", "line.encoding", id="not UTF-8"),
        pytest.param(b'{"id":1,"id":2}', "line.duplicate_key", id="a key twice"),
        pytest.param(b"[" * 99, "line.depth", id="a tower"),
    ],
)
def test_a_line_that_is_no_object_has_no_name(data: bytes | None, code: str) -> None:
    item = parse_item(data, 9, with_proposal=True)
    assert item.fault is not None
    assert (item.number, item.id, item.fault.code) == (9, None, code)


@given(st.binary(max_size=80))
def test_any_line_gives_an_item(data: bytes) -> None:
    assert parse_item(data, 1, with_proposal=True).fault is not None


def test_a_file_of_proposals_serves_where_nothing_is_decided() -> None:
    document = {"id": "x", "task": {"class": "value", "entity": "p:1", "property": "n"}, "proposal": "anything"}
    found = parse(document, with_proposal=False)
    assert (found.fault, found.proposal) == (None, "")
