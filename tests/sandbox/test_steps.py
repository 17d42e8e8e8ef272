"""What isolates a child, read as a list: which calls, in which order, and nothing above a container's limit."""

import ctypes
import os
import resource
import struct

import pytest

from assay.sandbox.guest import landlock, root
from assay.sandbox.guest.layers import Layers
from assay.sandbox.guest.seccomp import Filter, instructions
from assay.sandbox.guest.steps import Bounds, Plan, Shared, Step

BOUNDS = Bounds(memory=1 << 27, cpu=20, file=1 << 20, folder=1 << 24, inodes=512, files=64, tasks=12)
PRLIMIT, DUP2, CLOSE_RANGE, LANDLOCK, PRCTL, CAPSET, UNSHARE, MOUNT, SETSID, MKDIR, CHDIR = (
    302,
    33,
    436,
    446,
    157,
    126,
    272,
    165,
    112,
    83,
    80,
)


def plan(*, namespaces: bool = True, landlock_on: bool = True, seccomp: bool = True) -> Plan:
    return Plan(Shared(Layers(namespaces, landlock_on, seccomp), 100, Filter(), 50 << 20), BOUNDS)


def numbers(steps: list[Step]) -> list[int]:
    return [step[0] for step in steps]


def limits(steps: list[Step]) -> dict[int, tuple[int, int]]:
    return {step[2]: struct.unpack("QQ", ctypes.string_at(step[3], 16)) for step in steps if step[0] == PRLIMIT}


def test_the_steps_of_level_a_in_their_order() -> None:
    found = numbers(plan().steps(3, 4, 5, 6))
    assert [number for number in found if number != PRLIMIT] == [
        *(PRCTL, SETSID, UNSHARE, MOUNT, MKDIR, CHDIR),
        *(DUP2, DUP2, DUP2),
        *(CAPSET, LANDLOCK, CLOSE_RANGE, PRCTL),
    ]
    # The filter comes last: it refuses most of what comes before.
    assert found[-1] == PRCTL
    assert found.index(CLOSE_RANGE) > found.index(LANDLOCK)


def test_the_steps_of_level_b_have_no_namespace_and_no_count_of_tasks() -> None:
    steps = plan(namespaces=False).steps(3, 4, 5, 6)
    assert not {UNSHARE, MOUNT, CHDIR, CAPSET} & set(numbers(steps))
    assert {LANDLOCK, SETSID, CLOSE_RANGE} <= set(numbers(steps))
    assert resource.RLIMIT_NPROC not in limits(steps)


@pytest.mark.parametrize(
    ("arrived", "moves"),
    [
        pytest.param((3, 4, 5, 6), [(4, 0), (5, 1), (6, 2)], id="the channel is in its place"),
        pytest.param((6, 3, 4, 5), [(3, 0), (4, 1), (5, 2), (6, 3)], id="the input is in the channel's place"),
        pytest.param((9, 7, 8, 8), [(7, 0), (8, 1), (8, 2), (9, 3)], id="one file for both kinds of output"),
    ],
)
def test_descriptors_are_moved_without_being_overwritten(
    arrived: tuple[int, int, int, int], moves: list[tuple[int, int]]
) -> None:
    assert [step[1:3] for step in plan().steps(*arrived) if step[0] == DUP2] == moves


def test_limits_are_what_was_asked_or_what_is_allowed() -> None:
    found = limits(plan().steps(3, 4, 5, 6))
    assert found[resource.RLIMIT_CPU] == (20, 20)
    assert found[resource.RLIMIT_CORE] == (0, 0)
    assert found[resource.RLIMIT_AS] == ((1 << 27) + (50 << 20),) * 2
    for kind, (soft, hard) in found.items():
        own = resource.getrlimit(kind)[1]
        assert soft == hard
        assert own == resource.RLIM_INFINITY or hard <= own


def test_a_containers_lower_limit_stands() -> None:
    # Lowered for good, so in a process of its own.
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_NOFILE, (30, 30))
        os._exit(0 if limits(plan().steps(3, 4, 5, 6))[resource.RLIMIT_NOFILE] == (30, 30) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_the_filter_is_assembled_as_it_is_written() -> None:
    made = Filter()
    length, code = struct.unpack("HxxxxxxQ", ctypes.string_at(made.address, 16))
    written = b"".join(struct.pack("HBBI", *one) for one in instructions())
    assert length == len(instructions())
    assert ctypes.string_at(code, 8 * length) == written


def test_landlock_asks_for_all_that_its_version_can_refuse() -> None:
    assert [len(landlock.attributes(version)) for version in (1, 3, 4, 5, 6, 7)] == [8, 8, 16, 16, 24, 24]
    assert landlock.handled(1) == (1 << 13) - 1
    assert landlock.handled(2) & landlock.REFER
    assert landlock.handled(3) & landlock.TRUNCATE
    assert landlock.handled(5) & landlock.IOCTL_DEV
    assert not landlock.handled(4) & landlock.IOCTL_DEV
    assert landlock.abi() >= 0


def test_what_candidates_may_read_is_libraries_and_no_packages() -> None:
    readable = root.folders()
    library = root.library_folder()
    assert any(library == folder or library.startswith(folder + "/") for folder in readable)
    assert not any(left != right and left.startswith(right + "/") for left in readable for right in readable)
    assert not {"/", "/usr", "/home", "/etc", "/tmp"} & set(readable)  # noqa: S108 - compared only
    assert all(path.endswith("-packages") for path in root.masked(readable))
