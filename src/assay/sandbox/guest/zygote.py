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
import posix
import random
import resource
import select
import signal
import socket
import sys
from types import ModuleType
from typing import Any, Final, NoReturn, cast

from assay.sandbox.guest import calls, frames, landlock, programs, root, signals
from assay.sandbox.guest.layers import Layers, allowed, enter_namespaces, give_up_root
from assay.sandbox.guest.seccomp import Filter
from assay.sandbox.guest.steps import CHANNEL, Bounds, Plan, Shared, Step, walk
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
_Leave: Final = SystemExit


class Zygote:  # pragma: no cover
    """A zygote that is ready: who it talks to and what its children need."""

    def __init__(self, control: socket.socket, judge: int, shared: Shared, codec: calls.Codec) -> None:
        self.control = control
        self.judge = judge
        self.shared = shared
        self.codec = codec
        self.own = _high(os.pidfd_open(os.getpid()))
        self.plans: dict[bytes, Plan] = {}
        self.children: dict[int, int] = {}

    def serve(self) -> NoReturn:
        """Make children and bury them, until the judge is gone."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(self.judge, select.POLLIN)
        while True:
            if any(fd == self.judge for fd, _ in poll.poll()):
                self.leave()
            message, descriptors, _, _ = socket.recv_fds(self.control, frames.SPAWN.size, 4)
            if not message:
                self.leave()
            number = frames.NUMBER.unpack_from(message, 1)[0]
            if message[:1] == frames.MAKE:
                self.spawn(number, message[frames.NUMBER.size + 1 :], descriptors)
            else:
                self.bury(number)

    def leave(self) -> NoReturn:
        """End, and every child with us."""
        for pid in self.children.values():
            os.kill(pid, signal.SIGKILL)
        _exit(0)

    def plan(self, bounds: bytes) -> Plan:
        """The steps for children with these bounds; a judge asks for the same ones again and again."""
        found = self.plans.get(bounds)
        if found is None:
            self.plans.clear()
            found = self.plans[bounds] = Plan(self.shared, Bounds(*frames.BOUNDS.unpack(bounds)))
        return found

    def spawn(self, number: int, bounds: bytes, descriptors: list[int]) -> None:
        """Fork a child, as the first process of a PID namespace where there are namespaces."""
        channel, stdin, stdout, stderr = descriptors
        steps = self.plan(bounds).steps(channel, stdin, stdout, stderr)
        try:
            if self.shared.layers.namespaces:
                # Children go where the last unshare pointed; back to our own first, or they would nest.
                setns(self.own, CLONE_NEWPID)
                unshare(CLONE_NEWPID | CLONE_NEWIPC)
            pid = os.fork()
        except OSError as error:
            self.control.send(frames.FAILED.pack(frames.UNMADE, number, error.errno or errno.EAGAIN))
        else:
            if pid == 0:
                become_child(steps, channel, self.codec)
            self.children[number] = pid
        for descriptor in descriptors:
            os.close(descriptor)

    def bury(self, number: int) -> None:
        """Reap a child that is dead or about to be, and report how it ended."""
        _, status, usage = os.wait4(self.children.pop(number), 0)
        seconds = usage.ru_utime, usage.ru_stime
        self.control.send(
            frames.ENDED.pack(frames.DEAD, number, status, *seconds, usage.ru_maxrss << 10, usage.ru_minflt)
        )


def become_child(steps: list[Step], channel: int, codec: calls.Codec) -> NoReturn:  # pragma: no cover
    """Isolate, say so, and serve the one candidate. What is not done here need not be copied for it."""
    try:
        walk(steps)
    except OSError as error:
        # Where the channel has been moved already, and the old number closed, the judge sees the end instead.
        frames.send(channel, frames.NO_ID, frames.UNABLE, str(error).encode())
        _exit(_UNUSABLE)
    ends_itself = False
    try:
        frames.send(CHANNEL, frames.NO_ID, frames.ARMED)
        ident, kind, body = frames.receive(CHANNEL)
        gc.enable()
        dialect = body[:1] if kind == frames.PREAMBLE else kind
        module = calls.fresh(programs.MODULE if dialect == frames.PROGRAM else calls.MODULE)
        if kind == frames.PREAMBLE:
            frames.send(CHANNEL, ident, *calls.answer_preamble(body[1:], module))
            ident, kind, body = frames.receive(CHANNEL)
        if kind == frames.LOAD:
            calls.serve(CHANNEL, ident, body, module, codec)
        elif kind == frames.PROGRAM:
            ends_itself = programs.serve(CHANNEL, ident, body, module)
    finally:
        if not ends_itself:
            _exit(0)
    # Nobody below catches it: the interpreter ends as it does after every program.
    raise _Leave


def _high(descriptor: int) -> int:  # pragma: no cover
    """The descriptor moved above those that arrive, which become 0 to 3 in a child."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    os.close(descriptor)
    return moved


