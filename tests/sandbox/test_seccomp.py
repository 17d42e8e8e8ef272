"""The filter, run by a small interpreter of its own for every number and for the arguments that matter."""

import errno
from itertools import pairwise

import pytest

from assay.sandbox.guest import seccomp
from assay.sandbox.guest.seccomp import (
    ALLOWED,
    ARCH_X86_64,
    CONDITIONAL,
    KILLED,
    RET_ALLOW,
    RET_ERRNO,
    RET_KILL_PROCESS,
)

REFUSED = RET_ERRNO | errno.EPERM
MISSING = RET_ERRNO | errno.ENOSYS
CODE = seccomp.instructions()


def decide(number: int, *arguments: int, arch: int = ARCH_X86_64) -> int:
    """Return what the filter answers: the kernel's rules for the few instructions in use."""
    words = {0: number, 4: arch}
    for index, argument in enumerate(arguments):
        words[16 + 8 * index] = argument & 0xFFFF_FFFF
        words[20 + 8 * index] = argument >> 32 & 0xFFFF_FFFF
    at, loaded = 0, 0
    while True:
        code, yes, no, operand = CODE[at]
        at += 1
        match code:
            case 0x20:
                loaded = words.get(operand, 0)
            case 0x05:
                at += operand
            case 0x15:
                at += yes if loaded == operand else no
            case 0x35:
                at += yes if loaded >= operand else no
            case 0x45:
                at += yes if loaded & operand else no
            case 0x06:
                return operand
            case _:
                pytest.fail(f"an instruction that this interpreter does not know: {code:#x}")


def test_every_number_gets_what_the_table_says() -> None:
    wanted = dict.fromkeys(range(441), REFUSED) | dict.fromkeys(range(441, 600), MISSING)
    wanted |= dict.fromkeys(ALLOWED.values(), RET_ALLOW) | dict.fromkeys(KILLED.values(), RET_KILL_PROCESS)
    for number in set(wanted) - set(CONDITIONAL):
        assert decide(number) == wanted[number], number


def test_no_number_is_in_two_tables() -> None:
    numbers = sorted([*ALLOWED.values(), *KILLED.values(), *CONDITIONAL])
    assert all(left != right for left, right in pairwise(numbers))


@pytest.mark.parametrize(
    ("number", "arguments", "answer"),
    [
        pytest.param(16, (0, 0x5421), RET_ALLOW, id="ioctl FIONBIO, which asyncio needs"),
        pytest.param(16, (0, 0x5401), RET_ERRNO | errno.ENOTTY, id="ioctl TCGETS: no terminal"),
        pytest.param(16, (0, 0x5412), RET_ERRNO | errno.ENOTTY, id="ioctl TIOCSTI types into a terminal"),
        pytest.param(16, (0, 0x5452), RET_KILL_PROCESS, id="ioctl FIOASYNC: a signal to oneself"),
        pytest.param(16, (0, 0x8901), RET_KILL_PROCESS, id="ioctl FIOSETOWN"),
        pytest.param(16, (0, 0x8902), RET_KILL_PROCESS, id="ioctl SIOCSPGRP"),
        pytest.param(16, (0, 0x541B), RET_ALLOW, id="ioctl FIONREAD"),
        pytest.param(16, (0, 0x5450), RET_ALLOW, id="ioctl FIONCLEX"),
        pytest.param(16, (0, 0x5451), RET_ALLOW, id="ioctl FIOCLEX"),
        pytest.param(72, (0, 4, 0x800), RET_ALLOW, id="fcntl sets O_NONBLOCK"),
        pytest.param(72, (0, 4, 0x2800), RET_KILL_PROCESS, id="fcntl sets O_ASYNC: a signal to oneself"),
        pytest.param(72, (0, 1), RET_ALLOW, id="fcntl reads the flags of a descriptor"),
        pytest.param(72, (0, 0x2000), RET_ALLOW, id="fcntl with a command whose number is O_ASYNC"),
        pytest.param(72, (0, 8, 1), RET_KILL_PROCESS, id="fcntl F_SETOWN"),
        pytest.param(72, (0, 10, 9), RET_KILL_PROCESS, id="fcntl F_SETSIG"),
        pytest.param(72, (0, 15, 1), RET_KILL_PROCESS, id="fcntl F_SETOWN_EX"),
        pytest.param(72, (0, 1024, 0), RET_KILL_PROCESS, id="fcntl F_SETLEASE"),
        pytest.param(72, (0, 1026, 1), RET_KILL_PROCESS, id="fcntl F_NOTIFY"),
        pytest.param(44, (3, 1, 1, 0, 0, 0), RET_ALLOW, id="sendto the other end"),
        pytest.param(44, (3, 1, 1, 0x4040, 0, 0), RET_ALLOW, id="sendto with flags that change nothing"),
        pytest.param(44, (3, 1, 1, 1, 0, 0), REFUSED, id="sendto out of band"),
        pytest.param(44, (3, 1, 1, 0, 0x7FFF0000, 16), REFUSED, id="sendto an address"),
        pytest.param(44, (3, 1, 1, 0, 1 << 32, 16), REFUSED, id="sendto an address whose low half is null"),
        pytest.param(53, (1, 1, 0), RET_ALLOW, id="a pair of local sockets"),
        pytest.param(53, (2, 1, 0), REFUSED, id="a pair of another family"),
        pytest.param(56, (0x3D0F00,), RET_ALLOW, id="clone as pthread_create calls it"),
        pytest.param(56, (17,), REFUSED, id="clone as fork calls it"),
        pytest.param(56, (0x10000000 | 0x10000,), REFUSED, id="a thread in a new user namespace"),
        pytest.param(302, (0, 7, 0, 1), RET_ALLOW, id="prlimit reads one's own"),
        pytest.param(302, (0, 7, 1 << 40, 0), REFUSED, id="prlimit sets"),
        pytest.param(302, (1, 7, 0, 1), REFUSED, id="prlimit of another process"),
        pytest.param(435, (), MISSING, id="clone3 is not there"),
    ],
)
def test_calls_that_depend_on_their_arguments(number: int, arguments: tuple[int, ...], answer: int) -> None:
    assert decide(number, *arguments) == answer


def test_another_architecture_ends_the_process() -> None:
    assert decide(0, arch=0x4000_0003) == RET_KILL_PROCESS


@pytest.mark.parametrize("number", [0x4000_0000, 0x4000_0029, 0xFFFF_FFFF])
def test_the_x32_numbers_end_the_process(number: int) -> None:
    assert decide(number) == RET_KILL_PROCESS


def test_jumps_stay_in_the_program_and_fit_their_bytes() -> None:
    for at, (code, yes, no, operand) in enumerate(CODE):
        assert 0 <= yes < 256
        assert 0 <= no < 256
        reach = operand if code == 0x05 else max(yes, no)
        assert at + reach < len(CODE)
