"""Portfolios by the names that the command line gives them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tailsafe.portfolio import Method

NAMES = ("paper", "standard", "full")


def portfolio(name: str, level: float) -> "tuple[Method, ...]":
    """Return the methods of a portfolio, robust ones set to the level of the question."""
    from tailsafe.portfolio import full_portfolio, paper_portfolio, standard_portfolio

    if name == "paper":
        return paper_portfolio()
    return standard_portfolio(level) if name == "standard" else full_portfolio(level)
