"""Workshops: a finished trial as one page: loads nothing, runs no script, says its own caveats (docs/adr/0030).

The figures are those of the folder's summary; tasks and models are counted from its results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from assay.experiments.statistics import wilson
from assay.experiments.trials import drawing, reportstyle
from assay.experiments.trials.caveats import caveats
from assay.experiments.trials.drawing import escape
from assay.experiments.trials.store import SCORE, Finished, finished
from assay.experiments.trials.summary import PRECONDITION, ceiling, gate
from assay.experiments.trials.task import FIRST, Result
from assay.kernel.errors import InputError

REPORT: Final = "report.html"
ARMS: Final = {
    "single_first": ("the first draft", "single"),
    "single_mean": ("one of the five, mean", "single"),
    "vote_visible": ("vote, visible outputs", "single"),
    "vote_all": ("vote, all outputs", "single"),
    "gate": ("the gate", "gate"),
    "gate_random_order": ("the gate, any order", "gate"),
    "ceiling": ("any of the five is right", "ceiling"),
    "ceiling_all": ("any of the pool is right", "ceiling"),
}
OUTCOMES: Final = {
    "right": "delivered, right",
    "wrong": "delivered, wrong",
    "refused": "refused, none of the five is right",
    "lost": "refused, one of the five is right",
    "nosuite": "refused before anything ran: no suite",
    "void": "void: our fault",
}
MOST_MODELS: Final = 60


def report(folder: Path, title: str | None = None) -> tuple[str, str]:
    """The page of a finished trial, and the picture of its arms as a file of its own.

    Raises:
        InputError: the folder holds no finished trial, or one of another version.
    """
    trial = finished(folder)
    if trial.plan.get("trial") == SCORE:
        raise InputError("trial.folder", f"folder `{folder}` holds scores and no gate's trial; see `assay trial run`")
    name = title if title is not None else folder.resolve().name
    try:
        picture = drawing.arms([_dot(key, trial.summary[key]) for key in ARMS])
        style = reportstyle.COLOURS + reportstyle.PICTURE
        alone = drawing.alone(picture, style, f"{name}: tasks right, of all", wrap(PRECONDITION, 125))
        return _page(trial, name, picture), alone
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        raise InputError(
            "trial.folder",
            f"folder `{folder}`: its summary has not the figures of this version; run the trial's command again",
        ) from None


def _page(trial: Finished, name: str, picture: str) -> str:
    found, results = trial.summary, trial.results
    parts = (
        _head(found, results, name),
        _arms(found, picture),
        _against(found),
        _deliveries(found),
        _difficulty(found),
        _tasks(results),
        _models(results),
        _pass_at_k(found),
        '<h2 id="caveats">What these figures do not show</h2><ul class="traps">'
        + "".join(f"<li><b>{escape(one.head)}</b> {escape(one.text)}</li>" for one in caveats(found, results))
        + "</ul>",
        _run(trial.plan),
    )
    body = "\n".join(f"<section>{part}</section>" for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        # A page that could load or run something would need to be trusted.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(name)} · trial of the gate</title>\n"
        f"<style>{reportstyle.COLOURS}{reportstyle.PAGE}{reportstyle.PICTURE}</style></head>\n"
        f"<body><main>\n{body}\n</main></body></html>\n"
    )


def _head(found: Mapping[str, Any], results: Sequence[Result], name: str) -> str:
    tasks = int(found["tasks"])
    counts = Counter(map(outcome, results))
    right, wrong = int(found["gate"]["count"]), int(found["false_delivery_of_tasks"]["count"])
    bar = "".join(f'<span class="{kind}" style="flex:{counts[kind]}"></span>' for kind in OUTCOMES if counts[kind])
    cards = (
        (_percent(found["gate"]["rate"]), f"of all {tasks} tasks: delivered and right"),
        (_percent(found["false_delivery_of_deliveries"]["rate"]), f"of {wrong + right} deliveries are wrong"),
        (_percent(found["false_delivery_of_tasks"]["rate"]), f"of all {tasks} tasks got a wrong delivery"),
        (f"{float(found['mean_generated']):.2f}", f"candidates drawn a task, of at most {FIRST}"),
    )
    return (
        f'<p class="kicker">Trial of the gate</p><h1>{escape(name)}</h1>'
        f'<p class="lead">Of <b>{tasks}</b> tasks the gate delivered <b>{int(found["delivered"]["count"])}</b>: '
        f"<b>{right}</b> right and <b>{wrong}</b> wrong. It refused <b>{int(found['refused']['count'])}</b>; "
        f"{int(found['void']['count'])} are void.</p>"
        f'<div class="whole" role="img" aria-label="{escape(_said(counts))}">{bar}</div>{_key(counts)}'
        '<div class="cards">'
        + "".join(f"<div><b>{value}</b><span>{said}</span></div>" for value, said in cards)
        + f'</div><p class="note" id="precondition">{PRECONDITION}</p>'
        + (f'<p class="note"><b>{escape(found["verdict"])}</b></p>' if "verdict" in found else "")
    )


def outcome(result: Result) -> str:
    """The kind of outcome that the task has, a key of OUTCOMES."""
    if result.void:
        return "void"
    if result.no_suite:
        return "nosuite"
    if result.position is not None:
        return "right" if gate(result) else "wrong"
    return "lost" if ceiling(result) else "refused"


def _said(counts: Mapping[str, int]) -> str:
    return "; ".join(f"{counts[kind]} {said}" for kind, said in OUTCOMES.items() if counts[kind])


def _key(counts: Mapping[str, int]) -> str:
    rows = (f'<li><i class="{kind}"></i>{counts[kind]} {said}</li>' for kind, said in OUTCOMES.items() if counts[kind])
    return f'<ul class="key soft">{"".join(rows)}</ul>'


def _dot(key: str, share: Mapping[str, Any]) -> drawing.Dot:
    name, style = ARMS[key]
    low, high = _interval(share)
    rate = float(share["rate"] or 0)
    count = f"{_count(share)} of {int(share['of'])}"
    return drawing.Dot(name, f"{count} · {_percent(share['rate'])}", rate, low, high, style)


def _count(share: Mapping[str, Any]) -> str:
    """The count, or of a mean the number of tasks that it amounts to."""
    return str(int(share["count"])) if "count" in share else f"{float(share['rate'] or 0) * int(share['of']):.1f}"


def _interval(share: Mapping[str, Any]) -> tuple[float, float]:
    low, high = share.get("wilson_95") or share["normal_95"]
    return float(low), float(high)


def _arms(found: Mapping[str, Any], picture: str) -> str:
    rows = [(ARMS[key][0], *_cells(found[key])) for key in ARMS]
    table = _details(_table(("arm", "tasks", "of", "share", "95 %"), rows, bold="the gate"))
    return (
        f'<h2 id="arms">How much each arm gets right</h2>{picture}'
        '<p class="soft">Dots are shares of all tasks, lines their 95 % intervals: Wilson’s for counts, normal over '
        f"tasks for means. Hollow dots are ceilings: nobody selects so well.</p>{table}"
    )


def _cells(share: Mapping[str, Any]) -> tuple[str, str, str, str]:
    low, high = _interval(share)
    return _count(share), str(int(share["of"])), _percent(share["rate"]), f"{100 * low:.1f} to {_percent(high)}"


def _against(found: Mapping[str, Any]) -> str:
    pairs, rows = [], []
    for key, pair in found["discordant"].items():
        name = ARMS[key][0]
        ours, theirs, p = int(pair["gate_only"]), int(pair["other_only"]), float(pair["mcnemar_p"])
        points, interval = 100 * float(pair["difference"]), pair["difference_95"]
        pairs.append(drawing.Sides(name, f"{points:+.1f} points, p {_p(p)}", ours, theirs))
        between = "–" if interval is None else f"{100 * float(interval[0]):+.1f} to {100 * float(interval[1]):+.1f}"
        rows.append((name, str(ours), str(theirs), str(int(pair["pairs"])), f"{points:+.1f}", between, _p(p)))
    built = f'<p class="note">{escape(found["by_construction"])}</p>' if "by_construction" in found else ""
    head = ("gate against", "gate only", "other only", "pairs", "points", "95 %", "exact p")
    gain = found["gain_over_one_draw"]
    low, high = _interval(gain)
    return (
        f'<h2 id="pairs">The gate against each other arm, task by task</h2>{drawing.discordant(pairs)}'
        f'<p class="soft">p is McNemar’s, exact and two-sided. Over all orders of the five, the gate is '
        f"{100 * float(gain['rate']):+.1f} points above one draw ({100 * low:+.1f} to {100 * high:+.1f}).</p>"
        f"{built}{_details(_table(head, rows))}"
    )


def _deliveries(found: Mapping[str, Any]) -> str:
    rows = [
        ("delivered", *_cells(found["delivered"])),
        ("wrong, of all tasks", *_cells(found["false_delivery_of_tasks"])),
        ("wrong, of deliveries", *_cells(found["false_delivery_of_deliveries"])),
        ("refused", *_cells(found["refused"])),
        ("void", *_cells(found["void"])),
    ]
    return (
        '<h2 id="deliveries">Deliveries and refusals</h2><p class="soft">A refusal and a void count as not '
        "delivered. The same wrong deliveries are a larger share of the deliveries than of the tasks; both are given."
        f"</p>{_table(('', 'tasks', 'of', 'share', '95 %'), rows)}"
    )


def _difficulty(found: Mapping[str, Any]) -> str:
    bands, rows = [], []
    for band in found["by_difficulty"]:
        tasks, right, drawn = int(band["tasks"]), int(band["gate"]), float(band["single_mean"])
        name = f"{_band(str(band['pool_pass_rate']))} · {tasks} tasks"
        gain = f"{100 * float(band['gain']):+.1f} points"
        bands.append(drawing.Gap(name, gain, drawn / tasks, right / tasks))
        rows.append((_band(str(band["pool_pass_rate"])), str(tasks), f"{drawn:.1f}", str(right), gain))
    return (
        f'<h2 id="difficulty">Where the gain comes from</h2>{drawing.gaps(bands)}'
        '<p class="soft">Tasks by the share of the whole pool that is right, hardest first. Grey: one of the five at '
        "random. Blue: the gate. Where all or none of the pool is right, no choice can gain.</p>"
        + _details(_table(("of the pool is right", "tasks", "one draw", "gate", "gain"), rows))
    )


def _band(name: str) -> str:
    return {
        "0": "none", "(0, 0.25]": "up to 25 %", "(0.25, 0.5]": "25 to 50 %", "(0.5, 0.75]": "50 to 75 %",
        "(0.75, 1)": "75 % and more", "1": "all",
    }.get(name, name)  # fmt: skip


def _tasks(results: Sequence[Result]) -> str:
    def rate(result: Result) -> float:
        return sum(bool(one.truth) for one in result.candidates) / (len(result.candidates) or 1)

    counts = Counter(map(outcome, results))
    cells = "".join(
        f'<i class="{(kind := outcome(one))}" title="{escape(one.id)}: {OUTCOMES[kind]}"></i>'
        for one in sorted(results, key=rate)
    )
    return (
        '<h2 id="tasks">Task by task</h2><p class="soft">A square for each task, the hardest first.</p>'
        f'<div class="tasks" role="img" aria-label="{escape(_said(counts))}">{cells}</div>{_key(counts)}'
    )


def _models(results: Sequence[Result]) -> str:
    tried: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for result in results:
        for one in result.candidates:
            tried[one.model] += 1
            right[one.model] += bool(one.truth)
    rows = []
    for model in sorted(tried, key=lambda name: -right[name] / tried[name])[:MOST_MODELS]:
        share = right[model] / tried[model]
        low, high = wilson(right[model], tried[model])
        rows.append(
            f'<tr><th scope="row">{escape(model or "not named")}</th>'
            f'<td class="meter"><span><i style="width:{100 * share:.1f}%"></i></span></td>'
            f"<td>{_together(_percent(share))}</td><td>{right[model]} of {tried[model]}</td>"
            f"<td>{_together(f'{100 * low:.1f} to {_percent(high)}')}</td></tr>"
        )
    more = f'<p class="soft">{len(tried) - MOST_MODELS} further ones left out.</p>' if len(tried) > MOST_MODELS else ""
    return (
        '<h2 id="models">Who wrote the candidates</h2><div class="wide"><table><thead><tr><th scope="col">model</th>'
        '<th scope="col" class="meter"></th><th scope="col">right</th><th scope="col">candidates</th>'
        f'<th scope="col">95 %</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>{more}'
    )


def _pass_at_k(found: Mapping[str, Any]) -> str:
    rows = [(f"pass@{k}", *_cells(share)) for k, share in found["pass_at_k"].items()]
    if not rows:
        return ""
    return (
        '<h2 id="passk">pass@k</h2><p class="soft">Unbiased, of the whole pool: without a gate, and with the hidden '
        f"cases as judge.</p>{_table(('', 'tasks', 'of', 'share', '95 %'), rows)}"
    )


def _run(plan: Mapping[str, Any]) -> str:
    names = ("version", "level", "bank_sha256", "pool_sha256", "gt_sha256", "rule_sha256")
    rows = "".join(f"<dt>{name}</dt><dd>{escape(plan[name])}</dd>" for name in names if plan[name] is not None)
    limits = ", ".join(f"{key} {value}" for key, value in plan["limits"].items())
    return f'<h2 id="run">How it was run</h2><dl>{rows}<dt>limits</dt><dd>{escape(limits)}</dd></dl>'


def _details(inner: str) -> str:
    return f"<details><summary>The same as a table</summary>{inner}</details>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], bold: str = "") -> str:
    """A table whose first column names the row."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = "".join(
        ('<tr class="gate">' if row[0] == bold else "<tr>")
        + f'<th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{_together(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table></div>'


def _together(cell: str) -> str:
    """The cell, with a number and its sign on one line."""
    return escape(cell).replace(" %", "&nbsp;%")


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * float(rate):.1f} %"


def _p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.0e}"
