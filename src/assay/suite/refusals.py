"""Library: every way a suite is refused, one table: a stable code and what to do (spec/suite.md §7)."""

from __future__ import annotations

from typing import Final

from assay.kernel.errors import InputError


class InvalidSuite(InputError):
    """A suite that cannot be used; `code` is a key of REFUSALS."""


class InvalidLiteral(InvalidSuite):
    """A text that is no literal."""


REFUSALS: Final = {
    "suite.too_long": "split the suite",
    "suite.encoding": "save it as UTF-8",
    "suite.depth": "write values as literal text, not as nested JSON",
    "suite.json": "write one JSON object",
    "suite.duplicate_key": "keep one of the two",
    "suite.surrogate": "write whole characters",
    "suite.raw_code": "a suite is data; `assay suite from-asserts` turns assert statements into one",
    "suite.shape": "see spec/suite.md §2",
    "suite.version": "write `assay.suite/1`",
    "suite.dialect": "write `python-call/1` or `stdin-stdout/1`",
    "suite.unknown_key": "remove it; see spec/suite.md §2 for the keys",
    "suite.missing": "add it; see spec/suite.md §2",
    "suite.type": "see spec/suite.md §2 for the types",
    "suite.word": "write 1 to 128 printable characters",
    "suite.empty": "write at least one case: a suite without cases would pass anything",
    "suite.too_many_cases": "at most 2,000 cases are admitted",
    "suite.entry_point": "write a plain name: ASCII letters, digits, `_`; no keyword, no two leading underscores",
    "suite.entry_point_builtin": "name the task's function; a built-in's name counts only where the task declares it",
    "suite.entry_point_mismatch": "the entry point belongs to the task: write the task's; a program has none",
    "suite.entry_point_unbound": "give the task (`--task`) or the name of its function (`--entry-point`)",
    "suite.preamble": "write imports, plain functions and constants alone: nothing in it may run by itself",
    "suite.equality": "write a name of spec/suite.md §4 that the dialect has, and none beside `raises`",
    "suite.tolerance": 'write `abs`, `rel` or both, each a decimal that is not negative, as text: `"1e-6"`',
    "suite.projection": "write one of truth, found, is_none, type_name, length, and only beside `returns`",
    "suite.expectation": "give each case one of `returns`, `raises`, `args_after` alone; of a program 1 to 100 outputs",
    "suite.exception": "name a built-in exception, one of spec/suite.md §8",
    "suite.arguments": "`args` and `args_after` are tuples or lists, `kwargs` a dict with names as keys",
    "suite.nan": "no observation can equal it; use `typed`, under which nan is nan",
    "suite.gauge": "add a case that tells them apart, or correct the reference or the stub",
    "bank.json": "write one JSON object a line, packed with gzip or plain",
    "bank.shape": "see spec/suite.md §9 for the form of a bank",
    "asserts.too_long": "split the file: at most 1 MiB",
    "asserts.encoding": "save the file as UTF-8",
    "asserts.syntax": "mend it: the file has to be Python that this interpreter can parse",
    "asserts.entry_point": "name the function with `--entry-point`",
    "asserts.nothing": "write assertions of the forms of spec/suite.md §11",
    "literal.syntax": "write a literal: None, True, a number, a text, bytes, (), [], {}, set(), frozenset()",
    "literal.name": "names are no literals; only None, True, False, nan, inf, set(…) and frozenset(…) are read",
    "literal.escape": "use the escapes \\\\ \\' \\\" \\a \\b \\f \\n \\r \\t \\v \\ooo \\xhh \\uhhhh \\Uhhhhhhhh",
    "literal.duplicate": "a set holds a member once, a dict a key once; 1, 1.0 and True are one",
    "literal.unhashable": "a set and a dict's keys hold no list, set or dict",
    "literal.too_deep": "at most 64 brackets deep",
    "literal.too_large": "at most 1 MiB, 100,000 nodes, integers of 16,384 bits",
}


def message(code: str, found: str) -> str:
    """The one line of a refusal: what was found, and what to do."""
    return f"{found}; {REFUSALS[code]}"
