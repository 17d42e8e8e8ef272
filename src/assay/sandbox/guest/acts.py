"""Pipes, guest side: the hostile candidate of our own that a new slot has to hold (docs/adr/0026).

Its text is run as a program: one line of JSON comes in, one line an act goes out: its name, `held` or `open`, a word.
Each act is bounded and undoes what it could do. Complete in itself: nothing of ours can be imported in there.
"""

# ruff: noqa: PTH108, PTH120, PTH208 - one call of the kernel an act, with nothing of a library's own between
# ruff: noqa: S108 - these are the places to try, not places to use

import ctypes
import errno
import json
import mmap
import os
import resource
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
GIB = 1 << 30
FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "alg": 38, "vsock": 40, "xdp": 44}
# Numbers of x86-64; arguments that ask for as little as the call can give.
CALLS: dict[str, tuple[int, ...]] = {
    "privileges.mount": (165, 0, 0, 0, 0, 0),
    "privileges.umount": (166, 0, 0),
    "privileges.pivot_root": (155, 0, 0),
    "privileges.setns": (308, 0, 0),
    "privileges.user_namespace": (272, 0x1000_0000),
    "privileges.mount_namespace": (272, 0x0002_0000),
    "privileges.network_namespace": (272, 0x4000_0000),
    "privileges.setuid": (105, 0),
    "privileges.capset": (126, 0, 0),
    "kernel.io_uring": (425, 1, 0),
    "kernel.bpf": (321, 0, 0, 0),
    "kernel.perf": (298, 0, 0, -1, -1, 0),
    "kernel.userfaultfd": (323, 1),
    "kernel.keyctl": (250, 0, -3, 1),
    "kernel.add_key": (248, 0, 0, 0, 0, 0),
    "kernel.ptrace": (101, 16, 1, 0, 0),
    "kernel.process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "kernel.open_by_handle": (304, 0, 0, 0),
    "kernel.personality": (135, 0xFFFF_FFFF),
    "kernel.seccomp": (317, 2, 0, 0),
    "ipc.shared_memory": (29, 0, 4096, 0o1600),
    "ipc.queue": (68, 0, 0o1600),
    "ipc.posix_queue": (240, 0, 0, 0, 0),
    "ipc.memory_file": (319, 0, 0),
    "processes.clone": (56, 0x1000_0000 | 17, 0, 0, 0, 0),
}
# What a filter answers. A call that was let through to fail by itself (EFAULT, EINVAL) counts as open.
REFUSED = {errno.EPERM, errno.EACCES, errno.ENOSYS}


def refused(act: Callable[[], object], *also: type[BaseException]) -> bool:  # pragma: no cover
    """Whether the act failed with an error of the operating system, or one of these."""
    try:
        act()
    except Exception as error:
        if isinstance(error, (OSError, *also)):
            return True
        raise
    return False


def read_file(path: str) -> None:  # pragma: no cover
    """Read a byte of a file."""
    place = os.open(path, os.O_RDONLY)
    os.read(place, 1)
    os.close(place)


def system_call(number: int, *arguments: int) -> tuple[bool, str]:  # pragma: no cover
    """Whether a raw call was refused by its number; a process that comes of it ends at once."""
    result = LIBC.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments))
    code = ctypes.get_errno() if result == -1 else 0
    if result == 0 and number == CALLS["processes.clone"][0]:
        os._exit(0)
    return code in REFUSED, errno.errorcode.get(code, "went through")


def files(canary: str) -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """Reading what belongs to the host."""
    for name, path in (
        ("passwd", "/etc/passwd"),
        ("canary", canary),
        ("process", "/proc/self/status"),
        ("processes", "/proc/1/environ"),
        ("memory", "/dev/mem"),
        ("command", "/bin/sh"),
    ):
        yield f"files.{name}", refused(partial(read_file, path))
    for name, path in (("home", "/home"), ("sys", "/sys"), ("var", "/var"), ("canary_folder", os.path.dirname(canary))):
        yield f"files.{name}", refused(partial(os.listdir, path))
    for name in ("site-packages", "dist-packages"):
        folder = f"{os.path.dirname(os.__file__)}/{name}"
        with suppress(OSError):
            yield f"files.{name}", os.listdir(folder) == []


