"""The guest's loop, run beside the test instead of beside a candidate: what it answers and what it never asks."""

import builtins
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from assay.sandbox.guest import calls, frames, zygote
from assay.suite import guestcodec

CODEC = cast("calls.Codec", guestcodec)


@pytest.fixture(autouse=True)
def _no_candidate_stays() -> Iterator[None]:
    yield
    sys.modules.pop(calls.MODULE, None)


def load(source: str, entry_point: str = "f") -> tuple[bytes, bytes, Any]:
    name = entry_point.encode()
    return calls.answer_load(frames.NAME.pack(len(name)) + name + source.encode(), calls.fresh(calls.MODULE))


def call(source: str, *arguments: object, word: str = "value", **keywords: object) -> tuple[bytes, bytes]:
    """Return the letter and body that the loop answers to one call of `f`."""
    kind, _, function = load(source)
    assert kind == frames.LOADED
    return calls.answer_call(guestcodec.encode((arguments, keywords, word)), function, CODEC)


@pytest.mark.parametrize(
    ("source", "kind", "body"),
    [
        pytest.param("def f(): pass", frames.LOADED, b"", id="a function"),
        pytest.param("f = len", frames.LOADED, b"", id="a built-in that the module binds"),
        pytest.param("class f: pass", frames.LOADED, b"", id="a class"),
        pytest.param("", frames.MISSING, b"", id="nothing"),
        pytest.param("g = 1", frames.MISSING, b"", id="another name"),
        pytest.param("f = 3", frames.NOT_CALLABLE, b"int", id="a number"),
        pytest.param(
            "f = 1 +",
            frames.LOAD_ERROR,
            b"SyntaxError,Exception,BaseException;1;SyntaxError\0invalid syntax",
            id="no Python",
        ),
        pytest.param(
            "def f(): pass\n1 / 0",
            frames.LOAD_ERROR,
            b"ZeroDivisionError,ArithmeticError,Exception,BaseException;2;ZeroDivisionError\0division by zero",
            id="an exception after the entry point was defined",
        ),
        pytest.param(
            "exit_ = SystemExit\nraise exit_", frames.LOAD_ERROR, b"SystemExit,BaseException;2;SystemExit\0", id="exit"
        ),
    ],
)
def test_what_loading_says(source: str, kind: bytes, body: bytes) -> None:
    assert load(source)[:2] == (kind, body)


def test_a_null_byte_is_a_load_error() -> None:
    assert load("f = 1\0")[0] == frames.LOAD_ERROR


def test_a_built_in_is_no_entry_point_unless_the_module_binds_it() -> None:
    assert load("", "len")[0] == frames.MISSING


def test_source_bytes_keep_their_declared_encoding() -> None:
    source = "# -*- coding: latin-1 -*-\ndef f(): return 'é'".encode("latin-1")
    kind, _, function = calls.answer_load(frames.NAME.pack(1) + b"f" + source, calls.fresh(calls.MODULE))
    assert kind == frames.LOADED
    assert function is not None
    assert function() == "é"


def test_a_candidate_is_a_real_module() -> None:
    source = (
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "@dataclass\n"
        "class f:\n    x: list[int]\n"
    )
    assert load(source)[0] == frames.LOADED
    assert sys.modules[calls.MODULE].f is not None


