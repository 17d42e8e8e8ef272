"""A second verifier of claims, written from spec/verification.md alone: slow, naive, one file, standard library.

It shares no code with the package and prefers the obvious way to the fast one: a JSON reader that keeps numbers as
their tokens, Python values compared as such, `Fraction` for every number. Use it to check another implementation:

    python reference/assay_ref.py                 # its own fuzzer: counts, exit 1 on any false acceptance
    python reference/assay_ref.py FILE.jsonl …    # vector files (section 6), exit 3 on any mismatch

`decide` gives verdict and code; `judge` gives every code that the specification allows for the case.
"""

from __future__ import annotations

import datetime as dt
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

# ---------------------------------------------------------------------------------------------------------------- JSON


class Num(NamedTuple):
    """A JSON number as it was written."""

    token: str


Json: TypeAlias = "bool | str | Num | list[Json] | dict[str, Json] | None"


class Faulty(Exception):
    """No denotation, or no proposal; `codes` are the codes that may be given."""

    def __init__(self, *codes: str) -> None:
        super().__init__(", ".join(codes))
        self.codes = frozenset(codes)


class BadKindError(Exception):
    """A kind, or an established state, that the specification does not have."""


class Reader:
    """One JSON document, character by character."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.faults = text, 0, set[str]()

    def document(self) -> Json:
        """The document, or Faulty with every fault met before the reading ended."""
        try:
            found = self.value()
            self.space()
            if self.at != len(self.text):
                self.stop()
        except IndexError:
            self.faults.add("parse.json")
            raise Faulty(*self.faults) from None
        if self.faults:
            raise Faulty(*self.faults)
        return found

    def stop(self) -> None:
        raise IndexError

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t\n\r":
            self.at += 1

    def take(self, expected: str) -> None:
        if not self.text.startswith(expected, self.at):
            self.stop()
        self.at += len(expected)

    def value(self) -> Json:
        self.space()
        first = self.text[self.at]
        if first == "{":
            return self.object()
        if first == "[":
            return self.array()
        if first == '"':
            return self.string()
        words: dict[str, Json] = {"true": True, "false": False, "null": None}
        for word, meaning in words.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        return self.number()

    def number(self) -> Num:
        start = self.at
        if self.text[self.at] == "-":
            self.at += 1
        if self.text[self.at] == "0":
            self.at += 1
        else:
            self.digits()
        if self.text.startswith(".", self.at):
            self.at += 1
            self.digits()
        if self.at < len(self.text) and self.text[self.at] in "eE":
            self.at += 1
            if self.text[self.at] in "+-":
                self.at += 1
            self.digits()
        return Num(self.text[start : self.at])

    def digits(self) -> None:
        if self.text[self.at] not in "0123456789":
            self.stop()
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1

    def string(self) -> str:
        self.take('"')
        units = ""
        while self.text[self.at] != '"':
            char = self.text[self.at]
            if char < " ":
                self.stop()
            self.at += 1
            if char == "\\":
                escape = self.text[self.at]
                self.at += 1
                if escape == "u":
                    digits = self.text[self.at : self.at + 4]
                    if len(digits) != 4 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
                        self.stop()
                    self.at += 4
                    char = chr(int(digits, 16))
                else:
                    char = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}.get(escape, escape)
                    if escape not in '"\\/bfnrt':
                        self.stop()
            units += char
        self.at += 1
        # Two escaped halves make one character; a half that is left alone is a fault.
        joined = re.sub("[\ud800-\udbff][\udc00-\udfff]", _join, units)
        if re.search("[\ud800-\udfff]", joined):
            self.faults.add("parse.surrogate")
        return joined

    def array(self) -> Json:
        self.take("[")
        found: list[Json] = []
        self.space()
        while self.text[self.at] != "]":
            if found:
                self.take(",")
            found.append(self.value())
            self.space()
        self.take("]")
        return found

    def object(self) -> Json:
        self.take("{")
        found: dict[str, Json] = {}
        self.space()
        while self.text[self.at] != "}":
            if found:
                self.take(",")
                self.space()
            key = self.string()
            self.space()
            self.take(":")
            if key in found:
                self.faults.add("parse.duplicate_key")
            found[key] = self.value()
            self.space()
        self.take("}")
        return found


def _join(halves: re.Match[str]) -> str:
    return halves[0].encode("utf-16", "surrogatepass").decode("utf-16")


def depth(text: str) -> int:
    """How deep brackets stand outside strings, whatever the syntax."""
    deepest = level = backslashes = 0
    inside = False
    for char in text:
        if char == '"' and backslashes % 2 == 0:
            inside = not inside
        elif char in "[{" and not inside:
            level += 1
            deepest = max(deepest, level)
        elif char in "]}" and not inside:
            level = max(0, level - 1)
        backslashes = backslashes + 1 if char == "\\" else 0
    return deepest


# ----------------------------------------------------------------------------------------------------------- proposals


def read_proposal(data: bytes) -> tuple[str, Json]:
    """State and raw value (None for an abstention), or Faulty."""
    if len(data) > 4096:
        raise Faulty("parse.too_long")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Faulty("parse.encoding") from None
    if depth(text) > 8:
        raise Faulty("parse.depth")
    found = Reader(text).document()
    if not isinstance(found, dict) or "state" not in found or set(found) - {"state", "value"}:
        raise Faulty("proposal.shape")
    state = found["state"]
    if state == "VALUE":
        if "value" not in found:
            raise Faulty("proposal.shape")
        return "VALUE", found["value"]
    if isinstance(state, str) and state in {"INSUFFICIENT_EVIDENCE", "CONFLICT_NOT_RESOLVED", "NO_ENTITY"}:
        if "value" in found:
            raise Faulty("proposal.shape")
        return state, None
    raise Faulty("proposal.state")


# --------------------------------------------------------------------------------------------------------------- kinds

Object = dict[str, Json]
SCALARS = ("integer", "boolean", "category", "identifier", "decimal", "date")


def check_kind(kind: Json) -> Object:
    """The kind, if the specification has it; else BadKindError."""
    if not isinstance(kind, dict):
        raise BadKindError("a kind is an object")
    name = kind.get("kind")
    keys: dict[Json, tuple[set[str], set[str]]] = {
        "integer": (set(), {"label"}),
        "boolean": (set(), set()),
        "category": ({"vocabulary"}, set()),
        "identifier": (set(), {"prefix"}),
        "decimal": (set(), {"grid"}),
        "quantity": ({"units"}, {"grid", "uncertainty"}),
        "interval": ({"of"}, set()),
        "set": ({"of"}, set()),
        "date": (set(), set()),
        "polymer": (set(), set()),
    }
    if not isinstance(name, str) or name not in keys:
        raise BadKindError("no such kind")
    needed, optional = keys[name]
    if not needed | {"kind"} <= set(kind) <= needed | optional | {"kind"}:
        raise BadKindError("a key is missing or unknown")
    if "label" in kind:
        check_word(kind["label"])
    if "vocabulary" in kind:
        words = kind["vocabulary"]
        if not isinstance(words, list) or not words or any(words.count(word) > 1 for word in words):
            raise BadKindError("a vocabulary is an array of different words")
        for word in words:
            check_word(word)
    if "prefix" in kind:
        prefix = kind["prefix"]
        if not isinstance(prefix, str) or len(prefix) > 126 or not re.fullmatch("[A-Za-z][A-Za-z0-9._-]*", prefix):
            raise BadKindError("not a prefix")
    if "units" in kind:
        units = kind["units"]
        if not isinstance(units, dict) or not units:
            raise BadKindError("units are an object with at least one")
        for unit, rule in units.items():
            check_word(unit)
            if not isinstance(rule, dict) or not {"factor"} <= set(rule) <= {"factor", "offset"}:
                raise BadKindError("a unit is a factor and perhaps an offset")
            rational(rule.get("offset", "0"))
            if rational(rule["factor"]) <= 0:
                raise BadKindError("a factor is positive")
    if "uncertainty" in kind and not isinstance(kind["uncertainty"], bool):
        raise BadKindError("`uncertainty` is true or false")
    if "grid" in kind:
        check_grid(kind["grid"], kind.get("units"))
    if "of" in kind:
        inner = check_kind(kind["of"])
        if inner["kind"] not in (("integer", "decimal") if name == "interval" else SCALARS):
            raise BadKindError("an inner kind that may not stand there")
    return kind


def check_word(word: Json) -> None:
    if not isinstance(word, str) or not 1 <= len(word) <= 128 or word[0] in " \t" or word[-1] in " \t":
        raise BadKindError("not a word")
    for char in word:
        if ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F or 0xD800 <= ord(char) <= 0xDFFF:
            raise BadKindError("a control character in a word")


def check_grid(grid: Json, units: Json) -> None:
    if not isinstance(grid, dict):
        raise BadKindError("a grid is an object")
    if isinstance(units, dict):
        unit = grid.get("unit")
        if not isinstance(unit, str) or unit not in units:
            raise BadKindError("a quantity's grid names one of its units")
        grid = {key: item for key, item in grid.items() if key != "unit"}
    if set(grid) not in ({"decimals"}, {"significant"}):
        raise BadKindError("a grid is decimals or significant")
    count = next(iter(grid.values()))
    least = 0 if "decimals" in grid else 1
    if not isinstance(count, Num) or not re.fullmatch("0|[1-9][0-9]{0,2}", count.token):
        raise BadKindError("not a whole number")
    if not least <= int(count.token) <= 100:
        raise BadKindError("out of bounds")


def rational(written: Json) -> Fraction:
    """An exact rational of a unit."""
    if isinstance(written, Num):
        if not re.fullmatch("0|-?[1-9][0-9]*", written.token):
            raise BadKindError("a number with a point or exponent")
        return ratio(written.token)
    if not isinstance(written, str) or written.count("/") > 1 or re.search("[ \t]", written):
        raise BadKindError("not a rational")
    return ratio(written)


@lru_cache(1024)
def ratio(text: str) -> Fraction:
    """`N` or `N/N` without padding."""
    try:
        numbers = [read_number(piece) for piece in text.split("/")]
    except Faulty:
        raise BadKindError("not a decimal") from None
    if len(numbers) == 2 and numbers[1] == 0:
        raise BadKindError("division by zero")
    found = numbers[0] / numbers[1] if len(numbers) == 2 else numbers[0]
    if abs(found.numerator) >= 10**60 or found.denominator >= 10**60:
        raise BadKindError("more than 60 digits")
    return found


# ---------------------------------------------------------------------------------------------------------- denotation

Scalar = int | bool | str | Fraction
Ends = tuple[Scalar | None, bool, Scalar | None, bool]
Meaning = Scalar | tuple[Fraction, Fraction | None] | Ends | frozenset[Scalar]


@lru_cache(4096)
def read_number(text: str) -> Fraction:
    """A decimal text without padding."""
    parts = re.fullmatch(r"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?", text)
    if not parts:
        raise Faulty("value.grammar")
    sign, whole, fraction, direction, power = (part or "" for part in parts.groups())
    power = power.lstrip("0") or "0"
    if len(whole) > 100 or len(fraction) > 100 or len(power) > 3 or int(power) > 400:
        raise Faulty("value.too_long")
    size = Fraction(int(whole + fraction), 10 ** len(fraction)) * Fraction(10) ** int(direction + power)
    if sign and size == 0:
        raise Faulty("value.grammar")
    return -size if sign else size


def raw_number(raw: Json) -> Fraction:
    """A decimal as text or as a JSON integer."""
    if isinstance(raw, Num):
        if not re.fullmatch("0|-?[1-9][0-9]*", raw.token):
            raise Faulty("value.type")
        return read_number(raw.token)
    if not isinstance(raw, str):
        raise Faulty("value.type")
    return read_number(raw.strip(" \t"))


def digits_of(number: Fraction) -> int | None:
    """How many significant digits the number has; None where it never ends."""
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return None
    top = abs(number.numerator)
    while top % number.denominator:
        top *= 10
    whole = top // number.denominator
    while whole and whole % 10 == 0:
        whole //= 10
    return len(str(whole)) if whole else 0


def grid_of(kind: Object) -> tuple[str, int] | None:
    grid = kind.get("grid")
    if not isinstance(grid, dict):
        return None
    for name in ("decimals", "significant"):
        count = grid.get(name)
        if isinstance(count, Num):
            return name, int(count.token)
    raise BadKindError("a grid is decimals or significant")


def is_on(number: Fraction, grid: tuple[str, int] | None) -> bool:
    if grid is None:
        return True
    name, count = grid
    if name == "decimals":
        return bool(10**count % number.denominator == 0)
    digits = digits_of(number)
    return digits is not None and digits <= count


def rounded(number: Fraction, grid: tuple[str, int] | None) -> Fraction:
    """The nearest point of the grid, ties to even."""
    if grid is None or number == 0:
        return number
    name, count = grid
    step = Fraction(1, 10**count)
    if name == "significant":
        size = 0  # 10^size <= |number| < 10^(size + 1)
        while abs(number) >= Fraction(10) ** (size + 1):
            size += 1
        while abs(number) < Fraction(10) ** size:
            size -= 1
        step = Fraction(10) ** (size - count + 1)
    return round(number / step) * step


def denote(kind: Object, raw: Json, *, established: bool = False) -> Meaning:
    """What the raw value means in the kind, or Faulty. An established value is put on the grid instead of refused."""
    name = kind["kind"]
    if name == "quantity":
        return quantity(kind, raw, established=established)
    if name == "interval":
        return interval(kind, raw, established=established)
    if name == "set":
        return members(kind, raw, established=established)
    return scalar(kind, raw, established=established)


def scalar(kind: Object, raw: Json, *, established: bool) -> Scalar:
    name = kind["kind"]
    if name == "boolean":
        if not isinstance(raw, bool):
            raise Faulty("value.type")
        return raw
    if name == "decimal":
        number = raw_number(raw)
        if established:
            return rounded(number, grid_of(kind))
        if not is_on(number, grid_of(kind)):
            raise Faulty("value.off_grid")
        return number
    if name == "integer" and isinstance(raw, Num):
        return int(raw_number(raw))
    if not isinstance(raw, str):
        raise Faulty("value.type")
    token = raw.strip(" \t")
    if name == "integer":
        if not re.fullmatch("0|-?[1-9][0-9]*", token):
            raise Faulty("value.grammar")
        return int(read_number(token))
    if len(token) > 128:
        raise Faulty("value.too_long")
    if name == "category":
        words = kind["vocabulary"]
        if not isinstance(words, list) or token not in words:
            raise Faulty("value.vocabulary")
        return token
    if name == "identifier":
        curie = re.fullmatch("([A-Za-z][A-Za-z0-9._-]*):[!-~]+", token)
        if not curie:
            raise Faulty("value.grammar")
        if "prefix" in kind and curie[1] != kind["prefix"]:
            raise Faulty("value.prefix")
        return token
    if name == "date":
        if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", token):
            raise Faulty("value.grammar")
        try:
            dt.date(int(token[:4]), int(token[5:7]), int(token[8:]))
        except ValueError:
            raise Faulty("value.grammar") from None
        return token
    raise BadKindError("not a scalar kind")


def fields(raw: Json, keys: set[str]) -> Object:
    if not isinstance(raw, dict):
        raise Faulty("value.type")
    if set(raw) != keys:
        raise Faulty("value.keys")
    return raw


def quantity(kind: Object, raw: Json, *, established: bool) -> tuple[Fraction, Fraction | None]:
    asks = kind.get("uncertainty") is True
    found = fields(raw, {"n", "unit", "u"} if asks else {"n", "unit"})
    faults: set[str] = set()
    number = spread = Fraction(0)
    try:
        number = raw_number(found["n"])
    except Faulty as fault:
        faults |= fault.codes
    try:
        spread = raw_number(found.get("u", "0"))
    except Faulty as fault:
        faults |= fault.codes
    if spread < 0:
        faults.add("value.negative_uncertainty")
    units, unit = kind["units"], found["unit"]
    if not isinstance(unit, str):
        raise Faulty("value.type", *faults)
    if not isinstance(units, dict) or unit not in units:
        raise Faulty("value.unit", *(["value.too_long"] if len(unit) > 128 else []), *faults)
    factor, offset = rule_of(units[unit])
    base = number * factor + offset
    grid = kind.get("grid")
    if isinstance(grid, dict):
        grid_unit = grid["unit"]
        grid_factor, grid_offset = rule_of(units[str(grid_unit)])
        there = (base - grid_offset) / grid_factor
        if established:
            base = rounded(there, grid_of(kind)) * grid_factor + grid_offset
        elif not is_on(there, grid_of(kind)):
            faults.add("value.off_grid")
    if faults:
        raise Faulty(*faults)
    return base, spread * factor if asks else None


def rule_of(rule: Json) -> tuple[Fraction, Fraction]:
    if not isinstance(rule, dict):
        raise BadKindError("a unit is an object")
    return rational(rule["factor"]), rational(rule.get("offset", "0"))


def interval(kind: Object, raw: Json, *, established: bool) -> Ends:
    found = fields(raw, {"lo", "hi", "lo_closed", "hi_closed"})
    inner = kind["of"]
    if not isinstance(inner, dict):
        raise BadKindError("an inner kind is an object")
    faults: set[str] = set()
    ends: list[Scalar | None] = []
    shut: list[bool] = []
    for side in ("lo", "hi"):
        end, closed = None, found[side + "_closed"]
        if not isinstance(closed, bool):
            faults.add("value.type")
            closed = False
        elif closed and found[side] is None:
            faults.add("value.empty_interval")
        if found[side] is not None:
            try:
                end = scalar(inner, found[side], established=established)
            except Faulty as fault:
                faults |= fault.codes
        if inner["kind"] == "integer" and isinstance(end, int) and not closed:
            end, closed = (end + 1 if side == "lo" else end - 1), True
        ends.append(end)
        shut.append(closed)
    if faults:
        raise Faulty(*faults)
    lo, hi = ends
    if (
        isinstance(lo, (int, Fraction))
        and isinstance(hi, (int, Fraction))
        and (lo > hi or (lo == hi and not all(shut)))
    ):
        raise Faulty("value.empty_interval")
    return lo, shut[0], hi, shut[1]


def members(kind: Object, raw: Json, *, established: bool) -> frozenset[Scalar]:
    inner = kind["of"]
    if not isinstance(inner, dict):
        raise BadKindError("an inner kind is an object")
    if not isinstance(raw, list):
        raise Faulty("value.type")
    faults: set[str] = {"value.too_long"} if len(raw) > 256 else set()
    exact = {key: item for key, item in inner.items() if key != "grid"}
    written: list[Scalar] = []
    found: list[Scalar] = []
    for member in raw:
        try:
            written.append(scalar(exact, member, established=established))
            found.append(scalar(inner, member, established=established))
        except Faulty as fault:
            faults |= fault.codes
    if any(written.count(one) > 1 for one in written):
        faults.add("value.duplicate")
    if faults:
        raise Faulty(*faults)
    return frozenset(found)


# -------------------------------------------------------------------------------------------------------------- verify


def judge(kind: Json, established: Json, proposal: bytes) -> tuple[str, frozenset[str]]:
    """Verdict, and for a refusal every code that may be given: one, where the specification fixes it."""
    try:
        checked = check_kind(kind)
        state, meant = read_established(checked, established)
    except (BadKindError, Faulty):
        return "INVALID_VECTOR", frozenset()
    try:
        asserted, raw = read_proposal(proposal)
        if asserted == "VALUE":
            meaning = denote(checked, raw)
            accepted, code = state == "VALUE" and meaning == meant, "value.not_equal"
        elif asserted == "INSUFFICIENT_EVIDENCE":
            accepted, code = state in {"INSUFFICIENT", "NO_ENTITY"}, "insufficient.not_established"
        elif asserted == "CONFLICT_NOT_RESOLVED":
            accepted, code = state == "CONFLICT", "conflict.not_established"
        else:
            accepted, code = state == "NO_ENTITY", "no_entity.not_established"
    except Faulty as fault:
        return "REJECT", fault.codes
    return ("ACCEPT", frozenset()) if accepted else ("REJECT", frozenset({code}))


@lru_cache(1024)
def read_json(text: str) -> Json:
    """A kind or an established state; a text that is no JSON is neither, so null stands for it."""
    try:
        return Reader(text).document()
    except (Faulty, RecursionError):
        return None


def decide(kind_json: str, established_json: str, proposal: bytes) -> tuple[str, str]:
    """ACCEPT, REJECT or INVALID_VECTOR, and the code of a refusal (of several allowed ones the first by name)."""
    verdict, codes = judge(read_json(kind_json), read_json(established_json), proposal)
    return verdict, min(codes, default="")


def read_established(kind: Object, established: Json) -> tuple[str, Meaning | None]:
    if kind["kind"] == "polymer" or not isinstance(established, dict):
        raise BadKindError("nothing can be established")
    state = established.get("state")
    if state == "VALUE" and set(established) == {"state", "value"}:
        return "VALUE", denote(kind, established["value"], established=True)
    if isinstance(state, str) and state in {"INSUFFICIENT", "CONFLICT", "NO_ENTITY"} and set(established) == {"state"}:
        return state, None
    raise BadKindError("not an established state")


# ------------------------------------------------------------------------------------------------------------- vectors

LIMIT = 64 * 2**20


def run_vectors(path: str) -> Iterator[str]:
    """A line for each vector of the file whose verdict or code is not the required one."""
    with open(path, encoding="utf-8") as lines:  # noqa: PTH123 - nothing but the obvious
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            vector = json.loads(line, parse_int=Num, parse_float=Num, object_pairs_hook=pairs)
            verdict, codes = judge(vector["kind"], vector["established"], proposal_of(vector))
            wanted = vector["verdict"], vector.get("code")
            if verdict != wanted[0] or (wanted[1] is not None and wanted[1] not in codes):
                yield f"{path}:{number}: {vector['id']}: required {wanted}, got {verdict} {sorted(codes)}"


def pairs(found: list[tuple[str, Json]]) -> Json:
    """An object; one with a key twice is nothing that a kind or a state could be."""
    return dict(found) if len(dict(found)) == len(found) else Num("duplicate")


def proposal_of(vector: dict[str, Json]) -> bytes:
    """The bytes of the one form of proposal that the vector has."""
    if "proposal" in vector:
        return str(vector["proposal"]).encode("utf-8", "surrogatepass")
    if "proposal_hex" in vector:
        return bytes.fromhex(str(vector["proposal_hex"]))
    rule = vector.get("proposal_repeat", vector.get("proposal_count"))
    if not isinstance(rule, dict) or not isinstance(rule["times"], Num):
        raise BadKindError("a vector without a proposal")
    times = int(rule["times"].token)
    if "unit" in rule:
        middle = str(rule["unit"]) * times
    else:
        middle = str(rule["sep"]).join(str(rule["template"]).replace("{i}", str(i)) for i in range(times))
    return f"{rule['prefix']}{middle}{rule['suffix']}".encode("utf-8", "surrogatepass")


# -------------------------------------------------------------------------------------------------------------- fuzzer

METRES = '"m":{"factor":"1"},"mm":{"factor":"0.001"},"in":{"factor":"0.0254"},"third":{"factor":"1/3"}'
KELVIN = '"K":{"factor":"1"},"degC":{"factor":"1","offset":"273.15"},"degF":{"factor":"5/9","offset":"45967/180"}'
WORDS = '"vocabulary":["less","equal","greater","größer"]'
KINDS = {
    "integer": '{"kind":"integer","label":"residue"}',
    "boolean": '{"kind":"boolean"}',
    "category": f'{{"kind":"category",{WORDS}}}',
    "identifier": '{"kind":"identifier"}',
    "identifier of a prefix": '{"kind":"identifier","prefix":"uniprot"}',
    "date": '{"kind":"date"}',
    "decimal": '{"kind":"decimal"}',
    "decimal, 2 decimals": '{"kind":"decimal","grid":{"decimals":2}}',
    "decimal, 3 significant": '{"kind":"decimal","grid":{"significant":3}}',
    "quantity": f'{{"kind":"quantity","units":{{{METRES}}}}}',
    "quantity, 1 decimal": f'{{"kind":"quantity","units":{{{METRES}}},"grid":{{"decimals":1,"unit":"mm"}}}}',
    "quantity, 3 significant": f'{{"kind":"quantity","units":{{{KELVIN}}},"grid":{{"significant":3,"unit":"degC"}}}}',
    "quantity with u": f'{{"kind":"quantity","units":{{{KELVIN}}},"uncertainty":true}}',
    "interval of integer": '{"kind":"interval","of":{"kind":"integer"}}',
    "interval of decimal": '{"kind":"interval","of":{"kind":"decimal"}}',
    "interval, 1 decimal": '{"kind":"interval","of":{"kind":"decimal","grid":{"decimals":1}}}',
    "set of integer": '{"kind":"set","of":{"kind":"integer"}}',
    "set of decimal": '{"kind":"set","of":{"kind":"decimal","grid":{"significant":2}}}',
    "set of category": f'{{"kind":"set","of":{{"kind":"category",{WORDS}}}}}',
    "set of identifier": '{"kind":"set","of":{"kind":"identifier","prefix":"go"}}',
}
CASES = 600  # every kind with every sort several times over, in a fraction of a second
READ = {name: check_kind(Reader(text).document()) for name, text in KINDS.items()}


class Case(NamedTuple):
    """One question to a verifier; `sort` says what it must be: exact, wrong, malformed, or abstention."""

    kind: str
    established: str
    proposal: bytes
    sort: str


WRITER = json.JSONEncoder(ensure_ascii=False)


def quoted(text: str) -> str:
    return WRITER.encode(text)


def numeral(rng: random.Random, number: Fraction) -> str:
    """One of the many spellings of a finite decimal, as a JSON value."""
    places = 0
    while number.numerator * 10**places % number.denominator:
        places += 1
    mantissa = int(number * 10**places)
    style = rng.randrange(5)
    if style == 0 and places == 0:
        return str(mantissa)
    if style == 1 and mantissa:
        shift = rng.randrange(4)
        text = f"{mantissa * 10**shift}{rng.choice('eE')}{-places - shift}"
    elif style == 2 and places == 0 and mantissa % 10 == 0 and mantissa:
        text = f"{mantissa // 10}e{rng.choice(['1', '+1', '01', '+001'])}"
    else:
        digits = str(abs(mantissa)).rjust(places + 1, "0")
        whole, fraction = digits[: len(digits) - places], digits[len(digits) - places :]
        fraction += "0" * rng.choice([0, 0, 1, 3])
        text = ("-" if mantissa < 0 else "") + whole + ("." + fraction if fraction else "")
    return padded(rng, text)


def padded(rng: random.Random, text: str) -> str:
    return quoted(rng.choice(["", "", " ", "\t", " \t "]) + text + rng.choice(["", "", " ", "\t"]))


def a_number(rng: random.Random, grid: tuple[str, int] | None) -> Fraction:
    """A number on the grid; small ones are common, since there the traps lie."""
    if grid is not None and grid[0] == "decimals":
        return Fraction(rng.choice([rng.randint(-99, 99), rng.randint(-(10**9), 10**9)]), 10 ** grid[1])
    figures = grid[1] if grid is not None else rng.choice([1, 2, 3, 9, 17, 30])
    whole = rng.randint(-(10**figures) + 1, 10**figures - 1)
    return whole * Fraction(10) ** rng.choice([0, 0, -1, -2, -7, 3, 20])


Guess: TypeAlias = "Scalar | list[Guess] | tuple[Guess, ...] | None"


def guess(rng: random.Random, kind: Object) -> Guess:
    """Some value of the kind, on its grid: what `spelt` can spell."""
    name = kind["kind"]
    if name == "integer":
        return rng.choice([rng.randint(-3, 20), rng.randint(-999, 999), rng.randint(-(10**30), 10**30)])
    if name == "boolean":
        return rng.random() < 0.5
    if name == "category":
        words = kind["vocabulary"]
        return str(rng.choice(words)) if isinstance(words, list) else ""
    if name == "identifier":
        tail = "".join(rng.choice("ABCXYZabc0123456789_.:#/") for _ in range(rng.randint(1, 9)))
        return f"{kind.get('prefix', rng.choice(['uniprot', 'chebi', 'x']))}:{tail}"
    if name == "date":
        day = dt.date(1, 1, 1) + dt.timedelta(rng.choice([rng.randrange(3652059), 738000 + rng.randrange(1500)]))
        return day.isoformat()
    if name == "decimal":
        return a_number(rng, grid_of(kind))
    if name == "quantity":
        grid, units = kind.get("grid"), kind["units"]
        if not isinstance(units, dict):
            return None
        unit = str(grid["unit"]) if isinstance(grid, dict) else rng.choice([unit for unit in units if unit != "degF"])
        factor, offset = rule_of(units[unit])
        spread = abs(a_number(rng, None)) if kind.get("uncertainty") is True else Fraction(0)
        return a_number(rng, grid_of(kind)) * factor + offset, spread
    inner = kind["of"]
    if not isinstance(inner, dict):
        return None
    if name == "interval":
        ends = sorted({plain(guess(rng, inner)), plain(guess(rng, inner))})
        if len(ends) == 1:
            return ends[0], True, ends[0], True
        shut = (rng.random() < 0.5, rng.random() < 0.5)
        if inner["kind"] == "integer" and ends[1] - ends[0] < 2:
            shut = True, True
        lo, hi = (None if rng.random() < 0.1 else end for end in ends)
        return lo, shut[0] and lo is not None, hi, shut[1] and hi is not None
    return [*{guess_scalar(rng, inner) for _ in range(rng.randrange(6))}]


def plain(number: Guess) -> Fraction | int:
    return number if isinstance(number, (int, Fraction)) else 0


def guess_scalar(rng: random.Random, kind: Object) -> Scalar:
    found = guess(rng, kind)
    return found if isinstance(found, (int, str, Fraction)) else ""


def spelt(rng: random.Random, kind: Object, value: Guess) -> str:
    """One of the admitted spellings, as JSON."""
    name = kind["kind"]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if rng.random() < 0.4 else padded(rng, str(value))
    if isinstance(value, Fraction):
        return numeral(rng, value)
    if isinstance(value, str):
        return padded(rng, value)
    if isinstance(value, list) and isinstance(kind["of"], dict):
        inner, written = kind["of"], value[:]
        rng.shuffle(written)
        return "[" + ",".join(spelt(rng, inner, member) for member in written) + "]"
    if name == "interval" and isinstance(value, tuple) and isinstance(kind["of"], dict):
        lo, lo_shut, hi, hi_shut = value
        if kind["of"]["kind"] == "integer" and isinstance(lo, int) and lo_shut and rng.random() < 0.3:
            lo, lo_shut = lo - 1, False
        ends = [spelt(rng, kind["of"], end) if end is not None else "null" for end in (lo, hi)]
        parts = [f'"lo":{ends[0]}', f'"hi":{ends[1]}']
        parts += [f'"lo_closed":{"true" if lo_shut else "false"}', f'"hi_closed":{"true" if hi_shut else "false"}']
    elif name == "quantity" and isinstance(value, tuple) and isinstance(kind["units"], dict):
        base, spread = plain(value[0]), plain(value[1])
        ways = []
        for unit, rule in kind["units"].items():
            factor, offset = rule_of(rule)
            there = (base - offset) / factor, spread / factor
            if all(digits_of(number) is not None for number in there):
                ways.append((unit, there))
        unit, there = rng.choice(ways)
        parts = [f'"n":{numeral(rng, there[0])}', f'"unit":{quoted(unit)}']
        if kind.get("uncertainty") is True:
            parts.append(f'"u":{numeral(rng, there[1])}')
    else:
        raise BadKindError("nothing to spell")
    rng.shuffle(parts)
    return "{" + ",".join(parts) + "}"


def off_by_little(rng: random.Random, kind: Object, value: Guess) -> Guess:
    """Another value of the kind, as near as a mistake would be."""
    name = kind["kind"]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, value * 10 + 1, -value or 1])
    if isinstance(value, list) and value and isinstance(kind["of"], dict):
        return value[1:]
    if name == "interval" and isinstance(value, tuple) and len(value) == 4 and isinstance(kind["of"], dict):
        lo, lo_shut, hi, hi_shut = value
        if hi is None:
            return lo, lo_shut, plain(lo) + 1000000, True
        return lo, lo_shut, plain(hi) + 1, hi_shut
    for _ in range(50):
        other = guess(rng, kind)
        if other != value:
            return other
    raise BadKindError("a kind of one value")


FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
ARABIC_INDIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
# The break of the paper: a fraction that a coercion turns into the integer that was established.
COERCIONS = (
    *("142.5", '"142.5"', "142.0", '"142.0"', "142.9999999999999999", '"142.00000000000000000001"'),
    *("1.42e2", '"1.42e2"', '"142."', '"142.0e0"', '"142,5"', "[142]"),
)


def bad_numerals(number: int) -> list[str]:
    """Spellings of a whole number that some reader takes and the grammar of no number kind does."""
    n, size = str(number), abs(number)
    texts = [
        f"+{n}",
        f"0{n}",
        f"{n}_0",
        f"{n}_000",
        n.translate(FULL_WIDTH),
        n.translate(ARABIC_INDIC),
        f"{n}e",
        "²",
        "",
    ]
    texts += [f"\u00a0{n}", f"{n}\n", f"{n}.", f".{size}", f"{n},0", f"{n}%", f"~{n}", f"0x{size:x}", f"{n}\u200b"]
    texts += [f"\ufeff{n}", f"{n} {n}", f"--{n}", f"\u2212{size}", f"{n}e401", f"{n}e-401", "NaN", "Infinity", "-0"]
    texts += ["1" * 101, f"1.{'0' * 101}", f"{n}.0.0", f"{n}/1"]
    bare = [f"{n}.0", f"{n}.5", f"{n}e0", f"0{abs(number)}", f"+{abs(number)}", "-0", "1" * 101, "NaN", "null", "true"]
    return [quoted(text) for text in texts] + bare + [f"[{n}]", f'{{"n":{n}}}', f"'{n}'", f"{n},", f"{n}}} "]


def numbered(kind: Object, number: int) -> Guess:
    """The value of the kind that is this number, or holds it alone; None where the kind has no numbers."""
    name, inner = kind["kind"], kind.get("of")
    if name == "integer":
        return number
    if name == "decimal":
        return Fraction(number)
    if name == "quantity" and isinstance(kind["units"], dict):
        factor, offset = rule_of(kind["units"][unit_of(kind)])
        return number * factor + offset, Fraction(0)
    held = numbered(inner, number) if isinstance(inner, dict) else None
    if held is None:
        return None
    return (held, True, held, True) if name == "interval" else [held]


def unit_of(kind: Object) -> str:
    """The unit of the grid, or the first."""
    grid, units = kind.get("grid"), kind["units"]
    return str(grid["unit"]) if isinstance(grid, dict) else next(iter(units)) if isinstance(units, dict) else ""


def malformed(rng: random.Random, kind: Object, value: Guess, number: int, raw: str) -> str:
    """A text that denotes nothing in the kind, though some reader would take it for the established value.

    `number` is what the value holds where it holds one; `raw` is an admitted spelling of it.
    """
    name = kind["kind"]
    bad = rng.choice(bad_numerals(number))
    if name == "integer":
        return rng.choice(
            [bad, bad, f"{number}.5", quoted(f"{number}.0"), quoted(f"{number}.5"), quoted(f"{number}e0")]
        )
    if name == "decimal":
        return bad
    if name == "quantity":
        spread = ',"u":"0"' if kind.get("uncertainty") is True else ""
        whole = f'{{"n":{bad},"unit":{quoted(unit_of(kind))}{spread}}}'
        return rng.choice([whole, whole, whole, '"1 m"', "1", raw[:-1] + ',"x":1}', raw[:-1] + ',"n":"1"}', raw[:-1]])
    if name == "interval":
        whole = f'{{"lo":{bad},"hi":{number},"lo_closed":true,"hi_closed":true}}'
        wrong_way = f'{{"lo":{number + 1},"hi":{number},"lo_closed":true,"hi_closed":true}}'
        return rng.choice([whole, whole, whole, wrong_way, f'"[{number},{number}]"', raw[:-1] + ',"x":1}', str(number)])
    if name == "set":
        written = raw[1:-1]
        twice = [f"[{written},{written}]"] * 3 if written else []
        return rng.choice([*twice, f"[{bad}]", f"[{raw}", f"[{raw}]", f"[{written},]", "[null]", "{}", f'"{written}'])
    if name == "boolean":
        return rng.choice(["1", "0", '"true"', '"True"', "True", "null", "[]", '""', '"false"', f"[{raw}]"])
    word = value if isinstance(value, str) else ""
    texts = [f"{word}\n", f"\u00a0{word}", f"{word}\u200b", f"{word} {word}", f"{word},", "", "kin\u0430se", "x" * 129]
    if name == "date":
        texts += ["2023-02-29", "2024-2-29", "2024-13-01", "0000-01-01", "29.02.2024", "1900-02-29", "２０２４-02-29"]
        texts += [f"{word}T00:00", word.replace("-", ""), word.replace("-0", "-"), word.translate(FULL_WIDTH)]
    else:
        texts += [
            "uniprot:",
            ":x",
            "uniprot P69905",
            "uniprot:P 1",
            "uniprot:é",
            word.swapcase(),
            word.replace(":", ""),
        ]
        texts += ["UNIPROT:P69905", "chebi:1"] if "prefix" in kind else ["uniprot\u00a0:1", "1:x"]
    return rng.choice([*(quoted(text) for text in texts if text != word), "1", "null", f"[{raw}]", "true"])


def envelope(rng: random.Random, raw: str) -> str:
    space = rng.choice(["", "", " ", "\n"])
    state = rng.choice(['"state"', '"state"', '"st\\u0061te"']) + ":" + space + '"VALUE"'
    parts = [state, f'"value":{space}{raw}']
    if rng.random() < 0.2:
        parts.reverse()
    return "{" + space + f",{space}".join(parts) + space + "}"


ABSTENTIONS = {
    "INSUFFICIENT_EVIDENCE": ("INSUFFICIENT", "NO_ENTITY"),
    "CONFLICT_NOT_RESOLVED": ("CONFLICT",),
    "NO_ENTITY": ("NO_ENTITY",),
}


def case(rng: random.Random, name: str, sort: str) -> Case:
    """One case of a kind, of the sort asked for, from the kind's own values and not from `denote`."""
    kind, number = READ[name], rng.randint(-200, 200)
    value = guess(rng, kind)
    if sort == "malformed":
        held = numbered(kind, number)
        value = value if held is None else held
    if sort == "wrong" and value == []:
        sort = "exact"
    raw = spelt(rng, kind, value)
    established = f'{{"state":"VALUE","value":{spelt(rng, kind, value)}}}'
    if sort == "exact":
        proposal = envelope(rng, raw)
    elif sort == "wrong":
        proposal = envelope(rng, spelt(rng, kind, off_by_little(rng, kind, value)))
    elif sort == "malformed":
        proposal = envelope(rng, malformed(rng, kind, value, number, raw))
    else:
        word = rng.choice([*ABSTENTIONS])
        state = rng.choice(["INSUFFICIENT", "CONFLICT", "NO_ENTITY"])
        sort = "exact" if state in ABSTENTIONS[word] else "wrong"
        established, proposal = f'{{"state":"{state}"}}', f'{{"state":"{word}"}}'
    return Case(KINDS[name], established, proposal.encode(), sort)


