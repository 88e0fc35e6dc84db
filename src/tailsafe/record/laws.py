"""The law of each policy's performance, on models that all policies share.

These models are of a stream of their own: what is shown of a policy is not biased by its having
been chosen for its luck on the models of the race.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray
from tailsafe.engine import Engine
from tailsafe.evaluate import performances
from tailsafe.keys import Stream, stream_key
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import WHOLE
from tailsafe.record.schema import LEVELS, SHOWN
from tailsafe.risk import CVaR, Mean, RiskMeasure, VaR, cumulative
from tailsafe.samples import Samples

MOST, LEAST, STATES = 2_000, 200, 128_000
"""2,000 models for up to 64 states, fewer for more, never below 200."""


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """An ascending sample of a policy's performance; ``weights`` are None if all count alike."""

    values: FloatArray
    weights: FloatArray | None

    def of(self, measure: RiskMeasure) -> float:
        """Return a risk measure of the law."""
        return measure.value(self.values, self.weights)

    @property
    def mean(self) -> float:
        """The mean."""
        return self.of(Mean())

    @property
    def sd(self) -> float:
        """The standard deviation."""
        centred = self.values - self.mean
        return float(np.sqrt(np.average(centred**2, weights=self.weights)))

    def quantiles(self) -> list[float]:
        """Return the smallest value with a mass of at least l at or below it, for each level l."""
        levels = np.linspace(0.0, 1.0, LEVELS)
        at = np.searchsorted(cumulative(self.values, self.weights), levels - WHOLE, side="left")
        return [float(x) for x in self.values[np.minimum(at, len(self.values) - 1)]]


def n_shared(problem: Problem) -> int:
    """Return on how many models the laws are shown."""
    if isinstance(problem.posterior, Samples):
        return len(problem.posterior)
    return int(np.clip(STATES // problem.n_states, LEAST, MOST))


def laws(problem: Problem, policies: Sequence[Policy], seed: int, engine: Engine) -> list[Law]:
    """Return the law of each policy on the same models."""
    key = stream_key(seed, Stream.EXPLAIN)
    n = n_shared(problem)
    U = performances(problem.posterior, problem.task, policies, 0, n, key, engine)
    return [_law(problem, row) for row in U]


def _law(problem: Problem, performance: FloatArray) -> Law:
    order = np.argsort(performance, kind="stable")
    weighted = isinstance(problem.posterior, Samples)
    weights = problem.weights(len(performance))[order] if weighted else None
    return Law(performance[order], weights)


def level_of(risk: RiskMeasure) -> float:
    """Return the level at which VaR and CVaR are shown beside the measure asked for."""
    return risk.level if isinstance(risk, VaR | CVaR) else SHOWN
