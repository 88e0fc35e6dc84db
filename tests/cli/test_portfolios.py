"""Portfolios by name, set to the level of the question."""

import pytest

import tailsafe as ts
from tailsafe.cli.portfolios import NAMES, portfolio

MAKERS = {
    "paper": lambda _: ts.paper_portfolio(),
    "standard": ts.standard_portfolio,
    "full": ts.full_portfolio,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stands_for_its_portfolio_at_the_level_asked_for(name):
    assert portfolio(name, 0.07) == MAKERS[name](0.07)
