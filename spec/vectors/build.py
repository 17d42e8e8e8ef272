"""Turn the tables of this file into vector lines beside it: `python spec/vectors/build.py`.

Every verdict and code was written by hand from spec/verification.md; no verifier was asked. A row is a raw JSON value, what
must come of it (`ok`, or the code of the refusal) and the reason. `P1` to `P10` in a note name the proposition shown. It is
one file, and long, because it is one table: a row a line.
"""

# ruff: noqa: E501, INP001, PLR0913, PLR0917, T201, UP031 - a table, a row a line, that prints what it wrote

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
LINES: dict[str, list[str]] = {}

Row = tuple[str, str, str]
INTEGER = '{"kind":"integer"}'
CATEGORY = '{"kind":"category","vocabulary":["less","equal","greater"]}'
CURIE = '{"kind":"identifier"}'
UNIPROT = '{"kind":"identifier","prefix":"uniprot"}'
DECIMAL = '{"kind":"decimal"}'
DATE = '{"kind":"date"}'
UNITS = '"units":{"m":{"factor":"1"},"mm":{"factor":"0.001"},"µm":{"factor":"1/1000000"},"μm":{"factor":"1e-6"},"in":{"factor":"0.0254"},"third":{"factor":"1/3"}}'
LENGTH = '{"kind":"quantity",' + UNITS + "}"
KELVIN = '"units":{"K":{"factor":"1"},"degC":{"factor":1,"offset":"273.15"},"degF":{"factor":"5/9","offset":"45967/180"}}'
TEMPERATURE = '{"kind":"quantity",' + KELVIN + "}"
MASS = '{"kind":"quantity","units":{"Da":{"factor":"1"},"kDa":{"factor":"1000"}},"uncertainty":true}'


def text(value: str) -> str:
    """The value as a JSON text; what cannot be seen is escaped."""
    return json.dumps(value, ensure_ascii=not value.isprintable())


def proposed(raw: str) -> str:
    """A VALUE proposal in its plainest form."""
    return f'{{"state":"VALUE","value":{raw}}}'


def established(raw: str) -> str:
    """An established VALUE."""
    return f'{{"state":"VALUE","value":{raw}}}'


def add(file: str, kind: str, state: str, form: str, outcome: str, note: str, name: str = "") -> None:
    """One vector; `form` is the text of the `proposal…` key and its value."""
    lines = LINES.setdefault(file, [])
    fields = [f'"id":{text(name or f"{file}-{len(lines) + 1:03}")}', f'"kind":{kind}', f'"established":{state}', form]
    if outcome == "ok":
        fields.append('"verdict":"ACCEPT"')
    elif outcome == "invalid":
        fields.append('"verdict":"INVALID_VECTOR"')
    else:
        fields.append('"verdict":"REJECT"' + (f',"code":{text(outcome)}' if outcome != "refused" else ""))
    lines.append("{" + ",".join([*fields, f'"note":{text(note)}']) + "}")


def as_text(proposal: str) -> str:
    """The usual form."""
    return f'"proposal":{text(proposal)}'


def as_bytes(proposal: bytes) -> str:
    """Bytes that are no text."""
    return f'"proposal_hex":{text(proposal.hex())}'


def table(file: str, kind: str, raw: str, rows: list[Row]) -> None:
    """Proposals for one established value."""
    for proposal, outcome, note in rows:
        add(file, kind, established(raw), as_text(proposed(proposal)), outcome, note)


def invalid(file: str, rows: list[tuple[str, str, str]]) -> None:
    """Kinds, or established values, that make a vector unusable: (kind, established, note)."""
    for kind, state, note in rows:
        add(file, kind, state, as_text(proposed('"1"')), "invalid", note)


def pairs(file: str, kind: str, rows: list[tuple[str, str, str, str]]) -> None:
    """(established raw value, proposed raw value, outcome, note)."""
    for raw, proposal, outcome, note in rows:
        add(file, kind, established(raw), as_text(proposed(proposal)), outcome, note)


def bad(texts: list[tuple[str, str]], outcome: str) -> list[Row]:
    """Text values that share their fate."""
    return [(text(value), outcome, note) for value, note in texts]


# ------------------------------------------------------------------------------------------------------------- integer

table(
    "integer",
    '{"kind":"integer","label":"residue"}',
    '"142"',
    [
        ('"142"', "ok", "P5: the canonical text; the label is never proposed"),
        ("142", "ok", "P5: a JSON integer"),
        ('" 142 "', "ok", "P9: outer spaces do not change a denotation"),
        ('"\\t142\\t"', "ok", "P9: nor do tabs"),
        (f'"{" " * 200}142"', "ok", "padding goes before the length is measured"),
        ('"\\u0031\\u0034\\u0032"', "ok", "P9: JSON escapes are the reader's matter, not the value's"),
        ("143", "value.not_equal", "P2: a neighbour"),
        ('"141"', "value.not_equal", "P2: a neighbour"),
        ("-142", "value.not_equal", "P2: the sign counts"),
        ("1420", "value.not_equal", "P2: a digit too many"),
        ('"14"', "value.not_equal", "P2: a digit too few"),
        *bad(
            [
                ("142.5", "P8: the paper's break: a coercion drops the fraction and the wrong value passes"),
                ("142.0", "P8: the same break with a fraction of nothing"),
                ("142.9999999999999999", "P8: rounds up as a binary float"),
                ("142.00000000000000000001", "P8: collapses to 142 as a binary float"),
                ("1_42", "P8: Python's int takes it"),
                ("+142", "P8: a second spelling of the sign"),
                ("0142", "P8: octal for some readers, 142 for others"),
                ("１４２", "P8: full-width digits, which Python's int takes"),
                ("١٤٢", "P8: Arabic-Indic digits"),
                ("१४२", "P8: Devanagari digits"),
                ("𝟏𝟒𝟐", "P8: mathematical digits"),
                ("14²", "P8: isdigit says yes, int says no"),
                ("\u00a0142", "P8: a no-break space is not padding"),
                ("142\n", "P8: nor is a newline, which `$` overlooks"),
                ("142\r", "P8: nor a carriage return"),
                ("\u3000142", "P8: nor an ideographic space"),
                ("142\u200b", "P8: nor a zero-width space"),
                ("\ufeff142", "P8: nor a byte-order mark"),
                ("\u2212142", "P8: U+2212 is not the minus of the grammar"),
                ("1.42e2", "P8: the exponent form is for decimals"),
                ("142e0", "P8: even without effect"),
                ("0x8e", "P8: hexadecimal"),
                ("1 42", "P8: inner space"),
                ("142,0", "P8: a decimal comma"),
                ("142 aa", "P8: a unit or label beside the number"),
                ("~142", "P8: a weaker claim"),
                ("142-142", "P8: a range is not its ends"),
                ("", "an empty text"),
                (" ", "nothing but padding"),
                ("-", "a sign alone"),
                ("--142", "two signs"),
                ("-0", "negative zero is not zero"),
                ("00", "zero with a leading zero"),
                ("NaN", "not a number"),
                ("one hundred and forty-two", "words"),
            ],
            "value.grammar",
        ),
        ("142.0", "value.type", "P8: a JSON number with a point invites binary floats"),
        ("142.5", "value.type", "P8: the paper's break as a JSON number"),
        ("1.42e2", "value.type", "P8: a JSON number with an exponent"),
        ("-0", "value.type", "the JSON token -0"),
        ("true", "value.type", "P8: true is not 1"),
        ("null", "value.type", "null is not 0"),
        ("[142]", "value.type", "a list of one is not its member"),
        ("[141,142,143]", "value.type", "a list of guesses"),
        ('{"n":"142"}', "value.type", "an object"),
    ],
)
BIG = "9" * 100
pairs(
    "integer",
    INTEGER,
    [
        ('"0"', '"0"', "ok", "zero has one spelling"),
        ("0", '" 0"', "ok", "P9: JSON zero and a padded text"),
        ('"0"', '"-0"', "value.grammar", "negative zero is malformed, so it is no second zero"),
        ('"0"', "false", "value.type", "P8: false is not 0"),
        ('"0"', '""', "value.grammar", "an empty text is not 0"),
        ('"1"', "true", "value.type", "P8: true is not 1"),
        ('"-5"', "-5", "ok", "a negative JSON integer"),
        ('"-5"', '"5"', "value.not_equal", "P2: the sign is not punctuation"),
        ('"-5"', '"- 5"', "value.grammar", "space after the sign"),
        ('"9007199254740993"', "9007199254740993", "ok", "beyond 2^53, exactly"),
        ('"9007199254740993"', "9007199254740992", "value.not_equal", "P2: equal after a trip through a float"),
        (f'"{BIG}"', f'"{BIG}"', "ok", "P5: a hundred digits are admitted"),
        (f'"{BIG}"', BIG, "ok", "P5: as a JSON integer too"),
        (f'"-{BIG}"', f"-{BIG}", "ok", "the sign is no digit"),
        (f'"{BIG}"', f'"{BIG}9"', "value.too_long", "a hundred and one digits are not"),
        (f'"{BIG}"', f"{BIG}9", "value.too_long", "nor as a JSON integer"),
        (f'"{BIG}"', f"-1{'0' * 100}", "value.too_long", "the first integer below the bound"),
        ('"1"', f'"{"1" * 3000}"', "value.too_long", "P6: thousands of digits cost a look at them, no more"),
        ('"1"', "1" * 3000, "value.too_long", "P6: as a JSON integer"),
        ('"1"', f'"{"1" * 3000}x"', "value.grammar", "P6: long and not of the grammar: the grammar comes first"),
    ],
)
invalid(
    "integer",
    [
        (INTEGER, established('"142.0"'), "the established value has to denote as a proposal would"),
        (INTEGER, established("142.0"), "a JSON number with a point establishes nothing"),
        (INTEGER, established("null"), "null establishes nothing"),
        (INTEGER, established('"1_42"'), "P8 on the side of the evidence"),
        ('{"kind":"integer","labels":"x"}', established('"1"'), "an unknown key"),
        ('{"kind":"integer","label":""}', established('"1"'), "an empty label"),
        ('{"kind":"integer","label":" x"}', established('"1"'), "a padded label"),
        ('{"kind":"integer","label":1}', established('"1"'), "a label that is no text"),
        ('{"kind":"integer","grid":{"decimals":0}}', established('"1"'), "an integer has no grid"),
        ('{"kind":"Integer"}', established('"1"'), "kinds are spelled exactly"),
        ('{"kind":"integer","kind":"integer"}', established('"1"'), "a key twice"),
        ("{}", established('"1"'), "a kind without its name"),
        ('"integer"', established('"1"'), "a kind is an object"),
    ],
)

# ------------------------------------------------------------------------------------------------------------- boolean

