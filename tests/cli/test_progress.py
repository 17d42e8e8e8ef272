"""The bar: nothing before two seconds, nothing where nobody looks, gone before the next line."""

from __future__ import annotations

import io

from assay.interfaces.cli.progress import Progress


class Screen(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that is moved by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_nothing_is_drawn_before_two_seconds() -> None:
    screen, clock = Screen(), Clock()
    progress = Progress(screen, clock)
    clock.now = 1.9
    progress("hashing", 1, 2)
    progress.clear()
    assert screen.getvalue() == ""


def test_a_bar_is_drawn_then_taken_away() -> None:
    screen, clock = Screen(), Clock()
    progress = Progress(screen, clock)
    clock.now = 2.5
    progress("hashing", 1, 2)
    assert screen.getvalue() == f"\r\x1b[Khashing [{'#' * 15}{'.' * 15}] 1/2"
    clock.now = 2.55
    progress("hashing", 2, 2)
    assert screen.getvalue().count("hashing") == 1
    clock.now = 3.0
    progress("reading", 7, 0)
    assert screen.getvalue().endswith("\r\x1b[Kreading 7")
    progress.clear()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_nothing_is_drawn_where_nobody_looks() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(stream, clock)
    clock.now = 9.0
    progress("hashing", 1, 2)
    assert stream.getvalue() == ""
