"""Percentile optimisation with analytic moments: mean minus deviations of the performance.

E. Delage, S. Mannor. Percentile Optimization for Markov Decision Processes with Parameter
Uncertainty. Operations Research 58(1), 2010. -- For a law close to the normal one, the q-quantile
of the performance u of a policy over the posterior is

    E[u] + z_q sd[u],    z_q = the q-quantile of the standard normal law (negative below 1/2),

with the second-order moments of a Dirichlet posterior (``tailsafe.moments``); those of an explicit
list of models are exact. A local search switches actions as long as that raises it; it starts at
the optimal policy of the posterior mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import FloatArray, check_count
from tailsafe.engine import Engine
from tailsafe.errors import NotSupported
from tailsafe.evaluate import performances
from tailsafe.moments import moments
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.ranks import check_probability
from tailsafe.samples import Samples
from tailsafe.solvers.ascent import by_switches, usable
from tailsafe.solvers.planning import solve

MOST_WORK = 2e10
"""Switches times states cubed that one step of the search may take: about a minute."""


@dataclass(frozen=True, slots=True)
class Percentile:
    """Maximise an approximate quantile by local search.

    Parameters
    ----------
    level
        Of the quantile, q.
    max_steps
        Of the local search; where it is stopped, its best policy counts.
    """

    level: float = 0.25
    max_steps: int = 100

    def __post_init__(self) -> None:
        check_probability(self.level, "level")
        check_count(self.max_steps, "max_steps")

    @property
    def name(self) -> str:
        return f"Percentile({self.level:g})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        _check_size(problem)
        start = solve(problem.mean())[0]
        judge = NormalQuantile(problem, self.level, seed, engine)
        return by_switches(judge, start, self.max_steps).policy


def _check_size(problem: Problem) -> None:
    pairs = int((problem.task.admissible & ~problem.task.terminal[:, None]).sum())
    if pairs * problem.n_states**3 > MOST_WORK:
        raise NotSupported(
            f"the local search solves {problem.n_states} equations for each of {pairs} switches, "
            "too slow: use Improvement or NORBU"
        )


@dataclass(frozen=True, slots=True, eq=False)
class NormalQuantile:
    """The quantile of a normal law with the moments of the performance.

    Parameters
    ----------
    problem
        Whose posterior the moments are of.
    level
        Of the quantile.
    seed, engine
        For posteriors whose moments are those of a sample.
    """

    problem: Problem
    level: float
    seed: int
    engine: Engine

    def __call__(self, policies: Sequence[Policy]) -> FloatArray:
        """Return mean + z sd of each policy, [p]."""
        from scipy.special import ndtri

        mean, sd = self._moments(policies)
        return np.asarray(mean + float(ndtri(self.level)) * sd, np.float64)

    def switch_values(self, policy: Policy) -> FloatArray:
        """Return the quantile after each switch of one state to one action, [s, a]."""
        task, actions = self.problem.task, policy.actions
        pairs = np.argwhere(task.admissible & ~task.terminal[:, None])
        switched = np.repeat(actions[None], len(pairs), axis=0)
        switched[np.arange(len(pairs)), pairs[:, 0]] = pairs[:, 1]
        policies = [Policy.from_actions(row, policy.n_actions) for row in switched]
        allowed = set(usable(self.problem, policies))
        kept = [policy in allowed for policy in policies]
        values = np.full(policy.probs.shape, -np.inf)
        judged = [policy for policy in policies if policy in allowed]
        values[tuple(pairs[kept].T)] = self(judged)
        return values

    def _moments(self, policies: Sequence[Policy]) -> tuple[FloatArray, FloatArray]:
        posterior, task = self.problem.posterior, self.problem.task
        if not isinstance(posterior, Samples):
            found = moments(posterior, task, policies, self.seed, self.engine)
            return found.mean, found.sd
        U = performances(posterior, task, policies, 0, len(posterior), self.seed, self.engine)
        mean = U @ posterior.weights
        return mean, np.sqrt((U - mean[:, None]) ** 2 @ posterior.weights)