table(
    "boolean",
    '{"kind":"boolean"}',
    "true",
    [
        ("true", "ok", "P5: JSON's own word"),
        ("false", "value.not_equal", "P2: the other"),
        *[(raw, "value.type", f"P8: {raw} is not true") for raw in ("1", "1.0", '"true"', '"True"', '"yes"', '"1"')],
        *[(raw, "value.type", "neither word") for raw in ("null", "[]", "{}", '""', "[true]", '{"value":true}')],
    ],
)
table(
    "boolean",
    '{"kind":"boolean"}',
    "false",
    [
        ("false", "ok", "P5: JSON's own word"),
        ("true", "value.not_equal", "P2: the other"),
        *[(raw, "value.type", "falsy is not false") for raw in ("0", '""', "null", "[]", "{}", '"False"', "-0")],
        ("False", "parse.json", "Python's word is no JSON"),
    ],
)
invalid(
    "boolean", [('{"kind":"boolean"}', established('"true"'), "a text establishes no boolean"), ('{"kind":"boolean","label":"x"}', established("true"), "a boolean has no label")]
)

# ------------------------------------------------------------------------------------------------------------ category

table(
    "category",
    CATEGORY,
    '"less"',
    [
        ('"less"', "ok", "P5: a word of the vocabulary"),
        ('" less\\t"', "ok", "P9: padded"),
        ('"l\\u0065ss"', "ok", "P9: escaped"),
        ('"greater"', "value.not_equal", "P2: another word"),
        ('"equal"', "value.not_equal", "P2: another word"),
        *bad(
            [
                ("Less", "case counts"),
                ("LESS", "case counts"),
                ("les", "a prefix of the word"),
                ("lesser", "the word and more"),
                ("less than", "a sentence"),
                ("less or equal", "two words of the vocabulary"),
                ("less\n", "P8: a newline is not padding"),
                ("\u00a0less", "P8: a no-break space is not padding"),
                ("lеss", "a Cyrillic letter in the word"),
                ("ｌｅｓｓ", "full-width letters"),
                ("less\u200b", "a zero-width space"),
                ("", "the empty text is in no vocabulary"),
                ("unknown", "an abstention is a state, not a word"),
                ("x" * 128, "128 characters are not too long"),
            ],
            "value.vocabulary",
        ),
        (text("x" * 129), "value.too_long", "129 characters are"),
        (text(" " * 50 + "x" * 128 + " " * 50), "value.vocabulary", "padding goes before the bound"),
        ("0", "value.type", "an index into the vocabulary"),
        ("true", "value.type", "a boolean"),
        ("null", "value.type", "null"),
        ('["less"]', "value.type", "a list of one"),
        ('{"less":true}', "value.type", "an object"),
    ],
)
UMLAUT = '{"kind":"category","vocabulary":["größer","gro\\u0308ßer","STRASSE","1","true","fi"]}'
pairs(
    "category",
    UMLAUT,
    [
        ('"größer"', '"gr\\u00f6ßer"', "ok", "the same code points, escaped"),
        ('"größer"', '"gro\\u0308ßer"', "value.not_equal", "a composed and a decomposed word are two words"),
        ('"STRASSE"', '"straße"', "value.vocabulary", "nothing is folded"),
        ('"fi"', '"ﬁ"', "value.vocabulary", "nothing is normalised: a ligature is another text"),
        ('"1"', "1", "value.type", "P8: a word of digits is not a number"),
        ('"1"', '"1"', "ok", "a word of digits is a word"),
        ('"true"', "true", "value.type", "P8: a word is not JSON's true"),
    ],
)
invalid(
    "category",
    [
        (CATEGORY, established('"smaller"'), "a word outside the vocabulary"),
        ('{"kind":"category"}', established('"x"'), "no vocabulary"),
        ('{"kind":"category","vocabulary":[]}', established('"x"'), "an empty vocabulary"),
        ('{"kind":"category","vocabulary":["x","x"]}', established('"x"'), "a word twice"),
        ('{"kind":"category","vocabulary":[" x"]}', established('"x"'), "a padded word could never be proposed"),
        ('{"kind":"category","vocabulary":["x\\u0001"]}', established('"x"'), "a control character"),
        ('{"kind":"category","vocabulary":["x\\u0085"]}', established('"x"'), "a control character beyond ASCII"),
        ('{"kind":"category","vocabulary":["\\ud800"]}', established('"x"'), "a lone surrogate"),
        ('{"kind":"category","vocabulary":[""]}', established('"x"'), "an empty word"),
        ('{"kind":"category","vocabulary":[1]}', established('"x"'), "a word that is no text"),
        ('{"kind":"category","vocabulary":"x"}', established('"x"'), "a vocabulary that is no array"),
        (f'{{"kind":"category","vocabulary":["{"x" * 129}"]}}', established('"x"'), "a word of 129 characters"),
    ],
)

# ---------------------------------------------------------------------------------------------------------- identifier

table(
    "identifier",
    UNIPROT,
    '"uniprot:P69905"',
    [
        ('"uniprot:P69905"', "ok", "P5: the CURIE"),
        ('" uniprot:P69905\\t"', "ok", "P9: padded"),
        ('"uniprot:P68871"', "value.not_equal", "P2: the beta chain"),
        ('"uniprot:p69905"', "value.not_equal", "case counts"),
        ('"uniprot:P699O5"', "value.not_equal", "a letter O is no zero; nothing is fuzzy"),
        ('"uniprot:P69905-2"', "value.not_equal", "an isoform is another identifier"),
        ('"uniprot:P69905.2"', "value.not_equal", "so is a version"),
        ('"uniprot:P69905:"', "value.not_equal", "further colons belong to the local part"),
        ('"uniprot:\\"\\\\"', "value.not_equal", "a quotation mark and a backslash are printable ASCII"),
        ('"UniProt:P69905"', "value.prefix", "another prefix, since case counts"),
        ('"uniprotkb:P69905"', "value.prefix", "a longer prefix"),
        ('"chebi:15377"', "value.prefix", "another prefix"),
        ('"https://identifiers.org/uniprot:P69905"', "value.prefix", "an address has the prefix https"),
        *bad(
            [
                ("P69905", "no prefix"),
                (":P69905", "an empty prefix"),
                ("uniprot:", "an empty local part"),
                ("uniprot: P69905", "inner space"),
                ("uniprot :P69905", "inner space"),
                ("uniprot:Р69905", "a Cyrillic letter that looks like P"),
                ("uniprot:P69905\n", "P8: a newline is not padding"),
                ("uniprot:P69905\x7f", "a control character"),
                ("uniprot\u200b:P69905", "a zero-width space"),
                ("1uniprot:P69905", "a prefix begins with a letter"),
                ("sp|P69905|HBA_HUMAN", "a FASTA header"),
                ("", "nothing"),
            ],
            "value.grammar",
        ),
        (text("uniprot:" + "P" * 121), "value.too_long", "129 characters"),
        (text("uniprot:" + "P" * 120), "value.not_equal", "128 characters"),
        (text("é" * 200), "value.too_long", "the bound comes before the grammar"),
        ("69905", "value.type", "a number"),
        ("null", "value.type", "null"),
        ('["uniprot:P69905"]', "value.type", "a list of one"),
        ('{"uniprot":"P69905"}', "value.type", "an object"),
    ],
)
pairs(
    "identifier",
    CURIE,
    [
        ('"a:b"', '"a:b"', "ok", "any prefix where the kind names none"),
        ('"a:b"', '"A:b"', "value.not_equal", "case counts"),
        ('"a.b_c-1:x"', '"a.b_c-1:x"', "ok", "what a prefix may hold"),
        ('"a:b"', '"a/b:c"', "value.grammar", "what it may not"),
        ('"a:~!#"', '"a:~!#"', "ok", "the local part is any printable ASCII"),
    ],
)
invalid(
    "identifier",
    [
        (UNIPROT, established('"chebi:1"'), "an established identifier of another prefix"),
        (UNIPROT, established('"P69905"'), "an established value that is no CURIE"),
        ('{"kind":"identifier","prefix":""}', established('"a:b"'), "an empty prefix"),
        ('{"kind":"identifier","prefix":"uni prot"}', established('"a:b"'), "a prefix with a space"),
        ('{"kind":"identifier","prefix":"uniprot:"}', established('"a:b"'), "the colon is not of the prefix"),
        (f'{{"kind":"identifier","prefix":"{"a" * 127}"}}', established('"a:b"'), "no identifier fits behind it"),
    ],
)

# ---------------------------------------------------------------------------------------------------------------- date

table(
    "date",
    DATE,
    '"2024-02-29"',
    [
        ('"2024-02-29"', "ok", "P5: a leap day"),
        ('" 2024-02-29 "', "ok", "P9: padded"),
        ('"2024-02-28"', "value.not_equal", "P2: the day before"),
        ('"2024-03-01"', "value.not_equal", "P2: the day after"),
        ('"9999-12-31"', "value.not_equal", "the last day"),
        ('"0001-01-01"', "value.not_equal", "the first day"),
        ('"2000-02-29"', "value.not_equal", "a century that divides by 400 has a leap day"),
        *bad(
            [
                ("2023-02-29", "no leap year"),
                ("1900-02-29", "a century without a leap day"),
                ("2024-02-30", "no such day in any year"),
                ("2024-04-31", "April has thirty days"),
                ("2024-06-31", "June has thirty days"),
                ("2024-09-31", "September has thirty days"),
                ("2024-11-31", "November has thirty days"),
                ("2024-01-32", "no month has 32 days"),
                ("2024-00-10", "no month zero"),
                ("2024-13-01", "no thirteenth month"),
                ("2024-01-00", "no day zero"),
                ("0000-01-01", "no year zero"),
                ("10000-01-01", "a fifth digit"),
                ("-2024-02-29", "a signed year"),
                ("2024-2-29", "a month of one digit"),
                ("24-02-29", "a year of two digits"),
                ("20240229", "the basic form of ISO 8601"),
                ("2024-W09-4", "a week date"),
                ("2024-060", "an ordinal date"),
                ("2024-02-29T00:00:00Z", "a time of day"),
                ("2024/02/29", "slashes"),
                ("29.02.2024", "day first"),
                ("Feb 29, 2024", "words"),
                ("2024\u201302\u201329", "en dashes"),
                ("２０２４-02-29", "P8: full-width digits"),
                ("2024-02-29\n", "P8: a newline is not padding"),
                ("2024-02-", "cut off"),
                ("", "nothing"),
            ],
            "value.grammar",
        ),
        (text("2024-02-29" * 13), "value.too_long", "130 characters"),
        ("20240229", "value.type", "a number"),
        ("1709164800", "value.type", "seconds since 1970"),
        ("null", "value.type", "null"),
        ('{"year":2024}', "value.type", "an object"),
    ],
)
invalid("date", [(DATE, established('"2023-02-29"'), "a day that does not exist establishes nothing")])

# ------------------------------------------------------------------------------------------------------------- decimal

