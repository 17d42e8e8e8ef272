"""Pipes: regular expressions that a pack or a recipe names: compiled, or refused in words."""

from __future__ import annotations

import re
import warnings


def pattern_fault(pattern: str | bytes) -> str:
    """Why the text is no regular expression; empty where it is one. Nothing is matched."""
    try:
        with warnings.catch_warnings():
            # What a later Python may read otherwise is not for whoever opens the pack.
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, ValueError) as error:
        return str(error)
    except OverflowError:
        return "a repetition is too large"
    except RecursionError:
        return "it is nested too deeply"
    return ""
