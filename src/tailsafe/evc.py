"""The paper's Exploitation versus Caution (Alg. 2): generate policies, then ``mc2ps``.

candidates = optimal policies of P_hat and of l posterior models, at discounts G <= gamma_ev,
             and what a portfolio of methods proposes; each policy once
"""

from dataclasses import replace

from tailsafe.engine import Engine
from tailsafe.mc2ps import PrintedChoice, PrintedRule, mc2ps
from tailsafe.portfolio import Portfolio, paper_portfolio
from tailsafe.problem import Problem
from tailsafe.propose import propose
from tailsafe.risk import CVaR, VaR


def evc(
    problem: Problem,
    risk: VaR | CVaR = VaR(0.25),
    rule: PrintedRule = PrintedRule(),
    portfolio: Portfolio | None = None,
    seed: int = 0,
    engine: Engine = Engine(),
) -> PrintedChoice:
    """Return the choice of the paper's algorithm.

    Parameters
    ----------
    problem
        What the methods see.
    risk
        What the choice maximises.
    rule
        Precision of the choice.
    portfolio
        What generates the policies; ``paper_portfolio()`` by default, sampled models and
        discounts included.
    seed
        Of all models; those that propose are not those that judge.
    engine
        How fast; the choice does not depend on it.
    """
    proposal = propose(
        problem, paper_portfolio() if portfolio is None else portfolio, seed, engine, risk=risk
    )
    choice = mc2ps(problem, proposal, risk, rule, seed, engine)
    return replace(choice, skipped=proposal.skipped)
