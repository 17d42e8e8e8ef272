"""Pipes, guest side: the warm interpreter: isolates itself once, then forks for each candidate (docs/adr/0023)."""

# Runs outside the judge's process alone, where no coverage tool is: tests/sandbox tries it from both sides.

from __future__ import annotations

import _sitebuiltins
import builtins
import errno
import fcntl
import gc
import json
import os
import random
import resource
import select
import signal
import socket
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, NoReturn, cast

from assay.sandbox.guest import calls, frames, landlock, programs, root
from assay.sandbox.guest.layers import (
    CHANNEL,
    Bounds,
    Layers,
    Prepared,
    allowed,
    enter_namespaces,
    give_up_root,
    isolate,
)
from assay.sandbox.guest.seccomp import Filter
from assay.sandbox.guest.syscalls import (
    CLONE_NEWIPC,
    CLONE_NEWPID,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    PR_SET_PDEATHSIG,
    one_arena,
    prctl,
    setns,
    unshare,
)

_SETTINGS_BYTES: Final = 150_000
_HIGH: Final = 100  # our own descriptors lie above those that arrive
_UNUSABLE: Final = 98
# Bound before any candidate: one that replaces `os._exit` must not come back into this file.
_exit: Final = os._exit


@dataclass(slots=True)
class Zygote:
    """A zygote that is ready: who it talks to and what its children need."""

    control: socket.socket
    judge: int
    own: int
    ready: Prepared
    seed: int
    codec: calls.Codec
    children: dict[int, tuple[int, int]]

    def serve(self) -> NoReturn:
        """Make children and say how they ended, until the judge is gone."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(self.judge, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd == self.control.fileno():
                    message, descriptors, _, _ = socket.recv_fds(self.control, frames.SPAWN.size, 4)
                    if not message:
                        self.leave()
                    child = self.spawn(message, descriptors)
                    if child is not None:
                        poll.register(child, select.POLLIN)
                elif fd == self.judge:
                    self.leave()
                else:
                    poll.unregister(fd)
                    self.bury(fd)

    def leave(self) -> NoReturn:
        """End, and every child with us."""
        for child in self.children:
            signal.pidfd_send_signal(child, signal.SIGKILL)
        _exit(0)

    def spawn(self, message: bytes, descriptors: list[int]) -> int | None:
        """Fork a child, as the first process of a PID namespace where there are namespaces; return its pidfd."""
        _, number, *bounds = frames.SPAWN.unpack(message)
        try:
            if self.ready.layers.namespaces:
                # Children go where the last unshare pointed; back to our own first, or they would nest.
                setns(self.own, CLONE_NEWPID)
                unshare(CLONE_NEWPID | CLONE_NEWIPC)
            pid = os.fork()
        except OSError as error:
            self.control.send(frames.FAILED.pack(b"F", number, error.errno or errno.EAGAIN))
            pid = -1
        if pid == 0:
            self.become_child(Bounds(*bounds), descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        if pid < 0:
            return None
        child = os.pidfd_open(pid)
        self.children[child] = number, pid
        return child

    def become_child(self, bounds: Bounds, descriptors: list[int]) -> NoReturn:
        """Isolate, say so, and serve the one candidate."""
        channel, stdin, stdout, stderr = descriptors
        try:
            isolate(self.ready, bounds, (channel, stdin, stdout, stderr))
        except BaseException as error:  # noqa: BLE001 - our own code; the judge must hear of it
            frames.send(channel, frames.NO_ID, frames.UNABLE, f"{type(error).__name__}: {error}".encode())
            _exit(_UNUSABLE)
        gc.enable()
        random.seed(self.seed)
        frames.send(CHANNEL, frames.NO_ID, frames.ARMED)
        try:
            ident, kind, body = frames.receive(CHANNEL)
            if kind == frames.LOAD:
                calls.serve(CHANNEL, ident, body, self.codec)
            elif kind == frames.PROGRAM:
                programs.serve(CHANNEL, ident, body)
        finally:
            _exit(0)

    def bury(self, child: int) -> None:
        """Reap a child that ended and report it."""
        number, pid = self.children.pop(child)
        os.close(child)
        _, status, usage = os.wait4(pid, 0)
        seconds = usage.ru_utime, usage.ru_stime
        report = frames.ENDED.pack(b"E", number, status, *seconds, usage.ru_maxrss << 10, usage.ru_minflt)
        self.control.send(report)


def _high(descriptor: int) -> int:
    """The descriptor moved above those that arrive, which become 0 to 3 in a child."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    os.close(descriptor)
    return moved