table(
    "decimal",
    DECIMAL,
    '"142.35"',
    [
        ('"142.35"', "ok", "P5: as established"),
        ('"142.350"', "ok", "P9: trailing zeros are no claim of precision"),
        ('"1.4235e2"', "ok", "P9: scientific notation"),
        ('"1.4235E+2"', "ok", "P9: a capital E and a plus in the exponent"),
        ('"14235e-2"', "ok", "P9: a whole number and an exponent"),
        ('"0.0014235e0005"', "ok", "P9: leading zeros of the exponent do not count"),
        ('" 142.35\\t"', "ok", "P9: padded"),
        ('"142.36"', "value.not_equal", "P2: a neighbour"),
        ('"142.3500000000000000001"', "value.not_equal", "P2: equal as a binary float, not as a number"),
        ('"142.34999999999999999"', "value.not_equal", "P2: equal as a binary float, not as a number"),
        ('"-142.35"', "value.not_equal", "P2: the sign counts"),
        ('"1.4235e3"', "value.not_equal", "P2: the exponent counts"),
        ("142", "value.not_equal", "a JSON integer is admitted, and is another number"),
        *bad(
            [
                ("142,35", "P8: a decimal comma"),
                ("1,142.35", "P8: grouped digits"),
                ("+142.35", "P8: a plus"),
                ("0142.35", "P8: a leading zero"),
                ("142.", "no digits after the point"),
                (".35", "no digits before the point"),
                ("142.3 5", "inner space"),
                ("142_3.5", "P8: Python's digit separator"),
                ("１４２.35", "P8: full-width digits"),
                ("1.4235e", "an exponent without digits"),
                ("1.4235e2.0", "a fractional exponent"),
                ("1.4235×10²", "P8: typeset"),
                ("1.4235*10^2", "P8: a formula"),
                ("142.35%", "P8: a percentage is another number"),
                ("142.35(5)", "P8: an uncertainty in brackets"),
                ("142.35 Da", "P8: a unit"),
                ("~142.35", "P8: a weaker claim"),
                ("<142.35", "P8: a bound"),
                ("14235/100", "P8: a fraction"),
                ("NaN", "not a number"),
                ("Infinity", "no number"),
                ("-inf", "no number"),
                ("0x1p3", "P8: a hexadecimal float"),
                ("1½", "P8: a vulgar fraction"),
                ("", "nothing"),
            ],
            "value.grammar",
        ),
        ("142.35", "value.type", "P8: a JSON number with a point, even if it looks exact"),
        ("1.4235e2", "value.type", "P8: a JSON number with an exponent"),
        ("-0", "value.type", "the JSON token -0"),
        ("true", "value.type", "a boolean"),
        ("null", "value.type", "null"),
        ('["142.35"]', "value.type", "a list of one"),
        ('{"n":"142.35"}', "value.type", "an object"),
    ],
)
pairs(
    "decimal",
    DECIMAL,
    [
        ('"0"', '"0.000"', "ok", "P9: zero"),
        ('"0"', '"0e7"', "ok", "P9: zero with an exponent"),
        ('"0"', '"0e-400"', "ok", "P9: zero with the smallest exponent"),
        ('"0"', '"-0"', "value.grammar", "negative zero"),
        ('"0"', '"-0.0e5"', "value.grammar", "negative zero in full dress"),
        ('"0"', '"0.0000001"', "value.not_equal", "a relative tolerance fails at zero; there is none"),
        ('"60"', "60", "ok", "a JSON integer"),
        ('"60"', '"6e1"', "ok", "P9: exponent spelling"),
        ('"60"', '"60%"', "value.grammar", "P8: 60 % is 0.6"),
        ('"1e400"', '"1e400"', "ok", "P5: the largest exponent"),
        ('"1e400"', '"10e399"', "ok", "P9: spelled otherwise"),
        ('"1"', '"1e401"', "value.too_long", "an exponent beyond the bound"),
        ('"1"', '"1e-401"', "value.too_long", "an exponent below the bound"),
        ('"1"', '"1e999999999"', "value.too_long", "P6: a gigabyte of digits is never made"),
        ('"1"', '"1e0000000000000000000000000000000"', "ok", "leading zeros of the exponent do not count"),
        ('"1"', '"0e401"', "value.too_long", "the bound holds for zero too"),
        ('"1"', '"-0e401"', "value.too_long", "the bounds come before negative zero"),
        ('"1"', f'"1.{"0" * 100}"', "ok", "a hundred digits after the point"),
        ('"1"', f'"1.{"0" * 101}"', "value.too_long", "a hundred and one"),
        (f'"1{"0" * 99}"', '"1e99"', "ok", "a hundred digits before the point"),
        ('"1"', f'"1{"0" * 100}"', "value.too_long", "a hundred and one"),
        ('"1"', f"1{'0' * 100}", "value.too_long", "as a JSON integer"),
        ('"1e-400"', f'"0.{"0" * 99}1e-300"', "ok", "P9: digits and exponent add up"),
        ('"1.602176634e-19"', '"0.0000000000000000001602176634"', "ok", "P9: plain notation"),
        ('"6.67430"', '"6.6743"', "ok", "P9: the last zero is a claim of precision, not a value"),
        ('"1.20"', '"1.2"', "ok", "P9: scale is not value"),
    ],
)
TWO = '{"kind":"decimal","grid":{"decimals":2}}'
pairs(
    "decimal",
    TWO,
    [
        ('"142.345"', '"142.34"', "ok", "a tie goes to the even neighbour: 4 is even"),
        ('"142.355"', '"142.36"', "ok", "a tie goes to the even neighbour: 6 is even"),
        ('"142.345"', '"142.35"', "value.not_equal", "not away from zero"),
        ('"-142.345"', '"-142.34"', "ok", "the same below zero"),
        ('"142.3450000001"', '"142.35"', "ok", "no tie"),
        ('"0.005"', '"0"', "ok", "a tie towards zero"),
        ('"-0.005"', '"0.00"', "ok", "and no negative zero comes of it"),
        ('"142.35"', '"142.350"', "ok", "P9: trailing zeros are on the grid"),
        ('"142.35"', '"142.351"', "value.off_grid", "a proposal off the grid is refused, not rounded"),
        ('"142.35"', '"142.3500001"', "value.off_grid", "however near"),
        ('"142.35"', '"142.345"', "value.off_grid", "the unrounded established value is off the grid too"),
        ('"142.35"', '"142351e-3"', "value.off_grid", "the grid looks at the number, not at its spelling"),
        ('"142.35"', '"1423500e-4"', "ok", "the grid looks at the number, not at its spelling"),
        ('"100"', "100", "ok", "a whole number is on every grid of decimals"),
        ('"1e300"', '"1e300"', "ok", "large numbers too"),
    ],
)
THREE = '{"kind":"decimal","grid":{"significant":3}}'
pairs(
    "decimal",
    THREE,
    [
        ('"142.35"', '"142"', "ok", "three figures"),
        ('"142.5"', '"142"', "ok", "a tie goes to the even neighbour"),
        ('"143.5"', '"144"', "ok", "a tie goes to the even neighbour"),
        ('"999.5"', '"1e3"', "ok", "rounding makes one more digit before the point"),
        ('"0.00012345"', '"1.23e-4"', "ok", "leading zeros are no figures"),
        ('"123456"', '"123000"', "ok", "trailing zeros are no figures"),
        ('"123456"', '"123456"', "value.off_grid", "six figures"),
        ('"123456"', '"123e3"', "ok", "P9: spelled otherwise"),
        ('"0"', '"0.0"', "ok", "zero is on the grid"),
        ('"1"', '"1.00"', "ok", "zeros at the end are no figures"),
        ('"1"', '"1.001"', "value.off_grid", "four figures"),
        ('"-0.0015"', '"-0.0015"', "ok", "fewer figures than asked"),
        ('"9.995e400"', '"10e400"', "ok", "rounded up to the edge of what can be spelled"),
    ],
)
pairs(
    "decimal",
    '{"kind":"decimal","grid":{"decimals":0}}',
    [
        ('"0.5"', '"0"', "ok", "a tie goes to the even neighbour"),
        ('"1.5"', '"2"', "ok", "a tie goes to the even neighbour"),
        ('"142.35"', "142", "ok", "whole numbers"),
        ('"142.35"', '"142.0"', "ok", "P9: a decimal, so the point is of its grammar"),
        ('"142.35"', '"142.35"', "value.off_grid", "off the grid"),
    ],
)
invalid(
    "decimal",
    [
        ('{"kind":"decimal","grid":{}}', established('"1"'), "an empty grid"),
        ('{"kind":"decimal","grid":null}', established('"1"'), "an absent grid has no key"),
        ('{"kind":"decimal","grid":{"decimals":-1}}', established('"1"'), "below the bound"),
        ('{"kind":"decimal","grid":{"decimals":101}}', established('"1"'), "beyond the bound"),
        ('{"kind":"decimal","grid":{"significant":0}}', established('"1"'), "no figure at all"),
        ('{"kind":"decimal","grid":{"significant":101}}', established('"1"'), "beyond the bound"),
        ('{"kind":"decimal","grid":{"decimals":2.0}}', established('"1"'), "a JSON number with a point"),
        ('{"kind":"decimal","grid":{"decimals":"2"}}', established('"1"'), "a text"),
        ('{"kind":"decimal","grid":{"decimals":true}}', established('"1"'), "true is not 1"),
        ('{"kind":"decimal","grid":{"decimals":2,"significant":3}}', established('"1"'), "two grids"),
        ('{"kind":"decimal","grid":{"decimals":2,"unit":"m"}}', established('"1"'), "a decimal has no unit"),
        ('{"kind":"decimal","grid":{"step":"0.5"}}', established('"1"'), "no such grid"),
        ('{"kind":"decimal","tolerance":"0.1"}', established('"1"'), "there is no tolerance"),
        (DECIMAL, established('"1e401"'), "the bounds hold for evidence too"),
        (DECIMAL, established('"Infinity"'), "no number"),
    ],
)

# ------------------------------------------------------------------------------------------------------------ quantity


def amount(n: str, unit: str, u: str = "") -> str:
    """A raw quantity of texts."""
    return f'{{"n":{text(n)},"unit":{text(unit)}' + (f',"u":{text(u)}' if u else "") + "}"


