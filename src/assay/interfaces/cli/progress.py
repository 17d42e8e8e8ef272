"""Doors: a bar on standard error for what takes longer than two seconds, on a terminal only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final, TextIO

AFTER_S: Final = 2.0
EVERY_S: Final = 0.1
WIDTH: Final = 30


class Progress:
    """Called with what is done and how much of how much (0: unknown); draws nothing before two seconds are over."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._begin = self._drawn = clock()
        self._shown = False
        self._wanted = stream.isatty()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Draw, if it is time to."""
        if not self._wanted:
            return
        now = self._clock()
        if now - self._begin < AFTER_S or now - self._drawn < EVERY_S:
            return
        self._drawn, self._shown = now, True
        filled = WIDTH * min(done, total) // total if total else 0
        part = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total}" if total else f"{done}"
        self._stream.write(f"\r\x1b[K{what} {part}")
        self._stream.flush()

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Say once what takes so long where the block, whose progress nobody tells, takes longer than two seconds."""
        timer = Timer(AFTER_S, self._say, (what,))
        timer.daemon = True
        if self._wanted:
            self.clear()
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            if self._wanted:
                timer.join()
            self.clear()

    def _say(self, what: str) -> None:
        self._shown = True
        self._stream.write(f"\r\x1b[K{what} …")
        self._stream.flush()

    def clear(self) -> None:
        """Take the bar away, so that the next line stands alone."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False
