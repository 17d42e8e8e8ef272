"""Pipes: constraints as GBNF, the grammar language of llama.cpp.

Every grammar here is finite: numbers, names and repetitions have bounds, so that no model can ramble inside one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from assay.models.base import BareToken, Constraint, OneOf

# Characters that stand for themselves between quotation marks; all others are written as numbers, so that no text of
# an option can end its quotation, begin an escape or add a rule.
_PLAIN: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-.:,()=+/%")

_NUMBER: Final = """\
number ::= "-"? [1-9] [0-9]{0,11} fraction? exponent? | "0" fraction? exponent? | below exponent?
below ::= "-0." "0"{0,11} [1-9] [0-9]{0,14}
fraction ::= "." [0-9]{1,15}
exponent ::= "e" "-"? [1-9] [0-9]{0,2}"""
_RULES: Final = {
    "integer": 'token ::= "0" | "-"? [1-9] [0-9]{0,8}',
    "decimal": f"token ::= number\n{_NUMBER}",
    "boolean": 'token ::= "true" | "false"',
    "category": "token ::= option",
    "identifier": "token ::= prefix [A-Za-z0-9._-]{1,40}",
    "date": (
        "token ::= year month day\n"
        'year ::= [0-9]{4} "-"\n'
        'month ::= ("0" [1-9] | "1" [0-2]) "-"\n'
        'day ::= "0" [1-9] | [12] [0-9] | "3" [01]'
    ),
    "quantity": f'token ::= number " " option\n{_NUMBER}',
    "interval": f'token ::= ("[" | "(") number? ", " number? ("]" | ")")\n{_NUMBER}',
}
_ANY_PREFIX: Final = '[A-Za-z] [A-Za-z0-9._-]{0,31} ":"'
_WITH_UNCERTAINTY: Final = f'token ::= number " \\U000000B1 " number " " option\n{_NUMBER}'


def compile_grammar(constraint: Constraint) -> str:
    """The grammar whose texts are exactly those that keep the constraint, in the bounds above."""
    match constraint:
        case OneOf(options):
            return f"root ::= {_alternatives(options)}\n"
        case BareToken(kind, options, literals, uncertainty):
            rules = ["root ::= token" + (f" | {_alternatives(literals)}" if literals else "")]
            rules.append(_WITH_UNCERTAINTY if uncertainty else _RULES[kind])
            if kind == "identifier":
                known = _alternatives(f"{option}:" for option in options)
                rules.append(f"prefix ::= {known or _ANY_PREFIX}")
            elif options:
                rules.append(f"option ::= {_alternatives(options)}")
            return "\n".join(rules) + "\n"


def _alternatives(texts: Iterable[str]) -> str:
    return " | ".join(_literal(text) for text in dict.fromkeys(texts))


def _literal(text: str) -> str:
    return '"' + "".join(ch if ch in _PLAIN else f"\\U{ord(ch):08X}" for ch in text) + '"'
