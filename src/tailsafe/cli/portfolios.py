"""Portfolios by the names that the command line gives them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tailsafe.portfolio import Method

NAMES = ("paper", "standard", "full")


def portfolio(name: str) -> "tuple[Method, ...]":
    """Return the methods of a portfolio."""
    from tailsafe.portfolio import full_portfolio, paper_portfolio, standard_portfolio

    made = {"paper": paper_portfolio, "standard": standard_portfolio, "full": full_portfolio}
    return made[name]()
