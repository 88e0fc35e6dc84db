"""An estimate of one policy's risk, with an interval whose precision is fixed beforehand.

n = z^2 q (1 - q) / tau^2 models, chosen without looking, give the interval of the quantile the
ranks [q - tau, q + tau]. For CVaR and the mean the same n, and bounds by bets on both sides.
"""

from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.certificate.certify import evaluator
from tailsafe.engine import Engine
from tailsafe.keys import Stream
from tailsafe.policy import Policy
from tailsafe.posterior import Posterior
from tailsafe.race.look import Rules
from tailsafe.race.outlook import outlook, rules_of
from tailsafe.race.wealth import shape_of
from tailsafe.ranks import check_probability, fixed_precision_size
from tailsafe.risk import CVaR, RiskMeasure, VaR
from tailsafe.samples import Samples
from tailsafe.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """A policy's risk.

    Parameters
    ----------
    value
        The estimate.
    lower, upper
        The (1 - alpha) interval.
    sample
        The performances it rests on.
    floor
        Worse performances counted as this one; None if none was moved.
    """

    value: float
    lower: float
    upper: float
    sample: FloatArray
    floor: float | None = None


def estimate(  # noqa: PLR0913 - a public door
    posterior: Posterior,
    task: Task,
    policy: Policy,
    risk: RiskMeasure = CVaR(0.25),
    *,
    tolerance: float = 0.01,
    alpha: float = 0.01,
    floor: float | None = None,
    seed: int = 0,
    engine: Engine = Engine(),
) -> Estimate:
    """Return a policy's risk on as many models as the tolerance of its level asks for.

    Parameters
    ----------
    tolerance
        tau: the interval of the quantile reaches from level - tau to level + tau.
    alpha
        Error probability of the interval.
    floor
        As of ``certify``.
    """
    check_probability(alpha, "alpha")
    evaluate = evaluator(posterior, task, policy, seed, engine)
    if isinstance(posterior, Samples):
        sample = evaluate(len(posterior), Stream.RACE)
        order = np.argsort(sample, kind="stable")
        value = risk.value(sample[order], posterior.weights[order])
        return Estimate(value, value, value, sample)
    level = risk.level if isinstance(risk, VaR) else shape_of(risk).level
    n = fixed_precision_size(level, tolerance, alpha)
    known = outlook(posterior, task, [policy], risk, floor, seed, engine)
    rules = rules_of(risk, known, known.eps(None, tolerance), alpha, (n,))
    sample = evaluate(n, Stream.RACE)
    if isinstance(risk, VaR):
        return estimated(sample, rules, None)
    worst, best = float(known.floors[0]), float(known.ceilings[0])
    return estimated(
        np.clip(sample, worst, best), rules, worst if worst > known.lowest[0] else None
    )


def estimated(sample: FloatArray, rules: Rules, floor: float | None) -> Estimate:
    """Return the estimate of the only candidate of the rules."""
    value = float(rules.estimates(np.sort(sample)[None])[0])
    lower, upper = rules.interval(sample, 0)
    return Estimate(value, lower, upper, sample, floor)