table(
    "quantity",
    LENGTH,
    amount("9.0", "mm"),
    [
        (amount("9.0", "mm"), "ok", "P5: as established"),
        (amount("0.009", "m"), "ok", "P9: another unit of the kind, converted exactly"),
        (amount("9000", "µm"), "ok", "P9: U+00B5"),
        (amount("9000", "μm"), "ok", "P9: U+03BC is a key of its own with an equal factor"),
        (amount("0.027", "third"), "ok", "P9: a factor that has no finite decimal"),
        (amount(" 9e0\t", "mm"), "ok", "P9: padding around n"),
        ('{"unit":"mm","n":9}', "ok", "P9: the order of keys; a JSON integer"),
        ('{"n":"9","unit":"\\u006dm"}', "ok", "P9: an escaped unit"),
        (amount("9.1", "mm"), "value.not_equal", "P2: a neighbour"),
        (amount("9.0", "m"), "value.not_equal", "P2: the unit counts"),
        (amount("-9.0", "mm"), "value.not_equal", "P2: the sign counts"),
        (amount("0.35433070866", "in"), "value.not_equal", "P2: a conversion cut off is another number"),
        (amount("0.0090000000000000001", "m"), "value.not_equal", "P2: equal as a binary float only"),
        (amount("9.0", "cm"), "value.unit", "a unit that the kind does not name, though it exists"),
        (amount("9.0", "MM"), "value.unit", "case counts"),
        (amount("9.0", " mm"), "value.unit", "padding around a unit is not stripped"),
        (amount("9.0", ""), "value.unit", "no unit"),
        (amount("9.0", "m**9**9**9"), "value.unit", "P6: a unit is looked up, never calculated"),
        (amount("9.0", "m·10^-3"), "value.unit", "a unit is looked up, never calculated"),
        (amount("9,0", "mm"), "value.grammar", "P8: a decimal comma"),
        (amount("+9.0", "mm"), "value.grammar", "P8: a plus"),
        (amount("-0", "mm"), "value.grammar", "negative zero"),
        (amount("1e401", "mm"), "value.too_long", "the bounds of numbers"),
        ('{"n":9.0,"unit":"mm"}', "value.type", "P8: a JSON number with a point"),
        ('{"n":true,"unit":"mm"}', "value.type", "a boolean"),
        ('{"n":null,"unit":"mm"}', "value.type", "null"),
        ('{"n":"9.0","unit":null}', "value.type", "a unit that is no text"),
        ('{"n":"9.0","unit":1}', "value.type", "a unit that is no text"),
        ('{"n":"9.0"}', "value.keys", "the unit is missing"),
        ('{"unit":"mm"}', "value.keys", "the number is missing"),
        ("{}", "value.keys", "both are missing"),
        ('{"n":"9.0","unit":"mm","u":"0.1"}', "value.keys", "an uncertainty that was not asked for"),
        ('{"n":"9.0","unit":"mm","note":"x"}', "value.keys", "a further key"),
        ('{"N":"9.0","unit":"mm"}', "value.keys", "case counts in keys"),
        ('{"n":"9.0","n":"9.0","unit":"mm"}', "parse.duplicate_key", "a key twice, even with one value"),
        ('"9.0 mm"', "value.type", "P8: a number and a unit in one text"),
        ('"9.0"', "value.type", "a bare number"),
        ("9", "value.type", "a bare number"),
        ('["9.0","mm"]', "value.type", "a pair"),
        ("null", "value.type", "null"),
    ],
)
pairs(
    "quantity",
    TEMPERATURE,
    [
        (amount("100", "degC"), amount("373.15", "K"), "ok", "P9: an offset"),
        (amount("100", "degC"), amount("212", "degF"), "ok", "P9: a factor and an offset"),
        (amount("-40", "degF"), amount("-40", "degC"), "ok", "P9: where the scales meet"),
        (amount("-40", "degF"), amount("-40.000000000000064", "degC"), "value.not_equal", "P2: a float's conversion"),
        (amount("0", "K"), amount("-273.15", "degC"), "ok", "P9: zero of one scale"),
        (amount("0", "K"), amount("0", "degC"), "value.not_equal", "P2: zero is not zero"),
        (amount("100", "degC"), amount("100", "degF"), "value.not_equal", "P2: the first number alone says nothing"),
        (amount("100", "degC"), amount("100", "C"), "value.unit", "a bare C could be coulomb"),
    ],
)
TENTHS = '{"kind":"quantity",' + UNITS + ',"grid":{"decimals":1,"unit":"mm"}}'
pairs(
    "quantity",
    TENTHS,
    [
        (amount("9.04", "mm"), amount("9.0", "mm"), "ok", "the established value is put on the grid"),
        (amount("9.05", "mm"), amount("9.0", "mm"), "ok", "a tie goes to the even neighbour"),
        (amount("9.15", "mm"), amount("9.2", "mm"), "ok", "a tie goes to the even neighbour"),
        (amount("0.00915", "m"), amount("0.0092", "m"), "ok", "the grid is in its unit, the evidence need not be"),
        (amount("9.0", "mm"), amount("0.009", "m"), "ok", "a proposal in another unit, on the grid of the grid's unit"),
        (amount("9.0", "mm"), amount("0.00901", "m"), "value.off_grid", "off the grid in the grid's unit"),
        (amount("9.0", "mm"), amount("9.01", "mm"), "value.off_grid", "off the grid"),
        (amount("25.4", "mm"), amount("1", "in"), "ok", "an inch lies on the grid"),
        (amount("25.4", "mm"), amount("0.5", "in"), "value.not_equal", "half an inch does too"),
        (amount("25.4", "mm"), amount("0.05", "in"), "value.off_grid", "a twentieth does not"),
        (amount("1", "third"), amount("0.3333", "m"), "ok", "333.33… mm is put on the grid"),
        (amount("1", "third"), amount("1", "third"), "value.off_grid", "and is itself off it"),
    ],
)
FIGURES = '{"kind":"quantity",' + KELVIN + ',"grid":{"significant":3,"unit":"degC"}}'
pairs(
    "quantity",
    FIGURES,
    [
        (amount("373.15", "K"), amount("100", "degC"), "ok", "figures are counted in the grid's unit"),
        (amount("373.15", "K"), amount("373.15", "K"), "ok", "five figures in another unit are three in the grid's"),
        (amount("373.154", "K"), amount("373.15", "K"), "ok", "100.004 rounds to 100"),
        (amount("373.15", "K"), amount("373.154", "K"), "value.off_grid", "100.004 has six figures"),
        (amount("273.15", "K"), amount("0", "degC"), "ok", "zero is on the grid"),
        (amount("273.15", "K"), amount("32", "degF"), "ok", "zero, spelled in another unit"),
        (amount("33", "degF"), amount("0.556", "degC"), "ok", "five ninths, put on the grid"),
        (amount("33", "degF"), amount("33", "degF"), "value.off_grid", "five ninths has no end"),
    ],
)
pairs(
    "quantity",
    MASS,
    [
        (amount("15.1", "kDa", "0.05"), amount("15.1", "kDa", "0.05"), "ok", "P5: with its uncertainty"),
        (amount("15.1", "kDa", "0.05"), amount("15100", "Da", "50"), "ok", "P9: both convert"),
        (amount("15.1", "kDa", "0.05"), amount("15.1", "kDa", "0.050"), "ok", "P9: trailing zeros"),
        (amount("15.1", "kDa", "0.05"), amount("15.1", "kDa", "0.06"), "value.not_equal", "P2: the uncertainty counts"),
        (amount("15.1", "kDa", "0.05"), amount("15.12", "kDa", "0.05"), "value.not_equal", "P2: inside it is not it"),
        (amount("15.1", "kDa", "0.05"), amount("15.1", "kDa"), "value.keys", "the uncertainty was asked for"),
        (amount("15.1", "kDa", "0.05"), amount("15.1", "kDa", "-0.05"), "value.negative_uncertainty", "below zero"),
        (amount("15.1", "kDa", "0.05"), amount("15.1", "kDa", "-0"), "value.grammar", "negative zero"),
        (amount("15.1", "kDa", "0.05"), amount("15.1", "kDa", "5%"), "value.grammar", "relative"),
        (amount("15.1", "kDa", "0.05"), amount("15.1(5)", "kDa", "0.05"), "value.grammar", "in brackets"),
        (amount("15.1", "kDa", "0"), amount("15.1", "kDa", "0.0"), "ok", "an exact value has the uncertainty zero"),
        (amount("15.1", "kDa", "0.05"), '{"n":"15.1","unit":"kDa","u":null}', "value.type", "null is none, not zero"),
    ],
)
pairs(
    "quantity",
    '{"kind":"quantity",' + KELVIN + ',"uncertainty":true}',
    [
        (amount("100", "degC", "1"), amount("373.15", "K", "1"), "ok", "an uncertainty has no offset"),
        (amount("100", "degC", "5"), amount("212", "degF", "9"), "ok", "it converts by the factor alone"),
        (amount("100", "degC", "1"), amount("373.15", "K", "274.15"), "value.not_equal", "P2: an offset on it is wrong"),
    ],
)
NINES = "9" * 60
invalid(
    "quantity",
    [
        ('{"kind":"quantity"}', established(amount("1", "m")), "no units"),
        ('{"kind":"quantity","units":{}}', established(amount("1", "m")), "no unit"),
        ('{"kind":"quantity","units":{"m":{}}}', established(amount("1", "m")), "a unit without a factor"),
        ('{"kind":"quantity","units":{"m":"1"}}', established(amount("1", "m")), "a unit is an object"),
        ('{"kind":"quantity","units":{"m":{"factor":"0"}}}', established(amount("1", "m")), "a factor of zero"),
        ('{"kind":"quantity","units":{"m":{"factor":"-1"}}}', established(amount("1", "m")), "a negative factor"),
        ('{"kind":"quantity","units":{"m":{"factor":"1/0"}}}', established(amount("1", "m")), "division by zero"),
        ('{"kind":"quantity","units":{"m":{"factor":1.0}}}', established(amount("1", "m")), "a JSON number with a point"),
        ('{"kind":"quantity","units":{"m":{"factor":" 1"}}}', established(amount("1", "m")), "a padded factor"),
        ('{"kind":"quantity","units":{"m":{"factor":"1/2/3"}}}', established(amount("1", "m")), "two divisions"),
        ('{"kind":"quantity","units":{"m":{"factor":"1","x":"1"}}}', established(amount("1", "m")), "an unknown key"),
        (f'{{"kind":"quantity","units":{{"m":{{"factor":"{NINES}0"}}}}}}', established(amount("1", "m")), "61 digits"),
        ('{"kind":"quantity","units":{"m":{"factor":"1e-60"}}}', established(amount("1", "m")), "61 digits below"),
        ('{"kind":"quantity","units":{" m":{"factor":"1"}}}', established(amount("1", "m")), "a padded unit"),
        ('{"kind":"quantity",' + UNITS + ',"grid":{"decimals":1}}', established(amount("1", "m")), "a grid without its unit"),
        ('{"kind":"quantity",' + UNITS + ',"grid":{"decimals":1,"unit":"km"}}', established(amount("1", "m")), "a grid in a unit that the kind does not name"),
        ('{"kind":"quantity",' + UNITS + ',"uncertainty":"true"}', established(amount("1", "m")), "a text for a boolean"),
        (LENGTH, established(amount("1", "km")), "an established value in an unknown unit"),
        (LENGTH, established('"1 m"'), "an established value that is a text"),
        (MASS, established(amount("1", "Da")), "an established value without the uncertainty that is asked for"),
    ],
)
pairs(
    "quantity",
    f'{{"kind":"quantity","units":{{"m":{{"factor":"{NINES}","offset":"-1/{NINES}"}}}}}}',
    [(amount("1e400", "m"), amount("1e400", "m"), "ok", "P6: the widest admitted factor, offset and number")],
)

# ------------------------------------------------------------------------------------------------------------ interval


def span(lo: str, hi: str, ends: str = "[]") -> str:
    """A raw interval; `lo` and `hi` are JSON."""
    closed = ("true" if ends[0] == "[" else "false", "true" if ends[1] == "]" else "false")
    return f'{{"lo":{lo},"hi":{hi},"lo_closed":{closed[0]},"hi_closed":{closed[1]}}}'


