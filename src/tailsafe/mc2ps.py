"""The paper's Monte Carlo Confident Policy Selection, as printed (Alg. 1, RiskEvaluation).

Each policy is judged on its own, on blocks of k models, until its quantile seems precise enough:

    (g, h) with h - g minimal and P(g <= Binomial(L, q) <= h - 1) > 1 - alpha      (lines 19-20)
    stop when u_h - u_g < eps_rel (u_L - u_1)                                       (line 22)
    VaR: u_g.   CVaR: the mean of u_1 .. u_g.                                       (lines 23-28)

The policy of the largest estimate wins. It is here for those who want exactly that: looking after
every block and taking the largest of many estimates are not paid for (see ``select``, which is).
Two things the text leaves open: a sample without any range stops, and (g, h) is the smallest pair.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tailsafe.arrays import FloatArray, IntArray, check_count
from tailsafe.candidate import Candidate, merged
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData, NotSupported
from tailsafe.evaluate import performances
from tailsafe.keys import as_key
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.race.outlook import ROUNDING
from tailsafe.race.sheet import Sheet
from tailsafe.ranks import check_probability, printed_interval
from tailsafe.risk import CVaR, RiskMeasure, VaR
from tailsafe.samples import Samples

Status: TypeAlias = Literal["selected", "budget"]


@dataclass(frozen=True, slots=True)
class PrintedEstimate:
    """What the printed rule says of one policy.

    Parameters
    ----------
    value
        Its estimate, u_g or the mean of u_1 .. u_g; minus infinity while no pair (g, h) exists.
    ranks
        (g, h), or None while the sample is too small for a pair.
    n_models
        L, how many models it was judged on.
    converged
        Whether the rule stopped by itself; otherwise the models were spent.
    """

    value: float
    ranks: tuple[int, int] | None
    n_models: int
    converged: bool


@dataclass(frozen=True, slots=True)
class PrintedChoice:
    """The policy with the largest estimate, and all estimates.

    Parameters
    ----------
    status
        "selected", or "budget" if the rule has not stopped for some policy.
    risk
        VaR or CVaR.
    best
        The first of those with the largest estimate.
    estimates
        Each candidate with its estimate, in the order given.
    evaluations
        Policies times models solved.
    skipped
        (name, reason) of methods that could not propose a candidate; ``evc`` fills it.
    """

    status: Status
    risk: RiskMeasure
    best: Candidate
    estimates: tuple[tuple[Candidate, PrintedEstimate], ...]
    evaluations: int
    skipped: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedRule:
    """The parameters of the algorithm.

    Parameters
    ----------
    alpha
        1 - alpha is the confidence of (g, h) at a single look.
    eps_rel
        Tolerance, as a share of the range of the sample.
    block
        k, models between two looks.
    max_models
        Where to give up; the text has no such limit.
    """

    alpha: float = 0.01
    eps_rel: float = 0.01
    block: int = 1_000
    max_models: int = 1_000_000

    def __post_init__(self) -> None:
        check_probability(self.alpha, "alpha")
        if not 0.0 < self.eps_rel <= 1.0:
            raise InvalidData(f"eps_rel must be in (0, 1], got {self.eps_rel}")
        check_count(self.block, "block")
        check_count(self.max_models, "max_models")

    def judge(self, u: FloatArray, risk: VaR | CVaR) -> PrintedEstimate:
        """Return the estimate on the sample u[m], and whether the rule stops there."""
        n = len(u)
        ranks = printed_interval(n, risk.level, self.alpha)
        if ranks is None:
            return PrintedEstimate(-np.inf, None, n, False)
        g, h = ranks
        ordered = np.partition(u, (0, g - 1, h - 1, n - 1))
        spread = ordered[-1] - ordered[0]
        # A range of no more than rounding errors is none.
        constant = spread <= ROUNDING * max(abs(ordered[0]), abs(ordered[-1]))
        stops = constant or ordered[h - 1] - ordered[g - 1] < self.eps_rel * spread
        value = ordered[g - 1] if isinstance(risk, VaR) else ordered[:g].mean()
        return PrintedEstimate(float(value), ranks, n, bool(stops))


def mc2ps(
    problem: Problem,
    candidates: Iterable[Candidate | Policy],
    risk: VaR | CVaR = VaR(0.25),
    rule: PrintedRule = PrintedRule(),
    seed: int = 0,
    engine: Engine = Engine(),
) -> PrintedChoice:
    """Return the choice of the printed rule among some policies.

    Parameters
    ----------
    problem
        Its posterior and task.
    candidates
        Equal ones are merged; all are judged on the same models.
    risk
        What is estimated.
    rule
        Precision.
    seed
        Of the models, those of the race of ``select``.
    engine
        How fast; the choice does not depend on it.
    """
    if not isinstance(risk, VaR | CVaR):
        raise NotSupported(f"the paper's algorithm knows VaR and CVaR, not {risk!r}: use select")
    pool = merged(candidates)
    if not pool:
        raise InvalidData("there is no candidate to choose from")
    rule = _within(rule, problem)

    def utilities(first: int, last: int, who: IntArray) -> FloatArray:
        policies = [pool[i].policy for i in who]
        return performances(
            problem.posterior, problem.task, policies, first, last, as_key(seed), engine
        )

    sheet = Sheet(utilities, len(pool))
    estimates = printed_estimates(sheet, risk, rule)
    best = max(range(len(pool)), key=lambda i: estimates[i].value)
    status: Status = "selected" if all(e.converged for e in estimates) else "budget"
    pairs = tuple(zip(pool, estimates, strict=True))
    return PrintedChoice(status, risk, pool[best], pairs, sheet.evaluations)


def printed_estimates(
    sheet: Sheet, risk: VaR | CVaR, rule: PrintedRule
) -> tuple[PrintedEstimate, ...]:
    """Return the estimate of every candidate of a sheet; each stops by itself."""
    judged = [PrintedEstimate(-np.inf, None, 0, False)] * sheet.n_candidates
    n = 0
    while n < rule.max_models:
        n = min(n + rule.block, rule.max_models)
        running = np.array([i for i, e in enumerate(judged) if not e.converged], np.int64)
        if len(running) == 0:
            break
        sheet.bring(running, n)
        for i in running:
            judged[i] = rule.judge(sheet.columns[i], risk)
    return tuple(judged)


def _within(rule: PrintedRule, problem: Problem) -> PrintedRule:
    """Return the rule with no more models than there are."""
    posterior = problem.posterior
    if not isinstance(posterior, Samples):
        return rule
    if (posterior.weights != posterior.weights[0]).any():
        raise NotSupported(
            "the paper's algorithm needs models that are equally likely: use select, which is "
            "exact on a weighted list"
        )
    most = min(rule.max_models, len(posterior))
    return PrintedRule(rule.alpha, rule.eps_rel, min(rule.block, most), most)
