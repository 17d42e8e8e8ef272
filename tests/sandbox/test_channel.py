"""The judge's end against far ends that say anything at all."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from assay.kernel.grade import How
from assay.sandbox.channel import Channel, ChannelEnded, Reply
from assay.sandbox.clocks import Deadline, cpu_seconds, waited_s
from assay.sandbox.guest import frames

Script = Callable[[socket.socket], None]
CAP = 1000


def take(far: socket.socket) -> tuple[bytes, bytes, bytes]:
    return frames.receive(far.fileno())


def talk(script: Script, *, wall_s: float = 5.0, cpu_s: float = 1e9, body: bytes = b"") -> Reply:
    """Return the reply that one request gets from a far end that follows the script and then closes."""
    ours, far = socket.socketpair()

    def play() -> None:
        with far:
            script(far)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        deadline = Deadline.begin(os.getpid(), cpu_s, wall_s)
        return Channel(ours, deadline, CAP).ask(frames.CALL, body, frames.VALUE)
    finally:
        ours.close()
        thread.join()


def honest(far: socket.socket, body: bytes = b"N") -> None:
    ident, _, _ = take(far)
    frames.send(far.fileno(), ident, frames.VALUE, body)


def nothing(_: socket.socket) -> None:
    """Close at once."""


def listen(far: socket.socket) -> None:
    take(far)


def late(far: socket.socket) -> None:
    time.sleep(1.5)  # beyond any grace for a busy machine
    with suppress(OSError, EOFError):
        honest(far)


def drip(far: socket.socket) -> None:
    ident, _, _ = take(far)
    with suppress(OSError):
        for byte in frames.pack(ident, frames.VALUE, b"N" * 20):
            far.send(bytes([byte]))
            time.sleep(0.02)


def test_a_reply_that_repeats_the_id_arrives() -> None:
    assert talk(honest) == Reply(frames.VALUE, b"N")


def test_a_reply_in_pieces_arrives() -> None:
    assert talk(drip) == Reply(frames.VALUE, b"N" * 20)


def test_a_body_at_the_cap_arrives() -> None:
    assert len(talk(lambda far: honest(far, bytes(CAP))).body) == CAP


def test_a_request_larger_than_the_socket_holds_is_sent_whole() -> None:
    size = 2 << 20

    def count(far: socket.socket) -> None:
        ident, _, body = take(far)
        frames.send(far.fileno(), ident, frames.VALUE, str(len(body)).encode())

    assert talk(count, body=bytes(size)).body == str(size).encode()


def answering(*pieces: bytes, echo: bool = True) -> Script:
    """A far end that takes the request and sends `pieces`, in which ID stands for the true id."""

    def script(far: socket.socket) -> None:
        ident, _, _ = take(far)
        far.sendall(b"".join(piece.replace(b"ID", ident) for piece in pieces))

    return script


def before_asked(far: socket.socket) -> None:
    far.sendall(frames.pack(bytes(16), frames.VALUE, b"N"))
    take(far)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(answering(frames.HEADER.pack(18) + bytes(16) + b"vN"), id="another id"),
        pytest.param(answering(frames.HEADER.pack(18) + b"IDxN"), id="a letter that answers nothing asked"),
        pytest.param(answering(frames.HEADER.pack(18) + b"IDvN" + b"more"), id="bytes after the reply"),
        pytest.param(answering((frames.HEADER.pack(18) + b"IDvN") * 2), id="the reply twice"),
        pytest.param(answering(b"\xff\xff\xff\xff"), id="4 GiB announced"),
        pytest.param(answering(frames.HEADER.pack(CAP + 18) + b"IDv"), id="a byte more than the cap announced"),
        pytest.param(answering(frames.HEADER.pack(16) + b"ID"), id="a frame without a letter"),
        pytest.param(answering(frames.HEADER.pack(0)), id="an empty frame"),
        pytest.param(answering(b"\xff" * 5000), id="garbage"),
        pytest.param(before_asked, id="a reply that was sent before its request"),
    ],
)
def test_whatever_else_is_said_is_protocol(script: Script) -> None:
    with pytest.raises(ChannelEnded) as ended:
        talk(script)
    assert ended.value.how is How.PROTOCOL


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(nothing, id="closed without a word"),
        pytest.param(listen, id="closed after the request"),
        pytest.param(answering(frames.HEADER.pack(18) + b"ID"), id="closed within the reply"),
        pytest.param(answering(b"\x12"), id="closed within the length"),
    ],
)
def test_a_far_end_that_closes_has_ended(script: Script) -> None:
    with pytest.raises(ChannelEnded) as ended:
        talk(script)
    assert ended.value.how is How.EXIT


def test_bytes_that_come_do_not_put_the_deadline_off() -> None:
    begin = time.monotonic()
    with pytest.raises(ChannelEnded) as ended:
        talk(drip, wall_s=0.2)
    assert ended.value.how is How.TIMEOUT
    assert time.monotonic() - begin < 2.0


def test_a_far_end_that_does_not_read_meets_the_deadline() -> None:
    with pytest.raises(ChannelEnded) as ended:
        talk(late, wall_s=0.2, body=bytes(4 << 20))
    assert ended.value.how is How.TIMEOUT


def test_cpu_time_is_told_before_wall_time() -> None:
    with pytest.raises(ChannelEnded) as ended:
        talk(drip, wall_s=0.0, cpu_s=0.0)
    assert ended.value.how is How.CPU


def test_a_reply_after_the_deadline_is_none() -> None:
    with pytest.raises(ChannelEnded) as ended:
        talk(late, wall_s=0.1)
    assert ended.value.how is How.TIMEOUT


def silent(leave: bytes) -> bool:
    ours, far = socket.socketpair()
    far.sendall(leave)
    far.close()
    try:
        return Channel(ours, Deadline.begin(os.getpid(), 1e9, 1.0), CAP).silent()
    finally:
        ours.close()


def test_a_dead_far_end_is_silent_only_if_nothing_is_unread() -> None:
    assert silent(b"")
    assert not silent(b"x")


def test_a_byte_out_of_band_is_not_silent() -> None:
    ours, far = socket.socketpair()
    with far:
        far.send(b"x", socket.MSG_OOB)
    assert not Channel(ours, Deadline.begin(os.getpid(), 1e9, 1.0), CAP).silent()
    ours.close()


def test_a_far_end_that_is_still_open_is_not_silent() -> None:
    ours, far = socket.socketpair()
    assert not Channel(ours, Deadline.begin(os.getpid(), 1e9, 1.0), CAP).silent()
    ours.close()
    far.close()


def test_a_far_end_that_died_with_a_request_unread_was_silent() -> None:
    ours, far = socket.socketpair()
    ours.sendall(b"request")
    far.close()
    assert Channel(ours, Deadline.begin(os.getpid(), 1e9, 1.0), CAP).silent()
    ours.close()


def test_the_clock_of_a_process_is_its_own() -> None:
    before = cpu_seconds(os.getpid())
    sum(range(200_000))
    after = cpu_seconds(os.getpid())
    assert before is not None
    assert after is not None
    assert before < after


def test_a_process_that_is_gone_has_no_clock() -> None:
    assert cpu_seconds(2**22 - 1) is None


def begun(*, used_up_in_s: float) -> Deadline:
    used = cpu_seconds(os.getpid()) or 0.0
    deadline = Deadline(os.getpid(), cpu_s=used + used_up_in_s, until=time.monotonic() + 100, cores=2)
    assert deadline.expired() is None
    return deadline


def test_the_judge_sleeps_while_nothing_can_expire() -> None:
    assert 90_000 < begun(used_up_in_s=1e6).wait_ms() <= 100_000
    assert 900 < begun(used_up_in_s=2.0).wait_ms() <= 1000
    assert begun(used_up_in_s=0.002).wait_ms() == 10


def test_who_stands_in_line_for_a_core_is_given_the_time_back() -> None:
    core = min(os.sched_getaffinity(0))
    program = f"import os; os.sched_setaffinity(0, [{core}])\nwhile True: pass"
    both = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    try:
        late = time.monotonic() + 60
        while time.monotonic() < late and waited_s(both[0].pid) < 0.5:
            time.sleep(0.05)
        waited, now = waited_s(both[0].pid), time.monotonic()
        assert waited >= 0.5
        assert Deadline(both[0].pid, 1e9, now - waited + 0.1, 2).expired() is How.TIMEOUT
        assert Deadline(both[0].pid, 1e9, now - waited + 0.1, 2, patience_s=100).expired() is None
        assert Deadline(both[0].pid, 1e9, now - waited, 2, patience_s=waited / 2).expired() is How.TIMEOUT
        assert Deadline(both[0].pid, 1e9, now - 1000, 2, patience_s=100).expired() is How.TIMEOUT
    finally:
        for one in both:
            one.kill()
            one.wait()
    assert waited_s(both[0].pid) == 0.0


def several(script: Script, bodies: list[bytes]) -> list[Reply]:
    """Return the replies that requests get that are sent without waiting."""
    ours, far = socket.socketpair()

    def play() -> None:
        with far, suppress(OSError, EOFError):
            script(far)

    thread = threading.Thread(target=play)
    thread.start()
    found: list[Reply] = []
    try:
        channel = Channel(ours, Deadline.begin(os.getpid(), 1e9, 20.0), 1 << 20)
        found.extend(channel.ask_all(frames.CALL, bodies, frames.VALUE))
    except ChannelEnded as ended:
        ended.add_note(str(len(found)))
        raise
    finally:
        ours.close()
        thread.join()
    return found


def echo(far: socket.socket) -> None:
    for ident, _, body in frames.requests(far.fileno()):
        frames.send(far.fileno(), ident, frames.VALUE, body)


@pytest.mark.parametrize("sizes", [[0], [0, 1, 2], [5] * 2000, [300_000] * 20, [1 << 20, 0, 1 << 20]])
def test_calls_sent_ahead_are_answered_in_order(sizes: list[int]) -> None:
    # More than both sockets hold: neither side may wait for the other to read.
    bodies = [bytes([number % 251]) * size for number, size in enumerate(sizes)]
    assert [reply.body for reply in several(echo, bodies)] == bodies


def test_no_request_has_no_reply() -> None:
    assert several(echo, []) == []


def swapped(far: socket.socket) -> None:
    asked = frames.requests(far.fileno())
    first, second = next(asked), next(asked)
    for ident, _, body in (second, first):
        frames.send(far.fileno(), ident, frames.VALUE, body)


def once_more(far: socket.socket) -> None:
    for ident, _, body in frames.requests(far.fileno()):
        far.sendall(frames.pack(ident, frames.VALUE, body) + frames.pack(ident, frames.VALUE, body))


def answers_one_and_leaves(far: socket.socket) -> None:
    ident, _, body = frames.receive(far.fileno())
    frames.send(far.fileno(), ident, frames.VALUE, body)


@pytest.mark.parametrize(
    ("script", "how", "answered"),
    [
        (swapped, How.PROTOCOL, 0),
        (once_more, How.PROTOCOL, 1),
        (answers_one_and_leaves, How.EXIT, 1),
        (listen, How.EXIT, 0),
    ],
)
def test_calls_sent_ahead_end_where_the_far_end_goes_wrong(script: Script, how: How, answered: int) -> None:
    for bodies in ([b"a", b"b", b"c"], [b"a" * 400_000] * 3):
        with pytest.raises(ChannelEnded) as found:
            several(script, bodies)
        assert (found.value.how, found.value.__notes__) == (how, [str(answered)])
