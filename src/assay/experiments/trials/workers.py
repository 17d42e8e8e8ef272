"""Workshops: tasks spread over processes, each with a sandbox of its own; the candidates of a task stay together."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import Final

from assay.experiments.trials.task import Result, Work, run_task, void
from assay.gate.deliver import Bench
from assay.sandbox import base

Open = Callable[[int], base.Sandbox]  # of the slot's number; has to be importable by name, as it travels
DEATHS: Final = 2  # of the workers on one task, then it is void
_PATIENCE_S: Final = 5.0


class _Worker:
    """A process and the task that it has, if any."""

    def __init__(self, opened: Open, limits: base.Limits, number: int) -> None:
        # Not forked: a worker shares nothing with this process, so that no end of a pipe is held by two.
        context = get_context("spawn")
        self.number = number
        self.work: Work | None = None
        self.connection, far = context.Pipe()
        self.process = context.Process(target=serve, args=(far, opened, limits, number), daemon=True)
        self.process.start()
        far.close()
        self.is_ready = False

    def give(self, work: Work) -> None:
        """Hand over a task; a worker that is gone is noticed when its answer is read."""
        self.work = work
        try:
            self.connection.send(work)
        except OSError:
            return

    def end(self, patience_s: float) -> None:
        """Let it close its sandbox, and kill it where it does not."""
        self.connection.close()
        self.process.join(patience_s)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def run_all(
    works: Iterable[Work], workers: int, opened: Open, limits: base.Limits, on_result: Callable[[Result], None]
) -> None:
    """Run every task in one of the workers, and hand over each result as it comes.

    A worker that dies is replaced and its task is begun anew; where that happens twice, the task is void.

    Raises:
        SandboxUnavailable: a worker has no sandbox at all.
    """
    waiting = deque(works)
    deaths: Counter[str] = Counter()
    crew: list[_Worker] = []
    patience_s = 0.0
    try:
        crew.extend(_Worker(opened, limits, number) for number in range(min(workers, len(waiting))))
        while waiting or any(one.work is not None for one in crew):
            for one in crew:
                if one.is_ready and one.work is None and waiting:
                    one.give(waiting.popleft())
            heard = wait([one.connection for one in crew if one.work is not None or not one.is_ready])
            for at, one in enumerate(crew):
                if one.connection not in heard:
                    continue
                try:
                    _hear(one, on_result)
                    deaths[""] = 0
                except (EOFError, OSError):
                    one.end(_PATIENCE_S)
                    lost = one.work
                    deaths[lost.id if lost is not None else ""] += 1
                    if lost is None and deaths[""] >= DEATHS:
                        raise base.SandboxUnavailable("sandbox.worker", "the workers end before they begin") from None
                    if lost is not None and deaths[lost.id] >= DEATHS:
                        on_result(void(lost, f"the worker ended {DEATHS} times"))
                    elif lost is not None:
                        waiting.appendleft(lost)
                    crew[at] = _Worker(opened, limits, one.number)
        patience_s = _PATIENCE_S
    finally:
        for one in crew:
            one.end(patience_s)


def _hear(worker: _Worker, on_result: Callable[[Result], None]) -> None:
    said = worker.connection.recv()
    if isinstance(said, tuple):
        raise base.SandboxUnavailable(*said)
    if isinstance(said, Result):
        worker.work = None
        on_result(said)
    worker.is_ready = True


def serve(connection: Connection, opened: Open, limits: base.Limits, number: int) -> None:
    """A worker's life: say that the sandbox is open, then answer each task, until the other end is closed."""
    parent = parent_process()
    if parent is not None:
        # Ctrl-C is for the parent, which then closes the pipe; what this process starts does not inherit a handler.
        signal.signal(signal.SIGINT, lambda _, __: None)
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()
    try:
        first = [_opened(opened, number)]
    except base.SandboxUnavailable as fault:
        connection.send((fault.code, str(fault)))
        return
    bench = Bench(lambda: first.pop() if first else opened(number))
    try:
        connection.send("ready")
        while True:
            connection.send(run_task(connection.recv(), bench, limits))
    except (EOFError, OSError):
        return
    finally:
        bench.close()
        for sandbox in first:
            sandbox.close()


def _opened(opened: Open, number: int) -> base.Sandbox:
    """A sandbox, at the second try at the latest: one that was killed on its way is no proof (docs/adr/0032)."""
    try:
        return opened(number)
    except base.SandboxUnavailable:
        return opened(number)


def _follow(sentinel: int) -> None:
    """End with the parent, also where it was killed: a task that nobody keeps need not be finished."""
    wait([sentinel])
    os._exit(1)