def _mapped_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as line:  # noqa: PTH123 - as in root.py
        return int(line.read().split()[0]) * resource.getpagesize()


def _codec(source: str) -> calls.Codec:
    module = ModuleType("codec")
    module.__builtins__ = frames.PRIVATE  # type: ignore[attr-defined]
    exec(compile(source, "codec.py", "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - our own source
    return cast("calls.Codec", module)


def _forget_ourselves() -> None:
    """Leave nothing of ours to be imported, and what `site` would have given."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "assay"]:
        del sys.modules[name]
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    sys.argv[:] = sys.orig_argv[:] = [calls.MODULE]
    os.environ.clear()


def _first_process() -> None:
    """Go on as the first process of the PID namespace; this one waits and passes the end on."""
    pid = os.fork()
    if pid:
        os.closerange(0, _HIGH * 2)
        _exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def prepare(control: socket.socket, settings: dict[str, Any]) -> Zygote:
    """Load, isolate, and make what children share."""
    judge = _high(os.pidfd_open(settings["judge"]))
    if os.getppid() != settings["judge"]:
        _exit(_UNUSABLE)
    for name in settings["preload"]:
        __import__(name)
    asked = Layers(**settings["layers"])
    codec = _codec(settings["codec"])
    one_arena()
    readable = root.folders()
    version = landlock.abi()
    if asked.landlock and not version and not asked.namespaces:
        raise OSError(errno.ENOSYS, "landlock: this kernel has none")
    layers = Layers(asked.namespaces, asked.landlock and version > 0, asked.seccomp)
    memory = _mapped_bytes()
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    if layers.namespaces:
        enter_namespaces(settings["uid"], readable)
        _first_process()
    elif os.geteuid() == 0:
        give_up_root(settings["uid"])
        if not os.access(readable[0], os.R_OK | os.X_OK):
            raise PermissionError(errno.EACCES, f"the slot's user cannot read `{readable[0]}`")
    if not layers.namespaces:
        os.chdir("/")
    prctl(PR_SET_DUMPABLE, 0)
    rules = _high(landlock.ruleset(version, allowed(layers, readable))) if layers.landlock else -1
    ready = Prepared(layers, rules, Filter(), memory)
    own = _high(os.pidfd_open(os.getpid()))
    programs.fresh_streams()
    facts = {
        "landlock": version if layers.landlock else 0,
        "memory": memory,
        "uid": os.getuid(),
        "python": sys.version.split()[0],
        "readable": readable,
    }
    _forget_ourselves()
    gc.collect()
    gc.freeze()
    gc.disable()
    control.send(b"R" + json.dumps(facts).encode())
    return Zygote(control, judge, own, ready, settings["seed"], codec, {})


def main(descriptor: int) -> NoReturn:
    """Prepare on the judge's settings, then serve; a step that fails is said in one line."""
    control = socket.socket(fileno=_high(descriptor))
    try:
        zygote = prepare(control, json.loads(control.recv(_SETTINGS_BYTES)))
    except BaseException as error:  # noqa: BLE001 - said to the judge, who decides
        control.send(b"U" + f"{type(error).__name__}: {error}".encode()[:500])
        _exit(_UNUSABLE)
    zygote.serve()
