"""Numbers as published tables spell them, and templates."""

# ruff: noqa: E501 - a case is one row, so that the rows can be read as a list

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.kernel.errors import InvalidPack
from assay.packs.connectors.spelling import Spelt, read_number
from assay.packs.connectors.templates import fill, slug
from assay.packs.values import decimal_of


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        pytest.param("142", "142", id="an integer"),
        pytest.param(" 6.674 30 e-11 ", "6.67430e-11", id="digit groups and a spaced exponent"),
        pytest.param("10 973 731.568 157", "10973731.568157", id="digit groups"),
        pytest.param("3.828e+26", "3.828e26", id="a plus in the exponent"),
        pytest.param("+5", "5", id="a plus"),
        pytest.param("\N{MINUS SIGN}11", "-11", id="a minus sign U+2212"),
        pytest.param("1\N{THIN SPACE}234.5", "1234.5", id="a thin space"),
        pytest.param(".5", "0.5", id="no digit before the point"),
        pytest.param("5.", "5", id="no digit after it"),
        pytest.param("007", "7", id="leading zeros"),
        pytest.param("-0.0", "0.0", id="negative zero"),
        pytest.param("1e0", "1", id="an exponent of zero"),
        pytest.param("6.67430", "6.67430", id="trailing zeros are kept"),
    ],
)
def test_a_spelling_is_read(raw: str, value: str) -> None:
    assert read_number(raw) == Spelt(value)
    assert decimal_of(value) is not None


@pytest.mark.parametrize(
    "raw",
    ["", ".", "-", "...", "1,234", "142,0", "1_42", "１４２", "٣", "NaN", "inf", "0x8E", "1.2.3", "ca. 142", "3-5", "<5", "1e", "e5", "1\t2"],
)  # fmt: skip
def test_what_is_no_number_is_none(raw: str) -> None:
    assert read_number(raw) is None


@pytest.mark.parametrize(
    ("raw", "spelt"),
    [
        pytest.param("8.314 462 618...", Spelt("", "8.314462618", "8.314462619", "[)"), id="above zero"),
        pytest.param(
            "12.566 370 614... e-7", Spelt("", "12.566370614e-7", "12.566370615e-7", "[)"), id="with an exponent"
        ),
        pytest.param("-1.99...", Spelt("", "-2.00", "-1.99", "(]"), id="below zero, mirrored"),
        pytest.param("0.99...", Spelt("", "0.99", "1.00", "[)"), id="a carry"),
        pytest.param("9...", Spelt("", "9", "10", "[)"), id="no digit after the point"),
    ],
)
def test_a_decimal_that_was_cut_off_is_an_interval(raw: str, spelt: Spelt) -> None:
    assert read_number(raw) == spelt


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        pytest.param("56.99999999999999", "57", id="the artefact of a binary float"),
        pytest.param("110.00000000000001", "110", id="above"),
        pytest.param("368.34999999999997", "368.35", id="with decimals"),
        pytest.param("0.00012345678901234567", "0.000123456789012", id="leading zeros are no digits"),
        pytest.param("123456789012345678", "123456789012000000", id="digits before the point"),
        pytest.param("1.7799999999999999e-08", "1.78e-8", id="with an exponent"),
        pytest.param("12.5", "12.5", id="few digits stay as they are"),
        pytest.param("-56.99999999999999", "-57", id="below zero"),
    ],
)
def test_more_digits_than_are_significant_are_rounded(raw: str, value: str) -> None:
    assert read_number(raw, 12) == Spelt(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6), st.integers(-20, 20))
def test_a_read_number_is_the_number_that_was_spelt(number: object, power: int) -> None:
    raw = f"{number:f}e{power:+d}"
    spelt = read_number(raw)
    assert spelt is not None
    assert decimal_of(spelt.value) == Fraction(str(number)) * Fraction(10) ** power


@given(st.text(max_size=12))
def test_reading_is_total_and_what_it_reads_is_in_the_grammar(raw: str) -> None:
    spelt = read_number(raw)
    if spelt is not None:
        assert all(decimal_of(text) is not None for text in (spelt.value, spelt.lower, spelt.upper) if text)


def test_templates_are_filled() -> None:
    cells = {"name": "  Vacuum mag. permeability ", "id": "HGNC:5"}
    assert fill("codata:{name|slug}", cells) == "codata:vacuum-mag-permeability"
    assert fill("hgnc:{id|after:HGNC:}", cells) == "hgnc:5"
    assert fill("{name|strip}/{}", cells, "piece") == "Vacuum mag. permeability/piece"
    assert fill("{id|after:x}", cells) == "HGNC:5", "what is not there is not cut"
    assert slug("{220} lattice spacing of silicon") == "220-lattice-spacing-of-silicon"


@pytest.mark.parametrize("template", ["{none}", "{id|upper}", "{id|after}x{none}"])
def test_a_template_of_unknown_words_is_refused(template: str) -> None:
    with pytest.raises(InvalidPack) as refused:
        fill(template, {"id": "1"})
    assert refused.value.code == "pack.recipe"
