"""Pipes, guest side: the seccomp filter, written as a table and assembled here. x86-64 only.

What is not in the table fails with EPERM. Sending any signal ends the process: the first process of a PID namespace
would ignore its own signals, so code that kills itself would go on and could pass. So does having one sent, but for the
timers that have a handler as often as not: what those end, `signals` ends.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from typing import Final

from assay.sandbox.guest.syscalls import PR_SET_SECCOMP, SECCOMP_MODE_FILTER, prctl

RET_ALLOW: Final = 0x7FFF_0000
RET_KILL_PROCESS: Final = 0x8000_0000
RET_ERRNO: Final = 0x0005_0000
ARCH_X86_64: Final = 0xC000_003E
X32: Final = 0x4000_0000

_LD, _JA, _JEQ, _JGE, _JSET, _RET = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH = 0, 4

# Files, within what the read-only root, the private folder and Landlock leave.
_FILES: Final = (
    "read=0 write=1 open=2 close=3 stat=4 fstat=5 lstat=6 lseek=8 pread64=17 pwrite64=18 readv=19 writev=20 access=21 "
    "dup=32 dup2=33 fsync=74 fdatasync=75 truncate=76 ftruncate=77 getdents=78 getcwd=79 chdir=80 fchdir=81 "
    "rename=82 mkdir=83 rmdir=84 creat=85 unlink=87 readlink=89 chmod=90 fchmod=91 umask=95 statfs=137 fstatfs=138 "
    "getdents64=217 fadvise64=221 openat=257 mkdirat=258 newfstatat=262 unlinkat=263 renameat=264 readlinkat=267 "
    "faccessat=269 utimensat=280 dup3=292 renameat2=316 statx=332 close_range=436 faccessat2=439"
)
_MEMORY: Final = "mmap=9 mprotect=10 munmap=11 brk=12 mremap=25 msync=26 madvise=28"
_WAITING: Final = (
    "poll=7 select=23 sched_yield=24 pause=34 nanosleep=35 getitimer=36 alarm=37 setitimer=38 wait4=61 futex=202 "
    "restart_syscall=219 clock_nanosleep=230 epoll_wait=232 epoll_ctl=233 waitid=247 pselect6=270 ppoll=271 "
    "epoll_pwait=281 eventfd=284 eventfd2=290 epoll_create=213 epoll_create1=291 pipe=22 pipe2=293"
)
# Receiving signals is harmless; sending is not in the list.
_SIGNALS: Final = (
    "rt_sigaction=13 rt_sigprocmask=14 rt_sigreturn=15 rt_sigpending=127 rt_sigtimedwait=128 rt_sigsuspend=130 "
    "sigaltstack=131"
)
_SELF: Final = (
    "getpid=39 exit=60 uname=63 gettimeofday=96 getrlimit=97 getrusage=98 sysinfo=99 times=100 getuid=102 getgid=104 "
    "geteuid=107 getegid=108 getppid=110 getpgrp=111 getgroups=115 getresuid=118 getresgid=120 getpgid=121 getsid=124 "
    "gettid=186 time=201 sched_getaffinity=204 clock_gettime=228 clock_getres=229 exit_group=231 set_robust_list=273 "
    "getcpu=309 getrandom=318 rseq=334"
)
# On a pair of connected sockets, the only kind that can be had.
_SOCKETS: Final = "recvfrom=45 shutdown=48 getsockname=51"

ALLOWED: Final = {
    name: int(number)
    for table in (_FILES, _MEMORY, _WAITING, _SIGNALS, _SELF, _SOCKETS)
    for name, number in (entry.split("=") for entry in table.split())
}
KILLED: Final = {
    "kill": 62,
    "rt_sigqueueinfo": 129,
    "tkill": 200,
    "timer_create": 222,
    "tgkill": 234,
    "rt_tgsigqueueinfo": 297,
    "pidfd_send_signal": 424,
}
_CLONE_THREAD: Final = 0x0001_0000
_NEW_NAMESPACES: Final = 0x7E02_0080
_AF_UNIX: Final = 1
_FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX = 0x541B, 0x5421, 0x5450, 0x5451
# SIGIO and whatever is put in its place: who is told, by which signal, and the ways to ask for it.
_FIOASYNC, _FIOSETOWN, _SIOCSPGRP = 0x5452, 0x8901, 0x8902
_F_SETFL, _F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE, _F_NOTIFY = 4, 8, 10, 15, 1024, 1026
_O_ASYNC: Final = 0x2000
_MSG_DONTWAIT, _MSG_NOSIGNAL = 0x40, 0x4000
_ALL: Final = 0xFFFF_FFFF
# Later calls than this table knows: "there is no such call" is what makes a C library fall back.
_NEWER: Final = 441

Instruction = tuple[int, int, int, int]


def _load(offset: int) -> Instruction:
    return (_LD, 0, 0, offset)


def _argument(index: int) -> int:
    return 16 + 8 * index


def _return(action: int) -> Instruction:
    return (_RET, 0, 0, action)


def _refuse(number: int) -> Instruction:
    return _return(RET_ERRNO | number)


def _null(index: int) -> list[Instruction]:
    """Allow where a 64-bit argument is null, else refuse."""
    low, high = _argument(index), _argument(index) + 4
    return [
        _load(low),
        (_JEQ, 0, 3, 0),
        _load(high),
        (_JEQ, 0, 1, 0),
        _return(RET_ALLOW),
        _refuse(errno.EPERM),
    ]


# Calls that depend on their arguments: each ends in a return.
CONDITIONAL: Final[dict[int, list[Instruction]]] = {
    # ioctl: what sockets and pipes need; a terminal it never is
    16: [
        _load(_argument(1)),
        (_JEQ, 6, 0, _FIONBIO),
        (_JEQ, 5, 0, _FIONREAD),
        (_JEQ, 4, 0, _FIOCLEX),
        (_JEQ, 3, 0, _FIONCLEX),
        (_JEQ, 3, 0, _FIOASYNC),
        (_JEQ, 2, 0, _FIOSETOWN),
        (_JEQ, 1, 2, _SIOCSPGRP),
        _return(RET_ALLOW),
        _return(RET_KILL_PROCESS),
        _refuse(errno.ENOTTY),
    ],
    # sendto: to the other end only, and nothing out of band
    44: [_load(_argument(3)), (_JSET, 0, 1, _ALL & ~(_MSG_DONTWAIT | _MSG_NOSIGNAL)), _refuse(errno.EPERM), *_null(4)],
    # socketpair: of the local family
    53: [_load(_argument(0)), (_JEQ, 0, 1, _AF_UNIX), _return(RET_ALLOW), _refuse(errno.EPERM)],
    # clone: threads, in no new namespace
    56: [
        _load(_argument(0)),
        (_JSET, 0, 2, _CLONE_THREAD),
        (_JSET, 1, 0, _NEW_NAMESPACES),
        _return(RET_ALLOW),
        _refuse(errno.EPERM),
    ],
    # fcntl: all but having signals sent to oneself
    72: [
        _load(_argument(1)),
        (_JEQ, 7, 0, _F_SETOWN),
        (_JEQ, 6, 0, _F_SETSIG),
        (_JEQ, 5, 0, _F_SETOWN_EX),
        (_JEQ, 4, 0, _F_SETLEASE),
        (_JEQ, 3, 0, _F_NOTIFY),
        (_JEQ, 0, 3, _F_SETFL),
        _load(_argument(2)),
        (_JSET, 0, 1, _O_ASYNC),
        _return(RET_KILL_PROCESS),
        _return(RET_ALLOW),
    ],
    # prlimit64: read one's own, set none
    302: [_load(_argument(0)), (_JEQ, 0, 6, 0), *_null(2), _refuse(errno.EPERM)],
    # clone3: its arguments are in memory, where no filter can look; ENOSYS makes the C library use clone
    435: [_refuse(errno.ENOSYS)],
}


def _ranges() -> list[tuple[int, int | list[Instruction]]]:
    """Where each action begins, over all numbers: an action holds until the next one begins."""
    special: dict[int, int | list[Instruction]] = dict.fromkeys(ALLOWED.values(), RET_ALLOW)
    special |= dict.fromkeys(KILLED.values(), RET_KILL_PROCESS)
    special |= CONDITIONAL
    found: list[tuple[int, int | list[Instruction]]] = []
    for number in range(_NEWER + 1):
        action = special.get(number, RET_ERRNO | (errno.EPERM if number < _NEWER else errno.ENOSYS))
        if not found or found[-1][1] != action:
            found.append((number, action))
    return found


def _tree(ranges: list[tuple[int, int | list[Instruction]]]) -> list[Instruction]:
    """Instructions that find the range of the loaded number by halving."""
    if len(ranges) == 1:
        action = ranges[0][1]
        return list(action) if isinstance(action, list) else [_return(action)]
    middle = len(ranges) // 2
    below, above = _tree(ranges[:middle]), _tree(ranges[middle:])
    if len(below) < 256:
        return [(_JGE, len(below), 0, ranges[middle][0]), *below, *above]
    # A conditional jump reaches 255 instructions, a plain one any number.
    return [(_JGE, 0, 1, ranges[middle][0]), (_JA, 0, 0, len(below)), *below, *above]


def instructions() -> list[Instruction]:
    """The whole filter."""
    return [
        _load(_ARCH),
        (_JEQ, 1, 0, ARCH_X86_64),
        _return(RET_KILL_PROCESS),
        _load(_NUMBER),
        (_JGE, 0, 1, X32),
        _return(RET_KILL_PROCESS),
        *_tree(_ranges()),
    ]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Filter:
    """The assembled filter, ready to be installed in each child."""

    def __init__(self) -> None:
        code = b"".join(struct.pack("HBBI", *instruction) for instruction in instructions())
        self._code = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.addressof(self._code))
        self.address = ctypes.addressof(self._program)

    def install(self) -> None:  # pragma: no cover - binds the process that calls it
        """Bind this process to the filter, for good."""
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self.address)
