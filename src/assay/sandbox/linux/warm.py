"""Pipes: the judge's handle of one zygote: starts it, has children made, kills them, hears how they ended."""

from __future__ import annotations

import errno
import json
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import assay
from assay.sandbox.base import Limits, SandboxUnavailable
from assay.sandbox.guest import frames
from assay.sandbox.linux import memory_files

# Every start of the zygote and every step of ours that has to answer, on a machine under load.
PATIENCE_S: Final = 60.0
# The slot's processes beside a candidate's threads: the two of the zygote, the candidate, its successor.
_OWN_TASKS: Final = 4
_CREDENTIALS: Final = struct.Struct("iII")
_LOST: Final = "the warm interpreter is gone; open the slot again"
_ANSWER_BYTES: Final = 65_536
# What candidates import most; each costs every fork a little, and each candidate that needs it more.
PRELOAD: Final = (
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "random",
    "re",
    "statistics",
    "string",
    "typing",
)
# What modules do after each fork (a new seed from the system, new locks for threads) is done here by the one who forks
# or has no use: no thread of the zygote holds a lock. It would copy a fifth of the pages that a candidate costs.
_BOOT: Final = (
    "import os; os.register_at_fork = lambda **_: None; "
    "import sys; sys.path.insert(0, {!r}); from assay.sandbox.guest.zygote import main; del sys.path[0]; main({})"
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What makes one zygote differ from another."""

    seed: int
    uid: int
    codec: str
    layers: Mapping[str, bool]
    python: str


@dataclass(frozen=True, slots=True)
class Child:
    """A process that will serve one candidate: its channel and its streams, all of them ours to close.

    Without an input it reads nothing, and both kinds of output go to one file.
    """

    number: int
    limits: Limits
    stdin: bytes | None
    channel: socket.socket
    files: tuple[int, ...]

    @property
    def stdout(self) -> int:
        """The file that takes its output."""
        return self.files[1]

    @property
    def stderr(self) -> int:
        """The file that takes its error output."""
        return self.files[-1]

    def close(self) -> None:
        """Close what is ours."""
        self.channel.close()
        for descriptor in self.files:
            os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended and what it used."""

    status: int
    cpu_s: float
    peak_memory_bytes: int
    page_faults: int


class Warm:
    """One zygote that is ready."""

    def __init__(self, settings: Settings, process: subprocess.Popen[bytes], control: socket.socket, said: int) -> None:
        self.settings = settings
        self.facts: dict[str, Any] = {}
        self._process = process
        self._control = control
        self._said = said
        self._count = 0

    @classmethod
    def start(cls, settings: Settings) -> Self:
        """A zygote that is on its way; `wait_ready` says whether it got there.

        Raises:
            SandboxUnavailable: the interpreter could not be started.
        """
        said = -1
        try:
            said = memory_files.empty("said")
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError as error:
            if said >= 0:
                os.close(said)
            raise SandboxUnavailable("sandbox.start", f"no channel could be made: {error.strerror}") from error
        ours.settimeout(PATIENCE_S)
        package = str(Path(assay.__file__).resolve().parents[1])
        command = [settings.python, "-s", "-P", "-S", "-B", "-c", _BOOT.format(package, theirs.fileno())]
        try:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter, no shell
                command,
                # Not -I: it would ignore the hash seed. Nothing else is in the environment.
                env={"PYTHONHASHSEED": str(settings.seed), "LC_ALL": "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                cwd="/",
            )
        except OSError as error:
            ours.close()
            os.close(said)
            mend = "" if error.errno == errno.EMFILE else "; name another interpreter"
            raise SandboxUnavailable(
                "sandbox.start", f"`{settings.python}` does not start: {error.strerror}{mend}"
            ) from error
        finally:
            theirs.close()
        warm = cls(settings, process, ours, said)
        message = {
            "judge": os.getpid(),
            "seed": settings.seed,
            "uid": settings.uid,
            "codec": settings.codec,
            "layers": dict(settings.layers),
            "preload": PRELOAD,
        }
        with suppress(ConnectionError):
            ours.send(json.dumps(message).encode())
        return warm

    def wait_ready(self) -> None:
        """Wait until the zygote has put its layers on.

        Raises:
            SandboxUnavailable: it has not; the message says which step failed.
        """
        try:
            answer = self._control.recv(_ANSWER_BYTES)
        except OSError:
            answer = b""
        if answer[:1] != b"R":
            reason = (answer[1:] or memory_files.content(self._said, _ANSWER_BYTES)).decode("utf-8", "replace")
            self.close()
            last = reason.strip().rpartition("\n")[2] or "no answer"
            raise SandboxUnavailable(
                "sandbox.layer", f"the warm interpreter stopped at `{last}`; see `assay sandbox doctor`"
            )
        self.facts = json.loads(answer[1:])

    def spawn(self, limits: Limits, stdin: bytes | None) -> Child:
        """A child that is on its way into its layers, and that will say on its channel when it is there.

        Raises:
            SandboxUnavailable: the zygote is gone.
        """
        try:
            ours, theirs, files = _ends(stdin)
        except OSError as error:
            raise SandboxUnavailable(
                "sandbox.child", f"a process could not be made: {error.strerror}; raise `ulimit -n`, or free memory"
            ) from error
        # The first message then tells which process sent it, in numbers of our own PID namespace.
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        ours.settimeout(PATIENCE_S)
        self._count += 1
        child = Child(self._count, limits, stdin, ours, files)
        message = frames.SPAWN.pack(
            frames.MAKE,
            child.number,
            limits.memory_bytes,
            limits.cpu_backstop_s,
            limits.output_bytes,
            limits.folder_bytes,
            limits.folder_inodes,
            limits.open_files,
            limits.threads + _OWN_TASKS,
        )
        try:
            socket.send_fds(self._control, [message], [theirs.fileno(), files[0], child.stdout, child.stderr])
        except OSError as error:
            child.close()
            raise SandboxUnavailable("sandbox.lost", _LOST) from error
        finally:
            theirs.close()
        return child

    def armed(self, child: Child) -> int:
        """The child's process id, once it says that every layer is on. Until then it holds no candidate's code.

        Raises:
            SandboxUnavailable: it did not get there.
        """
        try:
            data, ancillary, _, _ = child.channel.recvmsg(_ANSWER_BYTES, socket.CMSG_SPACE(_CREDENTIALS.size))
        except OSError as error:
            self.close()
            raise SandboxUnavailable("sandbox.child", f"a process was not ready after {PATIENCE_S:.0f} s") from error
        if data != frames.pack(frames.NO_ID, frames.ARMED, b""):
            reason = data[frames.HEADER.size + frames.OVERHEAD :].decode("utf-8", "replace")
            status = self.bury(child).status
            reason = reason or f"it ended with status {status}"
            raise SandboxUnavailable("sandbox.child", f"a process could not be isolated: `{reason}`")
        pid: int = _CREDENTIALS.unpack(ancillary[0][2])[0]
        return pid

    def bury(self, child: Child) -> Ended:
        """How a child ended that is dead or about to be. Until then its process id is nobody else's.

        Raises:
            SandboxUnavailable: it was never made, or the zygote is gone.
        """
        with suppress(OSError):
            self._control.send(frames.SPAWN.pack(frames.BURY, child.number, *[0] * 7))
        while True:
            answer = self._hear()
            if answer[:1] == frames.DEAD:
                _, number, status, user, system, peak, faults = frames.ENDED.unpack(answer)
                if number == child.number:
                    return Ended(status, user + system, peak, faults)
            else:
                _, number, reason = frames.FAILED.unpack(answer)
                if number == child.number:
                    raise SandboxUnavailable("sandbox.fork", f"no process could be made: {os.strerror(reason)}")

    def _hear(self) -> bytes:
        try:
            answer = self._control.recv(_ANSWER_BYTES)
        except OSError:
            answer = b""
        if not answer:
            raise SandboxUnavailable("sandbox.lost", _LOST)
        return answer

    def close(self, patience_s: float = PATIENCE_S) -> None:
        """End the zygote, and with it every child."""
        if self._said < 0:
            return
        self._control.close()
        os.close(self._said)
        self._said = -1
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _ends(stdin: bytes | None) -> tuple[socket.socket, socket.socket, tuple[int, ...]]:
    """Both ends of a channel, and the files for the streams."""
    files: list[int] = []
    ours, theirs = socket.socketpair()
    try:
        files.append(os.open(os.devnull, os.O_RDONLY) if stdin is None else memory_files.sealed(stdin))
        files += (memory_files.empty(name) for name in (("output",) if stdin is None else ("stdout", "stderr")))
    except OSError:
        ours.close()
        theirs.close()
        for descriptor in files:
            os.close(descriptor)
        raise
    return ours, theirs, tuple(files)


def interpreter() -> str:
    """The interpreter itself, outside any virtual environment."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
