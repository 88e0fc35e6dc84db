"""Options from text: what is understood, and what is refused with which words."""

from argparse import ArgumentTypeError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailsafe.cli import texts
from tailsafe.risk import CVaR, Mean, VaR


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        ("cvar:0.25", CVaR(0.25)),
        ("VaR:.1", VaR(0.1)),
        ("mean", Mean()),
        (" cvar:5e-2 ", CVaR(0.05)),
    ],
)
def test_risk_measures_are_read(text, risk):
    assert texts.risk_of(text) == risk


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tvar:0.25", "'tvar:0.25' is no risk measure: write cvar:0.25, var:0.1 or mean"),
        ("cvar", "'cvar' lacks its level: write cvar:0.25, for one"),
        ("var:", "'' is not a number"),
        ("cvar:25", "25 is not strictly between 0 and 1"),
        ("cvar:1", "1 is not strictly between 0 and 1"),
        ("var:nan", "'nan' is not a finite number"),
        ("mean:0.1", "'mean:0.1' is no risk measure"),
    ],
)
def test_other_risk_measures_are_refused(text, words):
    with pytest.raises(ArgumentTypeError) as refused:
        texts.risk_of(text)
    assert words in str(refused.value)


@pytest.mark.parametrize(("text", "value"), [("7", 7), ("1e6", 1_000_000), ("100_000", 100_000)])
def test_whole_numbers_may_be_written_as_people_write_them(text, value):
    assert texts.count(text) == value


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (texts.count, "0", "0 is not a whole number of at least 1"),
        (texts.count, "1.5", "'1.5' is not a whole number"),
        (texts.count, "15e-1", "15e-1 is not a whole number of at least 1"),
        (texts.count, "1e999", "1e999 is not a whole number of at least 1"),
        (texts.seed, "-1", "-1 is not a whole number from 0 to 4294967295"),
        (texts.seed, "4294967296", "from 0 to 4294967295"),
        (texts.positive, "0", "0 is not above 0"),
        (texts.positive, "inf", "'inf' is not a finite number"),
        (texts.discount, "1.01", "1.01 is not from 0 to 1"),
        (texts.proper_share, "ten", "'ten' is not a number"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(read, text, words):
    with pytest.raises(ArgumentTypeError) as refused:
        read(text)
    assert words in str(refused.value)


@given(st.text(max_size=12))
def test_any_text_is_understood_or_refused(text):
    for read in (texts.risk_of, texts.proper_share, texts.positive, texts.count, texts.seed):
        try:
            read(text)
        except ArgumentTypeError:
            continue