def _mapped_bytes() -> int:  # pragma: no cover
    with open("/proc/self/statm", encoding="ascii") as line:  # noqa: PTH123 - as in root.py
        return int(line.read().split()[0]) * resource.getpagesize()


def _codec(source: str) -> calls.Codec:  # pragma: no cover
    module = ModuleType("codec")
    module.__builtins__ = frames.PRIVATE  # type: ignore[attr-defined]
    exec(compile(source, "codec.py", "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - our own source
    return cast("calls.Codec", module)


def _rehearse(codec: calls.Codec) -> None:  # pragma: no cover
    """Go through what every child does, so that what Python makes at first use is made once, here."""
    for _ in range(20):
        module = calls.fresh(calls.MODULE)
        _, _, function = calls.answer_load(frames.NAME.pack(1) + b"f" + b"def f(x):\n    return [x]\n", module)
        if function is not None:
            calls.answer_call(codec.encode(((1,), {}, "")), function, codec)
    del sys.modules[calls.MODULE]


def _forget_ourselves() -> None:  # pragma: no cover
    """Leave nothing of ours to be imported, and what `site` would have given."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "assay"]:
        del sys.modules[name]
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    os.register_at_fork = posix.register_at_fork
    sys.argv[:] = sys.orig_argv[:] = [calls.MODULE]
    os.environ.clear()


def _first_process() -> None:  # pragma: no cover
    """Go on as the first process of the PID namespace; this one waits and passes the end on."""
    pid = os.fork()
    if pid:
        os.closerange(0, _HIGH * 2)
        _exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def prepare(control: socket.socket, settings: dict[str, Any]) -> Zygote:  # pragma: no cover
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
    zygote = Zygote(control, judge, Shared(layers, rules, Filter(), memory), codec)
    programs.fresh_streams()
    if layers.seccomp:
        signals.end_by_default()
    facts = {
        "landlock": version if layers.landlock else 0,
        "memory": memory,
        "uid": os.getuid(),
        "python": sys.version.split()[0],
        "implementation": sys.implementation.name,
        "readable": readable,
    }
    _rehearse(codec)
    _forget_ourselves()
    programs.spare_what_was_loaded()
    # Every child starts from here: what modules would do to it after a fork is left out (linux/warm.py).
    random.seed(settings["seed"])
    gc.collect()
    gc.freeze()
    gc.disable()
    control.send(b"R" + json.dumps(facts).encode())
    return zygote


def main(descriptor: int) -> NoReturn:  # pragma: no cover
    """Prepare on the judge's settings, then serve; a step that fails is said in one line."""
    control = socket.socket(fileno=_high(descriptor))
    try:
        zygote = prepare(control, json.loads(control.recv(_SETTINGS_BYTES)))
    except BaseException as error:  # noqa: BLE001 - said to the judge, who decides
        control.send(b"U" + f"{type(error).__name__}: {error}".encode()[:500])
        _exit(_UNUSABLE)
    zygote.serve()
