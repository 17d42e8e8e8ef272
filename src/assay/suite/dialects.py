"""Library: the two dialects, their equalities and projections, as literal tables (spec/suite.md §2, §4)."""

from __future__ import annotations

from typing import Final

from assay.kernel import tokens
from assay.kernel.equality import Approx, AsSet, Equality, Likeness, Lines, Multiset, Python, Tokens, Typed
from assay.kernel.errors import InputError
from assay.suite.refusals import InvalidSuite, message

PYTHON_CALL: Final = "python-call/1"
STDIN_STDOUT: Final = "stdin-stdout/1"

EQUALITIES: Final[dict[str, Equality]] = {
    "typed": Typed(),
    "python": Python(),
    "as_set": AsSet(),
    "multiset": Multiset(),
}
LIKENESSES: Final[dict[str, Likeness]] = {"lines": Lines(), "tokens": Tokens()}

PROJECTIONS: Final = ("truth", "found", "is_none", "type_name", "length")
VALUE: Final = "value"  # what a call is asked for where no projection is named
ARGUMENTS: Final = "args"  # the positional arguments after the call


def approx(absolute: str, relative: str, *, same_type: bool) -> Approx:
    """The tolerance of these decimal texts, each in its canonical form.

    Raises:
        InvalidSuite: `suite.tolerance`.
    """
    parts = [tokens.scan(absolute), tokens.scan(relative)]
    texts = [tokens.written(None, part) for part in parts if isinstance(part, tuple)]
    try:
        left, right = (text for text in texts if isinstance(text, str))
        return Approx(left, right, same_type)
    except (InputError, ValueError):
        raise InvalidSuite("suite.tolerance", message("suite.tolerance", "a tolerance is out of its grammar")) from None


def equality_document(equality: Equality | Likeness) -> object:
    """The JSON of an equality: its name, or an object of its name and parameters."""
    if isinstance(equality, Approx):
        return {
            "approx": {"abs": equality.absolute, "rel": equality.relative, "same_type": equality.same_type},
        }
    return next(name for name, known in (*EQUALITIES.items(), *LIKENESSES.items()) if known == equality)
