"""What a trial takes in and gives out: samples of other tools, tables, pass@k."""

from __future__ import annotations

import csv
import gzip
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests.support import trial_world as world

from assay.experiments.statistics import mcnemar, over_means, over_pairs
from assay.experiments.trials import matrix
from assay.experiments.trials.passk import by_k, pass_at_k
from assay.experiments.trials.pools import Stored, read_pool
from assay.experiments.trials.samples import Format, write_samples
from assay.experiments.trials.task import Result, Scored
from assay.kernel.errors import Fault, InputError

PROMPTS = {"T/0": "import math\ndef f(x):\n", "T/1": "Write a function.", "T/2": "def g():\n    '''doc'''\n"}


def scored(sample: int, cases: str, **more: Any) -> Scored:
    found: dict[str, Any] = {
        "sample": sample, "model": "m", "visible": "passed", "visible_how": None, "truth": "-" not in cases,
        "truth_how": None, "hidden": True, "cases": cases, "vote_visible": None, "vote_all": None,
    } | more  # fmt: skip
    return Scored(**found)


def result(*candidates: Scored, **more: Any) -> Result:
    found: dict[str, Any] = {
        "id": "T/0", "void": "", "no_suite": "", "no_truth": "", "typed_output": False, "visible_cases": 1,
        "truth_cases": 2, "v_subset": True, "position": 1, "generated": 1, "candidates": candidates,
    } | more  # fmt: skip
    return Result(**found)


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(gzip.decompress(data).decode().splitlines()))


def test_samples_are_read_in_the_order_of_appearance(tmp_path: Path) -> None:
    path = world.write(
        tmp_path / "samples.jsonl.gz",
        {"task_id": "T/0", "completion": "    return x\n"},
        {"task_id": "T/2", "solution": "def g(): pass", "completion": "?", "model": "b"},
        {"task_id": "T/0", "completion": "    return 1\n", "passed": True, "model": 7},
        {"task_id": "other", "completion": "x"},
    )
    assert read_pool(path, PROMPTS) == {
        "T/0": (
            Stored(0, "", "import math\ndef f(x):\n    return x\n"),
            Stored(1, "", "import math\ndef f(x):\n    return 1\n"),
        ),
        "T/2": (Stored(0, "b", "def g(): pass"),),
        "other": (Stored(0, "", "x"),),
    }


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param({"task_id": 2, "solution": "x"}, "line 2 of the pool has no `task_id`, or neither", id="a number"),
        pytest.param({"task_id": "T/0"}, "line 2 of the pool has no `task_id`, or neither", id="no program"),
        pytest.param(["T/0"], "line 2 of the pool has no `task_id`, or neither", id="no object"),
        pytest.param(world.entry("T/0", "x"), "line 2 of the pool has no `task_id`, or neither", id="a pool's line"),
        pytest.param(
            {"task_id": "T/1", "completion": "x"}, "task `T/1`: the bank's prompt is no Python", id="a sentence"
        ),
    ],
)
def test_what_is_no_sample_is_refused_by_line(tmp_path: Path, line: object, said: str) -> None:
    path = world.write(tmp_path / "samples.jsonl", {"task_id": "T/0", "solution": "x"}, line)
    with pytest.raises(InputError, match=said):
        read_pool(path, PROMPTS)


def test_a_pool_with_a_sample_in_it_is_refused_and_empty_lines_are_not(tmp_path: Path) -> None:
    path = world.write(tmp_path / "pool.jsonl", world.entry("T/0", "x"))
    path.write_bytes(b"\n" + path.read_bytes() + b"\n")
    assert [*read_pool(path)] == ["T/0"]
    path.write_bytes(path.read_bytes() + b'{"task_id": "T/1", "solution": "x"}\n')
    with pytest.raises(InputError, match="line 4 of the pool has no `id`"):
        read_pool(path)


@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("name", ["samples.jsonl", "samples.jsonl.gz"])
def test_what_is_written_is_read_again(tmp_path: Path, form: Format, name: str) -> None:
    codes = [("a", PROMPTS["T/0"] + "    return x"), ("", PROMPTS["T/0"])]
    written = write_samples(tmp_path / name, form, [("T/0", PROMPTS["T/0"], codes), ("T/2", "", [("a", "\ud800é")])])
    assert (written.samples, written.tasks, written.without_prompt) == (3, 2, 0)
    again = read_pool(tmp_path / name, {"T/0": PROMPTS["T/0"]})
    assert [[(one.model, one.code) for one in task] for task in again.values()] == [codes, [("a", "\ud800é")]]
    data = (tmp_path / name).read_bytes()
    write_samples(tmp_path / name, form, [("T/0", PROMPTS["T/0"], codes), ("T/2", "", [("a", "\ud800é")])])
    assert (tmp_path / name).read_bytes() == data


