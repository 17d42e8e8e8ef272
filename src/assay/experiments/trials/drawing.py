"""Workshops: the pictures of a trial as inline SVG; each stands beside a table that says the same.

Places along a picture are shares of its width, text keeps its size: one drawing fits a telephone and a wide screen.
Every text goes through `escape`; names of models and tasks come from files of strangers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as html_escape
from typing import Final

ROW: Final = 46
TOP, BOTTOM = 6, 26
_TICKS: Final = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Dot:
    """A share with its interval. `style` is the CSS class of the arm's kind."""

    name: str
    said: str
    rate: float
    low: float
    high: float
    style: str


@dataclass(frozen=True, slots=True)
class Sides:
    """What only the gate has right, and what only the other has."""

    name: str
    said: str
    ours: int
    theirs: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Two shares of one band of tasks: a single draw's and the gate's."""

    name: str
    said: str
    draw: float
    gate: float


def escape(text: object) -> str:
    """The text for HTML or SVG. What neither may hold, or what turns the reading order, becomes visible escapes."""
    shown = "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode("ascii") for ch in str(text))
    return html_escape(shown)


def arms(dots: Sequence[Dot]) -> str:
    """A dot and a line for each arm, on one scale from 0 to 100 %."""
    rows = [
        _heading(at, dot.name, dot.said, dot.style)
        + f'<line class="whisker {dot.style}" x1="{_share(dot.low)}" x2="{_share(dot.high)}" {_at(at)}/>'
        + f'<circle class="dot {dot.style}" cx="{_share(dot.rate)}" cy="{_y(at)}" r="6"/>'
        for at, dot in enumerate(dots)
    ]
    said = "; ".join(f"{dot.name}: {dot.said}" for dot in dots)
    return _picture(f"Tasks right by arm, with 95 % intervals. {said}", len(rows), _scale(len(rows)) + "".join(rows))


def discordant(pairs: Sequence[Sides]) -> str:
    """Bars to both sides of a middle: right, what only the gate has right; left, what only the other has."""
    most = max((max(pair.ours, pair.theirs) for pair in pairs), default=0) or 1
    height = _height(len(pairs))
    rows = [f'<line class="zero" x1="50%" x2="50%" y1="{TOP}" y2="{height - BOTTOM}"/>']
    for at, pair in enumerate(pairs):
        ours, theirs = pair.ours / most * 0.42, pair.theirs / most * 0.42
        rows.append(
            _heading(at, pair.name, pair.said, "")
            + f'<rect class="bar other" x="{_share(0.5 - theirs)}" width="{_width(theirs)}" {_box(at)}/>'
            + f'<rect class="bar gate" x="50%" width="{_width(ours)}" {_box(at)}/>'
            + f'<text class="count" x="{_share(0.5 - theirs)}" dx="-6" y="{_y(at) + 4}" text-anchor="end">'
            + f"{pair.theirs}</text>"
            + f'<text class="count" x="{_share(0.5 + ours)}" dx="6" y="{_y(at) + 4}">{pair.ours}</text>'
        )
    rows.append(
        f'<text class="tick" x="50%" dx="-8" y="{height - 6}" text-anchor="end">only the other is right</text>'
        f'<text class="tick" x="50%" dx="8" y="{height - 6}">only the gate is right</text>'
    )
    said = "; ".join(f"{one.name}: only the gate {one.ours}, only the other {one.theirs}" for one in pairs)
    return _picture(f"Tasks that one is right on and the other not. {said}", len(pairs), "".join(rows))


def gaps(bands: Sequence[Gap]) -> str:
    """For each band the way from a single draw to the gate."""
    rows = [
        _heading(at, band.name, band.said, "")
        + f'<line class="way" x1="{_share(band.draw)}" x2="{_share(band.gate)}" {_at(at)}/>'
        + f'<circle class="dot draw" cx="{_share(band.draw)}" cy="{_y(at)}" r="5"/>'
        + f'<circle class="dot gate" cx="{_share(band.gate)}" cy="{_y(at)}" r="6"/>'
        for at, band in enumerate(bands)
    ]
    said = "; ".join(f"{band.name}: {band.said}" for band in bands)
    return _picture(f"Gain by difficulty. {said}", len(rows), _scale(len(rows)) + "".join(rows))


def alone(picture: str, style: str, title: str, below: Sequence[str]) -> str:
    """The picture as a file of its own, with the colours in it, and under it the lines that travel with it."""
    inner = picture.split(">", 1)[1]
    height = int(picture.split('height="', 1)[1].split('"', 1)[0])
    whole = height + 60 + 17 * len(below)
    lines = "".join(
        f'<text class="tick" x="24" y="{height + 66 + 17 * at}">{escape(line)}</text>\n'
        for at, line in enumerate(below)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{whole}" viewBox="0 0 760 {whole}" role="img">\n'
        f'<style>{style}</style>\n<rect class="paper" width="760" height="{whole}"/>\n'
        f'<text class="title" x="24" y="32">{escape(title)}</text>\n{lines}'
        f'<svg x="24" y="44" width="712" height="{height}" overflow="visible">{inner}\n</svg>\n'
    )


def _picture(said: str, rows: int, inner: str) -> str:
    height = _height(rows)
    return f'<svg class="picture" width="100%" height="{height}" role="img"><title>{escape(said)}</title>{inner}</svg>'


def _scale(rows: int) -> str:
    """The grid, and the shares under it; inset by a little, so that a dot at an end is whole."""
    height = _height(rows)
    lines = "".join(
        f'<line class="grid" x1="{_share(tick / 100)}" x2="{_share(tick / 100)}" y1="{TOP}" y2="{height - BOTTOM}"/>'
        f'<text class="tick" x="{_share(tick / 100)}" y="{height - 6}" text-anchor="{_anchor(tick)}">{tick} %</text>'
        for tick in _TICKS
    )
    return f"<g>{lines}</g>"


def _anchor(tick: int) -> str:
    return {0: "start", 100: "end"}.get(tick, "middle")


def _heading(at: int, name: str, said: str, style: str) -> str:
    y = TOP + at * ROW + 16
    return (
        f'<text class="name {style}" x="0" y="{y}">{escape(name)}</text>'
        f'<text class="said" x="100%" y="{y}" text-anchor="end">{escape(said)}</text>'
    )


def _share(share: float) -> str:
    """The place of a share on the scale, which is inset by a hundredth at either end."""
    return f"{1 + 98 * share:.2f}%"


def _width(share: float) -> str:
    return f"{98 * share:.2f}%"


def _height(rows: int) -> int:
    return TOP + rows * ROW + BOTTOM


def _y(at: int) -> int:
    return TOP + at * ROW + 31


def _at(at: int) -> str:
    return f'y1="{_y(at)}" y2="{_y(at)}"'


def _box(at: int) -> str:
    return f'y="{_y(at) - 8}" height="16"'
