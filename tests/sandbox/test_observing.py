"""Replies as observations: what is in no known form is `protocol`, and what a person sees is printable."""

import pytest

from assay.kernel.grade import How
from assay.sandbox.base import NotAValue, Raised, Returned, TooLarge
from assay.sandbox.channel import ChannelEnded, Reply
from assay.sandbox.guest import frames
from assay.sandbox.linux.observing import exception_of, load_ending, observe


def test_replies_become_observations() -> None:
    assert observe(2, Reply(frames.VALUE, b"anything at all")) == Returned(2, b"anything at all")
    assert observe(2, Reply(frames.NOT_A_VALUE, b"Thing")) == NotAValue(2, "Thing")
    assert observe(2, Reply(frames.TOO_LARGE, b"1 MiB")) == TooLarge(2, "1 MiB")
    assert observe(2, Reply(frames.RAISED, b"KeyError,LookupError;12;E\0no k\x1b")) == Raised(
        2, ("KeyError", "LookupError"), "E", 12, "no k�"
    )
    assert observe(2, Reply(frames.RAISED, b";;E")) == Raised(2, (), "E")


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"KeyError", id="no separator"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"Passed;;E", id="an exception that is not built in"),
        pytest.param(b"KeyError,;;E", id="an empty name"),
        pytest.param(b"\xff\xfe;;E", id="no ASCII"),
        pytest.param(b"KeyError," * 1000 + b"KeyError;;E", id="a long list"),
        pytest.param(b"KeyError;;" + b"E" * 5000, id="a long name"),
        pytest.param(b"KeyError;;E\0" + b"t" * 5000, id="a long text"),
        pytest.param(b"KeyError;E", id="no line"),
        pytest.param(b"KeyError;-1;E", id="a line that is none"),
        pytest.param(b"KeyError;" + b"1" * 5000 + b";E", id="a long line"),
    ],
)
def test_an_exception_in_another_form_is_protocol(body: bytes) -> None:
    with pytest.raises(ChannelEnded) as ended:
        exception_of(body)
    assert ended.value.how is How.PROTOCOL


def test_a_long_type_name_is_protocol() -> None:
    with pytest.raises(ChannelEnded):
        observe(0, Reply(frames.NOT_A_VALUE, b"E" * 5000))


def test_what_a_person_sees_moves_no_cursor() -> None:
    assert observe(0, Reply(frames.NOT_A_VALUE, b"a\x1b[2Jb\xff")) == NotAValue(0, "a�[2Jb�")


@pytest.mark.parametrize(
    ("reply", "how"),
    [
        pytest.param(Reply(frames.LOADED, b""), None, id="loaded"),
        pytest.param(Reply(frames.MISSING, b""), How.ENTRY_POINT_MISSING, id="missing"),
        pytest.param(Reply(frames.NOT_CALLABLE, b"int"), How.ENTRY_POINT_NOT_CALLABLE, id="not callable"),
        pytest.param(Reply(frames.LOAD_ERROR, b"NameError,Exception;;NameError"), How.LOAD_ERROR, id="raised"),
        pytest.param(Reply(frames.LOAD_ERROR, b"MemoryError,Exception;;MemoryError"), How.MEMORY, id="no memory"),
    ],
)
def test_how_loading_ends_a_run(reply: Reply, how: How | None) -> None:
    ended = load_ending(reply, "f")
    assert (ended.how if ended else None) is how
