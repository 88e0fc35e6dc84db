"""Risk measures by name: what each means, and what is refused."""

import pytest

from tailsafe.errors import InvalidData
from tailsafe.risk import CVaR, Mean, VaR
from tailsafe.risk_names import risk_named


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        *(("cvar:0.25", CVaR(0.25)), ("var:0.1", VaR(0.1)), ("mean", Mean())),
        *((" CVaR:0.05 ", CVaR(0.05)), ("VAR:1e-2", VaR(0.01))),
    ],
)
def test_a_name_stands_for_its_measure(text, risk):
    assert risk_named(text) == risk


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tvar:0.1", "'tvar:0.1' is no risk measure: write cvar:0.25, var:0.1 or mean"),
        ("mean:0.5", "'mean:0.5' is no risk measure"),
        ("", "'' is no risk measure"),
        ("cvar", "'cvar' lacks its level: write cvar:0.25, for one"),
        ("var:", "'' is not a number"),
        ("var:a", "'a' is not a number"),
        ("var:nan", "'nan' is not a finite number"),
        ("cvar:0", "0 is not strictly between 0 and 1"),
        ("cvar:1", "1 is not strictly between 0 and 1"),
        ("var:-0.1", "-0.1 is not strictly between 0 and 1"),
    ],
)
def test_anything_else_is_refused_with_what_to_write(text, words):
    with pytest.raises(InvalidData) as refused:
        risk_named(text)
    assert words in str(refused.value)
