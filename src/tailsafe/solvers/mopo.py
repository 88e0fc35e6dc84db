"""Model-based offline policy optimisation: a penalty where the models of an ensemble disagree.

T. Yu, G. Thomas, L. Yu, S. Ermon, J. Zou, S. Levine, C. Finn, T. Ma. MOPO: Model-based Offline
Policy Optimization. NeurIPS 2020. https://arxiv.org/abs/2005.13239 -- Tabular: the optimal policy
of the posterior mean with the reward r(s, a) - l e(s, a), where e(s, a) is the expected total
variation of posterior models and

    l = scale discount (max R - min R) / (1 - discount)

bounds, at scale 1, what a transition that is wrong by e can cost (their Lemma 4.1).
"""

from dataclasses import dataclass

from tailsafe.arrays import check_count
from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.altered import altered, best_policy, forever, reward_range
from tailsafe.solvers.disagreement import disagreement
from tailsafe.solvers.model import Model


@dataclass(frozen=True, slots=True)
class MOPO:
    """Pay where the models disagree.

    Parameters
    ----------
    scale
        Of the penalty; 1 is the bound, less is bolder.
    n_models
        Posterior samples that stand for the ensemble.
    """

    scale: float = 0.5
    n_models: int = 1_000

    def __post_init__(self) -> None:
        check_count(self.n_models, "n_models")
        if not 0.0 <= self.scale < float("inf"):
            raise InvalidData(f"scale must be a number of at least 0, got {self.scale}")

    @property
    def name(self) -> str:
        return f"MOPO({self.scale:g})"

    def model(self, problem: Problem, seed: int = 0) -> Model:
        """Return the posterior mean with the penalised reward."""
        mean, discount = problem.mean(), problem.task.discount
        smallest, largest = reward_range(problem)
        price = self.scale * discount * forever(largest - smallest, discount)
        reward = mean.task.expected_reward(mean.table, mean.probability)
        return altered(mean, reward - price * disagreement(problem, self.n_models, seed))

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del engine
        return best_policy(self.model(problem, seed))