OF_DECIMAL = '{"kind":"interval","of":{"kind":"decimal"}}'
OF_INTEGER = '{"kind":"interval","of":{"kind":"integer"}}'
table(
    "interval",
    OF_DECIMAL,
    span('"10"', '"20"', "[)"),
    [
        (span('"10"', '"20"', "[)"), "ok", "P5: as established"),
        (span('"1e1"', '" 20.0"', "[)"), "ok", "P9: bounds are decimals"),
        (span("10", "20", "[)"), "ok", "P9: bounds as JSON integers"),
        ('{"hi_closed":false,"lo_closed":true,"hi":"20","lo":"10"}', "ok", "P9: the order of keys"),
        (span('"10"', '"20"', "[]"), "value.not_equal", "P2: the other end is open"),
        (span('"10"', '"20"', "()"), "value.not_equal", "P2: this end is closed"),
        (span('"10"', '"20.1"', "[)"), "value.not_equal", "P2: a neighbour"),
        (span('"10"', "null", "[)"), "value.not_equal", "P2: unbounded"),
        (span('"11"', '"19"', "[)"), "value.not_equal", "P2: inside it is not it"),
        (span('"20"', '"10"', "[)"), "value.empty_interval", "the wrong way round"),
        (span('"10"', '"10"', "[)"), "value.empty_interval", "no member"),
        (span('"10"', '"10.0"', "()"), "value.empty_interval", "no member"),
        (span("null", '"20"', "[)"), "value.empty_interval", "unbounded is open"),
        (span('"10"', "null", "[]"), "value.empty_interval", "unbounded is open"),
        (span('"10"', '"2O"', "[)"), "value.grammar", "a letter O"),
        (span('"10"', '"Infinity"', "[)"), "value.grammar", "unbounded is null"),
        (span("10.0", '"20"', "[)"), "value.type", "P8: a JSON number with a point"),
        (span('"10"', '"1e401"', "[)"), "value.too_long", "the bounds of numbers"),
        (span("true", '"20"', "[)"), "value.type", "a boolean bound"),
        ('{"lo":"10","hi":"20","lo_closed":1,"hi_closed":false}', "value.type", "P8: 1 is not true"),
        ('{"lo":"10","hi":"20","lo_closed":"true","hi_closed":false}', "value.type", "a text flag"),
        ('{"lo":"10","hi":"20","lo_closed":null,"hi_closed":false}', "value.type", "a flag of null"),
        ('{"lo":"10","hi":"20","lo_closed":true}', "value.keys", "a key is missing"),
        ('{"lo":"10","lo_closed":true,"hi_closed":false}', "value.keys", "a missing bound is not null"),
        ('{"lo":"10","hi":"20","closed":"left"}', "value.keys", "another way to say it"),
        ('{"lo":"10","hi":"20","lo_closed":true,"hi_closed":false,"unit":"m"}', "value.keys", "a further key"),
        ('"[10,20)"', "value.type", "P8: mathematics' own notation"),
        ('"10-20"', "value.type", "P8: a range in a text"),
        ('["10","20"]', "value.type", "a pair"),
        ('"20"', "value.type", "an end of it"),
        ('"NaN"', "value.type", "not within, not without"),
    ],
)
pairs(
    "interval",
    OF_INTEGER,
    [
        (span('"10"', '"20"'), span('"9"', '"21"', "()"), "ok", "P9: an open bound is the next integer inside"),
        (span('"10"', '"20"'), span("10", '"21"', "[)"), "ok", "P9: one of the two"),
        (span('"10"', '"20"'), span('"10"', '"20"', "[)"), "value.not_equal", "P2: it ends at 19"),
        (span('"5"', '"5"'), span('"4"', '"6"', "()"), "ok", "P9: one member"),
        (span('"5"', '"5"'), span('"5"', '"6"', "()"), "value.empty_interval", "no integer between"),
        (span('"5"', '"5"'), span('"5"', '"5"', "(]"), "value.empty_interval", "no integer between"),
        (span('"1"', "null", "[)"), span('"0"', "null", "()"), "ok", "P9: unbounded above"),
        (span("null", '"-1"', "(]"), span("null", '"0"', "()"), "ok", "P9: unbounded below"),
        (span("null", "null", "()"), span("null", "null", "()"), "ok", "P5: all integers"),
        (span("null", "null", "()"), span("null", "null", "(]"), "value.empty_interval", "unbounded is open"),
        (span('"10"', '"20"'), span('"10.0"', '"20"'), "value.grammar", "P8: a bound is an integer"),
        (span(f'"{BIG}"', "null", "[)"), span(f'"{BIG}"', "null", "[)"), "ok", "a hundred digits"),
        (span(f'"{BIG}"', "null", "()"), span(f'"{BIG}"', "null", "()"), "ok", "the next integer has one more"),
        (span(f'"{BIG}"', "null", "()"), span(f'"1{"0" * 100}"', "null", "[)"), "value.too_long", "which none may write"),
    ],
)
pairs(
    "interval",
    '{"kind":"interval","of":{"kind":"decimal","grid":{"decimals":1}}}',
    [
        (span('"0.04"', '"0.16"'), span('"0"', '"0.2"'), "ok", "the bounds are put on the grid"),
        (span('"0.25"', '"0.35"'), span('"0.2"', '"0.4"'), "ok", "ties go to even, bound by bound"),
        (span('"0.1"', '"0.2"'), span('"0.1"', '"0.21"'), "value.off_grid", "a bound off the grid"),
        (span('"0.01"', '"0.02"'), span('"0"', '"0"'), "ok", "closed bounds that meet hold one member"),
    ],
)
invalid(
    "interval",
    [
        ('{"kind":"interval"}', established(span("1", "2")), "of what"),
        ('{"kind":"interval","of":"decimal"}', established(span("1", "2")), "an inner kind is an object"),
        ('{"kind":"interval","of":{"kind":"date"}}', established(span("1", "2")), "of numbers only"),
        ('{"kind":"interval","of":{"kind":"interval","of":{"kind":"decimal"}}}', established(span("1", "2")), "nested"),
        ('{"kind":"interval","of":{"kind":"decimal"},"unit":"m"}', established(span("1", "2")), "an unknown key"),
        (OF_DECIMAL, established(span("2", "1")), "an empty established interval"),
        ('{"kind":"interval","of":{"kind":"decimal","grid":{"decimals":1}}}', established(span('"0.01"', '"0.02"', "()")), "an interval that the grid leaves without a member"),
    ],
)

# ----------------------------------------------------------------------------------------------------------------- set

GENES = '{"kind":"set","of":{"kind":"identifier","prefix":"hgnc"}}'
table(
    "set",
    GENES,
    '["hgnc:HBA1","hgnc:HBA2"]',
    [
        ('["hgnc:HBA1","hgnc:HBA2"]', "ok", "P5: as established"),
        ('["hgnc:HBA2","hgnc:HBA1"]', "ok", "P9: a set has no order"),
        ('[" hgnc:HBA2 ","\\thgnc:HBA1"]', "ok", "P9: padding around elements"),
        ('["hgnc:HBA1"]', "value.not_equal", "P2: one is missing"),
        ('["hgnc:HBA1","hgnc:HBA2","hgnc:HBA3"]', "value.not_equal", "P2: one too many"),
        ('["hgnc:HBA1","hgnc:HBA3"]', "value.not_equal", "P2: another"),
        ("[]", "value.not_equal", "P2: all() of nothing is true, the empty set is not this one"),
        ('["hgnc:HBA1","hgnc:HBA1"]', "value.duplicate", "a member twice"),
        ('["hgnc:HBA1","hgnc:HBA2"," hgnc:HBA2"]', "value.duplicate", "twice, spelled otherwise"),
        ('["hgnc:HBA1","HBA2"]', "value.grammar", "one element is malformed"),
        ('["hgnc:HBA1","chebi:1"]', "value.prefix", "one element has another prefix"),
        ('["hgnc:HBA1",null]', "value.type", "null is no member"),
        ('["hgnc:HBA1",["hgnc:HBA2"]]', "value.type", "sets do not nest"),
        ('"hgnc:HBA1"', "value.type", "a member is not the set of it"),
        ('"hgnc:HBA1, hgnc:HBA2"', "value.type", "P8: a list in a text"),
        ('{"hgnc:HBA1":true,"hgnc:HBA2":true}', "value.type", "an object"),
        ("null", "value.type", "null is not the empty set"),
    ],
)
pairs(
    "set",
    '{"kind":"set","of":{"kind":"integer"}}',
    [
        ("[]", "[]", "ok", "P5: the empty set is a value"),
        ("[1,2]", '["2",1]', "ok", "P9: texts and JSON integers mixed"),
        ("[1,2]", '[1,"1",2]', "value.duplicate", "duplicates are judged after denotation"),
        ("[1,2]", "[1,2.0]", "value.type", "P8: a JSON number with a point"),
        ("[1,2]", "[1,true]", "value.type", "P8: true is not 1"),
        ("[12]", "[1,2]", "value.not_equal", "members do not run together"),
        ("[1,12]", "[11,2]", "value.not_equal", "members do not run together"),
    ],
)
pairs(
    "set",
    '{"kind":"set","of":{"kind":"boolean"}}',
    [("[true,false]", "[false,true]", "ok", "P9: order"), ("[true]", "[true,true]", "value.duplicate", "a member twice"), ("[true]", "[1]", "value.type", "P8: 1 is not true")],
)
pairs(
    "set",
    '{"kind":"set","of":{"kind":"decimal","grid":{"decimals":1}}}',
    [
        ('["1.01","2.02"]', '["2","1.0"]', "ok", "the members are put on the grid"),
        ('["1.01","1.02"]', '["1"]', "ok", "members that fall on one point are one member"),
        ('["1"]', '["1","1.0"]', "value.duplicate", "one number twice"),
        ('["1"]', '["1.01"]', "value.off_grid", "a member off the grid"),
        ('["1"]', '["1e0"]', "ok", "P9: exponent spelling"),
    ],
)
pairs(
    "set",
    '{"kind":"set","of":{"kind":"date"}}',
    [('["2024-02-29"]', '["2024-02-29"]', "ok", "P5: a set of dates"), ('["2024-02-29"]', '["2023-02-29"]', "value.grammar", "a member that does not exist")],
)
pairs(
    "set",
    '{"kind":"set","of":{"kind":"category","vocabulary":["A","B","C"]}}',
    [
        ('["A","B"]', '["B","A"]', "ok", "P9: order"),
        ('["A","B"]', '["A","B","B"]', "value.duplicate", "a set is no multiset"),
        ('["A"]', "[]", "value.not_equal", "P2: the empty set"),
        ('["A","B"]', '["A","b"]', "value.vocabulary", "case counts"),
        ('["A"]', '["A, B"]', "value.vocabulary", "two words in one text"),
    ],
)
SET_OF_INTEGER = '{"kind":"set","of":{"kind":"integer"}}'


def counted(prefix: str, template: str, times: int, suffix: str) -> str:
    """A proposal that counts."""
    rule = {"prefix": prefix, "template": template, "sep": ",", "times": times, "suffix": suffix}
    return f'"proposal_count":{json.dumps(rule, ensure_ascii=False)}'


def repeated(prefix: str, unit: str, times: int, suffix: str) -> str:
    """A proposal that repeats."""
    rule = {"prefix": prefix, "unit": unit, "times": times, "suffix": suffix}
    return f'"proposal_repeat":{json.dumps(rule, ensure_ascii=False)}'


