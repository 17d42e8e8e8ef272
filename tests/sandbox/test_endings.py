"""How a run ended, as a table: what the channel saw and how the process died."""

import signal

import pytest

from assay.kernel.grade import How
from assay.sandbox.linux.endings import FORBIDDEN_CALL, KILLED, Caps, Death, ending

CAPS = Caps(cpu_s=10.0, output_bytes=1000)


def death(
    channel: How | None = None,
    *,
    status: int = 0,
    killed: bool = True,
    cpu_s: float = 0.1,
    output: int = 0,
    silent: bool = True,
) -> Death:
    return Death(channel, "", status, killed, cpu_s, output, silent)


@pytest.mark.parametrize(
    ("found", "how"),
    [
        pytest.param(death(), None, id="closed as agreed"),
        pytest.param(death(silent=False), How.PROTOCOL, id="bytes after the closing exchange"),
        pytest.param(death(cpu_s=10.0), How.CPU, id="closed as agreed, a moment too late"),
        pytest.param(death(output=1000), How.OUTPUT, id="closed as agreed, the output at its cap"),
        pytest.param(death(output=999), None, id="output below the cap"),
        pytest.param(death(How.CPU), How.CPU, id="the judge saw the clock run down"),
        pytest.param(death(How.TIMEOUT), How.TIMEOUT, id="wall time"),
        pytest.param(death(How.TIMEOUT, cpu_s=10.1), How.CPU, id="wall time, but the CPU time was used up too"),
        pytest.param(death(How.TIMEOUT, output=1000), How.TIMEOUT, id="wall time before output"),
        pytest.param(death(How.PROTOCOL), How.PROTOCOL, id="talked out of turn"),
        pytest.param(death(How.EXIT, killed=False), How.EXIT, id="exit status 0 is no pass"),
        pytest.param(death(How.EXIT, killed=False, status=3 << 8), How.EXIT, id="another exit status"),
        pytest.param(death(How.EXIT, killed=True), How.PROTOCOL, id="closed the channel and went on"),
        pytest.param(death(How.EXIT, killed=False, status=signal.SIGSEGV), How.CRASH, id="segmentation fault"),
        pytest.param(death(How.EXIT, killed=False, status=signal.SIGKILL), How.CRASH, id="killed by the kernel"),
        pytest.param(death(How.EXIT, killed=False, status=signal.SIGKILL, cpu_s=20), How.CPU, id="the backstop"),
        pytest.param(death(How.EXIT, killed=False, status=signal.SIGXCPU), How.CPU, id="SIGXCPU"),
        pytest.param(death(How.EXIT, killed=False, status=signal.SIGSYS), How.CRASH, id="it sent a signal"),
        pytest.param(death(How.EXIT, killed=False, output=1000), How.OUTPUT, id="output, then the end"),
    ],
)
def test_how_a_run_ended(found: Death, how: How | None) -> None:
    assert ending(found, CAPS, 3).how is how


def test_an_end_says_at_which_case() -> None:
    assert ending(death(How.TIMEOUT), CAPS, 3).at == 3


def test_a_forbidden_call_can_be_told_from_a_crash() -> None:
    assert ending(death(How.EXIT, killed=False, status=signal.SIGSYS), CAPS, None).detail == FORBIDDEN_CALL


def test_a_kill_that_nobody_here_sent_is_told_apart() -> None:
    assert ending(death(How.EXIT, killed=False, status=signal.SIGKILL), CAPS, None).detail == KILLED


def test_a_signal_without_a_name_is_named_by_its_number() -> None:
    assert ending(death(How.EXIT, killed=False, status=33), CAPS, None).detail == "signal 33"
