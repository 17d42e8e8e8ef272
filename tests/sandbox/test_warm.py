"""The judge's handle of a zygote, against one played by the test: whatever is wrong there is ours, and is said."""

import errno
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.sandbox.base import Limits, SandboxUnavailable
from assay.sandbox.channel import Channel
from assay.sandbox.guest import frames
from assay.sandbox.linux import memory_files
from assay.sandbox.linux.lane import Lane, Talk, Terms
from assay.sandbox.linux.warm import Child, Settings, Warm

SETTINGS = Settings(0, 60_706, "", {"namespaces": True, "landlock": True, "seccomp": True}, sys.executable)


class Played:
    """A zygote that does what the test says: it has the control socket and the channels that are sent to it."""

    def __init__(self) -> None:
        ours, self.control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control.settimeout(5)
        self.process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        self.warm = Warm(SETTINGS, self.process, ours, memory_files.empty("said"))

    def take(self) -> tuple[bytes, int, list[int]]:
        """Return the letter, the number and the descriptors of the next message."""
        message, descriptors, _, _ = socket.recv_fds(self.control, frames.SPAWN.size, 4)
        return message[:1], frames.NUMBER.unpack_from(message, 1)[0], descriptors

    def child(self, says: bytes) -> Child:
        """A child that says this on its channel and is gone."""
        child = self.warm.spawn(Limits(), None)
        _, _, descriptors = self.take()
        os.write(descriptors[0], says)
        for descriptor in descriptors:
            os.close(descriptor)
        return child

    def close(self) -> None:
        self.control.close()
        self.process.communicate(b"\n")
        self.warm.close()


@pytest.fixture
def played() -> Iterator[Played]:
    found = Played()
    yield found
    found.close()


def nothing(_: Channel, __: Talk) -> None:
    """Say nothing."""


def dead(number: int, status: int = 0) -> bytes:
    return frames.ENDED.pack(frames.DEAD, number, status, 0.0, 0.0, 0, 0)


def test_a_child_that_is_armed_tells_its_process(played: Played) -> None:
    child = played.child(frames.pack(frames.NO_ID, frames.ARMED, b""))
    assert played.warm.armed(child) == os.getpid()
    child.close()


def test_a_child_that_could_not_be_isolated_says_why(played: Played) -> None:
    child = played.child(frames.pack(frames.NO_ID, frames.UNABLE, b"call 165: no"))
    played.control.send(dead(child.number))
    with pytest.raises(SandboxUnavailable, match="call 165: no"):
        played.warm.armed(child)
    child.close()


def test_a_child_that_was_never_made_says_why(played: Played) -> None:
    child = played.child(b"")
    played.control.send(frames.FAILED.pack(frames.UNMADE, child.number, errno.EAGAIN))
    with pytest.raises(SandboxUnavailable, match="Resource temporarily unavailable"):
        played.warm.armed(child)
    child.close()


def test_a_child_that_says_nothing_and_dies_is_our_fault(played: Played) -> None:
    child = played.child(b"")
    played.control.send(dead(child.number, 139))
    with pytest.raises(SandboxUnavailable, match="status 139"):
        played.warm.armed(child)
    child.close()


def test_what_is_said_of_other_children_is_not_taken_for_this_one(played: Played) -> None:
    child = played.child(b"")
    for message in (dead(77, 1), frames.FAILED.pack(frames.UNMADE, 78, 1), dead(child.number, 2)):
        played.control.send(message)
    assert played.warm.bury(child).status == 2
    child.close()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("spare", range(4))
@pytest.mark.parametrize("stdin", [None, b"text"])
def test_no_files_left_for_a_child_is_our_fault_and_leaves_none_open(
    played: Played, spare: int, stdin: bytes | None
) -> None:
    before = open_files()
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    # Numbers in use above it do not count: a limit is on new ones.
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + spare, usual[1]))
    try:
        with pytest.raises(SandboxUnavailable, match=r"Too many open files; raise `ulimit -n`"):
            played.warm.spawn(Limits(), stdin)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert open_files() == before


@pytest.mark.parametrize("spare", [0, 2, 3])
def test_no_files_left_for_a_zygote_is_said(spare: int) -> None:
    before = open_files()
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + spare, usual[1]))
    try:
        with pytest.raises(SandboxUnavailable, match="Too many open files") as caught:
            Warm.start(SETTINGS)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert open_files() == before
    assert "name another interpreter" not in str(caught.value)


def test_a_zygote_that_is_gone_is_our_fault(played: Played) -> None:
    child = played.child(b"")
    played.control.close()
    with pytest.raises(SandboxUnavailable, match="open the slot again"):
        played.warm.bury(child)
    with pytest.raises(SandboxUnavailable, match="open the slot again"):
        played.warm.spawn(Limits(), b"")
    child.close()


def test_a_child_that_is_gone_before_its_candidate_came_is_our_fault(played: Played) -> None:
    # Armed by a process that ended: the credentials name nobody.
    child = played.warm.spawn(Limits(), None)
    _, _, descriptors = played.take()
    sender = os.fork()
    if sender == 0:
        os.write(descriptors[0], frames.pack(frames.NO_ID, frames.ARMED, b""))
        os._exit(0)
    os.waitpid(sender, 0)
    for descriptor in descriptors:
        os.close(descriptor)
    lane = Lane(played.warm)
    lane._ahead = child
    with pytest.raises(SandboxUnavailable, match="ready is gone"):
        lane.live(Terms(Limits(), 1.0, 1.0, then=()), nothing)


def test_a_zygote_that_will_not_end_is_killed(played: Played) -> None:
    played.warm.close(patience_s=0.1)
    assert played.process.returncode == -9