FIRST = '{"state":"VALUE","value":['
EVERY = established("[" + ",".join(str(i) for i in range(256)) + "]")
add("set", SET_OF_INTEGER, EVERY, counted(FIRST, "{i}", 256, "]}"), "ok", "P5: 256 members")
add("set", SET_OF_INTEGER, EVERY, counted(FIRST, '"{i}"', 256, "]}"), "ok", "P9: the same as texts")
add("set", SET_OF_INTEGER, EVERY, counted(FIRST, "{i}", 255, "]}"), "value.not_equal", "P2: one is missing")
add("set", SET_OF_INTEGER, EVERY, counted(FIRST, "{i}", 257, "]}"), "value.too_long", "257 elements")
add("set", SET_OF_INTEGER, EVERY, counted(FIRST, "{i}", 9000, "]}"), "parse.too_long", "P6: more than 4,096 bytes")
# Multiples of 2^61 - 1 share one hash in CPython: 2305843009213693951 · i for i below 170 would meet in one bucket.
COLLIDING = ",".join(str((2**61 - 1) * i) for i in range(170))
table(
    "set",
    SET_OF_INTEGER,
    f"[{COLLIDING}]",
    [(f"[{COLLIDING}]", "ok", "P6: numbers that collide under their hash cost no more than others"), (f"[{COLLIDING},0]", "value.duplicate", "P6: and their duplicates are seen")],
)
invalid(
    "set",
    [
        ('{"kind":"set"}', established("[]"), "of what"),
        ('{"kind":"set","of":{"kind":"set","of":{"kind":"integer"}}}', established("[]"), "sets do not nest"),
        ('{"kind":"set","of":{"kind":"interval","of":{"kind":"decimal"}}}', established("[]"), "of scalars only"),
        ('{"kind":"set","of":' + LENGTH + "}", established("[]"), "of scalars only"),
        ('{"kind":"set","of":{"kind":"polymer"}}', established("[]"), "a sequence is never an answer"),
        (SET_OF_INTEGER, established("[1,1]"), "an established duplicate"),
        (SET_OF_INTEGER, established("1"), "a member is not a set"),
        ('{"kind":"set","of":{"kind":"decimal","grid":{"decimals":1}}}', established('["1","1.0"]'), "duplicates as written"),
    ],
)

# ------------------------------------------------------------------------------------------------------------- polymer

invalid(
    "polymer",
    [
        ('{"kind":"polymer"}', established('"MVLSPADKTNVKAAWGKVG"'), "evidence only: never an answer"),
        ('{"kind":"polymer"}', '{"state":"INSUFFICIENT"}', "in no state"),
        ('{"kind":"polymer"}', '{"state":"NO_ENTITY"}', "in no state"),
        ('{"kind":"polymer","alphabet":"protein"}', established('"M"'), "an unknown key"),
    ],
)

# --------------------------------------------------------------------------------------------------------------- parse

ONE = established('"142"')


def parsed(rows: list[tuple[str, str, str]]) -> None:
    """Whole proposals as texts."""
    for proposal, outcome, note in rows:
        add("parse", INTEGER, ONE, as_text(proposal), outcome, note)


parsed(
    [
        ('{"state":"VALUE","value":142}', "ok", "P5: the plain form"),
        (' \t\r\n{ "state" : "VALUE" ,\n"value" : "142" }\n', "ok", "white space between tokens"),
        ('{"value":142,"state":"VALUE"}', "ok", "the order of keys"),
        ('{"st\\u0061te":"VALUE","value":142}', "ok", "an escaped key"),
        ('{"state":"V\\u0041LUE","value":142}', "ok", "an escaped state"),
        ("", "parse.json", "nothing"),
        (" ", "parse.json", "white space alone"),
        ("142", "proposal.shape", "a bare value"),
        ('"142"', "proposal.shape", "a bare text"),
        ("null", "proposal.shape", "null"),
        ("[]", "proposal.shape", "an array"),
        ('[{"state":"VALUE","value":142}]', "proposal.shape", "a proposal in an array"),
        ("{}", "proposal.shape", "no state"),
        ('{"value":142}', "proposal.shape", "there is no default state"),
        ('{"state":"VALUE"}', "proposal.shape", "VALUE without a value"),
        ('{"state":"VALUE","value":142,"confidence":1}', "proposal.shape", "a further key"),
        ('{"state":"VALUE","value":142,"Value":143}', "proposal.shape", "a key that differs in case"),
        ('{"State":"VALUE","value":142}', "proposal.shape", "the state under another key"),
        ('{"state":"VALUE","value":142,"":0}', "proposal.shape", "an empty key"),
        ('{"state":"INSUFFICIENT_EVIDENCE","value":142}', "proposal.shape", "a value beside an abstention"),
        ('{"state":"INSUFFICIENT_EVIDENCE","value":null}', "proposal.shape", "null beside an abstention"),
        ('{"state":"NO_ENTITY","reason":"x"}', "proposal.shape", "a reason beside an abstention"),
        ('{"state":"value","value":142}', "proposal.state", "case counts in states"),
        ('{"state":" VALUE","value":142}', "proposal.state", "a padded state"),
        ('{"state":"INSUFFICIENT"}', "proposal.state", "the established state's word is not the proposal's"),
        ('{"state":"CONFLICT"}', "proposal.state", "the established state's word is not the proposal's"),
        ('{"state":"ACCEPT","value":142}', "proposal.state", "a verdict is no state"),
        ('{"state":null,"value":142}', "proposal.state", "a state of null"),
        ('{"state":["VALUE"],"value":142}', "proposal.state", "a list of one"),
        ('{"state":true}', "proposal.state", "a state that is no text"),
        ('{"state":"VALUE","value":142,"value":142}', "parse.duplicate_key", "a key twice"),
        ('{"state":"VALUE","value":999,"value":142}', "parse.duplicate_key", "first wins, or last wins"),
        ('{"state":"VALUE","value":142,"v\\u0061lue":142}', "parse.duplicate_key", "twice after unescaping"),
        ('{"state":"NO_ENTITY","state":"VALUE","value":142}', "parse.duplicate_key", "two states"),
        ('{"state":"VALUE","value":{"a":1,"a":2}}', "parse.duplicate_key", "anywhere in the document"),
        ('{"state":"VALUE","value":[[{"a":1,"a":1}]]}', "parse.duplicate_key", "deep in the document"),
        ('{"state":"VALUE","value":"\\ud800"}', "parse.surrogate", "a lone high surrogate"),
        ('{"state":"VALUE","value":"\\udc00x"}', "parse.surrogate", "a lone low surrogate"),
        ('{"state":"VALUE","value":"\\udc00\\ud800"}', "parse.surrogate", "two in the wrong order"),
        ('{"state":"VALUE","value":["\\ud800"]}', "parse.surrogate", "anywhere in the document"),
        ('{"state":"VALUE","value":{"\\ud800":1}}', "parse.surrogate", "in a key"),
        ('{"state":"\\ud800"}', "parse.surrogate", "in the state"),
        ('{"state":"VALUE","value":"\\ud83d\\ude00"}', "value.grammar", "a pair is one character"),
        ('{"state":"VALUE","value":"\\\\ud800"}', "value.grammar", "an escaped backslash makes no surrogate"),
        ('{"state":"VALUE","value":142', "parse.json", "cut off"),
        ('{"state":"VALUE","value":"142', "parse.json", "cut off inside a text"),
        ('{"state":"VALUE","value":142}}', "parse.json", "a bracket too many"),
        ('{"state":"VALUE","value":142} {}', "parse.json", "a second document"),
        ('{"state":"VALUE","value":142}x', "parse.json", "trailing data"),
        ('{"state":"VALUE","value":142}\x00', "parse.json", "a trailing NUL"),
        ('{"state":"VALUE","value":142,}', "parse.json", "a trailing comma"),
        ('{"state":"VALUE" "value":142}', "parse.json", "a missing comma"),
        ('{"state":"VALUE","value"142}', "parse.json", "a missing colon"),
        ("{'state':'VALUE','value':142}", "parse.json", "Python's quotation marks"),
        ('{state:"VALUE",value:142}', "parse.json", "bare keys"),
        ('{"state":"VALUE","value":142}//', "parse.json", "a comment"),
        ('/**/{"state":"VALUE","value":142}', "parse.json", "a comment before"),
        ('```json\n{"state":"VALUE","value":142}\n```', "parse.json", "a fence of Markdown"),
        ('The answer: {"state":"VALUE","value":142}', "parse.json", "words before"),
        ('\ufeff{"state":"VALUE","value":142}', "parse.json", "a byte-order mark"),
        ('\u00a0{"state":"VALUE","value":142}', "parse.json", "a no-break space between tokens"),
        ('\x0c{"state":"VALUE","value":142}', "parse.json", "a form feed between tokens"),
        ('{"state":"VALUE","value":NaN}', "parse.json", "NaN is no JSON"),
        ('{"state":"VALUE","value":Infinity}', "parse.json", "nor is Infinity"),
        ('{"state":"VALUE","value":-Infinity}', "parse.json", "nor with a sign"),
        ('{"state":"VALUE","value":+142}', "parse.json", "a plus"),
        ('{"state":"VALUE","value":0142}', "parse.json", "a leading zero"),
        ('{"state":"VALUE","value":142.}', "parse.json", "a point without digits"),
        ('{"state":"VALUE","value":.5}', "parse.json", "a point without a digit before"),
        ('{"state":"VALUE","value":1e}', "parse.json", "an exponent without digits"),
        ('{"state":"VALUE","value":0x8e}', "parse.json", "hexadecimal"),
        ('{"state":"VALUE","value":1_42}', "parse.json", "a digit separator"),
        ('{"state":"VALUE","value":１４２}', "parse.json", "full-width digits as a number"),
        ('{"state":"VALUE","value":-}', "parse.json", "a sign alone"),
        ('{"state":"VALUE","value":True}', "parse.json", "Python's word"),
        ('{"state":"VALUE","value":"1\n42"}', "parse.json", "a raw newline in a text"),
        ('{"state":"VALUE","value":"\t142"}', "parse.json", "a raw tab in a text; escaped it would be padding"),
        ('{"state":"VALUE","value":"\x00"}', "parse.json", "a raw NUL in a text"),
        ('{"state":"VALUE","value":"\x7f142"}', "value.grammar", "DEL may stand in a JSON text"),
        ('{"state":"VALUE","value":"\\x31"}', "parse.json", "an escape that JSON has not"),
        ('{"state":"VALUE","value":"\\u12"}', "parse.json", "a short escape"),
        ('{"state":"VALUE","value":"\\u00 31"}', "parse.json", "a space in an escape"),
        ('{"state":"VALUE","value":"\\"}', "parse.json", "an escaped last quotation mark"),
        ('{"state":"VALUE","value":[[[[[[[142]]]]]]]}', "value.type", "eight levels are admitted"),
        ('{"state":"VALUE","value":[[[[[[[[142]]]]]]]]}', "parse.depth", "nine are not"),
        ('{"state":"VALUE","value":"[[[[[[[[[["}', "value.grammar", "brackets in a text are not nesting"),
        ('{"state":"VALUE","value":"\\"[[[[[[[[[["}', "value.grammar", "nor behind an escaped quotation mark"),
        ("[" * 9, "parse.depth", "depth is counted before syntax"),
        ("[" * 8, "parse.json", "eight open brackets are only bad syntax"),
        ("]]]]" + "[" * 9, "parse.depth", "a closing bracket with none open counts for nothing"),
        ("[]" * 30, "parse.json", "side by side is not deep"),
        ("[}" * 20 + "[" * 8, "parse.json", "both sorts of bracket count alike"),
        ('"' + "[" * 20, "parse.json", "a text that does not end holds its brackets"),
        (r'\\"' + "[" * 20, "parse.json", "two backslashes escape each other, so a text begins"),
        (r'\"' + "[" * 20, "parse.depth", "one escapes the quotation mark, even outside a text"),
        (r'"\\\"' + "[" * 20, "parse.json", "the third of three escapes it, so the text goes on"),
    ]
)
for data, outcome, note in (
    (b'{"state":"VALUE","value":"\xff"}', "parse.encoding", "a byte that UTF-8 has not"),
    (b'{"state":"VALUE","value":"\xc0\xb1"}', "parse.encoding", "an overlong form"),
    (b'{"state":"VALUE","value":"\xed\xa0\x80"}', "parse.encoding", "a surrogate in UTF-8's clothes"),
    (b'{"state":"VALUE","value":"\xe2\x82"}', "parse.encoding", "a sequence cut off"),
    (b'{"state":"VALUE","value":142}\x80', "parse.encoding", "after the end"),
    (b"\xff\xfe" + '{"state":"VALUE","value":142}'.encode("utf-16-le"), "parse.encoding", "UTF-16"),
    ('{"state":"VALUE","value":142}'.encode("utf-16-le"), "parse.json", "UTF-16 without its mark is UTF-8 with NULs"),
    (b"[" * 20 + b"\xff", "parse.encoding", "the encoding comes before depth"),
    (b'\xef\xbb\xbf{"state":"VALUE","value":142}', "parse.json", "a byte-order mark in UTF-8"),
    (b"", "parse.json", "no bytes at all"),
):
    add("parse", INTEGER, ONE, as_bytes(data), outcome, note)