@pytest.mark.parametrize(
    ("source", "kind", "body"),
    [
        pytest.param("f = lambda: 3", frames.VALUE, b"i3;", id="a value"),
        pytest.param(
            "f = lambda: 10 ** 1000000", frames.TOO_LARGE, b"an integer of more than 16,384 bits", id="too large"
        ),
        pytest.param("f = lambda: object()", frames.NOT_A_VALUE, b"object", id="no value"),
        pytest.param(
            "class E(ValueError): pass\ndef f(): raise E",
            frames.RAISED,
            b"ValueError,Exception,BaseException;2;E\0",
            id="an exception of one's own",
        ),
        pytest.param(
            "class ValueError(Exception): pass\ndef f(): raise ValueError",
            frames.RAISED,
            b"Exception,BaseException;2;ValueError\0",
            id="a class that only calls itself so",
        ),
        pytest.param(
            "def f(): raise SystemExit(0)", frames.RAISED, b"SystemExit,BaseException;1;SystemExit\0", id="exit"
        ),
        pytest.param(
            "def f(): raise KeyboardInterrupt",
            frames.RAISED,
            b"KeyboardInterrupt,BaseException;1;KeyboardInterrupt\0",
            id="interrupt",
        ),
    ],
)
def test_what_a_call_says(source: str, kind: bytes, body: bytes) -> None:
    assert call(source) == (kind, body)


def test_arguments_keywords_and_projection_arrive() -> None:
    assert call("def f(a, *, b): return a + b", 1, b=2) == (frames.VALUE, b"i3;")
    assert call("def f(xs): xs.append(1)", [], word="args") == (frames.VALUE, guestcodec.encode(([1],)))


@pytest.mark.parametrize(
    ("raising", "said"),
    [
        ("raise KeyError('a')", b"1;KeyError\0a"),
        ("raise OSError(2, 'No such file')", b"1;FileNotFoundError\0No such file"),
        ("raise ValueError(object())", b"1;ValueError\0"),
        ("raise ValueError(1.5)", b"1;ValueError\x001.5"),
        ("raise ValueError('x' * 5000)", b"1;ValueError\0" + b"x" * 200),
        ("raise ValueError('\\ud800')", b"1;ValueError\0?"),
        ("exec('1 +')", b"1;SyntaxError\0invalid syntax"),
        ("exec('\\n\\nf(1')", b"3;SyntaxError\0'(' was never closed"),
        ("e = SyntaxError('m'); e.lineno = 'l'; raise e", b"0;SyntaxError\0m"),
        ("e = SyntaxError('m'); e.lineno = 10 ** 5000; raise e", b"0;SyntaxError\0m"),
        ("sorted([1, ''])", b"1;TypeError\0'<' not supported between instances of 'str' and 'int'"),
    ],
)
def test_an_exception_says_its_line_and_what_is_plain(raising: str, said: bytes) -> None:
    kind, body = call(f"def f(): {raising}")
    assert (kind, body.partition(b";")[2]) == (frames.RAISED, said)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (b"# caf\xe9\ndef f(): pass", frames.LOAD_ERROR),
        (b"def f(): return 'caf\xe9'", frames.LOAD_ERROR),
        (b"# caf\xc3\xa9\ndef f(): pass", frames.LOADED),
        (b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n# caf\xe9\ndef f(): pass", frames.LOADED),
        (b"\n# -*- coding: latin-1 -*-\n# caf\xe9\ndef f(): pass", frames.LOADED),
        (b"x = 1\n# -*- coding: latin-1 -*-\n# caf\xe9\ndef f(): pass", frames.LOAD_ERROR),
        (b"# the encoding is unknown\n# caf\xe9\ndef f(): pass", frames.LOAD_ERROR),
        (b"\n\n# -*- coding: latin-1 -*-\n# caf\xe9\ndef f(): pass", frames.LOAD_ERROR),
        (b"# coding: nonsense\n# caf\xe9\ndef f(): pass", frames.LOAD_ERROR),
    ],
)
def test_what_python_would_not_read_as_a_file_does_not_load(source: bytes, kind: bytes, tmp_path: Path) -> None:
    found, _, _ = calls.answer_load(frames.NAME.pack(1) + b"f" + source, calls.fresh(calls.MODULE))
    assert found == kind
    (tmp_path / "c.py").write_bytes(source)
    assert (subprocess.run([sys.executable, tmp_path / "c.py"], check=False, capture_output=True).returncode == 0) == (
        kind == frames.LOADED
    )


