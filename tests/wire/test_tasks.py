"""Tasks: every class has its one document, and whatever is no task is refused in one line that names the field."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.floor.task import TASK_CLASSES, Around, Given, GivenInterval, Selector, Task
from assay.kernel.canonical import canonical
from assay.kernel.errors import InvalidTask
from assay.kernel.kinds import Decimals, Significant
from assay.wire.tasks import parse_task, task_document, task_from

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "tasks.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r'^\{"pack".*,"task":(\{.*\})\}$', PAGE, re.MULTILINE)
A = Selector("x:1", "p")
SELECTED = {"entity": "x:1", "property": "p"}


def refusal(text: str | bytes) -> tuple[str, str]:
    """Return code and line of the refusal."""
    with pytest.raises(InvalidTask) as caught:
        parse_task(text)
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text[:60])
def test_every_example_of_the_page_is_a_task_and_its_own_document(example: str) -> None:
    task = parse_task(example)
    assert task_document(task) == json.loads(example)


def test_the_page_has_an_example_of_every_class_and_derivation() -> None:
    assert {json.loads(example)["class"] for example in EXAMPLES} == set(TASK_CLASSES)
    assert len({json.loads(example).get("derivation", "") for example in EXAMPLES}) == 8


def test_the_page_lists_the_codes_of_the_code() -> None:
    pattern = r"task\.[a-z_]+"
    listed = set(re.findall(f"^\\| `({pattern})` \\|", PAGE, re.MULTILINE))
    files = [*(ROOT / "src" / "assay" / "wire").glob("*task*.py"), *(ROOT / "src" / "assay" / "floor").rglob("*.py")]
    named = {code for file in files for code in re.findall(f'"({pattern})"', file.read_text(encoding="utf-8"))}
    made = {f"task.{code}" for code in ("too_long", "encoding", "depth", "json", "duplicate_key", "surrogate")}
    made |= {f"task.{code}" for code in ("field", "missing", "text", "type")}
    assert listed == (named | made) - {"task.open"}  # what a card says before the first proposal; no refusal


@pytest.mark.parametrize(
    ("document", "task"),
    [
        pytest.param({"class": "value", **SELECTED}, Task("value", A), id="value"),
        pytest.param({"class": "value", **SELECTED, "id": "Q1"}, Task("value", A), id="id is only an echo"),
        pytest.param({"class": "value", **SELECTED, "argument": ""}, Task("value", A), id="empty says nothing"),
        pytest.param({"class": "value", **SELECTED, "grid": None}, Task("value", A), id="null grid says nothing"),
        pytest.param(
            {"class": "value", **SELECTED, "unit": "kDa", "grid": {"decimals": 3}, "uncertainty": True},
            Task("value", A, unit="kDa", grid=Decimals(3), uncertainty=True),
            id="unit, grid, uncertainty",
        ),
        pytest.param(
            {"class": "value", **SELECTED, "grid": {"significant": 4}},
            Task("value", A, grid=Significant(4)),
            id="significant figures",
        ),
        pytest.param(
            {"class": "value", **SELECTED, "releases": ["y", "x"]},
            Task("value", Selector("x:1", "p", releases=("x", "y"))),
            id="releases have one order",
        ),
        pytest.param(
            {"class": "value", **SELECTED, "release": "x"},
            Task("value", Selector("x:1", "p", releases=("x",))),
            id="one release",
        ),
        pytest.param(
            {"class": "value", **SELECTED, "releases": ["x"]},
            Task("value", Selector("x:1", "p", releases=("x",))),
            id="a list of one release",
        ),
        pytest.param(
            {"class": "compare", "left": SELECTED, "right": {"given": {"n": 142}}, "k": 3},
            Task("compare", A, Given("142"), k="3"),
            id="JSON integers are numbers",
        ),
        pytest.param(
            {"class": "compare", "left": SELECTED, "right": {"given": {"n": " 1.5\t", "unit": "m"}}, "central": True},
            Task("compare", A, Given("1.5", "m"), central=True),
            id="padding of a given number is stripped",
        ),
        pytest.param(
            {
                "class": "within",
                "value": SELECTED,
                "interval": {"given": {"lo": None, "hi": 5, "lo_closed": False, "hi_closed": True}},
            },
            Task("within", A, GivenInterval(None, "5", lo_closed=False, hi_closed=True)),
            id="unbounded below",
        ),
        pytest.param(
            {"class": "within", "value": SELECTED, "interval": {"around": SELECTED}},
            Task("within", A, Around(A)),
            id="around, k is 1",
        ),
        pytest.param({"class": "identify", "entity": "x:1"}, Task("identify", Selector("x:1")), id="identify"),
        pytest.param(
            {"class": "convert", "given": {"n": "1", "unit": "cal_th"}, "unit": "J"},
            Task("convert", Given("1", "cal_th"), unit="J"),
            id="convert a given number",
        ),
    ],
)
def test_documents_denote_tasks(document: dict[str, object], task: Task) -> None:
    assert parse_task(json.dumps(document)) == task
    assert task_from(task_document(task)) == task


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        pytest.param("", "task.json", "the task is not one JSON value: fault at line 1 column 1", id="nothing"),
        pytest.param("{} {}", "task.json", "the task is not one JSON value: fault at line 1 column 4", id="two values"),
        pytest.param(
            '{"a":NaN}', "task.json", "the task is not one JSON value: NaN and Infinity are no JSON", id="NaN"
        ),
        pytest.param(
            '{"class":"value","cl\\u0061ss":"count"}',
            "task.duplicate_key",
            "the task has an object with the same key twice; keep one",
            id="duplicate key after unescaping",
        ),
        pytest.param(
            '{"class":"value","entity":"\\ud800","property":"p"}',
            "task.surrogate",
            "the task holds half a surrogate pair; write whole characters",
            id="escaped half pair",
        ),
        pytest.param(
            '{"class":"value","\\ud800":[1]}',
            "task.surrogate",
            "the task holds half a surrogate pair; write whole characters",
            id="half pair in a key",
        ),
        pytest.param(
            "\ud800", "task.surrogate", "the task holds half a surrogate pair; write whole characters", id="half pair"
        ),
        pytest.param(b"\xff", "task.encoding", "the task is not UTF-8 at byte 0; save it as UTF-8", id="not UTF-8"),
        pytest.param(
            "[" * 5000, "task.depth", "the task is nested deeper than 16; flatten it", id="a tower of brackets"
        ),
        pytest.param(
            " " * 65_537, "task.too_long", "the task has 65537 bytes; at most 65536 are admitted", id="too many bytes"
        ),
        pytest.param("[]", "task.shape", "the task is a list; an object with a `class` is needed", id="a list"),
        pytest.param("null", "task.shape", "the task is null; an object with a `class` is needed", id="null"),
        pytest.param(
            "{}",
            "task.class",
            "`class` is missing; one of value, category, compare, within, interval, identify, convert, count, derive, "
            "agree is needed",
            id="no class",
        ),
        pytest.param(
            '{"class":"guess"}',
            "task.class",
            "`class` is no task class; one of value, category, compare, within, interval, identify, convert, count, "
            "derive, agree is needed",
            id="unknown class",
        ),
        pytest.param(
            '{"class":"derive"}',
            "task.derivation",
            "`derivation` is missing; one of mass, composition, mature_length, residue_at, difference, sum, argmax is "
            "needed",
            id="no derivation",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","propery":"p"}',
            "task.field",
            "`propery` is no field of class `value`; see docs/reference/tasks.md",
            id="a misspelled field is named, not the one it leaves missing",
        ),
        pytest.param(
            '{"class":"category","entity":"x:1","property":"p","tolerance":"1e9"}',
            "task.field",
            "`tolerance` is no field of class `category`; see docs/reference/tasks.md",
            id="no tolerance",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1"}',
            "task.missing",
            "`property` is missing; class `value` needs it",
            id="missing field",
        ),
        pytest.param(
            '{"class":"value","entity":"","property":"p"}',
            "task.missing",
            "`entity` is empty; class `value` needs it",
            id="empty entity",
        ),
        pytest.param(
            '{"class":"value","entity":7,"property":"p"}',
            "task.type",
            "`entity` is a whole number; a text is needed",
            id="number for text",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","property":"p","uncertainty":1}',
            "task.type",
            "`uncertainty` is a whole number; true or false is needed",
            id="1 is not true",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","property":"p","releases":"r"}',
            "task.type",
            "`releases` is a text; a list is needed",
            id="text for list",
        ),
        pytest.param(
            '{"class":"compare","left":3,"right":{"entity":"x:1"}}',
            "task.type",
            "`left` is a whole number; an object is needed",
            id="number for a side",
        ),
        pytest.param(
            '{"class":"compare","left":{"given":{"n":1.5}},"right":{"entity":"x:1","property":"p"}}',
            "task.type",
            "`left.given.n` is a JSON number with a point or an exponent; a text is needed",
            id="float",
        ),
        pytest.param(
            '{"class":"compare","left":{"given":{"n":true}},"right":{"entity":"x:1","property":"p"}}',
            "task.type",
            "`left.given.n` is true or false; a text is needed",
            id="boolean for number",
        ),
        pytest.param(
            '{"class":"compare","left":{"given":{"n":"1,5"}},"right":{"entity":"x:1","property":"p"}}',
            "task.given",
            '`left.given.n` is not a decimal; write it as text, for example "1.5"',
            id="decimal comma",
        ),
        pytest.param(
            '{"class":"compare","left":{"entity":"x:1","property":"p"},"right":{"given":{"n":-0}}}',
            "task.type",
            "`right.given.n` is a JSON number with a point or an exponent; a text is needed",
            id="negative zero",
        ),
        pytest.param(
            '{"class":"compare","left":{"entity":"x:1"},"right":{"entity":"x:1"},"relation":"bigger"}',
            "task.relation",
            "`relation` is no relation; one of less, equal, greater is needed",
            id="unknown relation",
        ),
        pytest.param(
            '{"class":"agree","entity":"x:1","property":"p","k":"-1"}',
            "task.k",
            "`k` is below zero; a number of standard uncertainties is needed",
            id="negative k",
        ),
        pytest.param(
            '{"class":"within","value":{"entity":"x:1"},"interval":{"given":'
            '{"lo":null,"hi":"2","lo_closed":true,"hi_closed":false}}}',
            "task.given",
            "`interval.given.lo` is null and called closed; an unbounded side is open",
            id="closed null",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","property":"p","grid":{"decimals":101}}',
            "task.grid",
            "`grid`: `decimals` is not a whole number from 0 to 100",
            id="grid too fine",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","property":"p","grid":{"significant":0}}',
            "task.grid",
            "`grid`: `significant` is not a whole number from 1 to 100",
            id="no figures",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","property":"p","grid":{}}',
            "task.grid",
            "`grid` needs one of `decimals` and `significant`",
            id="empty grid",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","property":"p","release":"a","releases":["b"]}',
            "task.release",
            "both `release` and `releases` are given; keep one",
            id="release and releases",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1","property":"p","releases":["b","b"]}',
            "task.release",
            "`releases` names a release twice; name each once",
            id="release twice",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1\\nACCEPT","property":"p"}',
            "task.text",
            "`entity` holds control characters; write printable text",
            id="a line break would forge a log line",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1\\u0000","property":"p"}',
            "task.text",
            "`entity` holds control characters; write printable text",
            id="NUL",
        ),
        pytest.param(
            '{"class":"value","entity":"x:1\\u2028","property":"p"}',
            "task.text",
            "`entity` holds control characters; write printable text",
            id="line separator",
        ),
    ],
)
def test_refusals_name_the_field(text: str | bytes, code: str, line: str) -> None:
    assert refusal(text) == (code, line)


def test_long_texts_and_lists_are_counted_and_not_repeated() -> None:
    text = json.dumps({"class": "value", "entity": "x" * 9999, "property": "p"})
    assert refusal(text) == ("task.too_long", "`entity` has 9999 characters; at most 512 are admitted")
    text = json.dumps({"class": "value", "entity": "x", "property": "p", "releases": [str(i) for i in range(99)]})
    assert refusal(text) == ("task.too_long", "`releases` has too many entries; at most 64 are admitted")


def test_a_hostile_key_is_cut_and_escaped() -> None:
    code, line = refusal(json.dumps({"class": "value", **SELECTED, "`\x1b[31m\n" + "z" * 9999: 1}))
    assert code == "task.field"
    assert line.isprintable()
    assert len(line) < 160


def test_depth_looks_at_brackets_outside_strings() -> None:
    text = json.dumps({"class": "value", "entity": "[{" * 100, "property": "]" * 100})
    assert parse_task(text).entity == "[{" * 100
    assert refusal("]" * 40 + "[" * 18)[0] == "task.depth"
    assert refusal("[]" * 40)[0] == "task.json"


def test_bytes_and_text_are_one() -> None:
    text = '{"class":"value","entity":"constant:Å","property":"p"}'
    assert parse_task(text) == parse_task(text.encode())


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1, max_size=20)
OPTIONAL = st.one_of(st.just(""), NAMES)
NUMBERS = st.one_of(st.integers(-(10**30), 10**30).map(str), st.sampled_from(["1.50", "6.02e23", "0"]))
KS = st.sampled_from(["0", "1", "2", "2.5", "1e1"])
GRIDS = st.one_of(st.none(), st.integers(0, 100).map(Decimals), st.integers(1, 100).map(Significant))
RELEASES = st.lists(NAMES, max_size=3, unique=True).map(lambda names: tuple(sorted(names)))
SELECTORS = st.builds(Selector, NAMES, NAMES, OPTIONAL, OPTIONAL, OPTIONAL, OPTIONAL, OPTIONAL, RELEASES)
GIVENS = st.builds(Given, NUMBERS, OPTIONAL)
SIDES = st.one_of(SELECTORS, GIVENS)
BOUNDED = st.builds(GivenInterval, NUMBERS, NUMBERS, st.booleans(), st.booleans(), OPTIONAL)
OPEN = st.builds(GivenInterval, st.none(), st.none(), st.just(value=False), st.just(value=False), OPTIONAL)
AROUNDS = st.builds(Around, SELECTORS, KS)
FLAGS = st.booleans()
RELATED = st.sampled_from(["", "less", "equal", "greater"])
DERIVED = st.sampled_from(["mass", "composition", "mature_length", "residue_at", "sum"])
TASKS = st.one_of(
    st.builds(Task, st.just("value"), SELECTORS, unit=OPTIONAL, grid=GRIDS, uncertainty=FLAGS),
    st.builds(Task, st.sampled_from(["category", "identify", "count"]), SELECTORS),
    st.builds(Task, st.just("compare"), SIDES, SIDES, relation=RELATED, k=KS, central=FLAGS),
    st.builds(Task, st.just("within"), SIDES, st.one_of(SELECTORS, BOUNDED, OPEN, AROUNDS), k=KS, central=FLAGS),
    st.builds(Task, st.just("interval"), st.one_of(SELECTORS, AROUNDS), unit=OPTIONAL, grid=GRIDS),
    st.builds(Task, st.just("convert"), SELECTORS, unit=NAMES, grid=GRIDS, uncertainty=FLAGS),
    st.builds(Task, st.just("convert"), GIVENS, unit=NAMES, grid=GRIDS),
    st.builds(Task, st.just("derive"), SELECTORS, derivation=DERIVED, unit=OPTIONAL, grid=GRIDS),
    st.builds(Task, st.just("derive"), SELECTORS, derivation=st.just("argmax"), k=KS, central=FLAGS),
    st.builds(Task, st.just("derive"), SIDES, SIDES, derivation=st.just("difference"), unit=OPTIONAL, grid=GRIDS),
    st.builds(Task, st.just("agree"), SELECTORS, k=KS),
)


@given(TASKS)
@settings(max_examples=300)
def test_the_document_of_a_task_is_the_task(task: Task) -> None:
    document = task_document(task)
    assert task_from(document) == task
    assert parse_task(canonical(document)) == task


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)
FIELDS = (
    "class",
    "entity",
    "property",
    "left",
    "right",
    "value",
    "interval",
    "given",
    "around",
    "k",
    "grid",
    "n",
    "lo",
)


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60)))
def test_any_bytes_give_a_task_or_a_refusal(data: bytes | str) -> None:
    with pytest.raises(InvalidTask):
        parse_task(data)


@given(st.sampled_from(TASK_CLASSES), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
@settings(max_examples=300)
def test_any_document_gives_a_task_or_one_line(name: str, fields: dict[str, object]) -> None:
    try:
        task = parse_task(json.dumps({**fields, "class": name}))
    except InvalidTask as fault:
        line = str(fault)
    else:
        line = ""
        assert task_from(task_document(task)) == task
    assert line.isprintable()
    assert len(line) < 250