Verifier = Callable[[str, str, bytes], tuple[str, str]]


def fuzz(cases: int, seed: int, verdict_of: Verifier = decide) -> dict[str, list[int]]:
    """Sort → [cases, accepted], over all kinds in turn; the coercions of the paper are always among the malformed."""
    rng = random.Random(seed)
    counts = {"exact": [0, 0], "wrong": [0, 0], "malformed": [0, 0]}
    truth = '{"state":"VALUE","value":"142"}'
    fixed = [
        Case(KINDS["integer"], truth, b'{"state":"VALUE","value":%s}' % raw.encode(), "malformed") for raw in COERCIONS
    ]
    names, sorts = [*KINDS], ["exact", "wrong", "malformed", "abstention"]
    drawn = (case(rng, names[i % len(names)], rng.choice(sorts)) for i in range(cases))
    for one in [*fixed, *drawn]:
        verdict, _ = verdict_of(one.kind, one.established, one.proposal)
        if verdict == "INVALID_VECTOR":
            raise AssertionError(f"the fuzzer made an unusable case: {one}")
        counts[one.sort][0] += 1
        counts[one.sort][1] += verdict == "ACCEPT"
    return counts


def main(arguments: list[str]) -> int:
    if arguments:
        mismatches = [mismatch for path in arguments for mismatch in run_vectors(path)]
        print("\n".join([*mismatches, f"{len(mismatches)} mismatches"]))
        return 3 if mismatches else 0
    counts = fuzz(CASES, seed=142)
    print(f"exact answers      {counts['exact'][0]:5}  accepted {counts['exact'][1]:5}")
    print(f"wrong answers      {counts['wrong'][0]:5}  accepted {counts['wrong'][1]:5}")
    print(f"malformed spelling {counts['malformed'][0]:5}  accepted {counts['malformed'][1]:5}")
    false = counts["wrong"][1] + counts["malformed"][1]
    missed = counts["exact"][0] - counts["exact"][1]
    print(f"false acceptances  {false:5}  refused exact answers {missed}")
    return 1 if false or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
