"""Storey 8, doors, inside `interfaces`: the command line.

Nothing is imported here that the interpreter has not loaded anyway, so that an interrupt finds us ready.
"""

import _signal  # type: ignore[import-not-found] # `signal` would load the enumerations first
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main"]

INTERRUPTED = 130


def main() -> "NoReturn":
    """Run the command of this process's arguments and end with its exit code; an interrupt is one line at any time."""
    # Whoever started us may have turned interrupts off, as `nohup` does.
    is_on = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler
    if is_on:
        # While modules are loaded there is nothing to put in order, and an exception would come up in the midst of one.
        _signal.signal(_signal.SIGINT, _end)
    from assay.interfaces.cli import app  # noqa: PLC0415 -- its imports take most of the time of a short command

    try:
        if is_on:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        app.main()
    except KeyboardInterrupt:
        _end()
    finally:
        # What is left is the interpreter's own work, which would answer with a traceback.
        if is_on:
            _signal.signal(_signal.SIGINT, _end)


def _end(*_: object) -> "NoReturn":
    os.write(2, b"\nerror: interrupted\n")
    os._exit(INTERRUPTED)
