"""Pipes, guest side: signals that end a process elsewhere end it here as well (docs/adr/0023).

The kernel drops a signal whose action is the default one where it would end the first process of a PID namespace. So
the default action of those that a process can bring on itself is made a handler: it sends the signal, and whoever
sends one is ended by the filter. `getsignal` says `SIG_DFL` all the same.
"""

# Runs in the zygote and its children, where no coverage tool is: tests/sandbox/test_signals.py looks from outside.

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import ctypes
from collections.abc import Callable
from operator import index
from typing import Any, Final

from assay.sandbox.guest import frames
from assay.sandbox.guest.syscalls import LIBC

__builtins__ = frames.PRIVATE  # type: ignore[assignment]

# By timers, by writing to a pipe that nobody reads, by writing too much. Others come from a sender or a fault alone.
ENDING: Final = frozenset(
    map(int, (_signal.SIGALRM, _signal.SIGVTALRM, _signal.SIGPROF, _signal.SIGPIPE, _signal.SIGXFSZ))
)

_raise: Final = ctypes.cast(LIBC["raise"], ctypes.c_void_p)
# A function object of its own, as in steps.py: another's argument types would change it.
_set_action = LIBC["signal"]
_set_action.argtypes = [ctypes.c_int, ctypes.c_void_p]
_set_action.restype = ctypes.c_void_p
_set_handler: Final = _signal.signal
_handler: Final = _signal.getsignal


def _is_default(number: int) -> bool:  # pragma: no cover
    found: object = _handler(number)
    return isinstance(found, int) and int.__eq__(found, 0)


def end_by_default() -> None:  # pragma: no cover
    """Put the handler in the place of each default action, now and whenever a candidate goes back to it."""
    for number in ENDING:
        if _is_default(number):
            _set_action(number, _raise)
    # What `signal.signal` and everything above it calls.
    _signal.signal = _replacing(_set_handler)


def _replacing(set_handler: Callable[..., Any]) -> Callable[..., Any]:  # pragma: no cover
    def signal(signalnum: int, handler: Any, /) -> Any:  # noqa: ANN401 - as the function that it stands for
        number = index(signalnum)
        before = set_handler(number, handler)
        if number in ENDING and _is_default(number):
            _set_action(number, _raise)
        return before

    return signal