def test_a_program_without_its_prompt_is_written_whole_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    task = ("T/0", PROMPTS["T/0"], [("", "def f(x): return x")])
    assert write_samples(path, Format.EVALPLUS, [task]).without_prompt == 0
    assert json.loads(path.read_text()) == {"task_id": "T/0", "solution": "def f(x): return x"}
    assert write_samples(path, Format.HUMAN_EVAL, [task]).without_prompt == 1
    assert json.loads(path.read_text()) == {"task_id": "T/0", "completion": "def f(x): return x"}


def test_completions_after_a_sentence_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no Python"):
        write_samples(tmp_path / "out", Format.HUMAN_EVAL, [("T/1", PROMPTS["T/1"], [("", "x")])])
    with pytest.raises(Fault, match="name another file"):
        write_samples(tmp_path / "none" / "out", Format.EVALPLUS, [])


def test_the_matrix_has_a_row_for_each_candidate_and_case() -> None:
    one = result(scored(0, "+-"), scored(3, "++", model='a,"b"\n\ud800'))
    assert rows(matrix.matrix([one, result(void="x", candidates=())], {"T/0": 1}))[:3] == [
        {"task": "T/0", "sample": "0", "model": "m", "case": "0", "part": "visible", "right": "1"},
        {"task": "T/0", "sample": "0", "model": "m", "case": "1", "part": "hidden", "right": "0"},
        {"task": "T/0", "sample": "3", "model": 'a,"b"\\ud800', "case": "0", "part": "visible", "right": "1"},
    ]
    assert matrix.matrix([one], {"T/0": 1}) == matrix.matrix([one], {"T/0": 1})


def test_the_candidates_have_a_row_each_and_nothing_where_nothing_was_tried() -> None:
    untried = scored(7, "", visible=None, truth=None, hidden=None)
    wrong = scored(1, "+-", visible="failed", visible_how="exception", truth_how="wrong_value", hidden=False)
    found = rows(matrix.candidates([result(wrong, untried, position=None)]))
    assert [list(row.values()) for row in found] == [
        ["T/0", "1", "m", "1", "0", "failed", "exception", "0", "wrong_value", "0", "2", "1"],
        ["T/0", "7", "m", "2", "0", "", "", "", "", "", "0", "0"],
    ]
    assert rows(matrix.candidates([result(scored(0, "++"))]))[0]["delivered"] == "1"


@pytest.mark.parametrize(("n", "c", "k"), [(5, 2, 1), (5, 2, 3), (5, 0, 5), (5, 5, 1), (6, 3, 4), (6, 1, 6)])
def test_pass_at_k_is_the_share_of_all_draws_with_a_right_one(n: int, c: int, k: int) -> None:
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == Fraction(sum(map(any, draws)), len(draws))


@pytest.mark.parametrize(("n", "c", "k"), [(5, 6, 1), (5, -1, 1), (5, 1, 6), (5, 1, 0)])
def test_pass_at_k_of_what_is_no_draw_is_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="drawn from"):
        pass_at_k(n, c, k)


def test_a_k_is_there_only_if_every_task_has_so_many() -> None:
    many, few = (
        result(*(scored(at, "+" if at else "-") for at in range(10))),
        result(*(scored(at, "-") for at in range(5))),
    )
    assert list(by_k([many])) == [1, 5, 10]
    assert by_k([many, few]) == {1: [Fraction(9, 10), 0], 5: [1, 0]}
    assert by_k([many, few, result()]) == by_k([]) == {}


@pytest.mark.parametrize(
    ("ours", "theirs", "of", "interval"),
    [
        pytest.param(24, 9, 371, (0.80, 6.53), id="r446"),
        pytest.param(15, 5, 120, (0.30, 13.78), id="r449b"),
        pytest.param(13, 5, 189, (-0.66, 7.68), id="r449c"),
        pytest.param(22, 6, 120, (4.22, 19.46), id="r460"),
    ],
)
def test_the_interval_of_a_difference_is_the_published_one(
    ours: int, theirs: int, of: int, interval: tuple[float, float]
) -> None:
    found = over_pairs(ours, theirs, of)
    assert found is not None
    assert tuple(round(100 * end, 2) for end in found) == interval


def test_the_interval_excludes_zero_where_the_test_is_below_its_level() -> None:
    for ours in range(15):
        for theirs in range(15):
            found = over_pairs(ours, theirs, 30)
            if found is None:
                assert ours == theirs == 0
            else:
                assert (found[0] <= 0 <= found[1]) is (mcnemar(ours, theirs) >= 0.05)


def test_a_mean_of_differences_may_lie_below_zero() -> None:
    assert over_means([-0.5, -0.3], least=-1.0)[0] < -0.4
    assert over_means([0.1], least=-1.0) == (-1.0, 1.0)
