"""A slot from the judge's side: what it reports, in which order and limits, and what is ours when it breaks."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.sandbox.test_probe import isolation

from assay.kernel.grade import Ended, How, Observations
from assay.kernel.grade import Printed as SeenPrinted
from assay.kernel.grade import Raised as SeenRaised
from assay.kernel.grade import Returned as SeenReturned
from assay.sandbox.base import (
    Call,
    Calls,
    Candidate,
    Ending,
    Exited,
    Input,
    Inputs,
    Level,
    Limits,
    NotAValue,
    Observation,
    Printed,
    Raised,
    Returned,
    RunReport,
    SandboxUnavailable,
    TooLarge,
    Usage,
)
from assay.sandbox.conformance import children, codec_source
from assay.sandbox.linux.endings import KILLED
from assay.sandbox.linux.slot import LinuxSlot
from assay.sandbox.opening import open_slot
from assay.sandbox.reading import observations_of, program_of
from assay.suite import guestcodec
from assay.suite.render import CallProgram

LIMITS = Limits(wall_s=20.0)


@pytest.fixture(scope="module")
def slot() -> Iterator[LinuxSlot]:
    with open_slot(codec_source()) as opened:
        yield opened


def call(index: int, *arguments: object) -> Call:
    return Call(index, guestcodec.encode((arguments, {}, "value")))


def ask(slot: LinuxSlot, source: str, *calls: Call, limits: Limits = LIMITS, again: bool = False) -> RunReport:
    return slot.run(Candidate(source.encode()), Calls("f", calls or (call(0),)), limits, again=again)


def feed(slot: LinuxSlot, source: str, *texts: str, limits: Limits = LIMITS) -> RunReport:
    inputs = tuple(Input(index, text.encode()) for index, text in enumerate(texts))
    return slot.run(Candidate(source.encode()), Inputs(inputs), limits)


def value(index: int, found: object) -> Returned:
    return Returned(index, guestcodec.encode(found))


# Calls


def test_calls_are_made_in_the_order_of_asking_in_one_process(slot: LinuxSlot) -> None:
    source = "seen = []\ndef f(x):\n    seen.append(x)\n    return seen\n"
    report = ask(slot, source, call(2, "b"), call(0, "a"))
    assert report.observations == (value(2, ["b"]), value(0, ["b", "a"]))
    assert report.ending == Ending()


def test_each_candidate_has_a_process_that_nobody_used(slot: LinuxSlot) -> None:
    ask(slot, "import builtins, os\nbuiltins.mark = 1\nopen('mark', 'w').close()\nf = int")
    report = ask(slot, "import os\nf = lambda: ('mark' in dir(__builtins__), os.listdir())")
    assert report.observations == (value(0, (False, [])),)


def test_calls_go_on_after_an_exception_and_not_after_a_death(slot: LinuxSlot) -> None:
    source = "import os\ndef f(x):\n    if x == 1: raise KeyError\n    if x == 2: os._exit(0)\n    return x\n"
    report = ask(slot, source, *(call(index, index) for index in range(4)))
    assert report.observations == (
        value(0, 0),
        Raised(1, ("KeyError", "LookupError", "Exception", "BaseException"), "KeyError", 3),
    )
    assert report.ending == Ending(How.EXIT, 2, "exit status 0")


def test_the_second_interpreter_hashes_and_draws_differently(slot: LinuxSlot) -> None:
    source = "import random\nf = lambda: (hash('x'), random.random())"
    first, second = ask(slot, source), ask(slot, source, again=True)
    assert first.observations == ask(slot, source).observations
    assert first.observations != second.observations
    assert (first.isolation.hash_seed, second.isolation.hash_seed) == (0, 1)


def test_an_argument_is_decoded_afresh_for_each_call(slot: LinuxSlot) -> None:
    report = ask(slot, "def f(xs):\n    xs.append(1)\n    return xs", call(0, []), call(1, []))
    assert report.observations == (value(0, [1]), value(1, [1]))


@pytest.mark.parametrize(
    ("source", "how"),
    [
        pytest.param("", How.ENTRY_POINT_MISSING, id="missing"),
        pytest.param("f = 3", How.ENTRY_POINT_NOT_CALLABLE, id="not callable"),
        pytest.param("def f(): pass\nraise KeyError", How.LOAD_ERROR, id="raises after the definition"),
        pytest.param("f = bytearray(1 << 40)", How.MEMORY, id="no memory at import"),
        pytest.param("import os\nos._exit(0)", How.EXIT, id="exits at import"),
    ],
)
def test_a_candidate_that_does_not_load(slot: LinuxSlot, source: str, how: How) -> None:
    report = ask(slot, source)
    assert report.observations == ()
    assert (report.ending.how, report.ending.at) == (how, None)


def test_an_entry_point_with_a_name_beyond_reason_is_missing(slot: LinuxSlot) -> None:
    report = slot.run(Candidate(b"f = int"), Calls("f" * 70_000, (call(0),)), LIMITS)
    assert report.ending.how is How.ENTRY_POINT_MISSING


def test_a_large_source_and_a_large_argument_arrive(slot: LinuxSlot) -> None:
    report = ask(slot, "#" * 900_000 + "\nf = len", call(0, "x" * 1_000_000))
    assert report.observations == (value(0, 1_000_000),)


# Limits


def test_limits_of_a_run_are_those_of_its_process(slot: LinuxSlot) -> None:
    source = "import resource\nf = lambda: resource.getrlimit(resource.RLIMIT_NOFILE)[0]"
    few = ask(slot, source, limits=replace(LIMITS, open_files=20))
    assert few.observations == (value(0, 20),)
    assert ask(slot, source).observations == (value(0, 64),)
    assert few.isolation.limits.open_files == 20


def test_memory_is_counted_above_the_measured_baseline(slot: LinuxSlot) -> None:
    source = (
        "def f(mib):\n    try:\n        return len(bytearray(mib << 20)) >> 20\n"
        "    except MemoryError:\n        return -1\n"
    )
    report = ask(slot, source, call(0, 120), call(1, 140))
    assert report.observations == (value(0, 120), value(1, -1))
    assert 10 << 20 < report.isolation.baseline_memory_bytes < 100 << 20
    small = ask(slot, source, call(0, 20), call(1, 120), limits=replace(LIMITS, memory_bytes=64 << 20))
    assert small.observations == (value(0, 20), value(1, -1))


def test_a_run_that_ends_beyond_its_cpu_time_has_failed_by_it(slot: LinuxSlot) -> None:
    source = "import time\ndef f():\n    while time.process_time() < 0.3: pass\n    return 1\n"
    report = ask(slot, source, limits=replace(LIMITS, cpu_s=0.2))
    assert (report.ending.how, report.ending.at) == (How.CPU, 0)
    assert 0.2 <= report.usage.cpu_s < 2.0


def test_the_backstop_ends_what_the_judge_does_not(slot: LinuxSlot) -> None:
    report = ask(slot, "def f():\n    while True: pass", limits=replace(LIMITS, cpu_s=1000.0, cpu_backstop_s=1))
    # Ended by the kernel, below the judge's own limit: a crash, as far as anybody can tell.
    assert (report.ending.how, report.ending.detail) == (How.CRASH, KILLED)


def test_usage_says_what_was_used(slot: LinuxSlot) -> None:
    usage = ask(
        slot, "import time\nx = bytearray(30 << 20)\ndef f(): time.sleep(0.1); print('x' * 50, flush=True)"
    ).usage
    assert usage.wall_s >= 0.1
    assert usage.peak_memory_bytes >= 30 << 20
    assert usage.output_bytes == 51
    assert usage.page_faults > 0


# Programs


def test_a_program_has_a_process_for_each_input(slot: LinuxSlot) -> None:
    source = "import os\nprint(input(), os.listdir())\nopen('x', 'w').close()"
    report = feed(slot, source, "a", "b\n")
    assert report.observations == (Printed(0, b"a []\n", b""), Printed(1, b"b []\n", b""))


def test_a_program_goes_on_after_a_wrong_end_and_not_after_a_death(slot: LinuxSlot) -> None:
    source = (
        "import os, sys\nn = int(input())\n"
        "if n == 0: sys.exit(1)\nif n == 1: raise ValueError\nif n == 3: os._exit(0)\nprint(n)\n"
    )
    report = feed(slot, source, "0", "1", "2", "3", "4")
    assert report.observations == (
        Exited(0),
        Raised(1, ("ValueError", "Exception", "BaseException"), "ValueError", 4),
        Printed(2, b"2\n", b""),
    )
    assert report.ending == Ending(How.EXIT, 3, "exit status 0")


def test_standard_error_is_kept_apart(slot: LinuxSlot) -> None:
    report = feed(slot, "import sys\nprint('out')\nprint('é\\udc80', file=sys.stderr)", "")
    assert report.observations == (Printed(0, b"out\n", "é\\udc80\n".encode()),)


def test_a_program_may_close_or_replace_its_streams(slot: LinuxSlot) -> None:
    report = feed(slot, "import sys\nprint(1)\nsys.stdout.close()\nsys.stderr = None\nsys.stdin.close()", "")
    assert report.observations == (Printed(0, b"1\n", b""),)


def test_what_raises_at_the_very_end_is_seen(slot: LinuxSlot) -> None:
    late = "import sys\nclass Out:\n    closed = False\n    def flush(self): raise KeyError\nsys.stdout = Out()"
    assert feed(slot, late, "").ending == Ending(How.EXIT, 0, "exit status 120")


def test_all_inputs_together_have_a_limit(slot: LinuxSlot) -> None:
    source = "import time\nwhile time.process_time() < 0.15: pass\n"
    limits = replace(LIMITS, cpu_s=5.0, candidate_cpu_s=0.25)
    report = feed(slot, source, *[""] * 5, limits=limits)
    assert report.ending.how is How.CPU
    assert len(report.observations) < 5
    late = feed(slot, "import time\ntime.sleep(0.3)", *[""] * 5, limits=replace(LIMITS, candidate_wall_s=0.5))
    assert late.ending.how is How.TIMEOUT
    assert len(late.observations) < 5


def test_no_inputs_give_no_observations(slot: LinuxSlot) -> None:
    assert feed(slot, "print(1)").observations == ()


# What is ours


def test_a_warm_interpreter_that_is_killed_is_our_fault() -> None:
    before = children()
    slot = open_slot(codec_source())
    try:
        for process in children() - before:
            os.kill(process, signal.SIGKILL)
        with pytest.raises(SandboxUnavailable):
            ask(slot, "f = int")
    finally:
        slot.close()
    assert children() <= before


@pytest.mark.parametrize(
    ("kills", "ends"),
    [
        pytest.param(1, Ending(), id="once: it was run again"),
        pytest.param(2, Ending(How.CRASH, 0, KILLED), id="again: it has failed, and is no void"),
    ],
)
def test_a_candidate_that_is_killed_from_outside(slot: LinuxSlot, kills: int, ends: Ending) -> None:
    spared = children()

    def kill_the_one_that_serves() -> None:
        for _ in range(kills):
            # It was made before the one that waits; that one serves after it.
            until = time.monotonic() + 20
            while time.monotonic() < until and len(made := sorted(children() - spared)) < 1:
                time.sleep(0.01)
            time.sleep(0.2)
            os.kill(made[0], signal.SIGKILL)
            spared.add(made[0])

    ask(slot, "f = int")
    # What waits now will serve next, and is not to be spared.
    spared = children() - set(sorted(children())[-1:])
    killer = threading.Thread(target=kill_the_one_that_serves)
    killer.start()
    report = ask(slot, "import time\ndef f():\n    time.sleep(1)\n    return 7", call(0))
    killer.join()
    assert report.ending == ends
    assert report.observations == ((value(0, 7),) if ends.how is None else ())


def test_no_candidate_goes_on_when_its_judge_is_interrupted(slot: LinuxSlot) -> None:
    before = children()
    timer = threading.Timer(0.3, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ask(slot, "def f():\n    while True: pass")
    timer.join()
    assert ask(slot, "f = int").observations == (value(0, 0),)
    # The same processes but for the one that is armed ahead.
    assert len(children()) <= len(before) + 1


def test_closing_twice_is_closing() -> None:
    before = children()
    slot = open_slot(codec_source())
    slot.close()
    slot.close()
    assert children() <= before


def test_a_judge_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    program = (
        "import sys, time\n"
        "from assay.sandbox.base import *\n"
        "from assay.sandbox.conformance import children, codec_source\n"
        "from assay.sandbox.opening import open_slot\n"
        "slot = open_slot(codec_source())\n"
        "print(*children(), flush=True)\n"
        "slot.run(Candidate(b'while True: pass'), Calls('f', ()), Limits())\n"
    )
    judge = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert judge.stdout is not None
    started = [int(word) for word in judge.stdout.readline().split()]
    assert len(started) >= 4
    time.sleep(0.3)
    judge.kill()
    judge.wait()
    judge.stdout.close()
    until = time.monotonic() + 20
    while time.monotonic() < until and any(Path(f"/proc/{number}").exists() for number in started):
        time.sleep(0.05)
    assert [number for number in started if Path(f"/proc/{number}").exists()] == []


def test_two_slots_do_not_meet() -> None:
    with open_slot(codec_source()) as first, open_slot(codec_source(), number=1) as second:
        first.close()
        assert ask(second, "f = int").observations == (value(0, 0),)


# From a rendered suite, and to what the kernel grades


def test_a_rendered_suite_is_asked_in_its_order_and_then_in_reverse() -> None:
    rendered = CallProgram("python-call/1", "f", "", (b"a", b"b", b"c"), (2, 0, 1), b"", "")
    assert program_of(rendered) == Calls("f", (Call(2, b"c"), Call(0, b"a"), Call(1, b"b")))
    assert program_of(rendered, again=True) == Calls("f", (Call(1, b"b"), Call(0, b"a"), Call(2, b"c")))
    programs = CallProgram("stdin-stdout/1", "", "", (b"a", b"b"), (1, 0), b"", "")
    assert program_of(programs) == Inputs((Input(1, b"b"), Input(0, b"a")))


@pytest.mark.parametrize(
    ("observation", "seen"),
    [
        pytest.param(Returned(0, b"i3;"), SeenReturned(("i", "3")), id="a value"),
        pytest.param(Returned(0, b"i03;"), Ended(How.PROTOCOL), id="bytes that no guest of ours writes"),
        pytest.param(Raised(0, ("KeyError",), "E"), SeenRaised(("KeyError",), "E"), id="an exception"),
        pytest.param(Raised(0, ("MemoryError",), "MemoryError"), Ended(How.MEMORY), id="no memory"),
        pytest.param(NotAValue(0, "object"), Ended(How.NOT_A_VALUE), id="no value"),
        pytest.param(TooLarge(0, "1 MiB"), Ended(How.TOO_LARGE), id="too large"),
        pytest.param(Printed(0, b"x", b""), SeenPrinted(b"x"), id="output"),
        pytest.param(Exited(0), Ended(How.EXIT), id="a status that is not 0"),
    ],
)
def test_observations_become_what_the_kernel_grades(observation: Observation, seen: object) -> None:
    report = RunReport((observation,), Usage(), Ending(), isolation(Level.A))
    found = observations_of(report, 2)
    assert found == Observations((seen, Ended(How.NOT_RUN)), None)  # type: ignore[arg-type]


def test_the_case_at_which_a_run_ended_is_not_just_unreached() -> None:
    report = RunReport((Returned(1, b"N"),), Usage(), Ending(How.TIMEOUT, 0), isolation(Level.A))
    found = observations_of(report, 2)
    assert found == Observations((Ended(How.TIMEOUT), SeenReturned(("N", ""))), How.TIMEOUT)
