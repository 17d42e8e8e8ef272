"""What is printed beyond the cap ends a run by `output`, wherever the candidate noticed."""

import pytest

from assay.kernel.grade import Ended, How, Observations
from assay.kernel.grade import Raised as SeenRaised
from assay.kernel.grade import Returned as SeenReturned
from assay.sandbox.base import Ending, Raised, Returned
from assay.sandbox.reading import seen_of

VALUE = Returned(0, b"T")


@pytest.mark.parametrize(
    ("observations", "ending", "seen"),
    [
        ((VALUE, Raised(1, ("OSError", "Exception"), "OSError")), Ending(How.OUTPUT), Ended(How.OUTPUT)),
        ((VALUE, Raised(1, ("BlockingIOError", "OSError"), "BlockingIOError")), Ending(How.OUTPUT), Ended(How.OUTPUT)),
        ((VALUE, Raised(1, ("ValueError",), "")), Ending(How.OUTPUT), SeenRaised(("ValueError",), "")),
        ((VALUE, Raised(1, ("OSError",), "")), Ending(), SeenRaised(("OSError",), "")),
        ((VALUE, Returned(1, b"T")), Ending(How.OUTPUT), SeenReturned(("T", ""))),
    ],
)
def test_an_error_of_writing_at_the_cap_is_output(
    observations: tuple[object, ...], ending: Ending, seen: object
) -> None:
    found = seen_of(observations, ending, 2)  # type: ignore[arg-type]
    assert found == Observations((SeenReturned(("T", "")), seen), ending.how)  # type: ignore[arg-type]