add("parse", INTEGER, ONE, as_text('{"state":"VALUE","value":"\ud800"}'), "parse.encoding", "three bytes of a surrogate")
for form, outcome, note in (
    (repeated('{"state":"VALUE","value":142}', " ", 4096 - 29, ""), "ok", "P5: exactly 4,096 bytes"),
    (repeated('{"state":"VALUE","value":142}', " ", 4096 - 28, ""), "parse.too_long", "one byte more"),
    (repeated("", "[", 100000, ""), "parse.too_long", "P6: deep and long: the length comes first"),
    (repeated("", "[", 4096, ""), "parse.depth", "P6: deep"),
    (repeated("", '{"a":', 800, ""), "parse.depth", "P6: deep objects"),
    (repeated("]", "[]", 2047, ""), "parse.json", "P6: shallow and bad syntax throughout"),
    (repeated('{"state":"VALUE","value":"', "\\\\", 2034, '"}'), "value.grammar", "P6: backslashes to the end"),
    (repeated('{"state":"VALUE","value":"', "\\", 4001, '"}'), "parse.json", "P6: an odd number of them"),
    (repeated('{"state":"VALUE","value":"', "\ufdfa", 1300, '"}'), "value.grammar", "P6: no normalisation to blow up"),
    (repeated('{"state":"VALUE","value":[', "1,", 1900, "1]}"), "value.type", "P6: thousands of guesses"),
    (repeated('{"state":"VALUE","value":', "9", 4000, "}"), "value.too_long", "P6: a number of 4,000 digits"),
    (repeated('{"state":"VALUE","value":-', "9", 4000, ".5}"), "value.type", "P6: a fraction of 4,000 digits"),
    (repeated('{"state":"VALUE","value":1e', "9", 4000, "}"), "value.type", "P6: an exponent of 4,000 digits"),
    (repeated('{"state":"VALUE","value":"\\ud83d\\ude00', "\\ud83d\\ude00", 300, '"}'), "value.grammar", "P6: pairs"),
    (counted('{"state":"VALUE","value":{', '"k{i}":0', 400, "}}"), "value.type", "P6: many keys"),
    (counted('{"state":"VALUE","value":{', '"k{i}":0', 20000, "}}"), "parse.too_long", "P6: more keys"),
    (counted('{"state":"VALUE","value":142,', '"k{i}":0', 300, "}"), "proposal.shape", "P6: many further keys"),
    (repeated("", " ", 4096, ""), "parse.json", "P6: nothing, at length"),
    (repeated("", "\x00", 4096, ""), "parse.json", "P6: NULs"),
):
    add("parse", INTEGER, ONE, form, outcome, note)

# -------------------------------------------------------------------------------------------------------------- states

PLAIN = '{"state":"VALUE","value":142}'
WORDS = {"INSUFFICIENT_EVIDENCE": "insufficient.not_established", "CONFLICT_NOT_RESOLVED": "conflict.not_established", "NO_ENTITY": "no_entity.not_established"}
COUNTS = {"VALUE": (), "INSUFFICIENT": ("INSUFFICIENT_EVIDENCE",), "CONFLICT": ("CONFLICT_NOT_RESOLVED",), "NO_ENTITY": ("INSUFFICIENT_EVIDENCE", "NO_ENTITY")}
for state, accepted in COUNTS.items():
    holds = ONE if state == "VALUE" else f'{{"state":"{state}"}}'
    outcome = "ok" if state == "VALUE" else "value.not_equal"
    add("states", INTEGER, holds, as_text(PLAIN), outcome, f"P3, P4: a value where {state} is established")
    for word, code in WORDS.items():
        note = f"P3, P4: {word} where {state} is established"
        add("states", INTEGER, holds, as_text(f'{{"state":"{word}"}}'), "ok" if word in accepted else code, note)
    for raw, code in (('"142.0"', "value.grammar"), ("142.0", "value.type"), ("null", "value.type")):
        note = f"P7: a malformed value has its own code where {state} is established"
        add("states", INTEGER, holds, as_text(proposed(raw)), code, note)
    add("states", INTEGER, holds, as_text('{"state":"VALUE"}'), "proposal.shape", f"P7: so has a malformed proposal: {state}")
    add("states", INTEGER, holds, as_text(proposed('"143"')), "value.not_equal", f"P7: a wrong value, whatever holds: {state}")
for index in (1, 2, 3):
    add("states", INTEGER, ONE, as_text(PLAIN), "ok", f"P1: the same question again ({index} of 3)")
    add("states", INTEGER, ONE, as_text(proposed("143")), "value.not_equal", f"P1: between them another ({index} of 3)")
for raw in ("142", '"142"', '" 142"', '"\\u0031\\u0034\\u0032"'):
    add("states", INTEGER, ONE, as_text(proposed(raw)), "ok", "P3: the accepted proposals have one denotation")
for document, note in (
    ('{"state":"UNKNOWN"}', "no such state"),
    ('{"state":"INSUFFICIENT_EVIDENCE"}', "the proposal's word is not the established state's"),
    ('{"state":"VALUE"}', "a VALUE without its value"),
    ('{"state":"CONFLICT","value":"1"}', "a value beside a state that has none"),
    ('{"state":"VALUE","value":"1","pin":"x"}', "a further key"),
    ('{"state":null}', "a state of null"),
    ("{}", "no state"),
    ("null", "no object"),
    ('"VALUE"', "no object"),
):
    add("states", INTEGER, document, as_text(PLAIN), "invalid", note)
for raw, code in (
    ('{"__class__":"int","value":142}', "value.type"),
    ('{"$ref":"#/established"}', "value.type"),
    ('{"toJSON":142}', "value.type"),
    ('{"n":"142","unit":""}', "value.type"),
):
    add("states", INTEGER, ONE, as_text(proposed(raw)), code, "P10: an object that would speak for itself denotes nothing")

# ------------------------------------------------------------------------------------------------------------- attacks
# Identifiers are those of a collection of attacks on verifiers; the reasons are ours. Those on cards, receipts, logs,
# races and objects in memory are no vectors and are tested where those things live.

WORD = '{"kind":"category","vocabulary":["kinase","STRASSE","fi","a","x","1"]}'
LETTERS = '{"kind":"set","of":{"kind":"category","vocabulary":["A","B"]}}'
BYTES = '{"kind":"quantity","units":{"B":{"factor":1},"kB":{"factor":1000}}}'
DALTON = '{"kind":"quantity","units":{"Da":{"factor":1},"kDa":{"factor":1000}}}'
BOND = '{"kind":"quantity","units":{"Å":{"factor":"1e-10"},"m":{"factor":1}},"uncertainty":true}'
INSUFFICIENT, CONFLICT, NO_ENTITY = ('{"state":"%s"}' % word for word in ("INSUFFICIENT", "CONFLICT", "NO_ENTITY"))
BOOLEAN = '{"kind":"boolean"}'


def attack(name: str, kind: str, state: str, proposal: str, outcome: str, note: str) -> None:
    """One attack; a proposal that is no whole object is a raw value."""
    whole = proposal if proposal.startswith(('{"state"', '{"value"', "`")) else proposed(proposal)
    add("attacks", kind, state, as_text(whole), outcome, note, name)


