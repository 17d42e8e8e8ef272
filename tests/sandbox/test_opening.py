"""Opening refuses what it has not seen hold, and says what would mend it; the doctor says the same part by part."""

import json
import platform
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from assay.sandbox import remedies
from assay.sandbox.base import Level, Limits, SandboxUnavailable, Standing
from assay.sandbox.conformance import codec_source
from assay.sandbox.doctor import examine
from assay.sandbox.guest.examine import TRIED
from assay.sandbox.opening import LAYERS, open_slot
from assay.sandbox.probe import PROPERTIES, WITHOUT_IN_B
from assay.sandbox.remedies import remedy, unsupported

ROOT = Path(__file__).resolve().parents[2]

# What a container without a profile of its own does to whoever wants a namespace: EPERM.
CLOSED = """
import ctypes, errno, os, struct, sys
from pathlib import Path
from assay.sandbox.guest.syscalls import prctl
from assay.sandbox.base import Level, SandboxUnavailable
from assay.sandbox.opening import open_slot
from assay.sandbox.conformance import codec_source
code = b"".join(struct.pack("HBBI", *one) for one in (
    (0x20, 0, 0, 0), (0x15, 0, 1, 272), (0x06, 0, 0, 0x50000 | errno.EPERM), (0x06, 0, 0, 0x7FFF0000)))
room = ctypes.create_string_buffer(code, len(code))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(room)))
prctl(38, 1)
prctl(22, 2, ctypes.addressof(program))
try:
    with open_slot(codec_source(), Level(sys.argv[1]), python=sys.argv[2]) as slot:
        print("opened", slot.isolation[0].level, slot.isolation[0].properties["descendants"])
except SandboxUnavailable as error:
    print(error.code, error)
"""


def in_closed_container(level: Level) -> str:
    python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    command = [sys.executable, "-c", CLOSED, str(level), python]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def test_closed_namespaces_refuse_level_a_with_the_line_that_mends_it() -> None:
    said = in_closed_container(Level.A)
    assert said.startswith("sandbox.layer the warm interpreter stopped at `PermissionError")
    assert "unshare" in said
    assert "seccomp profile" in said or "sysctl -w" in said


FEW = """
import os, resource, sys
from assay.sandbox.base import Candidate, Input, Inputs, Limits, SandboxUnavailable
from assay.sandbox.opening import open_slot
from assay.sandbox.conformance import codec_source
codec, most, late = codec_source(), int(sys.argv[1]), sys.argv[2] == "late"
def lower(): resource.setrlimit(resource.RLIMIT_NOFILE, (most, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
try:
    if not late:
        lower()
    with open_slot(codec) as slot:
        lower()
        while late:
            slot.run(Candidate(b""), Inputs((Input(0, b""),)), Limits())
            os.open("/dev/null", os.O_RDONLY)
except SandboxUnavailable as error:
    print(error.code, error)
"""


