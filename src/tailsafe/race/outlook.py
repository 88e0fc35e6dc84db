"""What is known before any model is drawn: expected risks, bounds, a favourite, a precision.

The moments are approximations (``moments``) and rule nothing out. The floor of a performance,

    f_i = max(xi_i, mean_i - 8 sd_i),    xi_i the least possible one,

keeps a bet on the tail from being as timid as the worst case demands; what is then claimed is
claimed of max(X_i, f_i).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.extremes import extremes
from tailsafe.moments import moments
from tailsafe.policy import Policy
from tailsafe.posterior import Posterior
from tailsafe.race.look import Rules
from tailsafe.race.quantile import QuantileRules
from tailsafe.race.tail import TailRules
from tailsafe.race.wealth import shape_of
from tailsafe.risk import RiskMeasure, VaR
from tailsafe.task import Task

FAR = 8.0
"""Standard deviations between the mean and a floor."""

FAVOURITE_SHARE = 0.5
"""Of alpha, kept for the favourite as leader; the others share the rest."""

LEAST_SHARE = 0.1
"""Of the median standard deviation: a precision is relative to no less."""

LEAST_PRECISION, ROUNDING = 1e-9, 1e-10
"""Of the scale of the performances: the least eps, and to what they are rounded."""

LEAST_SCALE = 1e-4
"""Of the largest reward. Where rewards cancel, a smaller scale would measure rounding errors."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """Expectations and bounds of each policy, all [p].

    Parameters
    ----------
    risk, sd, quantile
        Of the performance, roughly: the measure asked for, the standard deviation, the quantile
        that a tail bound is built around.
    lowest, highest
        What the performance cannot leave.
    floors, ceilings
        What it is moved to where it does leave the range that bets are made for.
    scale
        The magnitude of the performances.
    """

    risk: FloatArray
    sd: FloatArray
    quantile: FloatArray
    lowest: FloatArray
    highest: FloatArray
    floors: FloatArray
    ceilings: FloatArray
    scale: float

    @property
    def favourite(self) -> int:
        """The policy that is expected to be the best."""
        return int(np.argmax(self.risk))

    @property
    def quantum(self) -> float:
        """What performances are rounded to, so that equal ones tie."""
        return ROUNDING * self.scale

    def eps(self, eps: float | None, eps_rel: float) -> float:
        """Return the precision: as given, or relative to the favourite's standard deviation.

        A favourite that is worth nearly the same in every model sets no scale; the others do.
        """
        spread = max(float(self.sd[self.favourite]), LEAST_SHARE * float(np.median(self.sd)))
        wanted = eps_rel * spread if eps is None else eps
        if not 0.0 <= wanted < np.inf or (eps is not None and eps == 0.0):
            raise InvalidData(f"eps must be positive, got {wanted}")
        return max(wanted, LEAST_PRECISION * self.scale)

    def weights(self) -> FloatArray:
        """Return the shares of alpha that are kept for each policy as leader."""
        n = len(self.risk)
        if n == 1:
            return np.ones(1)
        weights = np.full(n, (1.0 - FAVOURITE_SHARE) / (n - 1))
        weights[self.favourite] = FAVOURITE_SHARE
        return weights


def outlook(
    posterior: Posterior,
    task: Task,
    policies: Sequence[Policy],
    risk: RiskMeasure,
    floor: float | None = None,
    seed: int = 0,
    engine: Engine = Engine(),
) -> Outlook:
    """Return what is known of the policies before the race.

    Parameters
    ----------
    floor
        Performances below count as it; by default 8 standard deviations below each mean.
        Minus infinity asks for the least possible performance.
    """
    moment = moments(posterior, task, policies, seed, engine)
    lowest, highest = extremes(posterior, task, policies)
    # A variance that vanishes to first order says nothing of how far the tail may reach.
    reach = np.where(moment.sd > 0.0, FAR * moment.sd, np.inf)
    below = moment.mean - reach if floor is None else np.full(len(policies), floor)
    floors = np.minimum(np.maximum(lowest, below), highest)
    ceilings = np.maximum(np.where(np.isfinite(highest), highest, moment.mean + reach), floors)
    level = _level(risk)
    quantile = np.clip(moment.risk(VaR(level)), floors, ceilings)
    magnitude = np.abs(moment.mean) + moment.sd
    reward = LEAST_SCALE * float(np.abs(task.entry_reward(posterior.table)).max(initial=0.0))
    scale = max(float(magnitude.max()), reward, float(np.finfo(np.float64).tiny))
    return Outlook(moment.risk(risk), moment.sd, quantile, lowest, highest, floors, ceilings, scale)


def rules_of(
    risk: RiskMeasure, known: Outlook, eps: float, alpha: float, sizes: tuple[int, ...]
) -> Rules:
    """Return the tests of a race for the measure."""
    if isinstance(risk, VaR):
        ends = known.lowest, known.highest
        return QuantileRules(risk.level, eps, alpha, len(sizes), known.weights(), *ends)
    unbounded = ~np.isfinite(known.floors) | ~np.isfinite(known.ceilings)
    if unbounded.any():
        raise InvalidData(
            f"the performance of policy {int(np.argmax(unbounded))} has no known bounds, which "
            f"{risk.name} needs: give a floor, or use VaR"
        )
    ends = known.floors, known.ceilings
    shape = shape_of(risk)
    return TailRules(shape, eps, alpha, sizes, known.weights(), *ends, known.quantile)


def _level(risk: RiskMeasure) -> float:
    return risk.level if isinstance(risk, VaR) else shape_of(risk).level