for name, kind, raw, proposal, outcome, note in (
    ("FA014", INTEGER, "142", '"142.0"', "value.grammar", "P8: a reader that strips zeros makes an integer of a decimal"),
    ("FA043", INTEGER, "9007199254740993", "9007199254740992", "value.not_equal", "P2: one double stands for both"),
    (*("FA044", INTEGER, '"28857836529306024611912"', "28857836529306024611913", "value.not_equal"), "P2: serial numbers are longer than a double"),
    ("FA021", BOOLEAN, "false", '""', "value.type", "P8: an empty text is falsy, not false"),
    ("FA025", DECIMAL, '"0"', "-0.0", "value.type", "P8: a float, and a zero with a sign"),
    ("FA040", INTEGER, "142", "[141,142,143]", "value.type", "several guesses are no answer, though one is right"),
    ("FA028", INTEGER, "142", '"1_42"', "value.grammar", "P8: a programming language's separator"),
    ("FA037", DECIMAL, '"60"', '"60%"', "value.grammar", "P8: the sign divides by a hundred"),
    ("FA024", INTEGER, "0", '"-0"', "value.grammar", "zero has no sign"),
    ("FA027", INTEGER, "142", '"0142"', "value.grammar", "P8: 98 to a reader of octal"),
    ("FA023", INTEGER, "0", "null", "value.type", "nothing is not zero"),
    ("FA042", INTEGER, "142", '"--142"', "value.grammar", "P8: two signs do not cancel"),
    ("FA036", INTEGER, "-5", '"5"', "value.not_equal", "P2: a sign is no punctuation to be stripped"),
    ("FA035", INTEGER, "11", '"711"', "value.not_equal", "P2: to end alike is not to be equal"),
    ("FA011", INTEGER, "142", '"142.9999999999999999"', "value.grammar", "P8: 143 to a float, 142 to a truncation"),
    ("FA039", INTEGER, "142", '"140-145"', "value.grammar", "P8: a range around the value"),
    ("FA026", INTEGER, "142", '"+142"', "value.grammar", "P8: a sign that says nothing"),
    ("FA012", INTEGER, "142", '"142.00000000000000000001"', "value.grammar", "P8: another number, lost in a float"),
    ("FA048", DECIMAL, '"0"', '"0.0000001"', "value.not_equal", "P2: no tolerance, so none that explodes at zero"),
    ("FA022", BOOLEAN, "true", '"False"', "value.type", "P8: any text is truthy"),
    ("FA034", INTEGER, "142", '"142,000"', "value.grammar", "P8: the first number in a text is not the text"),
    ("FA041", INTEGER, "142", '"146 or 147 or 142"', "value.grammar", "P8: several guesses in a text"),
    ("FA017", INTEGER, "1", "true", "value.type", "P8: a language where true is a one"),
    ("FA007", DECIMAL, '"1.20"', '"1.2"', "ok", "P9: zeros at the end are spelling"),
    ("FA002", INTEGER, "142", '" 142 "', "ok", "P9: outer spaces are spelling"),
    (*("FA008", LENGTH, amount("9.0", "mm"), amount("0.009", "m"), "ok"), "P9: equal by exact factors, unequal through floats"),
    ("FA055", DECIMAL, '"1"', '"1e999999999"', "value.too_long", "P6: bounded before any digit is made"),
    (*("FA061", LENGTH, amount("1", "m"), amount("1", "m**9**9**9"), "value.unit"), "P6: units are looked up, so powers of powers are a word like any"),
    ("FA184", WORD, '"x"', '"=HYPERLINK(\\"http://e\\")"', "value.vocabulary", "a formula for a spreadsheet is no word"),
    (*("FA183", INTEGER, "142", '"142\\r\\n2026-11-30 ACCEPT receipt=..."', "value.grammar"), "P8: a forged line of a log behind the value"),
    (*("FA133", OF_DECIMAL, span('"10"', '"20"', "[)"), '"20"', "value.type"), "an end is not the interval, least of all the open one"),
    ("FA108", LETTERS, '["A"]', "[]", "value.not_equal", "P2: that all of none are right makes none right"),
    ("FA102", LETTERS, '["A","B"]', '["B","A"]', "ok", "P9: order"),
    ("FA103", LETTERS, '["A","B"]', '["A","B","B"]', "value.duplicate", "a member twice is malformed"),
    ("FA096", INTEGER, "142", "[142]", "value.type", "nothing is unwrapped"),
    ("FA101", WORD, '"1"', "1", "value.type", "P8: digits as a word and as a number are two things"),
    ("FA109", WORD, '"kinase"', '""', "value.vocabulary", "nothing is contained in everything, and equal to nothing"),
    ("FA049", DECIMAL, '"1.5"', '"NaN"', "value.grammar", "P8: what compares false with all is not within a bound"),
    ("FA050", OF_DECIMAL, span('"10"', '"20"'), '"NaN"', "value.type", "P8: not below and not above is not inside"),
    (*("FA131", BOND, amount("1.23", "Å", "0.05"), amount("1.23", "Å"), "value.keys"), "the uncertainty is part of what was asked"),
    (*("FA130", BOND, amount("1.23", "Å", "0.05"), amount("1.25", "Å", "0.05"), "value.not_equal"), "P2: inside the error bar is another value"),
    ("FA075", INTEGER, "142", '"142\\u0000999"', "value.grammar", "P8: a string of C would end at the NUL"),
    ("FA072", INTEGER, "-5", '"\u22125"', "value.grammar", "P8: a typeset minus"),
    ("FA079", WORD, '"fi"', '"\ufb01"', "value.vocabulary", "a ligature is another text"),
    ("FA077", WORD, '"STRASSE"', '"straße"', "value.vocabulary", "case is not folded"),
    ("FA076", INTEGER, "142", '"\ufeff142"', "value.grammar", "P8: a byte-order mark is no padding"),
    ("FA067", DECIMAL, '"1"', '"1½"', "value.grammar", "P8: one and a half, or one, by the reader's taste"),
    ("FA068", INTEGER, "142", '"\uff10x8e"', "value.grammar", "P8: normalised it would be hexadecimal"),
    ("FA081", WORD, '"kinase"', '"kin\u0430se"', "value.vocabulary", "a Cyrillic letter"),
    ("FA074", INTEGER, "142", '"142\\n"', "value.grammar", "P8: an expression that ends in `$` overlooks it"),
    ("FA065", INTEGER, "142", '"1\uff142"', "value.grammar", "P8: digits of two scripts"),
    ("FA063", INTEGER, "142", '"\uff11\uff14\uff12"', "value.grammar", "P8: digits of another script"),
    ("FA066", INTEGER, "14", '"14\u00b2"', "value.grammar", "P8: a raised digit, dropped or read"),
    ("FA070", INTEGER, "142", '"14\u200b2"', "value.grammar", "P8: a character without width"),
    ("FA129", BYTES, amount("1", "kB"), amount("1024", "B"), "value.not_equal", "P2: a thousand, not 2^10"),
    ("FA123", DALTON, amount("15.1", "kDa"), '"15.1"', "value.type", "a number without its unit"),
    (*("FA124", TEMPERATURE, amount("100", "degC"), amount("100", "degF"), "value.not_equal"), "P2: the same digits in another unit"),
    ("FA128", LENGTH, amount("1", "µm"), amount("1", "μm"), "ok", "P9: two code points for one sign, both named by the kind"),
    ("FA120", INTEGER, "142", "146", "value.not_equal", "P2: the deprecated statement's value"),
    ("FA152", INTEGER, "147", "142", "value.not_equal", "P2: right for the snapshot before"),
):
    attack(name, kind, established(raw), proposal, outcome, note)
for name, kind, state, proposal, outcome, note in (
    ("FA006", INTEGER, NO_ENTITY, '{"state":"INSUFFICIENT_EVIDENCE"}', "ok", "P4: to abstain is right of what is absent"),
    ("FA004", INTEGER, CONFLICT, '{"state":"CONFLICT_NOT_RESOLVED"}', "ok", "P5: a conflict is an answer"),
    ("FA139", DECIMAL, INSUFFICIENT, '"262.35"', "value.not_equal", "P2: an ambiguous name has no value"),
    ("FA107", LETTERS, INSUFFICIENT, "[]", "value.not_equal", "P2: none known is not known to be none"),
    ("FA151", INTEGER, INSUFFICIENT, "142", "value.not_equal", "P2: the pinned span holds it no more"),
    ("FA121", INTEGER, INSUFFICIENT, "142", "value.not_equal", "P2: the only source was retracted"),
    (*("FA114", INTEGER, ONE, '{"state":"INSUFFICIENT_EVIDENCE"}', "insufficient.not_established"), "P2: to abstain is wrong where the evidence decides"),
    ("FA110", INTEGER, CONFLICT, "142", "value.not_equal", "P2: to pick a side is not to resolve"),
    ("FA119", DECIMAL, CONFLICT, '"132"', "value.not_equal", "P2: between two sides nobody stands"),
    (*("FA113", INTEGER, ONE, '{"state":"CONFLICT_NOT_RESOLVED"}', "conflict.not_established"), "P2: a conflict that is not there"),
    ("FA122", DALTON, INSUFFICIENT, amount("15.1", "kDa"), "value.not_equal", "P2: a unit that no source gave"),
    (*("FA116", INTEGER, NO_ENTITY, '{"state":"CONFLICT_NOT_RESOLVED"}', "conflict.not_established"), "P2: nothing is said, so nothing is disputed"),
    ("FA092", INTEGER, ONE, '{"value":142}', "proposal.shape", "no state is assumed"),
    ("FA090", INTEGER, ONE, '{"state":"VALUE","value":999,"verdict":"ACCEPT"}', "proposal.shape", "a verdict of its own"),
    ("FA100", INTEGER, established("1420"), '{"state":"VALUE","value":142', "parse.json", "P8: repaired, another number"),
    (*("FA086", INTEGER, INSUFFICIENT, '{"state":"VALUE","value":7,"state":"INSUFFICIENT"}', "parse.duplicate_key"), "two states, of which readers choose"),
    ("FA098", INTEGER, ONE, '```json\n{"state":"VALUE","value":142}\n```', "parse.json", "a fence is no JSON"),
    (*("FA085", INTEGER, ONE, '{"state":"VALUE","value":999,"value":142}', "parse.duplicate_key"), "the log shows one value, the verdict another"),
    (*("FA088", INTEGER, ONE, '{"state":"VALUE","Value":142,"value":999}', "proposal.shape"), "readers that fold case take the other"),
    (*("FA097", INTEGER, ONE, '{"state":"VALUE","value":142} {"state":"VALUE","value":999}', "parse.json"), "two documents, of which readers choose"),
    (*("FA135", INTEGER, NO_ENTITY, '{"state":"VALUE","value":142,"entity":"uniprot:Р69905"}', "proposal.shape"), "the proposer names no entity, least of all in Cyrillic"),
    (*("FA141", INTEGER, NO_ENTITY, '{"state":"VALUE","value":142,"entity":"P69905\' OR \'1\'=\'1"}', "proposal.shape"), "no entity, so no query to inject into"),
    (*("FA138", INTEGER, INSUFFICIENT, '{"state":"VALUE","value":142,"entity":"uniprot:OLD123"}', "proposal.shape"), "the task names the entity, and resolves it by pins"),
    (*("FA144", INTEGER, NO_ENTITY, '{"state":"VALUE","value":142,"entity":"uniprot:P69905%00.json"}', "proposal.shape"), "no entity, so no file name"),
    (*("FA134", INTEGER, ONE, '{"state":"VALUE","value":142,"entity":"uniprot:P68871"}', "proposal.shape"), "an answer is not carried to another entity"),
    (*("FA143", INTEGER, NO_ENTITY, '{"state":"VALUE","value":142,"entity":"../../etc/passwd"}', "proposal.shape"), "no entity, so no path"),
    (*("FA146", INTEGER, ONE, '{"state":"VALUE","value":142,"pin":"file:///../../secrets/key"}', "proposal.shape"), "the proposer pins nothing"),
    (*("FA147", INTEGER, ONE, '{"state":"VALUE","value":142,"pin":"http://169.254.169.254/latest"}', "proposal.shape"), "so nothing is fetched"),
    (*("FA148", INTEGER, ONE, '{"state":"VALUE","value":142,"pin":"md5:aaaa"}', "proposal.shape"), "and no weaker digest is chosen"),
):
    attack(name, kind, state, proposal, outcome, note)
add("attacks", INTEGER, ONE, repeated("", "[", 100000, ""), "parse.too_long", "P6: no recursion follows it", "FA057")
add(
    *("attacks", WORD, established('"a"'), repeated('{"state":"VALUE","value":"', "\ufdfa", 100000, '"}')),
    *("parse.too_long", "P6: one character that normalisation makes eighteen", "FA060"),
)
add(*("attacks", INTEGER, ONE, counted("{", '"k{i}":{i}', 1000000, "}")), *("parse.too_long", "P6: a million keys are never read", "FA062"))
add(*("attacks", DECIMAL, established('"Infinity"'), as_text(proposed('"1e400"'))), *("invalid", "evidence holds no infinity, so none can be proposed", "FA053"))


def main() -> None:
    """Write the files."""
    for file, lines in LINES.items():
        (HERE / f"{file}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{sum(map(len, LINES.values()))} vectors in {len(LINES)} files")


if __name__ == "__main__":
    main()
