"""Batch-constrained planning: the best policy among actions that the behaviour takes often enough.

S. Fujimoto, D. Meger, D. Precup. Off-Policy Deep Reinforcement Learning without Exploration.
ICML 2019. https://arxiv.org/abs/1812.02900; the discrete form with a threshold: S. Fujimoto, E.
Conti, M. Ghavamzadeh, J. Pineau. 2019. https://arxiv.org/abs/1910.01708. Tabular: policy iteration
on the most likely model, restricted to

    {a : pi_b(a | s) >= threshold max_b pi_b(b | s)}
"""

from dataclasses import dataclass, replace

from tailsafe.engine import Engine
from tailsafe.errors import InvalidData
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.problem import Problem
from tailsafe.solvers.planning import solve
from tailsafe.unseen import Uniform, Unseen


@dataclass(frozen=True, slots=True)
class BCQ:
    """Do nothing unusual.

    Parameters
    ----------
    threshold
        How usual, relative to the most usual action; in (0, 1], where 1 leaves only that one.
    unseen
        What the model says of pairs that were never tried.
    """

    threshold: float = 0.3
    unseen: Unseen = Uniform()

    def __post_init__(self) -> None:
        if not 0.0 < self.threshold <= 1.0:
            raise InvalidData(f"threshold must be in (0, 1], got {self.threshold}")

    @property
    def name(self) -> str:
        return f"BCQ({self.threshold:g})"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        behaviour, task = problem.behaviour.probs, problem.task
        usual = behaviour >= self.threshold * behaviour.max(axis=1, keepdims=True)
        nominal = problem.nominal(self.unseen)
        narrow = replace(task, admissible=usual & task.admissible)
        return solve(MDP(narrow, nominal.table, nominal.probability))[0]