@pytest.mark.parametrize("most", [6, 24, 127])
def test_a_low_limit_on_open_files_is_named_with_what_mends_it(most: int) -> None:
    command = [sys.executable, "-W", "error", "-c", FEW, str(most), "first"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert said == (f"sandbox.start the limit on open files is {most}, a slot needs 128; raise it: `ulimit -n 1024`\n")


def test_files_that_run_out_later_are_said_too() -> None:
    command = [sys.executable, "-c", FEW, "40", "late"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert said.startswith("sandbox.child a process could not be made: Too many open files; raise `ulimit -n`")


def test_a_limit_on_open_files_that_is_high_enough_or_none_is_no_reason() -> None:
    assert remedies.short_of_files(128) is None
    assert remedies.short_of_files(resource.RLIM_INFINITY) is None


def test_closed_namespaces_leave_level_b() -> None:
    assert in_closed_container(Level.B) == "opened B partial\n"


def test_an_interpreter_that_does_not_start_is_named() -> None:
    with pytest.raises(SandboxUnavailable, match="`/nowhere/python` does not start"):
        open_slot(codec_source(), python="/nowhere/python")


def test_an_interpreter_that_is_none_is_said() -> None:
    with pytest.raises(SandboxUnavailable) as refused:
        open_slot(codec_source(), python="/bin/false")
    assert refused.value.code == "sandbox.layer"


def test_a_codec_that_does_not_load_is_said() -> None:
    with pytest.raises(SandboxUnavailable, match="SyntaxError"):
        open_slot("def")


@pytest.mark.parametrize(
    ("system", "machine", "word"),
    [
        pytest.param("Darwin", "arm64", "Darwin", id="macOS"),
        pytest.param("Windows", "AMD64", "Windows", id="Windows"),
        pytest.param("Linux", "aarch64", "aarch64", id="another processor"),
    ],
)
def test_where_there_is_no_back_end_it_says_what_to_use(system: str, machine: str, word: str) -> None:
    reason = unsupported(system, machine)
    assert reason is not None
    assert word in reason
    assert "Linux virtual machine" in reason


def test_where_there_is_one_it_says_nothing() -> None:
    assert unsupported("Linux", "x86_64") is None


@pytest.mark.parametrize(
    ("files", "line"),
    [
        pytest.param({"_APPARMOR": "1\n"}, "apparmor_restrict_unprivileged_userns=0", id="AppArmor"),
        pytest.param({"_MOST": "0\n"}, "max_user_namespaces=", id="none allowed"),
        pytest.param({"_CLONE": "0\n"}, "unprivileged_userns_clone=1", id="Debian's switch"),
        pytest.param({}, "seccomp profile", id="no switch is off: a container"),
    ],
)
def test_the_first_switch_that_is_off_is_named(files: Mapping[str, str], line: str, tmp_path: Path) -> None:
    switches = []
    for name in ("_APPARMOR", "_MOST", "_CLONE"):
        path = tmp_path / name
        if name in files:
            path.write_text(files[name])
        switches.append(path)
    assert line in remedies.for_namespaces(*switches)


def test_a_problem_without_a_remedy_stays_as_it_is() -> None:
    assert remedy("something else") == "something else"
    assert "kernel of at least" in remedy("landlock: this kernel has none")
    assert "outside a private folder" in remedy("the slot's user cannot read `x`")


def test_the_doctor_tries_every_part_and_both_levels() -> None:
    found = examine(codec_source())
    assert found.machine == platform.machine()
    assert [part.name for part in found.tried] == ["interpreter", *TRIED]
    assert [reached.level for reached in found.levels] == [Level.A, Level.B]
    for reached in found.levels:
        assert reached.reached or reached.why
        if reached.reached:
            missing = {name for name in PROPERTIES if reached.properties[name] is not Standing.ENFORCED}
            assert missing <= (WITHOUT_IN_B if reached.level is Level.B else set())
    assert found.best is next((reached.level for reached in found.levels if reached.reached), None)


def test_the_doctor_reports_an_interpreter_that_does_not_start() -> None:
    found = examine(codec_source(), python="/nowhere/python")
    assert found.best is None
    assert [part.works for part in found.tried] == [False]
    assert all("does not start" in reached.why for reached in found.levels)


def test_every_level_names_its_layers() -> None:
    assert set(LAYERS) == set(Level)


PAGE = (ROOT / "docs" / "reference" / "sandbox.md").read_text(encoding="utf-8")


def test_every_property_is_on_the_page() -> None:
    rows = {
        line.split("|")[1].strip(" `"): line.split("|")[3].strip()
        for line in PAGE.splitlines()
        if line.startswith("| `")
    }
    assert set(rows) == set(PROPERTIES)
    assert {name for name, without in rows.items() if without} == WITHOUT_IN_B


@pytest.mark.parametrize(
    "said",
    [
        f"{Limits().cpu_s:.0f} s a candidate",
        f"{Limits().candidate_cpu_s:.0f} s for all cases",
        f"{Limits().wall_s:.0f} s, {Limits().candidate_wall_s:.0f} s for all cases",
        f"{Limits().candidate_wall_s:.0f} s for all cases",
        f"{Limits().memory_bytes >> 20} MiB of address space",
        f"{Limits().folder_bytes >> 20} MiB, {Limits().folder_inodes} files",
        f"| threads | {Limits().threads} |",
        f"| open files | {Limits().open_files} |",
    ],
)
def test_the_limits_are_on_the_page(said: str) -> None:
    assert said in PAGE


NUMBERS = {"bpf": 321, "perf_event_open": 298, "ptrace": 101, "io_uring_setup": 425, "keyctl": 250, "open_tree": 428}
NEEDED = {
    "unshare",
    "setns",
    "mount",
    "umount2",
    "pivot_root",
    "clone",
    "seccomp",
    "prctl",
    "capset",
    "landlock_restrict_self",
}


def test_the_profile_for_containers_refuses_nothing_that_a_slot_needs() -> None:
    profile = json.loads((ROOT / "data" / "sandbox" / "container-seccomp.json").read_text(encoding="utf-8"))
    refused = [name for rule in profile["syscalls"] if "args" not in rule for name in rule["names"]]
    assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
    assert not NEEDED & set(refused)
    assert set(NUMBERS) <= set(refused)
    assert len(refused) == len(set(refused))
    assert all(rule["action"] == "SCMP_ACT_ERRNO" for rule in profile["syscalls"])
