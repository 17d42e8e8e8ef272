"""The probe finds what is open: a slot with a layer left out must not look like a whole one."""

from collections.abc import Mapping

import pytest

from assay.kernel.grade import How
from assay.sandbox.base import (
    Candidate,
    Ending,
    Inputs,
    Isolation,
    Level,
    Limits,
    Printed,
    RunReport,
    SandboxUnavailable,
    Standing,
    Usage,
)
from assay.sandbox.conformance import codec_source
from assay.sandbox.linux.endings import FORBIDDEN_CALL
from assay.sandbox.opening import open_layers
from assay.sandbox.probe import OF_ACTS, PROPERTIES, WITHOUT_IN_B, probe, read, short_of

ALL_HELD = "\n".join([*(f"{name}.act held" for name in OF_ACTS), "hash.text 12"])


def test_whatever_held_is_level_a() -> None:
    found = read(ALL_HELD, signalled=True)
    assert found.level is Level.A
    assert set(found.properties) == set(PROPERTIES)
    assert found.hashed == "12"


@pytest.mark.parametrize("name", OF_ACTS)
def test_an_act_that_was_not_reported_did_not_hold(name: str) -> None:
    said = "\n".join(line for line in ALL_HELD.splitlines() if not line.startswith(name + "."))
    found = read(said, signalled=True)
    assert found.properties[name] is Standing.ABSENT
    assert found.level is not Level.A


@pytest.mark.parametrize("word", ["open", "HELD", "", "held,", "yes"])
def test_an_answer_in_another_form_did_not_hold(word: str) -> None:
    found = read(f"{ALL_HELD}\nnetwork.more {word}", signalled=True)
    assert found.properties["network"] is Standing.PARTIAL
    assert found.level is None


def test_a_signal_that_went_through_leaves_no_level() -> None:
    assert read(ALL_HELD, signalled=False).level is None


@pytest.mark.parametrize("name", [name for name in OF_ACTS if name in WITHOUT_IN_B])
def test_what_level_b_does_without_makes_level_b(name: str) -> None:
    assert read(f"{ALL_HELD}\n{name}.more open", signalled=True).level is Level.B


def test_what_keeps_a_slot_from_its_level_is_said() -> None:
    whole, without = read(ALL_HELD, signalled=True), read(f"{ALL_HELD}\nview.parent open", signalled=True)
    assert short_of(Level.A, whole) is None
    assert short_of(Level.B, whole) is None
    assert short_of(Level.B, without) is None
    assert short_of(Level.A, without) == (
        "level A is not reached: `view` is partial, `descendants` is partial"
        " (the probe got through with `view.parent open`)"
    )
    broken = read(f"{ALL_HELD}\nview.parent open\nfiles.passwd open", signalled=False)
    assert short_of(Level.B, broken) == (
        "level B is not reached: `files` is partial, `signals` is absent"
        " (the probe got through with `view.parent open`, `files.passwd open`)"
    )


def isolation(level: Level | None = None) -> Isolation:
    return Isolation(level, {}, "none", "", "", "", 0, started_as_root=False, baseline_memory_bytes=0, hash_seed=0)


def test_a_probe_that_ends_early_shows_nothing() -> None:
    def run(candidate: Candidate, program: Inputs, limits: Limits) -> RunReport:
        return RunReport((), Usage(), Ending(How.CRASH, 0, "SIGSEGV"), isolation())

    with pytest.raises(SandboxUnavailable, match="the probe ended by `crash`"):
        probe(run)


def test_a_probe_that_prints_and_fails_shows_nothing() -> None:
    def run(candidate: Candidate, program: Inputs, limits: Limits) -> RunReport:
        return RunReport((Printed(0, ALL_HELD.encode(), b""),), Usage(), Ending(How.OUTPUT, 0), isolation())

    with pytest.raises(SandboxUnavailable):
        probe(run)


def test_a_probe_that_is_whole_is_read() -> None:
    def run(candidate: Candidate, program: Inputs, limits: Limits) -> RunReport:
        if b"SIGKILL" in candidate.source:
            return RunReport((), Usage(), Ending(How.CRASH, 0, FORBIDDEN_CALL), isolation())
        return RunReport((Printed(0, ALL_HELD.encode(), b""),), Usage(), Ending(), isolation())

    assert probe(run).level is Level.A


PLANTED = [
    pytest.param({"namespaces": True, "landlock": True, "seccomp": True}, Level.A, set(), id="nothing left out"),
    pytest.param(
        {"namespaces": True, "landlock": False, "seccomp": True}, Level.A, set(), id="Landlock: a second layer"
    ),
    pytest.param(
        {"namespaces": True, "landlock": True, "seccomp": False},
        None,
        {"network", "kernel", "ipc", "signals", "privileges", "processes"},
        id="the filter: the only thing against vsock, shared memory and self-made signals",
    ),
    pytest.param(
        {"namespaces": True, "landlock": False, "seccomp": False},
        None,
        {"network", "kernel", "ipc", "signals", "privileges", "processes"},
        id="namespaces alone",
    ),
]


@pytest.mark.parametrize(("layers", "level", "missing"), PLANTED)
def test_a_layer_that_is_left_out_is_found(layers: Mapping[str, bool], level: Level | None, missing: set[str]) -> None:
    slot, findings = open_layers(codec_source(), layers)
    slot.close()
    for found in findings:
        assert found.level is level
        assert {name for name in PROPERTIES if found.properties[name] is not Standing.ENFORCED} == missing
