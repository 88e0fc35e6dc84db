"""The policy that takes every admissible action equally often: what knowing nothing is worth."""

from dataclasses import dataclass

from tailsafe.engine import Engine
from tailsafe.policy import Policy
from tailsafe.problem import Problem


@dataclass(frozen=True, slots=True)
class Uniform:
    """Choose at random."""

    @property
    def name(self) -> str:
        return "Uniform"

    def solve(self, problem: Problem, seed: int = 0, engine: Engine = Engine()) -> Policy:
        del seed, engine
        return Policy.uniform(problem.n_states, problem.n_actions, problem.task.admissible)