def test_the_text_of_an_exception_is_never_asked_for() -> None:
    asked: list[str] = []
    source = (
        "class E(Exception):\n"
        "    def __str__(self): f.asked.append('str'); return ''\n"
        "    def __repr__(self): f.asked.append('repr'); return ''\n"
        "def f(): raise E\n"
    )
    _, _, function = load(source)
    function.asked = asked
    calls.answer_call(guestcodec.encode(((), {}, "value")), function, CODEC)
    assert asked == []


def test_a_metaclass_cannot_answer_for_a_class() -> None:
    source = (
        "class M(type):\n"
        "    __name__ = property(lambda cls: 'ValueError')\n"
        "    __mro__ = property(lambda cls: (ValueError, Exception))\n"
        "class E(Exception, metaclass=M): pass\n"
        "def f(): raise E\n"
    )
    assert call(source) == (frames.RAISED, b"Exception,BaseException;5;E\0")


def test_a_long_name_is_cut() -> None:
    _, body = call("def f(): raise type('E' * 10 ** 6, (Exception,), {})")
    assert len(body) < 200


def test_the_loop_does_not_use_the_built_ins_that_a_candidate_can_change() -> None:
    # Not as a candidate would, since this process needs its own: the loop's functions see a copy.
    functions: tuple[Any, ...] = (frames.send, frames.receive, calls.answer_call, calls.raised)
    for function in functions:
        assert function.__builtins__ is frames.PRIVATE
    assert frames.PRIVATE is not vars(builtins)


def serve(*requests: tuple[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """Return what the loop answers to a load request and those that follow, each under an id of its own."""
    ours, theirs = socket.socketpair()
    module = calls.fresh(calls.MODULE)

    def run() -> None:
        with theirs:
            calls.serve(theirs.fileno(), bytes(16), frames.NAME.pack(1) + b"f" + b"f = lambda: 1", module, CODEC)

    thread = threading.Thread(target=run)
    thread.start()
    answers = []
    with ours:
        assert frames.receive(ours.fileno()) == (bytes(16), frames.LOADED, b"")
        for number, (kind, body) in enumerate(requests):
            ident = bytes([number]) * 16
            frames.send(ours.fileno(), ident, kind, body)
            echoed, said, answer = frames.receive(ours.fileno())
            assert echoed == ident
            answers.append((said, answer))
        with pytest.raises(EOFError):
            frames.receive(ours.fileno())
    thread.join()
    return answers


def test_the_loop_answers_until_it_is_closed() -> None:
    request = guestcodec.encode(((), {}, "value"))
    answers = serve((frames.CALL, request), (frames.CALL, request), (frames.CLOSE, b""))
    assert answers == [(frames.VALUE, b"i1;"), (frames.VALUE, b"i1;"), (frames.CLOSED, b"")]


def test_nothing_of_ours_is_loaded_from_outside_the_standard_library() -> None:
    program = "import sys; sys.path.insert(0, sys.argv[1]); import assay.sandbox.guest.zygote; print(*sys.modules)"
    source = str(Path(zygote.__file__).parents[3])
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, source], capture_output=True, text=True, check=True
    )
    loaded = run.stdout.split()
    assert {name.partition(".")[0] for name in loaded} <= sys.stdlib_module_names | {"assay", "__main__"}
    ours = {name for name in loaded if name.startswith("assay.")}
    assert {name for name in ours if not name.startswith("assay.sandbox.guest")} == {"assay.sandbox"}


def test_a_frame_larger_than_a_socket_holds_arrives_whole() -> None:
    ours, theirs = socket.socketpair()
    body = bytes(3 << 20)
    thread = threading.Thread(target=frames.send, args=(theirs.fileno(), bytes(16), frames.VALUE, body))
    thread.start()
    assert frames.receive(ours.fileno()) == (bytes(16), frames.VALUE, body)
    thread.join()
    ours.close()
    theirs.close()