def writes(canary: str) -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """Writing outside the private folder."""

    def create(folder: str) -> None:
        path = f"{folder}/.assay-probe-{os.getpid()}"
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        os.unlink(path)

    def open_to_write(path: str) -> None:
        os.close(os.open(path, os.O_WRONLY))

    for folder in ("/", os.path.dirname(os.__file__), "/tmp", "/var/tmp", "/dev/shm", "/dev", os.path.dirname(canary)):
        yield f"writes.{folder}", refused(partial(create, folder))
    for path in (canary, os.__file__):
        yield f"writes.{path}", refused(partial(open_to_write, path))


def folder(most: int) -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """A working folder that is empty, one's own, and small."""

    def private() -> bool:
        place = os.statvfs(".")
        os.close(os.open("mine", os.O_CREAT | os.O_WRONLY))
        alone = os.listdir(".") == ["mine"]
        os.unlink("mine")
        return alone and place.f_blocks * place.f_frsize <= most

    try:
        yield "folder.private", private()
    except OSError:
        yield "folder.private", False


def processes() -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """Making processes, and seeing those of others."""

    def fork() -> None:
        if os.fork() == 0:
            os._exit(0)

    yield "processes.fork", refused(fork)
    yield "processes.spawn", refused(lambda: os.posix_spawn("/bin/true", ["true"], {}))
    yield "processes.interpreter", refused(lambda: os.posix_spawn(sys.executable, ["python", "-c", ""], {}))
    yield "view.parent", os.getppid() == 0
    yield "view.number", os.getpid() == 1


def threads(most: int) -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """Making more threads than are allowed."""
    wait = threading.Event()
    started: list[threading.Thread] = []
    with suppress(RuntimeError, MemoryError):
        while len(started) <= most:
            thread = threading.Thread(target=wait.wait)
            thread.start()
            started.append(thread)
    wait.set()
    for thread in started:
        thread.join()
    yield "threads.count", len(started) <= most


def network() -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """Making a socket of any family."""
    for name, family in FAMILIES.items():
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            result = LIBC.socket(family, kind, 0)
            if result >= 0:
                os.close(result)
            yield f"network.{name}.{kind.name}", result < 0 and ctypes.get_errno() in REFUSED


def bounds(cpu: int, output: int) -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """Going beyond limits of memory, output and time."""
    yield "memory.heap", refused(partial(bytearray, GIB), MemoryError)
    yield "memory.shared", refused(partial(mmap.mmap, -1, GIB), MemoryError)
    for stream in (1, 2):
        yield f"output.{stream}", refused(partial(os.pwrite, stream, b"x", output))
    yield "limits.cpu", resource.getrlimit(resource.RLIMIT_CPU) == (cpu, cpu)
    yield "limits.core", resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
    for name in ("AS", "CPU", "FSIZE", "NOFILE", "NPROC"):
        kind = getattr(resource, f"RLIMIT_{name}")
        soft = resource.getrlimit(kind)[0]
        yield (
            f"limits.{name}",
            refused(partial(resource.setrlimit, kind, (soft, soft + 1)), ValueError),
        )


def surroundings() -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """What came along that should not have."""
    environ: Any = ctypes.POINTER(ctypes.c_char_p).in_dll(LIBC, "environ")
    yield "environment.c", not environ or environ[0] is None
    yield "environment.python", not os.environ
    opened = []
    for number in range(256):
        with suppress(OSError):
            os.fstat(number)
            opened.append(number)
    yield "descriptors.open", opened == [0, 1, 2, 3]
    yield "descriptors.stdin", refused(lambda: os.write(0, b"x"))


def library() -> Iterator[tuple[str, bool]]:  # pragma: no cover
    """The standard library has to be there: here an act that works is one that held."""
    for name in ("colorsys", "wave", "_bisect", "zlib"):
        try:
            __import__(name)
        except ImportError:
            yield f"library.{name}", False
        else:
            yield f"library.{name}", True


def main() -> None:  # pragma: no cover
    """Try everything and say what came of it."""
    given = json.loads(sys.stdin.readline())
    lines: list[str] = []
    acts: tuple[Iterator[tuple[str, bool]], ...] = (
        files(given["canary"]),
        writes(given["canary"]),
        folder(given["folder"]),
        processes(),
        threads(given["threads"]),
        network(),
        bounds(given["cpu"], given["output"]),
        surroundings(),
        library(),
    )
    for part in acts:
        lines += [f"{name} {'held' if held else 'open'}" for name, held in part]
    for name, (number, *arguments) in CALLS.items():
        held, word = system_call(number, *arguments)
        lines.append(f"{name} {'held' if held else 'open'} {word}")
    lines.append(f"hash.text {hash('assay')}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
